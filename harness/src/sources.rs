//! Declared sources: where the model says each argument of a call came from, judged against the call and never repaired.

use std::collections::HashSet;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use sidenote_core::is_javascript_white_space;

use crate::json::double;

/// Where the model says a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The person's words, as the model copied them.
    User {
        /// The words.
        quote: String,
    },
    /// A tool's result.
    Result {
        /// Its call's id.
        id: String,
    },
    /// An answer that the person gave earlier, when asked.
    Turn,
    /// The application's own text.
    App,
    /// The model itself.
    Assumed,
}

/// A source that the model declares for one argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredSource {
    /// A top-level argument of the call that carries a value.
    pub argument: String,
    /// Where the value came from.
    pub source: Source,
}

/// The entries kept, and how many were dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadSources {
    /// The entries, in order.
    pub from: Vec<DeclaredSource>,
    /// How many were dropped; 1 for what is no list.
    pub malformed: u64,
}

/// Reads what a declaration's `from` says of a call with `arguments`.
///
/// ```
/// use serde_json::json;
/// use sidenote::sources::read_sources;
///
/// let arguments = json!({"window": "7d"});
/// let arguments = arguments.as_object().expect("an object");
/// let said = json!([{"argument": "window", "source": "user", "quote": "the last week"}, {"argument": "host", "source": "app"}]);
/// let read = read_sources(Some(&said), arguments);
/// assert_eq!((read.from.len(), read.malformed), (1, 1));
/// ```
///
/// # Cost
///
/// Time proportional to entries and arguments: each argument's value is looked at once.
#[must_use]
pub fn read_sources(raw: Option<&Value>, arguments: &Map<String, Value>) -> ReadSources {
    let Some(entries) = raw.and_then(Value::as_array) else { return ReadSources { from: Vec::new(), malformed: 1 } };
    let mut free: HashSet<&str> =
        arguments.iter().filter(|(_, value)| carries_a_value(value)).map(|(name, _)| name.as_str()).collect();
    let mut read = ReadSources::default();
    for entry in entries {
        match read_entry(entry, &free) {
            Some(entry) => {
                free.remove(entry.argument.as_str());
                read.from.push(entry);
            }
            None => read.malformed += 1,
        }
    }
    read
}

/// An entry for an argument that is free: it carries a value, and no entry kept before names it.
fn read_entry(entry: &Value, free: &HashSet<&str>) -> Option<DeclaredSource> {
    let entry = entry.as_object()?;
    let text = |name: &str| entry.get(name).and_then(Value::as_str);
    let argument = text("argument").filter(|argument| free.contains(argument))?;
    let source = match text("source")? {
        "user" => Source::User { quote: text("quote")?.into() },
        "result" => Source::Result { id: text("id")?.into() },
        "turn" => Source::Turn,
        "app" => Source::App,
        "assumed" => Source::Assumed,
        _ => return None,
    };
    Some(DeclaredSource { argument: argument.into(), source })
}

/// Whether an argument carries a value: a boolean, a number that is finite as a double, or a string that is not blank.
fn carries_a_value(value: &Value) -> bool {
    match value {
        Value::Bool(_) => true,
        Value::Number(number) => double(&number.to_string()).is_finite(),
        Value::String(text) => !text.chars().all(is_javascript_white_space),
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

impl Serialize for DeclaredSource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(serializer)
    }
}

impl DeclaredSource {
    /// The entry as JSON, with the wire's names.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let argument = &self.argument;
        match &self.source {
            Source::User { quote } => json!({"argument": argument, "source": "user", "quote": quote}),
            Source::Result { id } => json!({"argument": argument, "source": "result", "id": id}),
            Source::Turn => json!({"argument": argument, "source": "turn"}),
            Source::App => json!({"argument": argument, "source": "app"}),
            Source::Assumed => json!({"argument": argument, "source": "assumed"}),
        }
    }
}
