//! `sidenote spec`: runs the case suite.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use sidenote::spec::{Adapter, Device, FilterCommand, InProcess, Layer, Report, SmallestMemory, Suite};

/// Runs the case suite and prints a table of rules by layers.
///
/// Every case is fed whole, byte by byte, cut in two at every byte and, where it is short, cut in three. Exit code 0: every
/// case passed; 1: some failed.
#[derive(Args)]
pub(crate) struct Spec {
    /// Run only the cases whose names hold one of these, such as `filter/lists`
    names: Vec<String>,
    /// Run the suite on a program that speaks the case protocol, with its arguments, in place of our own layers
    #[arg(long, value_name = "CMD")]
    exec: Option<String>,
    /// Run core's cases on a program that reads them from the file `requests` and writes the file `records`, with its arguments
    #[arg(long, value_name = "CMD", conflicts_with = "exec")]
    device: Option<String>,
    /// Run only this layer of ours (repeatable)
    #[arg(long, value_name = "L", value_parser = LAYERS, conflicts_with_all = ["exec", "device"])]
    layer: Vec<String>,
    /// Read the cases from this folder instead of those built in
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
}

/// The layers that the command itself can run.
const LAYERS: [&str; 5] = ["core", "core-smallest", "harness", "adapter", "command"];

impl Spec {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let suite = match &self.cases {
            Some(folder) => Suite::load(folder),
            None => Suite::built_in(),
        };
        let mut suite = suite.map_err(anyhow::Error::msg).context("the suite does not hang together")?;
        if !self.names.is_empty() {
            suite.retain(&self.names);
        }
        if suite.cases.is_empty() {
            bail!("no case has such a name");
        }
        let report = Report::new(suite, self.layers()?);
        if let Err(error) = write!(io::stdout().lock(), "{report}")
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            return Err(error).context("standard output");
        }
        Ok(if report.passed() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn layers(&self) -> anyhow::Result<Vec<Box<dyn Layer>>> {
        if let Some(command) = &self.exec {
            return Ok(vec![Box::new(Adapter::foreign(command.split_whitespace()))]);
        }
        if let Some(command) = &self.device {
            return Ok(vec![Box::new(Device::new("device", command.split_whitespace()))]);
        }
        let us = std::env::current_exe().context("cannot find this command")?;
        let wanted = |name: &&str| self.layer.is_empty() || self.layer.iter().any(|layer| layer == name);
        let layers = LAYERS.into_iter().filter(wanted).map(|name| -> Box<dyn Layer> {
            match name {
                "core" => Box::new(InProcess::CORE),
                "core-smallest" => Box::new(SmallestMemory),
                "harness" => Box::new(InProcess::HARNESS),
                "adapter" => Box::new(Adapter::new("adapter", [us.as_os_str(), "adapter".as_ref()])),
                _ => Box::new(FilterCommand::new(&us)),
            }
        });
        Ok(layers.collect())
    }
}
