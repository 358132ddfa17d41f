//! `sidenote ledger`: a ledger in a file.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use serde_json::Map;
use sidenote::ledger::{Call, DeclaredOn, Row, basis_row, standing_rows, tool_name_of};
use sidenote::{peel, peel_call};

use crate::documents::Documents;
use crate::input::{note, one_standard_input, read_all};
use crate::ledger_file::add_rows;

/// Keeps a ledger in a file: a row a line, or a JSON array.
#[derive(Args)]
pub(crate) struct Ledger {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Add(Add),
}

/// Adds the rows that the notes of an answer, or of a call's arguments, declare, and prints them, a row a line.
///
/// Two at once lose no row, and a crash leaves the old file whole; a file named like the ledger with `.lock` behind it stays there.
#[derive(Args)]
struct Add {
    /// The ledger; made where it is not there
    #[arg(long, value_name = "FILE")]
    rows: PathBuf,
    /// Which turn of the agent this is
    #[arg(long, value_name = "N")]
    iteration: u64,
    /// The notes are in the arguments of this call, not in an answer
    #[arg(long, value_name = "ID")]
    call: Option<String>,
    /// The conversation, a JSON array or a message a line: it tells which results there are, their tools and artifacts
    #[arg(long, value_name = "FILE")]
    messages: Option<PathBuf>,
    /// The answer, or the call's arguments; standard input where none is named, or `-`
    answer: Option<PathBuf>,
}

impl Ledger {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        match &self.command {
            Command::Add(command) => command.run(),
        }
    }
}

impl Add {
    fn run(&self) -> anyhow::Result<ExitCode> {
        if self.rows == Path::new("-") {
            bail!("--rows -: rows are added to a file");
        }
        one_standard_input(self.messages.iter().map(Some).chain([self.answer.as_ref()]));
        let messages = match &self.messages {
            Some(file) => Documents::read(Some(file))?.values,
            None => Vec::new(),
        };
        let text = read_all(self.answer.as_ref())?;
        let peeled = if self.call.is_some() { peel_call(&text) } else { peel(&text) };
        if peeled.malformed > 0 {
            note(format_args!(
                "sidenote: {} of what the notes say could not be read and is left out",
                peeled.malformed
            ));
        }
        let declaration = peeled.findings.unwrap_or_default();
        let declared_on = match &self.call {
            None => DeclaredOn::Answer,
            Some(id) => DeclaredOn::Call { tool_call_id: id.clone(), extra: Map::new() },
        };
        let mut rows = Vec::new();
        if let (Some(id), Some(_)) = (&self.call, declaration.basis) {
            let tool_name = tool_name_of(&messages, id).with_context(|| {
                format!("no message says which tool the call {id} is of; name them with --messages")
            })?;
            let call = Call { tool_call_id: id, tool_name };
            rows.extend(basis_row(&declaration, call, self.iteration, peeled.malformed).map(Row::Basis));
        }
        let standings = standing_rows(&declaration, &messages, self.iteration, &declared_on);
        rows.extend(standings.into_iter().map(Row::Standing));
        if self.messages.is_none() {
            // Nobody said which results there are, so none is known to be missing.
            for row in &mut rows {
                if let Row::Standing(row) = row {
                    row.unknown_id = false;
                }
            }
        }
        add_rows(&self.rows, &rows)?;
        let mut output = io::stdout().lock();
        rows.iter().try_for_each(|row| writeln!(output, "{}", row.to_value()))?;
        Ok(ExitCode::SUCCESS)
    }
}
