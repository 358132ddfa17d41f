//! The case suite on a bare Cortex-M4: feeds the machines what the file `requests` asks, writes what they hand out to the file
//! `records`, and says how deep the stack gets in each machine.
//!
//! There is no operating system, no heap and no library but core's; files and console are the emulator's.
#![no_std]
#![no_main]

mod requests;
mod semihosting;
mod stack;

use core::cell::Cell;
use core::fmt::Write as _;
use core::hint::black_box;

use heapless::{String, Vec};
use requests::{Records, Requests};
use semihosting::{File, exit, print};
use sidenote_core::{
    CodeRegions, Ended, Error, Event, Filter, JsonPrefix, Keys, Kind, LeadingValues, OnFull, PrefixEvent, Stopped,
    least_memory,
};

/// How long a text, its keys and the memory lent may be, in bytes, and how many keys and cuts there may be.
const LONGEST: usize = 8192;
const MOST_KEYS: usize = 16;
const MOST_CUTS: usize = 2048;

/// How deep the stack may get from the call of a machine on, in bytes.
const DEEPEST: usize = 512;

const END: u8 = 0;
const TEXT: u8 = 1;
const REMOVED: u8 = 2;
const LOST: u8 = 3;
const REGION: u8 = 4;
const VALUE: u8 = 5;
const OPEN: u8 = 6;
const CLOSE: u8 = 7;
const BEGIN: u8 = 8;
const WRITTEN: u8 = 9;
const DECODED: u8 = 10;
const LEAF_END: u8 = 11;

/// What is asked of a machine, and how its text is cut.
struct Asked<'a> {
    memory: usize,
    choice: u64,
    keys: &'a [&'a str],
    text: &'a [u8],
    cuts: &'a [usize],
}

impl Asked<'_> {
    fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        let from = core::iter::once(0).chain(self.cuts.iter().copied());
        let to = self.cuts.iter().copied().chain(core::iter::once(self.text.len()));
        from.zip(to).map(|(from, to)| &self.text[from..to])
    }
}

/// Answers all requests; which machine's stack got how deep.
fn answer_all(requests: &mut Requests, records: &mut Records) -> Option<[usize; 4]> {
    let (mut key_bytes, mut text) = ([0; LONGEST], [0; LONGEST]);
    let mut depths = [0; 4];
    while let Some(first) = requests.byte() {
        let machine = usize::from(first);
        // The rest of the machine's number.
        (requests.byte()?, requests.byte()?, requests.byte()?);
        let memory = requests.word().filter(|memory| *memory <= LONGEST)?;
        let choice = requests.long()?;
        let mut keys: Vec<&str, MOST_KEYS> = Vec::new();
        let mut free = &mut key_bytes[..];
        for _ in 0..requests.word()? {
            let length = requests.bytes(free)?.len();
            let (key, rest) = core::mem::take(&mut free).split_at_mut(length);
            keys.push(core::str::from_utf8(key).ok()?).ok()?;
            free = rest;
        }
        let text = requests.bytes(&mut text)?;
        for _ in 0..requests.word()? {
            let mut cuts: Vec<usize, MOST_CUTS> = Vec::new();
            for _ in 0..requests.word()? {
                cuts.push(requests.word()?).ok()?;
            }
            let asked = Asked { memory, choice, keys: &keys, text, cuts: &cuts };
            let depth = match machine {
                0 => filter(&asked, records),
                1 => code_regions(&asked, records),
                2 => leading(&asked, records),
                3 => prefix(&asked, records),
                _ => return None,
            };
            depths[machine] = depths[machine].max(depth);
        }
    }
    Some(depths)
}

fn status(done: Result<(), Error>) -> [u64; 2] {
    match done {
        Ok(()) => [0, 0],
        Err(Error::TooSmall { .. }) => [1, 0],
        Err(Error::Memory { at, .. }) => [2, at],
        Err(Error::Nesting { at, .. }) => [3, at],
        Err(_) => [4, 0],
    }
}

/// Calls `machine` in a frame of its own, so that all of its stack lies below the caller's.
#[inline(never)]
fn apart<R>(machine: impl FnOnce() -> R) -> R {
    machine()
}

