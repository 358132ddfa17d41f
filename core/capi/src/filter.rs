//! The reserved-member filter.

use core::ffi::c_void;
use core::ptr;

use sidenote_core as machine;
use sidenote_core::Keys;

use crate::storage::{self, Storage};
use crate::{Answer, Status};

/// How many 64-bit words a filter's state takes.
pub const SIDENOTE_FILTER_WORDS: usize = if cfg!(target_pointer_width = "64") { 32 } else { 24 };

/// A filter's state. To be initialized with sidenote_filter_init, and not to be moved or copied until sidenote_filter_end.
#[repr(C)]
#[derive(Debug)]
pub struct Filter {
    /// Not to be looked at.
    pub opaque: [u64; SIDENOTE_FILTER_WORDS],
}

impl Storage for Filter {
    type Machine = machine::Filter<'static, &'static mut [u8]>;
    const TAG: u32 = 0x5344_4E10;
}

/// A reserved key. To be initialized with sidenote_key_init.
#[repr(C)]
#[derive(Debug)]
pub struct Key {
    /// Not to be looked at.
    pub opaque: [usize; 2],
}

const _: () = assert!(size_of::<Key>() == size_of::<&str>() && align_of::<Key>() == align_of::<&str>());

/// What happens when a reserved member, or the nesting of any value, does not fit in the lent memory.
#[repr(u32)]
#[derive(Clone, Copy, Debug)]
pub enum OnFull {
    /// Reading stops with SIDENOTE_STATUS_MEMORY or SIDENOTE_STATUS_NESTING.
    Fail = 0,
    /// The member stays in the text: fidelity before secrecy. Where the nesting does not fit, the rest passes unread.
    Show = 1,
    /// The member goes and is reported without its value: secrecy before fidelity. Where the nesting does not fit, nothing
    /// more is visible.
    Hide = 2,
    /// Reading stops at whatever does not fit, so that nothing is given back: for a caller that then goes on in a larger memory.
    Grow = 3,
}

/// What a filter's event tells.
#[repr(u32)]
#[derive(Clone, Copy, Debug)]
pub enum EventKind {
    /// The next bytes of the text without its notes: `bytes` and `length`.
    Text = 0,
    /// A reserved member that was taken out: `object`, `key`, `complete`, and its value as written in `bytes` and `length`.
    /// `bytes` is null where the value was longer than the lent memory and SIDENOTE_ON_FULL_HIDE was chosen.
    Removed = 1,
    /// `lost` bytes were hidden for lack of room and turned out not to be a reserved member's, or might not have been; the object that
    /// they were read in is `object`. Only under SIDENOTE_ON_FULL_HIDE.
    Lost = 2,
}

/// What a filter hands out. The bytes are good until the callback returns.
#[repr(C)]
#[derive(Debug)]
pub struct Event {
    /// What it tells.
    pub kind: EventKind,
    /// A removed member: whether its value ended before the text did.
    pub complete: bool,
    /// A removed member: which of the keys it has, from 0.
    pub key: usize,
    /// The bytes, or null.
    pub bytes: *const u8,
    /// How many bytes `bytes` points to.
    pub length: usize,
    /// A removed member and lost bytes: the number of the object, counted from 0 in text order; every `{` that could have begun one counts.
    pub object: u64,
    /// How many bytes were lost.
    pub lost: u64,
}

/// Gets what a filter hands out, in text order. It must return, and must not call the same filter.
pub type OnEvent = Option<unsafe extern "C" fn(context: *mut c_void, event: *const Event)>;

/// Initializes a key with the `length` bytes at `bytes`, UTF-8 without quotes or escapes, which must stay where they are as long as the key is in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_key_init(key: *mut Key, bytes: *const u8, length: usize) -> Status {
    if key.is_null() || !key.is_aligned() {
        return Status::Invalid;
    }
    // SAFETY: the caller vouches for the bytes and for how long they stay.
    let bytes = unsafe { storage::slice::<u8>(bytes, length) };
    match bytes.map(core::str::from_utf8) {
        Ok(Ok(text)) => {
            // SAFETY: not null, aligned, and of the size of a `&str`, as asserted above.
            unsafe { key.cast::<&'static str>().write(text) };
            Status::Ok
        }
        _ => Status::Invalid,
    }
}

