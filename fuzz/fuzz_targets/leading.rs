//! The laws of leading values on any text and any cuts, and agreement with serde_json.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sidenote::laws::{json_like, leading_laws};

fuzz_target!(|input: ([u16; 3], &[u8])| {
    let (cuts, bytes) = input;
    for text in [bytes.to_vec(), json_like(bytes)] {
        leading_laws(&text, &cuts.map(usize::from)).unwrap_or_else(|seen| panic!("{seen}"));
    }
});
