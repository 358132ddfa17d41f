//! The ledger's ops, and those on the way from an answer to it.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::{Ask, Bytes, Fields, Machine};
use crate::declaration::read_declaration;
use crate::ledger::{
    AnswerAsk, Asserted, Call, DeclaredOn, Fold, Piece, Row, RowError, ServeMode, Wording, basis_row, collapse_judged,
    findings_ledger_piece, is_collapsed_tool_result, offered_result_ids, read_rows, served_tool_call_ids,
    standing_rows, undeclared_ids,
};
use crate::peel;
use crate::sources::{DeclaredSource, read_sources};

/// Asks of a whole value: nothing of it comes in chunks, except an answer that is peeled.
#[derive(Clone, Debug)]
pub struct LedgerQuestion {
    op: Op,
    fields: Map<String, Value>,
    text: Bytes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Sources,
    Declaration,
    Peel,
    Rows,
    Fold,
    Piece,
    Collapse,
    Served,
    Undeclared,
    Offered,
    IsCollapsed,
}

/// Each op, its word and the fields that it may have.
const OPS: &[(Op, &str, &[&str])] = &[
    (Op::Sources, "sources", &["raw", "args"]),
    (Op::Declaration, "declaration", &["value", "args"]),
    (Op::Peel, "peel", &["text", "hex"]),
    (Op::Rows, "rows", &["declaration", "messages", "iteration", "declaredOn", "call"]),
    (Op::Fold, "fold", &["rows"]),
    (Op::Piece, "piece", &["rows", "served", "answerAsk", "wording"]),
    (Op::Collapse, "collapse", &["messages", "rows", "mode"]),
    (Op::Served, "served", &["messages"]),
    (Op::Undeclared, "undeclared", &["rows", "served", "messages"]),
    (Op::Offered, "offered", &["rows", "served", "messages"]),
    (Op::IsCollapsed, "is_collapsed", &["value"]),
];

impl LedgerQuestion {
    /// The question that `word` asks; none where it is no op of the ledger.
    pub(super) fn new(word: &str, fields: Map<String, Value>) -> Option<Result<Self, String>> {
        let (op, _, names) = OPS.iter().find(|(_, name, _)| *name == word)?;
        Some(Self::read(*op, names, fields))
    }

    /// The question that `peel` asks.
    pub(super) fn peel(answer: &Bytes) -> Self {
        Self { op: Op::Peel, fields: Map::from_iter([answer.request()]), text: answer.clone() }
    }

    fn read(op: Op, names: &[&str], fields: Map<String, Value>) -> Result<Self, String> {
        if let Some(unknown) = fields.keys().find(|name| !names.contains(&name.as_str())) {
            return Err(format!("unknown field `{unknown}`"));
        }
        let text = if op == Op::Peel {
            let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
            Bytes::new(text("text"), text("hex"))?
        } else {
            Bytes { bytes: Vec::new(), hex: false }
        };
        Ok(Self { op, fields, text })
    }

    fn answer_or_error(&self) -> Result<Value, Value> {
        let fields = Fields(&self.fields);
        // No ledger is one without rows.
        let rows = || {
            let rows = fields.0.get("rows").cloned().unwrap_or_else(|| Value::Array(Vec::new()));
            read_rows(rows).map_err(|error| door_error(&error))
        };
        Ok(match self.op {
            Op::Sources => {
                let read = read_sources(fields.0.get("raw"), fields.object("args")?);
                let from: Vec<Value> = read.from.iter().map(DeclaredSource::to_value).collect();
                json!({"from": from, "malformed": read.malformed})
            }
            Op::Declaration => {
                let arguments = fields.0.get("args").and_then(Value::as_object);
                let read = read_declaration(fields.any("value")?, arguments);
                let mut answer = json!({"malformed": read.malformed});
                if let Some(declaration) = read.declaration {
                    answer["declaration"] = declaration.to_value();
                }
                answer
            }
            Op::Peel => peel_answer(&self.text),
            Op::Rows => rows_answer(fields)?,
            Op::Fold => fold_answer(&rows()?),
            Op::Piece => {
                let served: Vec<&str> = fields.0.get("served").map_or(Ok(Vec::new()), |_| fields.strings("served"))?;
                let ask = match fields.0.get("answerAsk").and_then(Value::as_str) {
                    Some("quote-facts") => AnswerAsk::QuoteFacts,
                    _ => AnswerAsk::None,
                };
                let word = |name: &str| fields.0.get("wording").and_then(|wording| wording.get(name)?.as_str());
                let wording = Wording {
                    header: word("header").unwrap_or(Wording::DEFAULT.header),
                    ask: word("ask").unwrap_or(Wording::DEFAULT.ask),
                };
                findings_ledger_piece(&rows()?, &served, ask, wording).map_or(Value::Null, |piece| piece_answer(&piece))
            }
            Op::Collapse => {
                let mode = ServeMode::from_word(fields.0.get("mode").and_then(Value::as_str).unwrap_or_default());
                let collapsed = collapse_judged(fields.array("messages")?, &rows()?, mode);
                let messages = collapsed.messages.into_iter().map(Cow::into_owned).collect();
                object([("messages", messages), ("same", collapsed.same.into())])
            }
            Op::Served => json!(served_tool_call_ids(fields.array("messages")?)),
            Op::Undeclared | Op::Offered => {
                let rows = rows()?;
                let fold = Fold::new(&rows);
                let served = match fields.0.get("messages") {
                    Some(_) => served_tool_call_ids(fields.array("messages")?),
                    None => fields.strings("served")?,
                };
                let ids = if self.op == Op::Offered { offered_result_ids } else { undeclared_ids };
                json!(ids(&served, &fold))
            }
            Op::IsCollapsed => json!(is_collapsed_tool_result(fields.any("value")?)),
        })
    }
}

