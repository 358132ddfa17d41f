//! What came of it: a table of rules by layers, and what failed.

use std::collections::BTreeMap;
use std::fmt;

use super::{Layer, Suite, Verdict};

/// How many failures of a layer are told in full.
const TOLD: usize = 10;

/// The verdicts of all layers on all cases.
#[derive(Debug)]
pub struct Report {
    suite: Suite,
    layers: Vec<(String, Vec<Verdict>)>,
    broken: Vec<(String, String)>,
    absent: Vec<(String, String)>,
}

impl Report {
    /// Runs the suite on each of the layers.
    #[must_use]
    pub fn new(suite: Suite, layers: Vec<Box<dyn Layer>>) -> Self {
        let mut report = Self { suite, layers: Vec::new(), broken: Vec::new(), absent: Vec::new() };
        for mut layer in layers {
            let name = layer.name().to_owned();
            match layer.run(&report.suite.cases) {
                Ok(verdicts) => report.layers.push((name, verdicts)),
                Err(why) => report.broken.push((name, why)),
            }
        }
        report
    }

    /// Says that a layer could not be run, why, and how to get it.
    pub fn absent(&mut self, layer: impl Into<String>, why: impl Into<String>) {
        self.absent.push((layer.into(), why.into()));
    }

    /// Whether something was asked and nothing failed.
    #[must_use]
    pub fn passed(&self) -> bool {
        let verdicts = || self.layers.iter().flat_map(|(_, verdicts)| verdicts);
        self.broken.is_empty()
            && verdicts().any(|verdict| *verdict == Verdict::Passed)
            && !verdicts().any(|verdict| matches!(verdict, Verdict::Failed(_)))
    }

    /// How many cases with `rule` a layer passed, and of how many it ran.
    fn count(&self, verdicts: &[Verdict], rule: &str) -> (usize, usize) {
        let ran =
            self.suite.cases.iter().zip(verdicts).filter(|(case, verdict)| {
                case.rules.iter().any(|id| id == rule) && !matches!(verdict, Verdict::NotRun(_))
            });
        ran.fold((0, 0), |(passed, all), (_, verdict)| (passed + usize::from(*verdict == Verdict::Passed), all + 1))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.suite.rules.iter().map(|rule| rule.id.len()).max().unwrap_or(4);
        write!(f, "{:width$}", "rule")?;
        for (name, _) in &self.layers {
            write!(f, "  {name:>9}")?;
        }
        writeln!(f)?;
        for rule in &self.suite.rules {
            if !self.suite.cases.iter().any(|case| case.rules.contains(&rule.id)) {
                continue;
            }
            write!(f, "{:width$}", rule.id)?;
            for (name, verdicts) in &self.layers {
                let (passed, all) = self.count(verdicts, &rule.id);
                let cell = match (passed, all) {
                    (_, 0) => "-".to_owned(),
                    (passed, all) if passed == all => format!("{all}"),
                    (passed, all) => format!("{passed} of {all}!"),
                };
                write!(f, "  {cell:>cell_width$}", cell_width = name.len().max(9))?;
            }
            writeln!(f)?;
        }
        for (name, verdicts) in &self.layers {
            tell(f, &self.suite, name, verdicts)?;
        }
        for (name, why) in &self.broken {
            writeln!(f, "\nFAILED: the layer {name} could not be run: {why}")?;
        }
        for (name, why) in &self.absent {
            writeln!(f, "\nNOT RUN: {name}: {why}")?;
        }
        let count = |wanted: fn(&Verdict) -> bool| {
            self.layers.iter().flat_map(|(_, verdicts)| verdicts).filter(|verdict| wanted(verdict)).count()
        };
        let passed = count(|verdict| matches!(verdict, Verdict::Passed));
        let failed = count(|verdict| matches!(verdict, Verdict::Failed(_)));
        writeln!(f, "\n{passed} passed, {failed} failed")
    }
}

/// What one layer failed, and what it could not be asked.
fn tell(f: &mut fmt::Formatter<'_>, suite: &Suite, name: &str, verdicts: &[Verdict]) -> fmt::Result {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failed = 0;
    for (case, verdict) in suite.cases.iter().zip(verdicts) {
        match verdict {
            Verdict::Passed => {}
            Verdict::NotRun(reason) => *reasons.entry(reason).or_default() += 1,
            Verdict::Failed(seen) => {
                failed += 1;
                if failed <= TOLD {
                    writeln!(f, "\nFAILED on {name}: {}\n{}\n{seen}", case.name, case.question.request(&[]))?;
                }
            }
        }
    }
    if failed > TOLD {
        writeln!(f, "\n… and {} more on {name}", failed - TOLD)?;
    }
    for (reason, count) in reasons {
        writeln!(f, "\nnot asked of {name}: {count} cases, since {reason}")?;
    }
    Ok(())
}
