//! An object of the text: its own members, one by one. What stands in a member's value is read and not looked at.

use core::ops::Range;

use super::list::List;
use super::{Event, Limit, OnFull, Pass, Removed, Role, State};
use crate::SHORTCUTS;
use crate::fence::Before;
use crate::filter::keys::Match;
use crate::json::{Step, StringStep, Value, is_white_space};

impl Pass<'_, '_> {
    /// At a `{` in text, or between lines, or behind a notes object on its line.
    pub(super) fn object_begins(&mut self) -> Result<(), Limit> {
        let flows = self.m.state == State::Text;
        if SHORTCUTS && flows && !self.is_full() && self.opens_no_object() {
            self.m.objects += 1;
            self.at += 1;
            self.value_of_list_ends();
            return Ok(());
        }
        self.begin()?;
        self.m.whole &= !flows || self.m.list == List::None;
        self.m.objects += 1;
        self.m.kept = false;
        self.m.removed = false;
        self.m.comma = false;
        self.m.head_shown = false;
        self.m.state = State::Head;
        self.at += 1;
        Ok(())
    }

    /// Whether the byte after a `{` in text is no part of an object.
    #[inline]
    pub(super) fn opens_no_object(&self) -> bool {
        self.chunk.get(self.at + 1).is_some_and(|byte| !is_white_space(*byte) && !matches!(byte, b'"' | b'}'))
    }

