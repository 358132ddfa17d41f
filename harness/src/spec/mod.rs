//! The case suite: load it, check it, run it on any layer, report.

mod layer;
mod process;
mod report;
mod suite;

pub use layer::{InProcess, Layer, SmallestMemory, Verdict, cuttings};
pub use process::{Adapter, FilterCommand};
pub use report::Report;
pub use suite::{Case, Rule, Suite};
