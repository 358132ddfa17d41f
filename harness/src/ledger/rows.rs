//! Rows, and the door through which they come in: checked once, whole, so that no later function can fail.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Number, Value, json};

use crate::json::{MAX_DEPTH, double};

/// Why rows are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowError {
    /// Which row, counted from 0.
    pub row: usize,
    /// Its kind; empty where it has none.
    pub kind: String,
    /// The field that is missing or ill-typed, as a path.
    pub field: String,
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {} of kind {:?}: {} is missing or not what it must be", self.row, self.kind, self.field)
    }
}

impl std::error::Error for RowError {}

/// A row of the ledger. Fields and kinds that nobody here knows are carried along.
#[derive(Clone, Debug, PartialEq)]
pub enum Row {
    /// `basis`: the model's reason for one call.
    Basis(Basis),
    /// `standing`: what the model says of one result.
    Standing(Standing),
    /// `judgment`: what a judge says of one result; never rendered.
    Judgment(Judgment),
    /// `contingent`: a value used, and the results that carried it.
    Contingent(Contingent),
    /// `unsettled-by-absence`: what a result says it did not check.
    Absence(Absence),
    /// A kind that is not read here.
    Other(Map<String, Value>),
}

/// A `basis` row.
#[derive(Clone, Debug, PartialEq)]
pub struct Basis {
    /// The call.
    pub tool_call_id: String,
    /// Its tool.
    pub tool_name: String,
    /// When it was declared.
    pub iteration: Number,
    /// Why the call is made.
    pub basis: BasisWord,
    /// How much the model expects of it.
    pub expect: Option<Expectation>,
    /// What the call tests.
    pub proposition: Option<String>,
    /// What the model says will come of it.
    pub predicts: Option<String>,
    /// How many fields of the declaration could not be read.
    pub malformed: Option<Number>,
    /// Fields not known here.
    pub extra: Map<String, Value>,
}

/// A `standing` row.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The call whose result is judged.
    pub tool_call_id: String,
    /// Its tool.
    pub tool_name: Option<String>,
    /// The artifact that the result was placed in.
    pub artifact: Option<String>,
    /// What the result is for the model.
    pub standing: StandingWord,
    /// Whether the model was looking for it.
    pub sought: Option<bool>,
    /// What would settle an open result.
    pub settles: Option<String>,
    /// The model's line on it.
    pub line: Option<String>,
    /// What it asserts.
    pub assertions: Vec<Assertion>,
    /// Where it was declared.
    pub declared_on: DeclaredOn,
    /// When it was declared.
    pub iteration: Number,
    /// Whether the id names no result that is known.
    pub unknown_id: bool,
    /// Fields not known here.
    pub extra: Map<String, Value>,
}

/// A `judgment` row, of which only the call is read.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgment {
    /// The call whose result was judged.
    pub tool_call_id: String,
    /// Everything else.
    pub extra: Map<String, Value>,
}

/// A `contingent` row.
#[derive(Clone, Debug, PartialEq)]
pub struct Contingent {
    /// Where the value was used.
    pub declared_on: DeclaredOn,
    /// The value.
    pub value: String,
    /// The results that carried it.
    pub carriers: Vec<Carrier>,
    /// When it was used.
    pub iteration: Number,
    /// Fields not known here.
    pub extra: Map<String, Value>,
}

/// A result that carried a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Carrier {
    /// The call.
    pub tool_call_id: String,
    /// What its result was for the model.
    pub standing: StandingWord,
    /// Fields not known here.
    pub extra: Map<String, Value>,
}

/// An `unsettled-by-absence` row.
#[derive(Clone, Debug, PartialEq)]
pub struct Absence {
    /// The call.
    pub tool_call_id: String,
    /// What its result says it did not check.
    pub not_checked: Option<Vec<NotChecked>>,
    /// What it says it cannot cover.
    pub cannot_cover: Option<Vec<NotChecked>>,
    /// What it says to try instead.
    pub try_instead: Option<String>,
    /// When it was served.
    pub iteration: Number,
    /// Fields not known here.
    pub extra: Map<String, Value>,
}

/// Something that was not checked, or cannot be.
#[derive(Clone, Debug, PartialEq)]
pub struct NotChecked {
    /// What.
    pub what: String,
    /// Why not.
    pub why: Option<String>,
    /// Fields not known here.
    pub extra: Map<String, Value>,
}

