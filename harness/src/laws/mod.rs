//! What holds for every text: functions that property tests and fuzz targets share.
//!
//! Each gives an error that says what was seen, so that a failure can be read and kept as a case.

mod filter;
pub mod naive_filter;
mod text;

pub use filter::{filter_laws, filter_limit_laws};
pub use text::answer_like;
