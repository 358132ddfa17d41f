//! Where a command's input comes from: a file, or standard input.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::CommandFactory;
use clap::error::ErrorKind;

use crate::Arguments;

/// A readable input and the name that errors call it by.
pub(crate) struct Input {
    pub(crate) name: String,
    /// Its size in bytes, where it is a file.
    pub(crate) size: Option<u64>,
    from: Box<dyn Read>,
}

impl Input {
    /// Opens `file`; standard input where none is named, or `-`.
    pub(crate) fn open(file: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = file.filter(|path| *path != Path::new("-")) else {
            return Ok(Self { name: "standard input".into(), size: None, from: Box::new(io::stdin().lock()) });
        };
        let name = path.display().to_string();
        let file = File::open(path).with_context(|| name.clone())?;
        let metadata = file.metadata().with_context(|| name.clone())?;
        Ok(Self { name, size: Some(metadata.len()), from: Box::new(file) })
    }

    /// Reads what there is, at least a byte unless the input is over.
    pub(crate) fn read(&mut self, chunk: &mut [u8]) -> anyhow::Result<usize> {
        loop {
            match self.from.read(chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read.with_context(|| self.name.clone()),
            }
        }
    }
}

/// Tells a person something beside the output. Where nobody can be told, that is no reason to fail.
pub(crate) fn note(message: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{message}");
}

/// Ends with a usage error where more than one of `files` is standard input (`-`, or none), which can be read only once.
pub(crate) fn one_standard_input<'f>(files: impl IntoIterator<Item = Option<&'f PathBuf>>) {
    let standard = |file: Option<&PathBuf>| file.is_none_or(|path| path == Path::new("-"));
    if files.into_iter().filter(|file| standard(*file)).count() > 1 {
        let problem = "only one input can be standard input";
        Arguments::command().error(ErrorKind::ArgumentConflict, problem).exit();
    }
}

/// All of `file`, or of standard input.
pub(crate) fn read_all(file: Option<&PathBuf>) -> anyhow::Result<Vec<u8>> {
    let mut input = Input::open(file.map(PathBuf::as_path))?;
    let mut bytes = Vec::new();
    input.from.read_to_end(&mut bytes).with_context(|| input.name.clone())?;
    Ok(bytes)
}
