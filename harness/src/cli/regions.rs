//! `sidenote regions`: the fenced code blocks of an answer.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use sidenote::protocol::{Bytes, CodeRegionsQuestion, Machine, Question};
use sidenote::{CodeRegion, MAX_CODE_REGIONS, code_regions};

use crate::input::{note, read_all};

/// Lists the fenced code blocks of an answer, as a CommonMark renderer closes them.
///
/// Reading stops at the first line where a renderer could pair fences another way; standard error says so.
#[derive(Args)]
pub(crate) struct Regions {
    /// The answer; standard input where none is named, or `-`
    file: Option<PathBuf>,
    /// Read at most so many blocks
    #[arg(long, value_name = "N", default_value_t = MAX_CODE_REGIONS)]
    max: u64,
    /// Print one JSON object instead of a table
    #[arg(long, conflicts_with = "extract")]
    json: bool,
    /// Write the content of block N instead, byte for byte
    #[arg(long, value_name = "N")]
    extract: Option<u64>,
}

/// How much of a block's info string and of its first line is shown, in characters.
const SHOWN: usize = 60;

impl Regions {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let text = read_all(self.file.as_ref())?;
        let mut output = io::stdout().lock();
        if self.json {
            let hex = std::str::from_utf8(&text).is_err();
            let question = CodeRegionsQuestion { text: Bytes { bytes: text, hex }, max: self.max };
            writeln!(output, "{}", Question::CodeRegions(question).answer(Machine::Harness, &[]))?;
            return Ok(ExitCode::SUCCESS);
        }
        let read = code_regions(&text, self.max);
        if let Some(block) = self.extract {
            let Some(region) = read.regions.iter().find(|region| region.block == block) else {
                bail!("there is no block {block}: {} were read", read.regions.len());
            };
            output.write_all(region.content_in(&text))?;
            return Ok(ExitCode::SUCCESS);
        }
        print_table(&mut output, &text, &read.regions)?;
        if read.end.dropped > 0 {
            note(format_args!("{} more blocks past the first {}", read.end.dropped, self.max));
        }
        if let Some(at) = read.end.stopped_at {
            note(format_args!("reading stopped at byte {at}, where a renderer could pair fences another way"));
        }
        if let Some((fence, length)) = read.end.open_fence {
            note(format_args!("a block of {length} {:?} is still open at the end", char::from(fence)));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn print_table(output: &mut impl Write, text: &[u8], regions: &[CodeRegion]) -> io::Result<()> {
    if regions.is_empty() {
        return Ok(());
    }
    let clipped = |bytes: &[u8]| lossy(bytes).chars().take(SHOWN).collect::<String>();
    let infos: Vec<String> = regions.iter().map(|region| clipped(region.info_in(text))).collect();
    let width = infos.iter().map(|info| info.chars().count()).max().unwrap_or(0).max("info".len());
    writeln!(output, "block  lines      {:width$}  first line", "info")?;
    let mut lines = Lines { text, at: 0, line: 1 };
    for (region, info) in regions.iter().zip(infos) {
        let content = region.content_in(text);
        let first_line = content.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
        let first_line = clipped(first_line);
        let (first, last) = (lines.of(region.start), lines.of(region.end.saturating_sub(1)));
        writeln!(output, "{:>5}  {:9}  {info:width$}  {first_line}", region.block, format!("{first}-{last}"))?;
    }
    Ok(())
}

/// For people's eyes: what is no text is replaced.
fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace(char::is_control, "\u{FFFD}")
}

/// Counts lines while it goes through a text.
struct Lines<'t> {
    text: &'t [u8],
    at: usize,
    line: usize,
}

impl Lines<'_> {
    /// The number of the line on which the byte at `offset` stands, not before the last one asked for.
    fn of(&mut self, offset: u64) -> usize {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX).min(self.text.len());
        while self.at < offset {
            let ends = match (self.text.get(self.at), self.text.get(self.at + 1)) {
                (Some(b'\r'), Some(b'\n')) | (None, _) => false,
                (Some(byte), _) => matches!(byte, b'\n' | b'\r'),
            };
            self.line += usize::from(ends);
            self.at += 1;
        }
        self.line
    }
}
