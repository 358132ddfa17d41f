//! RFC 8259, one byte at a time and in chunks of any size: the one JSON grammar of the crate.
//!
//! [`value`] is the machine; it reads strings with [`string`] and numbers with [`number`]. None of them
//! keeps a byte, so whoever drives them decides what is held and what is handed out.

pub(crate) mod number;
pub(crate) mod string;
pub(crate) mod value;

pub use value::Kind;
pub(crate) use value::{Step, StringStep, Value, Watch};

/// Whether `byte` is JSON's white space (RFC 8259 section 2): space, tab, line feed or carriage return.
#[inline]
pub(crate) const fn is_white_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether `byte` belongs to a number or literal that it follows, fitting or not.
#[inline]
pub(crate) const fn is_scalar(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'+' | b'-' | b'.')
}
