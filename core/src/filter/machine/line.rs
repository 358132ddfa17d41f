//! Lines that go whole, and the white space around them.

use super::held::line_endings;
use super::{Ending, Gap, Limit, Pass, Return, State};

impl Pass<'_, '_> {
    /// Behind a notes object that may go: waits for the end of its line, or for something else on it.
    pub(super) fn notes(&mut self, byte: u8) -> Result<(), Limit> {
        match byte {
            b' ' | b'\t' => self.at += 1,
            b'\n' | b'\r' => self.line_goes(byte),
            b'{' => return self.object_begins(),
            _ => {
                self.m.object = self.count();
                self.show(0..0);
                self.text_goes_on();
            }
        }
        Ok(())
    }

    /// At the ending of a line that held nothing but notes objects.
    fn line_goes(&mut self, byte: u8) {
        self.m.noted = false;
        match self.m.gap {
            Gap::None => self.gap_begins(),
            Gap::Lines => {}
            Gap::Block => self.m.gone = true,
        }
        self.drop_from(self.m.line);
        self.m.cr = if byte == b'\r' { Return::Dropped } else { Return::None };
        self.m.line = self.count();
        self.m.state = State::Gap;
    }

    /// What is held behind the white space goes, and begins a gap.
    fn gap_begins(&mut self) {
        if self.m.visible {
            self.cut(self.m.white);
            self.m.blank = line_endings(self.held.get(..self.m.len).unwrap_or_default()) >= 2;
        } else {
            self.cut(0);
            self.m.white = 0;
            self.m.blank = true;
        }
        self.m.line = self.m.white;
        self.m.ending = Ending::None;
        self.m.gap = Gap::Lines;
    }

    /// The code block whose opening line is held goes whole, as one line that goes.
    pub(super) fn block_goes(&mut self) {
        if self.m.outer {
            self.m.gap = Gap::Lines;
        } else {
            self.gap_begins();
        }
        self.m.outer = false;
        self.m.fenced = false;
        self.m.gone = false;
    }

    /// At the ending of a line that is held as it is.
    pub(super) fn line_kept(&mut self, byte: u8) {
        self.at += 1;
        self.m.cr = if byte == b'\r' { Return::Kept } else { Return::None };
        self.m.line = self.count();
        self.m.state = State::Gap;
    }

    /// Between lines: waits for the next line that is not blank.
    pub(super) fn gap(&mut self, byte: u8) -> Result<(), Limit> {
        match byte {
            b' ' | b'\t' => {
                self.m.cr = Return::None;
                self.at += 1;
            }
            b'\n' if self.m.cr != Return::None => self.line_feed_after_return(),
            b'\n' | b'\r' if self.m.gap == Gap::Block => self.line_kept(byte),
            b'\n' | b'\r' => self.blank_line_goes(byte),
            b'{' => return self.object_begins(),
            b'`' | b'~' if self.may_be_fence_line(byte) => return self.fence_begins(byte),
            _ => {
                self.show(0..0);
                self.text_goes_on();
            }
        }
        Ok(())
    }

    /// At a line feed right behind a carriage return: both are one line ending.
    fn line_feed_after_return(&mut self) {
        let cr = self.m.cr;
        if cr == Return::Kept {
            self.line_kept(b'\n');
            return;
        }
        self.drop_from(self.m.line);
        self.m.cr = Return::None;
        if cr == Return::Remembered {
            self.m.ending = Ending::ReturnLineFeed;
        }
    }

    /// At the ending of a blank line that goes; the first one's ending is remembered.
    fn blank_line_goes(&mut self, byte: u8) {
        self.drop_from(self.m.line);
        let first = self.m.ending == Ending::None;
        let dropped = if first { Return::Remembered } else { Return::Dropped };
        self.m.cr = if byte == b'\r' { dropped } else { Return::None };
        if first {
            self.m.ending = if byte == b'\r' { Ending::Return } else { Ending::LineFeed };
        }
    }

    /// No byte fits between lines or in a fence line: everything held is given back.
    pub(super) fn give_back_lines(&mut self) -> Result<(), Limit> {
        if self.m.state == State::Fence {
            // Given back, it is not read again, and its block stays.
            self.give_back()?;
            self.m.whole = false;
        } else {
            self.m.object = self.count();
            self.give_back()?;
            self.text_goes_on();
        }
        Ok(())
    }

    /// The text ends in a gap: what is held goes, and with nothing visible one bare object leaves `{}`.
    pub(super) fn end_in_gap(&mut self) {
        self.cut(0);
        if !self.m.visible && self.m.notes == 1 && !self.m.fences {
            self.spell(b"{}");
        }
    }
}
