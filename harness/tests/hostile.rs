//! Large and strange inputs: the right answer, or a clear error; none takes more than a moment.

use sidenote::{
    Error, Event, Filter, JsonError, Keys, MAX_CODE_REGIONS, OnFull, code_regions, filter, json_prefix_of,
    leading_json_values,
};
use sidenote_core::{JsonPrefix, LeadingValues};

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

#[test]
fn code_regions_of_texts_of_one_thing_a_million_times() {
    for thing in ["`", "~", " ", "\n", "\r", "\r\n", "```\n", "~~~ x\n", "a`", "<", "$ ", "    ```\n", "```\n```\n"] {
        let text = thing.repeat(1_000_000).into_bytes();
        let read = code_regions(&text, MAX_CODE_REGIONS);
        match thing {
            "```\n" | "~~~ x\n" | "`" | "~" | "```\n```\n" => {}
            _ => assert_eq!((read.regions.len(), read.end.dropped), (0, 0), "{thing:?}"),
        }
    }
    let blocks = code_regions("```\n```\n".repeat(500_000).as_bytes(), MAX_CODE_REGIONS);
    assert_eq!((blocks.regions.len(), blocks.end.dropped), (32, 499_968));
    let open = code_regions("`".repeat(1_000_000).as_bytes(), MAX_CODE_REGIONS);
    assert_eq!(open.end.open_fence, Some((b'`', 1_000_000)));
}

#[test]
fn json_of_a_million_brackets_is_read_kept_to_its_depth_or_refused() {
    let deep = "[".repeat(1_000_000);
    let cut = json_prefix_of(deep.as_bytes()).expect("it is JSON cut short");
    assert_eq!((cut.leaves.len(), cut.words), (0, None));
    let closed = format!("{deep}{} rest", "]".repeat(1_000_000));
    assert_eq!(leading_json_values(closed.as_bytes()), Err(JsonError::TooDeep(512)));
    let fits = format!("{}{}", "[".repeat(512), "]".repeat(512));
    assert_eq!(leading_json_values(fits.as_bytes()).expect("it fits").values.len(), 1);
    // A reader in 16 bytes of memory refuses the bracket that it has no bit for.
    let mut reader = LeadingValues::new([0; 16]);
    assert_eq!(reader.push(deep.as_bytes(), |_| ()), Err(Error::Nesting { at: 128, read: 128 }));
    assert_eq!(reader.push(b"]", |_| ()), Err(Error::Nesting { at: 128, read: 0 }));
    let mut reader = JsonPrefix::new([0; 16]);
    assert_eq!(reader.push(deep.as_bytes(), |_| ()), Err(Error::Nesting { at: 128, read: 128 }));
    assert_eq!(reader.open().collect::<Vec<u8>>(), vec![b'['; 128]);
}

#[test]
fn long_strings_and_numbers_of_json_come_whole() {
    let long = "word ".repeat(2_000_000);
    let cut = format!("[\"{long}\",\"{long}");
    let cut = json_prefix_of(cut.as_bytes()).expect("it is JSON cut short");
    assert_eq!((cut.leaves, cut.words), (vec![long.clone()], Some(long.trim_end().to_owned())));
    let digits = "7".repeat(100_000);
    let numbers = format!("[{digits},-1e400,1e-400,{digits}");
    let read = json_prefix_of(numbers.as_bytes()).expect("it is JSON cut short");
    assert_eq!(read.leaves, ["Infinity", "-Infinity", "0"]);
    let whole = format!("[{digits}]");
    let values = leading_json_values(whole.as_bytes()).expect("it is JSON").values;
    assert_eq!(values[0].to_string(), whole);
}
