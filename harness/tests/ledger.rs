//! The ledger's promises: the story that README tells, bounds, hostile words, any JSON, files that lose nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use sidenote::declaration::read_declaration;
use sidenote::ledger::{
    AnswerAsk, FINDINGS_PIECE_LIMITS, Fold, ServeMode, Wording, collapse_judged, findings_ledger_piece,
    is_collapsed_tool_result, offered_result_ids, read_rows, served_tool_call_ids, undeclared_ids,
};
use sidenote::sources::read_sources;

fn story(file: &str) -> String {
    format!("{}/examples/story/{file}", env!("CARGO_MANIFEST_DIR"))
}

fn command(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sidenote")).args(arguments).stdin(Stdio::null()).output().expect("it runs")
}

/// The standard output of a command that does not fail.
fn run(arguments: &[&str]) -> String {
    let output = command(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn path(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn three_turns_of_an_agent() {
    let folder = tempfile::tempdir().expect("a folder");
    let ledger = folder.path().join("ledger.jsonl");
    let (rows, messages) = (path(&ledger), story("messages.json"));
    let add = |turn: &str, call: Option<&str>, file: &str| {
        let mut arguments = vec!["ledger", "add", "--rows", rows, "--iteration", turn, "--messages", &messages];
        arguments.extend(call.into_iter().flat_map(|call| ["--call", call]));
        let file = story(file);
        arguments.push(&file);
        run(&arguments)
    };
    let added =
        [add("1", Some("call_1"), "call_1.json"), add("2", Some("call_2"), "call_2.json"), add("3", None, "answer.md")];
    // What the ledger holds is what was printed, in order.
    assert_eq!(fs::read_to_string(&ledger).expect("it is there"), added.concat());
    let held =
        read_rows(added.concat().lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")).collect());
    assert_eq!(held.expect("rows").len(), 5);
    let written: Vec<sidenote::ledger::Row> =
        added.concat().lines().map(|line| serde_json::from_str(line).expect("a row")).collect();
    let again: Vec<String> = written.iter().map(|row| serde_json::to_string(row).expect("JSON") + "\n").collect();
    assert_eq!(again.concat(), added.concat());
    // What the person sees.
    assert_eq!(
        run(&["filter", &story("answer.md")]),
        "The p99 of `/checkout` went from 410 ms to **2.9 s** at 09:12, two minutes after a deploy switched \
         `price_batching` off.\n\nI have not changed anything. Shall I switch it back on?\n"
    );
    // What the next request carries.
    let piece = run(&["piece", "--rows", rows, "--messages", &messages, "--ask"]);
    let expected = "

facts (declared by the model):
endpoint//checkout · p99_ms = 2900 ← tool:call_1

evidenceRefs (declared by the model):
open (deploys, tool:call_2) · settles: switch price_batching on and watch p99 — tested: a deploy came just before

nextSteps (declared by the model):
switch price_batching on and watch p99 (to settle tool:call_2)

noise (declared by the model): 1 result (tool:call_3)

";
    assert_eq!(piece, format!("{}{expected}{}\n", Wording::DEFAULT.header, Wording::DEFAULT.ask));
    let collapsed: Value = serde_json::from_str(&run(&["collapse", "--rows", rows, &messages])).expect("a JSON array");
    let mut original: Value =
        serde_json::from_str(&fs::read_to_string(&messages).expect("the messages")).expect("a JSON array");
    original[5]["content"] = json!("{\"collapsed\":true,\"standing\":\"noise\",\"toolCallId\":\"call_3\"}");
    assert_eq!(collapsed, original);
}

#[test]
fn our_words_are_short_and_the_same_every_time() {
    let Wording { header, ask } = Wording::DEFAULT;
    assert!(header.len() < 1024 && ask.len() < 1024);
    assert!(!header.contains("\n\n") && !ask.contains("\n\n"));
}

fn standing(id: &str, word: &str, more: Value) -> Value {
    let mut row = json!({
        "kind": "standing", "toolCallId": id, "standing": word, "assertions": [], "declaredOn": "answer", "iteration": 1
    });
    let Value::Object(more) = more else { panic!("an object") };
    row.as_object_mut().expect("an object").extend(more);
    row
}

#[test]
fn a_ledger_at_every_cap_at_once_stays_below_its_ceiling() {
    // Wide characters make the most bytes of a char, long words the longest lines.
    let long = "𝄞".repeat(400);
    let assertion = |id: usize, value: usize| {
        json!({"subject": {"kind": long, "id": id.to_string()}, "predicate": long, "value": format!("{value}{long}"),
               "stratum": "asserted", "provenance": "tool:x"})
    };
    let mut rows = Vec::new();
    for index in 0..200 {
        let id = format!("{index}{long}");
        let words = json!({"toolName": long, "ref": long, "settles": long, "line": long,
                           "assertions": [assertion(index / 2, index)]});
        for word in ["fact", "open", "noise", "ruled-out"] {
            rows.push(standing(&format!("{word}{id}"), word, words.clone()));
        }
        rows.push(json!({"kind": "contingent", "declaredOn": "answer", "value": long, "iteration": 1,
                         "carriers": [{"toolCallId": long, "standing": "open"}]}));
        rows.push(json!({"kind": "unsettled-by-absence", "toolCallId": format!("ruled-out{id}"), "iteration": 1,
                         "notChecked": [{"what": long, "why": long}]}));
    }
    let rows = read_rows(Value::Array(rows)).expect("good rows");
    let served: Vec<String> = (0..200).map(|index| format!("{index}{long}served")).collect();
    let served: Vec<&str> = served.iter().map(String::as_str).collect();
    let piece = findings_ledger_piece(&rows, &served, AnswerAsk::QuoteFacts, Wording::DEFAULT).expect("a piece");
    let chars = piece.raw_content.encode_utf16().count();
    // Six sections at their cap, with a line of each clipped.
    assert!(chars > 6 * 64 * 240 && chars < FINDINGS_PIECE_LIMITS.piece_chars, "{chars}");
    assert_eq!(piece.raw_content.matches(" more (cap 64)").count(), 6);
}

/// Strings that a model could choose to break out of its line.
fn hostile() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("\n\nfacts (declared by the model):\n".to_owned()),
        "[\\n\\r\u{b}\u{c}\u{85}\u{2028}\u{2029} \u{a0}\t]{1,3}",
        "[a-z,()←·]{0,4}",
        Just("undeclared: 9 results, served in full below (".to_owned()),
    ];
    vec(part, 0..4).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn no_word_of_the_models_opens_a_line_or_a_section(
        words in vec(hostile(), 12),
        standings in vec(prop_oneof![Just("fact"), Just("open"), Just("noise"), Just("ruled-out")], 1..5),
    ) {
        let word = |index: usize| words[index].as_str();
        let rows: Vec<Value> = standings
            .iter()
            .enumerate()
            .flat_map(|(index, standing_word)| {
                let id = format!("{}{index}", word(0));
                let value = json!({word(1): [word(2), word(3)]});
                [
                    standing(&id, standing_word, json!({
                        "toolName": word(4), "ref": word(5), "settles": word(6), "line": word(7),
                        "assertions": [{"subject": {"kind": word(8), "id": word(9)}, "predicate": word(10), "value": value,
                                        "stratum": "asserted", "provenance": word(11)}],
                    })),
                    json!({"kind": "basis", "toolCallId": id, "toolName": word(4), "iteration": 1, "basis": "direct",
                           "proposition": word(3)}),
                    json!({"kind": "contingent", "declaredOn": {"toolCallId": word(1)}, "value": word(2), "iteration": 1,
                           "carriers": [{"toolCallId": word(6), "standing": "open"}]}),
                    json!({"kind": "unsettled-by-absence", "toolCallId": id, "iteration": 1, "tryInstead": word(8),
                           "notChecked": [{"what": word(9), "why": word(10)}]}),
                ]
            })
            .collect();
        let rows = read_rows(Value::Array(rows)).expect("good rows");
        let count = |standing_word: &str| standings.iter().filter(|word| **word == standing_word).count();
        let (facts, open, noise, ruled_out) = (count("fact"), count("open"), count("noise"), count("ruled-out"));
        let served = [word(0), word(5)];
        let piece = findings_ledger_piece(&rows, &served, AnswerAsk::None, Wording { header: "H", ask: "A" });
        let piece = piece.expect("there are standings").raw_content;
        let undeclared = if word(0) == word(5) { 1 } else { 2 };
        // Sections: heading and lines of those that are there.
        let mut lines = vec![facts, ruled_out, open, open, standings.len(), 3 * ruled_out];
        lines.retain(|lines| *lines > 0);
        let sections = lines.len() + usize::from(noise > 0) + usize::from(undeclared > 0);
        let expected = 1 + lines.iter().map(|lines| lines + 2).sum::<usize>() + 2 * (sections - lines.len());
        let breaks = ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];
        prop_assert_eq!(piece.split(breaks).count(), expected, "{}", piece);
        prop_assert_eq!(piece.matches("\n\n").count(), sections, "{}", piece);
    }

    #[test]
    fn any_json_is_read_or_refused_and_never_more(values in vec(wild(), 0..6), other in wild()) {
        let list = Value::Array(values.clone());
        let _ = read_declaration(&other, values.first().and_then(Value::as_object));
        let _ = read_sources(Some(&other), &Map::new());
        let _ = is_collapsed_tool_result(&other);
        let served = served_tool_call_ids(&values);
        if let Ok(rows) = read_rows(list.clone()) {
            let fold = Fold::new(&rows);
            let _ = undeclared_ids(&served, &fold);
            let _ = offered_result_ids(&served, &fold);
            let _ = findings_ledger_piece(&rows, &served, AnswerAsk::QuoteFacts, Wording::DEFAULT);
            let once = collapse_judged(&values, &rows, ServeMode::LedgerOnly);
            let messages: Vec<Value> = once.messages.into_iter().map(std::borrow::Cow::into_owned).collect();
            prop_assert!(collapse_judged(&messages, &rows, ServeMode::LedgerOnly).same);
            // What was written is read as the same rows.
            let written: Value = rows.iter().map(sidenote::ledger::Row::to_value).collect();
            prop_assert_eq!(read_rows(written), Ok(rows));
        }
        let _ = sidenote::peel(format!("{{\"_findings\":{other}}}").as_bytes());
    }
}

/// JSON with the names that rows and declarations are made of, in any place.
fn wild() -> impl Strategy<Value = Value> {
    const NAMES: &[&str] = &[
        "kind", "toolCallId", "tool_call_id", "standing", "assertions", "declaredOn", "iteration", "subject", "id",
        "predicate", "value", "stratum", "provenance", "epoch", "role", "content", "notDispatched", "previous",
        "basis", "toolName", "carriers", "notChecked", "what", "malformed", "argument", "source", "collapsed",
        "$serde_json::private::Number", "",
    ];
    const WORDS: &[&str] = &[
        "standing", "basis", "contingent", "unsettled-by-absence", "judgment", "fact", "open", "noise", "ruled-out",
        "answer", "direct", "asserted", "quoted", "tool", "user", "k1", "k2", "\n", "",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-2..3i64).prop_map(Value::from),
        proptest::sample::select(WORDS).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 8, |inner| {
        let members = vec((proptest::sample::select(NAMES), inner.clone()), 0..8);
        prop_oneof![
            vec(inner, 0..3).prop_map(Value::from),
            members.clone().prop_map(|members| object(members, &Value::Null)),
            // Rows that come far through the door.
            members.prop_map(|members| object(members, &standing("k1", "fact", json!({})))),
        ]
    })
}

