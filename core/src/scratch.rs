//! The lent memory: seven eighths for held bytes, one for nesting bits.

use core::cell::Cell;

use crate::error::Error;

/// The parts of a lent memory.
pub(crate) struct Scratch<'s> {
    /// Bytes that are held back.
    pub(crate) held: &'s mut [u8],
    /// One bit for each level of nesting.
    pub(crate) nesting: &'s mut [u8],
}

impl<'s> Scratch<'s> {
    /// Divides `memory`.
    #[inline]
    pub(crate) fn new(memory: &'s mut [u8]) -> Self {
        let (held, nesting) = memory.split_at_mut_checked(capacity(memory.len())).unwrap_or_default();
        Self { held, nesting }
    }
}

/// How many of `memory` bytes are for held bytes.
pub(crate) const fn capacity(memory: usize) -> usize {
    memory - memory / 8
}

/// The smallest memory with at least `capacity` bytes for held bytes.
pub(crate) const fn memory_for(capacity: usize) -> usize {
    // Of every eight bytes one is for nesting, beginning with the eighth.
    capacity.saturating_add(capacity.saturating_sub(1) / 7)
}

/// Copies `bytes` to `at` in `memory`. Where they do not fit, nothing is copied: callers have counted.
pub(crate) fn put(memory: &mut [u8], at: usize, bytes: &[u8]) {
    let place = memory.get_mut(at..).and_then(|tail| tail.get_mut(..bytes.len()));
    debug_assert!(place.is_some(), "held bytes are counted before they are copied");
    for (place, byte) in place.unwrap_or_default().iter_mut().zip(bytes) {
        *place = *byte;
    }
}

/// Copies all of `memory` to the beginning of `larger`.
///
/// # Errors
///
/// [`Error::TooSmall`] where `larger` is smaller.
pub(crate) fn copied_to<L: AsRef<[u8]> + AsMut<[u8]>>(memory: &[u8], mut larger: L) -> Result<L, Error> {
    if larger.as_ref().len() < memory.len() {
        return Err(Error::TooSmall { least: memory.len() });
    }
    put(larger.as_mut(), 0, memory);
    Ok(larger)
}

/// Moves the `length` bytes from `from` on in `memory` to `to`; both places may overlap. Where they do not lie in `memory`, nothing is moved:
/// callers have counted.
pub(crate) fn shift(memory: &mut [u8], from: usize, length: usize, to: usize) {
    // `copy_within` would do, but for its panics.
    let cells = Cell::from_mut(memory).as_slice_of_cells();
    let place = |at: usize| cells.get(at..).and_then(|tail| tail.get(..length));
    let (Some(old), Some(new)) = (place(from), place(to)) else {
        debug_assert!(false, "held bytes are counted before they are moved");
        return;
    };
    let pairs = old.iter().zip(new);
    if to < from {
        pairs.for_each(|(old, new)| new.set(old.get()));
    } else {
        pairs.rev().for_each(|(old, new)| new.set(old.get()));
    }
}

/// Overwrites `memory`: it may have held secrets.
pub(crate) fn wipe(memory: &mut [u8]) {
    memory.fill(0);
    // Memory that is about to be dropped is written to for nothing, as far as the optimizer can tell.
    core::hint::black_box(memory);
}

#[cfg(test)]
mod tests {
    use super::{capacity, memory_for};

    #[test]
    fn the_smallest_memory_for_a_capacity_has_it_and_one_byte_less_has_not() {
        for wanted in 1..1000 {
            let memory = memory_for(wanted);
            assert!(capacity(memory) >= wanted, "{wanted}");
            assert!(capacity(memory - 1) < wanted, "{wanted}");
        }
    }
}
