//! Strings (RFC 8259 section 7):
//!
//! ```text
//! string    = %x22 *char %x22
//! char      = unescaped / "\" ( %x22 / "\" / "/" / "b" / "f" / "n" / "r" / "t" / "u" 4HEXDIG )
//! unescaped = every byte from %x20 on but %x22 and "\"
//! ```
//!
//! Bytes from 0x80 on are unescaped characters here, valid UTF-8 or not: what they spell is not JSON's business.

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
    /// It goes on.
    More,
    /// It is complete and stands for this UTF-16 code unit.
    Unit(u16),
    /// No escape has this byte here.
    Wrong,
}

impl Escape {
    /// Right after the backslash.
    pub(crate) const START: Self = Self { digits: 0, unit: 0 };

    /// Reads one byte.
    pub(crate) fn push(&mut self, byte: u8) -> Escaped {
        if self.digits == 0 {
            return match byte {
                b'"' | b'\\' | b'/' => Escaped::Unit(u16::from(byte)),
                b'b' => Escaped::Unit(8),
                b'f' => Escaped::Unit(12),
                b'n' => Escaped::Unit(10),
                b'r' => Escaped::Unit(13),
                b't' => Escaped::Unit(9),
                b'u' => {
                    self.digits = 4;
                    Escaped::More
                }
                _ => Escaped::Wrong,
            };
        }
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            b'A'..=b'F' => byte - b'A' + 10,
            _ => return Escaped::Wrong,
        };
        self.unit = (self.unit << 4) | u16::from(digit);
        self.digits -= 1;
        if self.digits == 0 { Escaped::Unit(self.unit) } else { Escaped::More }
    }
}

/// How many bytes at the beginning of `bytes` are unescaped characters.
#[inline]
pub(crate) fn unescaped(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while crate::SHORTCUTS
        && let Some((word, tail)) = rest.split_first_chunk::<8>()
    {
        let special = special_bytes(u64::from_le_bytes(*word));
        if special != 0 {
            return bytes.len() - rest.len() + (special.trailing_zeros() / 8) as usize;
        }
        rest = tail;
    }
    let plain = |byte: &u8| *byte >= 0x20 && *byte != b'"' && *byte != b'\\';
    bytes.len() - rest.len() + rest.iter().take_while(|byte| plain(byte)).count()
}

/// The high bit of the first byte of `word` that is a quote, a backslash or a control byte, and of none before it.
///
/// Subtracting borrows across bytes, so a byte after the first special one may be flagged wrongly, never one before it.
#[inline]
const fn special_bytes(word: u64) -> u64 {
    const EVERY: u64 = 0x0101_0101_0101_0101;
    let quote = word ^ (EVERY * b'"' as u64);
    let backslash = word ^ (EVERY * b'\\' as u64);
    let control = word.wrapping_sub(EVERY * 0x20) & !word;
    (control | (quote.wrapping_sub(EVERY) & !quote) | (backslash.wrapping_sub(EVERY) & !backslash)) & (EVERY * 0x80)
}

#[cfg(test)]
mod tests {
    use super::unescaped;

    #[test]
    fn every_byte_at_every_place_ends_the_run_exactly_where_it_should() {
        for byte in 0..=255u8 {
            for at in 0..20 {
                let mut bytes = [b'a'; 20];
                bytes[at] = byte;
                let special = byte < 0x20 || byte == b'"' || byte == b'\\';
                assert_eq!(unescaped(&bytes), if special { at } else { 20 }, "{byte:#x} at {at}");
            }
        }
    }
}
