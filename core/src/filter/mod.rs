//! The reserved-member filter: every JSON object written in a text loses its own reserved members, and nothing else moves.
//!
//! Here is its face: what a caller holds, hands in and gets. [`machine`] is what reads.

mod keys;
mod machine;

use core::fmt;

use heapless::Vec;

use crate::error::Error;
use crate::scratch::{Scratch, capacity, memory_for};

pub use keys::{Keys, RESERVED_KEY};

use machine::Machine;

/// What the filter hands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'e> {
    /// The next bytes of the text without its notes.
    Text(&'e [u8]),
    /// A reserved member that was taken out.
    Removed(Removed<'e>),
    /// Bytes that were hidden for lack of room and turned out not to be a reserved member's, or might not have been:
    /// they are neither visible nor reported. Only under [`OnFull::Hide`].
    Lost {
        /// The number of the object that they were read in.
        object: u64,
        /// How many bytes.
        bytes: u64,
    },
}

/// A reserved member that was taken out of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Removed<'e> {
    /// Which object of the text held it, counted from 0 in text order; every `{` that could have begun one counts.
    pub object: u64,
    /// Which of the keys it has.
    pub key: usize,
    /// Its value as written, cut short where the text ended inside it; none where it was longer than the lent
    /// memory and [`OnFull::Hide`] was chosen.
    pub value: Option<&'e [u8]>,
    /// Whether the value ended before the text did.
    pub complete: bool,
}

/// What happens when a reserved member, or the nesting of any value, does not fit in the lent memory.
///
/// Whatever else is held (white space, a fence line, notes on their line, `{` and separators, a key) is given back when it
/// does not fit and counts as visible, except under [`OnFull::Grow`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnFull {
    /// The reading stops with an error.
    #[default]
    Fail,
    /// The member stays in the text: fidelity before secrecy. Where the nesting does not fit, the rest of the text passes unread.
    Show,
    /// The member goes and is reported without its value: secrecy before fidelity. Where the nesting does not fit, nothing
    /// more of the text is visible.
    Hide,
    /// The reading stops with an error at whatever does not fit, also where it could be given back: for a caller that
    /// then moves the filter to a larger memory. How much memory a text needs so may depend on how it is cut.
    Grow,
}

/// The reserved-member filter over memory that the caller lends.
///
/// ```
/// use sidenote_core::{Event, Filter, Keys};
///
/// let mut memory = [0; 1024];
/// let mut filter = Filter::new(Keys::default(), &mut memory)?;
/// let (mut text, mut notes) = (Vec::new(), Vec::new());
/// let mut on = |event: Event<'_>| match event {
///     Event::Text(bytes) => text.extend_from_slice(bytes),
///     Event::Removed(note) => notes.extend(note.value.map(<[u8]>::to_vec)),
///     _ => {}
/// };
/// filter.push(br#"{"answer": 42, "_find"#, &mut on)?;
/// filter.push(br#"ings": ["asked twice"]}"#, &mut on)?;
/// filter.end(&mut on)?;
/// assert_eq!(text, br#"{"answer": 42}"#);
/// assert_eq!(notes, [br#"["asked twice"]"#]);
/// # Ok::<(), sidenote_core::Error>(())
/// ```
///
/// `M` is any bytes: `&mut [u8]`, an array, a `heapless::Vec` ([`OwnedFilter`]), and with an allocator a `Vec<u8>` or
/// a `Box<[u8]>`. Of `n` bytes, `n / 8` hold nesting, one bit a level, and the rest holds bytes.
/// Its length must stay the same from call to call.
/// Memory may hold secrets: [`Filter::end`] and dropping the filter overwrite with zeros what was used.
///
/// # Cost
///
/// Time proportional to the text: a state reads each byte at most three times, a scan's comparisons with its neighbours aside. The state is at most 256 bytes, a slice included; 192 on 32-bit machines.
///
/// # Source
///
/// `agentfootprint findings/answerText`; the rules are `filter/…` in `spec/rules.json`.
pub struct Filter<'k, M: AsRef<[u8]> + AsMut<[u8]>> {
    machine: Machine<'k>,
    memory: M,
}

/// A filter that holds its `N` bytes of memory itself.
///
/// Moving it moves those bytes, and a move leaves a copy behind that nobody overwrites: where they may be secrets, let it stay in its
/// place, or lend it memory that does.
pub type OwnedFilter<'k, const N: usize> = Filter<'k, Vec<u8, N>>;

/// The least memory that a filter with `keys` begins with, in bytes: six times the longest key and two, and the nesting's share.
#[must_use]
pub fn least_memory(keys: Keys<'_>) -> usize {
    memory_for(least_capacity(keys))
}

