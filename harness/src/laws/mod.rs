//! What holds for every text: functions that property tests and fuzz targets share.
//!
//! Each gives an error that says what was seen, so that a failure can be read and kept as a case.

mod code_regions;
mod filter;
mod json;
mod ledger;
pub mod naive_filter;
pub mod naive_regions;
mod text;

use std::fmt::Debug;

pub use code_regions::{FencedBlock, code_regions_laws, fenced_blocks, renderer_agreement};
pub use filter::{filter_agrees_with_twin, filter_laws, filter_limit_laws};
pub use json::{leading_laws, prefix_laws};
pub use ledger::{ledger_laws, sources_laws};
pub use text::{answer_like, document_like, json_like, ledger_like, message_like, sources_like};

/// Whether two things are the same, for the law named.
fn same<T: PartialEq + Debug + ?Sized>(law: &str, got: &T, want: &T) -> Result<(), String> {
    if got == want { Ok(()) } else { Err(format!("{law}:\n got  {got:?}\n want {want:?}")) }
}

/// `cuts` as offsets into `text`, in order.
fn sorted(text: &[u8], cuts: &[usize]) -> Vec<usize> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (text.len() + 1)).collect();
    cuts.sort_unstable();
    cuts
}

/// Up to how many bytes a text is also cut in two at every byte.
const SHORT: usize = 48;

/// The ways in which a law feeds `text`: cut at `cuts`, into pieces of some sizes, and in two at every byte where it is short.
fn cuttings(text: &[u8], cuts: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    let sizes = [1, 2, 3, 5, 8, 16].into_iter().map(|size| (1..text.len()).filter(|at| at % size == 0).collect());
    let two = (1..text.len()).filter(|_| text.len() <= SHORT).map(|cut| vec![cut]);
    std::iter::once(sorted(text, cuts)).chain(sizes).chain(two)
}

/// The chunks that `cuts` make of `text`.
fn chunks<'t>(text: &'t [u8], cuts: &'t [usize]) -> impl Iterator<Item = &'t [u8]> {
    let from = std::iter::once(0).chain(cuts.iter().copied());
    let to = cuts.iter().copied().chain(std::iter::once(text.len()));
    from.zip(to).map(|(from, to)| &text[from..to])
}
