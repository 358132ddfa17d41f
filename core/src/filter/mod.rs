//! The reserved-member filter: every JSON object written in a text loses its own reserved members, and nothing else moves.
//!
//! One pass, in three layers. *Reading* says what the next byte means: [`prose`], [`list`], [`object`] and [`block`].
//! *Lines* says what a whole line that goes takes with it: [`line`]. *Letting out* keeps what is undecided and
//! hands out what is visible: [`held`]. The last never looks at JSON.

mod block;
mod held;
mod keys;
mod line;
mod list;
mod object;
mod prose;

use core::fmt;

use heapless::Vec;

use crate::SHORTCUTS;
use crate::error::Error;
use crate::fence::{Before, Run};
use crate::json::{Step, Value, is_white_space};
use crate::scratch::{Scratch, capacity, memory_for, put, wipe};

pub use keys::{Keys, RESERVED_KEY};

use keys::Match;
use list::List;

/// Up to how many bytes a chunk is looked at for a way around a whole pass.
const SMALL: usize = 64;

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
/// Time proportional to the text: a state reads each byte at most three times. The state is at most 256 bytes, a slice included.
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

const _: () = assert!(size_of::<Filter<'_, &mut [u8]>>() <= 256, "the state is promised to be at most 256 bytes");

/// The state apart from the lent memory.
///
/// Small fields come first, where small machines reach them with short instructions.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Machine<'k> {
    // Reading.
    state: State,
    role: Role,
    /// Whether `block`'s opening line had a `>`.
    quoted: bool,
    /// The object: whether a member was kept, whether one was removed, whether a comma came since the last.
    kept: bool,
    removed: bool,
    comma: bool,
    /// The object: whether its `{` was given back while nothing else of it was visible.
    head_shown: bool,
    /// Whether the object, or the code block whose opening line is being read, can still go whole.
    whole: bool,
    list: List,
    /// What stands before the next byte on its line.
    before: Before,
    /// What stands before the bytes after the last removed member.
    tail_before: Before,

    // Lines.
    gap: Gap,
    /// The first blank line's ending in or after the gap.
    ending: Ending,
    /// Whether the white space before the gap already ends in a blank line, or need not.
    blank: bool,
    /// Whether a gap lies around the code block whose opening line is held.
    outer: bool,
    /// Whether a code block's opening line is held.
    fenced: bool,
    /// Whether notes went since that opening line.
    gone: bool,
    /// Whether notes objects stand on the current line.
    noted: bool,
    /// A carriage return that a line feed may belong to.
    cr: Return,

    // The whole text.
    /// How many notes objects there were, up to two.
    notes: u8,
    /// Whether a code block was opened.
    fences: bool,
    /// Whether anything is visible.
    visible: bool,
    /// Whether what was handed out ends with a line ending, or is nothing.
    ended_line: bool,
    on_full: OnFull,
    released: bool,
    stopped: Option<Limit>,

    // Held bytes: see `held`.
    len: usize,
    white: usize,
    line: usize,
    object: usize,
    head: usize,
    key: usize,
    value: usize,
    /// How many bytes at the end of the memory are to be read again before the chunk goes on.
    again: usize,
    /// How much of the memory was ever written to.
    used: usize,

    /// How many brackets of the list are open.
    depth: usize,
    keys: Keys<'k>,
    matched: Match,
    /// Which key the reserved member has that is being read.
    which: u32,
    json: Value,
    /// The fence line being read.
    run: Run,
    /// The opening line of the code block that is open.
    block: Option<Run>,

    /// The offset of the next byte to be read.
    offset: u64,
    /// How many objects have begun.
    objects: u64,
    /// Bytes hidden and not yet accounted for.
    hidden: u64,
}

