//! The case protocol for programs without JSON: what core's machines are asked and answer, as bytes.
//!
//! `spec/README.md` describes both; numbers are little-endian.

use std::io;

use serde_json::{Value, json};

/// Which of core's machines is asked, and with what.
#[derive(Clone, Debug, Default)]
pub(super) struct Feed {
    /// 0: filter, 1: code regions, 2: leading values, 3: JSON prefix.
    pub(super) machine: u32,
    /// How much memory is lent, in bytes.
    pub(super) memory: usize,
    /// What happens when that is full, or how many regions are read.
    pub(super) choice: u64,
    /// The reserved keys.
    pub(super) keys: Vec<String>,
}

/// One thing that a machine handed out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// What it is.
    pub(crate) kind: u8,
    numbers: Vec<u64>,
    /// The bytes that it is about.
    pub(crate) bytes: Vec<u8>,
}

impl Record {
    /// What came of the text: a status, an offset and what else there is to tell.
    pub(crate) const END: u8 = 0;
    pub(crate) const TEXT: u8 = 1;
    pub(crate) const REMOVED: u8 = 2;
    pub(crate) const LOST: u8 = 3;
    pub(crate) const REGION: u8 = 4;
    pub(crate) const VALUE: u8 = 5;
    pub(crate) const OPEN: u8 = 6;
    pub(crate) const CLOSE: u8 = 7;
    pub(crate) const BEGIN: u8 = 8;
    pub(crate) const WRITTEN: u8 = 9;
    pub(crate) const DECODED: u8 = 10;
    pub(crate) const LEAF_END: u8 = 11;

    /// The number at `index`; 0 where there is none.
    pub(crate) fn number(&self, index: usize) -> u64 {
        self.numbers.get(index).copied().unwrap_or_default()
    }

    /// The answer to a question that has no such record.
    pub(crate) fn refuse(&self) -> Value {
        json!({"error": format!("there are no records of kind {} here", self.kind)})
    }

    /// Whether the number at `index` says yes.
    pub(crate) fn is(&self, index: usize) -> bool {
        self.number(index) != 0
    }
}

impl super::Question {
    /// The question and its cuttings as records' programs read them; none where no machine of core is asked.
    #[must_use]
    pub(crate) fn feed(&self, cuttings: &[Vec<usize>]) -> Option<Vec<u8>> {
        let feed = self.ask().feed()?;
        let mut request = Vec::new();
        let word = |request: &mut Vec<u8>, number: usize| {
            request.extend_from_slice(&u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
        };
        let bytes = |request: &mut Vec<u8>, bytes: &[u8]| {
            word(request, bytes.len());
            request.extend_from_slice(bytes);
        };
        request.extend_from_slice(&feed.machine.to_le_bytes());
        word(&mut request, feed.memory);
        request.extend_from_slice(&feed.choice.to_le_bytes());
        word(&mut request, feed.keys.len());
        feed.keys.iter().for_each(|key| bytes(&mut request, key.as_bytes()));
        bytes(&mut request, &self.bytes().bytes);
        word(&mut request, cuttings.len());
        for cuts in cuttings {
            word(&mut request, cuts.len());
            for cut in cuts {
                word(&mut request, *cut);
            }
        }
        Some(request)
    }

    /// The answer that records, up to the one that ends them, spell.
    #[must_use]
    pub(crate) fn answer_from(&self, records: &[Record]) -> Value {
        self.ask().answer_from(records)
    }
}

/// Reads the records of one text off the front of `bytes`, the last being what came of it.
pub(crate) fn records_of_one(bytes: &mut &[u8]) -> io::Result<Vec<Record>> {
    let mut records = Vec::new();
    loop {
        let record = record(bytes).ok_or_else(|| io::Error::other("the records end too early"))?;
        let last = record.kind == Record::END;
        records.push(record);
        if last {
            return Ok(records);
        }
    }
}

fn record(bytes: &mut &[u8]) -> Option<Record> {
    let [kind, count, ..] = **bytes else { return None };
    *bytes = bytes.get(2..)?;
    let mut numbers = Vec::new();
    for _ in 0..count {
        let (number, rest) = bytes.split_first_chunk::<8>()?;
        numbers.push(u64::from_le_bytes(*number));
        *bytes = rest;
    }
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    let (own, rest) = rest.split_at_checked(length)?;
    *bytes = rest;
    Some(Record { kind, numbers, bytes: own.to_vec() })
}
