//! JSON values that keep every digit of a number and the order in which keys are written.
//!
//! They are built on core's grammar, not on `serde_json`'s reader: that one takes an object with its own private key for a
//! number, and a text may hold any key.

use std::fmt;
use std::ops::Range;

use serde_json::{Map, Number, Value};
use sidenote_core::{Ended, JsonPrefix, Kind, Leaf, PrefixEvent};

/// How many containers a value may stand in, itself counted: more would overflow the stack where it is dropped.
pub const MAX_DEPTH: usize = 512;

/// Why a text is not read as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonError {
    /// The byte at this offset cannot be taken.
    Byte(u64),
    /// The text ends before its value does.
    Cut,
    /// The bracket at this offset opens a level more than [`MAX_DEPTH`].
    TooDeep(u64),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Byte(at) => write!(f, "not a JSON object or array at byte {at}"),
            Self::Cut => f.write_str("the JSON object or array is cut short"),
            Self::TooDeep(at) => write!(f, "nested deeper than {MAX_DEPTH} levels at byte {at}"),
        }
    }
}

impl std::error::Error for JsonError {}

/// The object or array that `text` is, white space around it aside.
///
/// Where a key is written twice, the last value counts, in the first one's place, as in JavaScript. Bytes that are no UTF-8 and
/// escapes for half a pair become U+FFFD.
///
/// # Errors
///
/// [`JsonError`], at the first byte that stands in the way.
pub fn parse(text: &[u8]) -> Result<Value, JsonError> {
    let mut builder = Builder::default();
    let mut reader = JsonPrefix::new(memory_for(text));
    // There is a bit for every byte, so the memory is never full.
    reader.push(text, |event| builder.take(event)).map_err(|_| JsonError::Cut)?;
    let end = reader.end().ended;
    if let Some(at) = builder.too_deep {
        return Err(JsonError::TooDeep(at));
    }
    match (end, builder.value) {
        (Ended::Byte(at), _) => Err(JsonError::Byte(at)),
        (Ended::Closed, Some(value)) => {
            let after = text.get(builder.end..).unwrap_or_default();
            match after.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {
                None => Ok(value),
                Some(at) => Err(JsonError::Byte((builder.end + at) as u64)),
            }
        }
        _ => Err(JsonError::Cut),
    }
}

/// Memory with a bit for every byte of `text`, each of which could open a container.
pub(crate) fn memory_for(text: &[u8]) -> Vec<u8> {
    vec![0; text.len() / 8 + 1]
}

/// What an event's pieces spell.
pub(crate) fn spell(text: &mut Vec<u8>, event: PrefixEvent<'_>) {
    match event {
        PrefixEvent::Begin(_) => text.clear(),
        PrefixEvent::Written(bytes) => text.extend_from_slice(bytes),
        PrefixEvent::Decoded(character) => text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        _ => {}
    }
}

/// Builds a value from events.
#[derive(Default)]
struct Builder {
    /// The containers that are open, and the key that waits for its value in each object.
    open: Vec<Container>,
    leaf: Option<Leaf>,
    text: Vec<u8>,
    value: Option<Value>,
    end: usize,
    too_deep: Option<u64>,
}

enum Container {
    Array(Vec<Value>),
    Object(Map<String, Value>, String),
}

impl Builder {
    fn take(&mut self, event: PrefixEvent<'_>) {
        if self.too_deep.is_some() {
            return;
        }
        spell(&mut self.text, event);
        match event {
            PrefixEvent::Open { at, .. } if self.open.len() == MAX_DEPTH => self.too_deep = Some(at),
            PrefixEvent::Open { object: true, .. } => self.open.push(Container::Object(Map::new(), String::new())),
            PrefixEvent::Open { object: false, .. } => self.open.push(Container::Array(Vec::new())),
            PrefixEvent::Begin(leaf) => self.leaf = Some(leaf),
            PrefixEvent::End(_) => self.leaf_ends(),
            PrefixEvent::Close(end) => {
                self.end = usize::try_from(end).unwrap_or(usize::MAX);
                match self.open.pop() {
                    Some(Container::Array(values)) => self.add(Value::Array(values)),
                    Some(Container::Object(members, _)) => self.add(Value::Object(members)),
                    None => {}
                }
            }
            PrefixEvent::Written(_) | PrefixEvent::Decoded(_) => {}
        }
    }

