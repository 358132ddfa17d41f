//! `sidenote ledger`: a ledger in a file.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Subcommand};
use serde_json::{Map, Value};
use sidenote::ledger::{Call, DeclaredOn, Row, basis_row, standing_rows};
use sidenote::peel;

use crate::documents::{Documents, Form, add_rows};
use crate::input::read_all;

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
        let messages = match &self.messages {
            Some(file) => Documents::read(Some(file))?.values,
            None => Vec::new(),
        };
        let peeled = peel(&read_all(self.answer.as_ref())?);
        if peeled.malformed > 0 {
            eprintln!("sidenote: {} of what the notes say could not be read and is left out", peeled.malformed);
        }
        let declaration = peeled.findings.unwrap_or_default();
        let declared_on = match &self.call {
            None => DeclaredOn::Answer,
            Some(id) => DeclaredOn::Call { tool_call_id: id.clone(), extra: Map::new() },
        };
        let mut rows = Vec::new();
        if let (Some(id), Some(_)) = (&self.call, declaration.basis) {
            let tool_name = called_tool(&messages, id).with_context(|| {
                format!("no message says which tool the call {id} is of; name them with --messages")
            })?;
            let call = Call { tool_call_id: id, tool_name };
            rows.extend(basis_row(&declaration, call, self.iteration, peeled.malformed).map(Row::Basis));
        }
        let standings = standing_rows(&declaration, &messages, self.iteration, &declared_on);
        rows.extend(standings.into_iter().map(Row::Standing));
        if !rows.is_empty() {
            add_rows(&self.rows, &rows)?;
        }
        let values: Vec<Value> = rows.iter().map(Row::to_value).collect();
        Documents::write(Form::Lines, values.iter(), &mut io::stdout().lock())?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The tool that a call is of: as the message that makes it says, in either of the usual spellings, or its result.
fn called_tool<'m>(messages: &'m [Value], id: &str) -> Option<&'m str> {
    let is_it = |value: &Value, name: &str| value.get(name).and_then(Value::as_str) == Some(id);
    messages.iter().find_map(|message| {
        let calls = ["toolCalls", "tool_calls"].into_iter().filter_map(|name| message.get(name)?.as_array()).flatten();
        let call = calls.into_iter().find(|call| is_it(call, "id"));
        let named = call.and_then(|call| call.get("name").or_else(|| call.get("function")?.get("name")));
        let result = (is_it(message, "toolCallId") || is_it(message, "tool_call_id")).then(|| message.get("toolName"));
        named.or(result.flatten())?.as_str()
    })
}
