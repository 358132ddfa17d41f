//! The laws, on random texts and on the texts of all cases.

use proptest::collection::vec;
use proptest::prelude::*;
use sidenote::laws::{answer_like, filter_laws, filter_limit_laws};
use sidenote::protocol::Question;
use sidenote::spec::Suite;

const KEYS: &[&str] = &["_findings"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn the_filter_keeps_its_laws(choices in vec(any::<u8>(), 0..24), cuts in vec(any::<usize>(), 0..4)) {
        filter_laws(&answer_like(&choices), KEYS, &cuts).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn the_filter_keeps_its_laws_with_several_keys(choices in vec(any::<u8>(), 0..16), cuts in vec(any::<usize>(), 0..4)) {
        filter_laws(&answer_like(&choices), &["a", "_findings", "_find", ""], &cuts).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn the_filter_keeps_its_laws_on_any_bytes(text in vec(any::<u8>(), 0..64), cuts in vec(any::<usize>(), 0..4)) {
        filter_laws(&text, KEYS, &cuts).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn a_small_memory_keeps_its_laws(
        choices in vec(any::<u8>(), 0..40),
        cuts in vec(any::<usize>(), 0..4),
        memory in 0..100usize,
    ) {
        filter_limit_laws(&answer_like(&choices), KEYS, &cuts, memory).map_err(TestCaseError::fail)?;
        filter_limit_laws(&answer_like(&choices), &["a"], &cuts, memory).map_err(TestCaseError::fail)?;
    }
}

#[test]
fn every_case_keeps_the_laws() {
    for case in Suite::built_in().expect("the suite hangs together").cases {
        let Question::Filter(question) = &case.question else { continue };
        let keys: Vec<&str> = question.keys.iter().map(String::as_str).collect();
        let text = &question.text.bytes;
        filter_laws(text, &keys, &[text.len() / 3, text.len() / 2])
            .and_then(|()| filter_limit_laws(text, &keys, &[text.len() / 2], 0))
            .unwrap_or_else(|seen| panic!("{}: {seen}", case.name));
    }
}
