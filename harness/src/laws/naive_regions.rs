//! A naive twin of the reader of fenced code blocks: slow, whole text in memory, written from the rules alone.
//!
//! It shares no code with the streaming reader, which is tested against it. The text is split into lines first; then one
//! loop goes over the lines outside blocks, and at each opening line a second one looks for the line that ends the block.
//!
//! The comments name the rules: "seed" is the grammar of the original, "page" is the page that decides what the seed
//! leaves open.

use std::ops::Range;

/// One code block that was read. All positions are bytes (page).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// The number of the region among those read, counted from 1 in text order.
    pub block: u64,
    /// Where the opening line begins.
    pub start: u64,
    /// Where the closing line ends, its line ending included.
    pub end: u64,
    /// The bytes between the wrapper's two line endings.
    pub content: Range<u64>,
    /// The info string without the spaces at its ends. An empty one stands right behind the opening run.
    pub info: Range<u64>,
}

/// What was read in a whole text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The regions, in text order, up to the cap.
    pub regions: Vec<Region>,
    /// How many closed blocks there were past the cap.
    pub dropped: u64,
    /// Where reading stopped, if it did.
    pub stopped_at: Option<u64>,
    /// Character and length of the opening run of a block that is still open at the end of the text. Never set together
    /// with `stopped_at`.
    pub open_fence: Option<(u8, u64)>,
}

/// Reads the fenced code blocks of a whole text, `max` of them at most.
#[must_use]
pub fn code_regions(text: &[u8], max: u64) -> Answer {
    let mut answer = Answer { regions: Vec::new(), dropped: 0, stopped_at: None, open_fence: None };

    // seed: a byte-order mark at the very start stops reading; page: the stop is 0
    if text.starts_with(b"\xEF\xBB\xBF") {
        answer.stopped_at = Some(0);
        return answer;
    }

    let lines = split_into_lines(text);
    let mut rest = lines.as_slice();
    while let Some((line, below)) = rest.split_first() {
        rest = below;

        let fence = match look_outside(line) {
            Outside::Prose => continue,
            Outside::Stop => {
                // page: the stop is the first byte of the line, before its indentation
                answer.stopped_at = Some(line.start as u64);
                return answer;
            }
            Outside::Opening(fence) => fence,
        };

        match look_for_end(&fence, below) {
            BlockEnd::Closed { content_lines, tab } => {
                let (content, from_closing_on) = below.split_at(content_lines);
                let Some((closing, below_block)) = from_closing_on.split_first() else {
                    return answer; // never: the closing line is among the lines below
                };
                if (answer.regions.len() as u64) < max {
                    answer.regions.push(Region {
                        block: answer.regions.len() as u64 + 1,
                        start: line.start as u64,
                        end: closing.end() as u64,
                        content: content_range(line, content),
                        info: info_range(line, &fence),
                    });
                } else {
                    // seed: blocks past the cap are counted; page: they are read the same way
                    answer.dropped += 1;
                }
                if tab {
                    // seed: after a closing run with a tab the block is read and reading stops;
                    // page: the stop is after the block
                    answer.stopped_at = Some(closing.end() as u64);
                    return answer;
                }
                rest = below_block;
            }
            BlockEnd::RunInside => {
                // seed: the block is prose and reading stops at its opening line
                answer.stopped_at = Some(line.start as u64);
                return answer;
            }
            BlockEnd::Never => {
                // seed: a fence that never closes is no region, it is reported as the open fence; page: so is an
                // opening line that the text ends in, with no line ending (there are no lines below it then)
                answer.open_fence = Some((fence.character, fence.run as u64));
                // seed: the text from it to the end is prose
                return answer;
            }
        }
    }
    answer
}

// ---- Lines ----

/// One line of the text.
struct Line<'text> {
    /// Where it begins in the text.
    start: usize,
    /// Its bytes without the line ending.
    words: &'text [u8],
    /// Its line ending; empty where the text ends first.
    ending: &'text [u8],
}

impl Line<'_> {
    /// Where the line ends in the text, its line ending included.
    fn end(&self) -> usize {
        self.start + self.words.len() + self.ending.len()
    }
}

/// Splits the text into lines. Put together again in order, they are the text.
fn split_into_lines(text: &[u8]) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let start = text.len() - rest.len();
        let length = rest.iter().position(|&byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        let (words, from_ending_on) = rest.split_at(length);
        // seed: a line ends at an LF, a CR or a CRLF
        let ending_length = match from_ending_on {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => 0,
        };
        let (ending, below) = from_ending_on.split_at(ending_length);
        lines.push(Line { start, words, ending });
        rest = below;
    }
    lines
}

// ---- The beginning of a line ----

/// A line that begins with a fence run, whatever follows the run.
struct Fence<'text> {
    /// How many spaces stand before the run: 0 to 3.
    indentation: usize,
    /// A backtick or a tilde.
    character: u8,
    /// The length of the run: 3 or more.
    run: usize,
    /// The rest of the line after the run, without the line ending.
    after: &'text [u8],
}

