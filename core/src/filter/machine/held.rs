//! What is held back, and how it is let out.
//!
//! Held bytes are one sequence: its head lies in the lent memory, its tail still in the chunk. Everything that
//! is taken out is taken off the end of that sequence; what is let out goes out from its beginning. In memory it is:
//!
//! 1. white space from the first line ending after visible text on, up to `white`;
//! 2. a code block's opening line and the white space in the block, up to `line`;
//! 3. the current line so far: white space, and one `{` for each notes object, up to `object`;
//! 4. `{` and the white space behind it, up to `head`;
//! 5. what stands between the object's last member and the next key, up to `key`;
//! 6. a key, a colon and, from `value` on, a value.
//!
//! A fence line that is being read stands at `object` too.

use core::ops::Range;

use super::{Ending, Event, Gap, Limit, Machine, OnFull, Pass, State};
use crate::fence::{Before, is_line_ending};
use crate::json::is_white_space;
use crate::scratch::{put, shift};

/// Hands out text.
#[inline(never)]
fn emit(out: &mut dyn FnMut(Event<'_>), machine: &mut Machine<'_>, bytes: &[u8]) {
    if let Some(last) = bytes.last() {
        machine.ended_line = is_line_ending(*last);
        machine.visible = true;
        out(Event::Text(bytes));
    }
}

impl Pass<'_, '_> {
    /// How many bytes are held.
    pub(super) fn count(&self) -> usize {
        self.m.len + (self.at - self.mark)
    }

    /// Whether one more byte would not fit.
    pub(super) fn is_full(&self) -> bool {
        self.count() >= self.held.len()
    }

    /// Up to where in the chunk bytes can be held.
    pub(super) fn room_end(&self) -> usize {
        let room = self.held.len().saturating_sub(self.m.len);
        self.chunk.len().min(self.mark.saturating_add(room))
    }

    /// The chunk's bytes in `range`.
    pub(super) fn bytes(&self, range: Range<usize>) -> &[u8] {
        self.chunk.get(range).unwrap_or_default()
    }

    /// What stands before the byte being read on its line.
    ///
    /// It is remembered, so that no byte is looked back at twice.
    pub(super) fn before(&mut self) -> Before {
        self.m.before = self.m.before.behind(self.chunk.get(self.base..self.at).unwrap_or_default());
        self.base = self.at;
        self.m.before
    }

    /// Hands out the chunk's bytes that are known to be visible.
    pub(super) fn flush(&mut self) {
        let bytes = self.chunk.get(self.flow..self.mark).unwrap_or_default();
        emit(self.out, self.m, bytes);
        self.flow = self.mark;
    }

    /// Hands out bytes of nobody's chunk.
    pub(super) fn spell(&mut self, bytes: &[u8]) {
        self.flush();
        emit(self.out, self.m, bytes);
    }

    /// Hands out held bytes, which stay where they are, behind what is known to be visible.
    fn emit_held(&mut self, range: Range<usize>) {
        self.flush();
        let len = self.m.len;
        let bytes = self.held.get(range.start.min(len)..range.end.min(len)).unwrap_or_default();
        emit(self.out, self.m, bytes);
        let (from, to) = (range.start.saturating_sub(len), range.end.saturating_sub(len));
        let bytes = self.chunk.get(self.mark + from..self.mark + to).unwrap_or_default();
        emit(self.out, self.m, bytes);
    }

    /// The held byte at `at`.
    // Rarely asked for, in two places: code for it once is enough.
    #[inline(never)]
    pub(super) fn held_byte(&self, at: usize) -> Option<u8> {
        match at.checked_sub(self.m.len) {
            None => self.held.get(at).copied(),
            Some(at) => self.chunk.get(self.mark + at).copied(),
        }
    }

    /// Takes everything from `to` on off the held bytes.
    pub(super) fn cut(&mut self, to: usize) {
        self.flush();
        if let Some(more) = to.checked_sub(self.m.len) {
            self.keep(self.mark + more);
        }
        self.m.len = to;
        self.mark = self.at;
        self.flow = self.at;
    }

    /// Copies the held bytes that still lie in the chunk before `end` into memory.
    pub(super) fn keep(&mut self, end: usize) {
        let bytes = self.chunk.get(self.mark..end).unwrap_or_default();
        put(self.held, self.m.len, bytes);
        self.m.len += bytes.len();
        self.mark = end;
        self.flow = end;
        self.m.used = self.m.used.max(self.m.len);
    }

    /// Takes everything from `to` on off the held bytes, to be read again as text with `before` in front of it.
    pub(super) fn read_again(&mut self, to: usize, before: Before) {
        self.flush();
        if let Some(more) = to.checked_sub(self.m.len) {
            self.at = self.mark + more;
        } else {
            let length = self.m.len - to;
            self.m.again += length;
            shift(self.held, to, length, self.held.len().saturating_sub(self.m.again));
            self.m.len = to;
            self.at = self.mark;
            self.reread = length;
            self.m.used = self.held.len();
        }
        self.m.before = before;
        self.base = self.at;
    }

    /// Lets out everything held but `dropped`: a visible byte is among it or follows it.
    ///
    /// What lies in the chunk flows on with the bytes behind it; white space at the end may yet stand before a line that goes.
    pub(super) fn show(&mut self, dropped: Range<usize>) {
        let mut from = self.emit_lines();
        if !dropped.is_empty() {
            self.emit_held(from..dropped.start);
            from = dropped.end;
        }
        self.flow_from(from);
        self.forget_lines();
    }

    /// Lets out what is held before `to`.
    pub(super) fn show_before(&mut self, to: usize) {
        let from = self.emit_lines();
        self.emit_held(from..to);
        if let Some(in_chunk) = to.checked_sub(self.m.len) {
            self.m.len = 0;
            self.mark += in_chunk;
            self.flow = self.mark;
        } else {
            self.m.len -= to;
            shift(self.held, to, self.m.len, 0);
        }
        self.forget_lines();
    }

    /// Hands out held bytes as far as they are not spelled as they are held: the white space before a gap with the blank
    /// line that stays in it, and the notes objects on the current line. Up to where that is.
    fn emit_lines(&mut self) -> usize {
        let mut from = 0;
        let ending = self.m.gap_ending();
        if !ending.is_empty() {
            from = self.m.white;
            self.emit_held(0..from);
            emit(self.out, self.m, ending);
        }
        if self.m.noted {
            for at in self.m.line..self.m.object {
                if self.held_byte(at) == Some(b'{') {
                    self.emit_held(from..at + 1);
                    emit(self.out, self.m, b"}");
                    from = at + 1;
                }
            }
        }
        from
    }

    /// What was held was let out: it has no lines and no parts any more.
    fn forget_lines(&mut self) {
        self.m.gap = Gap::None;
        self.m.outer = false;
        self.m.ending = Ending::None;
        self.m.fenced = false;
        self.m.gone = false;
        self.m.noted = false;
        self.m.visible = true;
        self.m.forget_held();
    }

    /// Lets out everything held from `from` on, except that white space at its end stays held.
    fn flow_from(&mut self, from: usize) {
        let len = self.m.len;
        let Some(tail) = self.held.get(from..len).filter(|tail| !tail.is_empty()) else {
            if from > 0 {
                self.mark += from.saturating_sub(len);
                self.flow = self.mark;
            }
            self.m.len = 0;
            return;
        };
        let words = tail.iter().rposition(|byte| !is_white_space(*byte)).map_or(0, |at| at + 1);
        let white = if words == 0 && !self.m.visible {
            0
        } else {
            tail.iter().skip(words).position(|byte| is_line_ending(*byte)).map_or(tail.len(), |at| words + at)
        };
        emit(self.out, self.m, tail.get(..white).unwrap_or_default());
        let left = tail.len() - white;
        shift(self.held, from + white, left, 0);
        self.m.len = left;
    }

    /// Lets out everything held as [`Pass::show`] does, and all of it now.
    pub(super) fn show_all(&mut self, dropped: Range<usize>) {
        self.show(dropped);
        self.emit_all();
    }

    fn emit_all(&mut self) {
        self.emit_held(0..self.count());
        self.m.len = 0;
        self.mark = self.at;
        self.flow = self.at;
    }

    /// Gives back everything held, for lack of room.
    pub(super) fn give_back(&mut self) -> Result<(), Limit> {
        if self.m.on_full == OnFull::Grow {
            return Err(Limit::Memory);
        }
        self.m.released = true;
        self.show_all(0..0);
        Ok(())
    }

    /// While text flows: holds back the white space that may yet stand before a line that goes.
    pub(super) fn settle(&mut self) -> Result<(), Limit> {
        let run = self.chunk.get(self.mark..self.at).unwrap_or_default();
        if let Some(at) = run.iter().rposition(|byte| !is_white_space(*byte)) {
            if self.m.len > 0 {
                self.emit_held(0..self.m.len);
                self.m.len = 0;
            }
            self.m.visible = true;
            self.mark += at + 1;
            self.mark = self.next_line_ending(self.mark);
        } else if self.m.len == 0 && self.m.visible {
            self.mark = self.next_line_ending(self.mark);
        }
        while self.count() > self.held.len() && !self.held.is_empty() {
            let full = self.room_end();
            if self.m.on_full == OnFull::Grow {
                self.at = full;
                return Err(Limit::Memory);
            }
            self.m.released = true;
            self.emit_held(0..self.held.len());
            self.m.len = 0;
            self.flow = full;
            self.mark = self.next_line_ending(full);
        }
        Ok(())
    }

    /// The first line ending of the chunk from `from` on, before the byte being read; that byte's place where there is none.
    fn next_line_ending(&self, from: usize) -> usize {
        let white = self.bytes(from..self.at);
        white.iter().position(|byte| is_line_ending(*byte)).map_or(self.at, |at| from + at)
    }

    /// An object or a fence line begins with the byte being read, which is to be held: where text flowed, settles that.
    ///
    /// What begins can go whole only if nothing visible stands before it on its line.
    pub(super) fn begin(&mut self) -> Result<(), Limit> {
        let mut line = Some(self.m.line);
        if self.m.state == State::Text {
            self.settle()?;
            if self.is_full() {
                self.give_back()?;
            }
            line = self.line_start();
            self.m.line = line.unwrap_or_else(|| self.count());
            self.m.white = self.m.line;
        }
        self.m.whole = line.is_some();
        self.m.object = self.count();
        Ok(())
    }

    /// While only white space is held: where in it the current line begins, unless visible text stands on that line.
    fn line_start(&self) -> Option<usize> {
        let ending = |bytes: &[u8]| bytes.iter().rposition(|byte| is_line_ending(*byte)).map(|at| at + 1);
        if let Some(at) = ending(self.bytes(self.mark..self.at)) {
            return Some(self.m.len + at);
        }
        ending(self.held.get(..self.m.len).unwrap_or_default()).or_else(|| {
            let at_line_start = if self.flow < self.mark { false } else { self.m.ended_line };
            at_line_start.then_some(0)
        })
    }
}

/// How many line endings there are in `white`.
pub(super) fn line_endings(white: &[u8]) -> usize {
    let mut last = 0;
    let mut endings = 0;
    for &byte in white {
        endings += usize::from(byte == b'\r' || (byte == b'\n' && last != b'\r'));
        last = byte;
    }
    endings
}

/// Whether white space at the end of `text` begins a line, so that it is held back.
#[inline]
pub(super) fn ends_in_white_line(text: &[u8]) -> bool {
    text.iter().rev().take_while(|byte| is_white_space(**byte)).any(|byte| is_line_ending(*byte))
}
