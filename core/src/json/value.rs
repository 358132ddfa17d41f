//! One JSON value (RFC 8259 sections 2 to 5), read in chunks of any size.

use super::number::Number;
use super::string::{Escape, Escaped, unescaped};
use super::{is_scalar, is_white_space};
use crate::SHORTCUTS;

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

/// Who is told of tokens while a value is read. Indices are into the chunk.
pub(crate) trait Watch {
    /// A container opens at `at`; it is not counted in the depth yet.
    fn opens(&mut self, _object: bool, _at: usize) {}
    /// A container closed before `at`.
    fn closes(&mut self, _at: usize) {}
    /// A string, number or literal begins at `at`, with so many containers open around it.
    fn begins(&mut self, _kind: Kind, _key: bool, _depth: usize, _at: usize) {}
    /// In a string, a backslash stands at `at`.
    fn escape_begins(&mut self, _at: usize) {}
    /// In a string, an escape ended before `at` and stands for `unit`.
    fn escape_ends(&mut self, _unit: u16, _at: usize) {}
    /// The string, number or literal ended before `at`.
    fn ends(&mut self, _at: usize) {}
}

/// Nobody.
impl Watch for () {}

/// What a leaf of a JSON text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A string: a key or a value.
    String,
    /// A number.
    Number,
    /// `true`.
    True,
    /// `false`.
    False,
    /// `null`.
    Null,
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

/// What a token ended.
enum Token {
    /// A key.
    Key,
    /// A string, number or literal that is a value.
    Leaf,
    /// A container: its closing bracket is the next byte.
    Container,
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
    #[expect(clippy::indexing_slicing, reason = "the mask keeps the index inside the table")]
    LITERALS[(at & 15) as usize]
}

impl Value {
    /// Before a value and the white space in front of it.
    pub(crate) const START: Self =
        Self { depth: 0, state: State::Value, escape: Escape::START, in_object: false, in_key: false };

    /// Right after the opening quote of a string that stands alone.
    pub(crate) const STRING: Self = Self { state: State::String, ..Self::START };

    /// Reads `chunk` from `at` on, as far as the value goes: the index where the reading stopped, and why.
    ///
    /// A number or literal that stands alone is complete at the first byte that cannot belong to it.
    #[inline(never)]
    pub(crate) fn read(&mut self, nesting: &mut [u8], chunk: &[u8], at: usize) -> (usize, Step) {
        self.read_watched(nesting, chunk, at, &mut ())
    }

    /// Reads as [`Value::read`] does, and tells `watch` of the tokens.
    #[inline]
    pub(crate) fn read_watched(
        &mut self,
        nesting: &mut [u8],
        chunk: &[u8],
        at: usize,
        watch: &mut impl Watch,
    ) -> (usize, Step) {
        let mut bytes = Bytes { rest: chunk.get(at..).unwrap_or_default(), end: chunk.len() };
        // A copy of its own can live in registers.
        let mut value = *self;
        let step = if SHORTCUTS {
            value.read_tokens(nesting, &mut bytes, watch)
        } else {
            value.read_tokens_once(nesting, &mut bytes, watch)
        };
        *self = value;
        (bytes.at(), step)
    }

    /// [`Value::read_tokens`], compiled once for whoever is told.
    #[inline(never)]
    fn read_tokens_once(&mut self, nesting: &mut [u8], bytes: &mut Bytes<'_>, watch: &mut dyn Watch) -> Step {
        self.read_tokens(nesting, bytes, watch)
    }

