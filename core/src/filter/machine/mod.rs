//! The filter's machine: its state, and a chunk's way through it.
//!
//! One pass, in three layers. *Reading* says what the next byte means: [`prose`], [`list`], [`object`] and [`block`].
//! *Lines* says what a whole line that goes takes with it: [`mod@line`]. *Letting out* keeps what is undecided and
//! hands out what is visible: [`held`]. The last never looks at JSON.

mod block;
mod held;
mod line;
mod list;
mod object;
mod prose;

use super::keys::{Keys, Match};
use super::{Event, OnFull, Removed, least_memory};
use crate::SHORTCUTS;
use crate::error::Error;
use crate::fence::{Before, Run};
use crate::json::{Step, Value};
use crate::scratch::{Scratch, put, wipe};

use list::List;

/// Up to how many bytes a chunk is looked at for a way around a whole pass.
const SMALL: usize = 64;

/// The state apart from the lent memory.
///
/// Small fields come first, where small machines reach them with short instructions.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Machine<'k> {
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
    pub(super) on_full: OnFull,
    pub(super) released: bool,
    stopped: Option<Limit>,

    // Held bytes: see `held`.
    pub(super) len: usize,
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
    pub(super) const fn new(keys: Keys<'k>) -> Self {
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
    pub(super) fn push(
        &mut self,
        memory: &mut [u8],
        chunk: &[u8],
        out: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), Error> {
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
        if chunk.is_empty() || chunk.len() > SMALL || undecided {
            return Glance::Undecided(None);
        }
        match (self.state, self.role) {
            (State::Text, _) if matches!(self.list, List::None) && self.before.is_text() && prose::is_plain(chunk) => {
                Glance::Visible
            }
            (State::Value, Role::Kept) => {
                // What the value's machine has read it has read: a pass goes on behind it.
                let (at, step) = self.json.read(Scratch::new(memory).nesting, chunk, 0);
                if step == Step::More && !held::ends_in_white_line(chunk) {
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

    pub(super) fn end(&mut self, memory: &mut [u8], out: &mut dyn FnMut(Event<'_>)) -> Result<(), Error> {
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
    pub(super) fn moved(&self, memory: &Scratch<'_>, larger: &mut Scratch<'_>) -> Self {
        let again = |held: usize| held.saturating_sub(self.again);
        put(larger.held, 0, memory.held.get(..self.len).unwrap_or_default());
        put(larger.held, again(larger.held.len()), memory.held.get(again(memory.held.len())..).unwrap_or_default());
        put(larger.nesting, 0, memory.nesting);
        let used = if self.again == 0 { self.len } else { larger.held.len() };
        Self { used, stopped: None, ..*self }
    }

    pub(super) fn wipe(&mut self, scratch: &mut Scratch<'_>) {
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
