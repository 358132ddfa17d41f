//! Lists in the text: a `[` and what JSON can take after it. Their strings are read as strings; an object in one is one
//! of its values, however it ends.

use super::{Limit, Pass, State};
use crate::json::{Step, Value, is_white_space};

/// The list that is open. How deep it is stands in the machine's `depth`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    /// None.
    None,
    /// One that is JSON so far.
    Json(Expected),
    /// One in a code block that stopped being JSON: only its brackets are counted.
    Counted,
}

/// What a list that is JSON waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// Its first value or its end.
    ValueOrEnd,
    /// A value.
    Value,
    /// A comma or its end.
    CommaOrEnd,
}

impl Pass<'_, '_> {
    /// Behind a `[` in the text.
    pub(super) fn list_begins(&mut self) {
        self.m.depth = 1;
        self.m.list = List::Json(Expected::ValueOrEnd);
    }

    /// Waits for the next byte of a list between its values.
    pub(super) fn list(&mut self, mut expected: Expected) -> Result<(), Limit> {
        while let Some(&byte) = self.chunk.get(self.at) {
            expected = match (expected, byte) {
                (_, byte) if is_white_space(byte) => expected,
                (Expected::CommaOrEnd, b',') => Expected::Value,
                (Expected::CommaOrEnd | Expected::ValueOrEnd, b']') => {
                    self.m.depth -= 1;
                    if self.m.depth == 0 {
                        self.at += 1;
                        self.m.list = List::None;
                        return Ok(());
                    }
                    Expected::CommaOrEnd
                }
                (Expected::Value | Expected::ValueOrEnd, b'[') => {
                    self.m.depth = self.m.depth.saturating_add(1);
                    Expected::ValueOrEnd
                }
                (Expected::Value | Expected::ValueOrEnd, b'{') => {
                    self.m.list = List::Json(expected);
                    return self.object_begins();
                }
                (Expected::Value | Expected::ValueOrEnd, b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => {
                    self.m.json = Value::START;
                    self.m.state = State::Scalar;
                    return Ok(());
                }
                (_, b'`' | b'~') if self.may_be_fence_line(byte) => {
                    self.m.list = List::Json(expected);
                    return self.fence_begins(byte);
                }
                _ => {
                    self.list_breaks();
                    return Ok(());
                }
            };
            self.at += 1;
        }
        self.m.list = List::Json(expected);
        Ok(())
    }

    /// In a string, number or literal of a list: waits for its end.
    pub(super) fn scalar(&mut self) {
        match self.read_json(self.chunk.len()) {
            Step::More => return,
            Step::Complete => self.value_of_list_ends(),
            Step::Wrong | Step::TooDeep => self.list_breaks(),
        }
        self.text_goes_on();
    }

    /// In a list of code that stopped being JSON: waits for a bracket, an object or the end of the block.
    pub(super) fn counted_list(&mut self) -> Result<(), Limit> {
        while let Some(&byte) = self.chunk.get(self.at) {
            match byte {
                b'{' => return self.object_begins(),
                b'`' | b'~' if self.may_be_fence_line(byte) => return self.fence_begins(byte),
                b'[' => self.m.depth = self.m.depth.saturating_add(1),
                b']' => {
                    self.m.depth -= 1;
                    if self.m.depth == 0 {
                        self.at += 1;
                        self.m.list = List::None;
                        return Ok(());
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
        Ok(())
    }

    /// Behind a value of the list that is open, or behind an object anywhere.
    pub(super) fn value_of_list_ends(&mut self) {
        if let List::Json(_) = self.m.list {
            self.m.list = List::Json(Expected::CommaOrEnd);
        }
    }

    /// At a byte that JSON cannot take in a list.
    fn list_breaks(&mut self) {
        self.m.list = if self.m.block.is_some() { List::Counted } else { List::None };
    }
}
