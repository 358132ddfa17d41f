//! The op `filter`.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Ask, Bytes, Feed, Machine, Record, chunks, read_fields};
use crate::{Error, Event, Keys, OnFull, RESERVED_KEY, Removed, least_memory};

/// Asks for a text without its reserved members.
#[derive(Clone, Debug)]
pub struct FilterQuestion {
    /// The text.
    pub text: Bytes,
    /// The reserved keys.
    pub keys: Vec<String>,
    /// The memory lent, in bytes; enough of it where nothing is said.
    pub memory: Option<usize>,
    /// What happens when that is full.
    pub on_full: OnFull,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    text: Option<String>,
    hex: Option<String>,
    keys: Option<Vec<String>>,
    memory: Option<usize>,
    on_full: Option<Choice>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Choice {
    Fail,
    Show,
    Hide,
}

impl FilterQuestion {
    pub(super) fn new(fields: Map<String, Value>) -> Result<Self, String> {
        let fields: Fields = read_fields(fields)?;
        Ok(Self {
            text: Bytes::new(fields.text, fields.hex)?,
            keys: fields.keys.unwrap_or_else(|| vec![RESERVED_KEY.into()]),
            memory: fields.memory,
            on_full: match fields.on_full {
                None | Some(Choice::Fail) => OnFull::Fail,
                Some(Choice::Show) => OnFull::Show,
                Some(Choice::Hide) => OnFull::Hide,
            },
        })
    }

    /// What `on_full` is called, where it is not what happens anyway.
    #[must_use]
    pub fn choice(&self) -> Option<&'static str> {
        match self.on_full {
            OnFull::Show => Some("show"),
            OnFull::Hide => Some("hide"),
            _ => None,
        }
    }

    /// A memory that the text cannot fill: room for every byte and for a level of nesting at every byte.
    #[must_use]
    pub fn enough_memory(&self) -> usize {
        self.with_keys(least_memory).max(2 * self.text.bytes.len() + 8)
    }

    /// The least memory that the keys allow.
    #[must_use]
    pub fn least_memory(&self) -> usize {
        self.with_keys(least_memory)
    }

    /// What core makes of the text in `memory` bytes.
    #[must_use]
    pub fn outcome(&self, memory: usize, on_full: OnFull, cuts: &[usize]) -> Outcome {
        self.with_keys(|keys| {
            let mut outcome = Outcome::default();
            let mut lent = vec![0; memory];
            let filtered = sidenote_core::Filter::new(keys, &mut lent[..]).and_then(|filter| {
                let mut filter = filter.on_full(on_full);
                for chunk in chunks(&self.text.bytes, cuts) {
                    filter.push(chunk, |event| outcome.take(event))?;
                }
                filter.end(|event| outcome.take(event))?;
                outcome.released = filter.released();
                Ok(())
            });
            outcome.error = filtered.err();
            outcome
        })
    }

    fn harness_outcome(&self, memory: usize, cuts: &[usize]) -> Outcome {
        self.with_keys(|keys| {
            let mut outcome = Outcome::default();
            let filtered = crate::Filter::with_ceiling(keys, memory, self.on_full).and_then(|mut filter| {
                for chunk in chunks(&self.text.bytes, cuts) {
                    filter.push(chunk, |event| outcome.take(event))?;
                }
                filter.end(|event| outcome.take(event))?;
                outcome.released = filter.released();
                Ok(())
            });
            outcome.error = filtered.err();
            outcome
        })
    }

    fn with_keys<T>(&self, ask: impl FnOnce(Keys<'_>) -> T) -> T {
        let keys: Vec<&str> = self.keys.iter().map(String::as_str).collect();
        ask(Keys::all(&keys))
    }
}

impl Ask for FilterQuestion {
    fn op(&self) -> &'static str {
        "filter"
    }

    fn bytes(&self) -> &Bytes {
        &self.text
    }