fn door_error(error: &RowError) -> Value {
    json!({"error": {"row": error.row, "kind": error.kind, "field": error.field}})
}

/// The answer to a question about an answer.
pub(super) fn peel_answer(text: &Bytes) -> Value {
    let peeled = peel(&text.bytes);
    let mut answer = json!({text.field("content"): text.spell(&peeled.content)});
    if let Some(findings) = peeled.findings {
        answer["findings"] = findings.to_value();
    }
    if peeled.malformed > 0 {
        answer["malformed"] = json!(peeled.malformed);
    }
    answer
}

fn piece_answer(piece: &Piece) -> Value {
    json!({"rawContent": piece.raw_content, "slot": Piece::SLOT, "source": Piece::SOURCE})
}

fn rows_answer(fields: Fields<'_>) -> Result<Value, Value> {
    let error = |what: &str| json!({"error": format!("{what} is missing or not what it must be")});
    let read = read_declaration(fields.any("declaration")?, None);
    let declaration = read.declaration.unwrap_or_default();
    let iteration = fields.any("iteration")?.as_u64().ok_or_else(|| error("iteration"))?;
    let declared_on = DeclaredOn::from_value(fields.any("declaredOn")?.clone()).ok_or_else(|| error("declaredOn"))?;
    let mut rows = Vec::new();
    if let Some(call) = fields.0.get("call") {
        let name = |name: &str| call.get(name).and_then(Value::as_str).ok_or_else(|| error("call"));
        let call = Call { tool_call_id: name("toolCallId")?, tool_name: name("toolName")? };
        rows.extend(basis_row(&declaration, call, iteration, read.malformed).map(Row::Basis));
    }
    let standings = standing_rows(&declaration, fields.array("messages")?, iteration, &declared_on);
    rows.extend(standings.into_iter().map(Row::Standing));
    Ok(rows.iter().map(Row::to_value).collect())
}

fn fold_answer(rows: &[Row]) -> Value {
    let fold = Fold::new(rows);
    let assertions = |all: &[Asserted<'_>]| all.iter().map(|one| one.assertion.to_value()).collect::<Value>();
    let pair = |id: &str, row: Value| Value::Array(vec![id.into(), row]);
    object([
        ("standingOf", fold.standings.iter().map(|(id, row)| pair(id, row.to_value())).collect()),
        ("judgments", fold.judgments.iter().map(|(id, row)| pair(id, row.to_value())).collect()),
        ("asserted", assertions(&fold.asserted)),
        ("conflicts", fold.conflicts.iter().map(|conflict| assertions(conflict)).collect()),
        ("hasStanding", fold.has_standing().into()),
        ("unsettled", fold.unsettled.iter().map(|row| pair(&row.tool_call_id, row.to_value())).collect()),
    ])
}

/// An object of values as they are: `json!` would spell the numbers in them anew.
fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>().into()
}

impl Ask for LedgerQuestion {
    fn op(&self) -> &'static str {
        OPS.iter().find(|(op, _, _)| *op == self.op).map_or("", |(_, word, _)| word)
    }

    fn bytes(&self) -> &Bytes {
        &self.text
    }

    fn is_of_core(&self) -> bool {
        false
    }

    fn is_fed_in_chunks(&self, _machine: Machine) -> bool {
        false
    }

    fn answer(&self, _machine: Machine, _cuts: &[usize]) -> Value {
        self.answer_or_error().unwrap_or_else(|error| error)
    }

    fn write(&self, fields: &mut Map<String, Value>) {
        fields.extend(self.fields.clone());
    }
}
