//! The filter's laws on any text, any cuts and any memory.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sidenote::laws::{answer_like, filter_laws, filter_limit_laws};

fuzz_target!(|input: (u8, [u16; 3], &[u8])| {
    let (memory, cuts, bytes) = input;
    let cuts = cuts.map(usize::from);
    for text in [bytes.to_vec(), answer_like(bytes)] {
        filter_laws(&text, &["_findings"], &cuts).unwrap_or_else(|seen| panic!("{seen}"));
        filter_limit_laws(&text, &["a"], &cuts, usize::from(memory)).unwrap_or_else(|seen| panic!("{seen}"));
    }
});
