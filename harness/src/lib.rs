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

mod filter;
#[cfg(feature = "laws")]
pub mod laws;
#[cfg(feature = "spec")]
pub mod protocol;
#[cfg(feature = "spec")]
pub mod spec;

pub use filter::{Filter, FilterWriter, Filtered, MEMORY_CEILING, RemovedMember, filter};
pub use sidenote_core::{Error, Event, Keys, OnFull, RESERVED_KEY, Removed, least_memory};
