//! What a line's beginning could be: one machine for the filter and for code regions.
//!
//! It says what it saw (indentation, container marks, the run of backticks or tildes, what follows the run);
//! what that means at their place, its users decide (CommonMark 0.31.2 section 4.5, "Fenced code blocks").

use crate::SHORTCUTS;

/// Whether `byte` ends a line (CommonMark 0.31.2 section 2.1). A line feed right after a carriage return ends the same line.
#[inline]
pub(crate) const fn is_line_ending(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// What stands before a byte on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Before {
    place: Place,
    /// Digits of the list number being read.
    digits: u8,
    /// Whether a `>` stands before it.
    pub(crate) quote: bool,
    /// Whether a list marker stands before it.
    list: bool,
}

/// Where among indentation and container marks a line's reading is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Nothing but white space and whole container marks: a fence or another mark can begin here.
    Open,
    /// In the digits of a list marker.
    Number,
    /// Behind a list marker that still lacks its space or tab.
    Marker,
    /// Other text: no fence can begin on this line any more.
    Text,
}

impl Before {
    /// Nothing: the byte is its line's first.
    pub(crate) const LINE_START: Self = Self { place: Place::Open, digits: 0, quote: false, list: false };

    /// Text.
    pub(crate) const TEXT: Self = Self { place: Place::Text, ..Self::LINE_START };

    /// What stands before the byte behind `bytes`, where `self` stands before their first.
    ///
    /// Looks back only as far as bytes that can be part of a line's beginning go.
    #[inline]
    pub(crate) fn behind(self, bytes: &[u8]) -> Self {
        if !SHORTCUTS {
            return self.behind_all(bytes);
        }
        match bytes.last() {
            None => self,
            Some(&byte) if is_line_ending(byte) => Self::LINE_START,
            Some(&byte) if !Self::could_begin_a_line(byte) => Self::TEXT,
            Some(_) => self.behind_beginning(bytes),
        }
    }

    fn behind_beginning(self, bytes: &[u8]) -> Self {
        let stop = bytes.iter().rposition(|byte| !Self::could_begin_a_line(*byte));
        let (before, beginning) = match stop {
            None => (self, bytes),
            Some(at) => match bytes.split_at_checked(at + 1) {
                Some((head, tail)) if head.last().is_some_and(|byte| is_line_ending(*byte)) => (Self::LINE_START, tail),
                _ => return Self::TEXT,
            },
        };
        before.behind_all(beginning)
    }

    fn behind_all(mut self, bytes: &[u8]) -> Self {
        for byte in bytes {
            self.push(*byte);
        }
        self
    }

    /// Whether two bytes tell that text stands behind them on their line, as they do in most words: the first is ASCII from `@` on, as letters
    /// are, and the other is ASCII and no control byte.
    #[inline]
    pub(crate) const fn is_surely_text(before: u8, last: u8) -> bool {
        // As signed numbers each takes one comparison. All that could begin a line is below, and so are line endings.
        (before.cast_signed() >= b'@'.cast_signed()) & (last.cast_signed() >= b' '.cast_signed())
    }

    #[inline]
    const fn could_begin_a_line(byte: u8) -> bool {
        matches!(byte, b' ' | b'\t' | b'>' | b'0'..=b'9' | b'-' | b'*' | b'+' | b'.' | b')')
    }

    /// Steps over one byte.
    pub(crate) fn push(&mut self, byte: u8) {
        if is_line_ending(byte) {
            *self = Self::LINE_START;
            return;
        }
        self.place = match (self.place, byte) {
            (Place::Open | Place::Marker, b' ' | b'\t') => Place::Open,
            (Place::Open, b'>') => {
                self.quote = true;
                Place::Open
            }
            (Place::Open, b'-' | b'*' | b'+') => {
                self.list = true;
                Place::Marker
            }
            (Place::Open, b'0'..=b'9') => {
                self.list = true;
                self.digits = 1;
                Place::Number
            }
            (Place::Number, b'0'..=b'9') if self.digits < 9 => {
                self.digits += 1;
                Place::Number
            }
            (Place::Number, b'.' | b')') => Place::Marker,
            _ => Place::Text,
        };
    }

    /// Whether text stands before it, so that nothing can begin on its line any more.
    #[inline]
    pub(crate) fn is_text(self) -> bool {
        self.place == Place::Text
    }

    /// Whether an opening fence line can begin here.
    pub(crate) fn may_open(self) -> bool {
        self.place == Place::Open
    }

    /// Whether a closing fence line can begin here, in a block whose opening line had a `>` or not.
    pub(crate) fn may_close(self, quoted: bool) -> bool {
        self.place == Place::Open && !self.list && (quoted || !self.quote)
    }
}

/// A line from its first backtick or tilde on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// How many of the fence's character stand at its beginning.
    pub(crate) length: usize,
    /// The backtick or tilde.
    pub(crate) byte: u8,
    /// What follows them.
    pub(crate) rest: Rest,
}

/// What follows a run on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Nothing yet: the run may still grow.
    Nothing,
    /// Spaces.
    Spaces,
    /// Spaces and tabs, at least one of them a tab.
    Tabs,
    /// Other text.
    Text,
    /// Other text with a backtick in it.
    Backtick,
}

impl Run {
    /// The run that `byte` begins.
    pub(crate) const fn begin(byte: u8) -> Self {
        Self { length: 1, byte, rest: Rest::Nothing }
    }

    /// Reads one more byte of the line; line endings are not for it.
    pub(crate) fn push(&mut self, byte: u8) {
        if self.rest == Rest::Nothing && byte == self.byte {
            self.length = self.length.saturating_add(1);
            return;
        }
        self.rest = match (self.rest, byte) {
            (Rest::Backtick, _) | (_, b'`') => Rest::Backtick,
            (Rest::Nothing | Rest::Spaces, b' ') => Rest::Spaces,
            (Rest::Nothing | Rest::Spaces | Rest::Tabs, b' ' | b'\t') => Rest::Tabs,
            _ => Rest::Text,
        };
    }

    /// Whether the line opens a code block if it ends here.
    pub(crate) fn opens(self) -> bool {
        self.length >= 3 && (self.byte == b'~' || self.rest != Rest::Backtick)
    }

    /// Whether the line closes the block that `opening` opened if it ends here.
    pub(crate) fn closes(self, opening: Self) -> bool {
        self.byte == opening.byte
            && self.length >= opening.length
            && matches!(self.rest, Rest::Nothing | Rest::Spaces | Rest::Tabs)
    }

    /// Whether the line can still become one that opens a code block.
    pub(crate) fn may_still_open(self) -> bool {
        self.rest == Rest::Nothing || self.opens()
    }

    /// Whether the line can still become one that closes the block that `opening` opened.
    pub(crate) fn may_still_close(self, opening: Self) -> bool {
        self.rest == Rest::Nothing || self.closes(opening)
    }
}

#[cfg(test)]
mod tests {
    use super::Before;

    #[test]
    fn what_is_surely_text_is_text_behind_anything() {
        for (before, last) in (0..=255u8).flat_map(|before| (0..=255u8).map(move |last| (before, last))) {
            let surely = Before::is_surely_text(before, last);
            assert_eq!(surely, matches!(before, b'@'..=0x7F) && matches!(last, b' '..=0x7F), "{before:#x} {last:#x}");
            assert!(!surely || Before::LINE_START.behind(&[before, last]) == Before::TEXT, "{before:#x} {last:#x}");
        }
    }
}
