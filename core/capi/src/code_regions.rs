//! Code regions.

use core::ffi::c_void;
use core::ops::Range;

use sidenote_core as machine;

use crate::storage::{self, Storage};
use crate::{Answer, Status};

/// How many 64-bit words the state of a reader of code regions takes.
pub const SIDENOTE_CODE_REGIONS_WORDS: usize = 16;

/// The state of a reader of code regions. To be initialized with sidenote_code_regions_init.
#[repr(C)]
#[derive(Debug)]
pub struct CodeRegions {
    /// Not to be looked at.
    pub opaque: [u64; SIDENOTE_CODE_REGIONS_WORDS],
}

impl Storage for CodeRegions {
    type Machine = machine::CodeRegions;
    const TAG: u32 = 0x5344_4E20;
}

/// Bytes of the text, from one offset to before another, both from its beginning.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u64,
    /// The offset behind the last byte.
    pub end: u64,
}

impl From<Range<u64>> for Span {
    fn from(range: Range<u64>) -> Self {
        Self { start: range.start, end: range.end }
    }
}

/// One fenced block of a text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CodeRegion {
    /// Its number among the regions read, from 1.
    pub block: u64,
    /// From the beginning of its opening line to behind its closing line, line ending included.
    pub all: Span,
    /// What stands between its two fence lines, without the line ending before the closing one.
    pub content: Span,
    /// The opening line's info string, without spaces around it.
    pub info: Span,
}

/// What there was besides the regions.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RegionsOutcome {
    /// How many regions there were past the most that were wanted.
    pub dropped: u64,
    /// Whether reading stopped before the text ended.
    pub stopped: bool,
    /// The fence character of a block that is open at the end; 0 for none.
    pub open_fence: u8,
    /// Where reading stopped: the offset of the first byte from which no region is read.
    pub stopped_at: u64,
    /// How many fence characters open the block that is open at the end.
    pub open_fence_length: u64,
}

/// Gets each region, in text order. It must return, and must not call the same reader.
pub type OnRegion = Option<unsafe extern "C" fn(context: *mut c_void, region: *const CodeRegion)>;

/// Initializes a reader of at most `max` regions; more are counted. SIDENOTE_MAX_CODE_REGIONS is what a prompt can use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_code_regions_init(reader: *mut CodeRegions, max: u64) -> Status {
    // SAFETY: what the caller vouches for.
    Status::flat(unsafe { storage::init(reader, || Ok(machine::CodeRegions::with_max(max))) })
}

/// Reads the next `length` bytes of the text and hands out each region that is complete. It needs no lent memory and meets no limit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_code_regions_push(
    reader: *mut CodeRegions,
    chunk: *const u8,
    length: usize,
    on: OnRegion,
    context: *mut c_void,
) -> Answer {
    let Some(on) = on else { return Answer::of(Err(Status::Invalid), 0) };
    // SAFETY: what the caller vouches for.
    let done = unsafe {
        storage::slice(chunk, length).and_then(|chunk| {
            storage::with(reader, |reader| reader.push(chunk, |region| hand_out(on, context, region)))
        })
    };
    Answer::of(done.map(Ok), length)
}

/// The text is over: hands out a region that its last line closed, and tells in `outcome`, unless that is null, what else there was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sidenote_code_regions_end(
    reader: *mut CodeRegions,
    on: OnRegion,
    context: *mut c_void,
    outcome: *mut RegionsOutcome,
) -> Status {
    let Some(on) = on else { return Status::Invalid };
    // SAFETY: what the caller vouches for.
    let ended = storage::can_tell(outcome)
        .and_then(|()| unsafe { storage::take(reader) })
        .map(|reader| reader.end(|region| unsafe { hand_out(on, context, region) }));
    let told = ended.map(|ended| RegionsOutcome {
        dropped: ended.dropped,
        stopped: ended.stopped_at.is_some(),
        open_fence: ended.open_fence.map_or(0, |(byte, _)| byte),
        stopped_at: ended.stopped_at.unwrap_or(0),
        open_fence_length: ended.open_fence.map_or(0, |(_, length)| length),
    });
    // SAFETY: what the caller vouches for.
    Status::flat(told.map(|told| unsafe { storage::tell(outcome, told) }))
}

/// Calls back with one region.
///
/// # Safety
///
/// `on` may be called with `context`.
unsafe fn hand_out(
    on: unsafe extern "C" fn(*mut c_void, *const CodeRegion),
    context: *mut c_void,
    region: machine::CodeRegion,
) {
    let region = CodeRegion {
        block: region.block,
        all: Span { start: region.start, end: region.end },
        content: region.content.into(),
        info: region.info.into(),
    };
    // SAFETY: what the caller vouches for.
    unsafe { on(context, &raw const region) };
}
