//! One JSON value (RFC 8259 sections 2 to 5), read in chunks of any size.

use super::number::Number;
use super::string::{Escape, Escaped, unescaped};
use super::{is_scalar, is_white_space};

/// The machine. It keeps no bytes; which containers are open stands in memory lent at each call, one bit a level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    /// How many containers are open.
    depth: usize,
    state: State,
    escape: Escape,
    /// Whether the innermost open container is an object.
    in_object: bool,
    /// Whether the string being read is a member's key.
    in_key: bool,
}

/// What the machine waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// A value.
    Value,
    /// An array's first value or its end.
    ValueOrEnd,
    /// A member's key.
    Key,
    /// An object's first key or its end.
    KeyOrEnd,
    /// The colon after a key.
    Colon,
    /// A comma or the end of the container.
    CommaOrEnd,
    /// The rest of a string.
    String,
    /// The rest of an escape in a string.
    Escape,
    /// The rest of a number.
    Number(Number),
    /// The rest of a literal: where in `LITERALS` the next byte stands.
    Literal(u8),
}

/// Why a reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The bytes ended first.
    More,
    /// The value is complete: the index is behind its last byte.
    Complete,
    /// The byte at the index cannot be taken.
    Wrong,
    /// The bracket at the index opens a level that the lent memory has no bit for.
    TooDeep,
}

/// What one byte of a string read alone did.
pub(crate) enum StringStep {
    /// It stands for itself.
    Byte,
    /// An escape begins or goes on.
    More,
    /// An escape is complete and stands for this UTF-16 code unit.
    Unit(u16),
    /// It was the closing quote.
    End,
    /// It cannot be taken.
    Wrong,
}

/// The literals (RFC 8259 section 3), each with a zero byte behind it.
const LITERALS: [u8; 16] = *b"true\0false\0null\0";

/// The byte that must follow in the literal; 0 behind its last.
const fn literal(at: u8) -> u8 {
    // The mask only tells the compiler what is so anyway: no index is ever past the table.
    #[expect(clippy::indexing_slicing, reason = "the mask keeps the index inside the table")]
    LITERALS[(at & 15) as usize]
}

impl Value {
    /// Before a value and the white space in front of it.
    pub(crate) const START: Self = Self {
        depth: 0,
        state: State::Value,
        escape: Escape::START,
        in_object: false,
        in_key: false,
    };

    /// Right after the opening quote of a string that stands alone.
    pub(crate) const STRING: Self = Self { state: State::String, ..Self::START };

    /// Reads `chunk` from `at` on, as far as the value goes: the index where the reading stopped, and why.
    ///
    /// A number or literal that stands alone is complete at the first byte that cannot belong to it.
    #[inline]
    pub(crate) fn read(&mut self, nesting: &mut [u8], chunk: &[u8], mut at: usize) -> (usize, Step) {
        loop {
            match self.state {
                State::String => {
                    at += unescaped(chunk.get(at..).unwrap_or_default());
                    match chunk.get(at) {
                        None => return (at, Step::More),
                        Some(b'"') => {
                            at += 1;
                            if self.string_ends() {
                                return (at, Step::Complete);
                            }
                        }
                        Some(b'\\') => {
                            at += 1;
                            self.state = State::Escape;
                            self.escape = Escape::START;
                        }
                        Some(_) => return (at, Step::Wrong),
                    }
                }
                State::Escape => {
                    let Some(&byte) = chunk.get(at) else { return (at, Step::More) };
                    match self.escape.push(byte) {
                        Escaped::More => {}
                        Escaped::Unit(_) => self.state = State::String,
                        Escaped::Wrong => return (at, Step::Wrong),
                    }
                    at += 1;
                }
                State::Number(number) => {
                    let Some(&byte) = chunk.get(at) else { return (at, Step::More) };
                    if let Some(next) = number.next(byte) {
                        self.state = State::Number(next);
                        at += 1;
                    } else if is_scalar(byte) || !number.may_end() {
                        return (at, Step::Wrong);
                    } else if self.value_ends() {
                        return (at, Step::Complete);
                    }
                }
                State::Literal(next) => {
                    let Some(&byte) = chunk.get(at) else { return (at, Step::More) };
                    let wanted = literal(next);
                    if wanted != 0 {
                        if byte != wanted {
                            return (at, Step::Wrong);
                        }
                        self.state = State::Literal(next + 1);
                        at += 1;
                    } else if is_scalar(byte) {
                        return (at, Step::Wrong);
                    } else if self.value_ends() {
                        return (at, Step::Complete);
                    }
                }
                _ => {
                    let Some(&byte) = chunk.get(at) else { return (at, Step::More) };
                    if is_white_space(byte) {
                        at += 1;
                        continue;
                    }
                    match self.token(nesting, byte) {
                        Step::More => at += 1,
                        Step::Complete => return (at + 1, Step::Complete),
                        stop => return (at, stop),
                    }
                }
            }
        }
    }

