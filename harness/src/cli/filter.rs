//! `sidenote filter`: an answer in, the answer without its notes out.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use bytesize::ByteSize;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, ValueEnum};
use data_encoding::HEXLOWER;
use indicatif::{ProgressBar, ProgressStyle};
use same_file::Handle;
use serde_json::json;
use sidenote::{Error, Event, Keys, OnFull, RESERVED_KEY, Removed};

use crate::Arguments;
use crate::input::{Input, note};

/// How much is read at a time, in bytes.
const CHUNK: usize = 64 << 10;

/// Files up to this size, in bytes, are read without a progress bar.
const LARGE: u64 = 64 << 20;

/// Reads an answer and writes it without its notes, as it comes.
///
/// Every JSON object in the text loses its own `_findings` member, and nothing else moves. What is decided is written
/// and flushed after each read, so the command can stand in a pipe behind a model that streams. Exit code 0: done; 1: a limit
/// was met or a file could not be read or written; 2: wrong usage.
#[derive(Args)]
pub(crate) struct Filter {
    /// The answer; standard input where none is named, or `-`
    file: Option<PathBuf>,
    /// Write each removed member to this file, one JSON line each
    #[arg(long, value_name = "FILE")]
    notes: Option<PathBuf>,
    /// Take out members with this key (repeatable)
    #[arg(long, value_name = "KEY", default_value = RESERVED_KEY)]
    key: Vec<String>,
    /// How much memory may be used to hold what is undecided, such as 4096, 64KiB or 1MiB
    #[arg(long, value_name = "SIZE", default_value = "1MiB")]
    memory: ByteSize,
    /// What to do with a reserved member that does not fit in that memory
    #[arg(long, value_enum, default_value_t = Choice::Fail)]
    on_full: Choice,
}

#[derive(Clone, Copy, ValueEnum)]
enum Choice {
    /// Stop with an error
    Fail,
    /// Leave it in the answer
    Show,
    /// Take it out and report it without its value
    Hide,
}

impl Filter {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let keys: Vec<&str> = self.key.iter().map(String::as_str).collect();
        let ceiling = usize::try_from(self.memory.as_u64()).unwrap_or(usize::MAX);
        let on_full = match self.on_full {
            Choice::Fail => OnFull::Fail,
            Choice::Show => OnFull::Show,
            Choice::Hide => OnFull::Hide,
        };
        let mut filter = sidenote::Filter::with_ceiling(Keys::all(&keys), ceiling, on_full)
            .map_err(|error| advise(error, ceiling))?;
        let mut input = Input::open(self.file.as_deref())?;
        self.refuse_to_overwrite();
        let mut output = Output::new(self.notes.as_deref(), Keys::all(&keys))?;
        let progress = progress(input.size)?;
        let mut chunk = vec![0; CHUNK];
        loop {
            let read = input.read(&mut chunk)?;
            let chunk = chunk.get(..read).unwrap_or_default();
            let done = if chunk.is_empty() {
                filter.end(|event| output.take(event))
            } else {
                filter.push(chunk, |event| output.take(event))
            };
            output.flush()?;
            progress.inc(read as u64);
            done.map_err(|error| advise(error, ceiling))?;
            if chunk.is_empty() {
                progress.finish_and_clear();
                output.warn(filter.released());
                return Ok(ExitCode::SUCCESS);
            }
        }
    }
}

impl Filter {
    /// Ends with a usage error where the notes would overwrite the answer they are taken from, or be mixed with what is shown.
    fn refuse_to_overwrite(&self) {
        let Some(notes) = self.notes.as_deref().and_then(|path| Handle::from_path(path).ok()) else { return };
        let answer = match self.file.as_deref() {
            Some(path) if path != Path::new("-") => Handle::from_path(path),
            _ => Handle::stdin(),
        };
        for (other, name) in [(answer, "the answer"), (Handle::stdout(), "standard output")] {
            let is_file = notes.as_file().metadata().is_ok_and(|metadata| metadata.is_file());
            if is_file && other.is_ok_and(|other| other == notes) {
                let problem = format!("--notes names the same file as {name}");
                Arguments::command().error(ErrorKind::ArgumentConflict, problem).exit();
            }
        }
    }
}

