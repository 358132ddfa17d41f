//! Strings (RFC 8259 section 7):
//!
//! ```text
//! string    = %x22 *char %x22
//! char      = unescaped / "\" ( %x22 / "\" / "/" / "b" / "f" / "n" / "r" / "t" / "u" 4HEXDIG )
//! unescaped = every byte from %x20 on but %x22 and "\"
//! ```
//!
//! Bytes from 0x80 on are unescaped characters here, valid UTF-8 or not: what they spell is not JSON's business.

use crate::SHORTCUTS;

/// What follows a backslash, read up to here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Escape {
    /// Hexadecimal digits still to come; 0 while the letter after the backslash is.
    digits: u8,
    /// The digits read so far.
    unit: u16,
}

/// What one byte did to an escape.
pub(crate) enum Escaped {
    /// It goes on so.
    More(Escape),
    /// It is complete and stands for this UTF-16 code unit.
    Unit(u16),
    /// No escape has this byte here.
    Wrong,
}

impl Escape {
    /// Right after the backslash.
    pub(crate) const START: Self = Self { digits: 0, unit: 0 };

    /// What `byte` makes of it.
    // By value, so that whoever keeps it can keep it in registers.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "smaller in both places than two calls, and faster where all are words")]
    pub(crate) const fn next(self, byte: u8) -> Escaped {
        if self.digits == 0 {
            return match byte {
                b'"' | b'\\' | b'/' => Escaped::Unit(byte as u16),
                b'b' => Escaped::Unit(8),
                b'f' => Escaped::Unit(12),
                b'n' => Escaped::Unit(10),
                b'r' => Escaped::Unit(13),
                b't' => Escaped::Unit(9),
                b'u' => Escaped::More(Self { digits: 4, unit: 0 }),
                _ => Escaped::Wrong,
            };
        }
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            b'A'..=b'F' => byte - b'A' + 10,
            _ => return Escaped::Wrong,
        };
        let unit = (self.unit << 4) | digit as u16;
        let digits = self.digits - 1;
        if digits == 0 { Escaped::Unit(unit) } else { Escaped::More(Self { digits, unit }) }
    }
}

/// What is left of `rest`, the end of `chunk`, behind the unescaped characters at its beginning.
#[inline]
pub(crate) fn behind_unescaped<'c>(mut rest: &'c [u8], chunk: &[u8]) -> &'c [u8] {
    while SHORTCUTS && let Some((word, tail)) = rest.split_first_chunk() {
        let special = special_bytes(u64::from_le_bytes(*word));
        if special != 0 {
            return rest.get(first(special)..).unwrap_or_default();
        }
        rest = tail;
    }
    behind_unescaped_in_few(rest, chunk)
}

/// [`behind_unescaped`] of less than a word.
fn behind_unescaped_in_few<'c>(mut rest: &'c [u8], chunk: &[u8]) -> &'c [u8] {
    if SHORTCUTS
        && !rest.is_empty()
        && let Some(word) = chunk.last_chunk()
    {
        // The chunk's last word ends in them. Without what stands before them it ends in zeros, which are control bytes.
        let word = u64::from_le_bytes(*word) >> (64 - 8 * rest.len());
        return rest.get(first(special_bytes(word))..).unwrap_or_default();
    }
    while let [0x20..=b'!' | b'#'..=b'[' | b']'.., tail @ ..] = rest {
        rest = tail;
    }
    rest
}

/// Which byte of a word the lowest of its high bits belongs to.
#[inline]
const fn first(special: u64) -> usize {
    (special.trailing_zeros() / 8) as usize
}

/// The high bit of the first byte of `word` that is a quote, a backslash or a control byte, and of none before it.
///
/// Subtracting borrows across bytes, so a byte after the first special one may be flagged wrongly, never one before it.
#[inline]
const fn special_bytes(word: u64) -> u64 {
    const EVERY: u64 = 0x0101_0101_0101_0101;
    // With this bit changed, the quote is below all others but control bytes, which stay among themselves.
    let below = (word ^ (EVERY * 2)).wrapping_sub(EVERY * (b'"' - 1) as u64);
    let backslash = (word ^ (EVERY * b'\\' as u64)).wrapping_sub(EVERY);
    (below | backslash) & !word & (EVERY * 0x80)
}

#[cfg(test)]
mod tests {
    use super::behind_unescaped;

    #[test]
    fn every_byte_at_every_place_ends_the_run_exactly_where_it_should() {
        for byte in 0..=255u8 {
            for at in 0..20 {
                let mut bytes = [b'a'; 20];
                bytes[at] = byte;
                let special = byte < 0x20 || byte == b'"' || byte == b'\\';
                for from in 0..=at {
                    let behind = behind_unescaped(&bytes[from..], &bytes);
                    assert_eq!(20 - behind.len(), if special { at } else { 20 }, "{byte:#x} at {at}, from {from}");
                }
            }
        }
    }
}
