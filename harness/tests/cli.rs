//! The command as its users meet it: pipes, files, exit codes.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;

use serde_json::{Value, json};

const ANSWER: &str = "harness/examples/answer.md";

fn sidenote(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sidenote"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace"));
    command
}

/// Runs the command on `input`, written by a thread of its own.
fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = sidenote(arguments).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // The command may stop before it has read everything.
    let writing = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("it ends");
    writing.join().expect("the writer ends");
    output
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn an_answer_comes_out_without_its_notes_and_the_notes_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let notes = folder.path().join("notes.jsonl");
    let notes_path = notes.to_str().expect("a path in UTF-8");
    let output = run(&["filter", ANSWER, "--notes", notes_path], b"");
    assert!(output.status.success(), "{}", stderr(&output));
    let shown = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(!shown.contains("_findings") && !shown.contains("basis"), "{shown}");
    assert!(shown.contains(
        "\"value\": {\"enabled\": true},\n  \"reason\": \"restore one lookup for each basket\",\n  \"rollout\""
    ));
    assert!(shown.contains("were retried by their owners.\n\n## What the traces show\n"));
    let lines: Vec<Value> = fs::read_to_string(notes)
        .expect("the notes are there")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON line"))
        .collect();
    let ids: Vec<Value> = lines
        .iter()
        .map(|line| {
            assert_eq!((&line["key"], &line["complete"]), (&json!("_findings"), &json!(true)));
            let value: Value = serde_json::from_str(line["value"].as_str().expect("text")).expect("JSON");
            value.get(0).unwrap_or(&value)["id"].clone()
        })
        .collect();
    assert_eq!(ids, ["f1", "f3", "f4", "f5", "f6"]);
}

#[test]
fn notes_that_are_not_utf_8_are_spelled_in_hexadecimal() {
    let folder = tempfile::tempdir().expect("a folder");
    let notes = folder.path().join("notes.jsonl");
    let output = run(&["filter", "--notes", notes.to_str().expect("UTF-8")], b"{\"_findings\":\"\xFF\"}");
    assert_eq!(output.stdout, b"{}");
    let line: Value = serde_json::from_slice(&fs::read(notes).expect("notes")).expect("a JSON line");
    assert_eq!(line, json!({"object": 0, "key": "_findings", "complete": true, "value_hex": "22ff22"}));
}

