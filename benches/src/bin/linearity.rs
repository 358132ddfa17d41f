//! Proves that no shape of text costs more than its length: instructions counted by callgrind, for a text and one four times as long.
//!
//! `linearity` runs itself under valgrind, which dumps a count after each call of `measured`. What an empty text costs is taken off.
//! It fails where the counts' ratio is not within 5 % of 4, give or take what is paid once a text. With `--table` it prints instructions a byte for every shape.

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, ensure};
use clap::{Parser, ValueEnum};
use serde_json::{Value, json};
use sidenote::ledger::{
    AnswerAsk, ServeMode, Wording, collapse_judged, findings_ledger_piece, read_rows, served_tool_call_ids,
};
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
        for mut run in runs(arguments.bytes) {
            run.work.iter_mut().for_each(measured);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let counts = counts(arguments.bytes)?;
    ensure!(counts.len() == 3 * runs(arguments.bytes).count(), "{} counts", counts.len());
    let (mut passed, mut failed) = (0, 0);
    for (run, counts) in runs(arguments.bytes).zip(counts.chunks_exact(3)) {
        let &[empty, short, long] = counts else { continue };
        let (short, long) = (short.saturating_sub(empty), long.saturating_sub(empty));
        #[expect(clippy::cast_precision_loss, reason = "counts are small")]
        let (ratio, each) = (long as f64 / short as f64, long as f64 / run.size as f64);
        // A machine that stops at once costs next to nothing at any length, and an empty text does not pay all of what is paid once.
        let linear = long.abs_diff(4 * short) <= long / 20 + ONCE;
        if linear {
            passed += 1;
        } else {
            failed += 1;
        }
        if arguments.table || !linear {
            let verdict = if linear { "" } else { "  NOT LINEAR" };
            println!("{:58} {each:9.1} {:9} ratio {ratio:5.2}{verdict}", run.name, run.unit);
        }
    }
    println!("{passed} passed, {failed} failed");
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Work at three sizes: nothing, some, four times as much.
struct Run {
    name: String,
    /// The largest size, and what it counts.
    size: usize,
    unit: &'static str,
    work: [Box<dyn FnMut()>; 3],
}

/// Every machine, shape and size of chunk; then the ledger.
fn runs(bytes: usize) -> impl Iterator<Item = Run> {
    let machines = MACHINES.into_iter().flat_map(move |machine| {
        SHAPES.iter().flat_map(move |shape| CHUNKS.map(|chunk| machine_run(machine, shape, chunk, bytes)))
    });
    // Powers of four, so that tables that double are as full at both sizes.
    machines.chain(LEDGERS.iter().map(|(name, rows)| ledger_run(name, *rows, 1024)))
}

fn machine_run(machine: Machine, shape: &(&str, &str), chunk: usize, bytes: usize) -> Run {
    let (before, unit) = shape;
    let times = bytes / unit.len();
    let work = [0, times, 4 * times].map(|times| -> Box<dyn FnMut()> {
        let text = [before, unit.repeat(times).as_str()].concat().into_bytes();
        // Enough for any text, so that no limit makes the end of a long one cheaper.
        let mut memory = vec![0; 10 * bytes + 64];
        Box::new(move || feed(machine, chunk, &text, &mut memory))
    });
    let name = machine.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
    let chunks = if chunk == usize::MAX { "whole".into() } else { format!("{chunk}-byte chunks") };
    let name = format!("{name}, {chunks}, {shape:?}");
    Run { name, size: before.len() + 4 * times * unit.len(), unit: "a byte", work }
}

/// Ledgers of so many rows.
type Ledger = (&'static str, fn(usize) -> Vec<Value>);

const LEDGERS: &[Ledger] = &[
    ("standings of each kind", |count| (0..count).map(|row| standing(row, row, "v")).collect()),
    ("one result judged again and again", |count| (0..count).map(|row| standing(0, 4 * row, "v")).collect()),
    ("facts that all conflict", |count| (0..count).map(|row| standing(row, 4 * row, &row.to_string())).collect()),
    ("a line of spaces", |count| vec![standing(0, 1, &" ".repeat(100 * count))]),
    ("a line of line breaks", |count| vec![standing(0, 1, &"\n ".repeat(100 * count))]),
    ("one row that conflicts with itself", |count| {
        let mut row = standing(0, 0, "v");
        let assertion = row["assertions"][0].clone();
        let assertions = (0..count).map(|value| {
            let mut assertion = assertion.clone();
            assertion["value"] = json!(value);
            assertion
        });
        row["assertions"] = assertions.collect();
        vec![row]
    }),
];

fn standing(id: usize, kind: usize, words: &str) -> Value {
    let standing = ["fact", "open", "noise", "ruled-out"][kind % 4];
    json!({
        "kind": "standing", "toolCallId": format!("k{id:06}"), "standing": standing, "declaredOn": "answer", "iteration": 1,
        "settles": words, "line": words,
        "assertions": [{"subject": {"kind": "host", "id": "7"}, "predicate": "up", "value": words, "stratum": "asserted",
                        "provenance": "tool:x"}],
    })
}

/// Rows through the door, folded, rendered, and messages collapsed with them.
fn ledger_run(name: &str, rows: fn(usize) -> Vec<Value>, count: usize) -> Run {
    let work = [0, count, 4 * count].map(|count| -> Box<dyn FnMut()> {
        let mut rows = Some(Value::Array(rows(count)));
        let message = |id: usize| json!({"role": "tool", "toolCallId": format!("k{id:06}"), "content": "x"});
        let messages: Vec<Value> = (0..count).map(message).collect();
        Box::new(move || {
            let Ok(rows) = read_rows(rows.take().unwrap_or_default()) else { return };
            let served = served_tool_call_ids(&messages);
            black_box(findings_ledger_piece(&rows, &served, AnswerAsk::None, Wording::DEFAULT));
            black_box(collapse_judged(&messages, &rows, ServeMode::LedgerOnly));
        })
    });
    Run { name: format!("ledger, {name}"), size: 4 * count, unit: "a row", work }
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
    Ok(counts)
}

/// What is counted.
#[inline(never)]
fn measured(work: &mut Box<dyn FnMut()>) {
    work();
}

/// One text through one machine.
fn feed(machine: Machine, chunk: usize, text: &[u8], memory: &mut [u8]) {
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
