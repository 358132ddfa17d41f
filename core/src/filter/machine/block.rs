//! Fence lines, and the code blocks that they open and close.

use super::list::List;
use super::{Gap, Limit, Pass, Return, State};
use crate::fence::{Before, Run, is_line_ending};

impl Pass<'_, '_> {
    /// At a backtick or tilde that a fence line can begin with.
    pub(super) fn fence_begins(&mut self, byte: u8) -> Result<(), Limit> {
        let before = self.before();
        self.begin()?;
        if self.m.block.is_none() {
            self.m.quoted = before.quote;
        }
        self.m.run = Run::begin(byte);
        self.m.state = State::Fence;
        self.at += 1;
        Ok(())
    }

    /// In a line that may be a fence line: waits for its end, or for a byte that a fence line cannot have.
    pub(super) fn fence(&mut self, byte: u8) {
        if is_line_ending(byte) {
            return self.fence_line_ends(byte);
        }
        let mut run = self.m.run;
        run.push(byte);
        let possible = match self.m.block {
            None => run.may_still_open(),
            Some(opening) => run.may_still_close(opening),
        };
        if !possible {
            return self.fence_line_breaks();
        }
        self.m.run = run;
        self.at += 1;
    }

    /// It is no fence line: what is held of it is text.
    fn fence_line_breaks(&mut self) {
        self.read_again(self.m.object, Before::TEXT);
        self.show(0..0);
        self.text_goes_on();
    }

    /// At the line ending of a line that may be a fence line.
    fn fence_line_ends(&mut self, byte: u8) {
        match self.m.block {
            None if self.m.run.opens() => self.block_opens(byte),
            Some(opening) if self.m.run.closes(opening) => self.block_closes(byte),
            _ => self.fence_line_breaks(),
        }
    }

    /// At the line ending of an opening line.
    fn block_opens(&mut self, byte: u8) {
        self.m.fences = true;
        self.m.list = List::None;
        self.m.block = Some(self.m.run);
        if self.m.whole {
            self.m.outer = self.m.gap == Gap::Lines;
            self.m.fenced = true;
        } else {
            self.show_all(0..0);
        }
        self.m.gap = Gap::Block;
        self.m.gone = false;
        self.line_kept(byte);
    }

    /// At the line ending of a closing line.
    fn block_closes(&mut self, byte: u8) {
        self.m.block = None;
        self.m.list = List::None;
        if self.m.fenced && self.m.gone {
            self.block_goes();
            self.drop_from(self.m.white);
            self.m.cr = if byte == b'\r' { Return::Dropped } else { Return::None };
            self.m.line = self.count();
            self.m.state = State::Gap;
        } else {
            self.show(0..0);
            self.text_goes_on();
        }
    }

    /// The text ends in a line that may be a fence line.
    pub(super) fn end_in_fence_line(&mut self) {
        let closes = self.m.block.is_some_and(|opening| self.m.run.closes(opening));
        if closes && self.m.fenced && self.m.gone {
            self.m.state = State::Gap;
        } else {
            self.show_all(0..0);
            self.text_goes_on();
        }
    }
}
