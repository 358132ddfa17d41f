//! What a model declares in its notes: read field by field, never guessed.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::ledger::{BasisWord, Expectation, StandingWord, Word};
use crate::sources::{DeclaredSource, read_sources};

/// What could be read of one declaration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declaration {
    /// Why the call it rides on is made.
    pub basis: Option<BasisWord>,
    /// How much the model expects of it.
    pub expect: Option<Expectation>,
    /// What the call tests.
    pub proposition: Option<String>,
    /// What the model says will come of it.
    pub predicts: Option<String>,
    /// What earlier results are for the model.
    pub previous: Option<Vec<Previous>>,
    /// Where the model says each argument comes from.
    pub from: Option<Vec<DeclaredSource>>,
}

/// What an earlier result is for the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Previous {
    /// The call.
    pub tool_call_id: String,
    /// What its result is.
    pub standing: StandingWord,
    /// Whether the model was looking for it.
    pub sought: Option<bool>,
    /// What would settle it.
    pub settles: Option<String>,
    /// The model's line on it.
    pub line: Option<String>,
    /// What it asserts.
    pub assertions: Option<Vec<DeclaredAssertion>>,
}

/// Something that the model says a result asserts.
#[derive(Clone, Debug, PartialEq)]
pub struct DeclaredAssertion {
    /// The kind of what it is about.
    pub subject_kind: String,
    /// Its name among its kind.
    pub subject_id: String,
    /// What of it.
    pub predicate: String,
    /// The value: any JSON.
    pub value: Value,
}

/// What was read, and how much could not be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadDeclaration {
    /// The declaration; none for a value that is no object.
    pub declaration: Option<Declaration>,
    /// How many fields, entries and assertions were dropped.
    pub malformed: u64,
}

/// Reads a declaration. What cannot be read is dropped and counted; unknown fields are ignored.
///
/// `from` is read only where the call's own `arguments` are given.
#[must_use]
pub fn read_declaration(value: &Value, arguments: Option<&Map<String, Value>>) -> ReadDeclaration {
    let Value::Object(fields) = value else { return ReadDeclaration { declaration: None, malformed: 1 } };
    let mut reader = Reader::default();
    let mut declaration = Declaration {
        basis: reader.field(fields, "basis", |value| BasisWord::from_word(value.as_str()?)),
        expect: reader.field(fields, "expect", |value| Expectation::from_word(value.as_str()?)),
        proposition: reader.field(fields, "proposition", text),
        predicts: reader.field(fields, "predicts", text),
        previous: None,
        from: None,
    };
    let previous = reader.field(fields, "previous", |value| value.as_array());
    declaration.previous = previous.map(|entries| entries.iter().filter_map(|entry| reader.previous(entry)).collect());
    if let (Some(raw), Some(arguments)) = (fields.get("from"), arguments) {
        let read = read_sources(Some(raw), arguments);
        reader.malformed += read.malformed;
        declaration.from = raw.is_array().then_some(read.from);
    }
    ReadDeclaration { declaration: Some(declaration), malformed: reader.malformed }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// Reads fields and counts those that cannot be read.
#[derive(Default)]
struct Reader {
    malformed: u64,
}

impl Reader {
    /// A field that need not be there.
    fn field<'v, T>(
        &mut self,
        fields: &'v Map<String, Value>,
        name: &str,
        read: impl FnOnce(&'v Value) -> Option<T>,
    ) -> Option<T> {
        let read = read(fields.get(name)?);
        self.malformed += u64::from(read.is_none());
        read
    }

    fn previous(&mut self, entry: &Value) -> Option<Previous> {
        let head = entry.as_object().and_then(|fields| {
            let standing = StandingWord::from_word(fields.get("standing")?.as_str()?)?;
            Some((fields, text(fields.get("toolCallId")?)?, standing))
        });
        let Some((fields, tool_call_id, standing)) = head else {
            self.malformed += 1;
            return None;
        };
        let sought = self.field(fields, "sought", Value::as_bool);
        let settles = self.field(fields, "settles", text);
        let line = self.field(fields, "line", text);
        let assertions = self.field(fields, "assertions", Value::as_array);
        let assertions = assertions.map(|all| all.iter().filter_map(|one| self.assertion(one)).collect());
        Some(Previous { tool_call_id, standing, sought, settles, line, assertions })
    }

    fn assertion(&mut self, assertion: &Value) -> Option<DeclaredAssertion> {
        let read = || {
            let subject = assertion.get("subject")?;
            Some(DeclaredAssertion {
                subject_kind: text(subject.get("kind")?)?,
                subject_id: text(subject.get("id")?)?,
                predicate: text(assertion.get("predicate")?)?,
                value: assertion.get("value")?.clone(),
            })
        };
        let read = read();
        self.malformed += u64::from(read.is_none());
        read
    }
}

impl Declaration {
    /// Whether nothing was declared.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Takes over what a later declaration says: single fields win, lists are joined.
    pub fn join(&mut self, later: Self) {
        fn lists<T>(earlier: Option<Vec<T>>, later: Option<Vec<T>>) -> Option<Vec<T>> {
            match (earlier, later) {
                (Some(mut earlier), Some(later)) => {
                    earlier.extend(later);
                    Some(earlier)
                }
                (earlier, later) => later.or(earlier),
            }
        }
        self.basis = later.basis.or(self.basis);
        self.expect = later.expect.or(self.expect);
        self.proposition = later.proposition.or(self.proposition.take());
        self.predicts = later.predicts.or(self.predicts.take());
        self.previous = lists(self.previous.take(), later.previous);
        self.from = lists(self.from.take(), later.from);
    }

    /// The declaration as JSON, with the wire's names.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut fields = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                fields.insert(name.into(), value);
            }
        };
        put("basis", self.basis.map(|basis| basis.word().into()));
        put("expect", self.expect.map(|expect| expect.word().into()));
        put("proposition", self.proposition.clone().map(Value::from));
        put("predicts", self.predicts.clone().map(Value::from));
        put("previous", self.previous.as_ref().map(|all| all.iter().map(Previous::to_value).collect()));
        put("from", self.from.as_ref().map(|all| all.iter().map(DeclaredSource::to_value).collect()));
        fields.into()
    }
}

impl Serialize for Declaration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(serializer)
    }
}

impl Previous {
    fn to_value(&self) -> Value {
        let mut entry = json!({"toolCallId": self.tool_call_id, "standing": self.standing.word()});
        if let Some(sought) = self.sought {
            entry["sought"] = json!(sought);
        }
        if let Some(settles) = &self.settles {
            entry["settles"] = json!(settles);
        }
        if let Some(line) = &self.line {
            entry["line"] = json!(line);
        }
        if let Some(assertions) = &self.assertions {
            entry["assertions"] = assertions.iter().map(DeclaredAssertion::to_value).collect();
        }
        entry
    }
}

impl DeclaredAssertion {
    fn to_value(&self) -> Value {
        let mut assertion = json!({
            "subject": {"kind": self.subject_kind, "id": self.subject_id},
            "predicate": self.predicate,
        });
        // Not by way of `json!`, which would spell a number anew.
        assertion["value"] = self.value.clone();
        assertion
    }
}
