//! The whole words of a string that is cut short: what it spells up to its last space.

/// Whether JavaScript's `trim` takes `character` off: white space and line ends as ECMAScript has them.
#[must_use]
pub const fn is_javascript_white_space(character: char) -> bool {
    matches!(
        character,
        '\t' | '\n' | '\x0B' | '\x0C' | '\r' | ' ' | '\u{A0}' | '\u{FEFF}' | '\u{1680}' | '\u{2000}'
            ..='\u{200A}' | '\u{2028}' | '\u{2029}' | '\u{202F}' | '\u{205F}' | '\u{3000}'
    )
}

/// How far a string's whole words go, as it is spelled piece by piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    /// How many bytes of UTF-8 are spelled so far.
    length: u64,
    /// How many of them stand before the last space, if that comes after more than white space.
    whole: Option<u64>,
    /// The bytes so far of what may be a white-space character of several.
    partial: u32,
    /// Whether a character was seen that is no white space.
    visible: bool,
}

impl Words {
    /// Before the first character.
    pub(crate) const START: Self = Self { length: 0, whole: None, partial: 0, visible: false };

    /// Bytes that stand for themselves.
    pub(crate) fn written(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !self.visible {
            let [byte, after @ ..] = rest else { break };
            if self.partial != 0 && byte.is_ascii() {
                // A broken character is none of white space, and this byte is no part of it.
                self.visible = true;
                break;
            }
            // Before anything visible a space ends no whole word, so none is missed here.
            self.see(*byte);
            rest = after;
        }
        if self.visible
            && let Some(space) = memchr::memrchr(b' ', rest)
        {
            self.whole = Some(self.length + (bytes.len() - rest.len() + space) as u64);
        }
        self.length += bytes.len() as u64;
    }

    /// A character that an escape stands for.
    pub(crate) fn decoded(&mut self, character: char) {
        self.visible |= self.partial != 0 || !is_javascript_white_space(character);
        self.length += character.len_utf8() as u64;
    }

    /// How many bytes are whole words.
    pub(crate) fn whole(&self) -> Option<u64> {
        self.whole
    }

    /// Looks at a byte while only white space has come.
    fn see(&mut self, byte: u8) {
        self.partial = (self.partial << 8) | u32::from(byte);
        match self.partial {
            0x09..=0x0D
            | 0x20
            | 0xC2A0
            | 0xEF_BBBF
            | 0xE1_9A80
            | 0xE2_8080..=0xE2_808A
            | 0xE2_80A8
            | 0xE2_80A9
            | 0xE2_80AF
            | 0xE2_819F
            | 0xE3_8080 => self.partial = 0,
            // The beginning of one of those.
            0xC2 | 0xEF | 0xEFBB | 0xE1 | 0xE19A | 0xE2 | 0xE280 | 0xE281 | 0xE3 | 0xE380 => {}
            _ => self.visible = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Words, is_javascript_white_space};

    #[test]
    fn a_space_ends_whole_words_unless_only_javascripts_white_space_stands_before_it() {
        for character in '\u{1}'..=char::MAX {
            let mut utf8 = [0; 4];
            let written = character.encode_utf8(&mut utf8).as_bytes();
            let whole = (!is_javascript_white_space(character)).then_some(written.len() as u64);
            let mut at_once = Words::START;
            let mut bytes = [0; 5];
            bytes[..written.len()].copy_from_slice(written);
            bytes[written.len()] = b' ';
            at_once.written(&bytes[..=written.len()]);
            let mut byte_by_byte = Words::START;
            bytes[..=written.len()].iter().for_each(|byte| byte_by_byte.written(&[*byte]));
            let mut decoded = Words::START;
            decoded.decoded(character);
            decoded.written(b" ");
            assert_eq!([at_once, byte_by_byte, decoded].map(|words| words.whole()), [whole; 3], "{character:?}");
        }
    }

    #[test]
    fn a_broken_character_is_no_white_space() {
        let mut words = Words::START;
        words.written(b"\xE2\x80 ");
        assert_eq!(words.whole(), Some(2));
    }
}
