//! Takes the notes that a language model writes beside its answer out of the text as it streams, and makes them useful.
//!
//! The machines are those of [`sidenote_core`], which works in memory that its caller lends. Here they get memory that
//! grows up to a stated ceiling.
//!
//! ```
//! let answer = br#"{"answer": 42, "_findings": ["asked twice"]}"#;
//! let filtered = sidenote::filter(answer, sidenote::Keys::default());
//! assert_eq!(filtered.text, br#"{"answer": 42}"#);
//! assert_eq!(filtered.removed[0].value, br#"["asked twice"]"#);
//! ```
#![forbid(unsafe_code)]

/// README's examples are compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

pub mod declaration;
mod filter;
pub mod json;
#[cfg(feature = "laws")]
pub mod laws;
pub mod ledger;
mod peel;
#[cfg(feature = "spec")]
pub mod protocol;
mod regions;
mod served;
pub mod sources;
#[cfg(feature = "spec")]
pub mod spec;

pub use filter::{Filter, FilterWriter, Filtered, MEMORY_CEILING, RemovedMember, filter};
pub use json::JsonError;
pub use peel::{Peeled, peel, peel_call};
pub use regions::{Regions, code_regions};
pub use served::{JsonLeaves, LeadingJson, LeafReader, Leaves, ReadLeaf, json_prefix_of, leading_json_values};
pub use sidenote_core::{
    CodeRegion, CodeRegions, Ended, Error, Event, Keys, Kind, Leaf, MAX_CODE_REGIONS, OnFull, RESERVED_KEY, RegionsEnd,
    Removed, Stopped, is_javascript_white_space, least_memory,
};
