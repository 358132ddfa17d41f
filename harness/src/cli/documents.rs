//! Files of JSON: one value, a list, or a value a line.

use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::Value;
use sidenote::json;
use sidenote::ledger::{Row, read_rows};

use crate::input::read_all;

/// How the values of a file are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// One JSON array.
    Array,
    /// A JSON value a line.
    Lines,
}

/// The values of a file.
pub(crate) struct Documents {
    pub(crate) name: String,
    pub(crate) values: Vec<Value>,
    /// Where in the file each value stands.
    pub(crate) ranges: Vec<Range<usize>>,
    pub(crate) form: Form,
    /// The file as it is.
    pub(crate) text: Vec<u8>,
}

impl Documents {
    /// Reads a file, or standard input for `-` or none.
    pub(crate) fn read(file: Option<&PathBuf>) -> anyhow::Result<Self> {
        Self::parse(name(file), read_all(file)?)
    }

    /// The values of `text`: those of the array that it is, or one a line.
    pub(crate) fn parse(name: String, text: Vec<u8>) -> anyhow::Result<Self> {
        if text.trim_ascii_start().first() == Some(&b'[') {
            let Value::Array(values) = json::parse(&text).with_context(|| name.clone())? else {
                bail!("{name}: not a JSON array");
            };
            let ranges = json::children(&text).with_context(|| name.clone())?.into_iter().map(|(_, range)| range);
            let ranges = ranges.collect();
            return Ok(Self { name, values, ranges, form: Form::Array, text });
        }
        let (mut values, mut ranges, mut start) = (Vec::new(), Vec::new(), 0);
        for (index, line) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
            let value = line.trim_ascii();
            if !value.is_empty() {
                values.push(json::parse(line).with_context(|| format!("{name}, line {}", index + 1))?);
                let from = start + (line.len() - line.trim_ascii_start().len());
                ranges.push(from..from + value.len());
            }
            start += line.len();
        }
        Ok(Self { name, values, ranges, form: Form::Lines, text })
    }

    /// The rows of the ledger that the file is.
    pub(crate) fn rows(self) -> anyhow::Result<Vec<Row>> {
        read_rows(Value::Array(self.values)).with_context(|| self.name)
    }
}

/// The one value that a file, or standard input, holds.
pub(crate) fn read_value(file: Option<&PathBuf>) -> anyhow::Result<Value> {
    let text = read_all(file)?;
    // A list around it makes any value one that the reader takes.
    let list = [b"[", text.as_slice(), b"]"].concat();
    match json::parse(&list) {
        Ok(Value::Array(mut values)) if values.len() == 1 => Ok(values.remove(0)),
        _ => bail!("{}: not one JSON value", name(file)),
    }
}

fn name(file: Option<&PathBuf>) -> String {
    match file {
        Some(path) if path != Path::new("-") => path.display().to_string(),
        _ => "standard input".into(),
    }
}
