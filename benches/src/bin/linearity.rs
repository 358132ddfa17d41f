//! Proves that no shape of text costs more than its length: instructions counted by callgrind, for a text and one four times as long.
//!
//! `linearity` runs itself under valgrind, which dumps a count after each call of `measured`. What an empty text costs is taken off.
//! It fails where the counts' ratio is not within 5 % of 4, give or take what is paid once a text. With `--table` it prints instructions a byte for every shape.

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, ensure};
use clap::{Parser, ValueEnum};
use sidenote_core::{CodeRegions, Filter, JsonPrefix, Keys, LeadingValues, OnFull};

/// Counts instructions of every machine on every shape of text, at a length and at four times that.
#[derive(Parser)]
struct Arguments {
    /// The shorter length in bytes
    #[arg(long, default_value_t = 16_384)]
    bytes: usize,
    /// Print a table of instructions a byte
    #[arg(long)]
    table: bool,
    /// What valgrind is told to run
    #[arg(long, hide = true)]
    measure: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Machine {
    Filter,
    CodeRegions,
    Leading,
    Prefix,
}

const MACHINES: [Machine; 4] = [Machine::Filter, Machine::CodeRegions, Machine::Leading, Machine::Prefix];

/// How many instructions may be paid once a text.
const ONCE: u64 = 4_000;

/// Texts in small pieces, and whole.
const CHUNKS: [usize; 2] = [16, usize::MAX];

/// What stands before a text, and what it repeats.
const SHAPES: &[(&str, &str)] = &[
    ("", "{"),
    ("", "["),
    ("", "{\"a\":"),
    ("{\"a\":", "["),
    ("{\"a\":", "{\"b\":"),
    ("", "`"),
    ("", "~"),
    ("", " "),
    ("", "\n"),
    ("", "\r"),
    ("", "\r\n"),
    ("x", " "),
    ("x", "\n "),
    ("", "\""),
    ("[\"", "a"),
    ("[\"", "\\n"),
    ("[\"", "\\u0041"),
    ("[", "1"),
    ("{\"a\":", "1"),
    ("{\"a\":1", " "),
    ("{", " "),
    ("{\"_findings\":1", " "),
    ("{\"_findings\":", " "),
    ("{\"_findings\":", "1"),
    ("{\"_findings\":\"", "word "),
    ("{\"_findings\":[", "[1],"),
    ("{\"", "long key "),
    ("{\"_findings\":1,\"", "long key "),
    ("{", "\"a\":1,"),
    ("{", "\"_findings\":1,"),
    ("{", "\"a\":1,\"_findings\":2,"),
    ("", "{\"_findings\":1} "),
    ("", "{\"_findings\":1}\n"),
    ("x\n", "{\"_findings\":1}\n\n"),
    ("", "```\n{\"_findings\":1}\n```\n"),
    ("", "{\"_findings\":1"),
    ("", "{\"_findings\":1, x "),
    ("", "{\"_findings\":1,\"k"),
    ("", "{\"_findings\":"),
    ("", "{\"_findings\":\"x\ny"),
    ("", "```x{\"_findings\":1 y`\n"),
    ("", "```\nx\n```\n"),
    ("```\n", "~~~\n"),
    ("```\n", "`` "),
    ("```\n", "[`` \n"),
    ("", "> "),
    ("", "- "),
    ("", "1. "),
    ("", "123456789"),
    ("", "1. `"),
    ("", "[1, "),
    ("", "[{\"a\":1},"),
    ("[", "{\"_findings\":1},"),
    ("", "[ab](c) `d` {e} "),
    ("", "A sentence of plain words, as they come.\n"),
    ("", "{\"a\":[1,{\"b\":\"c\"}]} "),
    ("", "[1]\n"),
    ("[", "true,null,-1.5e3,\"a b\","),
];

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    if arguments.measure {
        // Enough for any text, so that no limit makes the end of a long one cheaper.
        let mut memory = vec![0; 10 * arguments.bytes + 64];
        for (_, _, _, texts) in runs(arguments.bytes) {
            for (machine, chunk, text) in texts {
                measured(machine, chunk, &text, &mut memory);
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    let counts = counts(arguments.bytes)?;
    let mut counts = counts.chunks_exact(3);
    let mut bad = 0;
    for (machine, shape, chunk, texts) in runs(arguments.bytes) {
        let &[empty, short, long] = counts.next().context("fewer counts than runs")? else { continue };
        let (short, long) = (short.saturating_sub(empty), long.saturating_sub(empty));
        #[expect(clippy::cast_precision_loss, reason = "counts are small")]
        let (ratio, per_byte) = (long as f64 / short as f64, long as f64 / texts[2].2.len() as f64);
        // A machine that stops at once costs next to nothing at any length, and an empty text does not pay all of what is paid once.
        let linear = long.abs_diff(4 * short) <= long / 20 + ONCE;
        bad += usize::from(!linear);
        if arguments.table || !linear {
            let chunk = if chunk == usize::MAX { "whole".into() } else { format!("{chunk}-byte chunks") };
            let machine = machine.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
            let verdict = if linear { "" } else { "  NOT LINEAR" };
            println!("{machine:13} {chunk:15} {per_byte:8.1} a byte  ratio {ratio:5.2}  {shape:?}{verdict}");
        }
    }
    let runs = SHAPES.len() * MACHINES.len() * CHUNKS.len();
    println!("{} passed, {bad} failed", runs - bad);
    Ok(if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

type Text = (Machine, usize, Vec<u8>);

/// Every machine, shape and size of chunk, with the texts to be measured: empty, short, four times as long.
fn runs(bytes: usize) -> impl Iterator<Item = (Machine, &'static (&'static str, &'static str), usize, [Text; 3])> {
    let shapes = move |machine| SHAPES.iter().map(move |shape| (machine, shape));
    let all = MACHINES.into_iter().flat_map(shapes);
    let all = all.flat_map(|(machine, shape)| CHUNKS.into_iter().map(move |chunk| (machine, shape, chunk)));
    all.map(move |(machine, shape, chunk)| {
        let (before, unit) = shape;
        let text = |times: usize| (machine, chunk, [before, unit.repeat(times).as_str()].concat().into_bytes());
        let times = bytes / unit.len();
        (machine, shape, chunk, [text(0), text(times), text(4 * times)])
    })
}

/// Runs this program under callgrind; the count of each call of `measured`, in order.
fn counts(bytes: usize) -> anyhow::Result<Vec<u64>> {
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("counts");
    let status = Command::new("valgrind")
        .args([
            "--tool=callgrind", "--quiet", "--toggle-collect=linearity::measured", "--dump-after=linearity::measured",
        ])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(std::env::current_exe()?)
        .args(["--measure", "--bytes", &bytes.to_string()])
        .status()
        .context("valgrind is needed: apt-get install valgrind")?;
    ensure!(status.success(), "valgrind: {status}");
    let mut counts = Vec::new();
    for index in 1.. {
        let dump = format!("{}.{index}", out.display());
        if !Path::new(&dump).exists() {
            break;
        }
        let text = std::fs::read_to_string(&dump)?;
        let total = text.lines().find_map(|line| line.strip_prefix("totals: ")).context("a dump without totals")?;
        counts.push(total.trim().parse()?);
    }
    ensure!(counts.len() == 3 * SHAPES.len() * MACHINES.len() * CHUNKS.len(), "{} counts", counts.len());
    Ok(counts)
}

/// What is counted: one text through one machine.
#[inline(never)]
fn measured(machine: Machine, chunk: usize, text: &[u8], memory: &mut [u8]) {
    let chunks = || text.chunks(chunk.min(text.len().max(1)));
    let mut seen = 0;
    match machine {
        Machine::Filter => {
            let Ok(filter) = Filter::new(Keys::default(), memory) else { return };
            let mut filter = filter.on_full(OnFull::Show);
            chunks().for_each(|chunk| _ = filter.push(chunk, |_| seen += 1));
            _ = filter.end(|_| seen += 1);
        }
        Machine::CodeRegions => {
            let mut reader = CodeRegions::new();
            chunks().for_each(|chunk| reader.push(chunk, |_| seen += 1));
            black_box(reader.end(|_| seen += 1));
        }
        Machine::Leading => {
            let mut reader = LeadingValues::new(memory);
            chunks().for_each(|chunk| _ = reader.push(chunk, |_| seen += 1));
            black_box(reader.end());
        }
        Machine::Prefix => {
            let mut reader = JsonPrefix::new(memory);
            chunks().for_each(|chunk| _ = reader.push(chunk, |_| seen += 1));
            black_box(reader.end());
        }
    }
    black_box(seen);
}