fn object(members: Vec<(&str, Value)>, from: &Value) -> Value {
    let mut object = from.as_object().cloned().unwrap_or_default();
    object.extend(members.into_iter().map(|(name, value)| (name.to_owned(), value)));
    Value::Object(object)
}

fn in_folder(name: &str, content: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(name);
    fs::write(&file, content).expect("it is written");
    (folder, file)
}

#[test]
fn two_at_once_lose_no_row() {
    let (_folder, ledger) = in_folder("ledger.jsonl", "");
    let (_answers, answer) =
        in_folder("answer.md", "{\"_findings\":{\"previous\":[{\"toolCallId\":\"k\",\"standing\":\"noise\"}]}}");
    thread::scope(|scope| {
        for turn in 0..8 {
            let (ledger, answer) = (&ledger, &answer);
            scope.spawn(move || {
                for step in 0..5 {
                    let iteration = (turn * 5 + step).to_string();
                    run(&["ledger", "add", "--rows", path(ledger), "--iteration", &iteration, path(answer)]);
                }
            });
        }
    });
    let text = fs::read_to_string(&ledger).expect("it is there");
    let mut turns: Vec<u64> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["iteration"].as_u64().expect("a number"))
        .collect();
    turns.sort_unstable();
    assert_eq!(turns, (0..40).collect::<Vec<u64>>());
}