/// What is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Words, or the list that is open.
    Text,
    /// A string, number or literal in a list.
    Scalar,
    /// Behind an object's `{`: its first key or its end.
    Head,
    /// In a key that may be reserved, or that is held for another reason.
    Key,
    /// In a key that is none of the reserved ones.
    KeyShown,
    /// Behind a key: the colon.
    Colon,
    /// Behind the colon: the value.
    ValueStart,
    /// In a member's value.
    Value,
    /// Behind a member: the comma and the next key, or the end.
    Separator,
    /// Behind a notes object that goes if nothing else stands on its line.
    Notes,
    /// Between lines, where only white space came since a line that went or a block's opening line.
    Gap,
    /// In a line that may be a fence line, from its first backtick or tilde on.
    Fence,
    /// The nesting did not fit: everything passes.
    Passing,
    /// The nesting did not fit: everything is hidden.
    Swallowing,
    /// The text is over.
    Ended,
}

/// What happens to the member being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// It stays.
    Kept,
    /// It is held, and goes when it is complete.
    Reserved,
    /// It was too long to be held, and goes without its value.
    Hidden,
}

/// What lies between the white space that is held and the current line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    /// Nothing.
    None,
    /// Lines that went: blank lines go with them.
    Lines,
    /// The beginning of a code block: blank lines in it stay.
    Block,
}

/// The first blank line's ending in a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    None,
    LineFeed,
    Return,
    ReturnLineFeed,
}

/// What became of a carriage return right before the next byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Return {
    None,
    Dropped,
    Remembered,
    Kept,
}

/// Which part of the memory was full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    Memory,
    Nesting,
}

/// What a glance at a chunk told.
enum Glance {
    /// All of it is visible.
    Visible,
    /// It has to be read; how far the value that it begins in was read, and what came of it.
    Undecided(Option<(usize, Step)>),
}

/// One chunk on its way through the machine.
struct Pass<'p, 'k> {
    m: &'p mut Machine<'k>,
    held: &'p mut [u8],
    nesting: &'p mut [u8],
    chunk: &'p [u8],
    /// The byte being read.
    at: usize,
    /// The bytes before it from here on are held, or flow and are not settled yet.
    mark: usize,
    /// The bytes before the mark from here on are visible and not handed out yet.
    flow: usize,
    /// Where in the chunk the machine's `before` stands.
    base: usize,
    /// How many bytes in memory are to be read again before the chunk goes on.
    reread: usize,
    out: &'p mut dyn FnMut(Event<'_>),
}

impl<'k> Machine<'k> {
    #[inline]
    const fn new(keys: Keys<'k>) -> Self {
        Self {
            keys,
            len: 0,
            white: 0,
            line: 0,
            object: 0,
            head: 0,
            key: 0,
            value: 0,
            again: 0,
            used: 0,
            offset: 0,
            objects: 0,
            hidden: 0,
            json: Value::START,
            matched: Match::START,
            which: 0,
            list: List::None,
            depth: 0,
            run: Run::begin(0),
            block: None,
            before: Before::LINE_START,
            tail_before: Before::LINE_START,
            state: State::Text,
            role: Role::Kept,
            quoted: false,
            kept: false,
            removed: false,
            comma: false,
            head_shown: false,
            whole: false,
            gap: Gap::None,
            ending: Ending::None,
            blank: false,
            outer: false,
            fenced: false,
            gone: false,
            noted: false,
            cr: Return::None,
            notes: 0,
            fences: false,
            visible: false,
            ended_line: true,
            on_full: OnFull::Fail,
            released: false,
            stopped: None,
        }
    }