/// Something that a result asserts.
#[derive(Clone, Debug, PartialEq)]
pub struct Assertion {
    /// Of what.
    pub subject: Subject,
    /// What of it.
    pub predicate: String,
    /// The value: any JSON.
    pub value: Value,
    /// Whether the model asserts or quotes it.
    pub stratum: Stratum,
    /// Where it comes from.
    pub provenance: String,
    /// The time that it holds for.
    pub epoch: Option<Number>,
    /// Fields not known here.
    pub extra: Map<String, Value>,
}

/// What an assertion is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// Its kind.
    pub kind: String,
    /// Its name among its kind.
    pub id: String,
    /// Fields not known here.
    pub extra: Map<String, Value>,
}

/// Where something was declared.
#[derive(Clone, Debug, PartialEq)]
pub enum DeclaredOn {
    /// In an answer.
    Answer,
    /// In the arguments of a call.
    Call {
        /// The call.
        tool_call_id: String,
        /// Fields not known here.
        extra: Map<String, Value>,
    },
}

/// A closed set of words, as the wire spells them.
pub trait Word: Copy + PartialEq + Sized + 'static {
    /// Each value and its word.
    const WORDS: &'static [(Self, &'static str)];

    /// The value that `word` spells.
    #[must_use]
    fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(_, spelled)| *spelled == word).map(|(value, _)| *value)
    }

    /// The word.
    #[must_use]
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(value, _)| *value == self).map_or("", |(_, word)| word)
    }
}

/// What a result is for the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandingWord {
    /// It is relied on.
    Fact,
    /// It settles nothing yet.
    Open,
    /// It is of no use.
    Noise,
    /// It rules something out.
    RuledOut,
}

impl Word for StandingWord {
    const WORDS: &'static [(Self, &'static str)] =
        &[(Self::Fact, "fact"), (Self::Open, "open"), (Self::Noise, "noise"), (Self::RuledOut, "ruled-out")];
}

/// Why a call is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BasisWord {
    /// It goes for what is asked.
    Direct,
    /// It looks around.
    Exploratory,
}

impl Word for BasisWord {
    const WORDS: &'static [(Self, &'static str)] = &[(Self::Direct, "direct"), (Self::Exploratory, "exploratory")];
}

/// How much is expected of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// Little.
    Low,
    /// Something.
    Medium,
    /// Much.
    High,
}

impl Word for Expectation {
    const WORDS: &'static [(Self, &'static str)] =
        &[(Self::Low, "low"), (Self::Medium, "medium"), (Self::High, "high")];
}

/// Whether the model stands for an assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stratum {
    /// It does.
    Asserted,
    /// It only quotes it.
    Quoted,
}

impl Word for Stratum {
    const WORDS: &'static [(Self, &'static str)] = &[(Self::Asserted, "asserted"), (Self::Quoted, "quoted")];
}

/// The rows that `ledger`, a JSON array, holds.
///
/// # Errors
///
/// The first row of a known kind with a field that is missing, ill-typed or nested deeper than [`MAX_DEPTH`]; nothing is defaulted. A ledger that is no array is
/// refused as its own row 0.
pub fn read_rows(ledger: Value) -> Result<Vec<Row>, RowError> {
    let Value::Array(rows) = ledger else {
        return Err(RowError { row: 0, kind: String::new(), field: "kind".into() });
    };
    rows.into_iter().enumerate().map(|(index, row)| Row::read(row, index)).collect()
}

impl Row {
    /// Reads one row, the `index`th of its ledger.
    ///
    /// # Errors
    ///
    /// As for [`read_rows`].
    pub fn read(row: Value, index: usize) -> Result<Self, RowError> {
        let refused = |kind: &str, field: String| RowError { row: index, kind: kind.into(), field };
        let Value::Object(map) = row else { return Err(refused("", "kind".into())) };
        let Some(kind) = map.get("kind").and_then(Value::as_str).map(str::to_owned) else {
            return Err(refused("", "kind".into()));
        };
        if let Some((name, _)) = map.iter().find(|(_, value)| is_too_deep(value)) {
            return Err(refused(&kind, name.clone()));
        }
        let mut fields = Fields { map, path: String::new() };
        let read = match kind.as_str() {
            "basis" => Basis::read(&mut fields).map(Self::Basis),
            "standing" => Standing::read(&mut fields).map(Self::Standing),
            "judgment" => Judgment::read(&mut fields).map(Self::Judgment),
            "contingent" => Contingent::read(&mut fields).map(Self::Contingent),
            "unsettled-by-absence" => Absence::read(&mut fields).map(Self::Absence),
            _ => return Ok(Self::Other(fields.map)),
        };
        read.map_err(|field| refused(&kind, field))
    }