#[test]
fn an_array_stays_an_array_and_keeps_its_bytes() {
    let old = "[\n  {\"kind\": \"weather\",  \"n\": 1.50}\n]\n\n";
    let (_folder, ledger) = in_folder("ledger.json", old);
    let answer = story("answer.md");
    run(&["ledger", "add", "--rows", path(&ledger), "--iteration", "3", &answer]);
    let text = fs::read_to_string(&ledger).expect("it is there");
    assert!(
        text.starts_with("[\n  {\"kind\": \"weather\",  \"n\": 1.50},\n{\"kind\":\"standing\"")
            && text.ends_with("}\n]\n\n")
    );
    assert_eq!(serde_json::from_str::<Vec<Value>>(&text).expect("an array").len(), 3);
    let (_folder, empty) = in_folder("empty.json", "[]");
    run(&["ledger", "add", "--rows", path(&empty), "--iteration", "3", &answer]);
    let rows: Vec<Value> = serde_json::from_str(&fs::read_to_string(&empty).expect("there")).expect("an array");
    assert_eq!(rows.len(), 2);
}

#[test]
fn errors_name_file_row_and_field_and_leave_the_ledger_as_it_was() {
    let bad = concat!("{\"kind\":\"weather\"}\n", "{\"kind\":\"standing\",\"toolCallId\":7}\n");
    let (_folder, ledger) = in_folder("ledger.jsonl", bad);
    let answer = story("answer.md");
    for arguments in [
        vec!["ledger", "add", "--rows", path(&ledger), "--iteration", "1", &answer],
        vec!["piece", "--rows", path(&ledger)],
        vec!["collapse", "--rows", path(&ledger), &answer],
    ] {
        let output = command(&arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{error}");
        for part in ["ledger.jsonl", "row 1", "\"standing\"", "toolCallId"] {
            assert!(error.contains(part), "{part}: {error}");
        }
    }
    assert_eq!(fs::read_to_string(&ledger).expect("it is there"), bad);
    let (_folder, broken) = in_folder("broken.jsonl", "{\"kind\":\"weather\"}\n{\n");
    let output = command(&["piece", "--rows", path(&broken)]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("broken.jsonl, line 2"), "{output:?}");
    let unnamed = command(&[
        "ledger",
        "add",
        "--rows",
        path(&broken),
        "--iteration",
        "1",
        "--call",
        "call_1",
        &story("call_1.json"),
    ]);
    assert!(String::from_utf8_lossy(&unnamed.stderr).contains("which tool the call call_1 is of"), "{unnamed:?}");
}

#[test]
fn nothing_to_say_prints_nothing_and_is_fine() {
    let (_folder, ledger) = in_folder("ledger.jsonl", "{\"kind\":\"weather\"}\n");
    assert_eq!(run(&["piece", "--rows", path(&ledger), "--messages", &story("messages.json")]), "");
    let messages = story("messages.json");
    let same = run(&["collapse", "--rows", path(&ledger), &messages]);
    assert_eq!(same, fs::read_to_string(&messages).expect("the messages"));
    let (_folder, plain) = in_folder("plain.md", "no notes");
    run(&["ledger", "add", "--rows", path(&ledger), "--iteration", "1", path(&plain)]);
    assert_eq!(fs::read_to_string(&ledger).expect("it is there"), "{\"kind\":\"weather\"}\n");
}

#[test]
fn a_hundred_thousand_rows_and_messages_fold_collapse_and_render() {
    let rows: Vec<Value> = (0..100_000)
        .map(|index| {
            let assertion = json!({"subject": {"kind": "host", "id": (index % 1000).to_string()}, "predicate": "up",
                                   "value": index, "stratum": "asserted", "provenance": "tool:x"});
            standing(&format!("k{index}"), ["fact", "noise", "open"][index % 3], json!({"assertions": [assertion]}))
        })
        .collect();
    let messages: Vec<Value> =
        (0..100_000).map(|index| json!({"role": "tool", "toolCallId": format!("k{index}"), "content": "x"})).collect();
    let rows = read_rows(Value::Array(rows)).expect("good rows");
    let served = served_tool_call_ids(&messages);
    let piece = findings_ledger_piece(&rows, &served, AnswerAsk::None, Wording::DEFAULT).expect("a piece");
    assert!(piece.raw_content.contains("noise (declared by the model): 33333 results (tool:k1, "));
    let collapsed = collapse_judged(&messages, &rows, ServeMode::LedgerAndFacts);
    assert_eq!(
        collapsed.messages.iter().filter(|message| matches!(message, std::borrow::Cow::Owned(_))).count(),
        33_333
    );
    // A line of a million spaces, with a break in it and without.
    for (spaces, shown) in [(" ".repeat(1_000_000) + "\n", "a b"), (" ".repeat(1_000_000), "…[clipped 999")] {
        let row = standing("k", "open", json!({"settles": format!("a{spaces}b")}));
        let rows = read_rows(json!([row])).expect("a good row");
        let piece = findings_ledger_piece(&rows, &[], AnswerAsk::None, Wording::DEFAULT).expect("a piece");
        assert!(piece.raw_content.contains(shown), "{}", piece.raw_content);
    }
}

#[test]
fn a_lock_file_a_link_and_a_device_stay_what_they_are() {
    let (folder, lock) = in_folder("ledger.lock", "precious");
    let ledger = folder.path().join("ledger");
    let answer = story("answer.md");
    let add = |rows: &Path| command(&["ledger", "add", "--rows", path(rows), "--iteration", "1", &answer]);
    assert!(add(&ledger).status.success());
    assert_eq!(fs::read_to_string(&lock).expect("it is there"), "precious");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&ledger, &link).expect("a link");
    assert!(add(&link).status.success());
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
    assert_eq!(fs::read_to_string(&ledger).expect("it is there").lines().count(), 4);
    let dangling = folder.path().join("dangling");
    std::os::unix::fs::symlink(folder.path().join("nothing"), &dangling).expect("a link");
    for (wrong, why) in
        [(dangling.as_path(), "a link to"), (Path::new("/dev/null"), "not a file"), (folder.path(), "not a file")]
    {
        let output = add(wrong);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1) && error.contains(why), "{error}");
    }
    assert!(!folder.path().join("nothing").exists());
    assert_eq!(command(&["ledger", "add", "--rows", "-", "--iteration", "1", &answer]).status.code(), Some(1));
}

