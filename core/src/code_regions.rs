//! Code regions: the fenced blocks of an answer, closed exactly where a CommonMark renderer closes them.
//!
//! Only the top level of a document is modelled. At the first line where a renderer could pair fences another way
//! (CommonMark 0.31.2 sections 4.5, "Fenced code blocks", and 4.6, "HTML blocks"), reading stops.

use core::ops::Range;

use crate::fence::{Rest, Run, is_line_ending};

/// How many regions are read where nothing else is said.
pub const MAX_CODE_REGIONS: u64 = 32;

/// One fenced block of a text. Offsets are bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeRegion {
    /// Its number among the regions read, from 1.
    pub block: u64,
    /// Where its opening line begins.
    pub start: u64,
    /// Behind its closing line, the line ending included.
    pub end: u64,
    /// What stands between its two fence lines, without the line ending before the closing one.
    pub content: Range<u64>,
    /// The opening line's info string, without spaces around it.
    pub info: Range<u64>,
}

impl CodeRegion {
    /// The bytes of `text` that the region's content is.
    #[must_use]
    pub fn content_in<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        slice(text, &self.content)
    }

    /// The bytes of `text` that the region's info string is.
    #[must_use]
    pub fn info_in<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        slice(text, &self.info)
    }
}

fn slice<'t>(text: &'t [u8], range: &Range<u64>) -> &'t [u8] {
    let at = |offset: u64| usize::try_from(offset).ok();
    at(range.start).zip(at(range.end)).and_then(|(from, to)| text.get(from..to)).unwrap_or_default()
}

/// What there was besides the regions, told when the text is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionsEnd {
    /// How many regions there were past the cap.
    pub dropped: u64,
    /// The offset of the first byte from which no region is read, where reading stopped.
    pub stopped_at: Option<u64>,
    /// The opening run of a block that is open at the end: its character, and how many there are.
    pub open_fence: Option<(u8, u64)>,
}

/// The reader of code regions.
///
/// ```
/// use sidenote_core::CodeRegions;
///
/// let text = b"Total:\n```python\nprint(1)\n```\nDone.";
/// let mut regions = Vec::new();
/// let mut reader = CodeRegions::new();
/// for chunk in text.chunks(4) {
///     reader.push(chunk, |region| regions.push(region));
/// }
/// let end = reader.end(|region| regions.push(region));
/// assert_eq!(regions[0].content_in(text), b"print(1)");
/// assert_eq!(regions[0].info_in(text), b"python");
/// assert_eq!((end.stopped_at, end.open_fence), (None, None));
/// ```
///
/// # Cost
///
/// Time proportional to the text up to where reading stops; each byte is looked at once, and a last time where spaces trail an
/// info string. The state is at most 128 bytes, and no other memory is needed.
///
/// # Source
///
/// `agentfootprint evidence/codeRegions`. The rules are `code_regions/…` in `spec/rules.json`.
#[derive(Clone, Debug)]
pub struct CodeRegions {
    /// The offset of the next byte.
    offset: u64,
    /// Where the current line begins, or where reading stopped.
    line: u64,
    /// The block that is open: where its opening line begins.
    start: u64,
    /// Where its content begins.
    content: u64,
    /// Where its content ends if the next line closes it.
    content_end: u64,
    /// The info string of the block, or of the line that may open one.
    info: u64,
    info_end: u64,
    /// How many regions were handed out, how many more there were, and how many may be.
    blocks: u64,
    dropped: u64,
    max: u64,
    /// The opening line of the block.
    opening: Run,
    /// The line being read from its first fence character on; behind other text in a block, the run there.
    run: Run,
    state: State,
    in_block: bool,
    /// The spaces before the current line's first other byte.
    spaces: u8,
    /// How many bytes of a byte-order mark the text began with.
    mark: u8,
}

/// What the next byte is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The line's indentation.
    Indentation,
    /// A line that may be a fence line.
    Run,
    /// Behind a `<` that may begin an HTML block.
    Angle,
    /// Behind a `$` that may begin display math.
    Dollar,
    /// The rest of the line.
    Rest,
    /// Behind a carriage return that ended a line of the given kind: a line feed is part of the same ending.
    Return(Line),
    /// Nothing: reading stopped.
    Stopped,
}

/// What a line was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Prose,
    Opening,
    Content,
    Closing,
    /// A closing line with a tab, behind which reading stops.
    ClosingWithTab,
}

const _: () = assert!(size_of::<CodeRegions>() <= 128, "the state is promised to be at most 128 bytes");

const BYTE_ORDER_MARK: [u8; 3] = *b"\xEF\xBB\xBF";

impl Default for CodeRegions {
    fn default() -> Self {
        Self::new()
    }
}

