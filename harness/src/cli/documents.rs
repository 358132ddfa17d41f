//! Files of JSON: one value, a list, or a value a line; and ledgers, which are added to so that nothing is lost.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use fs4::FileExt;
use serde_json::Value;
use sidenote::json;
use sidenote::ledger::{Row, read_rows};
use tempfile::Builder;

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
    pub(crate) form: Form,
    /// The file as it is.
    pub(crate) text: Vec<u8>,
}

impl Documents {
    /// Reads a file, or standard input for `-` or none.
    pub(crate) fn read(file: Option<&PathBuf>) -> anyhow::Result<Self> {
        let name = name(file);
        Self::parse(name, read_all(file)?)
    }

    /// The values of `text`: those of the array that it is, or one a line.
    fn parse(name: String, text: Vec<u8>) -> anyhow::Result<Self> {
        if text.trim_ascii_start().first() == Some(&b'[') {
            let values = match json::parse(&text).with_context(|| name.clone())? {
                Value::Array(values) => values,
                _ => Vec::new(),
            };
            return Ok(Self { name, values, form: Form::Array, text });
        }
        let mut values = Vec::new();
        for (index, line) in text.split(|byte| *byte == b'\n').enumerate() {
            if !line.trim_ascii().is_empty() {
                values.push(json::parse(line).with_context(|| format!("{name}, line {}", index + 1))?);
            }
        }
        Ok(Self { name, values, form: Form::Lines, text })
    }

    /// The rows of the ledger that the file is.
    pub(crate) fn rows(self) -> anyhow::Result<Vec<Row>> {
        read_rows(Value::Array(self.values)).with_context(|| self.name)
    }

    /// Writes values in the form that these were read in.
    pub(crate) fn write<'v>(
        form: Form,
        values: impl Iterator<Item = &'v Value>,
        to: &mut impl Write,
    ) -> anyhow::Result<()> {
        match form {
            Form::Lines => values.into_iter().try_for_each(|value| writeln!(to, "{value}"))?,
            Form::Array => {
                write!(to, "[")?;
                for (index, value) in values.enumerate() {
                    write!(to, "{}{value}", if index > 0 { "," } else { "" })?;
                }
                writeln!(to, "]")?;
            }
        }
        Ok(())
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

/// Adds rows to the ledger in `file`, which need not be there yet.
///
/// Under a lock on `file` with `.lock` behind its name, the ledger is read and checked, written anew beside itself, synced and renamed: two
/// at once lose no row, and a crash leaves the old file whole.
pub(crate) fn add_rows(file: &Path, rows: &[Row]) -> anyhow::Result<()> {
    // A link is followed, so that what it points at is replaced and not the link.
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let name = file.display().to_string();
    let mut lock_path = file.clone().into_os_string();
    lock_path.push(".lock");
    let lock = File::create(&lock_path).with_context(|| PathBuf::from(&lock_path).display().to_string())?;
    FileExt::lock(&lock).with_context(|| format!("the lock of {name}"))?;
    let old = match fs::read(&file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        read => read.with_context(|| name.clone())?,
    };
    let mut ledger = Documents::parse(name.clone(), old)?;
    let (form, is_empty) = (ledger.form, ledger.values.is_empty());
    let old = std::mem::take(&mut ledger.text);
    ledger.rows()?;
    let new = match form {
        Form::Lines => with_lines(old, rows),
        Form::Array => with_elements(&old, is_empty, rows),
    };
    replace(&file, &new).with_context(|| name)
}

fn with_lines(mut ledger: Vec<u8>, rows: &[Row]) -> Vec<u8> {
    if ledger.last().is_some_and(|byte| *byte != b'\n') {
        ledger.push(b'\n');
    }
    for row in rows {
        ledger.extend(row.to_value().to_string().into_bytes());
        ledger.push(b'\n');
    }
    ledger
}

/// The array with rows before its last bracket; every byte that stood there stays.
fn with_elements(ledger: &[u8], is_empty: bool, rows: &[Row]) -> Vec<u8> {
    let bracket = ledger.iter().rposition(|byte| *byte == b']').unwrap_or(ledger.len());
    let (before, after) = ledger.split_at(bracket);
    let mut array = before.trim_ascii_end().to_vec();
    for (index, row) in rows.iter().enumerate() {
        array.extend_from_slice(if is_empty && index == 0 { b"\n" } else { b",\n" });
        array.extend(row.to_value().to_string().into_bytes());
    }
    array.push(b'\n');
    array.extend_from_slice(after);
    array
}

/// Puts `content` in the place of `file` at once, or not at all.
fn replace(file: &Path, content: &[u8]) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let mut builder = Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let permissions = fs::metadata(file).map(|old| old.permissions());
        builder.permissions(permissions.unwrap_or_else(|_| fs::Permissions::from_mode(0o666)));
    }
    let mut beside = builder.tempfile_in(folder)?;
    beside.write_all(content)?;
    beside.as_file().sync_all()?;
    beside.persist(file)?;
    // The name is in the folder, and the folder is synced like a file.
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    Ok(())
}
