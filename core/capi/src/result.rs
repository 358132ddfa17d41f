//! What every call answers.

use sidenote_core::Error;

/// What came of a call. A full memory sticks to the machine until that is moved to a larger one.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It was done.
    Ok = 0,
    /// The lent memory is smaller than the machine needs to begin, or smaller than the memory before.
    TooSmall = 1,
    /// The part of the lent memory for held bytes is full.
    Memory = 2,
    /// The lent memory has no bit left for a level of nesting.
    Nesting = 3,
    /// There is no machine in the storage: it was ended or given up before, or could not be initialized. A filter that has ended, too.
    Ended = 4,
    /// An argument cannot be: a null pointer, a length of more than half the address space, storage that was not initialized or is
    /// in use by the call that the callback stands in, a key that is not UTF-8, memory that overlaps what it is to take the place of. Nothing was done.
    Invalid = 5,
}

/// What came of reading bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// Whether all went well, or what was full.
    pub status: Status,
    /// How many bytes of the chunk were read. Behind a full memory, reading goes on there once the machine was moved to a larger one.
    pub read: usize,
    /// SIDENOTE_STATUS_MEMORY and SIDENOTE_STATUS_NESTING: the offset of the byte that did not fit, from the beginning of the text. Else 0.
    pub at: u64,
}

impl Status {
    #[inline(never)]
    pub(crate) fn of(done: Result<(), Error>) -> Self {
        match done {
            Ok(()) => Self::Ok,
            Err(Error::TooSmall { .. }) => Self::TooSmall,
            Err(Error::Memory { .. }) => Self::Memory,
            Err(Error::Nesting { .. }) => Self::Nesting,
            Err(Error::Ended) => Self::Ended,
            Err(_) => Self::Invalid,
        }
    }

    pub(crate) fn flat(answer: Result<Self, Self>) -> Self {
        match answer {
            Ok(status) | Err(status) => status,
        }
    }
}

impl Answer {
    /// The answer to a chunk of `length` bytes.
    #[inline(never)]
    pub(crate) fn of(done: Result<Result<(), Error>, Status>, length: usize) -> Self {
        let done = match done {
            Ok(done) => done,
            Err(status) => return Self { status, read: 0, at: 0 },
        };
        let (at, read) = match done {
            Ok(()) => (0, length),
            Err(Error::Memory { at, read } | Error::Nesting { at, read }) => (at, read),
            Err(_) => (0, 0),
        };
        Self { status: Status::of(done), read, at }
    }
}
