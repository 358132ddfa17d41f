//! The op `leading`.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use sidenote_core::{LeadingEnd, LeadingValues};

use super::{Ask, Bytes, Feed, Machine, Record, chunks, read_fields};
use crate::Stopped;
use crate::json::memory_for;

/// Asks for the JSON values that a text opens with.
#[derive(Clone, Debug)]
pub struct LeadingQuestion {
    /// The text.
    pub text: Bytes,
    /// Whether to say why the reading stopped.
    pub why: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    text: Option<String>,
    hex: Option<String>,
    #[serde(default)]
    why: bool,
}

impl LeadingQuestion {
    pub(super) fn new(fields: Map<String, Value>) -> Result<Self, String> {
        let fields: Fields = read_fields(fields)?;
        Ok(Self { text: Bytes::new(fields.text, fields.hex)?, why: fields.why })
    }

    fn spell(&self, values: &[Value], end: LeadingEnd) -> Value {
        let mut answer = json!({"values": values, "rest": end.rest});
        if self.why {
            answer["stopped"] = match end.stopped {
                Stopped::End => json!("end"),
                Stopped::Opener => json!("opener"),
                Stopped::Cut => json!("cut"),
                Stopped::Byte(at) => json!({"byte": at}),
            };
        }
        answer
    }
}

impl Ask for LeadingQuestion {
    fn op(&self) -> &'static str {
        "leading"
    }

    fn bytes(&self) -> &Bytes {
        &self.text
    }

    fn answer(&self, _machine: Machine, cuts: &[usize]) -> Value {
        let mut values = Vec::new();
        let mut reader = LeadingValues::new(memory_for(&self.text.bytes));
        for chunk in chunks(&self.text.bytes, cuts) {
            if let Err(error) = reader.push(chunk, |range| values.push(json!([range.start, range.end]))) {
                return json!({"error": error.to_string()});
            }
        }
        self.spell(&values, reader.end())
    }

    fn feed(&self) -> Option<Feed> {
        Some(Feed { machine: 2, memory: memory_for(&self.text.bytes).len(), ..Feed::default() })
    }

    fn answer_from(&self, records: &[Record]) -> Value {
        let Some((end, values)) = records.split_last() else { return Value::Null };
        if let Some(other) = values.iter().find(|record| record.kind != Record::VALUE) {
            return other.refuse();
        }
        let values: Vec<Value> = values.iter().map(|value| json!([value.number(0), value.number(1)])).collect();
        let stopped = match end.number(3) {
            0 => Stopped::End,
            1 => Stopped::Opener,
            2 => Stopped::Cut,
            _ => Stopped::Byte(end.number(4)),
        };
        match end.number(0) {
            0 => self.spell(&values, LeadingEnd { rest: end.number(2), stopped }),
            status => json!({"error": format!("status {status} at byte {}", end.number(1))}),
        }
    }

    fn write(&self, fields: &mut Map<String, Value>) {
        let (name, text) = self.text.request();
        fields.insert(name, text);
        if self.why {
            fields.insert("why".into(), json!(true));
        }
    }
}
