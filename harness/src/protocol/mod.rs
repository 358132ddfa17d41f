//! The case protocol: one JSON object a line asks, one JSON value a line answers.
//!
//! `spec/README.md` lists what can be asked. A question knows the bytes it is about, can be put to a machine in this
//! process with any cuts, and can be written down for another program.

mod bytes;
mod code_regions;
mod filter;
mod leading;
mod ledger;
mod prefix;
mod records;

use serde_json::{Map, Value, json};

pub use bytes::Bytes;
pub use code_regions::CodeRegionsQuestion;
pub use filter::FilterQuestion;
pub use leading::LeadingQuestion;
pub use ledger::LedgerQuestion;
pub use prefix::PrefixQuestion;
use records::Feed;
pub(crate) use records::{Record, records_of_one};

/// Something that can be asked of a machine.
#[derive(Clone, Debug)]
pub enum Question {
    /// `filter`: the text without its reserved members, and the members.
    Filter(FilterQuestion),
    /// `code_regions`: the fenced blocks of a text.
    CodeRegions(CodeRegionsQuestion),
    /// `leading`: the JSON values that a text opens with.
    Leading(LeadingQuestion),
    /// `prefix` and `leaves`: the leaves of JSON that is cut short.
    Prefix(PrefixQuestion),
    /// `sources`, `declaration`, `peel`, `rows`, `fold`, `piece`, `collapse`, `served`, `undeclared`, `offered`, `is_collapsed`.
    Ledger(LedgerQuestion),
}

/// What every question can do.
trait Ask {
    /// The op.
    fn op(&self) -> &'static str;

    /// The bytes that it is about.
    fn bytes(&self) -> &Bytes;

    /// Whether one of core's machines answers it.
    fn is_of_core(&self) -> bool {
        true
    }

    /// Whether the machine is fed the bytes in chunks, so that cuts make a difference.
    fn is_fed_in_chunks(&self, _machine: Machine) -> bool {
        true
    }

    /// The answer of a machine in this process, fed with the bytes cut at `cuts`.
    fn answer(&self, machine: Machine, cuts: &[usize]) -> Value;

    /// What a program without JSON is asked; none where no machine of core is.
    fn feed(&self) -> Option<Feed> {
        None
    }

    /// The answer that the records of such a program spell.
    fn answer_from(&self, _records: &[Record]) -> Value {
        Value::Null
    }

    /// Writes the request's fields, op and cuts apart.
    fn write(&self, fields: &mut Map<String, Value>);
}

/// Who in this process answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// The machine of [`sidenote_core`], in the memory asked for or else in enough of it.
    Core,
    /// The machine of this crate, which grows.
    Harness,
}

/// A question, and where its bytes are cut into chunks.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The question.
    pub question: Question,
    /// Byte offsets, in order.
    pub cuts: Vec<usize>,
}

impl Asked {
    /// Reads a request: an object with `op`.
    ///
    /// # Errors
    ///
    /// What is wrong with it, in a few words.
    pub fn new(request: Value) -> Result<Self, String> {
        let Value::Object(mut fields) = request else { return Err("a request is an object".into()) };
        let op = fields.shift_remove("op").ok_or("a request has an op")?;
        let cuts = match fields.shift_remove("cuts") {
            None => Vec::new(),
            Some(cuts) => serde_json::from_value(cuts).map_err(|error| format!("cuts: {error}"))?,
        };
        let question = Question::new(op.as_str().ok_or("op is a string")?, fields)?;
        let mut last = 0;
        for &cut in &cuts {
            if cut < last || cut > question.bytes().bytes.len() {
                return Err(format!("cuts: {cut} is out of order or behind the end"));
            }
            last = cut;
        }
        Ok(Self { question, cuts })
    }
}

impl Question {
    /// Reads what `op` asks with `fields`.
    ///
    /// # Errors
    ///
    /// What is wrong with it, in a few words; `unknown op` for an op there is not.
    pub fn new(op: &str, fields: Map<String, Value>) -> Result<Self, String> {
        match op {
            "filter" => FilterQuestion::new(fields).map(Self::Filter),
            "code_regions" => CodeRegionsQuestion::new(fields).map(Self::CodeRegions),
            "leading" => LeadingQuestion::new(fields).map(Self::Leading),
            "prefix" => PrefixQuestion::new(fields, false).map(Self::Prefix),
            "leaves" => PrefixQuestion::new(fields, true).map(Self::Prefix),
            _ => LedgerQuestion::new(op, fields).ok_or("unknown op")?.map(Self::Ledger),
        }
    }

