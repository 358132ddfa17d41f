//! The laws of code regions, and their agreement with a CommonMark renderer.

use std::cell::Ref;

use comrak::nodes::{Ast, NodeValue};
use comrak::{Arena, Options, parse_document};

use super::{chunks, cuttings, naive_regions, same};
use crate::{CodeRegion, CodeRegions, MAX_CODE_REGIONS, Regions, RegionsEnd, code_regions};

/// Checks the laws of code regions on a text: any cut gives the same; the naive twin says the same; regions are in order and stand
/// where they say; past the cap nothing changes but the count.
///
/// # Errors
///
/// The law that does not hold, and what was seen.
pub fn code_regions_laws(text: &[u8], cuts: &[usize]) -> Result<(), String> {
    let whole = code_regions(text, MAX_CODE_REGIONS);
    for cuts in cuttings(text, cuts) {
        let mut regions = Vec::new();
        let mut reader = CodeRegions::new();
        for chunk in chunks(text, &cuts) {
            reader.push(chunk, |region| regions.push(region));
        }
        let end = reader.end(|region| regions.push(region));
        same("cut", &Regions { regions, end }, &whole)?;
    }
    let twin = naive_regions::code_regions(text, MAX_CODE_REGIONS);
    let theirs = twin.regions.into_iter().map(|region| CodeRegion {
        block: region.block,
        start: region.start,
        end: region.end,
        content: region.content,
        info: region.info,
    });
    same("twin, regions", &whole.regions, &theirs.collect())?;
    let end = RegionsEnd { dropped: twin.dropped, stopped_at: twin.stopped_at, open_fence: twin.open_fence };
    same("twin, end", &whole.end, &end)?;
    let mut last = 0;
    for (region, block) in whole.regions.iter().zip(1..) {
        same("numbers", &region.block, &block)?;
        let places = [last, region.start, region.info.start, region.info.end, region.content.start, region.content.end];
        if !places.is_sorted() || region.content.end > region.end || region.end > text.len() as u64 {
            return Err(format!("order: {region:?} after {last}"));
        }
        last = region.end;
    }
    if whole.end.stopped_at.is_some_and(|at| at < last || whole.end.open_fence.is_some()) {
        return Err(format!("a stop before a region, or with an open fence: {:?}", whole.end));
    }
    let none = code_regions(text, 0);
    same("cap, count", &none.end.dropped, &(whole.regions.len() as u64 + whole.end.dropped))?;
    same("cap, stop", &(none.end.stopped_at, none.end.open_fence), &(whole.end.stopped_at, whole.end.open_fence))
}

/// A fenced block at the top level of a document, as a renderer or we see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FencedBlock {
    /// The number of its opening line, from 1.
    pub line: usize,
    /// Its info string, decoded.
    pub info: String,
    /// Its content, line endings normalized, each line with its own.
    pub content: String,
}

/// Checks that every region is a fenced block at the top level of the document for comrak, with the same info string and content,
/// and that none before the place where reading stopped is missed.
///
/// # Errors
///
/// What we and the renderer see, where they differ.
pub fn renderer_agreement(text: &str) -> Result<(), String> {
    let read = code_regions(text.as_bytes(), u64::MAX);
    let stop = read.end.stopped_at.map_or(usize::MAX, |at| line_of(text, at));
    let mut theirs: Vec<FencedBlock> = rendered(text).into_iter().filter(|block| block.line < stop).collect();
    if read.end.open_fence.is_some() {
        // A renderer is still inside this one; it is no region, and the last block there is.
        theirs.pop().ok_or("a fence is open for us alone")?;
    }
    same("renderer", &fenced_blocks(text), &theirs)
}

/// The regions of `text` as a renderer would see them.
#[must_use]
pub fn fenced_blocks(text: &str) -> Vec<FencedBlock> {
    let regions = code_regions(text.as_bytes(), u64::MAX).regions;
    let slice = |from: u64, to: usize| text.get(usize::try_from(from).unwrap_or(usize::MAX)..to).unwrap_or_default();
    let block = |region: &CodeRegion| {
        // The last content line's ending is the wrapper's for us and the content's for a renderer.
        let end = usize::try_from(region.content.end).unwrap_or(usize::MAX);
        let ending = text.get(end..).is_some_and(|rest| rest.starts_with(['\n', '\r']));
        let content = slice(region.content.start, end + usize::from(ending));
        let info = slice(region.info.start, usize::try_from(region.info.end).unwrap_or(usize::MAX));
        FencedBlock {
            line: line_of(text, region.start),
            info: decoded_info(info.trim_matches([' ', '\t'])),
            content: normalized(content),
        }
    };
    regions.iter().map(block).collect()
}

/// What a renderer makes of line endings and NUL, sooner or later.
fn normalized(content: &str) -> String {
    content.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{FFFD}")
}

/// The info string that a renderer decodes `info` to, which has no space or tab at its ends.
///
/// A line of tildes takes any info string, so the renderer itself can be asked; where it begins and ends is what we compare.
fn decoded_info(info: &str) -> String {
    let longest = info.split(|character| character != '~').map(str::len).max().unwrap_or(0);
    let fence = "~".repeat(longest + 3);
    rendered(&format!("{fence} {info}\n{fence}")).pop().map(|block| block.info).unwrap_or_default()
}

/// The fenced blocks at the top level of a document for comrak, also one that is open at the end.
fn rendered(text: &str) -> Vec<FencedBlock> {
    let arena = Arena::new();
    let document = parse_document(&arena, text, &Options::default());
    let block = |ast: Ref<'_, Ast>| match &ast.value {
        NodeValue::CodeBlock(code) if code.fenced => Some(FencedBlock {
            line: ast.sourcepos.start.line,
            info: code.info.clone(),
            content: normalized(&code.literal),
        }),
        _ => None,
    };
    document.children().filter_map(|node| block(node.data.borrow())).collect()
}

/// The number of the line on which the byte at `offset` stands.
fn line_of(text: &str, offset: u64) -> usize {
    let before = text.as_bytes().get(..usize::try_from(offset).unwrap_or(usize::MAX)).unwrap_or_default();
    let ends = |(at, byte): (usize, &u8)| match byte {
        b'\n' => true,
        b'\r' => text.as_bytes().get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    1 + before.iter().enumerate().filter(|line| ends(*line)).count()
}
