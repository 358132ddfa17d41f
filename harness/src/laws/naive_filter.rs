//! A naive twin of the reserved-member filter: slow, whole text in memory, written from the rules alone.
//!
//! It shares no code with the streaming filter, which is tested against it. Memory is endless here, so the limits of
//! rule 11 have no counterpart. The passes, each one function:
//!
//! 1. `read` walks the text once and notes down facts: objects, removed members, notes objects, blocks. A byte that it
//!    does not name is visible.
//! 2. `judge` decides which notes objects go with their lines and which stay as `{}` (rule 3).
//! 3. `settle_blocks` decides which code blocks go whole (rule 5).
//! 4. `close_gaps` decides the white space around what goes (rule 4).
//! 5. `write` copies what is left.
//!
//! The later passes look at the source text and never at what is already written. That is enough: white space beside a
//! removed line is never inside a removed member, and a removed member always has a visible `{` before it.

use std::ops::Range;

/// One removed member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// The number of the object that held it, counted from 0 in text order.
    pub object: u64,
    /// Which of the keys it had.
    pub key: usize,
    /// The value's bytes as written, cut short when the text ended inside it.
    pub value: Vec<u8>,
    /// False when the text ended before the value did.
    pub complete: bool,
}

/// The text without its reserved members, and what was removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The bytes that are handed out as text.
    pub visible: Vec<u8>,
    /// Every removed member, in text order.
    pub removed: Vec<Removed>,
}

/// Filters a whole text: takes every member whose key is one of `keys` out of every object written in it.
#[must_use]
pub fn filter(text: &[u8], keys: &[&str]) -> Answer {
    let reading = read(text, keys);
    let visible = if is_one_bare_notes_object(text, &reading) {
        // rule 7: one object and nothing but white space around it
        b"{}".to_vec()
    } else {
        // rule 7: several notes objects and nothing else come out empty by rule 4 alone
        let (gone_lines, stays) = judge(text, &reading.notes);
        let (gap_parts, plain_lines) = settle_blocks(text, &gone_lines, &reading.blocks);
        let gaps = close_gaps(text, &gap_parts);
        let cuts = [gaps, plain_lines, reading.hidden].concat();
        write(text, &cuts, &stays)
    };
    Answer { visible, removed: reading.removed }
}

/// A range of the text, in bytes.
type Span = Range<usize>;

/// The bytes of a span; empty where the span is not inside the text.
fn slice(text: &[u8], span: Span) -> &[u8] {
    text.get(span).unwrap_or_default()
}

// ---- White space and lines ----

/// Words: white space is space, tab, LF, CR.
fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Words: blank is nothing but spaces and tabs.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// The first position from `at` on whose byte is not wanted, or the end of the text.
fn skip(text: &[u8], mut at: usize, wanted: fn(u8) -> bool) -> usize {
    while text.get(at).is_some_and(|&byte| wanted(byte)) {
        at += 1;
    }
    at
}

/// The position after the last byte before `at` that is not wanted, or 0.
fn skip_back(text: &[u8], mut at: usize, wanted: fn(u8) -> bool) -> usize {
    while at > 0 && text.get(at - 1).is_some_and(|&byte| wanted(byte)) {
        at -= 1;
    }
    at
}

/// True when every byte of the span is white space.
fn all_white(text: &[u8], span: Span) -> bool {
    slice(text, span).iter().all(|&byte| is_white(byte))
}

/// Words: the end of the line ending that stands at `at` (LF, CRLF or a lone CR), if one stands there.
fn after_line_ending(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at) {
        Some(b'\r') if text.get(at + 1) == Some(&b'\n') => Some(at + 2),
        Some(b'\n' | b'\r') => Some(at + 1),
        _ => None,
    }
}

/// The start of the line of `at`, when only spaces and tabs stand before `at` on that line.
fn line_start_if_only_blank(text: &[u8], at: usize) -> Option<usize> {
    let start = skip_back(text, at, is_blank);
    let at_line_start = start == 0 || matches!(text.get(start - 1), Some(b'\n' | b'\r'));
    at_line_start.then_some(start)
}

/// The end of the line of `at`, its line ending included, when only spaces and tabs follow from `at` on. Words: the end
/// of the text ends a line too.
fn line_end_if_only_blank(text: &[u8], at: usize) -> Option<usize> {
    let end = skip(text, at, is_blank);
    if end >= text.len() {
        return Some(text.len());
    }
    after_line_ending(text, end)
}

