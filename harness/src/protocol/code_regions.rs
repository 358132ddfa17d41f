//! The op `code_regions`.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Ask, Bytes, Feed, Machine, Record, chunks, read_fields};
use crate::{CodeRegion, CodeRegions, MAX_CODE_REGIONS, Regions, RegionsEnd, code_regions};

/// Asks for the fenced blocks of a text.
#[derive(Clone, Debug)]
pub struct CodeRegionsQuestion {
    /// The text.
    pub text: Bytes,
    /// How many regions are read.
    pub max: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    text: Option<String>,
    hex: Option<String>,
    max: Option<u64>,
}

impl CodeRegionsQuestion {
    pub(super) fn new(fields: Map<String, Value>) -> Result<Self, String> {
        let fields: Fields = read_fields(fields)?;
        Ok(Self { text: Bytes::new(fields.text, fields.hex)?, max: fields.max.unwrap_or(MAX_CODE_REGIONS) })
    }
}

/// The answer to a question about `text`.
#[must_use]
pub(crate) fn regions_answer(text: &Bytes, read: &Regions) -> Value {
    let regions: Vec<Value> = read
        .regions
        .iter()
        .map(|region| {
            json!({
                "block": region.block,
                "start": region.start,
                "end": region.end,
                "content": [region.content.start, region.content.end],
                text.field("info"): text.spell(region.info_in(&text.bytes)),
            })
        })
        .collect();
    let mut answer = json!({"regions": regions, "dropped": read.end.dropped});
    if let Some(at) = read.end.stopped_at {
        answer["stoppedAt"] = json!(at);
    }
    if let Some((fence, length)) = read.end.open_fence {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        answer["openFence"] = json!(char::from(fence).to_string().repeat(length));
    }
    answer
}

impl Ask for CodeRegionsQuestion {
    fn op(&self) -> &'static str {
        "code_regions"
    }

    fn bytes(&self) -> &Bytes {
        &self.text
    }

    fn is_fed_in_chunks(&self, machine: Machine) -> bool {
        machine == Machine::Core
    }

    fn answer(&self, machine: Machine, cuts: &[usize]) -> Value {
        let read = match machine {
            Machine::Harness => code_regions(&self.text.bytes, self.max),
            Machine::Core => {
                let mut regions = Vec::new();
                let mut reader = CodeRegions::with_max(self.max);
                for chunk in chunks(&self.text.bytes, cuts) {
                    reader.push(chunk, |region| regions.push(region));
                }
                let end = reader.end(|region| regions.push(region));
                Regions { regions, end }
            }
        };
        regions_answer(&self.text, &read)
    }

    fn feed(&self) -> Option<Feed> {
        Some(Feed { machine: 1, choice: self.max, ..Feed::default() })
    }

    fn answer_from(&self, records: &[Record]) -> Value {
        let Some((end, regions)) = records.split_last() else { return Value::Null };
        if let Some(other) = regions.iter().find(|record| record.kind != Record::REGION) {
            return other.refuse();
        }
        let region = |record: &Record| CodeRegion {
            block: record.number(0),
            start: record.number(1),
            end: record.number(2),
            content: record.number(3)..record.number(4),
            info: record.number(5)..record.number(6),
        };
        let fence = u8::try_from(end.number(5)).unwrap_or_default();
        let end = RegionsEnd {
            dropped: end.number(2),
            stopped_at: end.is(3).then(|| end.number(4)),
            open_fence: (fence != 0).then(|| (fence, end.number(6))),
        };
        regions_answer(&self.text, &Regions { regions: regions.iter().map(region).collect(), end })
    }

    fn write(&self, fields: &mut Map<String, Value>) {
        let (name, text) = self.text.request();
        fields.insert(name, text);
        fields.insert("max".into(), json!(self.max));
    }
}