impl CodeRegions {
    /// A reader of at most [`MAX_CODE_REGIONS`] regions.
    #[must_use]
    pub const fn new() -> Self {
        Self::with_max(MAX_CODE_REGIONS)
    }

    /// A reader of at most `max` regions; more are counted.
    #[must_use]
    pub const fn with_max(max: u64) -> Self {
        Self {
            offset: 0,
            line: 0,
            start: 0,
            content: 0,
            content_end: 0,
            info: 0,
            info_end: 0,
            blocks: 0,
            dropped: 0,
            max,
            opening: Run::begin(0),
            run: Run::begin(0),
            state: State::Indentation,
            in_block: false,
            spaces: 0,
            mark: 0,
        }
    }

    /// Reads the next bytes of the text; `on` gets each region that is complete.
    pub fn push(&mut self, chunk: &[u8], mut on: impl FnMut(CodeRegion)) {
        let mut rest = chunk;
        while let [byte, after @ ..] = rest {
            if self.offset < 3 && self.is_byte_order_mark(*byte) {
                self.stop(0);
            }
            let read = match self.state {
                State::Indentation => self.indentation(*byte),
                State::Run => self.run(*byte),
                State::Angle => self.angle(*byte),
                State::Dollar => self.dollar(*byte),
                State::Rest if self.offset < 3 => self.rest(&[*byte]),
                State::Rest => self.rest(rest),
                State::Return(line) => self.after_return(line, *byte, &mut on),
                State::Stopped => return,
            };
            match read {
                // Most lines are words: what a state passed over is more than a byte.
                Read::Bytes(count) => {
                    self.offset += count as u64;
                    rest = rest.get(count..).unwrap_or_default();
                }
                Read::LineEnding => {
                    self.line_ends(*byte, &mut on);
                    rest = after;
                }
            }
        }
    }

    /// The text is over: hands out a region that its last line closed, and tells what else there was.
    pub fn end(mut self, mut on: impl FnMut(CodeRegion)) -> RegionsEnd {
        match self.state {
            State::Stopped => {}
            State::Return(line) => self.line_ended(line, &mut on),
            _ => {
                let line = self.kind();
                match line {
                    Line::Closing | Line::ClosingWithTab => {
                        self.line = self.offset;
                        self.line_ended(line, &mut on);
                    }
                    Line::Opening => {
                        self.opening = self.run;
                        self.in_block = true;
                    }
                    Line::Prose | Line::Content => {}
                }
            }
        }
        let stopped_at = (self.state == State::Stopped).then_some(self.line);
        let open = self.in_block && stopped_at.is_none();
        let open_fence = open.then_some((self.opening.byte, self.opening.length as u64));
        RegionsEnd { dropped: self.dropped, stopped_at, open_fence }
    }

    /// Whether `byte` completes a byte-order mark at the very beginning of the text.
    fn is_byte_order_mark(&mut self, byte: u8) -> bool {
        let mark = usize::from(self.mark);
        if self.offset == u64::from(self.mark) && BYTE_ORDER_MARK.get(mark) == Some(&byte) {
            self.mark += 1;
        }
        usize::from(self.mark) == BYTE_ORDER_MARK.len()
    }

    /// In a line's indentation: waits for its first other byte.
    fn indentation(&mut self, byte: u8) -> Read {
        if is_line_ending(byte) {
            return Read::LineEnding;
        }
        if byte == b' ' && self.spaces < 3 {
            self.spaces += 1;
            return Read::Bytes(1);
        }
        self.state = match byte {
            b'`' | b'~' if !self.in_block || byte == self.opening.byte => {
                self.run = Run::begin(byte);
                if !self.in_block {
                    self.info = self.offset + 1;
                    self.info_end = self.info;
                }
                State::Run
            }
            b'<' if !self.in_block => State::Angle,
            b'$' if !self.in_block => State::Dollar,
            _ => return self.other(byte),
        };
        Read::Bytes(1)
    }

    /// From a line's first backtick or tilde on: waits for what a fence line cannot have.
    fn run(&mut self, byte: u8) -> Read {
        if is_line_ending(byte) {
            return Read::LineEnding;
        }
        let whole = self.run;
        self.run.push(byte);
        if self.in_block {
            if !self.run.may_still_close(self.opening) {
                if whole.length >= self.opening.length {
                    return self.stop(self.start);
                }
                return self.other(byte);
            }
        } else if self.run.may_still_open() {
            let at = self.offset + 1;
            if self.run.rest == Rest::Nothing {
                self.info = at;
                self.info_end = at;
            } else if byte != b' ' {
                if self.info == self.info_end {
                    self.info = self.offset;
                }
                self.info_end = at;
            }
        } else {
            return self.other(byte);
        }
        Read::Bytes(1)
    }