#[test]
fn a_ledger_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, ledger) = in_folder("ledger.jsonl", "");
    fs::set_permissions(&ledger, fs::Permissions::from_mode(0o666)).expect("ours");
    run(&["ledger", "add", "--rows", path(&ledger), "--iteration", "1", &story("answer.md")]);
    assert_eq!(fs::metadata(&ledger).expect("it is there").permissions().mode() & 0o777, 0o666);
}

#[test]
fn what_does_not_collapse_keeps_every_byte() {
    let row = standing("k1", "noise", json!({}));
    let (_folder, ledger) = in_folder("ledger.jsonl", &format!("{row}\n"));
    let tool = r#"{"role":"tool",  "n": 1.50e3, "content" : "\u00e9\ud83d", "toolCallId":"k1","x":1,"x":2}"#;
    let other = r#"{"role":"user","content":"half \ud83d emoji \/","n":1E5,"x":1,"x":2}"#;
    let changed = r#"{"role":"tool",  "n": 1.50e3, "content" : "{\"collapsed\":true,\"standing\":\"noise\",\"toolCallId\":\"k1\"}", "toolCallId":"k1","x":1,"x":2}"#;
    for (before, between, after) in [("[\n ", " ,\n", "]\n\n"), ("", "\n\n", "\r\n")] {
        let text = |tool: &str| format!("{before}{other}{between}{tool}{after}");
        let (_folder, messages) = in_folder("messages", &text(tool));
        assert_eq!(run(&["collapse", "--rows", path(&ledger), path(&messages)]), text(changed));
    }
}

