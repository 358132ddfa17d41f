//! What the faces of the JSON readers promise beside what they read.

use sidenote_core::{Ended, Error, JsonPrefix, LeadingValues, PrefixEvent, Stopped};

#[test]
fn a_reader_of_values_goes_on_in_a_larger_memory_at_the_bracket_that_did_not_fit() {
    let text = b"[1] [[[[[[[[{\"a\":[2]}]]]]]]]] rest";
    let mut values = Vec::new();
    let mut reader = LeadingValues::new([0; 1]);
    // Eight levels fit.
    assert_eq!(reader.push(text, |range| values.push(range)), Err(Error::Nesting { at: 12, read: 12 }));
    let mut reader = reader.moved_to([0; 2]).unwrap();
    assert_eq!(reader.push(&text[12..], |range| values.push(range)), Ok(()));
    let end = reader.end();
    assert_eq!(values, [0..3, 4..29]);
    assert_eq!((end.rest, end.stopped), (30, Stopped::Opener));
}

#[test]
fn a_reader_of_leaves_goes_on_in_a_larger_memory_with_its_containers_open() {
    let text = b"{\"k\":[[[[[[[[{\"a\":2,";
    let mut leaves = 0;
    let mut on = |event: PrefixEvent<'_>| leaves += usize::from(matches!(event, PrefixEvent::End(_)));
    let mut reader = JsonPrefix::new([0; 1]);
    assert_eq!(reader.push(text, &mut on), Err(Error::Nesting { at: 12, read: 12 }));
    let mut reader = reader.moved_to([0; 2]).unwrap();
    assert_eq!(reader.push(&text[12..], &mut on), Ok(()));
    assert!(reader.open().eq(*b"{[[[[[[[[{"));
    assert_eq!(reader.end().ended, Ended::Cut);
    assert_eq!(leaves, 3);
}

#[test]
fn a_reader_moves_to_a_memory_of_the_same_size_and_to_no_smaller_one() {
    assert_eq!(LeadingValues::new([0; 2]).moved_to([0; 2]).map(|reader| reader.memory().len()), Ok(2));
    assert_eq!(JsonPrefix::new([0; 2]).moved_to([0; 2]).map(|reader| reader.memory().len()), Ok(2));
    assert_eq!(LeadingValues::new([0; 2]).moved_to([0; 1]).err(), Some(Error::TooSmall { least: 2 }));
    assert_eq!(JsonPrefix::new([0; 2]).moved_to([0; 1]).err(), Some(Error::TooSmall { least: 2 }));
}

#[test]
fn brackets_are_told_with_their_offsets() {
    let mut seen = Vec::new();
    let mut reader = JsonPrefix::new([0; 1]);
    for chunk in [&b" [1, "[..], b"{}"] {
        reader.push(chunk, |event| seen.push(format!("{event:?}"))).unwrap();
    }
    seen.retain(|event| event.starts_with("Open") || event.starts_with("Close"));
    assert_eq!(seen, ["Open { object: false, at: 1 }", "Open { object: true, at: 5 }", "Close(7)"]);
}