/// Room for the longest key and its quotes, with every byte of it spelled as an escape.
fn least_capacity(keys: Keys<'_>) -> usize {
    keys.longest().saturating_mul(6).saturating_add(2)
}

impl<'k, const N: usize> OwnedFilter<'k, N> {
    /// A filter over `N` bytes of its own.
    ///
    /// # Errors
    ///
    /// [`Error::TooSmall`] where `N` is less than [`least_memory`].
    pub fn owned(keys: Keys<'k>) -> Result<Self, Error> {
        Self::new(keys, Vec::from_array([0; N]))
    }
}

impl<'k, M: AsRef<[u8]> + AsMut<[u8]>> Filter<'k, M> {
    /// A filter over `memory`, which answers with an error when that is full.
    ///
    /// # Errors
    ///
    /// [`Error::TooSmall`] where `memory` has less than [`least_memory`] bytes.
    #[inline]
    pub fn new(keys: Keys<'k>, memory: M) -> Result<Self, Error> {
        if capacity(memory.as_ref().len()) < least_capacity(keys) {
            return Err(Error::TooSmall { least: least_memory(keys) });
        }
        Ok(Self { machine: Machine::new(keys), memory })
    }

    /// Chooses what happens when a reserved member does not fit, for what is read from now on.
    ///
    /// The place for it is before the first byte, or right after [`Filter::moved_to`].
    #[must_use]
    #[inline]
    pub fn on_full(mut self, choice: OnFull) -> Self {
        self.machine.on_full = choice;
        self
    }

    /// Reads the next bytes of the text and hands out what is decided.
    ///
    /// Text is handed out as slices of `chunk` wherever possible.
    ///
    /// # Errors
    ///
    /// [`Error::Memory`] or [`Error::Nesting`] where the lent memory is full and the choice made was not to go on. What is
    /// visible and stood before the byte that did not fit was handed out, apart from what is held.
    /// [`Error::Ended`] after [`Filter::end`].
    pub fn push(&mut self, chunk: &[u8], mut on: impl FnMut(Event<'_>)) -> Result<(), Error> {
        self.machine.push(self.memory.as_mut(), chunk, &mut on)
    }

    /// The text is over: hands out or drops what was held, and overwrites it in memory.
    ///
    /// # Errors
    ///
    /// That of an earlier [`Filter::push`], which then stands; a second call does nothing.
    pub fn end(&mut self, mut on: impl FnMut(Event<'_>)) -> Result<(), Error> {
        self.machine.end(self.memory.as_mut(), &mut on)
    }

    /// Goes on in a larger memory: copies what is held and clears the error of a full one.
    ///
    /// The reading goes on at the byte that did not fit; `read` in the error says where in the chunk that is.
    ///
    /// # Errors
    ///
    /// [`Error::TooSmall`] where `larger` is smaller than the memory so far; the filter and what it held are then gone.
    pub fn moved_to<L: AsRef<[u8]> + AsMut<[u8]>>(mut self, mut larger: L) -> Result<Filter<'k, L>, Error> {
        let least = self.memory.as_ref().len();
        if larger.as_ref().len() < least {
            return Err(Error::TooSmall { least });
        }
        let machine = self.machine.moved(&Scratch::new(self.memory.as_mut()), &mut Scratch::new(larger.as_mut()));
        Ok(Filter { machine, memory: larger })
    }

    /// The bytes that are held back, as they lie in memory: after an error, what was read and not handed out.
    ///
    /// A notes object that waits for the rest of its line is a single `{` among them.
    #[must_use]
    pub fn held(&self) -> &[u8] {
        self.memory.as_ref().get(..self.machine.len).unwrap_or_default()
    }

    /// The lent memory.
    #[must_use]
    pub fn memory(&self) -> &[u8] {
        self.memory.as_ref()
    }

    /// Whether something was given back for lack of room, so that a blank line, a `{}`, a `{ }` or a comma may have stayed.
    ///
    /// White space that comes in one chunk with the words behind it needs no room, so this may depend on how the text is cut.
    #[must_use]
    pub fn released(&self) -> bool {
        self.machine.released
    }
}

impl<M: AsRef<[u8]> + AsMut<[u8]>> Drop for Filter<'_, M> {
    fn drop(&mut self) {
        self.machine.wipe(&mut Scratch::new(self.memory.as_mut()));
    }
}

impl<M: AsRef<[u8]> + AsMut<[u8]>> fmt::Debug for Filter<'_, M> {
    /// Without the memory, which may hold secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Filter").field("machine", &self.machine).finish_non_exhaustive()
    }
}

/// The most that a filter's state takes, a slice included, in bytes.
const MOST_STATE: usize = if cfg!(target_pointer_width = "64") { 256 } else { 192 };

const _: () = assert!(size_of::<Filter<'_, &mut [u8]>>() <= MOST_STATE, "README promises it");
