//! What can go wrong: the lent memory is too small. Nothing else can.

use core::fmt;

/// A limit of the lent memory that was met.
///
/// An error sticks: every later call gives it again, with `read` 0, until the machine is moved to a larger memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The lent memory is smaller than the machine needs to begin.
    TooSmall {
        /// The least size that would do, in bytes.
        least: usize,
    },
    /// The part of the memory for held bytes is full.
    Memory {
        /// The offset of the byte that did not fit, in bytes from the beginning of the text.
        at: u64,
        /// How many bytes of the chunk were read; reading goes on behind them.
        read: usize,
    },
    /// The part of the memory for nesting is full.
    Nesting {
        /// The offset of the bracket that did not fit, in bytes from the beginning of the text.
        at: u64,
        /// How many bytes of the chunk were read; reading goes on behind them.
        read: usize,
    },
    /// The machine was told before that the text had ended.
    Ended,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooSmall { least } => write!(f, "the lent memory is too small: {least} bytes are the least"),
            Self::Memory { at, .. } => write!(f, "the lent memory is full at byte {at}"),
            Self::Nesting { at, .. } => {
                write!(f, "the lent memory has no room for the nesting at byte {at}")
            }
            Self::Ended => f.write_str("the text had ended before"),
        }
    }
}

impl core::error::Error for Error {}