    #[inline]
    fn push(&mut self, memory: &mut [u8], chunk: &[u8], out: &mut dyn FnMut(Event<'_>)) -> Result<(), Error> {
        let glance = if SHORTCUTS { self.glance(memory, chunk) } else { Glance::Undecided(None) };
        match glance {
            Glance::Visible => {
                self.offset += chunk.len() as u64;
                self.ended_line = false;
                out(Event::Text(chunk));
                Ok(())
            }
            Glance::Undecided(begun) => self.pass(&mut Scratch::new(memory), chunk, begun, out),
        }
    }

    /// Looks whether all of a small chunk is visible at once: a token of plain words, or of a value that stays.
    ///
    /// Most chunks of a stream are, and they need none of a pass's preparations.
    #[inline]
    fn glance(&mut self, memory: &mut [u8], chunk: &[u8]) -> Glance {
        let undecided = self.len > 0 || !self.visible || self.stopped.is_some();
        let Some(&last) = chunk.last().filter(|_| chunk.len() <= SMALL && !undecided) else {
            return Glance::Undecided(None);
        };
        match (self.state, self.role) {
            (State::Text, _) if matches!(self.list, List::None) && self.before.is_text() && prose::is_plain(chunk) => {
                Glance::Visible
            }
            (State::Value, Role::Kept) => {
                // What the value's machine has read it has read: a pass goes on behind it.
                let (at, step) = self.json.read(Scratch::new(memory).nesting, chunk, 0);
                if step == Step::More && !is_white_space(last) {
                    self.before = self.before.behind(chunk);
                    return Glance::Visible;
                }
                Glance::Undecided(Some((at, step)))
            }
            _ => Glance::Undecided(None),
        }
    }

    /// Sends a chunk through the machine; `begun` says how far the value that it begins in was read, and what came of it.
    fn pass(
        &mut self,
        scratch: &mut Scratch<'_>,
        chunk: &[u8],
        mut begun: Option<(usize, Step)>,
        out: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), Error> {
        if let Some(error) = self.error(0) {
            return Err(error);
        }
        if self.state == State::Ended {
            return Err(Error::Ended);
        }
        // A memory whose length did not stay the same: without any, no state could make room.
        if scratch.held.is_empty() {
            return Err(Error::TooSmall { least: least_memory(self.keys) });
        }
        let mut read = 0;
        loop {
            // Bytes in memory that are read again come one at a time: each makes room for itself.
            let again = self.again.checked_sub(1).and_then(|back| scratch.held.iter().nth_back(back)).copied();
            let byte = [again.unwrap_or_default()];
            let (bytes, from): (&[u8], usize) = if again.is_some() { (&byte, 0) } else { (chunk, read) };
            if from >= bytes.len() {
                return Ok(());
            }
            let mut pass = Pass {
                m: self,
                held: scratch.held,
                nesting: scratch.nesting,
                chunk: bytes,
                at: from,
                mark: from,
                flow: from,
                base: from,
                reread: 0,
                out,
            };
            let stopped = pass.run(begun.take());
            let (at, reread) = (pass.at, pass.reread);
            if again.is_some() {
                self.again -= at;
            } else {
                read = at;
            }
            self.offset = (self.offset + (at - from) as u64).wrapping_sub(reread as u64);
            self.stopped = stopped.err();
            if let Some(error) = self.error(read) {
                return Err(error);
            }
        }
    }

    fn end(&mut self, memory: &mut [u8], out: &mut dyn FnMut(Event<'_>)) -> Result<(), Error> {
        if let Some(error) = self.error(0) {
            return Err(error);
        }
        let mut scratch = Scratch::new(memory);
        let mut pass = Pass {
            m: self,
            held: scratch.held,
            nesting: scratch.nesting,
            chunk: &[],
            at: 0,
            mark: 0,
            flow: 0,
            base: 0,
            reread: 0,
            out,
        };
        pass.end();
        self.len = 0;
        self.state = State::Ended;
        self.wipe(&mut scratch);
        Ok(())
    }

    /// The error of a limit that was met, with `read` bytes of the chunk read.
    fn error(&self, read: usize) -> Option<Error> {
        self.stopped.map(|limit| match limit {
            Limit::Memory => Error::Memory { at: self.offset, read },
            Limit::Nesting => Error::Nesting { at: self.offset, read },
        })
    }

    /// The same machine over `larger`, with what it holds copied there from `memory`.
    fn moved(&self, memory: &Scratch<'_>, larger: &mut Scratch<'_>) -> Self {
        let again = |held: usize| held.saturating_sub(self.again);
        put(larger.held, 0, memory.held.get(..self.len).unwrap_or_default());
        put(larger.held, again(larger.held.len()), memory.held.get(again(memory.held.len())..).unwrap_or_default());
        put(larger.nesting, 0, memory.nesting);
        let used = if self.again == 0 { self.len } else { larger.held.len() };
        Self { used, stopped: None, ..*self }
    }

    fn wipe(&mut self, scratch: &mut Scratch<'_>) {
        wipe(scratch.held.get_mut(..self.used).unwrap_or_default());
        wipe(scratch.nesting);
        self.used = 0;
    }

    /// What is held has no parts any more.
    fn forget_held(&mut self) {
        self.white = 0;
        self.line = 0;
        self.object = 0;
        self.head = 0;
        self.key = 0;
        self.value = 0;
    }

    /// The blank line's ending that stays in the gap when text follows.
    fn gap_ending(&self) -> &'static [u8] {
        if self.blank || !(self.gap == Gap::Lines || self.outer) {
            return b"";
        }
        match self.ending {
            Ending::None => b"",
            Ending::LineFeed => b"\n",
            Ending::Return => b"\r",
            Ending::ReturnLineFeed => b"\r\n",
        }
    }
}

impl Pass<'_, '_> {
    /// Reads the chunk, or as much of it as comes before bytes that are to be read again.
    // Apart from the preparations around it, the states are smaller.
    #[inline(never)]
    fn run(&mut self, begun: Option<(usize, Step)>) -> Result<(), Limit> {
        let mut result = Ok(());
        if let Some((at, step)) = begun {
            self.at = at;
            result = self.value_was_read(step);
        }
        while let Some(&byte) = self.chunk.get(self.at)
            && self.reread == 0
            && result.is_ok()
        {
            result = self.read(byte);
        }
        let kept = self.keep_undecided();
        self.before();
        result.and(kept)
    }

