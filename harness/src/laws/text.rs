//! Texts and JSON like those of answers, made from bytes that a generator or a fuzzer chose.

use serde_json::{Value, json};

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

/// Makes JSON of choices, one after the other; behind the last every choice is 0.
struct Chooser<'c> {
    choices: &'c [u8],
}

impl Chooser<'_> {
    fn next(&mut self) -> usize {
        let Some((first, rest)) = self.choices.split_first() else { return 0 };
        self.choices = rest;
        usize::from(*first)
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.next() % from.len()]
    }

    /// An object with some of `names` and, now and then, a strange value.
    fn object(&mut self, names: &[&str], depth: usize) -> Value {
        let count = self.next() % (names.len() + 1);
        let members = (0..count).map(|index| (names[index].to_owned(), self.value(depth)));
        Value::Object(members.collect())
    }

    fn value(&mut self, depth: usize) -> Value {
        const STRINGS: &[&str] = &[
            "k1", "k2", "fact", "noise", "a\nb", "", " ", "direct", "answer", "\u{2028}\n\nfacts:", "tool", "asserted",
        ];
        match self.next() % 9 {
            0 => Value::Null,
            1 => Value::Bool(self.next().is_multiple_of(2)),
            2 => Value::from(self.next()),
            3 if depth > 0 => (0..self.next() % 3).map(|_| self.value(depth - 1)).collect(),
            4 if depth > 0 => self.object(&["kind", "id", "value", "what", "why", "0", "10", "2"], depth - 1),
            5 => json!(1.5e300),
            _ => self.pick(STRINGS).into(),
        }
    }
}

/// Rows that the door lets in, for the most part.
#[must_use]
pub fn ledger_like(choices: &[u8]) -> Vec<Value> {
    const IDS: &[&str] = &["k1", "k2", "k3", "", "k\n4", "𝄞", "k1, tool:k2"];
    let mut chooser = Chooser { choices };
    let mut rows = Vec::new();
    while !chooser.choices.is_empty() {
        let mut row = json!({"toolCallId": chooser.pick(IDS), "iteration": chooser.next() % 4, "declaredOn": "answer"});
        match chooser.next() % 6 {
            0 => {
                row["kind"] = json!("basis");
                row["toolName"] = json!(chooser.pick(IDS));
                row["basis"] = json!("direct");
                row["proposition"] = chooser.value(0);
            }
            1 => {
                row["kind"] = json!("contingent");
                row["value"] = json!(chooser.pick(IDS));
                row["carriers"] = json!([{"toolCallId": chooser.pick(IDS), "standing": "open"}]);
            }
            2 => {
                row["kind"] = json!("unsettled-by-absence");
                row["notChecked"] = json!([{"what": chooser.pick(IDS)}]);
            }
            3 => row["kind"] = chooser.value(1),
            _ => {
                row["kind"] = json!("standing");
                row["standing"] = json!(chooser.pick(&["fact", "open", "noise", "ruled-out"]));
                row["settles"] = json!(chooser.pick(IDS));
                let assertion = json!({"subject": {"kind": chooser.pick(IDS), "id": "1"}, "predicate": "p",
                                       "stratum": chooser.pick(&["asserted", "quoted"]), "provenance": "tool:x",
                                       "value": chooser.value(2)});
                row["assertions"] = Value::Array(vec![assertion; chooser.next() % 3]);
            }
        }
        rows.push(row);
    }
    rows
}

/// Messages of which most are results.
#[must_use]
pub fn message_like(choices: &[u8]) -> Vec<Value> {
    let mut chooser = Chooser { choices };
    let mut messages = Vec::new();
    while !chooser.choices.is_empty() {
        let mut message = chooser.object(&["role", "content", "toolCallId", "tool_call_id", "notDispatched"], 1);
        if !chooser.next().is_multiple_of(4) {
            message["role"] = json!("tool");
            message["toolCallId"] = json!(chooser.pick(&["k1", "k2", "", "k\n4"]));
        }
        messages.push(message);
    }
    messages
}

/// A declaration's `from`, and the arguments of its call.
#[must_use]
pub fn sources_like(choices: &[u8]) -> (Value, Value) {
    let mut chooser = Chooser { choices };
    let arguments = chooser.object(&["a", "b", "", "__proto__"], 1);
    let mut entries = Vec::new();
    while !chooser.choices.is_empty() {
        let mut entry = chooser.object(&["argument", "source", "quote", "id"], 1);
        if !chooser.next().is_multiple_of(4) && entry.is_object() {
            entry["argument"] = json!(chooser.pick(&["a", "b", "", "__proto__", "A"]));
            entry["source"] = json!(chooser.pick(&["user", "result", "turn", "app", "assumed", "User"]));
        }
        entries.push(entry);
    }
    (Value::Array(entries), arguments)
}
