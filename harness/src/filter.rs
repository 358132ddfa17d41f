//! The reserved-member filter for those who have an allocator.

use std::io::{self, Write};
use std::mem;

use sidenote_core::{self as core, Error, Event, Keys, OnFull, Removed, least_memory};

/// The memory that a [`Filter`] may grow to where nothing else is said, in bytes: one MiB.
pub const MEMORY_CEILING: usize = 1 << 20;

/// The memory that a filter begins with where its ceiling is not lower, in bytes.
const FIRST_MEMORY: usize = 4 << 10;

/// The reserved-member filter, with memory that grows from 4 KiB up to a ceiling.
///
/// It gives exactly what [`sidenote_core::Filter`] gives over a memory as large as the ceiling.
///
/// ```
/// use sidenote::{Event, Filter, Keys};
///
/// let mut shown = Vec::new();
/// let mut filter = Filter::new(Keys::default())?;
/// for token in ["Done.\n\n{\"_find", "ings\":", " [\"two", " sources\"]}", "\n\nBye."] {
///     filter.push(token.as_bytes(), |event| {
///         if let Event::Text(bytes) = event {
///             shown.extend_from_slice(bytes);
///         }
///     })?;
/// }
/// filter.end(|_| ())?;
/// assert_eq!(shown, b"Done.\n\nBye.");
/// # Ok::<(), sidenote::Error>(())
/// ```
#[derive(Debug)]
pub struct Filter<'k> {
    machine: core::Filter<'k, Vec<u8>>,
    memory: usize,
    ceiling: usize,
    on_full: OnFull,
}

impl<'k> Filter<'k> {
    /// A filter whose memory grows up to [`MEMORY_CEILING`] and that then fails.
    ///
    /// # Errors
    ///
    /// [`Error::TooSmall`] where the keys are so long that this is too little.
    pub fn new(keys: Keys<'k>) -> Result<Self, Error> {
        Self::with_ceiling(keys, MEMORY_CEILING, OnFull::Fail)
    }

    /// A filter whose memory grows up to `ceiling` bytes; where that is full, it does what `on_full` says.
    ///
    /// It grows anyway, so [`OnFull::Grow`] is as [`OnFull::Fail`] here.
    ///
    /// # Errors
    ///
    /// [`Error::TooSmall`] where `ceiling` is less than [`least_memory`].
    pub fn with_ceiling(keys: Keys<'k>, ceiling: usize, on_full: OnFull) -> Result<Self, Error> {
        let on_full = if on_full == OnFull::Grow { OnFull::Fail } else { on_full };
        let memory = FIRST_MEMORY.max(least_memory(keys)).min(ceiling);
        let choice = if memory < ceiling { OnFull::Grow } else { on_full };
        let machine = core::Filter::new(keys, vec![0; memory])?.on_full(choice);
        Ok(Self { machine, memory, ceiling, on_full })
    }

