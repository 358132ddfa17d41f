//! How values are spelled, and how lines of the model's words are folded and clipped.

use serde_json::{Map, Value};
use sidenote_core::is_javascript_white_space;

use crate::json::javascript_number;

/// Writes a value: a string as it is, anything else as compact JSON the way JavaScript's `JSON.stringify` writes it.
pub(super) fn write_value(out: &mut String, value: &Value) {
    match value {
        Value::String(text) => out.push_str(text),
        other => write_json(out, other),
    }
}

fn write_json(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => {
            let spelled = javascript_number(&number.to_string());
            // A number too large for a double is infinite there, and JSON has no word for that.
            out.push_str(if spelled.ends_with("Infinity") { "null" } else { &spelled });
        }
        Value::String(text) => write_json_string(out, text),
        Value::Array(values) => {
            out.push('[');
            for (index, value) in values.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_json(out, value);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (index, (key, value)) in in_javascript_order(members).into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_json_string(out, key);
                out.push(':');
                write_json(out, value);
            }
            out.push('}');
        }
    }
}

/// Array indices come first, the smallest first; other keys as they are written.
fn in_javascript_order(members: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut members: Vec<_> = members.iter().collect();
    members.sort_by_key(|(key, _)| array_index(key).map_or((1, 0), |index| (0, index)));
    members
}

/// The array index that `key` is in its plain decimal form: below 2³² - 1.
fn array_index(key: &str) -> Option<u32> {
    let plain = key == "0" || !key.starts_with(['0', '+']);
    key.parse().ok().filter(|index| plain && *index != u32::MAX)
}

/// Writes a string as JSON, with only those escapes that it must have.
pub(super) fn write_json_string(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{C}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '\0'..='\u{1F}' => {
                const DIGITS: [char; 16] =
                    ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
                let code = character as usize;
                out.push_str("\\u00");
                out.extend([DIGITS[code >> 4], DIGITS[code & 15]]);
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

/// Writes `text` with each run of white space that holds a line break as one space, clipped to `limit` UTF-16 code units.
///
/// # Cost
///
/// Time proportional to the text: each character is looked at twice at most.
pub(super) fn write_folded(out: &mut String, text: &str, limit: usize) {
    let mut line = Clipped { out, limit, written: 0, left_out: 0 };
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if is_white_space(first) {
            let run_end = rest.find(|character| !is_white_space(character)).unwrap_or(rest.len());
            let (run, after) = rest.split_at(run_end);
            if run.contains(is_line_break) {
                line.push(' ');
            } else {
                run.chars().for_each(|character| line.push(character));
            }
            rest = after;
        } else {
            let word_end = rest.find(is_white_space).unwrap_or(rest.len());
            let (word, after) = rest.split_at(word_end);
            word.chars().for_each(|character| line.push(character));
            rest = after;
        }
    }
    line.end();
}

/// Writes `text` clipped to `limit` UTF-16 code units, and not folded.
pub(super) fn write_clipped(out: &mut String, text: &str, limit: usize) {
    let mut line = Clipped { out, limit, written: 0, left_out: 0 };
    text.chars().for_each(|character| line.push(character));
    line.end();
}

/// A line that takes only so many UTF-16 code units, and counts the rest.
struct Clipped<'o> {
    out: &'o mut String,
    limit: usize,
    written: usize,
    left_out: usize,
}

impl Clipped<'_> {
    fn push(&mut self, character: char) {
        let units = character.len_utf16();
        // Behind the first character that does not fit none is written, however short.
        if self.left_out == 0 && self.written + units <= self.limit {
            self.out.push(character);
            self.written += units;
        } else {
            self.left_out += units;
        }
    }

    fn end(self) {
        if self.left_out > 0 {
            self.out.push_str(" …[clipped ");
            self.out.push_str(&self.left_out.to_string());
            self.out.push_str(" chars]");
        }
    }
}

fn is_white_space(character: char) -> bool {
    is_javascript_white_space(character) || character == '\u{85}'
}

fn is_line_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
