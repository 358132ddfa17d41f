//! The ops `prefix` and `leaves`.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use sidenote_core::{PrefixEnd, PrefixEvent};

use super::{Ask, Bytes, Feed, Machine, Record, chunks, read_fields};
use crate::json::memory_for;
use crate::served::LeafCollector;
use crate::{Ended, JsonLeaves, Kind, Leaf, LeafReader, Leaves, ReadLeaf, json_prefix_of};

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
        if machine == Machine::Harness && !self.written {
            return prefix_answer(json_prefix_of(&self.text.bytes));
        }
        self.spell(&self.read(cuts))
    }

    fn feed(&self) -> Option<Feed> {
        Some(Feed { machine: 3, memory: memory_for(&self.text.bytes).len(), ..Feed::default() })
    }

    fn answer_from(&self, records: &[Record]) -> Value {
        let Some((end, events)) = records.split_last() else { return Value::Null };
        let mut leaves = LeafCollector::default();
        for record in events {
            let Some(event) = event(record) else {
                return record.refuse();
            };
            leaves.take(event);
        }
        if end.is(0) {
            return json!({"error": format!("status {} at byte {}", end.number(0), end.number(1))});
        }
        let ended = match end.number(2) {
            0 => Ended::Cut,
            1 => Ended::Closed,
            _ => Ended::Byte(end.number(3)),
        };
        let words = end.is(4).then(|| end.number(5));
        let open = String::from_utf8_lossy(&end.bytes).into_owned();
        self.spell(&leaves.end(open, PrefixEnd { ended, words }))
    }

    fn write(&self, fields: &mut Map<String, Value>) {
        let (name, text) = self.text.request();
        fields.insert(name, text);
    }
}

impl PrefixQuestion {
    fn spell(&self, read: &Leaves) -> Value {
        if !self.written {
            return prefix_answer(read.prefix());
        }
        let end = match read.ended {
            Ended::Cut => json!("cut"),
            Ended::Closed => json!("closed"),
            Ended::Byte(at) => json!({"byte": at}),
        };
        json!({"leaves": read.leaves.iter().map(leaf_answer).collect::<Vec<_>>(), "end": end, "open": read.open})
    }
}

/// The event that a record tells.
fn event(record: &Record) -> Option<PrefixEvent<'_>> {
    Some(match record.kind {
        Record::OPEN => PrefixEvent::Open { object: record.is(1), at: record.number(0) },
        Record::CLOSE => PrefixEvent::Close(record.number(0)),
        Record::BEGIN => {
            let kind = match record.number(1) {
                0 => Kind::String,
                1 => Kind::Number,
                2 => Kind::True,
                3 => Kind::False,
                _ => Kind::Null,
            };
            let (start, key, depth) = (record.number(0), record.is(2), record.number(3));
            PrefixEvent::Begin(Leaf { kind, key, depth, start })
        }
        Record::WRITTEN => PrefixEvent::Written(&record.bytes),
        Record::DECODED => PrefixEvent::Decoded(char::from_u32(u32::try_from(record.number(0)).ok()?)?),
        Record::LEAF_END => PrefixEvent::End(record.number(0)),
        _ => return None,
    })
}
