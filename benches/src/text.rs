//! Texts like those of models, made from a fixed seed.
#![expect(clippy::format_push_string, reason = "each text is made once, before anything is timed")]

/// A generator of numbers (xorshift64*): small, and the same everywhere.
struct Numbers(u64);

impl Numbers {
    const SEEDED: Self = Self(0x5EED_0FA9_17E5_0001);

    /// A number below `limit`.
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }
}

const SENTENCES: &[&str] = &[
    "The price service lost its cache on Tuesday, and every basket then asked it once per line.",
    "Nothing was lost; 212 carts were retried by their owners, and the queue was back to normal at noon.",
    "The span `price.lookup` explains nearly all of the difference, while `stock.reserve` did not change at all.",
    "The [dashboard](https://traces.example/q/8841) shows the same for the other region.",
    "I compared the twelve slowest traces of that window with twelve of the day before.",
    "No deploy is needed, since the flag is read for each request (see `flags.toml`).",
    "With batches of one, no key was ever asked for twice, so the cache could not help.",
    "An alert on the hit rate would have rung at 09:17, half an hour before the first call came in.",
    "Whether the retried carts were charged twice is not known; payments says no.",
];

const ITEMS: &[&str] = &[
    "- **Now:** switch the flag `price_batching` on and watch the hit rate for fifteen minutes.",
    "- Let the key hold one article, so that a batch of one finds what a batch of thirty left.",
    "1. Until 09:11 a basket made *one* call for all its lines; that is what `lookup_many` is for.",
    "2. From 09:12 on it made one call **per line**.",
    "   - the comment above that line is from March;",
];

const CODE: &str = "```python
def price_lines(lines, flags):
    \"\"\"One call for all lines where batching is on, else one for each.\"\"\"
    if flags.get(\"price_batching\", True):
        return lookup_many([line.sku for line in lines])
    return {line.sku: lookup(line.sku) for line in lines}
```

";

const NOTE: &str = "{\"id\": \"f1\", \"statement\": \"p99 of POST /checkout rose from 410 ms to 2.9 s\", \"basis\": \"direct\", \
                    \"refs\": [\"call_metrics_1\", \"call_cache_2\"], \"weight\": 0.75}";

/// An answer of about `bytes` bytes as models write them: a paragraph a line, lists, inline code, code blocks; no notes.
#[must_use]
pub fn prose_answer(bytes: usize) -> Vec<u8> {
    let mut numbers = Numbers::SEEDED;
    let mut text = String::new();
    while text.len() < bytes {
        match numbers.below(8) {
            0 => text.push_str(CODE),
            1 | 2 => {
                for _ in 0..3 + numbers.below(3) {
                    text.push_str(numbers.pick(ITEMS));
                    text.push('\n');
                }
                text.push('\n');
            }
            _ => {
                for _ in 0..2 + numbers.below(4) {
                    text.push_str(numbers.pick(SENTENCES));
                    text.push(' ');
                }
                text.push_str("\n\n");
            }
        }
    }
    text.into_bytes()
}

/// A JSON answer of about `bytes` bytes, with notes as its last member.
#[must_use]
pub fn json_answer(bytes: usize) -> Vec<u8> {
    let mut numbers = Numbers::SEEDED;
    let mut text = String::from("{\"hosts\": [");
    while text.len() < bytes {
        let (id, load, zone) = (numbers.below(100_000), numbers.below(1000), numbers.below(3));
        let note = numbers.pick(SENTENCES);
        let comma = if text.ends_with('[') { "" } else { "," };
        text += &format!(
            "{comma}\n  {{\"id\": {id}, \"name\": \"host-{id}\", \"up\": true, \"load\": [0.{load}, 1.5, 12], \
             \"tags\": {{\"zone\": \"eu-west-{zone}\", \"note\": \"restarted after the \\\"upgrade\\\"\"}}, \"why\": \"{note}\"}}"
        );
    }
    text += &format!("\n], \"_findings\": [{NOTE}]}}");
    text.into_bytes()
}

/// An answer of about `bytes` bytes, half of them notes: objects in prose, on lines and in blocks.
#[must_use]
pub fn notes_answer(bytes: usize) -> Vec<u8> {
    let mut numbers = Numbers::SEEDED;
    let mut text = String::new();
    while text.len() < bytes {
        let sentence = numbers.pick(SENTENCES);
        text += &match numbers.below(3) {
            0 => format!("{sentence}\n\n{{\"_findings\": [{NOTE}]}}\n\n{sentence}\n\n"),
            1 => format!("{sentence}\n\n```json\n{{\n  \"_findings\": {NOTE}\n}}\n```\n\n{sentence}\n\n"),
            _ => format!("{{\"answer\": \"{sentence}\", \"_findings\": {NOTE}, \"more\": [1, 2]}}\n\n"),
        };
    }
    text.into_bytes()
}

/// About `bytes` bytes of JSON objects, one a line.
#[must_use]
pub fn values(bytes: usize) -> Vec<u8> {
    let mut numbers = Numbers::SEEDED;
    let mut text = String::new();
    while text.len() < bytes {
        let (id, load) = (numbers.below(100_000), numbers.below(1000));
        let note = numbers.pick(SENTENCES);
        text += &format!("{{\"id\": {id}, \"up\": true, \"load\": [0.{load}, 1.5], \"why\": \"{note}\"}}\n");
    }
    text.into_bytes()
}
