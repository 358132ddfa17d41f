//! One JSON value (RFC 8259 sections 2 to 5), read in chunks of any size.

use super::number::Number;
use super::string::{Escape, Escaped, behind_unescaped};
use super::{is_scalar, is_white_space};
use crate::SHORTCUTS;

/// The machine. It keeps no bytes; which containers are open stands in memory lent at each call, one bit a level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    /// How many containers are open.
    depth: usize,
    state: State,
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
    Escape(Escape),
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
    pub(crate) const START: Self = Self { depth: 0, state: State::Value, in_object: false, in_key: false };

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
        let mut bytes = Bytes { rest: chunk.get(at..).unwrap_or_default(), chunk };
        let step = if SHORTCUTS {
            // A copy of its own can live in registers.
            let mut value = *self;
            let step = value.read_tokens(nesting, &mut bytes, watch);
            *self = value;
            step
        } else {
            self.read_tokens_once(nesting, &mut bytes, watch)
        };
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
                            if !SHORTCUTS || !bytes.rest_of_plain_string() {
                                self.in_key = false;
                                self.state = State::String;
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
                        b'-' | b'0'..=b'9' => {
                            watch.begins(Kind::Number, false, self.depth, bytes.at());
                            bytes.skip();
                            self.state = State::Number(Number::begin(byte));
                            continue;
                        }
                        b't' | b'f' | b'n' => {
                            let (kind, begun) = match byte {
                                b't' => (Kind::True, 1),
                                b'f' => (Kind::False, 6),
                                _ => (Kind::Null, 12),
                            };
                            watch.begins(kind, false, self.depth, bytes.at());
                            bytes.skip();
                            let more = match byte {
                                b't' => bytes.skip_all(b"rue"),
                                b'f' => bytes.skip_all(b"alse"),
                                _ => bytes.skip_all(b"ull"),
                            };
                            self.state = State::Literal(begun + more);
                            continue;
                        }
                        _ => return Step::Wrong,
                    }
                }
                State::Key | State::KeyOrEnd => match bytes.token() {
                    None => return Step::More,
                    Some(b'"') => {
                        watch.begins(Kind::String, true, self.depth, bytes.at());
                        bytes.skip();
                        if !SHORTCUTS || !bytes.rest_of_plain_string() {
                            self.in_key = true;
                            self.state = State::String;
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
                                self.state = State::Escape(Escape::START);
                                continue;
                            }
                            Some(_) => return Step::Wrong,
                        }
                    }
                }
                State::Escape(escape) => {
                    let Some(byte) = bytes.next() else { return Step::More };
                    match escape.next(byte) {
                        Escaped::More(escape) => {
                            bytes.skip();
                            self.state = State::Escape(escape);
                        }
                        Escaped::Unit(unit) => {
                            bytes.skip();
                            watch.escape_ends(unit, bytes.at());
                            self.state = State::String;
                        }
                        Escaped::Wrong => return Step::Wrong,
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
        matches!(self.state, State::String | State::Escape(_))
    }

    /// Reads one byte of a string that stands alone, for a caller that wants to know what it spells.
    pub(crate) fn string_byte(&mut self, byte: u8) -> StringStep {
        if let State::Escape(escape) = self.state {
            return match escape.next(byte) {
                Escaped::More(escape) => {
                    self.state = State::Escape(escape);
                    StringStep::More
                }
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
                self.state = State::Escape(Escape::START);
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

/// What is left of a chunk.
struct Bytes<'c> {
    rest: &'c [u8],
    chunk: &'c [u8],
}

impl Bytes<'_> {
    /// The index of the next byte.
    #[inline]
    fn at(&self) -> usize {
        self.chunk.len() - self.rest.len()
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

    /// Goes over `all`, the rest of a literal, if the chunk holds it: how many bytes that is.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "literals are short")]
    fn skip_all<const N: usize>(&mut self, all: &[u8; N]) -> u8 {
        match self.rest.split_first_chunk() {
            Some((next, rest)) if SHORTCUTS && next == all => {
                self.rest = rest;
                N as u8
            }
            _ => 0,
        }
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
        if SHORTCUTS
            && let Some(byte) = self.next()
            && byte > b' '
        {
            return Some(byte);
        }
        self.rest = behind_white_space(self.rest);
        self.next()
    }

    /// In a string: goes to the first byte that does not stand for itself, and over it if it is the closing quote.
    #[inline]
    fn rest_of_plain_string(&mut self) -> bool {
        self.rest = behind_unescaped(self.rest, self.chunk);
        if let [b'"', rest @ ..] = self.rest {
            self.rest = rest;
            return true;
        }
        false
    }
}

/// What is left of `bytes` behind white space.
// Apart, because there is none before most tokens.
#[inline(never)]
fn behind_white_space(mut bytes: &[u8]) -> &[u8] {
    while let [byte, rest @ ..] = bytes
        && is_white_space(*byte)
    {
        bytes = rest;
    }
    bytes
}
