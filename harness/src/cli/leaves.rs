//! `sidenote leaves`: the leaves of JSON that is cut short.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::Value;
use sidenote::protocol::{Bytes, Machine, PrefixQuestion, Question};
use sidenote::{Ended, Kind, LeafReader, Leaves as Read};

use crate::input::{note, read_all};

/// Prints the complete strings, numbers and booleans of one JSON object or array, also of one that is cut short.
///
/// A line each: where it stands in bytes, how many containers are open around it, whether it is a key or what kind of value,
/// and itself, a string as JSON, a number as JavaScript spells it. Standard error says how the text ended.
#[derive(Args)]
pub(crate) struct Leaves {
    /// The text; standard input where none is named, or `-`
    file: Option<PathBuf>,
    /// Print one JSON object, or null for a text that is not JSON cut short
    #[arg(long)]
    json: bool,
}

impl Leaves {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let text = read_all(self.file.as_ref())?;
        let mut output = BufWriter::new(io::stdout().lock());
        if self.json {
            let question = PrefixQuestion { text: Bytes { bytes: text, hex: false }, written: false };
            writeln!(output, "{}", Question::Prefix(question).answer(Machine::Harness, &[]))?;
            output.flush()?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut reader = LeafReader::new();
        reader.push(&text);
        let read = reader.end();
        print_table(&mut output, &read)?;
        output.flush()?;
        match read.ended {
            Ended::Cut => note(format_args!("cut short, inside {:?}", read.open)),
            Ended::Closed => note("complete; what follows it, if anything, was not read"),
            Ended::Byte(at) => note(format_args!("stops being JSON at byte {at}")),
        }
        if let Some(words) = &read.words {
            note(format_args!("whole words of the string it is cut in: {words:?}"));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn print_table(output: &mut impl Write, read: &Read) -> io::Result<()> {
    for leaf in &read.leaves {
        let kind = match leaf.leaf.kind {
            Kind::String if leaf.leaf.key => "key",
            Kind::String => "string",
            Kind::Number => "number",
            _ => "boolean",
        };
        let text =
            if leaf.leaf.kind == Kind::String { Value::from(leaf.text.as_str()).to_string() } else { leaf.spelled() };
        let range = format!("{}-{}", leaf.leaf.start, leaf.end);
        writeln!(output, "{range:>12}  {:>3}  {kind:7}  {text}", leaf.leaf.depth)?;
    }
    Ok(())
}