#[test]
fn a_call_that_answers_in_openais_shape_is_named_and_its_sources_are_counted() {
    let messages = json!([
        {"role": "assistant", "tool_calls": [{"id": "k1", "type": "function", "function": {"name": "census"}}]},
        {"role": "tool", "tool_call_id": "k1", "content": "12"},
    ]);
    let (_folder, messages) = in_folder("messages.json", &messages.to_string());
    let arguments = r#"{"day": 1, "_findings": {"basis": "direct", "from": [{"argument": "day", "source": "app"}, {"argument": "x"}],
        "previous": [{"toolCallId": "k1", "standing": "open"}]}}"#;
    let (folder, arguments) = in_folder("call.json", arguments);
    let ledger = folder.path().join("ledger.jsonl");
    let common = ["ledger", "add", "--rows", path(&ledger), "--iteration", "1", path(&arguments)];
    let added = run(&[&common[..], &["--call", "k1", "--messages", path(&messages)]].concat());
    let rows: Vec<Value> = added.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((&rows[0]["toolName"], &rows[0]["malformed"]), (&json!("census"), &json!(1)));
    assert_eq!((&rows[1]["toolName"], rows[1].get("unknownId")), (&json!("census"), None));
    // Without the conversation nobody knows which results there are.
    let added = run(&common);
    assert!(!added.contains("unknownId") && added.contains("\"open\""), "{added}");
}