    fn leaf_ends(&mut self) {
        let Some(leaf) = self.leaf.take() else { return };
        let text = String::from_utf8_lossy(&self.text).into_owned();
        let value = match leaf.kind {
            Kind::String if leaf.key => {
                if let Some(Container::Object(_, key)) = self.open.last_mut() {
                    *key = text;
                }
                return;
            }
            Kind::String => Value::String(text),
            // What core took for a number is one; `Number`'s own reader would spell exponents anew.
            Kind::Number => Value::Number(Number::from_string_unchecked(text)),
            Kind::True => Value::Bool(true),
            Kind::False => Value::Bool(false),
            Kind::Null => Value::Null,
        };
        self.add(value);
    }

    fn add(&mut self, value: Value) {
        match self.open.last_mut() {
            Some(Container::Array(values)) => values.push(value),
            Some(Container::Object(members, key)) => {
                members.insert(std::mem::take(key), value);
            }
            None => self.value = Some(value),
        }
    }
}

/// `digits`, a JSON number, as JavaScript's `String(Number(digits))` spells it.
#[must_use]
pub fn javascript_number(digits: &str) -> String {
    ryu_js::Buffer::new().format(double(digits)).to_owned()
}

/// The double nearest to `digits`, a JSON number of any length, to infinity where it is too large; NaN for what is no number.
#[must_use]
pub fn double(digits: &str) -> f64 {
    /// Digits and exponents up to here the standard library reads right.
    const SHORT: usize = 300;
    /// More digits than decide how a number is rounded.
    const DIGITS: usize = 800;
    if digits.len() <= SHORT {
        return digits.parse().unwrap_or(f64::NAN);
    }
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = [integer, fraction].concat();
    let significant = all.trim_start_matches('0');
    let exponent_digits = exponent.trim_start_matches(['+', '-', '0']);
    let exponent_size =
        exponent_digits.parse::<i64>().unwrap_or(if exponent_digits.is_empty() { 0 } else { i64::MAX / 4 });
    let exponent = if exponent.starts_with('-') { -exponent_size } else { exponent_size };
    let length = |digits: &str| i64::try_from(digits.len()).unwrap_or(i64::MAX);
    let leading_zeros = length(&all) - length(significant);
    let place = exponent.saturating_add(length(integer)).saturating_sub(leading_zeros);
    let (first, rest) = significant.split_at_checked(DIGITS).unwrap_or((significant, ""));
    // A digit far behind decides only whether what is before it is exact.
    let sticky = if rest.bytes().any(|digit| digit != b'0') { "1" } else { "" };
    format!("{sign}0.{first}{sticky}0e{}", place.clamp(-2_000, 2_000)).parse().unwrap_or(f64::NAN)
}

/// A value in an object or array: its key, where it has one, and where it stands, in bytes.
pub type Child = (Option<String>, Range<usize>);

/// What an object or array holds, in order.
///
/// # Errors
///
/// [`JsonError`], at the first byte that stands in the way of one object or array.
pub fn children(text: &[u8]) -> Result<Vec<Child>, JsonError> {
    let mut children = Vec::new();
    let (mut depth, mut start, mut key, mut spelled) = (0_u64, 0, None, Vec::new());
    let mut leaf = None;
    let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
    let mut reader = JsonPrefix::new(memory_for(text));
    let read = reader.push(text, |event| {
        spell(&mut spelled, event);
        match event {
            PrefixEvent::Open { at: bracket, .. } => {
                depth += 1;
                if depth == 2 {
                    start = at(bracket);
                }
            }
            PrefixEvent::Close(end) => {
                depth -= 1;
                if depth == 1 {
                    children.push((key.take(), start..at(end)));
                }
            }
            PrefixEvent::Begin(begun) => leaf = Some(begun),
            PrefixEvent::End(end) => match leaf.take() {
                Some(Leaf { key: true, depth: 1, .. }) => key = Some(String::from_utf8_lossy(&spelled).into_owned()),
                Some(Leaf { key: false, depth: 1, start, .. }) => children.push((key.take(), at(start)..at(end))),
                _ => {}
            },
            PrefixEvent::Written(_) | PrefixEvent::Decoded(_) => {}
        }
    });
    read.map_err(|_| JsonError::Cut)?;
    match reader.end().ended {
        Ended::Closed => Ok(children),
        Ended::Cut => Err(JsonError::Cut),
        Ended::Byte(at) => Err(JsonError::Byte(at)),
    }
}