// ---- JSON by its grammar, one byte at a time ----

/// How reading a piece of JSON ended.
enum Read {
    /// It is complete; this is the position after it.
    Done(usize),
    /// The byte here is the first that JSON cannot take.
    Broken(usize),
    /// The text ended first, and was JSON so far.
    Cut,
}

/// Reads the string whose opening quote stands at `at`.
fn read_string(text: &[u8], at: usize) -> Read {
    let mut at = at + 1;
    loop {
        match text.get(at) {
            None => return Read::Cut,
            Some(b'"') => return Read::Done(at + 1),
            // rule 8: a raw control byte, a line break among them, is not JSON in a string
            Some(0..=0x1f) => return Read::Broken(at),
            Some(b'\\') => match text.get(at + 1) {
                None => return Read::Cut,
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => at += 2,
                Some(b'u') => {
                    for digit in at + 2..at + 6 {
                        match text.get(digit) {
                            None => return Read::Cut,
                            Some(byte) if byte.is_ascii_hexdigit() => {}
                            Some(_) => return Read::Broken(digit),
                        }
                    }
                    at += 6;
                }
                Some(_) => return Read::Broken(at + 1),
            },
            Some(_) => at += 1,
        }
    }
}

/// True when the whole word is a number, false when it could become one, and else the index of the first misfit.
fn number(word: &[u8]) -> Result<bool, usize> {
    let digits = |from: usize| skip(word, from, |byte| byte.is_ascii_digit());
    let misfit = |at: usize| if at == word.len() { Ok(false) } else { Err(at) };
    let whole = usize::from(word.starts_with(b"-"));
    let mut at = match word.get(whole) {
        Some(b'0') => whole + 1,
        Some(b'1'..=b'9') => digits(whole),
        _ => return misfit(whole),
    };
    if word.get(at) == Some(&b'.') {
        let fraction = at + 1;
        at = digits(fraction);
        if at == fraction {
            return misfit(at);
        }
    }
    if matches!(word.get(at), Some(b'e' | b'E')) {
        let signed = matches!(word.get(at + 1), Some(b'+' | b'-'));
        let exponent = at + 1 + usize::from(signed);
        at = digits(exponent);
        if at == exponent {
            return misfit(at);
        }
    }
    if at == word.len() { Ok(true) } else { Err(at) }
}

/// Like `number`, for a word that must become this literal.
fn literal(word: &[u8], literal: &[u8]) -> Result<bool, usize> {
    match (0..word.len()).find(|&index| word.get(index) != literal.get(index)) {
        Some(misfit) => Err(misfit),
        None => Ok(word.len() == literal.len()),
    }
}

/// Words: a byte of `[0-9A-Za-z+-.]` belongs to a number or literal, and any other byte ends it.
fn belongs_to_a_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// Reads the number or literal that must begin at `at`.
fn read_word(text: &[u8], at: usize) -> Read {
    let end = skip(text, at, belongs_to_a_word);
    let word = slice(text, at..end);
    let complete = match word.first() {
        Some(b't') => literal(word, b"true"),
        Some(b'f') => literal(word, b"false"),
        Some(b'n') => literal(word, b"null"),
        _ => number(word),
    };
    match complete {
        Err(misfit) => Read::Broken(at + misfit),
        // rule 9: a number or literal at the end of the text is not complete, it could go on
        Ok(_) if end == text.len() => Read::Cut,
        Ok(true) => Read::Done(end),
        Ok(false) => Read::Broken(end),
    }
}

/// Reads the string, number or literal that must begin at `at`.
fn read_scalar(text: &[u8], at: usize) -> Read {
    match text.get(at) {
        Some(b'"') => read_string(text, at),
        _ => read_word(text, at),
    }
}

/// What JSON waits for.
#[derive(Clone, Copy)]
enum Wants {
    Value,
    ValueOrClose,
    Key,
    KeyOrClose,
    Colon,
    CommaOrClose,
}

