//! Byte state machines that take the notes a language model writes beside its answer out of the text as it streams.
//!
//! A model writes its notes as a member named `_findings` in a JSON object of its answer. Every machine here takes bytes in,
//! in chunks of any size, and hands out runs of those same bytes, labelled, in order. Nothing is copied that need not be: a run
//! is a slice of the caller's chunk; only what is undecided at the end of a chunk moves into memory that the caller lent.
//!
//! ```
//! use sidenote_core::{Event, Keys, OwnedFilter};
//!
//! let mut filter = OwnedFilter::<256>::owned(Keys::default())?;
//! let mut shown = String::new();
//! for token in ["Yes.", "\n\n{\"_find", "ings\": [\"sure\"", "]}", "\n\nAnything else?"] {
//!     filter.push(token.as_bytes(), |event| {
//!         if let Event::Text(bytes) = event {
//!             shown.push_str(std::str::from_utf8(bytes).expect("the text is UTF-8"));
//!         }
//!     })?;
//! }
//! filter.end(|_| ())?;
//! assert_eq!(shown, "Yes.\n\nAnything else?");
//! # Ok::<(), sidenote_core::Error>(())
//! ```
//!
//! No machine allocates, recurses or panics. What the filter promises for every text (and the readers, as far as it makes sense of them):
//!
//! 1. **Cut**: however the text is cut into chunks, down to single bytes, the result is the same.
//! 2. **Identity**: where nothing is taken out, what is visible is the text.
//! 3. **JSON**: a text that is one JSON object comes out as that object without the member.
//! 4. **No leak**: where every object in the text is JSON, no byte of a removed value is ever visible.
//! 5. **Prompt**: what can be decided is handed out; words are never held.
//! 6. **Linear**: time is proportional to the text, for every text.
#![no_std]
#![forbid(unsafe_code)]
// A machine that must not panic has no business with what can; where an index is in range for a reason that the compiler
// cannot see, the place says which.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

/// Whether shortcuts are compiled: code that saves time and changes nothing that is handed out. Where flash is dearer than time, they are not.
///
/// `RUSTFLAGS="--cfg sidenote_small"` leaves them out anywhere, for one, to test what is left.
const SHORTCUTS: bool = cfg!(all(target_pointer_width = "64", not(sidenote_small)));

mod code_regions;
mod error;
mod fence;
mod filter;
mod json;
mod leading;
mod prefix;
mod scratch;
mod words;

pub use code_regions::{CodeRegion, CodeRegions, MAX_CODE_REGIONS, RegionsEnd};
pub use error::Error;
pub use filter::{Event, Filter, Keys, OnFull, OwnedFilter, RESERVED_KEY, Removed, least_memory};
pub use json::Kind;
pub use leading::{LeadingEnd, LeadingValues, Stopped};
pub use prefix::{Ended, JsonPrefix, Leaf, PrefixEnd, PrefixEvent};
pub use words::is_javascript_white_space;