    /// Reads tokens.
    ///
    /// A state's arm reads the whole token where the chunk holds it, so that most tokens cost one turn of the loop. What ended with it is
    /// told behind the match, once for all arms.
    #[inline]
    #[expect(clippy::too_many_lines, reason = "one match, an arm a state")]
    fn read_tokens<W: Watch + ?Sized>(&mut self, nesting: &mut [u8], bytes: &mut Bytes<'_>, watch: &mut W) -> Step {
        loop {
            let ended = match self.state {
                State::Value | State::ValueOrEnd => {
                    let Some(byte) = bytes.token() else { return Step::More };
                    match byte {
                        b'"' => {
                            watch.begins(Kind::String, false, self.depth, bytes.at());
                            bytes.skip();
                            self.in_key = false;
                            self.state = State::String;
                            if !SHORTCUTS || !bytes.rest_of_plain_string() {
                                continue;
                            }
                            Token::Leaf
                        }
                        b'{' | b'[' => {
                            if !self.open(nesting, byte == b'{') {
                                return Step::TooDeep;
                            }
                            watch.opens(byte == b'{', bytes.at());
                            bytes.skip();
                            continue;
                        }
                        b']' if self.state == State::ValueOrEnd => Token::Container,
                        _ => {
                            let Some((kind, state)) = State::scalar(byte) else { return Step::Wrong };
                            watch.begins(kind, false, self.depth, bytes.at());
                            self.state = bytes.whole_literal(kind).unwrap_or_else(|| {
                                bytes.skip();
                                state
                            });
                            continue;
                        }
                    }
                }
                State::Key | State::KeyOrEnd => match bytes.token() {
                    None => return Step::More,
                    Some(b'"') => {
                        watch.begins(Kind::String, true, self.depth, bytes.at());
                        bytes.skip();
                        self.in_key = true;
                        self.state = State::String;
                        if !SHORTCUTS || !bytes.rest_of_plain_string() {
                            continue;
                        }
                        Token::Key
                    }
                    Some(b'}') if self.state == State::KeyOrEnd => Token::Container,
                    Some(_) => return Step::Wrong,
                },
                State::Colon => {
                    match bytes.token() {
                        None => return Step::More,
                        Some(b':') => self.state = State::Value,
                        Some(_) => return Step::Wrong,
                    }
                    bytes.skip();
                    continue;
                }
                State::CommaOrEnd => {
                    let end = if self.in_object { b'}' } else { b']' };
                    match bytes.token() {
                        None => return Step::More,
                        Some(b',') => {
                            bytes.skip();
                            self.state = if self.in_object { State::Key } else { State::Value };
                            continue;
                        }
                        Some(byte) if byte == end => Token::Container,
                        Some(_) => return Step::Wrong,
                    }
                }
                State::String => {
                    if bytes.rest_of_plain_string() {
                        if self.in_key { Token::Key } else { Token::Leaf }
                    } else {
                        match bytes.next() {
                            None => return Step::More,
                            Some(b'\\') => {
                                watch.escape_begins(bytes.at());
                                bytes.skip();
                                self.state = State::Escape;
                                self.escape = Escape::START;
                                continue;
                            }
                            Some(_) => return Step::Wrong,
                        }
                    }
                }
                State::Escape => {
                    let Some(byte) = bytes.next() else { return Step::More };
                    let escaped = self.escape.push(byte);
                    if let Escaped::Wrong = escaped {
                        return Step::Wrong;
                    }
                    bytes.skip();
                    if let Escaped::Unit(unit) = escaped {
                        watch.escape_ends(unit, bytes.at());
                        self.state = State::String;
                    }
                    continue;
                }
                State::Number(mut number) => loop {
                    if SHORTCUTS && number.is_in_digits() {
                        bytes.digits();
                        // What most numbers end with.
                        if let Some(b',' | b']' | b'}') = bytes.next() {
                            break Token::Leaf;
                        }
                    }
                    let Some(byte) = bytes.next() else {
                        self.state = State::Number(number);
                        return Step::More;
                    };
                    if let Some(next) = number.next(byte) {
                        number = next;
                        bytes.skip();
                    } else if is_scalar(byte) || !number.may_end() {
                        return Step::Wrong;
                    } else {
                        break Token::Leaf;
                    }
                },
                State::Literal(mut next) => loop {
                    let Some(byte) = bytes.next() else {
                        self.state = State::Literal(next);
                        return Step::More;
                    };
                    let wanted = literal(next);
                    if wanted == byte && byte != 0 {
                        next += 1;
                        bytes.skip();
                    } else if wanted != 0 || is_scalar(byte) {
                        return Step::Wrong;
                    } else {
                        break Token::Leaf;
                    }
                },
            };
            match ended {
                Token::Key => {
                    watch.ends(bytes.at());
                    self.key_ends(bytes);
                    continue;
                }
                Token::Leaf => watch.ends(bytes.at()),
                Token::Container => {
                    bytes.skip();
                    watch.closes(bytes.at());
                    self.close(nesting);
                }
            }
            if self.value_ends(bytes) {
                return Step::Complete;
            }
        }
    }