/// Reads the value that must begin at `at`, after white space. Words: objects inside it belong to it and are not looked
/// into. The open brackets are kept in a list, so no depth of nesting is too deep.
fn read_value(text: &[u8], mut at: usize) -> Read {
    let mut open: Vec<u8> = Vec::new();
    let mut wants = Wants::Value;
    loop {
        at = skip(text, at, is_white);
        let Some(&byte) = text.get(at) else {
            return Read::Cut;
        };
        let in_object = open.last() == Some(&b'{');
        let (next, end) = match (wants, byte) {
            (Wants::Value | Wants::ValueOrClose, b'{' | b'[') => {
                open.push(byte);
                match byte {
                    b'{' => (Wants::KeyOrClose, at + 1),
                    _ => (Wants::ValueOrClose, at + 1),
                }
            }
            (Wants::ValueOrClose | Wants::KeyOrClose | Wants::CommaOrClose, b']' | b'}')
                if in_object == (byte == b'}') =>
            {
                open.pop();
                (Wants::CommaOrClose, at + 1)
            }
            (Wants::CommaOrClose, b',') if in_object => (Wants::Key, at + 1),
            (Wants::CommaOrClose, b',') | (Wants::Colon, b':') => (Wants::Value, at + 1),
            (Wants::Key | Wants::KeyOrClose, b'"') => match read_string(text, at) {
                Read::Done(end) => (Wants::Colon, end),
                other => return other,
            },
            (Wants::Value | Wants::ValueOrClose, _) => match read_scalar(text, at) {
                Read::Done(end) => (Wants::CommaOrClose, end),
                other => return other,
            },
            _ => return Read::Broken(at),
        };
        (wants, at) = (next, end);
        if open.is_empty() {
            return Read::Done(at);
        }
    }
}

/// Words: a key is compared after its escapes are decoded, surrogate pairs joined. Takes the bytes between the quotes of
/// a key that was read whole. A lone surrogate becomes its three bytes, which no UTF-8 key contains.
fn decode_key(written: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::new();
    let mut at = 0;
    while let Some(&byte) = written.get(at) {
        if byte != b'\\' {
            decoded.push(byte);
            at += 1;
            continue;
        }
        match written.get(at + 1) {
            Some(b'b') => decoded.push(0x08),
            Some(b'f') => decoded.push(0x0c),
            Some(b'n') => decoded.push(b'\n'),
            Some(b'r') => decoded.push(b'\r'),
            Some(b't') => decoded.push(b'\t'),
            Some(b'u') => {
                let first = code_unit(written, at).unwrap_or_default();
                let second = code_unit(written, at + 6);
                let (point, length) = match (first, second) {
                    (0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) => {
                        (0x1_0000 + ((first - 0xd800) << 10) + (low - 0xdc00), 12)
                    }
                    _ => (first, 6),
                };
                push_code_point(&mut decoded, point);
                at += length;
                continue;
            }
            Some(&other) => decoded.push(other),
            None => {}
        }
        at += 2;
    }
    decoded
}

/// The code unit of the `\uXXXX` at `at`, if one stands there.
fn code_unit(written: &[u8], at: usize) -> Option<u32> {
    if slice(written, at..at + 2) != b"\\u" {
        return None;
    }
    let digits = str::from_utf8(written.get(at + 2..at + 6)?).ok()?;
    u32::from_str_radix(digits, 16).ok()
}

/// Appends a code point in UTF-8, a lone surrogate by the same scheme.
fn push_code_point(out: &mut Vec<u8>, point: u32) {
    if let Some(letter) = char::from_u32(point) {
        out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
    } else {
        let six = |shift: u32| ((point >> shift) & 0x3f) as u8;
        out.extend([0xe0 | six(12), 0x80 | six(6), 0x80 | six(0)]);
    }
}

// ---- Fence lines ----

/// A code block. Both fence lines are spans of whole lines, from the indentation to the line ending.
struct Block {
    opening: Span,
    /// Empty, at the end of the text, while no closing line was read.
    closing: Span,
    closed: bool,
    /// A backtick or a tilde, and how many of them open it.
    character: u8,
    count: usize,
    /// Container marks stood before the opening fence.
    marked: bool,
    /// One of those marks was `>`.
    quoted: bool,
}

/// Reads the run of three or more backticks or tildes at `at`: its character and the position after it.
fn fence_run(text: &[u8], at: usize) -> Option<(u8, usize)> {
    let character = *text.get(at)?;
    let end = match character {
        b'`' => skip(text, at, |byte| byte == b'`'),
        b'~' => skip(text, at, |byte| byte == b'~'),
        _ => return None,
    };
    (end - at >= 3).then_some((character, end))
}