    /// At a byte that makes the line prose, or content of the block.
    fn other(&mut self, byte: u8) -> Read {
        self.run = Run { length: usize::from(byte == self.opening.byte), ..self.opening };
        self.state = State::Rest;
        Read::Bytes(1)
    }

    /// Behind a `<`: what follows decides whether it may begin an HTML block.
    fn angle(&mut self, byte: u8) -> Read {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'/' | b'!' | b'?' => self.stop(self.line),
            _ => self.in_prose(),
        }
    }

    /// Behind a `$`: a second one begins display math.
    fn dollar(&mut self, byte: u8) -> Read {
        if byte == b'$' { self.stop(self.line) } else { self.in_prose() }
    }

    fn in_prose(&mut self) -> Read {
        self.state = State::Rest;
        Read::Bytes(0)
    }

    /// In words: waits for the line's end, in a block also for a run that a laxer renderer might close it at.
    fn rest(&mut self, bytes: &[u8]) -> Read {
        if !self.in_block {
            return Self::up_to(memchr::memchr2(b'\n', b'\r', bytes), bytes);
        }
        let fence = self.opening.byte;
        match bytes.first() {
            Some(byte) if *byte == fence => {
                self.run.length = self.run.length.saturating_add(1);
                if self.run.length >= self.opening.length { self.stop(self.start) } else { Read::Bytes(1) }
            }
            _ => {
                self.run.length = 0;
                Self::up_to(memchr::memchr3(b'\n', b'\r', fence, bytes), bytes)
            }
        }
    }

    fn up_to(found: Option<usize>, bytes: &[u8]) -> Read {
        match found {
            Some(0) => Read::LineEnding,
            Some(count) => Read::Bytes(count),
            None => Read::Bytes(bytes.len()),
        }
    }

    /// Reading stops, at `offset`.
    fn stop(&mut self, offset: u64) -> Read {
        self.line = offset;
        self.state = State::Stopped;
        Read::Bytes(0)
    }

    /// What the line is if it ends here.
    fn kind(&mut self) -> Line {
        match (self.state, self.in_block) {
            (State::Run, false) if self.run.opens() && self.spaces == 0 => Line::Opening,
            (State::Run, false) if self.run.opens() => {
                self.stop(self.line);
                Line::Prose
            }
            (State::Run, true) if self.run.closes(self.opening) => {
                if self.run.rest == Rest::Tabs {
                    Line::ClosingWithTab
                } else {
                    Line::Closing
                }
            }
            (_, true) => Line::Content,
            (_, false) => Line::Prose,
        }
    }

    /// At a line ending.
    fn line_ends(&mut self, byte: u8, on: &mut impl FnMut(CodeRegion)) {
        let line = self.kind();
        if self.state == State::Stopped {
            return;
        }
        let at = self.offset;
        self.offset += 1;
        match line {
            Line::Opening => {
                self.in_block = true;
                self.opening = self.run;
                self.start = self.line;
                self.content = self.offset;
                self.content_end = self.offset;
            }
            Line::Content => self.content_end = at,
            Line::Prose | Line::Closing | Line::ClosingWithTab => {}
        }
        self.line = self.offset;
        self.spaces = 0;
        if byte == b'\r' {
            self.state = State::Return(line);
        } else {
            self.line_ended(line, on);
        }
    }

    /// Behind a carriage return: takes a line feed into the ending.
    fn after_return(&mut self, line: Line, byte: u8, on: &mut impl FnMut(CodeRegion)) -> Read {
        let is_line_feed = byte == b'\n';
        if is_line_feed {
            self.line += 1;
            match line {
                Line::Opening => {
                    self.content += 1;
                    self.content_end += 1;
                }
                // The carriage return is content.
                Line::Content => self.content_end = self.offset,
                Line::Prose | Line::Closing | Line::ClosingWithTab => {}
            }
        }
        self.line_ended(line, on);
        Read::Bytes(usize::from(is_line_feed))
    }

    /// Behind a line and all of its ending.
    fn line_ended(&mut self, line: Line, on: &mut impl FnMut(CodeRegion)) {
        self.state = State::Indentation;
        if !matches!(line, Line::Closing | Line::ClosingWithTab) {
            return;
        }
        self.in_block = false;
        if self.blocks < self.max {
            self.blocks += 1;
            on(CodeRegion {
                block: self.blocks,
                start: self.start,
                end: self.line,
                content: self.content..self.content_end,
                info: self.info..self.info_end,
            });
        } else {
            self.dropped += 1;
        }
        if line == Line::ClosingWithTab {
            self.stop(self.line);
        }
    }
}

/// What a state took.
enum Read {
    /// So many bytes.
    Bytes(usize),
    /// Nothing: the byte is a line ending.
    LineEnding,
}