    /// Reads the next bytes of the text and hands out what is decided.
    ///
    /// # Errors
    ///
    /// [`Error::Memory`] or [`Error::Nesting`] where the ceiling was reached and [`OnFull::Fail`] chosen; [`Error::Ended`]
    /// after [`Filter::end`].
    pub fn push(&mut self, chunk: &[u8], mut on: impl FnMut(Event<'_>)) -> Result<(), Error> {
        let mut done = 0;
        loop {
            let rest = chunk.get(done..).unwrap_or_default();
            let error = match self.machine.push(rest, &mut on) {
                Ok(()) => return Ok(()),
                Err(error) => error,
            };
            let (Error::Memory { read, .. } | Error::Nesting { read, .. }) = error else { return Err(error) };
            done += read;
            if self.memory == self.ceiling {
                return Err(match error {
                    Error::Memory { at, .. } => Error::Memory { at, read: done },
                    Error::Nesting { at, .. } => Error::Nesting { at, read: done },
                    other => other,
                });
            }
            self.grow()?;
        }
    }

    /// The text is over: hands out or drops what was held.
    ///
    /// # Errors
    ///
    /// That of an earlier [`Filter::push`], which then stands.
    pub fn end(&mut self, on: impl FnMut(Event<'_>)) -> Result<(), Error> {
        self.machine.end(on)
    }

    /// Whether something was given back for lack of room; see [`sidenote_core::Filter::released`].
    #[must_use]
    pub fn released(&self) -> bool {
        self.machine.released()
    }

    fn grow(&mut self) -> Result<(), Error> {
        self.memory = self.memory.saturating_mul(2).min(self.ceiling);
        let empty = core::Filter::new(Keys::all(&[]), vec![0; least_memory(Keys::all(&[]))])?;
        let choice = if self.memory < self.ceiling { OnFull::Grow } else { self.on_full };
        self.machine = mem::replace(&mut self.machine, empty).moved_to(vec![0; self.memory])?.on_full(choice);
        Ok(())
    }
}

/// A writer that passes on what is written to it without its notes.
///
/// ```
/// use std::io::Write;
/// use sidenote::{Filter, FilterWriter, Keys};
///
/// let mut notes = 0;
/// let mut writer = FilterWriter::new(Vec::new(), Filter::new(Keys::default())?, |_| notes += 1);
/// writer.write_all(b"{\"a\": 1, \"_findings\": true}")?;
/// assert_eq!(writer.finish()?, b"{\"a\": 1}");
/// assert_eq!(notes, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FilterWriter<'k, W, F> {
    filter: Filter<'k>,
    to: W,
    on_note: F,
}

impl<'k, W: Write, F: FnMut(Event<'_>)> FilterWriter<'k, W, F> {
    /// A writer to `to`; every event but text, such as a member that is taken out, goes to `on_note`.
    pub fn new(to: W, filter: Filter<'k>, on_note: F) -> Self {
        Self { filter, to, on_note }
    }

    /// Whether something was given back for lack of room; see [`sidenote_core::Filter::released`].
    #[must_use]
    pub fn released(&self) -> bool {
        self.filter.released()
    }

    /// The text is over: writes what is left of it.
    ///
    /// # Errors
    ///
    /// What the inner writer answers, or an [`Error`] of the filter as the source of one of kind `InvalidData`.
    pub fn finish(mut self) -> io::Result<W> {
        let mut written = Ok(());
        let ended = self.filter.end(pass_on(&mut self.to, &mut self.on_note, &mut written));
        written?;
        ended.map_err(invalid)?;
        Ok(self.to)
    }
}

impl<W: Write, F: FnMut(Event<'_>)> Write for FilterWriter<'_, W, F> {
    /// Takes all of `bytes`, or fails.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = Ok(());
        let pushed = self.filter.push(bytes, pass_on(&mut self.to, &mut self.on_note, &mut written));
        written?;
        pushed.map_err(invalid)?;
        Ok(bytes.len())
    }

    /// Flushes the inner writer; what is undecided stays held.
    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Writes text until that fails, and passes everything else on.
fn pass_on<'f, W: Write, F: FnMut(Event<'_>)>(
    to: &'f mut W,
    on_note: &'f mut F,
    written: &'f mut io::Result<()>,
) -> impl FnMut(Event<'_>) + 'f {
    move |event| match event {
        Event::Text(bytes) => {
            if written.is_ok() {
                *written = to.write_all(bytes);
            }
        }
        other => on_note(other),
    }
}

fn invalid(error: Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

/// A text without its reserved members, and the members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filtered {
    /// What is visible.
    pub text: Vec<u8>,
    /// What was taken out, in text order.
    pub removed: Vec<RemovedMember>,
}

/// A reserved member that was taken out of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovedMember {
    /// Which object of the text held it, counted from 0.
    pub object: u64,
    /// Which of the keys it has.
    pub key: usize,
    /// Its value as written, cut short where the text ended inside it.
    pub value: Vec<u8>,
    /// Whether the value ended before the text did.
    pub complete: bool,
}

/// Filters a whole text, with as much memory as that takes: at most about four times the text's size, and that only where it is one
/// deep nesting.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "memory without a ceiling is never full")]
pub fn filter(text: &[u8], keys: Keys<'_>) -> Filtered {
    let mut filtered = Filtered { text: Vec::with_capacity(text.len()), removed: Vec::new() };
    let mut on = |event: Event<'_>| match event {
        Event::Text(bytes) => filtered.text.extend_from_slice(bytes),
        Event::Removed(Removed { object, key, value, complete, .. }) => {
            let value = value.unwrap_or_default().to_vec();
            filtered.removed.push(RemovedMember { object, key, value, complete });
        }
        _ => {}
    };
    Filter::with_ceiling(keys, usize::MAX, OnFull::Fail)
        .and_then(|mut filter| {
            filter.push(text, &mut on)?;
            filter.end(&mut on)
        })
        .expect("memory without a ceiling is never full");
    filtered
}
