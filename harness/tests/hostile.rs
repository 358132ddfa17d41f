//! Large and strange inputs: the right answer, or a clear error; none takes more than a moment.

use sidenote::{Error, Event, Filter, Keys, OnFull, filter};

/// The text without its notes, and how many there were.
fn filtered(text: &[u8]) -> (Vec<u8>, usize) {
    let filtered = filter(text, Keys::default());
    (filtered.text, filtered.removed.len())
}

#[test]
fn texts_of_one_thing_a_million_times_come_out_as_they_are() {
    let things = [
        "{", "}", "[", "]", "\"", ",", ":", "`", "~", " ", "\\", "{\"a\":", "[{", "{\"", "{\"_findings\"", "0", "> ",
        "- ", "```x\n", "\0",
    ];
    for thing in things {
        let mut text = thing.repeat(1_000_000).into_bytes();
        // Notes cut short are hidden, so a text must not end in them.
        text.extend(b" end");
        let (shown, removed) = filtered(&text);
        assert!(shown == text && removed == 0, "{thing:?}");
    }
}

#[test]
fn blank_lines_alone_are_text_and_before_notes_go_with_them() {
    let blank = "\n".repeat(1_000_000);
    assert_eq!(filtered(blank.as_bytes()).0, blank.as_bytes());
    let notes = format!("x{blank}{{\"_findings\":1}}{blank}y");
    assert_eq!(filtered(notes.as_bytes()), (format!("x{blank}y").into_bytes(), 1));
}

#[test]
fn a_hundred_thousand_notes_on_a_line_on_lines_and_in_blocks_all_go() {
    // The last one lacks its brace: each object ends where the next begins.
    for unit in ["{\"_findings\":1} ", "{\"_findings\":1}\n", "```\n{\"_findings\":1}\n```\n", "{\"_findings\":1"] {
        let text = unit.repeat(100_000);
        assert_eq!(filtered(text.as_bytes()), (Vec::new(), 100_000), "{unit:?}");
    }
}

#[test]
fn ten_megabytes_on_one_line_pass_and_are_taken_out() {
    let long = "word ".repeat(2_000_000);
    assert_eq!(filtered(long.as_bytes()).0, long.as_bytes());
    let note = format!("{{\"a\":1,\"_findings\":\"{long}\"}}");
    assert_eq!(filtered(note.as_bytes()), (b"{\"a\":1}".to_vec(), 1));
}

#[test]
fn a_hundred_thousand_nested_brackets_are_kept_taken_out_or_refused_at_their_byte() {
    let deep = format!("{}{}", "[{\"a\":".repeat(50_000) + "1", "}]".repeat(50_000));
    let kept = format!("{{\"a\":{deep},\"_findings\":{deep}}}");
    assert_eq!(filtered(kept.as_bytes()), (format!("{{\"a\":{deep}}}").into_bytes(), 1));
    let mut limited = Filter::with_ceiling(Keys::default(), 4096, OnFull::Fail).expect("enough for the keys");
    let mut shown = 0;
    let error = limited.push(kept.as_bytes(), |event| {
        if let Event::Text(bytes) = event {
            shown += bytes.len();
        }
    });
    // 512 bytes hold 4096 levels: after 2048 pairs, the next bracket does not fit.
    let at = 5 + 2048 * 6;
    assert_eq!((error, shown), (Err(Error::Nesting { at: at as u64, read: at }), at));
}

#[test]
fn a_number_of_a_hundred_thousand_digits_is_a_number() {
    let digits = "7".repeat(100_000);
    let text = format!("{{\"a\":{digits},\"_findings\":-{digits}.{digits}e{digits}}}");
    assert_eq!(filtered(text.as_bytes()), (format!("{{\"a\":{digits}}}").into_bytes(), 1));
}

#[test]
fn bytes_that_are_no_text_pass_unchanged() {
    let every: Vec<u8> = (0..=255).collect();
    assert_eq!(filtered(&every).0, every);
    let text = b"\xEF\xBB\xBF{\"_findings\":1}\r\xFF\0{\"\xC3\":1,\"_findings\":\"\x80\"}";
    assert_eq!(filtered(text), (b"\xEF\xBB\xBF{}\r\xFF\0{\"\xC3\":1}".to_vec(), 2));
}
