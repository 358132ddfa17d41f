//! The laws of the ledger and of declared sources.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::{Map, Value};

use super::same;
use crate::ledger::{
    AnswerAsk, FINDINGS_PIECE_LIMITS, Fold, Row, ServeMode, Wording, collapse_judged, findings_ledger_piece,
    offered_result_ids, read_rows, served_tool_call_ids, undeclared_ids,
};
use crate::sources::read_sources;

/// What breaks a line for anyone who reads the piece.
const LINE_BREAKS: [char; 7] = ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];

/// Checks the laws of rows and messages, where the door lets the rows in: rows survive being written and read; folding counts only
/// the last row of an id; the piece keeps its bounds and its sections; collapsing twice is collapsing once; undeclared results are
/// offered.
///
/// # Errors
///
/// The law that does not hold, and what was seen.
pub fn ledger_laws(rows: &[Value], messages: &[Value]) -> Result<(), String> {
    let Ok(rows) = read_rows(Value::Array(rows.to_vec())) else { return Ok(()) };
    let written = rows.iter().map(Row::to_value).collect();
    same("written and read", &read_rows(written), &Ok(rows.clone()))?;
    let fold = Fold::new(&rows);
    for (id, standing) in fold.standings.iter() {
        let last = rows.iter().rev().find_map(|row| match row {
            Row::Standing(row) if row.tool_call_id == id => Some(row),
            _ => None,
        });
        same("the last row of an id", &Some(standing), &last)?;
    }
    let served = served_tool_call_ids(messages);
    let offered: HashSet<&str> = offered_result_ids(&served, &fold).into_iter().collect();
    let undeclared = undeclared_ids(&served, &fold);
    if !undeclared.iter().all(|id| offered.contains(id)) {
        return Err(format!("undeclared and not offered: {undeclared:?}, {offered:?}"));
    }
    for mode in [ServeMode::LedgerAndFacts, ServeMode::LedgerOnly] {
        let once = collapse_judged(messages, &rows, mode);
        let changed = once.messages.iter().any(|message| matches!(message, Cow::Owned(_)));
        same("borrowed where nothing changes", &once.same, &!changed)?;
        let once: Vec<Value> = once.messages.into_iter().map(Cow::into_owned).collect();
        same("collapsed twice", &collapse_judged(&once, &rows, mode).same, &true)?;
    }
    let piece = findings_ledger_piece(&rows, &served, AnswerAsk::None, Wording { header: "H", ask: "A" });
    same("a piece where there is a standing", &piece.is_some(), &fold.has_standing())?;
    if let Some(piece) = piece {
        bounded(&piece.raw_content)?;
    }
    Ok(())
}

/// The lines of a piece are headings, counts, or lines of a section, each within its bound.
fn bounded(piece: &str) -> Result<(), String> {
    const HEADINGS: [&str; 6] = [
        "facts (declared by the model):",
        "limitations (declared by the model):",
        "evidenceRefs (declared by the model):",
        "nextSteps (declared by the model):",
        "contingent (read off the record):",
        "unsettled by absence (read off the record):",
    ];
    let clip = " …[clipped 18446744073709551615 chars]".len();
    for (index, section) in piece.split("\n\n").enumerate().skip(1) {
        let (heading, lines) = section.split_once('\n').unwrap_or((section, ""));
        let is_count = heading.starts_with("noise (declared by the model): ") || heading.starts_with("undeclared: ");
        if !is_count && !HEADINGS.contains(&heading) {
            return Err(format!("section {index} is headed {heading:?} in {piece:?}"));
        }
        let lines: Vec<&str> = lines.split(LINE_BREAKS).filter(|_| !lines.is_empty()).collect();
        let long = lines.iter().any(|line| line.encode_utf16().count() > FINDINGS_PIECE_LIMITS.line_chars + clip);
        if long || lines.len() > FINDINGS_PIECE_LIMITS.bucket_lines + 1 || (is_count && !lines.is_empty()) {
            return Err(format!("section {index} is out of bounds in {piece:?}"));
        }
    }
    Ok(())
}

/// Checks the laws of declared sources: each entry is kept or counted; each argument is named once, and is one of the call's; reading what
/// was kept keeps it all.
///
/// # Errors
///
/// The law that does not hold, and what was seen.
pub fn sources_laws(raw: &Value, arguments: &Value) -> Result<(), String> {
    let empty = Map::new();
    let arguments = arguments.as_object().unwrap_or(&empty);
    let read = read_sources(Some(raw), arguments);
    let entries = raw.as_array().map_or(1, Vec::len) as u64;
    same("kept or counted", &(read.from.len() as u64 + read.malformed), &entries)?;
    let mut named = HashSet::new();
    for entry in &read.from {
        if !named.insert(&entry.argument) || !arguments.contains_key(&entry.argument) {
            return Err(format!("{entry:?} of {arguments:?}"));
        }
    }
    let kept: Value = read.from.iter().map(crate::sources::DeclaredSource::to_value).collect();
    let again = read_sources(Some(&kept), arguments);
    same("kept again", &(again.from, again.malformed), &(read.from, 0))
}
