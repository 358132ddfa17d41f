//! Every case on every layer that a plain machine has. The suite is its own test program, so that a layer or a rule that
//! was not run is seen in its table.

use std::process::ExitCode;

use sidenote::spec::{Adapter, FilterCommand, InProcess, Layer, Report, SmallestMemory, Suite};

/// The layers that are not run here, and what runs them.
const ELSEWHERE: [(&str, &str); 3] = [
    ("C", "core/capi/check.sh"),
    ("a bare Cortex-M4", "harness/firmware/check.sh"),
    ("JavaScript", "core/wasm/check.sh"),
];

fn main() -> ExitCode {
    // `cargo test NAME` and the like pass arguments on; flags are libtest's.
    let parts: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let mut suite = match Suite::built_in() {
        Ok(suite) => suite,
        Err(problems) => {
            eprintln!("{problems}");
            return ExitCode::FAILURE;
        }
    };
    if !parts.is_empty() {
        suite.retain(&parts);
    }
    let command = env!("CARGO_BIN_EXE_sidenote");
    let mut layers: Vec<Box<dyn Layer>> = vec![
        Box::new(InProcess::CORE),
        Box::new(SmallestMemory),
        Box::new(InProcess::HARNESS),
        Box::new(Adapter::new("adapter", [command, "adapter"])),
        Box::new(FilterCommand::new(command)),
    ];
    if let Ok(wanted) = std::env::var("SIDENOTE_LAYERS") {
        layers.retain(|layer| wanted.split(',').any(|name| name == layer.name()));
    }
    let mut report = Report::new(suite, layers);
    for (layer, command) in ELSEWHERE {
        report.absent(layer, format!("it needs more than Rust; {command} runs it"));
    }
    print!("{report}");
    if report.passed() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
