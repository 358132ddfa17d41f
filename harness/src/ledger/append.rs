//! From a declaration to the rows that it gives.

use std::collections::HashMap;

use serde_json::{Map, Number, Value};

use super::ids::{calls, result_id};
use super::piece::FINDINGS_PIECE_LIMITS;
use super::rows::{Assertion, Basis, DeclaredOn, Standing, StandingWord, Stratum, Subject};
use super::text::write_clipped;
use crate::declaration::{Declaration, Previous};
use crate::json;

/// The call that a declaration rides on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call<'c> {
    /// Its id.
    pub tool_call_id: &'c str,
    /// Its tool.
    pub tool_name: &'c str,
}

/// The row that says why a call is made; none where the declaration has no basis.
///
/// `malformed` is how many fields of the declaration could not be read.
#[must_use]
pub fn basis_row(declaration: &Declaration, call: Call<'_>, iteration: u64, malformed: u64) -> Option<Basis> {
    let clipped = |text: &Option<String>| {
        text.as_ref().map(|text| {
            let mut clipped = String::new();
            write_clipped(&mut clipped, text, FINDINGS_PIECE_LIMITS.line_chars);
            clipped
        })
    };
    Some(Basis {
        tool_call_id: call.tool_call_id.into(),
        tool_name: call.tool_name.into(),
        iteration: iteration.into(),
        basis: declaration.basis?,
        expect: declaration.expect,
        proposition: clipped(&declaration.proposition),
        predicts: clipped(&declaration.predicts),
        malformed: (malformed > 0).then(|| Number::from(malformed)),
        extra: Map::new(),
    })
}

/// The rows that say what earlier results are for the model, one for each that the declaration names.
///
/// `messages` are the conversation's: they tell which results there are, their tools, and which were placed in an artifact.
#[must_use]
pub fn standing_rows(
    declaration: &Declaration,
    messages: &[Value],
    iteration: u64,
    declared_on: &DeclaredOn,
) -> Vec<Standing> {
    let results: HashMap<&str, &Value> =
        messages.iter().filter_map(|message| Some((result_id(message)?, message))).collect();
    let called: HashMap<&str, &str> = calls(messages).collect();
    // A declaration may name one result many times; its content is read once.
    let mut artifacts: HashMap<&str, Option<String>> = HashMap::new();
    let row = |previous: &Previous| {
        let id = previous.tool_call_id.as_str();
        let result = results.get_key_value(id).map(|(id, result)| (*id, *result));
        let artifact =
            result.and_then(|(id, result)| artifacts.entry(id).or_insert_with(|| placed_artifact(result)).clone());
        let result = result.map(|(_, result)| result);
        let provenance = artifact
            .as_ref()
            .map_or_else(|| format!("tool:{}", previous.tool_call_id), |artifact| format!("artifact:{artifact}"));
        let stratum = if previous.standing == StandingWord::Fact { Stratum::Asserted } else { Stratum::Quoted };
        let declared = previous.assertions.iter().flatten().filter(|_| previous.standing != StandingWord::Noise);
        let assertions = declared.map(|assertion| Assertion {
            subject: Subject {
                kind: assertion.subject_kind.clone(),
                id: assertion.subject_id.clone(),
                extra: Map::new(),
            },
            predicate: assertion.predicate.clone(),
            value: assertion.value.clone(),
            stratum,
            provenance: provenance.clone(),
            epoch: None,
            extra: Map::new(),
        });
        Standing {
            tool_call_id: previous.tool_call_id.clone(),
            tool_name: result
                .and_then(|result| result.get("toolName").and_then(Value::as_str).or_else(|| called.get(id).copied()))
                .map(str::to_owned),
            standing: previous.standing,
            sought: previous.sought,
            settles: previous.settles.clone(),
            line: previous.line.clone(),
            assertions: assertions.collect(),
            declared_on: declared_on.clone(),
            iteration: iteration.into(),
            unknown_id: result.is_none(),
            artifact,
            extra: Map::new(),
        }
    };
    declaration.previous.iter().flatten().map(row).collect()
}

/// The artifact that a result was placed in, where its content is the ticket that says so.
fn placed_artifact(result: &Value) -> Option<String> {
    let content = result.get("content")?.as_str()?;
    let ticket = json::parse(content.as_bytes()).ok()?;
    let is_placed = ticket.get("placed")? == true;
    is_placed.then(|| ticket.get("ref")?.as_str().map(str::to_owned)).flatten()
}
