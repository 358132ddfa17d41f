//! `sidenote collapse`: judged tool results as tickets.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use sidenote::ledger::{ServeMode, collapse_judged};

use crate::documents::Documents;

/// Replaces the content of tool results that the model has judged by tickets, and prints the conversation in the form it came in:
/// byte for byte where nothing changes, compact JSON otherwise.
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
        let rows = Documents::read(Some(&self.rows))?.rows()?;
        let messages = Documents::read(self.messages.as_ref())?;
        let mode = match self.mode {
            Mode::LedgerAndFacts => ServeMode::LedgerAndFacts,
            Mode::LedgerOnly => ServeMode::LedgerOnly,
        };
        let collapsed = collapse_judged(&messages.values, &rows, mode);
        let mut output = io::stdout().lock();
        if collapsed.same {
            output.write_all(&messages.text)?;
        } else {
            Documents::write(messages.form, collapsed.messages.iter().map(AsRef::as_ref), &mut output)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