/// Rule 5: the end of the container mark at `at`, if one stands there: `>`, or a list marker with a space or tab after.
fn after_container_mark(text: &[u8], at: usize) -> Option<usize> {
    let end = match text.get(at)? {
        b'>' => return Some(at + 1),
        b'-' | b'*' | b'+' => at + 1,
        b'0'..=b'9' => {
            let digits_end = skip(text, at, |byte| byte.is_ascii_digit());
            let few_enough = digits_end - at <= 9;
            match text.get(digits_end) {
                Some(b'.' | b')') if few_enough => digits_end + 1,
                _ => return None,
            }
        }
        _ => return None,
    };
    text.get(end).is_some_and(|&byte| is_blank(byte)).then_some(end)
}

/// Reads the fence line whose run begins at `at`, notes it down, and returns its end.
fn read_fence_line(text: &[u8], at: usize, blocks: &mut Vec<Block>) -> Option<usize> {
    let (character, run_end) = fence_run(text, at)?;
    let before = text.get(..at)?.iter().rposition(|byte| is_line_ending(*byte));
    let line_start = before.map_or(0, |ending| ending + 1);
    // rule 8: what stands before it on its line is a fact about the text, also where JSON had taken some of it
    let marks = container_marks(text, line_start..at)?;
    let marked = !marks.is_empty();
    let quoted = marks.contains(&b'>');
    if let Some(block) = blocks.last_mut().filter(|block| !block.closed) {
        // rule 5: before a closing fence only quote marks, and those only in a block whose opening line had one
        let may_close = !marked || (block.quoted && marks.iter().all(|mark| *mark == b'>'));
        if !may_close || character != block.character || run_end - at < block.count {
            return None;
        }
        let end = line_end_if_only_blank(text, run_end)?;
        (block.closing, block.closed) = (line_start..end, true);
        return Some(end);
    }
    let info_end = skip(text, run_end, |byte| !is_line_ending(byte));
    if character == b'`' && slice(text, run_end..info_end).contains(&b'`') {
        // rule 5: the info string of a backtick fence holds no backtick
        return None;
    }
    // rule 5: the end of the text also ends an opening line
    let end = after_line_ending(text, info_end).unwrap_or(text.len());
    let opening = line_start..end;
    let closing = text.len()..text.len();
    let count = run_end - at;
    blocks.push(Block { opening, closing, closed: false, character, count, marked, quoted });
    Some(end)
}