    /// The row as JSON.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match self {
            Self::Basis(row) => row.to_value(),
            Self::Standing(row) => row.to_value(),
            Self::Judgment(row) => row.to_value(),
            Self::Contingent(row) => row.to_value(),
            Self::Absence(row) => row.to_value(),
            Self::Other(fields) => Value::Object(fields.clone()),
        }
    }
}

/// Through the door. `serde_json`'s own reader takes an object with its private key for a number before it gets here; rows from text
/// are best read with [`crate::json::parse`] and [`read_rows`].
impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(Value::deserialize(deserializer)?, 0).map_err(D::Error::custom)
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(serializer)
    }
}

/// Whether a value stands in more containers than [`MAX_DEPTH`]: writing it could overflow the stack.
fn is_too_deep(value: &Value) -> bool {
    let mut open = vec![(value, 1)];
    while let Some((value, depth)) = open.pop() {
        match value {
            Value::Array(_) | Value::Object(_) if depth > MAX_DEPTH => return true,
            Value::Array(values) => open.extend(values.iter().map(|value| (value, depth + 1))),
            Value::Object(members) => open.extend(members.values().map(|value| (value, depth + 1))),
            _ => {}
        }
    }
    false
}

/// The fields of an object that is being read, and the path to it.
struct Fields {
    map: Map<String, Value>,
    path: String,
}

/// A field that cannot be read, as a path.
type Refused = String;

impl Fields {
    fn refuse<T>(&self, name: &str) -> Result<T, Refused> {
        Err(format!("{}{name}", self.path))
    }

    /// An optional field; null counts as absent.
    fn take(&mut self, name: &str) -> Option<Value> {
        self.map.shift_remove(name).filter(|value| !value.is_null())
    }

    fn optional<T>(&mut self, name: &str, read: impl FnOnce(Value) -> Option<T>) -> Result<Option<T>, Refused> {
        match self.take(name) {
            None => Ok(None),
            Some(value) => read(value).map_or_else(|| self.refuse(name), |read| Ok(Some(read))),
        }
    }

    fn required<T>(&mut self, name: &str, read: impl FnOnce(Value) -> Option<T>) -> Result<T, Refused> {
        self.optional(name, read)?.map_or_else(|| self.refuse(name), Ok)
    }

    /// The object in a field.
    fn object(&mut self, name: &str) -> Result<Self, Refused> {
        let map = self.required(name, |value| match value {
            Value::Object(map) => Some(map),
            _ => None,
        })?;
        Ok(Self { map, path: format!("{}{name}.", self.path) })
    }

    /// The list in a field, each element an object.
    fn list<T>(
        &mut self,
        name: &str,
        mut read: impl FnMut(&mut Self) -> Result<T, Refused>,
    ) -> Result<Option<Vec<T>>, Refused> {
        let Some(values) = self.optional(name, array)? else { return Ok(None) };
        let element = |(index, value)| {
            let path = format!("{}{name}[{index}]", self.path);
            match value {
                Value::Object(map) => read(&mut Self { map, path: path + "." }),
                _ => Err(path),
            }
        };
        values.into_iter().enumerate().map(element).collect::<Result<_, _>>().map(Some)
    }

    fn declared_on(&mut self) -> Result<DeclaredOn, Refused> {
        let name = "declaredOn";
        match self.take(name) {
            Some(Value::String(word)) if word == "answer" => Ok(DeclaredOn::Answer),
            Some(Value::Object(map)) => {
                let mut fields = Self { map, path: String::new() };
                match fields.required("toolCallId", string) {
                    Ok(tool_call_id) => Ok(DeclaredOn::Call { tool_call_id, extra: fields.map }),
                    Err(_) => self.refuse(name),
                }
            }
            _ => self.refuse(name),
        }
    }

    /// What is left: the fields not known here.
    fn extra(&mut self) -> Map<String, Value> {
        let mut extra = std::mem::take(&mut self.map);
        extra.shift_remove("kind");
        extra
    }
}

