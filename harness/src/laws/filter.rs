//! The filter's laws.

use serde_json::Value;

use super::{cuttings, naive_filter, same, sorted};
use crate::{Error, Event, Keys, OnFull, Removed, least_memory};

/// What the filter made of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Outcome {
    visible: Vec<u8>,
    /// Object, key, value and completeness.
    removed: Vec<(u64, usize, Option<Vec<u8>>, bool)>,
    lost: u64,
    /// Which limit was met, and at which byte.
    stopped: Option<(&'static str, u64)>,
}

impl Outcome {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Text(bytes) => self.visible.extend_from_slice(bytes),
            Event::Removed(Removed { object, key, value, complete, .. }) => {
                self.removed.push((object, key, value.map(<[u8]>::to_vec), complete));
            }
            Event::Lost { bytes, .. } => self.lost += bytes,
            _ => {}
        }
    }
}

/// Checks every law of the filter on a text, cut at `cuts` (byte offsets, in any order) and whole.
///
/// Any cut gives the same; nothing removed leaves the text as it is; a JSON object comes out as itself without the members;
/// the visible bytes are bytes of the text, in order; the naive twin says the same; words are never held; memory that grows changes
/// nothing.
///
/// # Errors
///
/// The law that does not hold, and what was seen.
pub fn filter_laws(text: &[u8], keys: &[&str], cuts: &[usize]) -> Result<(), String> {
    let enough = enough_memory(text, keys);
    let whole = outcome(text, keys, &[], enough, OnFull::Fail);
    for cuts in cuttings(text, cuts) {
        same("cut", &outcome(text, keys, &cuts, enough, OnFull::Fail), &whole)?;
    }
    if whole.removed.is_empty() {
        same("identity", &whole.visible.as_slice(), &text)?;
    }
    conserved(text, &whole.visible)?;
    json(text, keys, &whole)?;
    same_as_twin(text, keys, &whole)?;
    prompt(text, keys, enough)?;
    same("growing memory", &growing(text, keys, &sorted(text, cuts)), &whole)
}

/// Checks that the naive twin says the same of a text, fed whole and byte by byte.
///
/// # Errors
///
/// What was seen.
pub fn filter_agrees_with_twin(text: &[u8], keys: &[&str]) -> Result<(), String> {
    let enough = enough_memory(text, keys);
    let bytes: Vec<usize> = (1..text.len()).collect();
    same_as_twin(text, keys, &outcome(text, keys, &[], enough, OnFull::Fail))?;
    same_as_twin(text, keys, &outcome(text, keys, &bytes, enough, OnFull::Fail))
}

fn same_as_twin(text: &[u8], keys: &[&str], outcome: &Outcome) -> Result<(), String> {
    let twin = naive_filter::filter(text, keys);
    same("twin, visible", &outcome.visible, &twin.visible)?;
    let removed = twin.removed.into_iter().map(|one| (one.object, one.key, Some(one.value), one.complete)).collect();
    same("twin, removed", &outcome.removed, &removed)
}

/// Checks the laws of a memory of `memory` bytes that may be too small for the text.
///
/// Any cut gives the same, and trips at the same byte; no byte is lost without being counted; whatever was lent is zero at the end.
///
/// # Errors
///
/// The law that does not hold, and what was seen.
pub fn filter_limit_laws(text: &[u8], keys: &[&str], cuts: &[usize], memory: usize) -> Result<(), String> {
    let memory = memory.max(least_memory(Keys::all(keys)));
    for on_full in [OnFull::Fail, OnFull::Show, OnFull::Hide] {
        let whole = outcome(text, keys, &[], memory, on_full);
        for cuts in cuttings(text, cuts) {
            same(&format!("cut under {on_full:?}"), &outcome(text, keys, &cuts, memory, on_full), &whole)?;
        }
        conserved(text, &whole.visible)?;
        if on_full == OnFull::Show {
            same("nothing stops under show", &(whole.stopped, whole.lost), &(None, 0))?;
        }
        if on_full == OnFull::Hide {
            same("nothing stops under hide", &whole.stopped, &None)?;
        }
        if whole.removed.is_empty() && whole.lost == 0 && whole.stopped.is_none() {
            same("identity", &whole.visible.as_slice(), &text)?;
        }
    }
    Ok(())
}

