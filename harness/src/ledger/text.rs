//! How values are spelled, and how lines of the model's words are folded and clipped.

use std::fmt::{self, Write};

use serde_json::{Map, Value};
use sidenote_core::is_javascript_white_space;

use crate::json::javascript_number;

/// Writes a value: a string as it is, anything else as compact JSON the way JavaScript's `JSON.stringify` writes it.
pub(super) fn write_value(out: &mut impl Write, value: &Value) -> fmt::Result {
    match value {
        Value::String(text) => out.write_str(text),
        other => write_json(out, other),
    }
}

fn write_json(out: &mut impl Write, value: &Value) -> fmt::Result {
    match value {
        Value::Null => out.write_str("null"),
        Value::Bool(true) => out.write_str("true"),
        Value::Bool(false) => out.write_str("false"),
        Value::Number(number) => {
            let spelled = javascript_number(&number.to_string());
            // A number too large for a double is infinite there, and JSON has no word for that.
            out.write_str(if spelled.ends_with("Infinity") { "null" } else { &spelled })
        }
        Value::String(text) => write_json_string(out, text),
        Value::Array(values) => {
            out.write_char('[')?;
            for (index, value) in values.iter().enumerate() {
                if index > 0 {
                    out.write_char(',')?;
                }
                write_json(out, value)?;
            }
            out.write_char(']')
        }
        Value::Object(members) => {
            out.write_char('{')?;
            for (index, (key, value)) in in_javascript_order(members).into_iter().enumerate() {
                if index > 0 {
                    out.write_char(',')?;
                }
                write_json_string(out, key)?;
                out.write_char(':')?;
                write_json(out, value)?;
            }
            out.write_char('}')
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
pub(super) fn write_json_string(out: &mut impl Write, text: &str) -> fmt::Result {
    out.write_char('"')?;
    for character in text.chars() {
        match character {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            '\u{8}' => out.write_str("\\b")?,
            '\t' => out.write_str("\\t")?,
            '\n' => out.write_str("\\n")?,
            '\u{C}' => out.write_str("\\f")?,
            '\r' => out.write_str("\\r")?,
            '\0'..='\u{1F}' => write!(out, "\\u{:04x}", u32::from(character))?,
            other => out.write_char(other)?,
        }
    }
    out.write_char('"')
}

/// Writes `text` with each run of white space that holds a line break as one space, clipped to `limit` UTF-16 code units.
pub(super) fn write_folded(out: &mut String, text: &str, limit: usize) {
    let mut line = Line::new(out, limit);
    line.push_str(text);
    line.end();
}

/// Writes `text` clipped to `limit` UTF-16 code units, and not folded.
pub(super) fn write_clipped(out: &mut String, text: &str, limit: usize) {
    let mut line = Line::new(out, limit);
    text.chars().for_each(|character| line.push(character));
    line.end();
}

/// A line that is folded and clipped as it is written: what is past its limit is counted and not kept.
///
/// Each run of white space that holds a line break becomes one space, also where the run is written in pieces.
///
/// # Cost
///
/// Time proportional to what is written, and memory to the limit.
pub(super) struct Line<'o> {
    out: &'o mut String,
    limit: usize,
    written: usize,
    left_out: usize,
    /// White space of which it is not known yet whether a line break is among it: its first characters, how many UTF-16 code units there are,
    /// and whether there was one.
    white: String,
    white_units: usize,
    has_break: bool,
}

impl<'o> Line<'o> {
    /// A line at the end of `out`, of at most `limit` UTF-16 code units.
    pub(super) fn new(out: &'o mut String, limit: usize) -> Self {
        Self { out, limit, written: 0, left_out: 0, white: String::new(), white_units: 0, has_break: false }
    }

    pub(super) fn push_str(&mut self, text: &str) {
        for character in text.chars() {
            if is_white_space(character) {
                // All of white space is one code unit each.
                self.white_units += 1;
                self.has_break |= is_line_break(character);
                if self.white_units <= self.limit {
                    self.white.push(character);
                }
            } else {
                self.fold_white();
                self.push(character);
            }
        }
    }

    /// Whether everything from here on is only counted.
    pub(super) fn is_full(&self) -> bool {
        self.left_out > 0
    }

    /// Counts code units that begin and end with no white space, in place of writing them.
    pub(super) fn count(&mut self, units: usize) {
        self.fold_white();
        self.left_out += units;
    }

    fn fold_white(&mut self) {
        if self.white_units == 0 {
            return;
        }
        if self.has_break {
            self.push(' ');
        } else {
            let white = std::mem::take(&mut self.white);
            white.chars().for_each(|character| self.push(character));
            self.left_out += self.white_units - white.chars().count();
        }
        self.white.clear();
        self.white_units = 0;
        self.has_break = false;
    }

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

    /// The line is over: says how much was left out.
    pub(super) fn end(mut self) {
        self.fold_white();
        if self.left_out > 0 {
            self.out.push_str(" …[clipped ");
            self.out.push_str(&self.left_out.to_string());
            self.out.push_str(" chars]");
        }
    }
}

impl fmt::Write for Line<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}

fn is_white_space(character: char) -> bool {
    is_javascript_white_space(character) || character == '\u{85}'
}

fn is_line_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