fn is_line_ending(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Rule 5: the first byte of each container mark in `line`, if it holds nothing but those and blanks.
fn container_marks(text: &[u8], line: Span) -> Option<Vec<u8>> {
    let mut marks = Vec::new();
    let mut at = skip(text, line.start, is_blank);
    while at < line.end {
        let end = after_container_mark(text, at)?;
        marks.push(*text.get(at)?);
        at = skip(text, end, is_blank);
    }
    Some(marks)
}

// ---- Pass 1: read ----

/// Words: an object with at least one member removed and none kept, when it ended.
struct Notes {
    span: Span,
    in_list: bool,
}

/// What pass 1 found. Every byte that is in none of the spans of `hidden` and `notes` is text as written.
#[derive(Default)]
struct Reading {
    objects: u64,
    removed: Vec<Removed>,
    /// What goes with removed members of objects that are no notes objects.
    hidden: Vec<Span>,
    notes: Vec<Notes>,
    blocks: Vec<Block>,
}

/// The lists that are open around a place in the text. Only lists nest here: an object in a list is read as one value.
struct List {
    depth: usize,
    wants: Wants,
    /// No longer JSON, in a code block: only brackets are counted.
    counting: bool,
}

/// What a list makes of the byte at hand.
enum Step {
    /// It took the text up to here.
    Took(usize),
    /// It opens an object here.
    Object,
    /// The byte here is the first that JSON cannot take.
    Broken(usize),
}

impl List {
    /// Reads one token at `at`.
    fn step(&mut self, text: &[u8], at: usize, byte: u8) -> Step {
        match (self.wants, byte) {
            // rule 6: once a list in code is not JSON, only brackets count and strings are not read
            _ if self.counting => match byte {
                b'[' => self.depth += 1,
                b']' => self.depth -= 1,
                b'{' => return Step::Object,
                _ => {}
            },
            (_, b' ' | b'\t' | b'\n' | b'\r') => {}
            (Wants::Value | Wants::ValueOrClose, b'[') => {
                self.depth += 1;
                self.wants = Wants::ValueOrClose;
            }
            (Wants::ValueOrClose | Wants::CommaOrClose, b']') => {
                self.depth -= 1;
                self.wants = Wants::CommaOrClose;
            }
            (Wants::CommaOrClose, b',') => self.wants = Wants::Value,
            (Wants::Value | Wants::ValueOrClose, _) => {
                self.wants = Wants::CommaOrClose;
                return match byte {
                    // rule 6: an object counts as one value, however it ends
                    b'{' => Step::Object,
                    // rule 6: strings are read as strings, their brackets and braces are words
                    _ => match read_scalar(text, at) {
                        Read::Done(end) => Step::Took(end),
                        Read::Broken(end) => Step::Broken(end),
                        Read::Cut => Step::Took(text.len()),
                    },
                };
            }
            _ => return Step::Broken(at),
        }
        Step::Took(at + 1)
    }
}

/// Pass 1: reads the text from front to back.
fn read(text: &[u8], keys: &[&str]) -> Reading {
    let mut reading = Reading::default();
    let mut list: Option<List> = None;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        if matches!(byte, b'`' | b'~')
            && let Some(end) = read_fence_line(text, at, &mut reading.blocks)
        {
            // rule 6: a fence line is never part of a list, it ends every list
            list = None;
            at = end;
            continue;
        }
        let in_list = list.is_some();
        let step = match &mut list {
            Some(open) => open.step(text, at, byte),
            // rule 1: everywhere else in the text a brace opens an object
            None if byte == b'{' => Step::Object,
            None if byte == b'[' => {
                list = Some(List { depth: 1, wants: Wants::ValueOrClose, counting: false });
                Step::Took(at + 1)
            }
            None => Step::Took(at + 1),
        };
        match step {
            Step::Took(end) => at = end,
            Step::Object => {
                let (end, is_notes) = read_object(text, keys, at, &mut reading);
                if is_notes {
                    let span = at..end;
                    reading.notes.push(Notes { span, in_list });
                }
                at = end;
            }
            Step::Broken(here) => {
                at = here;
                let in_block = reading.blocks.last().is_some_and(|block| !block.closed);
                match &mut list {
                    // rule 6: in a code block the list stays open and brackets are counted, this byte the first
                    Some(open) if in_block => open.counting = true,
                    // rule 6: in prose no list is open any more
                    _ => list = None,
                }
            }
        }
        if list.as_ref().is_some_and(|open| open.depth == 0) {
            list = None;
        }
    }
    reading
}

