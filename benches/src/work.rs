//! The work that is measured.

use sidenote_core::{CodeRegions, Error, Event, Filter, JsonPrefix, Keys, LeadingValues, PrefixEvent, RegionsEnd};

/// Filters `text` in chunks of `chunk` bytes into `shown`; how many members were taken out.
///
/// # Errors
///
/// That of the filter: a note is larger than the 3,584 bytes there are for it.
pub fn filter_into(text: &[u8], chunk: usize, shown: &mut Vec<u8>) -> Result<usize, Error> {
    shown.clear();
    let mut removed = 0;
    let mut memory = [0; 4096];
    let mut filter = Filter::new(Keys::default(), &mut memory)?;
    let mut on = |event: Event<'_>| match event {
        Event::Text(bytes) => shown.extend_from_slice(bytes),
        Event::Removed(_) => removed += 1,
        _ => {}
    };
    for chunk in text.chunks(chunk) {
        filter.push(chunk, &mut on)?;
    }
    filter.end(&mut on)?;
    Ok(removed)
}

/// Reads all code regions of `text` in chunks of 64 KiB: how many there are, and what else there was.
#[must_use]
pub fn read_regions(text: &[u8]) -> (usize, RegionsEnd) {
    let mut regions = 0;
    let mut reader = CodeRegions::with_max(u64::MAX);
    text.chunks(64 << 10).for_each(|chunk| reader.push(chunk, |_| regions += 1));
    let end = reader.end(|_| regions += 1);
    (regions, end)
}

/// Reads the values that `text` opens with in chunks of 64 KiB: how many there are.
///
/// # Errors
///
/// That of the reader: a value is deeper than 512 levels.
pub fn read_values(text: &[u8]) -> Result<usize, Error> {
    let mut count = 0;
    let mut reader = LeadingValues::new([0; 64]);
    text.chunks(64 << 10).try_for_each(|chunk| reader.push(chunk, |_| count += 1))?;
    Ok(count)
}

/// Reads the next bytes of JSON: how many leaves end in them.
///
/// # Errors
///
/// That of the reader: a value is deeper than 512 levels.
pub fn read_leaves(reader: &mut JsonPrefix<[u8; 64]>, text: &[u8]) -> Result<usize, Error> {
    let mut leaves = 0;
    reader.push(text, |event| leaves += usize::from(matches!(event, PrefixEvent::End(_))))?;
    Ok(leaves)
}
