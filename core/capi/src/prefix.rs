//! The leaves of JSON that is cut short.

use core::ffi::c_void;
use core::ptr;

use sidenote_core as machine;

use crate::storage::{self, Storage};
use crate::{Answer, SIDENOTE_JSON_WORDS, Status};

/// The state of a reader of a JSON prefix. To be initialized with sidenote_prefix_init.
#[repr(C)]
#[derive(Debug)]
pub struct Prefix {
    /// Not to be looked at.
    pub opaque: [u64; SIDENOTE_JSON_WORDS],
}

impl Storage for Prefix {
    type Machine = machine::JsonPrefix<&'static mut [u8]>;
    const TAG: u32 = 0x5344_4E40;
}

/// What an event of a JSON prefix tells.
#[repr(u32)]
#[derive(Clone, Copy, Debug)]
pub enum PrefixKind {
    /// An object opens with the bracket at `at`.
    OpenObject = 0,
    /// An array opens with the bracket at `at`.
    OpenArray = 1,
    /// The innermost container is complete and ends before `at`.
    Close = 2,
    /// A string begins with the quote at `at`: `key` and `depth`. Only what SIDENOTE_PREFIX_KIND_END follows is complete.
    BeginString = 3,
    /// A number begins at `at`, likewise.
    BeginNumber = 4,
    /// `true` begins at `at`, likewise.
    BeginTrue = 5,
    /// `false` begins at `at`, likewise.
    BeginFalse = 6,
    /// `null` begins at `at`, likewise.
    BeginNull = 7,
    /// The next bytes of the leaf, which stand for themselves: `bytes` and `length`. A string's quotes are not among them.
    Written = 8,
    /// The next character of a string, which an escape or a pair of them stands for: its code point is `character`, U+FFFD for half a pair.
    Decoded = 9,
    /// The leaf is complete and ends before `at`: a string at its quote, anything else at the byte behind it.
    End = 10,
}

/// What the reader of a JSON prefix hands out. The bytes are good until the callback returns.
#[repr(C)]
#[derive(Debug)]
pub struct PrefixEvent {
    /// What it tells.
    pub kind: PrefixKind,
    /// A leaf that begins: whether it is the key of a member.
    pub key: bool,
    /// A decoded character's code point.
    pub character: u32,
    /// An offset from the beginning of the text.
    pub at: u64,
    /// A leaf that begins: how many containers are open around it; one for what stands in the outermost.
    pub depth: u64,
    /// The bytes written, or null.
    pub bytes: *const u8,
    /// How many.
    pub length: usize,
}

/// How a text ended, as far as it is one JSON object or array.
#[repr(u32)]
#[derive(Clone, Copy, Debug)]
pub enum Ended {
    /// It could still go on.
    Cut = 0,
    /// The outermost value closed; what follows it was not looked at.
    Closed = 1,
    /// The byte at `at` cannot be taken, or begins no object and no array.
    Byte = 2,
}

/// What a JSON prefix was.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PrefixOutcome {
    /// How the text ended.
    pub ended: Ended,
    /// Whether the text ended in a string that has whole words.
    pub has_words: bool,
    /// SIDENOTE_ENDED_BYTE: the offset of the byte. Else 0.
    pub at: u64,
    /// How many bytes, of those that the string's events spell in UTF-8, are its whole words.
    pub words: u64,
}

/// Gets what the reader hands out, in text order. It must return, and must not call the same reader.
pub type OnPrefix = Option<unsafe extern "C" fn(context: *mut c_void, event: *const PrefixEvent)>;

/// Initializes a reader over the `size` bytes of `memory`, each of which is good for 8 levels of nesting.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_prefix_init(reader: *mut Prefix, memory: *mut u8, size: usize) -> Status {
    // SAFETY: what the caller vouches for.
    let done = unsafe {
        storage::lent(memory, size).and_then(|memory| storage::init(reader, || Ok(machine::JsonPrefix::new(memory))))
    };
    Status::flat(done)
}