fn string(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

fn number(value: Value) -> Option<Number> {
    match value {
        Value::Number(number) => Some(number),
        _ => None,
    }
}

fn array(value: Value) -> Option<Vec<Value>> {
    match value {
        Value::Array(values) => Some(values),
        _ => None,
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the readers of fields take them")]
fn word<T: Word>(value: Value) -> Option<T> {
    value.as_str().and_then(T::from_word)
}

impl Basis {
    fn read(fields: &mut Fields) -> Result<Self, Refused> {
        Ok(Self {
            tool_call_id: fields.required("toolCallId", string)?,
            tool_name: fields.required("toolName", string)?,
            iteration: fields.required("iteration", number)?,
            basis: fields.required("basis", word)?,
            expect: fields.optional("expect", word)?,
            proposition: fields.optional("proposition", string)?,
            predicts: fields.optional("predicts", string)?,
            malformed: fields
                .optional("malformed", |value| number(value).filter(|count| double(&count.to_string()) > 0.0))?,
            extra: fields.extra(),
        })
    }

    fn to_value(&self) -> Value {
        let mut row = Writer::row("basis");
        row.put("toolCallId", &self.tool_call_id);
        row.put("toolName", &self.tool_name);
        row.put("iteration", &self.iteration);
        row.put("basis", self.basis.word());
        row.put_some("expect", self.expect.map(Expectation::word));
        row.put_some("proposition", self.proposition.as_ref());
        row.put_some("predicts", self.predicts.as_ref());
        row.put_some("malformed", self.malformed.as_ref());
        row.with(&self.extra)
    }
}

impl Standing {
    fn read(fields: &mut Fields) -> Result<Self, Refused> {
        Ok(Self {
            tool_call_id: fields.required("toolCallId", string)?,
            tool_name: fields.optional("toolName", string)?,
            artifact: fields.optional("ref", string)?,
            standing: fields.required("standing", word)?,
            sought: fields.optional("sought", |value| value.as_bool())?,
            settles: fields.optional("settles", string)?,
            line: fields.optional("line", string)?,
            assertions: match fields.list("assertions", Assertion::read)? {
                Some(assertions) => assertions,
                None => return fields.refuse("assertions"),
            },
            declared_on: fields.declared_on()?,
            iteration: fields.required("iteration", number)?,
            unknown_id: fields.optional("unknownId", |value| value.as_bool().filter(|marked| *marked))?.is_some(),
            extra: fields.extra(),
        })
    }

    /// The row as JSON.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut row = Writer::row("standing");
        row.put("toolCallId", &self.tool_call_id);
        row.put_some("toolName", self.tool_name.as_ref());
        row.put_some("ref", self.artifact.as_ref());
        row.put("standing", self.standing.word());
        row.put_some("sought", self.sought);
        row.put_some("settles", self.settles.as_ref());
        row.put_some("line", self.line.as_ref());
        row.put("assertions", self.assertions.iter().map(Assertion::to_value).collect::<Vec<_>>());
        row.put("declaredOn", self.declared_on.to_value());
        row.put("iteration", &self.iteration);
        row.put_some("unknownId", self.unknown_id.then_some(true));
        row.with(&self.extra)
    }
}

impl Judgment {
    fn read(fields: &mut Fields) -> Result<Self, Refused> {
        Ok(Self { tool_call_id: fields.required("toolCallId", string)?, extra: fields.extra() })
    }

    /// The row as JSON.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut row = Writer::row("judgment");
        row.put("toolCallId", &self.tool_call_id);
        row.with(&self.extra)
    }
}

impl Contingent {
    fn read(fields: &mut Fields) -> Result<Self, Refused> {
        Ok(Self {
            declared_on: fields.declared_on()?,
            value: fields.required("value", string)?,
            carriers: match fields.list("carriers", Carrier::read)? {
                Some(carriers) => carriers,
                None => return fields.refuse("carriers"),
            },
            iteration: fields.required("iteration", number)?,
            extra: fields.extra(),
        })
    }

    fn to_value(&self) -> Value {
        let mut row = Writer::row("contingent");
        row.put("declaredOn", self.declared_on.to_value());
        row.put("value", &self.value);
        row.put("carriers", self.carriers.iter().map(Carrier::to_value).collect::<Vec<_>>());
        row.put("iteration", &self.iteration);
        row.with(&self.extra)
    }
}

impl Carrier {
    fn read(fields: &mut Fields) -> Result<Self, Refused> {
        Ok(Self {
            tool_call_id: fields.required("toolCallId", string)?,
            standing: fields.required("standing", word)?,
            extra: std::mem::take(&mut fields.map),
        })
    }

    fn to_value(&self) -> Value {
        let mut carrier = Writer::default();
        carrier.put("toolCallId", &self.tool_call_id);
        carrier.put("standing", self.standing.word());
        carrier.with(&self.extra)
    }
}

impl Absence {
    fn read(fields: &mut Fields) -> Result<Self, Refused> {
        Ok(Self {
            tool_call_id: fields.required("toolCallId", string)?,
            not_checked: fields.list("notChecked", NotChecked::read)?,
            cannot_cover: fields.list("cannotCover", NotChecked::read)?,
            try_instead: fields.optional("tryInstead", string)?,
            iteration: fields.required("iteration", number)?,
            extra: fields.extra(),
        })
    }

    /// The row as JSON.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let list = |list: &Option<Vec<NotChecked>>| {
            list.as_ref().map(|list| list.iter().map(NotChecked::to_value).collect::<Vec<_>>())
        };
        let mut row = Writer::row("unsettled-by-absence");
        row.put("toolCallId", &self.tool_call_id);
        row.put_some("notChecked", list(&self.not_checked));
        row.put_some("cannotCover", list(&self.cannot_cover));
        row.put_some("tryInstead", self.try_instead.as_ref());
        row.put("iteration", &self.iteration);
        row.with(&self.extra)
    }
}

