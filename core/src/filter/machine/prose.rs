//! Words, in prose or in a code block: nothing is done for a byte that opens nothing.

use super::list::List;
use super::{Limit, Pass, State};
use crate::SHORTCUTS;
use crate::fence::{Before, is_line_ending};
use crate::json::is_white_space;

impl Pass<'_, '_> {
    /// Waits for an object, a list or a fence line.
    pub(super) fn text(&mut self) -> Result<(), Limit> {
        match self.m.list {
            List::None => self.words(),
            List::Json(expected) => self.list(expected),
            List::Counted => self.counted_list(),
        }
    }

    /// Outside lists: passes over words.
    fn words(&mut self) -> Result<(), Limit> {
        let from = self.at;
        for at in Specials::new(self.chunk.get(from..).unwrap_or_default()) {
            self.at = from + at;
            match self.chunk.get(self.at) {
                Some(b'{') if SHORTCUTS && !self.is_full() && self.opens_no_object() => self.m.objects += 1,
                Some(b'{') => return self.object_begins(),
                Some(b'[') if SHORTCUTS && self.opens_no_list() => {}
                Some(b'[') => {
                    self.at += 1;
                    self.list_begins();
                    return Ok(());
                }
                Some(byte) if self.may_be_fence_line(*byte) => return self.fence_begins(*byte),
                _ => {}
            }
        }
        self.at = self.chunk.len();
        Ok(())
    }

    /// Whether the byte after a `[` in prose ends the list at once.
    fn opens_no_list(&self) -> bool {
        self.m.block.is_none()
            && self.chunk.get(self.at + 1).is_some_and(|byte| {
                !is_white_space(*byte)
                    && !matches!(byte, b'"' | b'[' | b']' | b'{' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n')
            })
    }

    /// Whether a fence line can begin with the byte being read, a backtick or a tilde.
    pub(super) fn may_be_fence_line(&mut self, byte: u8) -> bool {
        let before = self.before();
        match self.m.block {
            None => before.may_open(),
            Some(opening) => byte == opening.byte && before.may_close(self.m.quoted),
        }
    }

    /// Text goes on at the byte being read.
    pub(super) fn text_goes_on(&mut self) {
        self.m.state = State::Text;
    }
}

/// Whether `bytes`, few of them, hold nothing but words and blanks.
#[inline]
pub(super) fn is_plain(bytes: &[u8]) -> bool {
    #[expect(clippy::indexing_slicing, reason = "every byte has its place in the table")]
    !bytes.iter().any(|byte| ENDS_WORDS[usize::from(*byte)])
}

/// Which bytes end words and blanks. For a few bytes a table is faster than comparing.
static ENDS_WORDS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::indexing_slicing,
            reason = "the loop ends at the table's end"
        )]
        {
            table[byte] = is_special(byte as u8) | is_line_ending(byte as u8);
        }
        byte += 1;
    }
    table
};

/// How many bytes are compared side by side.
const BLOCK: usize = 32;

/// How many bytes before each of them are compared with it.
const BEHIND: usize = 2;

/// The places in some bytes of `{`, `[`, and each backtick and tilde that is not surely behind text on its line.
///
/// Most backticks are, and a place that is given only to be passed over costs more than its comparison: nobody foretells it.
struct Specials<'b> {
    /// What was not looked at yet, and the `BEHIND` bytes before it.
    rest: &'b [u8],
    /// Where the block begins that is being looked at, and where `rest` does behind those bytes.
    block: usize,
    next: usize,
    /// The special bytes of the block that were not given yet, one bit each, the first the lowest.
    mask: u32,
}

impl<'b> Specials<'b> {
    #[inline]
    fn new(bytes: &'b [u8]) -> Self {
        if !SHORTCUTS {
            return Self { rest: bytes, block: 0, next: 0, mask: 0 };
        }
        // Nothing is known of what stands before the first bytes.
        let (first, _) = bytes.split_at_checked(BEHIND).unwrap_or((bytes, &[]));
        Self { rest: bytes, block: 0, next: first.len(), mask: special_in_few(first) }
    }

    /// Goes to the next block that has special bytes; none where there are no blocks any more.
    #[inline]
    fn next_block(&mut self) -> Option<()> {
        let all = self.rest.len();
        let begun = self.next;
        let mut rest = self.rest;
        while let Some((window, _)) = rest.split_first_chunk() {
            self.block = begun + (all - rest.len());
            rest = rest.get(BLOCK..).unwrap_or_default();
            // The compiler compares the bytes side by side and joins the comparisons, as long as nobody asks for each.
            if special(window).fold(0, |any, one| any | one) != 0 {
                self.rest = rest;
                self.next = self.block + BLOCK;
                self.mask = special_in_block(window);
                return Some(());
            }
        }
        self.rest = &[];
        self.block = begun + (all - rest.len());
        self.mask = special_in_few(rest.get(BEHIND..)?);
        Some(())
    }
}

