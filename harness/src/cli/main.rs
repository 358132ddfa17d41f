//! The command `sidenote`.
#![forbid(unsafe_code)]

mod adapter;
mod collapse;
mod documents;
mod filter;
mod input;
mod leaves;
mod ledger;
mod ledger_file;
mod peel;
mod piece;
mod regions;
mod sources;
mod spec;
mod values;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Takes the notes a language model writes beside its answer out of the text, as it streams.
#[derive(Parser)]
#[command(version, max_term_width = 100, propagate_version = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Filter(filter::Filter),
    Regions(regions::Regions),
    Values(values::Values),
    Leaves(leaves::Leaves),
    Peel(peel::Peel),
    Sources(sources::Sources),
    Ledger(ledger::Ledger),
    Piece(piece::Piece),
    Collapse(collapse::Collapse),
    Adapter(adapter::Adapter),
    Spec(spec::Spec),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Filter(command) => command.run(),
        Command::Regions(command) => command.run(),
        Command::Values(command) => command.run(),
        Command::Leaves(command) => command.run(),
        Command::Peel(command) => command.run(),
        Command::Sources(command) => command.run(),
        Command::Ledger(command) => command.run(),
        Command::Piece(command) => command.run(),
        Command::Collapse(command) => command.run(),
        Command::Adapter(_) => adapter::Adapter::run(),
        Command::Spec(command) => command.run(),
    };
    match done {
        Ok(code) => code,
        // Whoever reads our output has seen enough: that is no failure of ours, and nobody is left to be told.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            input::note(format_args!("sidenote: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kinds = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind));
    kinds.into_iter().any(|kind| kind == std::io::ErrorKind::BrokenPipe)
}