impl NotChecked {
    fn read(fields: &mut Fields) -> Result<Self, Refused> {
        Ok(Self {
            what: fields.required("what", string)?,
            why: fields.optional("why", string)?,
            extra: std::mem::take(&mut fields.map),
        })
    }

    fn to_value(&self) -> Value {
        let mut thing = Writer::default();
        thing.put("what", &self.what);
        thing.put_some("why", self.why.as_ref());
        thing.with(&self.extra)
    }
}

impl Assertion {
    fn read(fields: &mut Fields) -> Result<Self, Refused> {
        let mut subject = fields.object("subject")?;
        Ok(Self {
            subject: Subject {
                kind: subject.required("kind", string)?,
                id: subject.required("id", string)?,
                extra: subject.map,
            },
            predicate: fields.required("predicate", string)?,
            // Any JSON, null too, but it must be there.
            value: match fields.map.shift_remove("value") {
                Some(value) => value,
                None => return fields.refuse("value"),
            },
            stratum: fields.required("stratum", word)?,
            provenance: fields.required("provenance", string)?,
            epoch: fields.optional("epoch", number)?,
            extra: std::mem::take(&mut fields.map),
        })
    }

    /// The assertion as JSON.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut subject = Writer::default();
        subject.put("kind", &self.subject.kind);
        subject.put("id", &self.subject.id);
        let mut assertion = Writer::default();
        assertion.put("subject", subject.with(&self.subject.extra));
        assertion.put("predicate", &self.predicate);
        assertion.put("value", self.value.clone());
        assertion.put("stratum", self.stratum.word());
        assertion.put("provenance", &self.provenance);
        assertion.put_some("epoch", self.epoch.as_ref());
        assertion.with(&self.extra)
    }
}

impl DeclaredOn {
    /// The declaration as rows name it.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match self {
            Self::Answer => json!("answer"),
            Self::Call { tool_call_id, extra } => {
                let mut call = Writer::default();
                call.put("toolCallId", tool_call_id);
                call.with(extra)
            }
        }
    }

    /// Reads what rows name a declaration by: `"answer"`, or an object with a `toolCallId`.
    #[must_use]
    pub fn from_value(value: Value) -> Option<Self> {
        let mut fields = Fields { map: Map::new(), path: String::new() };
        fields.map.insert("declaredOn".into(), value);
        fields.declared_on().ok()
    }
}

/// Writes an object, field by field.
#[derive(Default)]
struct Writer(Map<String, Value>);

impl Writer {
    fn row(kind: &str) -> Self {
        let mut row = Self::default();
        row.put("kind", kind);
        row
    }

    fn put(&mut self, name: &str, value: impl IntoValue) {
        self.0.insert(name.into(), value.into_value());
    }

    fn put_some(&mut self, name: &str, value: Option<impl IntoValue>) {
        if let Some(value) = value {
            self.put(name, value);
        }
    }

    fn with(mut self, extra: &Map<String, Value>) -> Value {
        self.0.extend(extra.iter().map(|(name, value)| (name.clone(), value.clone())));
        Value::Object(self.0)
    }
}

/// What a field can hold.
trait IntoValue {
    fn into_value(self) -> Value;
}

impl IntoValue for Value {
    fn into_value(self) -> Value {
        self
    }
}

impl IntoValue for &str {
    fn into_value(self) -> Value {
        self.into()
    }
}

impl IntoValue for &String {
    fn into_value(self) -> Value {
        self.as_str().into()
    }
}

impl IntoValue for &Number {
    fn into_value(self) -> Value {
        Value::Number(self.clone())
    }
}

impl IntoValue for bool {
    fn into_value(self) -> Value {
        self.into()
    }
}

impl IntoValue for Vec<Value> {
    fn into_value(self) -> Value {
        self.into()
    }
}
