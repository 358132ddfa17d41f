//! Our speed beside that of what a user would pick instead: the same bytes, turn by turn, in the same run.
//!
//! One JSON line a row; a ratio above 1 says that ours is faster. Before a row is timed, its answer is checked.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Parser;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use sidenote_benches::{filter_into, json_answer, notes_answer, prose_answer};

/// Prints our speed and that of each peer, one JSON line a row.
#[derive(Parser)]
struct Arguments {
    /// Take fewer and smaller turns; ends within 40 seconds
    #[arg(long)]
    quick: bool,
}

/// How much is done.
struct Effort {
    bytes: usize,
    turns: usize,
}

fn main() -> anyhow::Result<()> {
    let effort = if Arguments::parse().quick {
        Effort { bytes: 1 << 20, turns: 15 }
    } else {
        Effort { bytes: 8 << 20, turns: 31 }
    };
    prose(&effort)?;
    json_rows(&effort)?;
    notes(&effort)
}

/// Times both, turn by turn, and prints the medians.
fn row(effort: &Effort, name: &str, bytes: usize, mut ours: impl FnMut(), peer: &str, mut theirs: impl FnMut()) {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..effort.turns {
        for (times, work) in times.iter_mut().zip([&mut ours as &mut dyn FnMut(), &mut theirs]) {
            let begin = Instant::now();
            work();
            times.push(begin.elapsed());
        }
    }
    let [ours, theirs] = times.map(|mut times| {
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or(Duration::MAX).as_secs_f64()
    });
    #[expect(clippy::cast_precision_loss, reason = "texts are small")]
    let megabytes = bytes as f64 / 1e6;
    let round = |number: f64| (number * 100.0).round() / 100.0;
    let line = json!({
        "row": name,
        "ours_mb_s": (megabytes / ours).round(),
        "peer": peer,
        "peer_mb_s": (megabytes / theirs).round(),
        "ratio": round(theirs / ours),
    });
    println!("{line}");
}

fn prose(effort: &Effort) -> anyhow::Result<()> {
    let text = prose_answer(effort.bytes);
    let mut shown = Vec::with_capacity(text.len());
    let mut copied = Vec::with_capacity(text.len());
    for chunk in [4, 64 << 10] {
        let removed = filter_into(&text, chunk, &mut shown)?;
        ensure!(removed == 0 && shown == text, "an answer without notes is not what came out");
    }
    row(
        effort,
        "filter/prose",
        text.len(),
        || _ = black_box(filter_into(&text, 64 << 10, &mut shown)),
        "memchr3_iter, counting",
        || _ = black_box(memchr::memchr3_iter(b'{', b'[', b'`', &text).count()),
    );
    row(
        effort,
        "filter/prose-tokens",
        text.len(),
        || _ = black_box(filter_into(&text, 4, &mut shown)),
        "Vec, the same chunks",
        || {
            copied.clear();
            text.chunks(4).for_each(|chunk| copied.extend_from_slice(black_box(chunk)));
        },
    );
    Ok(())
}

fn json_rows(effort: &Effort) -> anyhow::Result<()> {
    let text = json_answer(effort.bytes);
    let mut shown = Vec::with_capacity(text.len());
    let mut shown_16 = Vec::with_capacity(text.len());
    let removed = filter_into(&text, 64 << 10, &mut shown)?;
    let parsed_removed_written = |text: &[u8]| -> anyhow::Result<Vec<u8>> {
        let mut value: Value = serde_json::from_slice(text)?;
        value.as_object_mut().context("the answer is an object")?.remove("_findings");
        Ok(serde_json::to_vec(&value)?)
    };
    let reread: Value = serde_json::from_slice(&shown)?;
    ensure!(
        removed == 1 && serde_json::to_vec(&reread)? == parsed_removed_written(&text)?,
        "the answer came out wrong"
    );
    let mut ours = || _ = black_box(filter_into(&text, 64 << 10, &mut shown));
    row(effort, "filter/json", text.len(), &mut ours, "serde_json IgnoredAny", || {
        _ = black_box(serde_json::from_slice::<IgnoredAny>(&text));
    });
    row(effort, "filter/json", text.len(), &mut ours, "serde_json parse, remove, write", || {
        _ = black_box(parsed_removed_written(&text));
    });
    row(
        effort,
        "filter/json-16",
        text.len(),
        || _ = black_box(filter_into(&text, 16, &mut shown_16)),
        "filter/json, whole",
        ours,
    );
    Ok(())
}

fn notes(effort: &Effort) -> anyhow::Result<()> {
    let text = notes_answer(effort.bytes);
    let mut shown = Vec::with_capacity(text.len());
    let removed = filter_into(&text, 64 << 10, &mut shown)?;
    let left = memchr::memmem::find_iter(&shown, b"_findings").count();
    ensure!(left == 0 && removed == memchr::memmem::find_iter(&text, b"_findings").count(), "notes stayed");
    // The peer reads no prose: it gets a JSON text of the same length.
    let json = json_answer(text.len());
    row(
        effort,
        "filter/notes",
        text.len(),
        || _ = black_box(filter_into(&text, 64 << 10, &mut shown)),
        "jiter skip",
        || {
            let mut jiter = jiter::Jiter::new(&json);
            _ = black_box(jiter.next_skip());
        },
    );
    Ok(())
}