    /// Reads one byte of a string that stands alone, for a caller that wants to know what it spells.
    pub(crate) fn string_byte(&mut self, byte: u8) -> StringStep {
        if self.state == State::Escape {
            return match self.escape.push(byte) {
                Escaped::More => StringStep::More,
                Escaped::Unit(unit) => {
                    self.state = State::String;
                    StringStep::Unit(unit)
                }
                Escaped::Wrong => StringStep::Wrong,
            };
        }
        match byte {
            b'"' => StringStep::End,
            b'\\' => {
                self.state = State::Escape;
                self.escape = Escape::START;
                StringStep::More
            }
            0..0x20 => StringStep::Wrong,
            _ => StringStep::Byte,
        }
    }

    /// Takes a byte that is no white space between tokens.
    #[inline]
    fn token(&mut self, nesting: &mut [u8], byte: u8) -> Step {
        match (self.state, byte) {
            (State::Value | State::ValueOrEnd, b'"') => {
                self.in_key = false;
                self.state = State::String;
            }
            (State::Key | State::KeyOrEnd, b'"') => {
                self.in_key = true;
                self.state = State::String;
            }
            (State::Colon, b':') => self.state = State::Value,
            (State::CommaOrEnd, b',') => {
                self.state = if self.in_object { State::Key } else { State::Value };
            }
            (State::CommaOrEnd | State::KeyOrEnd, b'}') if self.in_object => return self.close(nesting),
            (State::CommaOrEnd | State::ValueOrEnd, b']') if !self.in_object => return self.close(nesting),
            (State::Value | State::ValueOrEnd, _) => match byte {
                b'{' => return self.open(nesting, true),
                b'[' => return self.open(nesting, false),
                b't' => self.state = State::Literal(1),
                b'f' => self.state = State::Literal(6),
                b'n' => self.state = State::Literal(12),
                _ => match Number::begin(byte) {
                    Some(number) => self.state = State::Number(number),
                    None => return Step::Wrong,
                },
            },
            _ => return Step::Wrong,
        }
        Step::More
    }

    fn open(&mut self, nesting: &mut [u8], object: bool) -> Step {
        let Some(byte) = nesting.get_mut(self.depth / 8) else { return Step::TooDeep };
        let bit = 1 << (self.depth % 8);
        if object {
            *byte |= bit;
        } else {
            *byte &= !bit;
        }
        self.depth += 1;
        self.in_object = object;
        self.state = if object { State::KeyOrEnd } else { State::ValueOrEnd };
        Step::More
    }

    fn close(&mut self, nesting: &[u8]) -> Step {
        self.depth -= 1;
        if self.depth > 0 {
            let level = self.depth - 1;
            self.in_object = nesting.get(level / 8).is_some_and(|byte| byte & (1 << (level % 8)) != 0);
        }
        if self.value_ends() { Step::Complete } else { Step::More }
    }

    /// Behind a string's closing quote: whether the whole value ended with it.
    fn string_ends(&mut self) -> bool {
        if self.in_key {
            self.state = State::Colon;
            return false;
        }
        self.value_ends()
    }

    /// Behind a value: whether it was the whole one.
    fn value_ends(&mut self) -> bool {
        self.state = State::CommaOrEnd;
        self.depth == 0
    }
}
