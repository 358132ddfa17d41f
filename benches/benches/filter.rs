//! The filter on each kind of answer, in the chunks that files and streams come in.
#![allow(missing_docs, reason = "the macros make undocumented functions")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sidenote_benches::{filter_into, json_answer, notes_answer, prose_answer};

const SIZE: usize = 1 << 20;

fn filter(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("filter");
    group.throughput(Throughput::Bytes(SIZE as u64));
    for (name, text) in [("prose", prose_answer(SIZE)), ("json", json_answer(SIZE)), ("notes", notes_answer(SIZE))] {
        let mut shown = Vec::with_capacity(text.len());
        for chunk in [4, 16, 64 << 10] {
            group.bench_function(format!("{name}-{chunk}"), |bencher| {
                bencher.iter(|| filter_into(black_box(&text), chunk, &mut shown));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, filter);
criterion_main!(benches);
