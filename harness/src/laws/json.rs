//! The laws of the JSON readers, and their agreement with `serde_json`.

use serde::de::IgnoredAny;
use serde_json::Value;
use sidenote_core::LeadingValues;

use super::{chunks, cuttings, same};
use crate::json::{self, JsonError, memory_for};
use crate::{Ended, LeafReader, Leaves, leading_json_values};

/// Checks the laws of leading values on a text: any cut gives the same; values and rest are the text but for white space; the first value
/// is the one that `serde_json` reads; each is the value that `serde_json` reads from its bytes.
///
/// # Errors
///
/// The law that does not hold, and what was seen.
pub fn leading_laws(text: &[u8], cuts: &[usize]) -> Result<(), String> {
    let (values, end) = leading(text, &[]);
    for cuts in cuttings(text, cuts) {
        same("cut", &leading(text, &cuts), &(values.clone(), end))?;
    }
    let mut last = 0;
    for range in &values {
        same("between values", text[last..range.start].trim_ascii(), b"".as_slice())?;
        last = range.end;
    }
    let rest = usize::try_from(end.rest).map_err(|error| error.to_string())?;
    if text[last..rest].iter().any(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {
        return Err(format!("the rest begins at {rest}, too late"));
    }
    let opens = text.trim_ascii_start().first().is_some_and(|byte| matches!(byte, b'{' | b'['));
    let mut theirs = serde_json::Deserializer::from_slice(text).into_iter::<IgnoredAny>();
    let first = opens.then(|| theirs.next().and_then(Result::ok).map(|_| theirs.byte_offset())).flatten();
    // Their white space is JSON's, and ours is trimmed by ASCII's, which has a form feed more.
    same("serde_json, the first value", &values.first().map(|range| range.end), &first)?;
    for range in &values {
        let bytes = &text[range.clone()];
        let ours = json::parse(bytes);
        if let Ok(theirs) = serde_json::from_slice::<Value>(bytes)
            && !contains(bytes, b"$serde_json")
        {
            same("serde_json, a value", &ours.map(|value| plain(&value)), &Ok(plain(&theirs)))?;
        } else if !matches!(ours, Ok(_) | Err(JsonError::TooDeep(_))) {
            return Err(format!("a complete value is refused: {ours:?}"));
        }
    }
    if let Ok(read) = leading_json_values(text) {
        same("whole text", &(read.values.len(), read.rest, read.stopped), &(values.len(), &text[rest..], end.stopped))?;
    }
    Ok(())
}

/// Checks the laws of the leaves of JSON cut short: any cut gives the same; the text is a proper prefix of JSON exactly if something makes
/// `serde_json` accept it; leaves stand in order where they say.
///
/// # Errors
///
/// The law that does not hold, and what was seen.
pub fn prefix_laws(text: &[u8], cuts: &[usize]) -> Result<(), String> {
    let whole = leaves(text, &[]);
    for cuts in cuttings(text, cuts) {
        same("cut", &leaves(text, &cuts), &whole)?;
    }
    let is_prefix = completes(text);
    same("a proper prefix of JSON", &whole.prefix().is_some(), &is_prefix)?;
    if whole.ended == Ended::Closed && leading(text, &[]).0.is_empty() {
        return Err("it closed, but opens with no value".into());
    }
    let mut last = 0;
    for leaf in &whole.leaves {
        if leaf.leaf.start < last || leaf.end <= leaf.leaf.start {
            return Err(format!("order: {leaf:?} after {last}"));
        }
        last = leaf.end;
        let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
        let raw = &text[at(leaf.leaf.start)..at(leaf.end)];
        // A lone surrogate is refused there and replaced here.
        if let Ok(value) = serde_json::from_slice::<Value>(raw) {
            let theirs = value.as_str().map_or_else(|| String::from_utf8_lossy(raw).into_owned(), str::to_owned);
            same("serde_json, a leaf", &leaf.text, &theirs)?;
        }
    }
    Ok(())
}

fn leading(text: &[u8], cuts: &[usize]) -> (Vec<std::ops::Range<usize>>, sidenote_core::LeadingEnd) {
    let mut values = Vec::new();
    let mut reader = LeadingValues::new(memory_for(text));
    let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
    for chunk in chunks(text, cuts) {
        let read = reader.push(chunk, |range| values.push(at(range.start)..at(range.end)));
        read.expect("there is a bit for every byte");
    }
    (values, reader.end())
}

fn leaves(text: &[u8], cuts: &[usize]) -> Leaves {
    let mut reader = LeafReader::new();
    chunks(text, cuts).for_each(|chunk| reader.push(chunk));
    reader.end()
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// The value with its numbers as doubles, whose spelling `serde_json` does not keep.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => Value::String(format!("{:?}", number.to_string().parse::<f64>())),
        Value::Array(values) => values.iter().map(plain).collect(),
        Value::Object(members) => members.iter().map(|(key, value)| (key.clone(), plain(value))).collect(),
        other => other.clone(),
    }
}

/// Whether something makes a JSON object or array of `text`, and nothing is needed less: the slow definition of a proper prefix.
fn completes(text: &[u8]) -> bool {
    const TOKENS: &[&str] = &[
        "", "\"", "\\\"", "n\"", "0\"", "00\"", "000\"", "0000\"", "0", "rue", "ue", "e", "alse", "lse", "se", "ull",
        "ll", "l",
    ];
    const AFTER: &[&str] = &["", ":0", "0", "\"\":0"];
    let mut closing = closing_brackets(text);
    let opens = text.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    if !matches!(opens, Some(b'{' | b'[')) || closing.is_empty() {
        return false;
    }
    closing.reverse();
    TOKENS.iter().any(|token| {
        AFTER.iter().any(|after| {
            let whole = [text, token.as_bytes(), after.as_bytes(), closing.as_slice()].concat();
            serde_json::from_slice::<IgnoredAny>(&whole).is_ok()
        })
    })
}

/// The brackets that would close what `text` has open, the outermost first, if its strings are what they seem.
fn closing_brackets(text: &[u8]) -> Vec<u8> {
    let mut closing = Vec::new();
    let mut in_string = false;
    let mut escaped = false;
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' => closing.push(b'}'),
            b'[' => closing.push(b']'),
            b'}' | b']' => {
                closing.pop();
            }
            _ => {}
        }
    }
    closing
}
