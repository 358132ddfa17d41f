//! The fenced code blocks of a whole answer.

use sidenote_core::{CodeRegion, CodeRegions, RegionsEnd};

/// The regions of one text, and what else there was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regions {
    /// The regions, in order.
    pub regions: Vec<CodeRegion>,
    /// How many there were past the cap, where reading stopped, and what is open at the end.
    pub end: RegionsEnd,
}

/// The fenced code regions of `text`, at most `max` of them.
///
/// ```
/// let answer = b"Total:\n```python\nprint(1)\n```\nDone.";
/// let regions = sidenote::code_regions(answer, sidenote::MAX_CODE_REGIONS).regions;
/// assert_eq!(regions[0].content_in(answer), b"print(1)");
/// ```
#[must_use]
pub fn code_regions(text: &[u8], max: u64) -> Regions {
    let mut regions = Vec::new();
    let mut reader = CodeRegions::with_max(max);
    reader.push(text, |region| regions.push(region));
    let end = reader.end(|region| regions.push(region));
    Regions { regions, end }
}
