//! Judged tool results, collapsed to tickets on the wire.

use std::borrow::Cow;
use std::fmt::{self, Write};

use serde_json::Value;

use super::fold::Fold;
use super::ids::result_id;
use super::rows::{Row, Standing, StandingWord, Word};
use super::text::write_json_string;

/// Which judged results collapse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ServeMode {
    /// Noise and what was ruled out; facts are served in full.
    #[default]
    LedgerAndFacts,
    /// Facts too.
    LedgerOnly,
}

impl ServeMode {
    /// The mode that `word` names; any word but `ledger-only` is the default.
    #[must_use]
    pub fn from_word(word: &str) -> Self {
        if word == "ledger-only" { Self::LedgerOnly } else { Self::LedgerAndFacts }
    }
}

/// Messages of which some may have been collapsed.
#[derive(Clone, Debug, PartialEq)]
pub struct Collapsed<'m> {
    /// As many messages in the same order; those that did not change are borrowed.
    pub messages: Vec<Cow<'m, Value>>,
    /// Whether nothing changed.
    pub same: bool,
}

/// Replaces the content of judged tool results by their tickets; a second run changes nothing.
///
/// # Cost
///
/// Time proportional to rows and messages; only a message that changes is copied.
#[must_use]
pub fn collapse_judged<'m>(messages: &'m [Value], rows: &[Row], mode: ServeMode) -> Collapsed<'m> {
    let fold = Fold::new(rows);
    let mut same = true;
    let collapsed = messages.iter().map(|message| {
        let standing = result_id(message).and_then(|id| fold.standings.of(id)).filter(|row| collapses(row, mode));
        let Some(standing) = standing else { return Cow::Borrowed(message) };
        let ticket = ticket(standing);
        if message.get("content").and_then(Value::as_str) == Some(ticket.as_str()) {
            return Cow::Borrowed(message);
        }
        same = false;
        let mut changed = message.clone();
        if let Some(fields) = changed.as_object_mut() {
            fields.insert("content".into(), ticket.into());
        }
        Cow::Owned(changed)
    });
    let messages = collapsed.collect();
    Collapsed { messages, same }
}

fn collapses(standing: &Standing, mode: ServeMode) -> bool {
    match standing.standing {
        StandingWord::Noise | StandingWord::RuledOut => true,
        StandingWord::Fact => mode == ServeMode::LedgerOnly,
        StandingWord::Open => false,
    }
}

/// The ticket that stands for a judged result: compact JSON without a word of the model's.
fn ticket(standing: &Standing) -> String {
    let mut ticket = String::new();
    let written = write_ticket(&mut ticket, standing);
    debug_assert!(written.is_ok(), "a string takes all");
    ticket
}

fn write_ticket(out: &mut String, standing: &Standing) -> fmt::Result {
    write!(out, "{{\"collapsed\":true,\"standing\":\"{}\",\"toolCallId\":", standing.standing.word())?;
    write_json_string(out, &standing.tool_call_id)?;
    if let Some(artifact) = &standing.artifact {
        out.push_str(",\"ref\":");
        write_json_string(out, artifact)?;
    }
    out.write_char('}')
}

/// Whether `value` is a ticket: an object with `collapsed` true and strings for `standing` and `toolCallId`.
#[must_use]
pub fn is_collapsed_tool_result(value: &Value) -> bool {
    let is_string = |name: &str| value.get(name).is_some_and(Value::is_string);
    value.is_object() && value["collapsed"] == true && is_string("standing") && is_string("toolCallId")
}
