//! What the filter's face promises beside what it takes out.

use sidenote_core::{Error, Event, Filter, Keys, OnFull, OwnedFilter, least_memory};

/// Pushes everything, and gives the text that came of it.
fn push<M: AsRef<[u8]> + AsMut<[u8]>>(filter: &mut Filter<'_, M>, bytes: &[u8]) -> (Vec<u8>, Result<(), Error>) {
    let mut shown = Vec::new();
    let pushed = filter.push(bytes, |event| {
        if let Event::Text(bytes) = event {
            shown.extend_from_slice(bytes);
        }
    });
    (shown, pushed)
}

#[test]
fn nothing_goes_on_behind_the_end() {
    let mut filter = OwnedFilter::<64>::owned(Keys::default()).unwrap();
    assert_eq!(filter.end(|_| ()), Ok(()));
    assert_eq!(filter.push(b"x", |event| panic!("{event:?}")), Err(Error::Ended));
    assert_eq!(filter.end(|event| panic!("{event:?}")), Ok(()));
}

#[test]
fn a_memory_too_small_for_the_keys_is_refused_with_the_least() {
    let least = least_memory(Keys::default());
    assert_eq!(Filter::new(Keys::default(), vec![0; least - 1]).err(), Some(Error::TooSmall { least }));
    assert!(Filter::new(Keys::default(), vec![0; least]).is_ok());
    let keys = Keys::all(&["a", "_findings_of_the_model"]);
    assert_eq!(least_memory(keys), 6 * 22 + 2 + (6 * 22 + 1) / 7);
}

#[test]
fn an_error_sticks_with_nothing_read_until_the_filter_is_moved() {
    let text = format!("before {{\"_findings\":\"{}\",\"a\":1}}", "n".repeat(100));
    let mut filter = Filter::new(Keys::default(), vec![0; 63]).unwrap();
    // 56 bytes of the member fit, from its quote at byte 8 on.
    let (shown, error) = push(&mut filter, text.as_bytes());
    assert_eq!((shown.as_slice(), error), (&b"before {"[..], Err(Error::Memory { at: 64, read: 64 })));
    assert_eq!(filter.held(), &text.as_bytes()[8..64]);
    assert_eq!(push(&mut filter, b"more"), (Vec::new(), Err(Error::Memory { at: 64, read: 0 })));
    assert_eq!(filter.end(|event| panic!("{event:?}")), Err(Error::Memory { at: 64, read: 0 }));
    let mut filter = filter.moved_to([0; 256]).unwrap();
    assert_eq!(push(&mut filter, &text.as_bytes()[64..]), (b"\"a\":1}".to_vec(), Ok(())));
}

#[test]
fn a_filter_moves_to_a_memory_of_the_same_size_and_to_no_smaller_one() {
    let filter = Filter::new(Keys::default(), vec![0; 100]).unwrap();
    let filter = filter.moved_to(vec![0; 100]).unwrap();
    assert_eq!(filter.memory().len(), 100);
    assert_eq!(filter.moved_to(vec![0; 99]).err(), Some(Error::TooSmall { least: 100 }));
}

#[test]
fn the_memory_is_zero_where_it_was_used_after_the_end_a_drop_and_a_move() {
    let secret = b"{\"_findings\":\"secret";
    let is_wiped = |memory: &[u8]| memory.iter().all(|byte| matches!(byte, 0 | 0xA5));
    let mut memory = [0xA5; 128];
    let mut filter = Filter::new(Keys::default(), &mut memory).unwrap();
    filter.push(secret, |_| ()).unwrap();
    filter.end(|_| ()).unwrap();
    drop(filter);
    assert!(is_wiped(&memory));

    let mut filter = Filter::new(Keys::default(), &mut memory).unwrap();
    filter.push(secret, |_| ()).unwrap();
    assert_eq!(filter.held(), secret);
    drop(filter);
    assert!(is_wiped(&memory));

    let mut larger = [0xA5; 256];
    let mut filter = Filter::new(Keys::default(), &mut memory).unwrap();
    filter.push(secret, |_| ()).unwrap();
    let filter = filter.moved_to(&mut larger).unwrap();
    assert_eq!(filter.held(), secret);
    drop(filter);
    assert!(is_wiped(&memory) && is_wiped(&larger));
}

