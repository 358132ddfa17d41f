//! The op `leading`.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use sidenote_core::LeadingValues;

use super::{Ask, Bytes, Machine, chunks, read_fields};
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
        let end = reader.end();
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

    fn write(&self, fields: &mut Map<String, Value>) {
        let (name, text) = self.text.request();
        fields.insert(name, text);
        if self.why {
            fields.insert("why".into(), json!(true));
        }
    }
}
