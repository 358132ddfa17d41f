//! The laws of the ledger on any rows and messages, and answers peeled for them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sidenote::laws::{answer_like, ledger_laws, ledger_like, message_like};

fuzz_target!(|input: (&[u8], &[u8])| {
    let (rows, messages) = input;
    ledger_laws(&ledger_like(rows), &message_like(messages)).unwrap_or_else(|seen| panic!("{seen}"));
    let _ = sidenote::peel(&answer_like(rows));
});
