//! `sidenote sources`: where the model says each argument of a call came from.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use serde_json::{Value, json};
use sidenote::sources::{DeclaredSource, read_sources};

use crate::documents::read_value;
use crate::input::one_standard_input;

/// Judges a declaration's `from` against the arguments of its call, and prints one JSON object: the entries kept (from) and how many were
/// dropped (malformed).
#[derive(Args)]
pub(crate) struct Sources {
    /// The call's arguments: a JSON object, its notes taken off
    #[arg(long, value_name = "FILE")]
    args: PathBuf,
    /// The list; standard input where none is named, or `-`
    from: Option<PathBuf>,
}

impl Sources {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        one_standard_input([Some(&self.args), self.from.as_ref()]);
        let Value::Object(arguments) = read_value(Some(&self.args))? else {
            bail!("{}: not a JSON object", self.args.display());
        };
        let read = read_sources(Some(&read_value(self.from.as_ref())?), &arguments);
        let from: Vec<Value> = read.from.iter().map(DeclaredSource::to_value).collect();
        writeln!(io::stdout().lock(), "{}", json!({"from": from, "malformed": read.malformed}))?;
        Ok(ExitCode::SUCCESS)
    }
}
