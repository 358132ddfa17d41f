//! Leading values: the complete JSON objects and arrays that a text opens with, and where what follows them begins.

use core::ops::Range;

use crate::error::Error;
use crate::json::{Step, Value, is_white_space};
use crate::scratch::copied_to;

/// Why the reading of leading values stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The text was used up.
    End,
    /// The next byte begins no object and no array.
    Opener,
    /// The text ends inside a value that could still go on.
    Cut,
    /// The byte at this offset cannot be taken where it stands in a value.
    Byte(u64),
}

/// What a text opens with, told when it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeadingEnd {
    /// Where what follows the values begins, without the white space before it, in bytes.
    pub rest: u64,
    /// Why the reading stopped there.
    pub stopped: Stopped,
}

/// The reader of the complete values that a text opens with.
///
/// Values follow each other with any white space between them or none. The first one that is broken or cut ends the reading.
///
/// ```
/// use sidenote_core::{LeadingValues, Stopped};
///
/// let text = br#"{"id": 4417} [1] done"#;
/// let mut memory = [0; 16];
/// let mut reader = LeadingValues::new(&mut memory);
/// let mut values = Vec::new();
/// reader.push(text, |range| values.push(range))?;
/// let end = reader.end();
/// assert_eq!(values, [0..12, 13..16]);
/// assert_eq!((end.rest, end.stopped), (17, Stopped::Opener));
/// # Ok::<(), sidenote_core::Error>(())
/// ```
///
/// `M` is any bytes, as for a filter. All of them hold nesting, one bit a level: `n` bytes read values of `8 * n` levels.
///
/// # Cost
///
/// Time proportional to what is read; each byte is looked at once. The state is at most 192 bytes, a slice included.
///
/// # Source
///
/// `agentfootprint evidence/servedJson`; RFC 8259. The rules are `leading/…` in `spec/rules.json`.
#[derive(Debug)]
pub struct LeadingValues<M> {
    memory: M,
    value: Value,
    /// The offset of the next byte.
    offset: u64,
    /// Where the value being read begins.
    start: u64,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before a value or what follows the last one.
    Between,
    /// In a value.
    Value,
    /// Behind everything that is read.
    Over(Stopped),
    /// At a bracket that the memory has no bit for.
    Full,
}

const _: () = assert!(size_of::<LeadingValues<&mut [u8]>>() <= 192, "the state is promised to be at most 192 bytes");

impl<M: AsRef<[u8]> + AsMut<[u8]>> LeadingValues<M> {
    /// A reader over `memory`.
    pub fn new(memory: M) -> Self {
        Self { memory, value: Value::START, offset: 0, start: 0, state: State::Between }
    }

    /// Reads the next bytes of the text; `on` gets the range of each value that becomes complete.
    ///
    /// What comes after the reading has stopped is not looked at.
    ///
    /// # Errors
    ///
    /// [`Error::Nesting`] at a bracket that the memory has no bit for. It sticks; the values before were handed out.
    pub fn push(&mut self, chunk: &[u8], mut on: impl FnMut(Range<u64>)) -> Result<(), Error> {
        let mut at = 0;
        while let Some(&byte) = chunk.get(at) {
            let offset = self.offset + at as u64;
            match self.state {
                State::Between if is_white_space(byte) => at += 1,
                State::Between if matches!(byte, b'{' | b'[') => {
                    self.start = offset;
                    self.value = Value::START;
                    self.state = State::Value;
                }
                State::Between => {
                    self.start = offset;
                    self.state = State::Over(Stopped::Opener);
                }
                State::Value => {
                    let step;
                    (at, step) = self.value.read(self.memory.as_mut(), chunk, at);
                    let offset = self.offset + at as u64;
                    match step {
                        Step::More => {}
                        Step::Complete => {
                            on(self.start..offset);
                            self.state = State::Between;
                        }
                        Step::Wrong => self.state = State::Over(Stopped::Byte(offset)),
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
    pub fn moved_to<L: AsRef<[u8]> + AsMut<[u8]>>(self, larger: L) -> Result<LeadingValues<L>, Error> {
        let larger = copied_to(self.memory.as_ref(), larger)?;
        let state = if self.state == State::Full { State::Value } else { self.state };
        Ok(LeadingValues { memory: larger, value: self.value, offset: self.offset, start: self.start, state })
    }

    /// The text is over: where what follows the values begins, and why the reading stopped there.
    pub fn end(self) -> LeadingEnd {
        match self.state {
            State::Between => LeadingEnd { rest: self.offset, stopped: Stopped::End },
            State::Value | State::Full => LeadingEnd { rest: self.start, stopped: Stopped::Cut },
            State::Over(stopped) => LeadingEnd { rest: self.start, stopped },
        }
    }
}
