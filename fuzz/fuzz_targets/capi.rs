//! The C ABI on any text, any memory and any calls: the same as core, and never more than a status.
#![no_main]

use core::ffi::c_void;
use core::mem::MaybeUninit;

use libfuzzer_sys::fuzz_target;
use sidenote::laws::answer_like;
use sidenote::{Error, Event as CoreEvent, Keys};
use sidenote_capi::{
    Event, EventKind, Filter, Status, sidenote_filter_discard, sidenote_filter_end, sidenote_filter_init,
    sidenote_filter_move, sidenote_filter_push,
};

/// What a filter handed out: visible bytes and, between zero bytes, the notes.
type Seen = (Vec<u8>, Vec<Option<Vec<u8>>>);

unsafe extern "C" fn on_event(seen: *mut c_void, event: *const Event) {
    // SAFETY: the machine hands on the context, which is a `Seen`, and an event.
    let (seen, event) = unsafe { (&mut *seen.cast::<Seen>(), &*event) };
    let bytes = (!event.bytes.is_null()).then(|| {
        // SAFETY: the event says where its bytes are and how many.
        unsafe { core::slice::from_raw_parts(event.bytes, event.length) }.to_vec()
    });
    match event.kind {
        EventKind::Text => seen.0.extend(bytes.unwrap_or_default()),
        EventKind::Removed => seen.1.push(bytes),
        EventKind::Lost => {}
    }
}

/// The filter in `memory` bytes that doubles when they are full, up to sixteen times, by way of C.
fn by_c(text: &[u8], memory: usize, size: usize, on_full: u32, give_up: bool) -> (Seen, Status) {
    let mut seen = Seen::default();
    let context = (&raw mut seen).cast::<c_void>();
    let mut storage = MaybeUninit::<Filter>::uninit();
    let filter = storage.as_mut_ptr();
    let mut lent = vec![vec![0; memory]];
    let last = |lent: &mut Vec<Vec<u8>>| lent.last_mut().map(|last| (last.as_mut_ptr(), last.len())).unwrap();
    // SAFETY: the storage stays where it is, memory is lent as long as the filter is used, and the context is a `Seen`.
    unsafe {
        let (at, length) = last(&mut lent);
        let mut status = sidenote_filter_init(filter, core::ptr::null(), 0, at, length, on_full);
        if status != Status::Ok {
            return (seen, status);
        }
        for chunk in text.chunks(size.max(1)) {
            let mut rest = chunk;
            loop {
                let answer = sidenote_filter_push(filter, rest.as_ptr(), rest.len(), Some(on_event), context);
                status = answer.status;
                if status == Status::Ok || on_full != 3 || lent.len() == 16 {
                    break;
                }
                rest = &rest[answer.read..];
                let larger = last(&mut lent).1 * 2;
                lent.push(vec![0; larger]);
                let (at, length) = last(&mut lent);
                assert_eq!(sidenote_filter_move(filter, at, length, on_full), Status::Ok);
            }
        }
        if give_up {
            assert_eq!(sidenote_filter_discard(filter), Status::Ok);
        } else {
            status = sidenote_filter_end(filter, Some(on_event), context).status;
            _ = sidenote_filter_discard(filter);
        }
        assert!(lent.iter().flatten().all(|byte| *byte == 0), "no note stays in lent memory");
        assert_eq!(
            sidenote_filter_push(filter, text.as_ptr(), text.len(), Some(on_event), context).status,
            Status::Ended
        );
        (seen, status)
    }
}

/// The same by way of core.
fn by_core(text: &[u8], memory: usize, size: usize, on_full: sidenote::OnFull) -> (Seen, Result<(), Error>) {
    let mut seen = Seen::default();
    let mut on = |event: CoreEvent<'_>| match event {
        CoreEvent::Text(bytes) => seen.0.extend_from_slice(bytes),
        CoreEvent::Removed(note) => seen.1.push(note.value.map(<[u8]>::to_vec)),
        _ => {}
    };
    let done = sidenote_core::Filter::new(Keys::default(), vec![0; memory]).and_then(|filter| {
        let mut filter = filter.on_full(on_full);
        text.chunks(size.max(1)).try_for_each(|chunk| filter.push(chunk, &mut on))?;
        filter.end(&mut on)
    });
    (seen, done)
}

fuzz_target!(|input: (u8, u8, u8, [u8; 5], &[u8])| {
    let (memory, size, choice, _, bytes) = input;
    let (memory, size) = (usize::from(memory), usize::from(size));
    for text in [bytes.to_vec(), answer_like(bytes)] {
        let on_full = [sidenote::OnFull::Fail, sidenote::OnFull::Show, sidenote::OnFull::Hide][usize::from(choice % 3)];
        let (seen, status) = by_c(&text, memory, size, u32::from(choice % 3), false);
        let (core_seen, done) = by_core(&text, memory, size, on_full);
        assert_eq!(seen, core_seen);
        let expected = match done {
            Ok(()) => Status::Ok,
            Err(Error::TooSmall { .. }) => Status::TooSmall,
            Err(Error::Memory { .. }) => Status::Memory,
            Err(Error::Nesting { .. }) => Status::Nesting,
            Err(_) => Status::Ended,
        };
        assert_eq!(status, expected);
        // Growing is like having had enough.
        if memory >= 63 {
            let (grown, status) = by_c(&text, memory, size, 3, false);
            let enough = 2 * text.len() + 128;
            assert_eq!((grown, status), by_c(&text, enough, text.len(), 3, false));
            by_c(&text, memory, size, 3, true);
        }
    }
});