    /// Reads the next byte, or as many as its state takes at once.
    fn read(&mut self, byte: u8) -> Result<(), Limit> {
        match self.m.state {
            State::Text => return self.text(),
            State::Value => return self.value(),
            State::Scalar => self.scalar(),
            State::KeyShown => self.key_shown(),
            State::Passing | State::Swallowing | State::Ended => self.at = self.chunk.len(),
            _ if self.is_full() && self.holds() => return self.make_room(),
            State::Head => self.head(byte),
            State::Key => self.key(byte),
            State::Colon => self.colon(byte),
            State::ValueStart => self.value_start(byte),
            State::Separator => self.separator(byte),
            State::Notes => return self.notes(byte),
            State::Gap => return self.gap(byte),
            State::Fence => self.fence(byte),
        }
        Ok(())
    }

    /// Whether the byte being read is to be held, in a state that reads one at a time.
    fn holds(&self) -> bool {
        !matches!(self.m.state, State::Colon | State::ValueStart) || self.m.role == Role::Reserved
    }

    /// The byte being read would not fit: gives back what is held, or does with a reserved member what was chosen.
    fn make_room(&mut self) -> Result<(), Limit> {
        match self.m.state {
            State::Key | State::Colon | State::ValueStart => self.member_is_full(),
            State::Head | State::Separator => self.give_back_head(),
            _ => self.give_back_lines(),
        }
    }

    /// The bytes read so far are about to be taken away: hands out, hides or keeps each.
    fn keep_undecided(&mut self) -> Result<(), Limit> {
        let mut result = Ok(());
        match (self.m.state, self.m.role) {
            (State::Text | State::Scalar | State::KeyShown, _)
            | (State::Colon | State::ValueStart | State::Value, Role::Kept) => result = self.settle(),
            (State::Colon | State::ValueStart | State::Value, Role::Hidden) | (State::Swallowing, _) => self.hide(),
            (State::Passing, _) => self.mark = self.at,
            _ => {}
        }
        self.flush();
        self.keep(self.at);
        result
    }

    /// The text is over.
    fn end(&mut self) {
        match self.m.state {
            State::Key => self.show(self.dropped()),
            State::Colon | State::ValueStart | State::Value if self.m.role != Role::Kept => {
                self.end_in_reserved_member();
            }
            State::Separator if self.m.kept => self.show(0..0),
            State::Separator => self.notes_object_ends(),
            State::Fence => self.end_in_fence_line(),
            State::Swallowing => self.lose(),
            _ => {}
        }
        match self.m.state {
            State::Notes => self.end_in_gap(),
            State::Gap if self.m.gap == Gap::Lines || self.m.gone => self.end_in_gap(),
            _ => self.show_all(0..0),
        }
    }
}