    /// Asks what an answer shows and what its notes declare.
    #[must_use]
    pub fn peel(answer: &Bytes) -> Self {
        Self::Ledger(LedgerQuestion::peel(answer))
    }

    fn ask(&self) -> &dyn Ask {
        match self {
            Self::Filter(question) => question,
            Self::CodeRegions(question) => question,
            Self::Leading(question) => question,
            Self::Prefix(question) => question,
            Self::Ledger(question) => question,
        }
    }

    /// The op.
    #[must_use]
    pub fn op(&self) -> &'static str {
        self.ask().op()
    }

    /// The bytes that it is about.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        self.ask().bytes()
    }

    /// Whether one of core's machines answers it.
    #[must_use]
    pub fn is_of_core(&self) -> bool {
        self.ask().is_of_core()
    }

    /// Whether the machine is fed the bytes in chunks, so that cuts make a difference.
    #[must_use]
    pub fn is_fed_in_chunks(&self, machine: Machine) -> bool {
        self.ask().is_fed_in_chunks(machine)
    }

    /// The answer of a machine in this process, fed with the bytes cut at `cuts`.
    #[must_use]
    pub fn answer(&self, machine: Machine, cuts: &[usize]) -> Value {
        self.ask().answer(machine, cuts)
    }

    /// The request, for another program.
    #[must_use]
    pub fn request(&self, cuts: &[usize]) -> Value {
        let mut fields = Map::new();
        fields.insert("op".into(), json!(self.op()));
        self.ask().write(&mut fields);
        if !cuts.is_empty() {
            fields.insert("cuts".into(), json!(cuts));
        }
        fields.into()
    }
}

/// The fields of a request that hold any JSON; what is missing or ill-typed is the answer.
#[derive(Clone, Copy)]
struct Fields<'f>(&'f Map<String, Value>);

impl<'f> Fields<'f> {
    fn refuse<T>(name: &str) -> Result<T, Value> {
        Err(json!({"error": format!("{name} is missing or not what it must be")}))
    }

    fn any(self, name: &str) -> Result<&'f Value, Value> {
        self.0.get(name).map_or_else(|| Self::refuse(name), Ok)
    }

    fn object(self, name: &str) -> Result<&'f Map<String, Value>, Value> {
        self.any(name)?.as_object().map_or_else(|| Self::refuse(name), Ok)
    }

    fn array(self, name: &str) -> Result<&'f [Value], Value> {
        self.any(name)?.as_array().map_or_else(|| Self::refuse(name), |values| Ok(values.as_slice()))
    }

    fn strings(self, name: &str) -> Result<Vec<&'f str>, Value> {
        let string = |value: &'f Value| value.as_str().map_or_else(|| Self::refuse(name), Ok);
        self.array(name)?.iter().map(string).collect()
    }
}

/// Reads a request's fields.
fn read_fields<T: serde::de::DeserializeOwned>(fields: Map<String, Value>) -> Result<T, String> {
    serde_json::from_value(fields.into()).map_err(|error| error.to_string())
}

/// Answers one line of the protocol with one line, neither with its line ending.
#[must_use]
pub fn answer_line(line: &[u8]) -> String {
    let asked = crate::json::parse(line).map_err(|error| error.to_string()).and_then(Asked::new);
    match asked {
        Ok(Asked { question, cuts }) => {
            // Cuts are for machines that are fed in chunks.
            let whole = !question.is_fed_in_chunks(Machine::Harness) && question.is_of_core();
            question.answer(if whole { Machine::Core } else { Machine::Harness }, &cuts)
        }
        Err(error) => json!({ "error": error }),
    }
    .to_string()
}

/// The chunks that `cuts` make of `bytes`.
pub fn chunks<'b>(bytes: &'b [u8], cuts: &'b [usize]) -> impl Iterator<Item = &'b [u8]> {
    let from = std::iter::once(0).chain(cuts.iter().copied());
    let to = cuts.iter().copied().chain(std::iter::once(bytes.len()));
    from.zip(to).map(|(from, to)| bytes.get(from..to).unwrap_or_default())
}