fn enough_memory(text: &[u8], keys: &[&str]) -> usize {
    least_memory(Keys::all(keys)).max(2 * text.len() + 8)
}

fn outcome(text: &[u8], keys: &[&str], cuts: &[usize], memory: usize, on_full: OnFull) -> Outcome {
    let mut lent = vec![0xA5; memory];
    let mut outcome = Outcome::default();
    {
        let filter = sidenote_core::Filter::new(Keys::all(keys), &mut lent[..]);
        let mut filter = filter.expect("there is at least the least memory").on_full(on_full);
        let mut done = 0;
        let mut stopped = None;
        for &cut in cuts.iter().chain([&text.len()]) {
            stopped = filter.push(&text[done..cut], |event| outcome.take(event)).err();
            if let Some(Error::Memory { at, read } | Error::Nesting { at, read }) = stopped {
                assert_eq!(at, (done + read) as u64, "the offset of the byte that did not fit");
                break;
            }
            done = cut;
        }
        match stopped {
            Some(Error::Memory { at, .. }) => outcome.stopped = Some(("memory", at)),
            Some(Error::Nesting { at, .. }) => outcome.stopped = Some(("nesting", at)),
            _ => filter.end(|event| outcome.take(event)).expect("only a limit stops a filter"),
        }
    }
    // What was never written to keeps the pattern it was lent with.
    assert!(lent.iter().all(|byte| matches!(byte, 0 | 0xA5)), "something stayed in the memory");
    outcome
}

/// The outcome in a memory that begins as small as can be and grows by a byte or two where it has to.
fn growing(text: &[u8], keys: &[&str], cuts: &[usize]) -> Outcome {
    let mut memory = least_memory(Keys::all(keys));
    let filter = sidenote_core::Filter::new(Keys::all(keys), vec![0; memory]);
    let mut filter = filter.expect("there is at least the least memory").on_full(OnFull::Grow);
    let mut outcome = Outcome::default();
    let mut done = 0;
    for &cut in cuts.iter().chain([&text.len()]) {
        let mut chunk = &text[done..cut];
        while let Err(error) = filter.push(chunk, |event| outcome.take(event)) {
            let (Error::Memory { read, .. } | Error::Nesting { read, .. }) = error else { panic!("{error}") };
            chunk = &chunk[read..];
            memory += 1 + read % 2;
            filter = filter.moved_to(vec![0; memory]).expect("it is larger");
        }
        done = cut;
    }
    filter.end(|event| outcome.take(event)).expect("only a limit stops a filter");
    assert!(!filter.released(), "memory that grows gives nothing back");
    outcome
}

/// The visible bytes are bytes of the text in their order, closing braces aside: an object that lacks its own gets one.
fn conserved(text: &[u8], visible: &[u8]) -> Result<(), String> {
    let mut rest = text.iter();
    for (at, byte) in visible.iter().enumerate().filter(|(_, byte)| **byte != b'}') {
        if !rest.any(|other| other == byte) {
            return Err(format!("conservation: the visible byte {at} is not of the text: {visible:?}"));
        }
    }
    Ok(())
}

/// What is held, behind white space, begins where an object, a fence line, a separator or a key does: never with a word.
fn prompt(text: &[u8], keys: &[&str], memory: usize) -> Result<(), String> {
    let filter = sidenote_core::Filter::new(Keys::all(keys), vec![0; memory]);
    let mut filter = filter.expect("there is at least the least memory");
    for (at, byte) in text.iter().enumerate() {
        filter.push(&[*byte], |_| ()).expect("memory is enough");
        let held = filter.held();
        let first = held.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        if !matches!(first, None | Some(b'{' | b'`' | b'~' | b',' | b'"')) {
            return Err(format!("prompt: behind byte {at} {:?} is held", String::from_utf8_lossy(held)));
        }
    }
    Ok(())
}

/// A text that is one JSON object comes out as that object without its reserved members.
fn json(text: &[u8], keys: &[&str], whole: &Outcome) -> Result<(), String> {
    let Ok(Value::Object(mut object)) = serde_json::from_slice(text) else { return Ok(()) };
    for key in keys {
        object.shift_remove(*key);
    }
    let visible: Value = serde_json::from_slice(&whole.visible)
        .map_err(|error| format!("JSON: {error} in {:?}", String::from_utf8_lossy(&whole.visible)))?;
    same("JSON", &visible, &Value::Object(object))
}
