//! What is measured: texts that are made here, the same in every run, and the work done on them.

mod text;
mod work;

pub use text::{json_answer, notes_answer, prose_answer, values};
pub use work::{filter_into, read_leaves, read_regions, read_values};