impl Iterator for Specials<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if !SHORTCUTS {
            let at = self.rest.iter().position(|byte| is_special(*byte))?;
            self.rest = self.rest.get(at + 1..)?;
            self.next += at + 1;
            return Some(self.next - 1);
        }
        while self.mask == 0 {
            self.next_block()?;
        }
        let first = self.mask.trailing_zeros() as usize;
        self.mask &= self.mask - 1;
        Some(self.block + first)
    }
}

/// The special bytes of less than a block, one bit each, whatever stands before them.
fn special_in_few(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |mask, byte| (mask << 1) | u32::from(is_special(*byte)))
}

/// The special bytes of a block with other bytes before it, one bit each.
// Apart, so that its caller compares for the whole block alone.
#[inline(never)]
fn special_in_block(window: &[u8; BEHIND + BLOCK]) -> u32 {
    let mut flags = [0; BLOCK];
    for (flag, special) in flags.iter_mut().zip(special(window)) {
        *flag = special;
    }
    let (words, _) = flags.as_chunks::<8>();
    // The product's highest byte gathers the lowest bits of the word's bytes.
    let gather = |word: &[u8; 8]| (u64::from_le_bytes(*word).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32;
    words.iter().rev().fold(0, |mask, word| (mask << 8) | gather(word))
}

/// For each byte of a block with other bytes before it 1 if it is special, and 0 if not.
#[inline]
fn special(window: &[u8; BEHIND + BLOCK]) -> impl Iterator<Item = u8> {
    let [_, last @ ..] = window;
    let [_, bytes @ ..] = last;
    window.iter().zip(last).zip(bytes).map(|((before, last), byte)| {
        u8::from(opens_json(*byte) | (begins_fence(*byte) & !Before::is_surely_text(*before, *last)))
    })
}

#[inline]
const fn is_special(byte: u8) -> bool {
    opens_json(byte) | begins_fence(byte)
}

#[inline]
const fn opens_json(byte: u8) -> bool {
    // With this bit set, `[` is `{`; no other byte is but `{` itself.
    byte | 0x20 == b'{'
}

#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "without branches the compiler compares many bytes side by side")]
const fn begins_fence(byte: u8) -> bool {
    (byte == b'`') | (byte == b'~')
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::{BEHIND, BLOCK, Specials};
    use crate::SHORTCUTS;

    #[test]
    fn every_special_byte_is_found_but_a_fence_that_is_surely_behind_text() {
        // Special bytes beside a letter, other characters, line endings and what is not ASCII, in many orders.
        const BYTES: &[u8] = b"{[`~ax. \n\r\xC3";
        let mut passed_over = 0;
        for length in 0..=100 {
            for step in 1..=97 {
                let bytes: Vec<u8> = (0..length).map(|at| BYTES[(at * at * step / 7 + at) % BYTES.len()]).collect();
                // What stands before the first bytes, and before those of less than a block at the end, is not looked at.
                let blocks = bytes.len().saturating_sub(BEHIND) / BLOCK * BLOCK + BEHIND;
                let is_found = |at: &usize| match bytes[*at] {
                    b'`' | b'~' if SHORTCUTS && (BEHIND..blocks).contains(at) => {
                        !(matches!(bytes[at - 2], b'@'..=0x7F) && matches!(bytes[at - 1], b' '..=0x7F))
                    }
                    b'{' | b'[' | b'`' | b'~' => true,
                    _ => false,
                };
                let expected: Vec<usize> = (0..bytes.len()).filter(is_found).collect();
                assert_eq!(Specials::new(&bytes).collect::<Vec<_>>(), expected, "{bytes:?}");
                passed_over += bytes.iter().filter(|byte| b"{[`~".contains(byte)).count() - expected.len();
            }
        }
        assert_eq!(passed_over > 0, SHORTCUTS, "none was passed over");
    }

    #[test]
    fn no_other_byte_is_found() {
        for byte in 0..=255u8 {
            for length in [1, BEHIND, BEHIND + BLOCK, BEHIND + BLOCK + 1] {
                let found = Specials::new(&[byte].repeat(length)).next().is_some();
                assert_eq!(found, b"{[`~".contains(&byte), "{byte:#x}");
            }
        }
    }
}
