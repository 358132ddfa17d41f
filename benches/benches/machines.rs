//! Each machine on what it reads; the filter in the chunks that files and streams come in.
#![allow(missing_docs, reason = "the macros make undocumented functions")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sidenote_benches::{
    filter_into, json_answer, notes_answer, prose_answer, read_leaves, read_regions, read_values, values,
};
use sidenote_core::JsonPrefix;

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

fn readers(criterion: &mut Criterion) {
    let (prose, json, lines) = (prose_answer(SIZE), json_answer(SIZE), values(SIZE));
    let cut = &json[..json.len() - json.len() / 10];
    let mut bench = |name: &str, length: usize, read: &mut dyn FnMut()| {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(length as u64));
        group.bench_function("whole", |bencher| bencher.iter(&mut *read));
        group.finish();
    };
    bench("code_regions", prose.len(), &mut || _ = black_box(read_regions(black_box(&prose))));
    bench("leading", lines.len(), &mut || _ = black_box(read_values(black_box(&lines))));
    bench("prefix", cut.len(), &mut || _ = black_box(read_leaves(&mut JsonPrefix::new([0; 64]), black_box(cut))));
}

criterion_group!(benches, filter, readers);
criterion_main!(benches);