/// The keys that C calls `keys` and `count`.
///
/// # Safety
///
/// `keys` is null or points to `count` initialized keys, which stay as long as the filter.
unsafe fn keys(keys: *const Key, count: usize) -> Result<Keys<'static>, Status> {
    if keys.is_null() {
        return if count == 0 { Ok(Keys::default()) } else { Err(Status::Invalid) };
    }
    // SAFETY: what the caller vouches for.
    let keys = unsafe { storage::slice(keys, count) }?;
    if keys.iter().any(|key| key.opaque == [0; 2]) {
        return Err(Status::Invalid);
    }
    // SAFETY: `sidenote_key_init` put a `&str` into each, which has the same size and alignment.
    Ok(Keys::all(unsafe { core::slice::from_raw_parts(keys.as_ptr().cast::<&'static str>(), keys.len()) }))
}

/// The least memory that a filter with these keys begins with, in bytes: 63 for `_findings`. 0 where an argument cannot be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_filter_least_memory(keys: *const Key, count: usize) -> usize {
    // SAFETY: what the caller vouches for.
    unsafe { self::keys(keys, count) }.map_or(0, machine::least_memory)
}

/// How many bytes the library takes a sidenote_filter to be: for bindings that cannot read this header.
#[unsafe(no_mangle)]
pub extern "C" fn sidenote_filter_size() -> usize {
    size_of::<Filter>()
}

/// Initializes a filter over the `size` bytes of `memory`, which it holds until sidenote_filter_end.
///
/// `keys` points to the `count` reserved keys, which must stay as long. Null and 0 mean the one key `_findings`; not null and 0, that nothing is reserved. `on_full` is one of sidenote_on_full.
///
/// SIDENOTE_STATUS_TOO_SMALL: `size` is less than sidenote_filter_least_memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_filter_init(
    filter: *mut Filter,
    keys: *const Key,
    count: usize,
    memory: *mut u8,
    size: usize,
    on_full: u32,
) -> Status {
    let Some(on_full) = choice(on_full) else { return Status::Invalid };
    // SAFETY: what the caller vouches for.
    let (Ok(keys), Ok(memory)) = (unsafe { (self::keys(keys, count), storage::lent(memory, size)) }) else {
        return Status::Invalid;
    };
    // SAFETY: what the caller vouches for.
    Status::flat(unsafe { storage::init(filter, || Ok(machine::Filter::new(keys, memory)?.on_full(on_full))) })
}

/// Reads the next `length` bytes of the text and hands out what is decided.
///
/// Text is handed out as parts of `chunk` wherever possible. A chunk of length 0 may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_filter_push(
    filter: *mut Filter,
    chunk: *const u8,
    length: usize,
    on: OnEvent,
    context: *mut c_void,
) -> Answer {
    let Some(on) = on else { return Answer::of(Err(Status::Invalid), 0) };
    // SAFETY: what the caller vouches for.
    let done = unsafe {
        storage::slice(chunk, length)
            .and_then(|chunk| storage::with(filter, |filter| filter.push(chunk, |event| hand_out(on, context, event))))
    };
    Answer::of(done, length)
}

/// The text is over: hands out or drops what was held, and overwrites the lent memory as far as it was used.
///
/// After an error of sidenote_filter_push it answers with that error and does nothing: what was held stays in memory (see sidenote_filter_held) until
/// sidenote_filter_discard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_filter_end(filter: *mut Filter, on: OnEvent, context: *mut c_void) -> Answer {
    let Some(on) = on else { return Answer::of(Err(Status::Invalid), 0) };
    // SAFETY: what the caller vouches for.
    let done = unsafe { storage::with(filter, |filter| filter.end(|event| hand_out(on, context, event))) };
    Answer::of(done, 0)
}

