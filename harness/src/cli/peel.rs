//! `sidenote peel`: what an answer shows, and what its notes declare.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use sidenote::protocol::{Bytes, Machine, Question};

use crate::input::read_all;

/// Takes an answer's notes out and prints one JSON object: its content, what the notes declare (findings), and how much of them could
/// not be read (malformed).
#[derive(Args)]
pub(crate) struct Peel {
    /// The answer; standard input where none is named, or `-`
    file: Option<PathBuf>,
}

impl Peel {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let bytes = read_all(self.file.as_ref())?;
        let hex = std::str::from_utf8(&bytes).is_err();
        let answer = Question::peel(&Bytes { bytes, hex }).answer(Machine::Harness, &[]);
        writeln!(io::stdout().lock(), "{answer}")?;
        Ok(ExitCode::SUCCESS)
    }
}