/// Reads the object that begins at `start`. Returns where it ends and reading text goes on, and whether it is a notes
/// object. Removed members go into the reading, and so does what else goes where it is no notes object.
fn read_object(text: &[u8], keys: &[&str], start: usize, reading: &mut Reading) -> (usize, bool) {
    let object = reading.objects;
    // rule 1: every brace that is tried counts
    reading.objects += 1;
    // rule 2: the brace and the white space after it stay for the first kept member
    let lead_end = skip(text, start + 1, is_white);
    if text.get(lead_end) == Some(&b'}') {
        return (lead_end + 1, false);
    }
    let mut kept = false;
    let mut only_notes = false;
    // the end of the last complete member, and of the comma after it
    let mut member_end = lead_end;
    let mut comma_end = lead_end;
    let mut key_start = lead_end;
    loop {
        let key = match text.get(key_start) {
            Some(b'"') => read_string(text, key_start),
            // rule 8.1: a closing brace right after the comma closes the object
            Some(b'}') if only_notes => return (key_start + 1, true),
            Some(_) => Read::Broken(key_start),
            // rule 9: nothing kept, something removed and no key being read make a notes object
            None => return (text.len(), only_notes),
        };
        let key_end = match key {
            Read::Done(end) => end,
            // rule 8.1: the comma goes, and what follows it is read again as text
            Read::Broken(_) if only_notes => return (comma_end, true),
            // rule 8.2: everything held goes out and is not read again
            Read::Broken(here) => return (here, false),
            Read::Cut => {
                if !kept {
                    // rule 9: a key that is cut is shown, separators of members removed before it are not
                    reading.hidden.push(lead_end..key_start);
                }
                return (text.len(), false);
            }
        };
        let decoded = decode_key(slice(text, key_start + 1..key_end - 1));
        let reserved = keys.iter().position(|key| key.as_bytes() == decoded);
        if reserved.is_none() && !kept {
            // rule 2: with none kept before them, removed members take the separators after them along
            reading.hidden.push(lead_end..key_start);
            // Words: a member counts as kept from the closing quote of its key on
            kept = true;
        }

        let (value_start, value) = read_colon_and_value(text, key_end);
        let (value_end, complete) = match value {
            Read::Done(end) => (end, true),
            // rule 9: inside a reserved member the rest of the text is hidden
            Read::Cut => (text.len(), false),
            Read::Broken(here) => {
                if !kept {
                    // rule 8.2: separators of removed members with nothing kept before them stay out
                    reading.hidden.push(lead_end..key_start);
                }
                return (here, false);
            }
        };
        if let Some(key) = reserved {
            reading.removed.push(Removed {
                object,
                key,
                value: slice(text, value_start..value_end).to_vec(),
                complete,
            });
            if kept {
                // rule 2: with a kept member before it, the separator before it goes
                reading.hidden.push(member_end..value_end);
            }
        }
        only_notes = !kept;
        member_end = value_end;

        let next = skip(text, member_end, is_white);
        match text.get(next) {
            Some(b',') => {
                comma_end = next + 1;
                key_start = skip(text, comma_end, is_white);
            }
            // rule 2: white space before the closing brace stays when anything was kept
            Some(b'}') => return (next + 1, only_notes),
            Some(b'"') if only_notes => {
                // rule 8.1: a missing comma, not a missing brace
                reading.hidden.push(lead_end..next);
                return (next, false);
            }
            // rule 8.1: the object ends after its last complete member
            Some(_) if only_notes => return (member_end, true),
            // rule 8.2
            Some(_) => return (next, false),
            // rule 9
            None => return (text.len(), only_notes),
        }
    }
}

/// Reads what follows a key: where the value begins (the end of the text where it never does), and how it ended.
fn read_colon_and_value(text: &[u8], key_end: usize) -> (usize, Read) {
    let colon = skip(text, key_end, is_white);
    match text.get(colon) {
        Some(b':') => {
            let start = skip(text, colon + 1, is_white);
            (start, read_value(text, start))
        }
        Some(_) => (text.len(), Read::Broken(colon)),
        None => (text.len(), Read::Cut),
    }
}

// ---- Pass 2: judge the notes objects ----

/// Rule 7: true when the text is one notes object with nothing but white space around it.
fn is_one_bare_notes_object(text: &[u8], reading: &Reading) -> bool {
    match reading.notes.as_slice() {
        [only] => all_white(text, 0..only.span.start) && all_white(text, only.span.end..text.len()),
        _ => false,
    }
}

/// Pass 2: the whole lines that go, from the indentation to the line ending, joined lines as one span; and the objects
/// that stay as `{}`.
fn judge(text: &[u8], notes: &[Notes]) -> (Vec<Span>, Vec<Span>) {
    let (mut gone_lines, mut stays) = (Vec::new(), Vec::new());
    // rule 3: objects that join lines are judged together
    let joined = |left: &Notes, right: &Notes| {
        let between = slice(text, left.span.end..right.span.start);
        between.iter().all(|&byte| is_blank(byte))
    };
    for group in notes.chunk_by(joined) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        // rule 3: the lines hold nothing else, and no list is open around any of the objects
        let free = group.iter().all(|object| !object.in_list);
        let line_start = line_start_if_only_blank(text, first.span.start);
        let line_end = line_end_if_only_blank(text, last.span.end);
        match (free, line_start, line_end) {
            (true, Some(start), Some(end)) => gone_lines.push(start..end),
            _ => stays.extend(group.iter().map(|object| object.span.clone())),
        }
    }
    (gone_lines, stays)
}

// ---- Pass 3: settle the code blocks ----

