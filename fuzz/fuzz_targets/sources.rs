//! The laws of declared sources on any entries and arguments.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sidenote::laws::{sources_laws, sources_like};

fuzz_target!(|choices: &[u8]| {
    let (from, arguments) = sources_like(choices);
    sources_laws(&from, &arguments).unwrap_or_else(|seen| panic!("{seen}"));
});
