//! Who is asked: the layers in this process.

use serde_json::Value;

use super::Case;
use crate::OnFull;
use crate::json::double;
use crate::protocol::{Machine, Question};

/// Texts up to this length are also cut in three, at every two places.
const THREE_PIECES: usize = 24;

/// Something that answers cases.
pub trait Layer {
    /// Its name in the table.
    fn name(&self) -> &str;

    /// How it does on each case, in order.
    ///
    /// # Errors
    ///
    /// Why it could not be run at all.
    fn run(&mut self, cases: &[Case]) -> Result<Vec<Verdict>, String>;
}

/// How a layer did on a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The answer was right, however the text was cut.
    Passed,
    /// It was not: what was seen.
    Failed(String),
    /// The layer cannot be asked this, for the reason given.
    NotRun(String),
}

/// Every way in which a text of `length` bytes is cut: whole, into single bytes, in two, and in three where it is short.
pub fn cuttings(length: usize) -> impl Iterator<Item = Vec<usize>> {
    let whole = [Vec::new(), (1..length).collect()];
    let two = (1..length).map(|cut| vec![cut]);
    let three = (1..length)
        .flat_map(move |first| (first + 1..length).map(move |second| vec![first, second]))
        .take_while(move |_| length <= THREE_PIECES);
    whole.into_iter().chain(two).chain(three)
}

/// The ways in which a case is put to a machine: only whole where it is not fed in chunks.
pub(super) fn cuttings_of(case: &Case, machine: Machine) -> impl Iterator<Item = Vec<usize>> {
    let all = if case.question.is_fed_in_chunks(machine) { usize::MAX } else { 1 };
    cuttings(case.question.bytes().bytes.len()).take(all)
}

/// A machine of this process.
#[derive(Clone, Copy, Debug)]
pub struct InProcess {
    name: &'static str,
    machine: Machine,
}

impl InProcess {
    /// The machines of core, in the memory that a case lends or else in enough of it.
    pub const CORE: Self = Self { name: "core", machine: Machine::Core };

    /// The machines of this crate.
    pub const HARNESS: Self = Self { name: "harness", machine: Machine::Harness };
}

impl Layer for InProcess {
    fn name(&self) -> &str {
        self.name
    }

    fn run(&mut self, cases: &[Case]) -> Result<Vec<Verdict>, String> {
        let verdict = |case: &Case| {
            if self.machine == Machine::Core && !case.question.is_of_core() {
                return Verdict::NotRun("core has no such machine".into());
            }
            let answers = cuttings_of(case, self.machine).map(|cuts| (case.question.answer(self.machine, &cuts), cuts));
            judge(case, answers)
        };
        Ok(cases.iter().map(verdict).collect())
    }
}

/// The verdict on a case's answers, each with the cuts it was given for.
pub(super) fn judge(case: &Case, answers: impl IntoIterator<Item = (Value, Vec<usize>)>) -> Verdict {
    for (answer, cuts) in answers {
        if !same(&answer, &case.expect, false) {
            return Verdict::Failed(format!("{}got  {answer}\nwant {}", spell_cuts(&cuts), case.expect));
        }
    }
    Verdict::Passed
}

/// Whether two answers are the same JSON: numbers as doubles, since other programs spell them otherwise, and the order of keys only inside
/// messages.
fn same(one: &Value, other: &Value, ordered: bool) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            let double = |number: &serde_json::Number| double(&number.to_string());
            double(one).partial_cmp(&double(other)) == Some(std::cmp::Ordering::Equal)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other, ordered))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && (!ordered || one.keys().eq(other.keys()))
                && one.iter().all(|(key, value)| {
                    let ordered = ordered || key == "messages";
                    other.get(key).is_some_and(|other| same(value, other, ordered))
                })
        }
        _ => one == other,
    }
}

fn spell_cuts(cuts: &[usize]) -> String {
    match cuts {
        [] => String::new(),
        [_, _, _, ..] => "cut at every byte\n".into(),
        few => format!("cut at {few:?}\n"),
    }
}

/// Core's filter in the smallest memory in which nothing has to be given back, and, in a byte less, the same at every cut.
#[derive(Clone, Copy, Debug)]
pub struct SmallestMemory;

impl Layer for SmallestMemory {
    fn name(&self) -> &'static str {
        "core-smallest"
    }

    fn run(&mut self, cases: &[Case]) -> Result<Vec<Verdict>, String> {
        Ok(cases.iter().map(Self::verdict).collect())
    }
}

impl SmallestMemory {
    fn verdict(case: &Case) -> Verdict {
        let Question::Filter(question) = &case.question else {
            return Verdict::NotRun("only the filter holds bytes back".into());
        };
        if question.memory.is_some() {
            return Verdict::NotRun("the case lends its own memory".into());
        }
        let length = question.text.bytes.len();
        let every_byte: Vec<usize> = (1..length).collect();
        let fits = |memory: usize| question.outcome(memory, OnFull::Grow, &every_byte).error.is_none();
        let (mut low, mut high) = (question.least_memory(), question.enough_memory());
        while low < high {
            let middle = low.midpoint(high);
            if fits(middle) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        let smallest = Question::Filter(crate::protocol::FilterQuestion { memory: Some(low), ..question.clone() });
        let answers = cuttings(length).map(|cuts| (smallest.answer(Machine::Core, &cuts), cuts));
        match judge(case, answers) {
            Verdict::Passed => {}
            Verdict::Failed(seen) => return Verdict::Failed(format!("in {low} bytes\n{seen}")),
            not_run @ Verdict::NotRun(_) => return not_run,
        }
        if low == question.least_memory() {
            return Verdict::Passed;
        }
        for on_full in [OnFull::Fail, OnFull::Show, OnFull::Hide] {
            let less = crate::protocol::FilterQuestion { memory: Some(low - 1), on_full, ..question.clone() };
            let less = Question::Filter(less);
            let whole = less.answer(Machine::Core, &[]);
            for cuts in cuttings(length) {
                let answer = less.answer(Machine::Core, &cuts);
                if answer != whole {
                    let cut = spell_cuts(&cuts);
                    let seen = format!("in {} bytes, {on_full:?}\n{cut}got   {answer}\nwhole {whole}", low - 1);
                    return Verdict::Failed(seen);
                }
            }
        }
        Verdict::Passed
    }
}
