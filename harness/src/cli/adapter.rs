//! `sidenote adapter`: speaks the case protocol.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use clap::Args;
use sidenote::protocol;

/// Answers requests of the case protocol: one JSON object a line on standard input, one JSON value a line on standard output.
///
/// `spec/README.md` describes the protocol; `sidenote spec --exec` runs the suite against any program that speaks it.
#[derive(Args)]
pub(crate) struct Adapter {}

impl Adapter {
    pub(crate) fn run() -> anyhow::Result<ExitCode> {
        let mut output = io::stdout().lock();
        let mut input = io::stdin().lock();
        let mut line = Vec::new();
        while input.read_until(b'\n', &mut line)? > 0 {
            writeln!(output, "{}", protocol::answer_line(line.trim_ascii_end()))?;
            output.flush()?;
            line.clear();
        }
        Ok(ExitCode::SUCCESS)
    }
}