    /// Behind an object's `{`: waits for its first key or its end.
    pub(super) fn head(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.m.head = self.count();
                self.key_begins();
            }
            byte if is_white_space(byte) => self.at += 1,
            _ => {
                self.show(0..0);
                self.at += usize::from(byte == b'}');
                self.object_ends();
            }
        }
    }

    /// At a key's opening quote.
    fn key_begins(&mut self) {
        self.m.key = self.count();
        self.m.json = Value::STRING;
        self.m.matched = Match::START;
        self.m.state = State::Key;
        self.at += 1;
    }

    /// In a key that may be reserved, or in one behind nothing but removed members: waits for its closing quote.
    pub(super) fn key(&mut self, byte: u8) {
        match self.m.json.string_byte(byte) {
            StringStep::Byte => self.m.matched.byte(&self.m.keys, byte),
            StringStep::More => {}
            StringStep::Unit(unit) => self.m.matched.unit(&self.m.keys, unit),
            StringStep::End => {
                self.at += 1;
                return self.key_ends();
            }
            StringStep::Wrong => return self.object_breaks(),
        }
        self.at += 1;
        if !self.m.matched.alive && (self.m.kept || !self.m.removed) {
            self.show(0..0);
            self.m.state = State::KeyShown;
        }
    }

    /// Behind a key's closing quote.
    fn key_ends(&mut self) {
        if let Some(which) = self.m.matched.end(&self.m.keys) {
            self.m.which = which;
            self.m.role = Role::Reserved;
            self.m.state = State::Colon;
        } else {
            self.show(self.dropped());
            self.member_is_kept();
            self.m.state = State::Colon;
        }
    }

    /// The member being read stays.
    fn member_is_kept(&mut self) {
        self.m.kept = true;
        self.m.role = Role::Kept;
    }

    /// Which held bytes stay out although the object stays: what separates removed members that no kept one stands before.
    pub(super) fn dropped(&self) -> Range<usize> {
        if self.m.kept { 0..0 } else { self.m.head..self.m.key }
    }

    /// In a key that is none of the reserved ones: waits for its closing quote.
    pub(super) fn key_shown(&mut self) {
        match self.read_json(self.chunk.len()) {
            Step::More => {}
            Step::Complete => {
                self.member_is_kept();
                self.m.state = State::Colon;
            }
            Step::Wrong | Step::TooDeep => self.object_ends(),
        }
    }

    /// Behind a key: waits for the colon.
    pub(super) fn colon(&mut self, byte: u8) {
        if byte == b':' {
            self.m.state = State::ValueStart;
        } else if !is_white_space(byte) {
            return self.member_breaks();
        }
        self.at += 1;
    }

    /// Behind the colon: waits for the value's first byte.
    pub(super) fn value_start(&mut self, byte: u8) {
        if is_white_space(byte) {
            self.at += 1;
        } else {
            self.m.value = self.count();
            self.m.json = Value::START;
            self.m.state = State::Value;
        }
    }

    /// In a member's value: waits for its end.
    pub(super) fn value(&mut self) -> Result<(), Limit> {
        let reserved = self.m.role == Role::Reserved;
        let end = if reserved { self.room_end() } else { self.chunk.len() };
        let step = self.read_json(end);
        if step == Step::More && self.at < self.chunk.len() {
            return self.member_is_full();
        }
        self.value_was_read(step)
    }

    /// Reads a string, number, literal or value as far as it goes before `end` in the chunk.
    pub(super) fn read_json(&mut self, end: usize) -> Step {
        let step;
        (self.at, step) = self.m.json.read(self.nesting, self.chunk.get(..end).unwrap_or_default(), self.at);
        step
    }

    /// A member's value was read up to the byte being read.
    pub(super) fn value_was_read(&mut self, step: Step) -> Result<(), Limit> {
        match step {
            Step::More => {}
            Step::Complete => self.value_ends()?,
            Step::Wrong => self.member_breaks(),
            Step::TooDeep => self.nesting_is_full()?,
        }
        Ok(())
    }

    /// Behind a member's value.
    fn value_ends(&mut self) -> Result<(), Limit> {
        if self.m.role == Role::Kept {
            self.settle()?;
        } else {
            self.member_is_removed(true);
            self.m.tail_before = self.before();
        }
        self.m.comma = false;
        self.m.state = State::Separator;
        Ok(())
    }

    /// Takes out the member being read, as far as it was read, and reports it.
    fn member_is_removed(&mut self, complete: bool) {
        let object = self.m.objects - 1;
        let key = self.m.which as usize;
        self.flush();
        let value = if self.m.role == Role::Hidden {
            self.hide();
            self.m.hidden = 0;
            None
        } else if let Some(from) = self.m.value.checked_sub(self.m.len) {
            // It lies whole in the chunk.
            self.chunk.get(self.mark + from..self.at)
        } else {
            // The memory takes the rest of it.
            self.keep(self.at);
            self.held.get(self.m.value..self.m.len)
        };
        (self.out)(Event::Removed(Removed { object, key, value, complete }));
        if self.m.role != Role::Hidden {
            self.cut(if self.m.kept { 0 } else { self.m.head });
        }
        self.m.removed = true;
    }

    /// Behind a member: waits for the comma and the next key, or the end of the object.
    pub(super) fn separator(&mut self, byte: u8) {
        match byte {
            byte if is_white_space(byte) => self.at += 1,
            b',' if !self.m.comma => {
                self.m.comma = true;
                if self.m.kept {
                    self.at += 1;
                } else {
                    self.drop_from(self.m.head);
                    self.m.tail_before = Before::TEXT;
                }
            }
            b'"' if self.m.comma => self.key_begins(),
            b'"' if !self.m.kept => {
                self.cut(self.m.head);
                self.show(0..0);
                self.object_ends();
            }
            b'}' if !self.m.kept => {
                self.drop_from(self.m.head);
                self.notes_object_ends();
            }
            b'}' if !self.m.comma => {
                self.show(0..0);
                self.at += 1;
                self.object_ends();
            }
            _ => self.object_breaks(),
        }
    }

    /// Takes everything from `to` on off the held bytes, the byte being read included.
    pub(super) fn drop_from(&mut self, to: usize) {
        self.cut(to);
        self.at += 1;
        self.mark = self.at;
        self.flow = self.at;
    }

    /// The object is over, and visible as far as it stays: text goes on.
    fn object_ends(&mut self) {
        self.value_of_list_ends();
        self.text_goes_on();
    }

    /// At a byte that JSON cannot take, between an object's members or in a key.
    fn object_breaks(&mut self) {
        if self.m.removed && !self.m.kept {
            // What follows the last complete member is not the object's any more.
            self.read_again(self.m.head, self.m.tail_before);
            self.notes_object_ends();
        } else {
            self.show(0..0);
            self.object_ends();
        }
    }

    /// At a byte that JSON cannot take in a member: all of it stays.
    fn member_breaks(&mut self) {
        match self.m.role {
            Role::Kept => {}
            Role::Reserved => self.show(self.dropped()),
            Role::Hidden => {
                self.flush();
                self.lose();
            }
        }
        self.object_ends();
    }

    /// Behind an object that lost members and kept none.
    pub(super) fn notes_object_ends(&mut self) {
        self.m.notes = self.m.notes.saturating_add(1);
        if self.m.whole {
            // It stands in memory as its `{` until the rest of its line is known.
            self.cut(self.m.object + 1);
            self.m.noted = true;
            self.m.state = State::Notes;
            return;
        }
        if self.m.head_shown {
            self.cut(0);
            self.spell(b"}");
        } else {
            self.cut(self.m.object);
            self.show_all(0..0);
            self.spell(b"{}");
        }
        self.object_ends();
    }

    /// No byte fits behind `{` or a member: everything held is given back.
    pub(super) fn give_back_head(&mut self) -> Result<(), Limit> {
        self.give_back()?;
        self.m.head_shown = true;
        self.m.whole = false;
        self.m.tail_before = self.before();
        Ok(())
    }

    /// No byte fits behind a key, or in a member that may have to go.
    pub(super) fn member_is_full(&mut self) -> Result<(), Limit> {
        if self.m.on_full == OnFull::Grow {
            return Err(Limit::Memory);
        }
        if self.m.key > 0 {
            self.give_back_before_key();
        } else if self.m.state == State::Key {
            self.m.released = true;
            self.show(0..0);
            self.member_is_kept();
            self.m.state = State::KeyShown;
        } else {
            self.give_up_member(Limit::Memory)?;
        }
        Ok(())
    }

    /// Gives back what stands before the key being read.
    fn give_back_before_key(&mut self) {
        let (key, value) = (self.m.key, self.m.value);
        self.m.released = true;
        for at in self.m.head..key {
            if let Some(byte) = self.held_byte(at) {
                self.m.tail_before.push(byte);
            }
        }
        self.show_before(key);
        self.m.value = value.saturating_sub(key);
        self.m.head_shown = true;
        self.m.whole = false;
    }

    /// The reserved member being read does not fit: does what was chosen.
    fn give_up_member(&mut self, limit: Limit) -> Result<(), Limit> {
        match self.m.on_full {
            OnFull::Fail | OnFull::Grow => return Err(limit),
            OnFull::Show => {
                self.show(0..0);
                self.member_is_kept();
            }
            OnFull::Hide => {
                self.m.hidden = 0;
                self.hide_held();
                self.m.role = Role::Hidden;
            }
        }
        Ok(())
    }

    /// At a bracket that opens a level too many.
    fn nesting_is_full(&mut self) -> Result<(), Limit> {
        if self.m.on_full == OnFull::Grow {
            return Err(Limit::Nesting);
        }
        match self.m.role {
            Role::Kept => self.show_all(0..0),
            Role::Reserved if self.m.key > 0 => self.give_back_before_key(),
            Role::Reserved | Role::Hidden => {}
        }
        match self.m.on_full {
            OnFull::Fail | OnFull::Grow => return Err(Limit::Nesting),
            OnFull::Show => {
                self.show(0..0);
                self.m.state = State::Passing;
            }
            OnFull::Hide => {
                self.hide_held();
                self.m.state = State::Swallowing;
            }
        }
        Ok(())
    }

    /// Hides everything held.
    #[cold]
    fn hide_held(&mut self) {
        self.flush();
        self.m.hidden += self.m.len as u64;
        self.m.len = 0;
        self.m.forget_held();
        self.hide();
    }

    /// Hides the chunk's bytes read since the mark.
    #[cold]
    pub(super) fn hide(&mut self) {
        self.m.hidden += (self.at - self.mark) as u64;
        self.mark = self.at;
        self.flow = self.at;
    }

    /// Reports hidden bytes that are no reserved member's.
    #[cold]
    pub(super) fn lose(&mut self) {
        self.hide();
        let bytes = core::mem::take(&mut self.m.hidden);
        (self.out)(Event::Lost { object: self.m.objects.saturating_sub(1), bytes });
    }

    /// The text ends behind a reserved key or in its value.
    pub(super) fn end_in_reserved_member(&mut self) {
        if self.m.state != State::Value {
            self.m.value = self.count();
        }
        self.member_is_removed(false);
        if self.m.kept {
            self.show(0..0);
        } else {
            self.notes_object_ends();
        }
    }
}