#[test]
fn what_is_held_is_not_in_debug_output() {
    let mut filter = OwnedFilter::<128>::owned(Keys::default()).unwrap();
    filter.push(b"{\"_findings\":\"QQQQ", |_| ()).unwrap();
    let debug = format!("{filter:?}");
    assert!(debug.starts_with("Filter { machine: Machine { state: Value,"), "{debug}");
    assert!(!debug.contains("81, 81") && !debug.contains("QQ"));
}

#[test]
fn an_error_says_what_was_full_and_where() {
    let said = |error: Error| error.to_string();
    assert_eq!(said(Error::TooSmall { least: 63 }), "the lent memory is too small: 63 bytes are the least");
    assert_eq!(said(Error::Memory { at: 7, read: 2 }), "the lent memory is full at byte 7");
    assert_eq!(said(Error::Nesting { at: 9, read: 0 }), "the lent memory has no room for the nesting at byte 9");
    assert_eq!(said(Error::Ended), "the text had ended before");
}

/// A memory that breaks its promise to keep its length.
struct Vanishing(Vec<u8>);

impl AsRef<[u8]> for Vanishing {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl AsMut<[u8]> for Vanishing {
    fn as_mut(&mut self) -> &mut [u8] {
        self.0.clear();
        &mut self.0
    }
}

#[test]
fn a_memory_that_vanishes_is_an_error() {
    let mut filter = Filter::new(Keys::default(), Vanishing(vec![0; 100])).unwrap();
    assert_eq!(push(&mut filter, b"{\"_findings\": 1}").1, Err(Error::TooSmall { least: 63 }));
}

#[test]
fn giving_back_is_told() {
    let mut filter = OwnedFilter::<64>::owned(Keys::default()).unwrap();
    let blank = [b'\n'; 56];
    assert_eq!(push(&mut filter, &blank[..55]).1, Ok(()));
    assert!(!filter.released());
    assert_eq!(push(&mut filter, &blank), (blank.to_vec(), Ok(())));
    assert!(filter.released());
}

#[test]
fn a_filter_that_grows_stops_at_white_space_too_and_gives_nothing_back() {
    let mut filter = Filter::new(Keys::default(), vec![0; 64]).unwrap().on_full(OnFull::Grow);
    let text = [&[b'\n'; 100][..], b"{\"_findings\":1}\n\nx"].concat();
    assert_eq!(push(&mut filter, &text), (Vec::new(), Err(Error::Memory { at: 56, read: 56 })));
    let mut filter = filter.moved_to(vec![0; 200]).unwrap();
    assert_eq!(push(&mut filter, &text[56..]), (b"x".to_vec(), Ok(())));
    assert!(!filter.released());
}

#[test]
fn an_error_names_the_same_byte_however_the_text_is_cut_behind_notes_that_were_read_again() {
    let text = [b"{\"_findings\":1} {\"_findings\":2, x {\"_findings\":\"".as_slice(), &[b'y'; 60], b"\"}"].concat();
    // The object behind the notes breaks at the `x`; the third fills 56 bytes from its quote on.
    let at = 34 + 1 + 56;
    for size in [1, 7, text.len()] {
        let mut filter = OwnedFilter::<64>::owned(Keys::default()).unwrap();
        let error = text.chunks(size).find_map(|chunk| filter.push(chunk, |_| ()).err());
        assert!(matches!(error, Some(Error::Memory { at: byte, .. }) if byte == at), "{size}: {error:?}");
    }
}

#[test]
fn a_key_that_cannot_be_reserved_any_more_is_shown_at_once() {
    for (text, shown) in [
        ("{\"b", "{\"b"),
        ("{\"a\":1,\"b", "{\"a\":1,\"b"),
        ("{\"a\":1,\"_findings\":2,\"b", "{\"a\":1,\"b"),
        ("{\"a\":1,\"_findings\":2,\"_f", "{\"a\":1"),
        // Behind nothing but notes, the whole key is needed.
        ("{\"_findings\":2,\"b", ""),
    ] {
        let mut filter = OwnedFilter::<128>::owned(Keys::default()).unwrap();
        assert_eq!(push(&mut filter, text.as_bytes()).0, shown.as_bytes(), "{text}");
    }
}
