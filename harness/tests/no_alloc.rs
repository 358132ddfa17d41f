//! Core allocates nothing: a global allocator counts.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use sidenote_core::{CodeRegions, Event, Filter, JsonPrefix, Keys, LeadingValues, OwnedFilter, PrefixEvent};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    // The thread may be on its way out, with its counter gone.
    let _ = ALLOCATIONS.try_with(|allocations| allocations.set(allocations.get() + 1));
}

// SAFETY: everything is passed on to the system's allocator as it came; counting touches no memory of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`, and the pointer came from the same allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const ANSWER: &[u8] = include_bytes!("../examples/answer.md");

/// How many allocations `work` makes.
fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

#[test]
fn the_counter_counts() {
    assert!(allocations(|| drop(vec![1; 100])) > 0);
}

#[test]
fn the_filter_allocates_nothing() {
    let mut memory = [0; 4096];
    let mut removed = 0;
    let count = allocations(|| {
        for size in [1, 7, 64, ANSWER.len()] {
            let mut on = |event: Event<'_>| removed += usize::from(matches!(event, Event::Removed(_)));
            let mut filter = Filter::new(Keys::default(), &mut memory).expect("the memory suffices");
            for chunk in ANSWER.chunks(size) {
                filter.push(chunk, &mut on).expect("the memory suffices");
            }
            filter.end(&mut on).expect("the memory suffices");
            let mut filter = OwnedFilter::<4096>::owned(Keys::default()).expect("the memory suffices");
            filter.push(ANSWER, &mut on).expect("the memory suffices");
            filter.end(&mut on).expect("the memory suffices");
        }
    });
    assert!(removed > 8, "the answer has notes");
    assert_eq!(count, 0);
}

#[test]
fn the_readers_allocate_nothing() {
    let (mut regions, mut values, mut leaves) = (0, 0, 0);
    let json = br#"{"a": ["\ud83d\ude00 and more", 1.5e3, true]} [1, {"b": null}] rest"#;
    let mut memory = [0; 8];
    let count = allocations(|| {
        for size in [1, 7, 64, ANSWER.len()] {
            let mut reader = CodeRegions::new();
            ANSWER.chunks(size).for_each(|chunk| reader.push(chunk, |_| regions += 1));
            reader.end(|_| regions += 1);
            let mut reader = LeadingValues::new(&mut memory);
            json.chunks(size).for_each(|chunk| reader.push(chunk, |_| values += 1).expect("the memory suffices"));
            reader.end();
            let mut reader = JsonPrefix::new(&mut memory);
            let mut on = |event: PrefixEvent<'_>| leaves += usize::from(matches!(event, PrefixEvent::End(_)));
            json.chunks(size).for_each(|chunk| reader.push(chunk, &mut on).expect("the memory suffices"));
            reader.end();
        }
    });
    assert_eq!((regions, values, leaves), (4 * 4, 4 * 2, 4 * 4));
    assert_eq!(count, 0);
}