#[test]
fn plain_words_are_visible_as_soon_as_they_are_read() {
    let mut child = sidenote(&["filter"]).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = child.stdout.take().expect("a pipe");
    // Each step waits for its bytes before the next is sent: were one held, this would wait for ever.
    let mut step = |sent: &[u8], seen: &[u8]| {
        stdin.write_all(sent).and_then(|()| stdin.flush()).expect("it reads");
        let mut bytes = vec![0; seen.len()];
        stdout.read_exact(&mut bytes).expect("it writes");
        assert_eq!(bytes, seen);
    };
    for byte in b"Plain words, [1, \"2\"] `code` and }." {
        step(&[*byte], &[*byte]);
    }
    // White space waits from a line ending on, an object until its first key cannot be reserved.
    step(b"\n\nMore: {\"_f", b"\n\nMore: ");
    step(b"x", b"{\"_fx");
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn a_limit_ends_with_exit_code_1_and_says_where_and_what_to_try() {
    let text = format!("before {{\"a\":1,\"_findings\":\"{}\"}} after", "n".repeat(100));
    let output = run(&["filter", "--memory", "64"], text.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, b"before {\"a\":1,");
    // The member's quote is at byte 14; 56 bytes of it fit.
    for part in ["byte 70", "--memory", "--on-full"] {
        assert!(stderr(&output).contains(part), "{part}: {}", stderr(&output));
    }
    let shown = run(&["filter", "--memory", "64", "--on-full", "show"], text.as_bytes());
    assert_eq!((shown.status.code(), shown.stdout.as_slice()), (Some(0), text.as_bytes()));
    let hidden = run(&["filter", "--memory", "64", "--on-full", "hide"], text.as_bytes());
    assert_eq!((hidden.status.code(), hidden.stdout.as_slice()), (Some(0), &b"before {\"a\":1,} after"[..]));
}

#[test]
fn notes_of_64_kib_pass_where_the_memory_is_128_kib_and_not_where_it_is_64() {
    let text = format!("{{\"_findings\":\"{}\",\"a\":1}}", "n".repeat(64 << 10));
    assert_eq!(run(&["filter", "--memory", "131072"], text.as_bytes()).stdout, b"{\"a\":1}");
    assert_eq!(run(&["filter", "--memory", "128KiB"], text.as_bytes()).stdout, b"{\"a\":1}");
    assert_eq!(run(&["filter", "--memory", "64KiB"], text.as_bytes()).status.code(), Some(1));
}

#[test]
fn several_keys_and_standard_input_by_name() {
    let output = run(&["filter", "--key", "a", "--key=b", "-"], b"{\"a\":1,\"b\":2,\"_findings\":3}");
    assert_eq!(output.stdout, b"{\"_findings\":3}");
}

#[test]
fn wrong_usage_ends_with_exit_code_2() {
    for arguments in
        [&["filter", "--memory", "much"][..], &["filter", "--on-full", "x"], &["no-such"], &["filter", "a", "b"]]
    {
        assert_eq!(run(arguments, b"").status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let output = run(&["filter", "no/such/file"], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("no/such/file"), "{}", stderr(&output));
}

#[test]
fn a_memory_too_small_for_the_keys_is_refused_with_the_least_that_would_do() {
    let output = run(&["filter", "--memory", "62"], b"{}");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("63 bytes"), "{}", stderr(&output));
    assert_eq!(run(&["filter", "--memory", "63"], b"{}").stdout, b"{}");
}

#[test]
fn a_closed_pipe_is_no_crash() {
    let mut child = sidenote(&["filter"]).spawn().expect("it starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("a pipe");
    // It stops once it has nobody to write to; then our pipe breaks, too.
    while stdin.write_all(&[b'x'; 1 << 10]).is_ok() {}
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
}

#[test]
fn the_adapter_answers_every_line_whatever_stands_on_it() {
    let requests = concat!(
        "{\"op\":\"filter\",\"text\":\"{\\\"_findings\\\":1,\\\"a\\\":2}\",\"cuts\":[3,9]}\n",
        "not JSON\n",
        "{\"op\":\"no such op\"}\n",
        "{\"op\":\"filter\",\"text\":\"x\",\"txet\":1}\n",
        "{\"op\":\"filter\",\"text\":\"x\",\"cuts\":[2]}\n",
        "{\"op\":\"filter\",\"hex\":\"7Bff7d\"}",
    );
    let output = run(&["adapter"], requests.as_bytes());
    assert!(output.status.success());
    let answers: Vec<Value> = String::from_utf8(output.stdout)
        .expect("UTF-8")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers[0], json!({"visible": "{\"a\":2}", "removed": [[0, "1", true]]}));
    assert!(answers[1]["error"].is_string());
    assert_eq!(answers[2], json!({"error": "unknown op"}));
    assert!(answers[3]["error"].as_str().expect("an error").contains("txet"));
    assert!(answers[4]["error"].as_str().expect("an error").contains("cuts"));
    assert_eq!(answers[5], json!({"visible_hex": "7bff7d", "removed_hex": []}));
    assert_eq!(answers.len(), 6);
}

#[test]
fn the_suite_says_what_it_ran_and_fails_where_an_answer_is_wrong() {
    let output = run(&["spec", "filter/lists", "--layer", "core"], b"");
    let table = String::from_utf8(output.stdout.clone()).expect("UTF-8");
    assert!(output.status.success(), "{table}");
    assert!(table.contains("filter/") && table.contains(" passed, 0 failed"), "{table}");
    // A program that answers every request with null gets every case wrong.
    let wrong = run(&["spec", "filter/lists", "--exec", "sed s/.*/null/"], b"");
    assert_eq!(wrong.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&wrong.stdout).contains("FAILED on exec"), "{}", stderr(&wrong));
}

#[test]
fn a_suite_that_could_not_be_run_has_not_passed() {
    for (program, seen) in [("no-such-program", "no-such-program"), ("false", "exit status: 1")] {
        let output = run(&["spec", "filter/lists", "--exec", program], b"");
        assert_eq!(output.status.code(), Some(1));
        let report = String::from_utf8_lossy(&output.stdout);
        assert!(report.contains("could not be run") && report.contains(seen), "{report}");
    }
    // A program that knows no op is asked nothing, and that is no pass.
    let unknown = run(&["spec", "filter/lists", "--exec", r#"sed s/.*/{"error":"unknown\x20op"}/"#], b"");
    let report = String::from_utf8_lossy(&unknown.stdout);
    assert!(report.contains("it does not know the op filter"), "{report}");
    assert_eq!(unknown.status.code(), Some(1));

    let unsupported = run(&["spec", "filter/lists", "--exec", r#"sed s/.*/{"unsupported":"not\x20today"}/"#], b"");
    assert_eq!(unsupported.status.code(), Some(1));
    let said = String::from_utf8_lossy(&unsupported.stdout);
    assert!(said.contains("since not today"), "{said}");

    // One that answers nothing, one that answers too little, one that fails.
    for (program, why) in [("true", "No such file"), ("cp requests records", "too early"), ("false", "exit status: 1")]
    {
        let output = run(&["spec", "filter/lists", "--device", program], b"");
        assert_eq!(output.status.code(), Some(1), "{program}");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("FAILED: the layer device could not be run") && said.contains(why), "{said}");
    }
}

#[test]
fn notes_never_overwrite_the_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let answer = folder.path().join("answer.md");
    fs::write(&answer, "x {\"_findings\":1}").expect("it is written");
    let path = answer.to_str().expect("UTF-8");
    let output = run(&["filter", path, "--notes", path], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("same file"), "{}", stderr(&output));
    let from_stdin =
        sidenote(&["filter", "--notes", path]).stdin(fs::File::open(&answer).expect("it is there")).output();
    assert_eq!(from_stdin.expect("it runs").status.code(), Some(2));
    assert_eq!(fs::read(&answer).expect("it is there"), b"x {\"_findings\":1}");
}

#[test]
fn what_the_memory_was_too_small_for_is_told() {
    let deep = format!("{{\"a\":{}1{}}} after", "[".repeat(100), "]".repeat(100));
    let hidden = run(&["filter", "--memory", "63", "--on-full", "hide"], deep.as_bytes());
    assert_eq!((hidden.status.code(), hidden.stdout.len()), (Some(0), 5 + 56));
    assert!(stderr(&hidden).contains("bytes were hidden"), "{}", stderr(&hidden));
    let blank = format!("x{}{{\"_findings\":1}}", "\n".repeat(100));
    let released = run(&["filter", "--memory", "63"], blank.as_bytes());
    assert!(stderr(&released).contains("may have stayed"), "{}", stderr(&released));
    assert_eq!(stderr(&run(&["filter"], blank.as_bytes())), "");
}

#[test]
fn regions_are_listed_extracted_and_printed_as_json() {
    let table = run(&["regions", ANSWER], b"");
    let table = String::from_utf8_lossy(&table.stdout).into_owned();
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().take(3).collect()).collect();
    assert_eq!(
        lines[1..],
        [["1", "34-43", "python"], ["2", "47-50", "sh"], ["3", "58-69", "json"], ["4", "73-84", "json"]]
    );
    let code = run(&["regions", "--extract", "2"], b"```\na\n```\n~~~\r\nb\r\n\xFF\r\n~~~");
    assert_eq!(code.stdout, b"b\r\n\xFF\r");
    let json = run(&["regions", "--json", "--max=1"], b"```a\n```\n~~~\n~~~\n<p>");
    let json: Value = serde_json::from_slice(&json.stdout).expect("JSON");
    let region = json!({"block": 1, "start": 0, "end": 9, "content": [5, 5], "info": "a"});
    assert_eq!(json, json!({"regions": [region], "dropped": 1, "stoppedAt": 17}));
    let absent = run(&["regions", "--extract", "2", ANSWER, "--max", "1"], b"");
    assert_eq!(absent.status.code(), Some(1));
    assert!(stderr(&absent).contains("there is no block 2"), "{}", stderr(&absent));
}

#[test]
fn values_keep_every_digit_and_what_follows_is_told() {
    let text = b"{\"b\":1.50,\"a\":{\"$serde_json::private::Number\":\"7\"}}\n[1E400] and";
    let output = run(&["values"], text);
    assert_eq!(output.stdout, b"{\"b\":1.50,\"a\":{\"$serde_json::private::Number\":\"7\"}}\n[1E400]\n");
    assert!(stderr(&output).contains("byte 60"), "{}", stderr(&output));
    assert_eq!(run(&["values", "--rest"], text).stdout, b"and");
    let json: Value = serde_json::from_slice(&run(&["values", "--json"], text).stdout).expect("JSON");
    assert_eq!(json, json!({"values": [[0, 51], [52, 59]], "rest": 60, "stopped": "opener"}));
    let deep = run(&["values"], "[".repeat(1000).as_bytes());
    assert!(deep.stdout.is_empty() && stderr(&deep).contains("cut short"));
    let too_deep = run(&["values"], format!("[1]{}{}", "[".repeat(600), "]".repeat(600)).as_bytes());
    assert_eq!(too_deep.status.code(), Some(1));
    assert!(stderr(&too_deep).contains("byte 515"), "{}", stderr(&too_deep));
}

#[test]
fn serde_jsons_private_keys_are_keys_like_any_other() {
    for key in ["$serde_json::private::Number", "$serde_json::private::RawValue"] {
        let value = format!("{{\"{key}\":\"12\"}}\n");
        assert_eq!(String::from_utf8_lossy(&run(&["values"], value.as_bytes()).stdout), value);
        let cut = run(&["leaves", "--json"], format!("[{value}").as_bytes());
        let cut: Value = serde_json::from_slice(&cut.stdout).expect("JSON");
        assert_eq!(cut, json!({"leaves": [key, "12"]}));
    }
}

#[test]
fn leaves_of_cut_json_are_listed() {
    let text = br#"{"id":4417,"x":[1e21,null,"a\nb"],"msg":"disk full on ho"#;
    let output = run(&["leaves"], text);
    let lines: Vec<Vec<String>> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| line.split_whitespace().map(str::to_owned).collect())
        .collect();
    assert_eq!(lines[1], ["6-10", "1", "number", "4417"]);
    assert_eq!(lines[3], ["16-20", "2", "number", "1e+21"]);
    assert_eq!(lines[4], ["26-32", "2", "string", "\"a\\nb\""]);
    assert!(stderr(&output).contains("disk full on\""), "{}", stderr(&output));
    let json: Value = serde_json::from_slice(&run(&["leaves", "--json"], text).stdout).expect("JSON");
    assert_eq!(json, json!({"leaves": ["id", "4417", "x", "1e+21", "a\nb", "msg"], "words": "disk full on"}));
    assert_eq!(run(&["leaves", "--json"], b"[1]").stdout, b"null\n");
}
