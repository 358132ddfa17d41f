//! Byte state machines that take the notes a language model writes beside its answer out of the text as it streams.
#![no_std]
#![forbid(unsafe_code)]

mod error;
mod fence;
mod filter;
mod json;
mod scratch;

pub use error::Error;
pub use filter::{Event, Filter, Keys, OnFull, OwnedFilter, RESERVED_KEY, Removed, least_memory};
