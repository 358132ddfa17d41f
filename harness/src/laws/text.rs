//! Texts like answers, made from bytes that a generator or a fuzzer chose.

/// What answers are made of.
const ANSWER: &[&str] = &[
    "{", "}", "[", "]", "\"", ",", ":", " ", "\n", "\r", "\r\n", "\t", "  ", "\n\n", "`", "```", "````", "~", "~~~",
    "```json\n", "\n```\n", "> ", "- ", "1. ", "*", "-", "1", "0.5e3", "true", "nul", "x", "word ", "é", "\u{1F600}",
    "\\", "\\u005f", "\"a\"", "\"_findings\"", "\"\\u005ffindings\"", "\"_find", "{\"_findings\":1}",
    "{\"_findings\":\"x\"}", "{\"_findings\":[1,{}]}\n", "{\"_findings\":1,", "{\"a\":1}", "{\"a\":", "\"a\":[1,",
    "\"_findings\":{\"b\":\"{\"}", "{ \"_findings\" : 1 , \"a\" : 1 }", "\0", "\u{FEFF}", "}}", "]]", "}]", "]}",
    "},{", "[[", "\"b\":{", ",[",
];

/// What documents with fences are made of.
const DOCUMENT: &[&str] = &[
    "\n", "\n\n", "\r\n", "\r", " ", "   ", "    ", "\t", "```", "````", "``", "`", "~~~", "~~~~~", "~", "```\n",
    "~~~\n", "\n```\n", "\n~~~\n", "```js\n", "~~~ a b \n", "``` \t x\n", "```\t\n", "text", "a `b` c", "x ``` y",
    "x ~~~ y", "- ", "1. ", "> ", "* ", "-\n", "---\n", "===\n", "# h\n", "<", "<div>\n", "</p>", "<!-- ", "<?", "<1",
    "$", "$$", "$$\n", "|a|b|\n|-|-|\n", "[a]: /u\n", "[a]: /u '\n", "\\", "\\`", "&amp;", "&#96;", "\0", "\u{FEFF}",
    "é", "\u{A0}", "\u{2028}", "\u{0B}",
];

/// What JSON, whole, cut and broken, is made of.
const JSON: &[&str] = &[
    "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\"a\":", "\"b c ", "\\", "\\n", "\\u0041", "\\ud83d", "\\ude00",
    "\\u12", "\\q", " ", "\n", "\t", "0", "1", "-", "-0", "01", "1.5", "1.", ".5", "1e", "1e9", "1E+", "1e400",
    "12345678901234567890", "true", "false", "null", "tru", "nul", "x", "é", "\u{1F600}", "\u{A0}", "\u{FEFF}", "\0",
    "[{", "}]", "\"\"", "[]", "{}", "\"a\":[", ", ", "\"a\":1,", "\"$serde_json::private::Number\":\"1\"", "\u{7F}",
];

/// The answer that `choices` spell: each byte one token, so that a shorter list of smaller numbers is a simpler text.
#[must_use]
pub fn answer_like(choices: &[u8]) -> Vec<u8> {
    text(ANSWER, choices)
}

/// The document that `choices` spell.
#[must_use]
pub fn document_like(choices: &[u8]) -> Vec<u8> {
    text(DOCUMENT, choices)
}

/// The JSON, as far as it goes, that `choices` spell.
#[must_use]
pub fn json_like(choices: &[u8]) -> Vec<u8> {
    text(JSON, choices)
}

fn text(tokens: &[&str], choices: &[u8]) -> Vec<u8> {
    choices.iter().flat_map(|choice| tokens[usize::from(*choice) % tokens.len()].bytes()).collect()
}
