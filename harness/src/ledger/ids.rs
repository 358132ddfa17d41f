//! Which results are on the wire, which of them nobody judged, and which the model can still judge.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::fold::Fold;
use super::rows::StandingWord;

/// The id of a tool message that was dispatched; `toolCallId` comes before `tool_call_id`.
pub(super) fn result_id(message: &Value) -> Option<&str> {
    let message = message.as_object()?;
    let is_result =
        message.get("role").and_then(Value::as_str) == Some("tool") && !message.contains_key("notDispatched");
    if is_result { id(message) } else { None }
}

fn id(message: &Map<String, Value>) -> Option<&str> {
    let named = |name: &str| message.get(name).and_then(Value::as_str);
    named("toolCallId").or_else(|| named("tool_call_id"))
}

/// The tool that a call is of: as its result says, or the message that makes it, in either of the usual spellings.
#[must_use]
pub fn tool_name_of<'m>(messages: &'m [Value], tool_call_id: &str) -> Option<&'m str> {
    let of_result = messages.iter().find(|message| result_id(message) == Some(tool_call_id));
    let named = of_result.and_then(|result| result.get("toolName")?.as_str());
    named.or_else(|| calls(messages).find(|(id, _)| *id == tool_call_id).map(|(_, name)| name))
}

/// Id and tool of each call that `messages` make.
pub(super) fn calls(messages: &[Value]) -> impl Iterator<Item = (&str, &str)> {
    let lists = messages.iter().flat_map(|message| {
        ["toolCalls", "tool_calls"].into_iter().filter_map(move |name| message.get(name)?.as_array())
    });
    lists.flatten().filter_map(|call| {
        let name = call.get("name").or_else(|| call.get("function")?.get("name"))?;
        Some((call.get("id")?.as_str()?, name.as_str()?))
    })
}

/// The ids of the tool results in `messages`, each once, in order; empty ones are skipped.
#[must_use]
pub fn served_tool_call_ids(messages: &[Value]) -> Vec<&str> {
    once(messages.iter().filter_map(result_id).filter(|id| !id.is_empty()))
}

/// The served ids without a current standing, in order.
#[must_use]
pub fn undeclared_ids<'i>(served: &[&'i str], fold: &Fold<'_>) -> Vec<&'i str> {
    once(served.iter().copied().filter(|id| fold.standings.of(id).is_none()))
}

/// The served ids that the model can still judge: those without a standing, and those that are a fact or open; the newest first.
#[must_use]
pub fn offered_result_ids<'i>(served: &[&'i str], fold: &Fold<'_>) -> Vec<&'i str> {
    let is_closed = |id: &str| fold.is(id, StandingWord::Noise) || fold.is(id, StandingWord::RuledOut);
    let mut offered = once(served.iter().copied().filter(|id| !is_closed(id)));
    offered.reverse();
    offered
}

fn once<'i>(ids: impl Iterator<Item = &'i str>) -> Vec<&'i str> {
    let mut seen = HashSet::new();
    ids.filter(|id| seen.insert(*id)).collect()
}