    fn answer(&self, machine: Machine, cuts: &[usize]) -> Value {
        let memory = self.memory.unwrap_or_else(|| self.enough_memory());
        match machine {
            Machine::Core => self.outcome(memory, self.on_full, cuts).answer(&self.text),
            Machine::Harness => self.harness_outcome(memory, cuts).answer(&self.text),
        }
    }

    fn feed(&self) -> Option<Feed> {
        let choice = match self.on_full {
            OnFull::Show => 1,
            OnFull::Hide => 2,
            OnFull::Grow => 3,
            _ => 0,
        };
        let memory = self.memory.unwrap_or_else(|| self.enough_memory());
        Some(Feed { machine: 0, memory, choice, keys: self.keys.clone() })
    }

    fn answer_from(&self, records: &[Record]) -> Value {
        let mut outcome = Outcome::default();
        for record in records {
            match record.kind {
                Record::TEXT => outcome.visible.extend_from_slice(&record.bytes),
                Record::REMOVED => {
                    let value = record.is(3).then(|| record.bytes.clone());
                    outcome.removed.push((record.number(0), value, record.is(2)));
                }
                Record::LOST => outcome.lost += record.number(1),
                Record::END => {
                    let at = record.number(1);
                    outcome.error = match record.number(0) {
                        0 => None,
                        1 => Some(Error::TooSmall { least: usize::try_from(record.number(2)).unwrap_or(usize::MAX) }),
                        2 => Some(Error::Memory { at, read: 0 }),
                        3 => Some(Error::Nesting { at, read: 0 }),
                        _ => Some(Error::Ended),
                    };
                }
                _ => return record.refuse(),
            }
        }
        outcome.answer(&self.text)
    }

    fn write(&self, fields: &mut Map<String, Value>) {
        let (name, text) = self.text.request();
        fields.insert(name, text);
        fields.insert("keys".into(), json!(self.keys));
        if let Some(memory) = self.memory {
            fields.insert("memory".into(), json!(memory));
        }
        if let Some(choice) = self.choice() {
            fields.insert("on_full".into(), json!(choice));
        }
    }
}

/// What a filter made of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The visible bytes, joined.
    pub visible: Vec<u8>,
    /// Object, value and completeness of each member taken out; no value where it was too long to be kept.
    pub removed: Vec<(u64, Option<Vec<u8>>, bool)>,
    /// How many bytes were lost.
    pub lost: u64,
    /// What stopped the reading.
    pub error: Option<Error>,
    /// Whether something was given back for lack of room.
    pub released: bool,
}

impl Outcome {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Text(bytes) => self.visible.extend_from_slice(bytes),
            Event::Removed(Removed { object, value, complete, .. }) => {
                self.removed.push((object, value.map(<[u8]>::to_vec), complete));
            }
            Event::Lost { bytes, .. } => self.lost += bytes,
            _ => {}
        }
    }

    fn answer(&self, spelling: &Bytes) -> Value {
        let mut answer = Map::new();
        match self.error {
            Some(Error::TooSmall { least }) => return json!({"error": "too_small", "least": least}),
            Some(Error::Memory { at, .. }) => {
                answer.insert("error".into(), json!("memory"));
                answer.insert("at".into(), json!(at));
            }
            Some(Error::Nesting { at, .. }) => {
                answer.insert("error".into(), json!("nesting"));
                answer.insert("at".into(), json!(at));
            }
            Some(other) => return json!({"error": other.to_string()}),
            None => {}
        }
        let removed: Vec<Value> = self
            .removed
            .iter()
            .map(|(object, value, complete)| {
                json!([object, value.as_ref().map(|value| spelling.spell(value)), complete])
            })
            .collect();
        answer.insert(spelling.field("visible"), spelling.spell(&self.visible));
        answer.insert(spelling.field("removed"), json!(removed));
        if self.lost > 0 {
            answer.insert("lost".into(), json!(self.lost));
        }
        answer.into()
    }
}