/// Goes on in a larger memory: copies what is held there, overwrites the old one and clears SIDENOTE_STATUS_MEMORY or SIDENOTE_STATUS_NESTING.
///
/// Reading goes on at the byte that did not fit; `read` in the answer of sidenote_filter_push says where in the chunk that is. `on_full` holds from now
/// on: who grows in steps chooses SIDENOTE_ON_FULL_GROW for all but the last. The new memory must not overlap the old one, so a `realloc` before the move is wrong.
///
/// SIDENOTE_STATUS_TOO_SMALL: `size` is less than the memory had so far; the filter is then given up, as with sidenote_filter_discard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_filter_move(
    filter: *mut Filter,
    memory: *mut u8,
    size: usize,
    on_full: u32,
) -> Status {
    let Some(on_full) = choice(on_full) else { return Status::Invalid };
    // SAFETY: what the caller vouches for.
    let done = unsafe {
        storage::go_on(
            filter,
            memory,
            size,
            |filter| filter.memory(),
            |filter, memory| Ok(filter.moved_to(memory)?.on_full(on_full)),
        )
    };
    Status::flat(done)
}

/// What C calls `on_full`.
fn choice(on_full: u32) -> Option<machine::OnFull> {
    match on_full {
        0 => Some(machine::OnFull::Fail),
        1 => Some(machine::OnFull::Show),
        2 => Some(machine::OnFull::Hide),
        3 => Some(machine::OnFull::Grow),
        _ => None,
    }
}

/// The bytes that are held back, and how many in `length`: after an error, what was read and not handed out. Null where an argument cannot be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_filter_held(filter: *mut Filter, length: *mut usize) -> *const u8 {
    if length.is_null() || !length.is_aligned() {
        return ptr::null();
    }
    // SAFETY: what the caller vouches for.
    let held = unsafe { storage::with(filter, |filter| (filter.held().as_ptr(), filter.held().len())) };
    let (bytes, held) = held.unwrap_or((ptr::null(), 0));
    // SAFETY: not null and aligned; the caller vouches for the rest.
    unsafe { length.write(held) };
    bytes
}

/// Whether something was given back for lack of room, so that a blank line, a `{}`, a `{ }` or a comma may have stayed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_filter_released(filter: *mut Filter) -> bool {
    // SAFETY: what the caller vouches for.
    unsafe { storage::with(filter, |filter| filter.released()) }.unwrap_or(false)
}

/// Gives a filter up before its text is over, and overwrites the lent memory as far as it was used. After a sidenote_filter_end that answered
/// SIDENOTE_STATUS_OK it is not needed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_filter_discard(filter: *mut Filter) -> Status {
    // SAFETY: what the caller vouches for.
    Status::flat(unsafe { storage::take(filter) }.map(|_| Status::Ok))
}

/// Calls back with one event.
///
/// # Safety
///
/// `on` may be called with `context`.
unsafe fn hand_out(
    on: unsafe extern "C" fn(*mut c_void, *const Event),
    context: *mut c_void,
    event: machine::Event<'_>,
) {
    let blank =
        Event { kind: EventKind::Lost, complete: false, key: 0, bytes: ptr::null(), length: 0, object: 0, lost: 0 };
    let event = match event {
        machine::Event::Text(bytes) => {
            Event { kind: EventKind::Text, bytes: bytes.as_ptr(), length: bytes.len(), ..blank }
        }
        machine::Event::Removed(note) => Event {
            kind: EventKind::Removed,
            complete: note.complete,
            key: note.key,
            bytes: note.value.map_or(ptr::null(), <[u8]>::as_ptr),
            length: note.value.map_or(0, <[u8]>::len),
            object: note.object,
            lost: 0,
        },
        machine::Event::Lost { object, bytes } => Event { object, lost: bytes, ..blank },
        _ => return,
    };
    // SAFETY: what the caller vouches for.
    unsafe { on(context, &raw const event) };
}