/// Pass 3: the lines and whole blocks that go by rule 4, in text order; and the lines at the head of a block that go
/// alone, the white space around them as written.
fn settle_blocks(text: &[u8], gone_lines: &[Span], blocks: &[Block]) -> (Vec<Span>, Vec<Span>) {
    let (mut gap_parts, mut plain_lines) = (Vec::new(), Vec::new());
    let mut rest = gone_lines;
    for block in blocks {
        let content_end = block.closing.start;
        let (before, from_block_on) = rest.split_at(rest.partition_point(|line| line.start < block.opening.end));
        let (inside, after) = from_block_on.split_at(from_block_on.partition_point(|line| line.start < content_end));
        rest = after;
        // rule 4: lines outside every block
        gap_parts.extend_from_slice(before);

        let mut head = 0;
        let mut head_end = block.opening.end;
        for line in inside {
            if !all_white(text, head_end..line.start) {
                break;
            }
            head += 1;
            head_end = line.end;
        }
        let only_notes = head > 0 && all_white(text, head_end..content_end);
        if only_notes && !block.marked {
            // rule 5: the block goes whole, as one removed line
            gap_parts.push(block.opening.start..block.closing.end);
        } else if only_notes && !block.closed {
            // rule 5: container marks, and nothing visible follows to the end of the text
            gap_parts.extend_from_slice(inside);
        } else {
            // rule 5: before the first other content only the lines go; further down rule 4 holds
            let (head_lines, further_down) = inside.split_at(head);
            plain_lines.extend_from_slice(head_lines);
            gap_parts.extend_from_slice(further_down);
        }
    }
    gap_parts.extend_from_slice(rest);
    (gap_parts, plain_lines)
}

// ---- Pass 4: close the gaps ----

/// Pass 4: the spans that go with the removed lines and blocks (rule 4).
fn close_gaps(text: &[u8], parts: &[Span]) -> Vec<Span> {
    let mut cuts = Vec::new();
    // rule 4: removed lines with only blank lines between them are one gap
    for gap in parts.chunk_by(|left, right| all_white(text, left.end..right.start)) {
        let (Some(first), Some(last)) = (gap.first(), gap.last()) else {
            continue;
        };
        let white_start = skip_back(text, first.start, is_white);
        let white_end = skip(text, last.end, is_white);
        // rule 4: the next visible line keeps its own indentation
        let next_line = skip_back(text, white_end, is_blank).max(last.end);

        if white_end == text.len() && white_start > 0 {
            // rule 4, nothing visible after: what trails the last visible line on its own line stays
            cuts.push(skip(text, white_start, is_blank)..text.len());
        } else if white_end == text.len() {
            // rules 4 and 7, nothing visible before or after
            cuts.push(0..text.len());
        } else if white_start == 0 {
            // rule 4, nothing visible before
            cuts.push(0..next_line);
        } else if ends_in_blank_line(text, white_start..first.start) {
            // rule 4, text before and after, and the white space before ends in a blank line
            cuts.push(first.start..next_line);
        } else {
            // rule 4, right under text: the line ending of the first blank line in or after the gap stays
            let between = gap.windows(2).map(|pair| pair[0].end..pair[1].start);
            let mut blanks = between.chain(std::iter::once(last.end..next_line));
            let first_blank = blanks.find(|blank| !blank.is_empty());
            let ending = first_blank.map_or(next_line, |blank| skip(text, blank.start, is_blank));
            let after_ending = after_line_ending(text, ending).unwrap_or(ending);
            cuts.extend([first.start..ending, after_ending..next_line]);
        }
    }
    cuts
}

/// True when the white space from the last visible byte to the start of a line holds a blank line: its first line ending
/// ends the visible line, and a second one ends a blank line.
fn ends_in_blank_line(text: &[u8], white: Span) -> bool {
    let first_ending = skip(text, white.start, is_blank);
    after_line_ending(text, first_ending).is_some_and(|end| end < white.end)
}

// ---- Pass 5: write ----

/// Pass 5: copies the text without the cuts, and with `{}` in the place of each object that stays.
fn write(text: &[u8], cuts: &[Span], stays: &[Span]) -> Vec<u8> {
    let cuts = cuts.iter().map(|span| (span, &b""[..]));
    let stays = stays.iter().map(|span| (span, &b"{}"[..]));
    let mut changes: Vec<(&Span, &[u8])> = cuts.chain(stays).collect();
    changes.sort_by_key(|(span, _)| (span.start, span.end));
    let mut out = Vec::new();
    let mut at = 0;
    for (span, instead) in changes {
        out.extend_from_slice(slice(text, at..span.start));
        out.extend_from_slice(instead);
        at = at.max(span.end);
    }
    out.extend_from_slice(slice(text, at..text.len()));
    out
}
