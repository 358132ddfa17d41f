//! The findings ledger: rows folded into a piece for the next system prompt, and judged tool results collapsed to tickets.
//!
//! Every function is pure: no clock, no I/O, inputs untouched; the same input gives the same bytes.

mod append;
mod collapse;
mod fold;
mod ids;
mod piece;
mod rows;
mod text;

pub use append::{Call, basis_row, standing_rows};
pub use collapse::{Collapsed, ServeMode, collapse_judged, is_collapsed_tool_result};
pub use fold::{Asserted, Fold, Latest};
pub use ids::{offered_result_ids, served_tool_call_ids, tool_name_of, undeclared_ids};
pub use piece::{AnswerAsk, FINDINGS_PIECE_LIMITS, Piece, PieceLimits, Wording, findings_ledger_piece};
pub use rows::{
    Absence, Assertion, Basis, BasisWord, Carrier, Contingent, DeclaredOn, Expectation, Judgment, NotChecked, Row,
    RowError, Standing, StandingWord, Stratum, Subject, Word, read_rows,
};
