//! The ops `prefix` and `leaves`.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Ask, Bytes, Machine, chunks, read_fields};
use crate::{Ended, JsonLeaves, Kind, LeafReader, Leaves, ReadLeaf, json_prefix_of};

/// Asks for the leaves of JSON that is cut short.
#[derive(Clone, Debug)]
pub struct PrefixQuestion {
    /// The text.
    pub text: Bytes,
    /// Whether each leaf is asked for as it is written (`leaves`) or as it is spelled (`prefix`).
    pub written: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    text: Option<String>,
    hex: Option<String>,
}

impl PrefixQuestion {
    pub(super) fn new(fields: Map<String, Value>, written: bool) -> Result<Self, String> {
        let fields: Fields = read_fields(fields)?;
        Ok(Self { text: Bytes::new(fields.text, fields.hex)?, written })
    }

    fn read(&self, cuts: &[usize]) -> Leaves {
        let mut reader = LeafReader::new();
        for chunk in chunks(&self.text.bytes, cuts) {
            reader.push(chunk);
        }
        reader.end()
    }
}

fn prefix_answer(prefix: Option<JsonLeaves>) -> Value {
    let Some(JsonLeaves { leaves, words }) = prefix else { return Value::Null };
    let mut answer = json!({"leaves": leaves});
    if let Some(words) = words {
        answer["words"] = json!(words);
    }
    answer
}

/// A leaf as it is written.
pub(crate) fn leaf_answer(read: &ReadLeaf) -> Value {
    let kind = match read.leaf.kind {
        Kind::String => "string",
        Kind::Number => "number",
        Kind::True => "true",
        Kind::False => "false",
        Kind::Null => "null",
    };
    json!({"kind": kind, "key": read.leaf.key, "depth": read.leaf.depth, "raw": [read.leaf.start, read.end]})
}

impl Ask for PrefixQuestion {
    fn op(&self) -> &'static str {
        if self.written { "leaves" } else { "prefix" }
    }

    fn bytes(&self) -> &Bytes {
        &self.text
    }

    fn is_fed_in_chunks(&self, machine: Machine) -> bool {
        machine == Machine::Core || self.written
    }

    fn answer(&self, machine: Machine, cuts: &[usize]) -> Value {
        if !self.written {
            return prefix_answer(match machine {
                Machine::Core => self.read(cuts).prefix(),
                Machine::Harness => json_prefix_of(&self.text.bytes),
            });
        }
        let read = self.read(cuts);
        let end = match read.ended {
            Ended::Cut => json!("cut"),
            Ended::Closed => json!("closed"),
            Ended::Byte(at) => json!({"byte": at}),
        };
        json!({"leaves": read.leaves.iter().map(leaf_answer).collect::<Vec<_>>(), "end": end, "open": read.open})
    }

    fn write(&self, fields: &mut Map<String, Value>) {
        let (name, text) = self.text.request();
        fields.insert(name, text);
    }
}
