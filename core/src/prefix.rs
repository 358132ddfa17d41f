//! The leaves of one JSON object or array, as far as the text goes: also of one that is cut short.

use crate::error::Error;
use crate::json::{Kind, Step, Value, Watch, is_white_space};
use crate::scratch::copied_to;
use crate::words::Words;

/// A string, number or literal that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// What it is.
    pub kind: Kind,
    /// Whether it is the key of a member.
    pub key: bool,
    /// How many containers are open around it; one for what stands in the outermost.
    pub depth: u64,
    /// The offset of its first byte, a string's quote included.
    pub start: u64,
}

/// What the reader of a JSON prefix hands out, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrefixEvent<'e> {
    /// An object or an array opens with the bracket at this offset.
    Open {
        /// Whether it is an object.
        object: bool,
        /// The bracket's offset.
        at: u64,
    },
    /// The innermost container is complete and ends before this offset.
    Close(u64),
    /// A leaf begins. Only what [`PrefixEvent::End`] follows is complete.
    Begin(Leaf),
    /// The next bytes of the leaf, which stand for themselves; a string's quotes are not among them.
    Written(&'e [u8]),
    /// The next character of a string, which an escape or a pair of them stands for; U+FFFD for half a pair.
    Decoded(char),
    /// The leaf is complete and ends before this offset: a string at its quote, anything else at the byte behind it.
    End(u64),
}

/// How a text ended, as far as it is one JSON object or array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It could still go on.
    Cut,
    /// The outermost value closed; what follows it was not looked at.
    Closed,
    /// The byte at this offset cannot be taken, or begins no object and no array.
    Byte(u64),
}

/// What a JSON prefix was, told when the text is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrefixEnd {
    /// How the text ended.
    pub ended: Ended,
    /// Where the text ended in a string: how many bytes, of those that the string's events spell in UTF-8, are its whole
    /// words. None where no word is whole.
    pub words: Option<u64>,
}

/// The reader of one JSON object or array, token by token, as far as the text goes.
///
/// ```
/// use sidenote_core::{Ended, JsonPrefix, PrefixEvent};
///
/// let mut memory = [0; 16];
/// let mut reader = JsonPrefix::new(&mut memory);
/// let mut leaves = 0;
/// for chunk in [&br#"{"id": 4417, "msg": "disk f"#[..], b"ull and mo"] {
///     reader.push(chunk, |event| leaves += usize::from(matches!(event, PrefixEvent::End(_))))?;
/// }
/// assert!(reader.open().eq([b'{']));
/// let end = reader.end();
/// assert_eq!((leaves, end.ended), (3, Ended::Cut));
/// assert_eq!(end.words, Some("disk full and".len() as u64));
/// # Ok::<(), sidenote_core::Error>(())
/// ```
///
/// `M` is any bytes, as for a filter. All of them hold nesting, one bit a level. No byte of the text is kept in them.
///
/// # Cost
///
/// Time proportional to what is read; each byte is looked at at most twice. The state is at most 192 bytes, a slice included.
///
/// # Source
///
/// `agentfootprint evidence/servedJson`; RFC 8259. The rules are `prefix/…` in `spec/rules.json`.
#[derive(Debug)]
pub struct JsonPrefix<M> {
    memory: M,
    value: Value,
    /// The offset of the next byte.
    offset: u64,
    reading: Reading,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before the outermost value.
    Before,
    /// In it.
    Value,
    /// Behind it, or at a byte that cannot be taken.
    Over(Ended),
    /// At a bracket that the memory has no bit for.
    Full,
}

/// The leaf being read.
#[derive(Clone, Copy, Debug)]
struct Reading {
    part: Part,
    /// A high surrogate that waits for its low one; 0 for none.
    high: u16,
    words: Words,
}

/// Where in a leaf the next byte stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// In none.
    None,
    /// Among bytes of a number or literal.
    Scalar,
    /// Among bytes of a string that stand for themselves.
    String,
    /// In an escape of a string.
    Escape,
}

const _: () = assert!(size_of::<JsonPrefix<&mut [u8]>>() <= 192, "the state is promised to be at most 192 bytes");

impl<M: AsRef<[u8]> + AsMut<[u8]>> JsonPrefix<M> {
    /// A reader over `memory`.
    pub fn new(memory: M) -> Self {
        Self { memory, value: Value::START, offset: 0, reading: Reading::START, state: State::Before }
    }

