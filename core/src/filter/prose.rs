//! Words, in prose or in a code block: nothing is done for a byte that opens nothing.

use super::list::List;
use super::{Limit, Pass, State};
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
        loop {
            let rest = self.chunk.get(self.at..).unwrap_or_default();
            self.at += special(rest);
            let Some(&byte) = self.chunk.get(self.at) else { return Ok(()) };
            match byte {
                b'{' => return self.object_begins(),
                b'[' if self.opens_no_list() => self.at += 1,
                b'[' => {
                    self.at += 1;
                    self.list_begins();
                    return Ok(());
                }
                _ if self.may_be_fence_line(byte) => return self.fence_begins(byte),
                _ => self.at += 1,
            }
        }
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
    pub(super) fn may_be_fence_line(&self, byte: u8) -> bool {
        let before = self.before(self.at);
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

/// How many bytes at the beginning of `bytes` are none of `{`, `[`, the backtick and the tilde.
///
/// The compiler compares a block's bytes side by side.
#[inline]
fn special(bytes: &[u8]) -> usize {
    const EVERY: usize = 32;
    let (blocks, tail) = bytes.as_chunks::<EVERY>();
    for (at, block) in blocks.iter().enumerate() {
        let mut flags = [0u8; EVERY];
        for (flag, byte) in flags.iter_mut().zip(block) {
            *flag = u8::from(is_special(*byte));
        }
        let (words, _) = flags.as_chunks::<8>();
        for (word_at, word) in words.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            if word != 0 {
                return at * EVERY + word_at * 8 + (word.trailing_zeros() / 8) as usize;
            }
        }
    }
    blocks.len() * EVERY + tail.iter().take_while(|byte| !is_special(**byte)).count()
}

#[inline]
const fn is_special(byte: u8) -> bool {
    // With this bit set, `[` is `{`; no other byte is but `{` itself.
    byte | 0x20 == b'{' || byte == b'`' || byte == b'~'
}

#[cfg(test)]
mod tests {
    use super::special;

    #[test]
    fn every_byte_at_every_place_ends_the_run_exactly_where_it_should() {
        for byte in 0..=255u8 {
            for at in 0..70 {
                let mut bytes = [b'a'; 70];
                bytes[at] = byte;
                let expected = if b"{[`~".contains(&byte) { at } else { 70 };
                assert_eq!(special(&bytes), expected, "{byte:#x} at {at}");
            }
        }
    }
}
