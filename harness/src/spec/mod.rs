//! The case suite: load it, check it, run it on any layer, report.

mod device;
mod layer;
mod process;
mod report;
mod suite;

pub use device::Device;
pub use layer::{InProcess, Layer, SmallestMemory, Verdict, cuttings};
pub use process::{Adapter, FilterCommand};
pub use report::Report;
pub use suite::{Case, Rule, Suite};
