//! The laws of JSON prefixes on any text and any cuts, and agreement with serde_json.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sidenote::laws::{json_like, prefix_laws};

fuzz_target!(|input: ([u16; 3], &[u8])| {
    let (cuts, bytes) = input;
    for text in [bytes.to_vec(), json_like(bytes)] {
        prefix_laws(&text, &cuts.map(usize::from)).unwrap_or_else(|seen| panic!("{seen}"));
    }
});
