//! `sidenote values`: the JSON values that a text opens with.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use sidenote::protocol::{Bytes, LeadingQuestion, Machine, Question};
use sidenote::{Stopped, leading_json_values};

use crate::input::{note, read_all};

/// Prints the complete JSON objects and arrays that a text opens with, one a line.
///
/// Every digit and the order of keys stay as written. Standard error says where and why the reading stopped.
#[derive(Args)]
pub(crate) struct Values {
    /// The text; standard input where none is named, or `-`
    file: Option<PathBuf>,
    /// Write what follows the values instead, byte for byte
    #[arg(long)]
    rest: bool,
    /// Print the offsets of values and rest as one JSON object instead
    #[arg(long, conflicts_with = "rest")]
    json: bool,
}

impl Values {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let text = read_all(self.file.as_ref())?;
        let mut output = BufWriter::new(io::stdout().lock());
        if self.json {
            let question = LeadingQuestion { text: Bytes { bytes: text, hex: false }, why: true };
            writeln!(output, "{}", Question::Leading(question).answer(Machine::Harness, &[]))?;
            output.flush()?;
            return Ok(ExitCode::SUCCESS);
        }
        let leading = leading_json_values(&text)?;
        if self.rest {
            output.write_all(leading.rest)?;
            output.flush()?;
            return Ok(ExitCode::SUCCESS);
        }
        for value in &leading.values {
            writeln!(output, "{value}")?;
        }
        output.flush()?;
        let at = text.len() - leading.rest.len();
        match leading.stopped {
            Stopped::End => {}
            Stopped::Opener => note(format_args!("what follows from byte {at} on opens no object and no array")),
            Stopped::Cut => note(format_args!("the value at byte {at} is cut short")),
            Stopped::Byte(byte) => note(format_args!("the value at byte {at} stops being JSON at byte {byte}")),
        }
        Ok(ExitCode::SUCCESS)
    }
}
