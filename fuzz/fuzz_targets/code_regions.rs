//! The laws of code regions on any text and any cuts, and agreement with a renderer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sidenote::laws::{code_regions_laws, document_like, renderer_agreement};

fuzz_target!(|input: ([u16; 3], &[u8])| {
    let (cuts, bytes) = input;
    for text in [bytes.to_vec(), document_like(bytes)] {
        code_regions_laws(&text, &cuts.map(usize::from))
            .and_then(|()| renderer_agreement(&String::from_utf8_lossy(&text)))
            .unwrap_or_else(|seen| panic!("{seen}"));
    }
});