#[inline(never)]
fn filter(asked: &Asked<'_>, records: &mut Records) -> usize {
    let keys = Keys::all(asked.keys);
    let on_full = match asked.choice {
        1 => OnFull::Show,
        2 => OnFull::Hide,
        3 => OnFull::Grow,
        _ => OnFull::Fail,
    };
    let mut memory = [0; LONGEST];
    let done = Filter::new(keys, &mut memory[..asked.memory]).and_then(|filter| {
        let mut filter = filter.on_full(on_full);
        let mut on = |event: Event<'_>| match event {
            Event::Text(bytes) => records.record(TEXT, &[], bytes),
            Event::Removed(note) => {
                let numbers = [note.object, note.key as u64, u64::from(note.complete), u64::from(note.value.is_some())];
                records.record(REMOVED, &numbers, note.value.unwrap_or_default());
            }
            Event::Lost { object, bytes } => records.record(LOST, &[object, bytes], &[]),
            _ => {}
        };
        for chunk in asked.chunks() {
            filter.push(chunk, &mut on)?;
        }
        filter.end(&mut on)
    });
    let [status, at] = status(done);
    records.record(END, &[status, at, least_memory(keys) as u64], &[]);
    // Once more, with a callback that needs no stack.
    Filter::new(keys, &mut memory[..asked.memory]).map_or(0, |filter| {
        let mut filter = filter.on_full(on_full);
        let events = Cell::new(0u32);
        let paint = stack::paint();
        for chunk in asked.chunks() {
            _ = apart(|| filter.push(chunk, |_| events.set(events.get() + 1)));
        }
        _ = apart(|| filter.end(|_| events.set(events.get() + 1)));
        let depth = paint.depth();
        black_box(events.get());
        depth
    })
}

#[inline(never)]
fn code_regions(asked: &Asked<'_>, records: &mut Records) -> usize {
    let mut reader = CodeRegions::with_max(asked.choice);
    let mut on = |region: sidenote_core::CodeRegion| {
        let (content, info) = (region.content, region.info);
        let numbers = [region.block, region.start, region.end, content.start, content.end, info.start, info.end];
        records.record(REGION, &numbers, &[]);
    };
    for chunk in asked.chunks() {
        reader.push(chunk, &mut on);
    }
    let end = reader.end(&mut on);
    let (fence, length) = end.open_fence.unwrap_or_default();
    let stopped = u64::from(end.stopped_at.is_some());
    let stopped_at = end.stopped_at.unwrap_or_default();
    records.record(END, &[0, 0, end.dropped, stopped, stopped_at, u64::from(fence), length], &[]);
    let mut reader = CodeRegions::with_max(asked.choice);
    let regions = Cell::new(0u32);
    let paint = stack::paint();
    for chunk in asked.chunks() {
        apart(|| reader.push(chunk, |_| regions.set(regions.get() + 1)));
    }
    apart(|| black_box(reader.end(|_| regions.set(regions.get() + 1))));
    let depth = paint.depth();
    black_box(regions.get());
    depth
}

#[inline(never)]
fn leading(asked: &Asked<'_>, records: &mut Records) -> usize {
    let mut memory = [0; LONGEST];
    let mut reader = LeadingValues::new(&mut memory[..asked.memory]);
    let done = asked
        .chunks()
        .try_for_each(|chunk| reader.push(chunk, |range| records.record(VALUE, &[range.start, range.end], &[])));
    let end = reader.end();
    let (stopped, byte) = match end.stopped {
        Stopped::End => (0, 0),
        Stopped::Opener => (1, 0),
        Stopped::Cut => (2, 0),
        Stopped::Byte(at) => (3, at),
    };
    let [status, at] = status(done);
    records.record(END, &[status, at, end.rest, stopped, byte], &[]);
    let mut reader = LeadingValues::new(&mut memory[..asked.memory]);
    let values = Cell::new(0u32);
    let paint = stack::paint();
    for chunk in asked.chunks() {
        _ = apart(|| reader.push(chunk, |_| values.set(values.get() + 1)));
    }
    apart(|| black_box(reader.end()));
    let depth = paint.depth();
    black_box(values.get());
    depth
}

#[inline(never)]
fn prefix(asked: &Asked<'_>, records: &mut Records) -> usize {
    let mut memory = [0; LONGEST];
    let mut reader = JsonPrefix::new(&mut memory[..asked.memory]);
    let done = asked.chunks().try_for_each(|chunk| reader.push(chunk, |event| prefix_record(event, records)));
    let open: Vec<u8, LONGEST> = reader.open().collect();
    let end = reader.end();
    let (ended, byte) = match end.ended {
        Ended::Cut => (0, 0),
        Ended::Closed => (1, 0),
        Ended::Byte(at) => (2, at),
    };
    let [status, at] = status(done);
    let words = [u64::from(end.words.is_some()), end.words.unwrap_or_default()];
    records.record(END, &[status, at, ended, byte, words[0], words[1]], &open);
    let mut reader = JsonPrefix::new(&mut memory[..asked.memory]);
    let events = Cell::new(0u32);
    let paint = stack::paint();
    for chunk in asked.chunks() {
        _ = apart(|| reader.push(chunk, |_| events.set(events.get() + 1)));
    }
    apart(|| black_box(reader.end()));
    let depth = paint.depth();
    black_box(events.get());
    depth
}