    /// Reads the next bytes of the text and hands out its tokens.
    ///
    /// What comes after the value closed or broke is not looked at.
    ///
    /// # Errors
    ///
    /// [`Error::Nesting`] at a bracket that the memory has no bit for. It sticks; the tokens before were handed out.
    pub fn push(&mut self, chunk: &[u8], mut on: impl FnMut(PrefixEvent<'_>)) -> Result<(), Error> {
        let mut at = 0;
        while let Some(&byte) = chunk.get(at) {
            match self.state {
                State::Before if is_white_space(byte) => at += 1,
                State::Before if matches!(byte, b'{' | b'[') => self.state = State::Value,
                State::Before => self.state = State::Over(Ended::Byte(self.offset + at as u64)),
                State::Value => {
                    let mut tokens =
                        Tokens { chunk, offset: self.offset, reading: &mut self.reading, from: at, on: &mut on };
                    let step;
                    (at, step) = self.value.read_watched(self.memory.as_mut(), chunk, at, &mut tokens);
                    tokens.cut(at);
                    let offset = self.offset + at as u64;
                    match step {
                        Step::More => {}
                        Step::Complete => self.state = State::Over(Ended::Closed),
                        Step::Wrong => self.state = State::Over(Ended::Byte(offset)),
                        Step::TooDeep => {
                            self.state = State::Full;
                            self.offset = offset;
                            return Err(Error::Nesting { at: offset, read: at });
                        }
                    }
                }
                State::Over(_) => return Ok(()),
                State::Full => return Err(Error::Nesting { at: self.offset, read: 0 }),
            }
        }
        self.offset += at as u64;
        Ok(())
    }

    /// The lent memory.
    pub fn memory(&self) -> &[u8] {
        self.memory.as_ref()
    }

    /// Goes on in a larger memory, at the bracket that did not fit; `read` in the error says where in the chunk that is.
    ///
    /// # Errors
    ///
    /// [`Error::TooSmall`] where `larger` is smaller than the memory so far.
    pub fn moved_to<L: AsRef<[u8]> + AsMut<[u8]>>(self, larger: L) -> Result<JsonPrefix<L>, Error> {
        let larger = copied_to(self.memory.as_ref(), larger)?;
        let state = if self.state == State::Full { State::Value } else { self.state };
        Ok(JsonPrefix { memory: larger, value: self.value, offset: self.offset, reading: self.reading, state })
    }

    /// The opening brackets of the containers that are open, the outermost first; none behind a value that closed.
    pub fn open(&self) -> impl Iterator<Item = u8> {
        let nesting = self.memory.as_ref();
        (0..self.value.depth()).map(|level| if Value::is_object(nesting, level) { b'{' } else { b'[' })
    }

    /// The text is over: how it ended, and the whole words of a string that it ends in.
    pub fn end(self) -> PrefixEnd {
        let ended = match self.state {
            State::Before | State::Value | State::Full => Ended::Cut,
            State::Over(ended) => ended,
        };
        let in_string = self.state == State::Value && self.value.is_in_string();
        PrefixEnd { ended, words: self.reading.words.whole().filter(|_| in_string) }
    }
}

impl Reading {
    const START: Self = Self { part: Part::None, high: 0, words: Words::START };
}

/// Turns what the machine says of indices into events.
struct Tokens<'t, F> {
    chunk: &'t [u8],
    /// The offset of the chunk's first byte.
    offset: u64,
    reading: &'t mut Reading,
    /// From where on the leaf's bytes were not handed out.
    from: usize,
    on: F,
}

impl<F: FnMut(PrefixEvent<'_>)> Tokens<'_, F> {
    /// Hands out the leaf's bytes before `to`.
    fn written(&mut self, to: usize) {
        if let Some(bytes) = self.chunk.get(self.from..to).filter(|bytes| !bytes.is_empty()) {
            self.lone();
            (self.on)(PrefixEvent::Written(bytes));
        }
        self.from = to;
    }

    /// Hands out bytes of a string that goes on: its words may be asked for.
    fn written_of_string(&mut self, to: usize) {
        let from = self.from;
        self.written(to);
        self.reading.words.written(self.chunk.get(from..to).unwrap_or_default());
    }

    /// The chunk, or what can be read of it, ends before `to`.
    fn cut(&mut self, to: usize) {
        match self.reading.part {
            Part::None | Part::Escape => {}
            Part::Scalar => self.written(to),
            Part::String => self.written_of_string(to),
        }
    }

    /// Hands out half a pair of escapes that its other half did not follow.
    fn lone(&mut self) {
        if core::mem::take(&mut self.reading.high) != 0 {
            self.decoded(char::REPLACEMENT_CHARACTER);
        }
    }

    fn decoded(&mut self, character: char) {
        self.reading.words.decoded(character);
        (self.on)(PrefixEvent::Decoded(character));
    }
}

impl<F: FnMut(PrefixEvent<'_>)> Watch for Tokens<'_, F> {
    fn opens(&mut self, object: bool, at: usize) {
        (self.on)(PrefixEvent::Open { object, at: self.offset + at as u64 });
    }

    fn closes(&mut self, at: usize) {
        (self.on)(PrefixEvent::Close(self.offset + at as u64));
    }

    fn begins(&mut self, kind: Kind, key: bool, depth: usize, at: usize) {
        let is_string = kind == Kind::String;
        *self.reading = Reading { part: if is_string { Part::String } else { Part::Scalar }, ..Reading::START };
        self.from = at + usize::from(is_string);
        (self.on)(PrefixEvent::Begin(Leaf { kind, key, depth: depth as u64, start: self.offset + at as u64 }));
    }

    fn escape_begins(&mut self, at: usize) {
        self.written_of_string(at);
        self.reading.part = Part::Escape;
    }

    fn escape_ends(&mut self, unit: u16, at: usize) {
        self.from = at;
        self.reading.part = Part::String;
        let high = self.reading.high;
        match unit {
            0xDC00..0xE000 if high != 0 => {
                self.reading.high = 0;
                let pair = char::decode_utf16([high, unit]).next();
                self.decoded(pair.and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            0xD800..0xDC00 => {
                self.lone();
                self.reading.high = unit;
            }
            _ => {
                self.lone();
                self.decoded(char::from_u32(unit.into()).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
    }

    fn ends(&mut self, at: usize) {
        let quote = self.reading.part == Part::String;
        self.written(at - usize::from(quote));
        self.lone();
        self.reading.part = Part::None;
        (self.on)(PrefixEvent::End(self.offset + at as u64));
    }
}
