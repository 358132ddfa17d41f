//! Who is asked: programs without JSON, such as one in C or on bare metal.

use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::{fs, io};

use super::layer::{cuttings_of, judge};
use super::{Case, Layer, Verdict};
use crate::protocol::{Machine, records_of_one};

/// A program that feeds core's machines, reads what is asked from the file `requests` in its working directory and writes what the machines
/// hand out to the file `records`.
#[derive(Clone, Debug)]
pub struct Device {
    name: String,
    command: Vec<OsString>,
}

impl Device {
    /// The program and arguments of `command`, called `name` in the table.
    pub fn new(name: impl Into<String>, command: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Self { name: name.into(), command: command.into_iter().map(Into::into).collect() }
    }

    /// What the program writes when it is asked all of `requests`.
    fn records(&self, requests: &[u8]) -> io::Result<Vec<u8>> {
        let (program, arguments) =
            self.command.split_first().ok_or_else(|| io::Error::other("no program was named"))?;
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("requests"), requests)?;
        let status = Command::new(program).args(arguments).current_dir(folder.path()).stdin(Stdio::null()).status()?;
        if !status.success() {
            return Err(io::Error::other(status.to_string()));
        }
        fs::read(folder.path().join("records"))
    }

    fn verdicts(&self, cases: &[Case]) -> io::Result<Vec<Verdict>> {
        let cuttings = |case: &Case| cuttings_of(case, Machine::Core).collect::<Vec<_>>();
        let requests: Vec<u8> = cases.iter().filter_map(|case| case.question.feed(&cuttings(case))).flatten().collect();
        let records = self.records(&requests)?;
        let mut rest = records.as_slice();
        let mut verdicts = Vec::new();
        for case in cases {
            if !case.question.is_of_core() {
                verdicts.push(Verdict::NotRun("core has no such machine".into()));
                continue;
            }
            let mut answers = Vec::new();
            for cuts in cuttings(case) {
                answers.push((case.question.answer_from(&records_of_one(&mut rest)?), cuts));
            }
            verdicts.push(judge(case, answers));
        }
        if rest.is_empty() { Ok(verdicts) } else { Err(io::Error::other("there are more records than were asked for")) }
    }
}

impl Layer for Device {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, cases: &[Case]) -> Result<Vec<Verdict>, String> {
        self.verdicts(cases).map_err(|error| format!("{} failed: {error}", self.command.join(" ".as_ref()).display()))
    }
}