/// Says what a limit means and what to try.
fn advise(error: Error, ceiling: usize) -> anyhow::Error {
    let (at, what) = match error {
        Error::TooSmall { least } => {
            return anyhow::anyhow!("--memory {ceiling}: the keys need at least {least} bytes");
        }
        Error::Memory { at, .. } => (at, "the notes being read there are larger than the memory for them"),
        Error::Nesting { at, .. } => (at, "the value there is nested deeper than the memory for it"),
        other => return other.into(),
    };
    anyhow::anyhow!(
        "byte {at}: {what} ({ceiling} bytes in all); try a larger --memory, or --on-full show or hide. \
         What was visible before is written"
    )
}

/// A progress bar for a large file, where it disturbs nobody.
fn progress(size: Option<u64>) -> anyhow::Result<ProgressBar> {
    let seen = io::stderr().is_terminal() && !io::stdout().is_terminal();
    let Some(size) = size.filter(|size| seen && *size > LARGE) else { return Ok(ProgressBar::hidden()) };
    let style = ProgressStyle::with_template("{bar:40} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left");
    Ok(ProgressBar::new(size).with_style(style.context("the progress bar's template")?))
}

/// Where text and notes go.
struct Output<'k> {
    text: BufWriter<io::StdoutLock<'static>>,
    notes: Option<(String, File)>,
    keys: Keys<'k>,
    text_written: io::Result<()>,
    notes_written: io::Result<()>,
    /// How many bytes were hidden for lack of memory and are nobody's.
    lost: u64,
}

impl<'k> Output<'k> {
    fn new(notes: Option<&Path>, keys: Keys<'k>) -> anyhow::Result<Self> {
        let notes = match notes {
            None => None,
            Some(path) => {
                let name = path.display().to_string();
                let file = File::create(path).with_context(|| name.clone())?;
                Some((name, file))
            }
        };
        let text = BufWriter::with_capacity(CHUNK, io::stdout().lock());
        Ok(Self { text, notes, keys, text_written: Ok(()), notes_written: Ok(()), lost: 0 })
    }

    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Text(bytes) if self.text_written.is_ok() => self.text_written = self.text.write_all(bytes),
            Event::Removed(removed) => self.note(removed),
            Event::Lost { object, bytes } => {
                self.lost += bytes;
                self.write_note(&json!({"object": object, "lost": bytes}));
            }
            _ => {}
        }
    }

    fn note(&mut self, removed: Removed<'_>) {
        let mut line = json!({
            "object": removed.object,
            "key": self.keys.key(removed.key),
            "complete": removed.complete,
        });
        let (field, value) = match removed.value.map(|value| (value, std::str::from_utf8(value))) {
            None => ("value", json!(null)),
            Some((_, Ok(text))) => ("value", json!(text)),
            Some((value, Err(_))) => ("value_hex", json!(HEXLOWER.encode(value))),
        };
        if let Some(fields) = line.as_object_mut() {
            fields.insert(field.into(), value);
        }
        self.write_note(&line);
    }

    /// Writes a line at once, unbuffered, so that it is there when the process is stopped.
    fn write_note(&mut self, line: &serde_json::Value) {
        if let Some((_, file)) = &mut self.notes
            && self.notes_written.is_ok()
        {
            self.notes_written = file.write_all(format!("{line}\n").as_bytes());
        }
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        std::mem::replace(&mut self.text_written, Ok(())).context("standard output")?;
        self.text.flush().context("standard output")?;
        let name = self.notes.as_ref().map_or("", |(name, _)| name);
        // In words only, since a closed pipe there is no reader of the answer that has seen enough.
        std::mem::replace(&mut self.notes_written, Ok(())).map_err(|error| anyhow::anyhow!("{name}: {error}"))
    }

    /// Tells what the memory was too small for.
    fn warn(&self, released: bool) {
        if self.lost > 0 {
            note(format_args!(
                "sidenote: {} bytes were hidden that are no note's, for lack of memory; try a larger --memory",
                self.lost
            ));
        }
        if released {
            note(format_args!(
                "sidenote: the memory was too small to hold everything undecided, so a blank line, an empty object or a comma may have \
                 stayed; try a larger --memory"
            ));
        }
    }
}
