//! The fold: what the rows of a ledger come to.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::Value;

use super::rows::{Absence, Assertion, Judgment, Row, Standing, StandingWord, Stratum};
use crate::json::double;

/// What the rows of a ledger come to.
#[derive(Debug, Default)]
pub struct Fold<'r> {
    /// The current standing of each result, at the place where the result was first named.
    pub standings: Latest<'r, Standing>,
    /// The current judgment of each result.
    pub judgments: Latest<'r, Judgment>,
    /// The assertions of the current facts, in order.
    pub asserted: Vec<Asserted<'r>>,
    /// Assertions on one key whose values differ, in order of the key's first.
    pub conflicts: Vec<Vec<Asserted<'r>>>,
    /// The absences that a result rests on which is currently ruled out.
    pub unsettled: Vec<&'r Absence>,
    /// The last proposition of each call.
    pub propositions: HashMap<&'r str, &'r str>,
}

/// An assertion, and the standing that makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asserted<'r> {
    /// The standing.
    pub by: &'r Standing,
    /// The assertion.
    pub assertion: &'r Assertion,
}

/// The latest row of each id, in order of the ids' first places.
#[derive(Debug)]
pub struct Latest<'r, T> {
    rows: Vec<(&'r str, &'r T)>,
    places: HashMap<&'r str, usize>,
}

impl<T> Default for Latest<'_, T> {
    fn default() -> Self {
        Self { rows: Vec::new(), places: HashMap::new() }
    }
}

impl<'r, T> Latest<'r, T> {
    fn put(&mut self, id: &'r str, row: &'r T) {
        let place = *self.places.entry(id).or_insert(self.rows.len());
        match self.rows.get_mut(place) {
            Some(entry) => entry.1 = row,
            None => self.rows.push((id, row)),
        }
    }

    /// The latest row of `id`.
    #[must_use]
    pub fn of(&self, id: &str) -> Option<&'r T> {
        self.places.get(id).and_then(|place| self.rows.get(*place)).map(|(_, row)| *row)
    }

    /// Ids and rows, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'r str, &'r T)> {
        self.rows.iter().copied()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl<'r> Fold<'r> {
    /// Folds `rows`. Only their order counts.
    #[must_use]
    pub fn new(rows: &'r [Row]) -> Self {
        let mut fold = Self::default();
        let mut absences = Latest::default();
        for row in rows {
            match row {
                Row::Standing(row) => fold.standings.put(&row.tool_call_id, row),
                Row::Judgment(row) => fold.judgments.put(&row.tool_call_id, row),
                Row::Absence(row) => absences.put(&row.tool_call_id, row),
                Row::Basis(row) => {
                    if let Some(proposition) = &row.proposition {
                        fold.propositions.insert(&row.tool_call_id, proposition);
                    }
                }
                Row::Contingent(_) | Row::Other(_) => {}
            }
        }
        let facts = fold.standings.iter().filter(|(_, row)| row.standing == StandingWord::Fact);
        fold.asserted =
            facts.flat_map(|(_, by)| by.assertions.iter().map(move |assertion| Asserted { by, assertion })).collect();
        fold.conflicts = conflicts(&fold.asserted);
        fold.unsettled =
            absences.iter().filter(|(id, _)| fold.is(id, StandingWord::RuledOut)).map(|(_, row)| row).collect();
        fold
    }

    /// Whether the current standing of `id` is `standing`.
    pub(super) fn is(&self, id: &str, standing: StandingWord) -> bool {
        self.standings.of(id).is_some_and(|row| row.standing == standing)
    }

    /// Whether any result has a standing.
    #[must_use]
    pub fn has_standing(&self) -> bool {
        !self.standings.is_empty()
    }
}

/// What assertions are about: subject kind and id, predicate, and the time as a double's bits.
type Key<'r> = (&'r str, &'r str, &'r str, Option<u64>);

fn conflicts<'r>(asserted: &[Asserted<'r>]) -> Vec<Vec<Asserted<'r>>> {
    struct OnKey<'r> {
        assertions: Vec<Asserted<'r>>,
        first: String,
        differ: bool,
    }
    let mut keys: Vec<OnKey<'r>> = Vec::new();
    let mut places: HashMap<Key<'r>, usize> = HashMap::new();
    for one in asserted.iter().filter(|one| takes_part(one.assertion)) {
        let Assertion { subject, predicate, value, epoch, .. } = one.assertion;
        let epoch = epoch.as_ref().map(|epoch| bits(double(&epoch.to_string())));
        let key = (subject.kind.as_str(), subject.id.as_str(), predicate.as_str(), epoch);
        let mut canonical = String::new();
        write_canonical(&mut canonical, known(value));
        let place = *places.entry(key).or_insert(keys.len());
        match keys.get_mut(place) {
            Some(on_key) => {
                on_key.differ |= on_key.first != canonical;
                on_key.assertions.push(*one);
            }
            None => keys.push(OnKey { assertions: vec![*one], first: canonical, differ: false }),
        }
    }
    keys.into_iter().filter(|on_key| on_key.differ).map(|on_key| on_key.assertions).collect()
}

fn takes_part(assertion: &Assertion) -> bool {
    let kind = assertion.value.as_object().and_then(|value| value.get("kind")).and_then(Value::as_str);
    assertion.stratum == Stratum::Asserted && !matches!(kind, Some("unknown" | "not-applicable"))
}

/// What a value compares as.
fn known(value: &Value) -> &Value {
    match value.as_object() {
        Some(object) if object.get("kind").and_then(Value::as_str) == Some("known") => {
            object.get("value").unwrap_or(value)
        }
        _ => value,
    }
}

/// The bits of a double, both zeros alike.
fn bits(number: f64) -> u64 {
    if number == 0.0 { 0 } else { number.to_bits() }
}

/// Writes a text that two values share exactly if they are equal: keys sorted, numbers as doubles.
fn write_canonical(text: &mut String, value: &Value) {
    match value {
        Value::Null => text.push('n'),
        Value::Bool(true) => text.push('t'),
        Value::Bool(false) => text.push('f'),
        Value::Number(number) => {
            let written = write!(text, "#{:x}", bits(double(&number.to_string())));
            debug_assert!(written.is_ok(), "a string takes all");
        }
        Value::String(string) => write_string(text, string),
        Value::Array(values) => {
            text.push('[');
            for value in values {
                write_canonical(text, value);
                text.push(',');
            }
            text.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by_key(|(key, _)| key.as_str());
            text.push('{');
            for (key, value) in members {
                write_string(text, key);
                write_canonical(text, value);
                text.push(',');
            }
            text.push('}');
        }
    }
}

/// Its length goes before it, so that no string can look like anything else.
fn write_string(text: &mut String, string: &str) {
    let written = write!(text, "\"{}:{string}", string.len());
    debug_assert!(written.is_ok(), "a string takes all");
}
