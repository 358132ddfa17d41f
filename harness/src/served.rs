//! A tool result's JSON when the whole of it is not one JSON value: the values it opens with, and the leaves of one cut short.

use serde_json::Value;
use sidenote_core::{Ended, Error, JsonPrefix, Kind, LeadingValues, Leaf, PrefixEnd, PrefixEvent, Stopped};

use crate::json::{self, JsonError, javascript_number, memory_for, spell};

/// What a text opens with.
#[derive(Clone, Debug, PartialEq)]
pub struct LeadingJson<'t> {
    /// The values, in order.
    pub values: Vec<Value>,
    /// The text behind the last of them, without the white space before it.
    pub rest: &'t [u8],
    /// Why the reading stopped there.
    pub stopped: Stopped,
}

/// The complete objects and arrays that `text` opens with, and what follows them.
///
/// ```
/// let served = b"{\"id\": 4417}\n{\"id\": 2210}\n\n[identical call: see above]";
/// let leading = sidenote::leading_json_values(served)?;
/// assert_eq!(leading.values.len(), 2);
/// assert_eq!(leading.values[1]["id"], 2210);
/// assert_eq!(leading.rest, b"[identical call: see above]");
/// # Ok::<(), sidenote::JsonError>(())
/// ```
///
/// # Errors
///
/// [`JsonError::TooDeep`] where a value is nested deeper than a value here can hold ([`json::MAX_DEPTH`]).
pub fn leading_json_values(text: &[u8]) -> Result<LeadingJson<'_>, JsonError> {
    let mut ranges = Vec::new();
    let mut reader = LeadingValues::new(memory_for(text));
    reader.push(text, |range| ranges.push(range)).map_err(|_| JsonError::Cut)?;
    let end = reader.end();
    let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
    let value = |range: std::ops::Range<u64>| {
        json::parse(text.get(at(range.start)..at(range.end)).unwrap_or_default()).map_err(|error| match error {
            JsonError::TooDeep(inner) => JsonError::TooDeep(range.start + inner),
            other => other,
        })
    };
    let values = ranges.into_iter().map(value).collect::<Result<_, _>>()?;
    Ok(LeadingJson { values, rest: text.get(at(end.rest)..).unwrap_or_default(), stopped: end.stopped })
}

/// What a JSON text that is cut short reads as.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JsonLeaves {
    /// Its complete strings, keys and values, and numbers and booleans, in order, each spelled as JavaScript's `String` does.
    pub leaves: Vec<String>,
    /// The whole words of a string that the text ends in.
    pub words: Option<String>,
}

/// The leaves of an object or array whose text ends before it closes; none for any other text.
///
/// ```
/// let head = br#"{"id": 4417, "ratio": 1.50, "msg": "disk full on host-7 and mo"#;
/// let cut = sidenote::json_prefix_of(head).expect("it is JSON, as far as it goes");
/// assert_eq!(cut.leaves, ["id", "4417", "ratio", "1.5", "msg"]);
/// assert_eq!(cut.words.as_deref(), Some("disk full on host-7 and"));
/// assert_eq!(sidenote::json_prefix_of(b"[INFO] disk full"), None);
/// ```
#[must_use]
pub fn json_prefix_of(text: &[u8]) -> Option<JsonLeaves> {
    let mut leaves = LeafReader::new();
    leaves.push(text);
    leaves.end().prefix()
}

/// A leaf as it is written and as it is spelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadLeaf {
    /// What it is and where it begins.
    pub leaf: Leaf,
    /// The offset behind its last byte.
    pub end: u64,
    /// A string decoded; anything else as written.
    pub text: String,
}

impl ReadLeaf {
    /// The leaf as JavaScript's `String` spells it.
    #[must_use]
    pub fn spelled(&self) -> String {
        if self.leaf.kind == Kind::Number { javascript_number(&self.text) } else { self.text.clone() }
    }
}

/// Reads the leaves of a text that comes in chunks. Its memory, a bit a level of nesting, grows as the text needs it.
#[derive(Debug)]
pub struct LeafReader {
    /// None only while it is moved to a larger memory.
    reader: Option<JsonPrefix<Vec<u8>>>,
    memory: usize,
    collector: LeafCollector,
}

/// Puts leaves together from what a reader of a JSON prefix hands out.
#[derive(Debug, Default)]
pub(crate) struct LeafCollector {
    leaves: Vec<ReadLeaf>,
    current: Option<Leaf>,
    text: Vec<u8>,
}

/// The leaves of a text, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaves {
    /// The complete leaves, in order; no `null` is among them.
    pub leaves: Vec<ReadLeaf>,
    /// How the text ended.
    pub ended: Ended,
    /// The opening brackets of the containers that are open, the outermost first.
    pub open: String,
    /// The whole words of a string that the text ends in.
    pub words: Option<String>,
}

impl Default for LeafReader {
    fn default() -> Self {
        Self::new()
    }
}

impl LeafReader {
    /// A reader before the first byte.
    #[must_use]
    pub fn new() -> Self {
        let memory = 16;
        let reader = Some(JsonPrefix::new(vec![0; memory]));
        Self { reader, memory, collector: LeafCollector::default() }
    }

    /// Reads the next bytes.
    pub fn push(&mut self, chunk: &[u8]) {
        let mut rest = chunk;
        while let Err(Error::Nesting { read, .. }) = self.push_to_reader(rest) {
            rest = rest.get(read..).unwrap_or_default();
            self.memory *= 2;
            let larger = vec![0; self.memory];
            self.reader = self.reader.take().and_then(|reader| reader.moved_to(larger).ok());
        }
    }

    fn push_to_reader(&mut self, chunk: &[u8]) -> Result<(), Error> {
        let Self { reader, collector, .. } = self;
        reader.as_mut().map_or(Ok(()), |reader| reader.push(chunk, |event| collector.take(event)))
    }

    /// The text is over.
    #[must_use]
    pub fn end(self) -> Leaves {
        let open = self.reader.iter().flat_map(JsonPrefix::open).map(char::from).collect();
        let end = self.reader.map_or(PrefixEnd { ended: Ended::Cut, words: None }, JsonPrefix::end);
        self.collector.end(open, end)
    }
}

impl LeafCollector {
    pub(crate) fn take(&mut self, event: PrefixEvent<'_>) {
        spell(&mut self.text, event);
        match event {
            PrefixEvent::Begin(leaf) => self.current = Some(leaf),
            PrefixEvent::End(end) => {
                if let Some(leaf) = self.current.take().filter(|leaf| leaf.kind != Kind::Null) {
                    let text = String::from_utf8_lossy(&self.text).into_owned();
                    self.leaves.push(ReadLeaf { leaf, end, text });
                }
            }
            _ => {}
        }
    }

    /// The text is over, with these brackets open.
    pub(crate) fn end(self, open: String, end: PrefixEnd) -> Leaves {
        let words = end.words.and_then(|length| self.text.get(..usize::try_from(length).ok()?));
        let words = words.map(|words| String::from_utf8_lossy(words).into_owned());
        let open = if end.ended == Ended::Closed { String::new() } else { open };
        Leaves { leaves: self.leaves, ended: end.ended, open, words }
    }
}

impl Leaves {
    /// What the text reads as if it is JSON cut short.
    #[must_use]
    pub fn prefix(&self) -> Option<JsonLeaves> {
        let is_cut = self.ended == Ended::Cut && !self.open.is_empty();
        is_cut.then(|| JsonLeaves {
            leaves: self.leaves.iter().map(ReadLeaf::spelled).collect(),
            words: self.words.clone(),
        })
    }
}
