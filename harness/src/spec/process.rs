//! Who is asked: other processes.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use serde_json::{Value, json};

use super::layer::{cuttings_of, judge};
use super::{Case, Layer, Verdict};
use crate::protocol::{Machine, Question};

/// A program that speaks the case protocol on its standard input and output.
#[derive(Clone, Debug)]
pub struct Adapter {
    name: String,
    command: Vec<OsString>,
    /// Whether it can be asked about lent memory: what is held is ours to define.
    ours: bool,
}

impl Adapter {
    /// The program and arguments of `command`, called `name` in the table.
    pub fn new(name: impl Into<String>, command: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Self { name: name.into(), command: command.into_iter().map(Into::into).collect(), ours: true }
    }

    /// Somebody else's program, called `exec` in the table.
    pub fn foreign(command: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Self { ours: false, ..Self::new("exec", command) }
    }

    /// Why the program is not asked this.
    fn not_asked(&self, case: &Case) -> Option<&'static str> {
        let lends = matches!(&case.question, Question::Filter(question) if question.memory.is_some());
        (lends && !self.ours).then_some("what fills a memory is each implementation's own")
    }

    /// The ways in which a case is put to the program.
    fn cuttings(&self, case: &Case) -> impl Iterator<Item = Vec<usize>> {
        let asked = self.not_asked(case).is_none();
        cuttings_of(case, Machine::Core).filter(move |_| asked)
    }

    /// The answers to all requests, in order.
    fn answers(&self, requests: Vec<String>) -> io::Result<Vec<Value>> {
        let (program, arguments) =
            self.command.split_first().ok_or_else(|| io::Error::other("no program was named"))?;
        let mut child = Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let stdin = child.stdin.take().ok_or_else(|| io::Error::other("no standard input"))?;
        let stdout = child.stdout.take().ok_or_else(|| io::Error::other("no standard output"))?;
        let count = requests.len();
        // Another thread asks, since a program that answers promptly would else wait for us to read.
        let asking = thread::spawn(move || -> io::Result<()> {
            let mut stdin = BufWriter::new(stdin);
            for request in requests {
                writeln!(stdin, "{request}")?;
            }
            stdin.flush()
        });
        let answers = BufReader::new(stdout)
            .lines()
            .map(|line| read_answer(line?.as_bytes()))
            .collect::<io::Result<Vec<Value>>>();
        let asked = asking.join().map_err(|_| io::Error::other("the asking thread panicked"))?;
        let status = child.wait()?;
        let answers = answers?;
        if !status.success() || answers.len() != count {
            return Err(io::Error::other(format!("{status}, with {} answers to {count} requests", answers.len())));
        }
        asked?;
        Ok(answers)
    }
}

impl Layer for Adapter {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, cases: &[Case]) -> Result<Vec<Verdict>, String> {
        let requests = cases
            .iter()
            .flat_map(|case| self.cuttings(case).map(|cuts| case.question.request(&cuts).to_string()))
            .collect();
        let answers = match self.answers(requests) {
            Ok(answers) => answers,
            Err(error) => return Err(format!("{} failed: {error}", self.command.join(" ".as_ref()).display())),
        };
        let mut answers = answers.into_iter();
        let verdicts = cases
            .iter()
            .map(|case| {
                if let Some(reason) = self.not_asked(case) {
                    return Verdict::NotRun(reason.into());
                }
                let answers: Vec<_> = self.cuttings(case).filter_map(|cuts| Some((answers.next()?, cuts))).collect();
                let unknown = json!({"error": "unknown op"});
                if answers.iter().any(|(answer, _)| *answer == unknown) {
                    return Verdict::NotRun(format!("it does not know the op {}", case.question.op()));
                }
                if let Some(why) = answers.iter().find_map(|(answer, _)| answer.get("unsupported")) {
                    return Verdict::NotRun(why.as_str().unwrap_or("it cannot be asked this").to_owned());
                }
                judge(case, answers)
            })
            .collect();
        Ok(verdicts)
    }
}

/// Any JSON value, read as everything here is: in a list, which makes it one that our reader takes.
fn read_answer(line: &[u8]) -> io::Result<Value> {
    match crate::json::parse(&[b"[", line, b"]"].concat()) {
        Ok(Value::Array(mut values)) if values.len() == 1 => Ok(values.remove(0)),
        _ => Err(io::Error::other(format!("{:?} is not one JSON value", String::from_utf8_lossy(line)))),
    }
}

/// `sidenote filter`, once a case.
#[derive(Clone, Debug)]
pub struct FilterCommand {
    program: PathBuf,
}

impl FilterCommand {
    /// The command at `program`.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into() }
    }

    fn verdict(&self, case: &Case) -> io::Result<Verdict> {
        let Question::Filter(question) = &case.question else {
            return Ok(Verdict::NotRun("it is no question for the filter".into()));
        };
        if case.expect.get("lost").is_some() || case.expect.get("error").is_some() {
            return Ok(Verdict::NotRun("what the command says of a limit it says in words".into()));
        }
        if question.keys.is_empty() {
            return Ok(Verdict::NotRun("the command always has a key".into()));
        }
        if question.keys.iter().any(|key| key.contains('\0')) {
            return Ok(Verdict::NotRun("no argument of a process holds a NUL".into()));
        }
        let mut command = Command::new(&self.program);
        command.arg("filter").arg("--notes").arg("/dev/stderr");
        for key in &question.keys {
            command.arg(format!("--key={key}"));
        }
        if let Some(memory) = question.memory {
            command.arg(format!("--memory={memory}"));
        }
        if let Some(choice) = question.choice() {
            command.arg(format!("--on-full={choice}"));
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        // Case texts fit in a pipe's buffer, so writing first cannot wait for ever.
        child.stdin.take().ok_or_else(|| io::Error::other("no standard input"))?.write_all(&question.text.bytes)?;
        let output = child.wait_with_output()?;
        if !output.status.success() {
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            return Ok(Verdict::Failed(format!("{}: {error}", output.status)));
        }
        let mut removed = Vec::new();
        // Warnings are no JSON.
        for line in output.stderr.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"{")) {
            let note = read_answer(line)?;
            let value = match note.get("value_hex").and_then(Value::as_str) {
                Some(hex) => data_encoding::HEXLOWER_PERMISSIVE.decode(hex.as_bytes()).ok(),
                None => note.get("value").and_then(Value::as_str).map(|value| value.as_bytes().to_vec()),
            };
            let value = value.map(|value| question.text.spell(&value));
            removed.push(json!([note.get("object"), value, note.get("complete")]));
        }
        let answer = json!({
            question.text.field("visible"): question.text.spell(&output.stdout),
            question.text.field("removed"): removed,
        });
        Ok(judge(case, [(answer, Vec::new())]))
    }
}

impl Layer for FilterCommand {
    fn name(&self) -> &'static str {
        "command"
    }

    fn run(&mut self, cases: &[Case]) -> Result<Vec<Verdict>, String> {
        let verdict =
            |case| self.verdict(case).unwrap_or_else(|error| Verdict::Failed(format!("the command failed: {error}")));
        Ok(cases.iter().map(verdict).collect())
    }
}