#[test]
fn only_one_input_is_standard_input() {
    for arguments in [
        &["piece", "--rows", "-", "--messages", "-"][..],
        &["collapse", "--rows", "-"],
        &["sources", "--args", "-"],
        &["ledger", "add", "--rows", "x", "--iteration", "1", "--messages", "-"],
    ] {
        assert_eq!(command(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn many_assertions_of_a_long_id_and_many_entries_for_one_result_cost_their_length() {
    let assertion = |value: usize| json!({"subject": {"kind": "a", "id": "1"}, "predicate": "p", "value": value, "stratum": "asserted", "provenance": "x"});
    let long = "k ".repeat(200_000);
    let assertions: Vec<Value> = (0..10_000).map(assertion).collect();
    let rows = read_rows(json!([standing(&long, "fact", json!({"assertions": assertions}))])).expect("good rows");
    let piece = findings_ledger_piece(&rows, &[], AnswerAsk::None, Wording::DEFAULT).expect("a piece").raw_content;
    let conflict = piece.lines().find(|line| line.starts_with("conflict on a/1 · p: ")).expect("a conflict");
    // Each provenance is `tool:` and the id, and " vs " stands between two.
    let units = "conflict on a/1 · p: ".encode_utf16().count() + 10_000 * (5 + long.len()) + 9_999 * 4;
    assert!(conflict.ends_with(&format!(" …[clipped {} chars]", units - 240)), "{conflict}");
    let content = format!("{{\"placed\":true,\"ref\":\"r\",\"reason\":\"{}\"}}", "x".repeat(1_000_000));
    let messages = [json!({"role": "tool", "toolCallId": "k", "content": content})];
    let previous: Vec<Value> = (0..5_000).map(|_| json!({"toolCallId": "k", "standing": "fact"})).collect();
    let declaration = read_declaration(&json!({"previous": previous}), None).declaration.expect("an object");
    let rows = sidenote::ledger::standing_rows(&declaration, &messages, 1, &sidenote::ledger::DeclaredOn::Answer);
    assert!(rows.len() == 5_000 && rows.iter().all(|row| row.artifact.as_deref() == Some("r")));
}

#[test]
fn a_value_too_deep_to_be_written_does_not_pass_the_door() {
    let deep = |depth: usize| (0..depth).fold(json!(1), |value, _| json!([value]));
    let row = |depth| {
        let assertion =
            json!({"subject": {"kind": "a", "id": "1"}, "predicate": "p", "stratum": "asserted", "provenance": "x"});
        let mut row = standing("k", "fact", json!({"assertions": [assertion]}));
        row["assertions"][0]["value"] = deep(depth);
        json!([row])
    };
    assert!(read_rows(row(500)).is_ok());
    let error = read_rows(row(600)).expect_err("it is too deep");
    assert_eq!((error.row, error.field.as_str()), (0, "assertions"));
}

#[test]
fn numbers_of_any_length_are_the_nearest_double() {
    use sidenote::json::{double, javascript_number};
    let zeros = "0".repeat(1_000_000);
    assert_eq!(javascript_number(&format!("0.{zeros}1e1000001")), "1");
    assert_eq!(javascript_number(&format!("1{zeros}e-1000000")), "1");
    assert_eq!(javascript_number(&format!("-1{zeros}")), "-Infinity");
    assert_eq!(javascript_number(&format!("0.{zeros}1")), "0");
    assert_eq!(javascript_number(&format!("1e{zeros}2")), "100");
    assert_eq!(javascript_number(&format!("1e-{}", "9".repeat(400))), "0");
    // Halfway between two doubles, and a digit far behind that decides.
    let half = format!("9007199254740993.{}", "0".repeat(900));
    assert_eq!((double(&half), double(&format!("{half}1"))), (9_007_199_254_740_992.0, 9_007_199_254_740_994.0));
    for digits in ["0", "-0.0", "12345678901234567890", "1e21", "1e-7", "4.9e-324", "1.7976931348623159e308"] {
        // Zeros in front change no number, and make it one of the long ones.
        let long = format!("{}{digits}", if digits.starts_with('-') { "" } else { &zeros });
        assert_eq!(double(&long).to_bits(), digits.parse::<f64>().expect("a number").to_bits(), "{digits}");
    }
}