    /// How many containers are open.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Whether the container at `level`, counted from the outermost, is an object.
    pub(crate) fn is_object(nesting: &[u8], level: usize) -> bool {
        nesting.get(level / 8).is_some_and(|byte| byte & (1 << (level % 8)) != 0)
    }

    /// Whether the bytes end in a string.
    pub(crate) fn is_in_string(&self) -> bool {
        matches!(self.state, State::String | State::Escape)
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

    /// Opens a container, where there is a bit for it.
    #[inline]
    fn open(&mut self, nesting: &mut [u8], object: bool) -> bool {
        let Some(byte) = nesting.get_mut(self.depth / 8) else { return false };
        let bit = self.depth % 8;
        *byte = (*byte & !(1 << bit)) | (u8::from(object) << bit);
        self.depth += 1;
        self.in_object = object;
        self.state = if object { State::KeyOrEnd } else { State::ValueOrEnd };
        true
    }

    /// Closes a container.
    #[inline]
    fn close(&mut self, nesting: &[u8]) {
        self.depth -= 1;
        if let Some(level) = self.depth.checked_sub(1) {
            self.in_object = Self::is_object(nesting, level);
        }
    }

    /// Behind a value: whether it was the whole one. A comma right behind it saves a turn of the loop.
    #[inline]
    fn value_ends(&mut self, bytes: &mut Bytes<'_>) -> bool {
        self.state = State::CommaOrEnd;
        if self.depth == 0 {
            return true;
        }
        if bytes.skip_over(b',') {
            self.state = if self.in_object { State::Key } else { State::Value };
        }
        false
    }

    /// Behind a key. A colon right behind it saves a turn of the loop.
    #[inline]
    fn key_ends(&mut self, bytes: &mut Bytes<'_>) {
        self.state = if bytes.skip_over(b':') { State::Value } else { State::Colon };
    }
}

impl State {
    /// What begins with `byte`, a number or a literal, and the state behind that.
    #[inline]
    fn scalar(byte: u8) -> Option<(Kind, Self)> {
        match byte {
            b't' => Some((Kind::True, Self::Literal(1))),
            b'f' => Some((Kind::False, Self::Literal(6))),
            b'n' => Some((Kind::Null, Self::Literal(12))),
            _ => Number::begin(byte).map(|number| (Kind::Number, Self::Number(number))),
        }
    }
}

/// What is left of a chunk.
struct Bytes<'c> {
    rest: &'c [u8],
    /// The chunk's length.
    end: usize,
}

impl Bytes<'_> {
    /// The index of the next byte.
    #[inline]
    fn at(&self) -> usize {
        self.end - self.rest.len()
    }

    /// The next byte.
    #[inline]
    fn next(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// Goes over the next byte.
    #[inline]
    fn skip(&mut self) {
        if let [_, rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    /// Goes over the next byte if it is `byte`, and over a space behind it.
    #[inline]
    fn skip_over(&mut self, byte: u8) -> bool {
        match self.rest {
            [next, b' ', rest @ ..] | [next, rest @ ..] if SHORTCUTS && *next == byte => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Goes over a literal that is whole in the chunk: the state behind its last byte.
    #[inline]
    fn whole_literal(&mut self, kind: Kind) -> Option<State> {
        if !SHORTCUTS {
            return None;
        }
        let (rest, end) = match kind {
            Kind::True => (self.rest.strip_prefix(b"true")?, 4),
            Kind::False => (self.rest.strip_prefix(b"false")?, 10),
            Kind::Null => (self.rest.strip_prefix(b"null")?, 15),
            Kind::String | Kind::Number => return None,
        };
        self.rest = rest;
        Some(State::Literal(end))
    }

    /// Goes over digits.
    #[inline]
    fn digits(&mut self) {
        while let [b'0'..=b'9', rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    /// The next byte that is no white space, after going there.
    #[inline]
    fn token(&mut self) -> Option<u8> {
        while let [byte, rest @ ..] = self.rest {
            if *byte > b' ' || !is_white_space(*byte) {
                return Some(*byte);
            }
            self.rest = rest;
        }
        None
    }

    /// In a string: goes to the first byte that does not stand for itself, and over it if it is the closing quote.
    #[inline]
    fn rest_of_plain_string(&mut self) -> bool {
        let plain = unescaped(self.rest);
        self.rest = self.rest.get(plain..).unwrap_or_default();
        if let [b'"', rest @ ..] = self.rest {
            self.rest = rest;
            return true;
        }
        false
    }
}