fn prefix_record(event: PrefixEvent<'_>, records: &mut Records) {
    match event {
        PrefixEvent::Open { object, at } => records.record(OPEN, &[at, u64::from(object)], &[]),
        PrefixEvent::Close(at) => records.record(CLOSE, &[at], &[]),
        PrefixEvent::Begin(leaf) => {
            let kind = match leaf.kind {
                Kind::String => 0,
                Kind::Number => 1,
                Kind::True => 2,
                Kind::False => 3,
                Kind::Null => 4,
            };
            records.record(BEGIN, &[leaf.start, kind, u64::from(leaf.key), leaf.depth], &[]);
        }
        PrefixEvent::Written(bytes) => records.record(WRITTEN, &[], bytes),
        PrefixEvent::Decoded(character) => records.record(DECODED, &[u64::from(u32::from(character))], &[]),
        PrefixEvent::End(at) => records.record(LEAF_END, &[at], &[]),
    }
}

#[inline(never)]
fn main() -> usize {
    let (Some(requests), Some(records)) = (File::open(c"requests", false), File::open(c"records", true)) else {
        print(c"the files requests and records cannot be opened\n");
        return 2;
    };
    let mut records = Records::new(records);
    let Some(depths) = answer_all(&mut Requests::new(requests), &mut records) else {
        print(c"a request is cut short, or too large for this board\n");
        return 2;
    };
    records.flush();
    let names = ["filter", "code_regions", "leading", "prefix"];
    let states = [
        size_of::<Filter<'_, &mut [u8]>>(),
        size_of::<CodeRegions>(),
        size_of::<LeadingValues<&mut [u8]>>(),
        size_of::<JsonPrefix<&mut [u8]>>(),
    ];
    for ((name, state), depth) in names.iter().zip(states).zip(depths) {
        let mut line: String<80> = String::new();
        _ = write!(line, "{name}: state {state} bytes, stack {depth} bytes\n\0");
        print(core::ffi::CStr::from_bytes_with_nul(line.as_bytes()).unwrap_or(c"?\n"));
    }
    usize::from(depths.iter().any(|depth| *depth > DEEPEST))
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    print(c"the program panicked\n");
    exit(101)
}

/// Where the processor begins, and what it does when something goes wrong.
mod start {
    use super::{exit, main, print};

    unsafe extern "C" {
        static stack_top: u32;
        static mut data_start: u32;
        static data_end: u32;
        static data_load: u32;
        static mut bss_start: u32;
        static bss_end: u32;
    }

    /// An entry of the vector table.
    #[repr(C)]
    union Vector {
        stack: *const u32,
        handler: unsafe extern "C" fn() -> !,
    }

    // SAFETY: the table is only read, by the processor.
    unsafe impl Sync for Vector {}

    #[unsafe(link_section = ".vectors")]
    #[unsafe(no_mangle)]
    static VECTORS: [Vector; 16] = {
        let mut vectors = [const { Vector { handler: fault } }; 16];
        vectors[0] = Vector { stack: &raw const stack_top };
        vectors[1] = Vector { handler: reset };
        vectors
    };

    #[unsafe(no_mangle)]
    unsafe extern "C" fn reset() -> ! {
        // SAFETY: the linker script says where these sections are, and nothing uses them yet. The coprocessor access register
        // (Armv7-M manual, B3.2.20) switches the floating-point unit on, whose registers the compiler may use.
        unsafe {
            (0xE000_ED88 as *mut u32).write_volatile(0xF << 20);
            core::arch::asm!("dsb", "isb", options(nostack));
            let data = (&raw const data_end).offset_from_unsigned(&raw const data_start);
            (&raw mut data_start).copy_from_nonoverlapping(&raw const data_load, data);
            let bss = (&raw const bss_end).offset_from_unsigned(&raw const bss_start);
            (&raw mut bss_start).write_bytes(0, bss);
        }
        exit(main())
    }

    unsafe extern "C" fn fault() -> ! {
        print(c"the processor met a fault\n");
        exit(102)
    }
}
