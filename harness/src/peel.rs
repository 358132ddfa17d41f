//! An answer, peeled: what is shown of it, and what its notes declare.

use serde_json::{Map, Value};

use crate::declaration::{Declaration, read_declaration};
use crate::filter::{RemovedMember, filter};
use crate::json::parse;
use crate::{Filtered, Keys};

/// An answer without its notes, and what they declare.
#[derive(Clone, Debug, PartialEq)]
pub struct Peeled {
    /// The answer as it is shown.
    pub content: Vec<u8>,
    /// What the notes declare; nothing where no field could be read.
    pub findings: Option<Declaration>,
    /// How many notes and fields of them could not be read.
    pub malformed: u64,
}

/// Takes an answer's notes out and reads them: the last of each object, objects in order, lists joined, later fields winning.
///
/// ```
/// let peeled = sidenote::peel(b"Done.\n\n{\"_findings\": {\"basis\": \"direct\"}}");
/// assert_eq!(peeled.content, b"Done.");
/// assert!(peeled.findings.is_some());
/// ```
#[must_use]
pub fn peel(answer: &[u8]) -> Peeled {
    peeled(answer, |_| None)
}

/// Takes the notes out of a call's arguments, a JSON object, and reads them as [`peel`] does, what they say of the arguments' sources included.
#[must_use]
pub fn peel_call(arguments: &[u8]) -> Peeled {
    peeled(arguments, |content| match parse(content) {
        Ok(Value::Object(arguments)) => Some(arguments),
        _ => None,
    })
}

fn peeled(answer: &[u8], arguments: impl FnOnce(&[u8]) -> Option<Map<String, Value>>) -> Peeled {
    let Filtered { text, removed } = filter(answer, Keys::default());
    let arguments = arguments(&text);
    let mut peeled = Peeled { content: text, findings: None, malformed: 0 };
    for (index, member) in removed.iter().enumerate() {
        let is_last = removed.get(index + 1).is_none_or(|next| next.object != member.object);
        if is_last {
            peeled.read(member, arguments.as_ref());
        }
    }
    peeled
}

impl Peeled {
    fn read(&mut self, member: &RemovedMember, arguments: Option<&Map<String, Value>>) {
        let value = if member.complete { parse(&member.value).ok() } else { None };
        let read = read_declaration(&value.unwrap_or(Value::Null), arguments);
        self.malformed += read.malformed;
        if let Some(declaration) = read.declaration.filter(|declaration| !declaration.is_empty()) {
            self.findings.get_or_insert_with(Declaration::default).join(declaration);
        }
    }
}