/// Counts the spaces that stand before everything else in these bytes.
fn count_leading_spaces(words: &[u8]) -> usize {
    words.iter().take_while(|&&byte| byte == b' ').count()
}

/// The number of spaces before the first other byte of a line, and the line from that byte on. With four or more spaces
/// there is nothing that the rules know (page). A tab is not taken off, so nothing that they know begins there either.
fn after_indentation(words: &[u8]) -> Option<(usize, &[u8])> {
    let spaces = count_leading_spaces(words);
    if spaces <= 3 { Some((spaces, words.get(spaces..)?)) } else { None }
}

/// The fence run that a line begins with, if it does.
fn fence_run<'text>(line: &Line<'text>) -> Option<Fence<'text>> {
    let (indentation, words) = after_indentation(line.words)?;
    // seed: backticks or tildes, never both: the run ends at the first other byte
    let character = *words.first().filter(|&&byte| byte == b'`' || byte == b'~')?;
    let run = words.iter().take_while(|&&byte| byte == character).count();
    // seed: three or more
    if run >= 3 { Some(Fence { indentation, character, run, after: words.get(run..)? }) } else { None }
}

// ---- Outside a block ----

/// What a line outside every block is.
enum Outside<'text> {
    Prose,
    Opening(Fence<'text>),
    Stop,
}

/// Says what a line outside every block is.
fn look_outside<'text>(line: &Line<'text>) -> Outside<'text> {
    if let Some(fence) = fence_run(line) {
        if fence.character == b'`' && fence.after.contains(&b'`') {
            // seed: the info string of a backtick fence has no backtick; page: such a line is prose when indented too
            return Outside::Prose;
        }
        if fence.indentation > 0 {
            // seed: a fence behind one to three spaces stops reading; page: with or without a line ending
            return Outside::Stop;
        }
        // seed: an opening fence stands at column 0
        return Outside::Opening(fence);
    }
    match after_indentation(line.words) {
        // seed: a line that may start an HTML block stops reading
        Some((_, [b'<', next, ..])) if next.is_ascii_alphabetic() || matches!(next, b'/' | b'!' | b'?') => {
            Outside::Stop
        }
        // seed: a line opening display math stops reading; page: up to three spaces, then `$$`
        Some((_, [b'$', b'$', ..])) => Outside::Stop,
        _ => Outside::Prose,
    }
}

// ---- Inside a block ----

/// How a block ends.
enum BlockEnd {
    /// With a closing line, which has this many lines of content above it, and a tab after its run or none.
    Closed { content_lines: usize, tab: bool },
    /// Not as a block: its content holds a run of its own fence character as long as its opening run.
    RunInside,
    /// The text ends first.
    Never,
}

/// Goes over the lines below an opening line until one of them ends the block.
fn look_for_end(opening: &Fence<'_>, below: &[Line<'_>]) -> BlockEnd {
    for (content_lines, line) in below.iter().enumerate() {
        // seed: up to three spaces, the same character, at least as long
        if let Some(fence) = fence_run(line)
            && fence.character == opening.character
            && fence.run >= opening.run
        {
            // seed and page, first: followed only by spaces
            if fence.after.iter().all(|&byte| byte == b' ') {
                return BlockEnd::Closed { content_lines, tab: false };
            }
            // seed and page, second: followed by spaces and tabs, with at least one tab
            if fence.after.iter().all(|&byte| byte == b' ' || byte == b'\t') {
                return BlockEnd::Closed { content_lines, tab: true };
            }
        }
        // seed and page, third: such a run anywhere in the line, also when the block never closes
        let mut runs = line.words.chunk_by(|left, right| left == right);
        if runs.any(|run| run.first() == Some(&opening.character) && run.len() >= opening.run) {
            return BlockEnd::RunInside;
        }
        // everything else is content: HTML, display math, other fences, shorter runs
    }
    BlockEnd::Never
}

/// The range of a closed block's content.
fn content_range(opening: &Line<'_>, content: &[Line<'_>]) -> Range<u64> {
    // page: it starts after the opening line's whole ending
    let start = opening.end();
    let end = match content.last() {
        // seed: a closing line right after the opening line gives an empty block
        None => start,
        // seed: of a CRLF before the closing line the LF is the wrapper's and the CR is content
        Some(last) if last.ending == b"\r\n" => last.end() - 1,
        // seed: an LF alone is the wrapper's, and so is a lone CR
        Some(last) => last.start + last.words.len(),
    };
    start as u64..end as u64
}

/// The range of an opening line's info string.
fn info_range(line: &Line<'_>, fence: &Fence<'_>) -> Range<u64> {
    let behind_run = line.start + fence.indentation + fence.run;
    // page: only spaces are taken off, a tab is kept
    let Some(last) = fence.after.iter().rposition(|&byte| byte != b' ') else {
        // nothing but spaces: an empty info string
        return behind_run as u64..behind_run as u64;
    };
    let first = count_leading_spaces(fence.after);
    (behind_run + first) as u64..(behind_run + last + 1) as u64
}
