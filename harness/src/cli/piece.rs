//! `sidenote piece`: what the ledger puts into the next system prompt.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;
use sidenote::ledger::{AnswerAsk, Piece as Composed, Wording, findings_ledger_piece, served_tool_call_ids};

use crate::documents::{Documents, read_value};
use crate::input::one_standard_input;

/// Prints the piece of the next system prompt that a ledger comes to; nothing where no result has a standing.
#[derive(Args)]
pub(crate) struct Piece {
    /// The ledger: a JSON array, or a row a line
    #[arg(long, value_name = "FILE")]
    rows: PathBuf,
    /// The conversation, a JSON array or a message a line: results in it that nobody judged are counted
    #[arg(long, value_name = "FILE")]
    messages: Option<PathBuf>,
    /// End with what the answer is asked to do
    #[arg(long)]
    ask: bool,
    /// Words in place of ours: a JSON object with `header`, `ask` or both
    #[arg(long, value_name = "FILE")]
    wording: Option<PathBuf>,
    /// Print the piece as a JSON object
    #[arg(long)]
    json: bool,
}

impl Piece {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        one_standard_input([&self.rows].into_iter().chain(&self.messages).chain(&self.wording).map(Some));
        let rows = Documents::read(Some(&self.rows))?.rows()?;
        let messages = match &self.messages {
            Some(file) => Documents::read(Some(file))?.values,
            None => Vec::new(),
        };
        let words = match &self.wording {
            Some(file) => read_value(Some(file))?,
            None => json!({}),
        };
        let keys = words.as_object().context("the wording is no JSON object")?.keys();
        if let Some(unknown) = keys.into_iter().find(|key| !["header", "ask"].contains(&key.as_str())) {
            bail!("the wording has header and ask, and no {unknown:?}");
        }
        let word = |name: &str| match words.get(name) {
            None => Ok(None),
            Some(word) => word.as_str().map(Some).with_context(|| format!("the wording's {name} is no string")),
        };
        let wording = Wording {
            header: word("header")?.unwrap_or(Wording::DEFAULT.header),
            ask: word("ask")?.unwrap_or(Wording::DEFAULT.ask),
        };
        let ask = if self.ask { AnswerAsk::QuoteFacts } else { AnswerAsk::None };
        let Some(piece) = findings_ledger_piece(&rows, &served_tool_call_ids(&messages), ask, wording) else {
            return Ok(ExitCode::SUCCESS);
        };
        let mut output = io::stdout().lock();
        if self.json {
            let piece = json!({"rawContent": piece.raw_content, "slot": Composed::SLOT, "source": Composed::SOURCE});
            writeln!(output, "{piece}")?;
        } else {
            writeln!(output, "{}", piece.raw_content)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
