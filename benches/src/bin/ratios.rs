//! Our speed beside that of what a user would pick instead: the same bytes, turn by turn, in the same run.
//!
//! One JSON line a row; a ratio above 1 says that ours is faster. Before a row is timed, its answer is checked.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Parser;
use jiter::{JsonValue, PartialMode};
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use sidenote::ledger::{AnswerAsk, Wording, findings_ledger_piece, read_rows};
use sidenote_benches::{
    filter_into, json_answer, notes_answer, prose_answer, read_leaves, read_regions, read_values, values,
};
use sidenote_core::{Ended, JsonPrefix};

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
    notes(&effort)?;
    code_regions(&effort)?;
    leading(&effort)?;
    prefix(&effort)?;
    piece(&effort)
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

fn code_regions(effort: &Effort) -> anyhow::Result<()> {
    let text = prose_answer(effort.bytes);
    let words = std::str::from_utf8(&text)?;
    let read = || read_regions(&text);
    let (regions, end) = read();
    let blocks = pulldown_cmark::Parser::new(words)
        .filter(|event| matches!(event, pulldown_cmark::Event::Start(pulldown_cmark::Tag::CodeBlock(_))))
        .count();
    ensure!(end.stopped_at.is_none() && regions == blocks && regions > 0, "{regions} regions, {blocks} blocks");
    let events = || _ = black_box(pulldown_cmark::Parser::new(words).count());
    row(effort, "code-regions/prose", text.len(), || _ = black_box(read()), "pulldown-cmark events", events);
    let parse = || {
        let arena = comrak::Arena::new();
        black_box(comrak::parse_document(&arena, words, &comrak::Options::default()));
    };
    row(effort, "code-regions/prose", text.len(), || _ = black_box(read()), "comrak parse", parse);
    Ok(())
}

fn leading(effort: &Effort) -> anyhow::Result<()> {
    let text = values(effort.bytes);
    let ours = || read_values(&text);
    let theirs = || serde_json::Deserializer::from_slice(&text).into_iter::<IgnoredAny>().map_while(Result::ok).count();
    ensure!(ours()? == theirs(), "not the same values");
    let peer = "serde_json StreamDeserializer IgnoredAny";
    row(effort, "leading/values", text.len(), || _ = black_box(ours()), peer, || _ = black_box(theirs()));
    Ok(())
}

fn prefix(effort: &Effort) -> anyhow::Result<()> {
    let whole = json_answer(effort.bytes);
    let text = whole.get(..whole.len() - whole.len() / 10).context("it is not empty")?;
    let mut reader = JsonPrefix::new([0; 64]);
    let leaves = read_leaves(&mut reader, text)?;
    ensure!(leaves > 100 && reader.end().ended == Ended::Cut, "{leaves} leaves");
    let partial = |text: &[u8]| JsonValue::parse_with_config(text, false, PartialMode::On).is_ok();
    ensure!(partial(text), "the peer refuses it");
    row(
        effort,
        "prefix/leaves",
        text.len(),
        || _ = black_box(read_leaves(&mut JsonPrefix::new([0; 64]), text)),
        "jiter partial mode",
        || _ = black_box(partial(text)),
    );
    let growing = whole.get(..16 << 10).context("it is long enough")?;
    row(
        effort,
        "prefix/leaves-pushed",
        growing.len(),
        || {
            let mut reader = JsonPrefix::new([0; 64]);
            growing.chunks(16).for_each(|chunk| _ = black_box(read_leaves(&mut reader, chunk)));
        },
        "jiter partial mode, again after each 16 bytes",
        || (16..=growing.len()).step_by(16).for_each(|end| _ = black_box(partial(&growing[..end]))),
    );
    Ok(())
}

fn piece(effort: &Effort) -> anyhow::Result<()> {
    let rows: Vec<Value> = (0..10_000)
        .map(|index| {
            let standing = ["fact", "open", "noise", "ruled-out"][index % 4];
            json!({
                "kind": "standing", "toolCallId": format!("call_{index}"), "toolName": "metrics", "standing": standing,
                "settles": "switch price_batching on and watch p99", "line": "it was the cache", "declaredOn": "answer",
                "assertions": [{"subject": {"kind": "host", "id": index.to_string()}, "predicate": "p99_ms", "value": index,
                                "stratum": "asserted", "provenance": "tool:x"}],
                "iteration": index,
            })
        })
        .collect();
    let text = serde_json::to_vec(&rows)?;
    let rows = read_rows(Value::Array(rows))?;
    let ours = || findings_ledger_piece(&rows, &[], AnswerAsk::None, Wording::DEFAULT);
    let piece = ours().context("there are standings")?;
    ensure!(piece.raw_content.contains("noise (declared by the model): 2500 results"), "{}", piece.raw_content);
    row(
        effort,
        "piece/10k-rows",
        text.len(),
        || _ = black_box(ours()),
        "serde_json reading the rows",
        || _ = black_box(serde_json::from_slice::<Value>(&text)),
    );
    Ok(())
}
