//! A second oracle for code regions: cmark, as a process, over a smaller sample.
//!
//! `apt-get install cmark`, then `cargo test -p sidenote --test cmark -- --ignored`.

use std::io::Write;
use std::process::{Command, Stdio};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use sidenote::laws::{FencedBlock, document_like, fenced_blocks};
use sidenote::{MAX_CODE_REGIONS, code_regions};

/// The fenced blocks at the top level of `text` for cmark: those code blocks that begin in a line's first column.
fn rendered(text: &str) -> Vec<FencedBlock> {
    let mut child = Command::new("cmark")
        .args(["--to", "xml", "--sourcepos"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("cmark is installed");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
    let xml = child.wait_with_output().expect("it ends").stdout;
    let xml = String::from_utf8(xml).expect("UTF-8");
    // Two spaces of indentation are the document's own children.
    let blocks = xml.match_indices("\n  <code_block ").map(|(at, tag)| &xml[at + tag.len()..]);
    let block = |element: &str| {
        let (attributes, rest) = element.split_once('>').expect("a tag");
        let position = attribute(attributes, "sourcepos").expect("a position");
        let (line, column) =
            position.split_once('-').and_then(|(start, _)| start.split_once(':')).expect("line:column");
        let content = rest.split_once("</code_block>").map(|(content, _)| unescaped(content)).unwrap_or_default();
        let info = attribute(attributes, "info").map(unescaped).unwrap_or_default();
        let line = line.parse().expect("a number");
        (column == "1").then_some(FencedBlock { line, info, content })
    };
    blocks.filter_map(block).collect()
}

fn attribute<'x>(attributes: &'x str, name: &str) -> Option<&'x str> {
    let (_, rest) = attributes.split_once(&format!("{name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}

fn unescaped(xml: &str) -> String {
    xml.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[test]
#[ignore = "needs cmark: apt-get install cmark"]
fn code_regions_agree_with_cmark() {
    let mut runner =
        TestRunner::new(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() });
    runner
        .run(&vec(any::<u8>(), 0..20), |choices| {
            let text = String::from_utf8(document_like(&choices)).expect("tokens are UTF-8");
            // Controls have no place in XML, and cmark takes a byte-order mark off where we stop.
            let text = text.replace(['\0', '\u{0B}', '\u{FEFF}'], "");
            let read = code_regions(text.as_bytes(), MAX_CODE_REGIONS);
            let stop = read.end.stopped_at.map_or(usize::MAX, |at| {
                let before = &text[..usize::try_from(at).expect("an offset")];
                before.replace("\r\n", "\n").replace('\r', "\n").matches('\n').count() + 1
            });
            let mut theirs: Vec<FencedBlock> = rendered(&text).into_iter().filter(|block| block.line < stop).collect();
            if read.end.open_fence.is_some() {
                theirs.pop();
            }
            prop_assert_eq!(fenced_blocks(&text), theirs);
            Ok(())
        })
        .unwrap_or_else(|seen| panic!("{seen}"));
}
