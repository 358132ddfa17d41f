//! The laws, on random texts and on the texts of all cases.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;
use sidenote::laws::{
    answer_like, code_regions_laws, document_like, filter_agrees_with_twin, filter_laws, filter_limit_laws, json_like,
    leading_laws, ledger_laws, ledger_like, message_like, prefix_laws, renderer_agreement, sources_laws, sources_like,
};
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 100_000, ..ProptestConfig::default() })]

    #[test]
    fn code_regions_keep_their_laws_and_agree_with_the_renderer(
        choices in vec(any::<u8>(), 0..20),
        cuts in vec(any::<usize>(), 0..4),
    ) {
        let text = document_like(&choices);
        code_regions_laws(&text, &cuts).map_err(TestCaseError::fail)?;
        renderer_agreement(&String::from_utf8_lossy(&text)).map_err(TestCaseError::fail)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn leading_values_and_prefixes_keep_their_laws(choices in vec(any::<u8>(), 0..16), cuts in vec(any::<usize>(), 0..4)) {
        let text = json_like(&choices);
        leading_laws(&text, &cuts).map_err(TestCaseError::fail)?;
        prefix_laws(&text, &cuts).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn whole_json_and_every_prefix_of_it_keep_the_laws(value in json(), cut in any::<usize>(), cuts in vec(any::<usize>(), 0..4)) {
        let text = value.to_string().into_bytes();
        leading_laws(&text, &cuts).map_err(TestCaseError::fail)?;
        prefix_laws(&text[..cut % (text.len() + 1)], &cuts).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn json_with_a_byte_changed_keeps_the_laws(value in json(), at in any::<usize>(), byte in any::<u8>(), cuts in vec(any::<usize>(), 0..4)) {
        let mut text = value.to_string().into_bytes();
        let at = at % text.len();
        text[at] = byte;
        leading_laws(&text, &cuts).map_err(TestCaseError::fail)?;
        prefix_laws(&text[..=at], &cuts).map_err(TestCaseError::fail)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5_000, ..ProptestConfig::default() })]

    #[test]
    fn ledgers_and_sources_keep_their_laws(rows in vec(any::<u8>(), 0..120), messages in vec(any::<u8>(), 0..40)) {
        ledger_laws(&ledger_like(&rows), &message_like(&messages)).map_err(TestCaseError::fail)?;
        let (from, arguments) = sources_like(&rows);
        sources_laws(&from, &arguments).map_err(TestCaseError::fail)?;
    }
}

/// Every text of up to so many tokens is compared with the naive twin, whole and byte by byte. `SIDENOTE_TOKENS=6` takes minutes.
#[test]
fn every_short_text_of_the_filter_is_what_the_twin_says() {
    const TOKENS: [&str; 14] =
        ["{", "}", "[", "]", "\"", ",", ":", " ", "\n", "```", "\"_findings\":", "{\"_findings\":1}", "w", "\\"];
    let longest = std::env::var("SIDENOTE_TOKENS").map_or(4, |tokens| tokens.parse().expect("a number"));
    for length in 1..=longest {
        for index in 0..TOKENS.len().pow(length) {
            let token = |place: u32| TOKENS[index / TOKENS.len().pow(place) % TOKENS.len()];
            let text: String = (0..length).map(token).collect();
            filter_agrees_with_twin(text.as_bytes(), KEYS).unwrap_or_else(|seen| panic!("{text:?}: {seen}"));
        }
    }
}

/// An object or array.
fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((any::<String>(), inner), 0..4).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    });
    vec(value, 0..4).prop_map(Value::from)
}

#[test]
fn every_case_keeps_the_laws() {
    for case in Suite::built_in().expect("the suite hangs together").cases {
        let text = &case.question.bytes().bytes;
        let cuts = [text.len() / 3, text.len() / 2];
        let kept = match &case.question {
            Question::Filter(question) => {
                let keys: Vec<&str> = question.keys.iter().map(String::as_str).collect();
                filter_laws(text, &keys, &cuts).and_then(|()| filter_limit_laws(text, &keys, &cuts, 0))
            }
            Question::CodeRegions(_) => {
                code_regions_laws(text, &cuts).and_then(|()| renderer_agreement(&String::from_utf8_lossy(text)))
            }
            Question::Leading(_) => leading_laws(text, &cuts),
            Question::Prefix(_) => prefix_laws(text, &cuts),
            Question::Ledger(_) => Ok(()),
        };
        kept.unwrap_or_else(|seen| panic!("{}: {seen}", case.name));
    }
}
