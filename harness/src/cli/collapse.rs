//! `sidenote collapse`: judged tool results as tickets.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::Value;
use sidenote::json;
use sidenote::ledger::{ServeMode, collapse_judged};

use crate::documents::Documents;
use crate::input::one_standard_input;

/// Replaces the content of tool results that the model has judged by tickets, and prints the conversation.
///
/// Every other byte of it stays as it is.
#[derive(Args)]
pub(crate) struct Collapse {
    /// The ledger: a JSON array, or a row a line
    #[arg(long, value_name = "FILE")]
    rows: PathBuf,
    /// Which results become tickets
    #[arg(long, value_enum, default_value_t = Mode::LedgerAndFacts)]
    mode: Mode,
    /// The conversation, a JSON array or a message a line; standard input where none is named, or `-`
    messages: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Mode {
    /// Noise and what was ruled out
    LedgerAndFacts,
    /// Facts too
    LedgerOnly,
}

impl Collapse {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        one_standard_input([Some(&self.rows), self.messages.as_ref()]);
        let rows = Documents::read(Some(&self.rows))?.rows()?;
        let messages = Documents::read(self.messages.as_ref())?;
        let mode = match self.mode {
            Mode::LedgerAndFacts => ServeMode::LedgerAndFacts,
            Mode::LedgerOnly => ServeMode::LedgerOnly,
        };
        let collapsed = collapse_judged(&messages.values, &rows, mode);
        let mut output = BufWriter::new(io::stdout().lock());
        let mut written = 0;
        for (message, range) in collapsed.messages.iter().zip(&messages.ranges) {
            if let Cow::Owned(changed) = message {
                output.write_all(&messages.text[written..range.start])?;
                output.write_all(&with_content(&messages.text[range.clone()], changed)?)?;
                written = range.end;
            }
        }
        output.write_all(&messages.text[written..])?;
        output.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A message as it is written, with nothing but its content replaced by that of `changed`.
fn with_content(message: &[u8], changed: &Value) -> anyhow::Result<Vec<u8>> {
    let content = changed.get("content").map(Value::to_string).unwrap_or_default();
    let ranges = json::children(message)?.into_iter().filter(|(key, _)| key.as_deref() == Some("content"));
    let (mut spliced, mut written, mut found) = (Vec::new(), 0, false);
    for (_, range) in ranges {
        spliced.extend_from_slice(&message[written..range.start]);
        spliced.extend_from_slice(content.as_bytes());
        written = range.end;
        found = true;
    }
    if !found {
        // It had none: it is written anew, with its content last.
        return Ok(changed.to_string().into_bytes());
    }
    spliced.extend_from_slice(&message[written..]);
    Ok(spliced)
}
