//! Leading values.

use core::ffi::c_void;

use sidenote_core as machine;

use crate::storage::{self, Storage};
use crate::{Answer, Span, Status};

/// How many 64-bit words the state of a reader of JSON takes.
pub const SIDENOTE_JSON_WORDS: usize = 16;

/// The state of a reader of leading values. To be initialized with sidenote_leading_init.
#[repr(C)]
#[derive(Debug)]
pub struct Leading {
    /// Not to be looked at.
    pub opaque: [u64; SIDENOTE_JSON_WORDS],
}

impl Storage for Leading {
    type Machine = machine::LeadingValues<&'static mut [u8]>;
    const TAG: u32 = 0x5344_4E30;
}

/// Why the reading of leading values stopped.
#[repr(u32)]
#[derive(Clone, Copy, Debug)]
pub enum Stopped {
    /// The text was used up.
    End = 0,
    /// The next byte begins no object and no array.
    Opener = 1,
    /// The text ends inside a value that could still go on.
    Cut = 2,
    /// The byte at `at` cannot be taken where it stands in a value.
    Byte = 3,
}

/// What a text opens with.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LeadingOutcome {
    /// Why the reading stopped.
    pub stopped: Stopped,
    /// The offset where what follows the values begins, without the white space before it.
    pub rest: u64,
    /// SIDENOTE_STOPPED_BYTE: the offset of the byte. Else 0.
    pub at: u64,
}

/// Gets each complete value, in text order. It must return, and must not call the same reader.
pub type OnValue = Option<unsafe extern "C" fn(context: *mut c_void, value: *const Span)>;

/// Initializes a reader over the `size` bytes of `memory`, each of which is good for 8 levels of nesting.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_leading_init(reader: *mut Leading, memory: *mut u8, size: usize) -> Status {
    // SAFETY: what the caller vouches for.
    let done = unsafe {
        storage::lent(memory, size).and_then(|memory| storage::init(reader, || Ok(machine::LeadingValues::new(memory))))
    };
    Status::flat(done)
}

/// Reads the next `length` bytes of the text and hands out each value that becomes complete.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_leading_push(
    reader: *mut Leading,
    chunk: *const u8,
    length: usize,
    on: OnValue,
    context: *mut c_void,
) -> Answer {
    let Some(on) = on else { return Answer::of(Err(Status::Invalid), 0) };
    // SAFETY: what the caller vouches for.
    let done = unsafe {
        storage::slice(chunk, length).and_then(|chunk| {
            storage::with(reader, |reader| {
                reader.push(chunk, |range| {
                    let span = Span::from(range);
                    on(context, &raw const span);
                })
            })
        })
    };
    Answer::of(done, length)
}

/// Goes on in a larger memory, at the bracket that did not fit; `read` in the answer of sidenote_leading_push says where in the chunk that is.
///
/// SIDENOTE_STATUS_TOO_SMALL: `size` is less than the memory had so far; the reader is then given up. The new memory must not overlap the old one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_leading_move(reader: *mut Leading, memory: *mut u8, size: usize) -> Status {
    // SAFETY: what the caller vouches for.
    Status::flat(unsafe {
        storage::go_on(reader, memory, size, |reader| reader.memory(), machine::LeadingValues::moved_to)
    })
}

/// The text is over: tells in `outcome`, unless that is null, where what follows the values begins and why the reading stopped there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_leading_end(reader: *mut Leading, outcome: *mut LeadingOutcome) -> Status {
    // SAFETY: what the caller vouches for.
    let ended =
        storage::can_tell(outcome).and_then(|()| unsafe { storage::take(reader) }).map(machine::LeadingValues::end);
    let told = ended.map(|ended| {
        let (stopped, at) = match ended.stopped {
            machine::Stopped::End => (Stopped::End, 0),
            machine::Stopped::Opener => (Stopped::Opener, 0),
            machine::Stopped::Cut => (Stopped::Cut, 0),
            machine::Stopped::Byte(at) => (Stopped::Byte, at),
        };
        LeadingOutcome { stopped, rest: ended.rest, at }
    });
    // SAFETY: what the caller vouches for.
    Status::flat(told.map(|told| unsafe { storage::tell(outcome, told) }))
}
