//! The work that is measured.

use sidenote_core::{Error, Event, Filter, Keys};

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