/// Reads the next `length` bytes of the text and hands out its tokens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_prefix_push(
    reader: *mut Prefix,
    chunk: *const u8,
    length: usize,
    on: OnPrefix,
    context: *mut c_void,
) -> Answer {
    let Some(on) = on else { return Answer::of(Err(Status::Invalid), 0) };
    // SAFETY: what the caller vouches for.
    let done = unsafe {
        storage::slice(chunk, length)
            .and_then(|chunk| storage::with(reader, |reader| reader.push(chunk, |event| hand_out(on, context, event))))
    };
    Answer::of(done, length)
}

/// Goes on in a larger memory, at the bracket that did not fit; `read` in the answer of sidenote_prefix_push says where in the chunk that is.
///
/// SIDENOTE_STATUS_TOO_SMALL: `size` is less than the memory had so far; the reader is then given up. The new memory must not overlap the old one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_prefix_move(reader: *mut Prefix, memory: *mut u8, size: usize) -> Status {
    // SAFETY: what the caller vouches for.
    Status::flat(unsafe {
        storage::go_on(reader, memory, size, |reader| reader.memory(), machine::JsonPrefix::moved_to)
    })
}

/// Writes the opening brackets of the containers that are open, the outermost first, to the `size` bytes at `brackets`, as far as they fit.
/// Answers with how many there are; 0 behind a value that closed, or where an argument cannot be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_prefix_open(reader: *mut Prefix, brackets: *mut u8, size: usize) -> usize {
    // SAFETY: what the caller vouches for.
    let open = unsafe {
        storage::lent(brackets, size).and_then(|brackets| {
            storage::with(reader, |reader| {
                brackets.iter_mut().zip(reader.open()).for_each(|(place, bracket)| *place = bracket);
                reader.open().count()
            })
        })
    };
    open.unwrap_or(0)
}

/// The text is over: tells in `outcome`, unless that is null, how it ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_prefix_end(reader: *mut Prefix, outcome: *mut PrefixOutcome) -> Status {
    // SAFETY: what the caller vouches for.
    let ended =
        storage::can_tell(outcome).and_then(|()| unsafe { storage::take(reader) }).map(machine::JsonPrefix::end);
    let told = ended.map(|told| {
        let (ended, at) = match told.ended {
            machine::Ended::Cut => (Ended::Cut, 0),
            machine::Ended::Closed => (Ended::Closed, 0),
            machine::Ended::Byte(at) => (Ended::Byte, at),
        };
        PrefixOutcome { ended, has_words: told.words.is_some(), at, words: told.words.unwrap_or(0) }
    });
    // SAFETY: what the caller vouches for.
    Status::flat(told.map(|told| unsafe { storage::tell(outcome, told) }))
}

/// Calls back with one event.
///
/// # Safety
///
/// `on` may be called with `context`.
unsafe fn hand_out(
    on: unsafe extern "C" fn(*mut c_void, *const PrefixEvent),
    context: *mut c_void,
    event: machine::PrefixEvent<'_>,
) {
    let plain = |kind, at| PrefixEvent { kind, key: false, character: 0, at, depth: 0, bytes: ptr::null(), length: 0 };
    let event = match event {
        machine::PrefixEvent::Open { object: true, at } => plain(PrefixKind::OpenObject, at),
        machine::PrefixEvent::Open { object: false, at } => plain(PrefixKind::OpenArray, at),
        machine::PrefixEvent::Close(at) => plain(PrefixKind::Close, at),
        machine::PrefixEvent::Begin(leaf) => {
            let kind = match leaf.kind {
                machine::Kind::String => PrefixKind::BeginString,
                machine::Kind::Number => PrefixKind::BeginNumber,
                machine::Kind::True => PrefixKind::BeginTrue,
                machine::Kind::False => PrefixKind::BeginFalse,
                machine::Kind::Null => PrefixKind::BeginNull,
            };
            PrefixEvent { key: leaf.key, depth: leaf.depth, ..plain(kind, leaf.start) }
        }
        machine::PrefixEvent::Written(bytes) => {
            PrefixEvent { bytes: bytes.as_ptr(), length: bytes.len(), ..plain(PrefixKind::Written, 0) }
        }
        machine::PrefixEvent::Decoded(character) => {
            PrefixEvent { character: character.into(), ..plain(PrefixKind::Decoded, 0) }
        }
        machine::PrefixEvent::End(at) => plain(PrefixKind::End, at),
    };
    // SAFETY: what the caller vouches for.
    unsafe { on(context, &raw const event) };
}
