//! Numbers (RFC 8259 section 6):
//!
//! ```text
//! number = [ "-" ] int [ frac ] [ exp ]
//! int    = "0" / ( digit1-9 *DIGIT )
//! frac   = "." 1*DIGIT
//! exp    = ( "e" / "E" ) [ "-" / "+" ] 1*DIGIT
//! ```

/// Where in a number the reading is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// After the minus sign: a digit must come.
    Minus,
    /// After a leading zero: no digit may come.
    Zero,
    /// In the integer part.
    Integer,
    /// After the point: a digit must come.
    Point,
    /// In the fraction.
    Fraction,
    /// After `e` or `E`: a sign or a digit must come.
    E,
    /// After the exponent's sign: a digit must come.
    Sign,
    /// In the exponent.
    Exponent,
}

impl Number {
    /// The number that `byte` begins, a minus sign or a digit.
    pub(crate) const fn begin(byte: u8) -> Self {
        match byte {
            b'-' => Self::Minus,
            b'0' => Self::Zero,
            _ => Self::Integer,
        }
    }

    /// Where the number is after `byte`; none where the grammar has no place for it.
    pub(crate) const fn next(self, byte: u8) -> Option<Self> {
        match (self, byte) {
            (Self::Minus, b'0') => Some(Self::Zero),
            (Self::Minus, b'1'..=b'9') | (Self::Integer, b'0'..=b'9') => Some(Self::Integer),
            (Self::Zero | Self::Integer, b'.') => Some(Self::Point),
            (Self::Point | Self::Fraction, b'0'..=b'9') => Some(Self::Fraction),
            (Self::Zero | Self::Integer | Self::Fraction, b'e' | b'E') => Some(Self::E),
            (Self::E, b'+' | b'-') => Some(Self::Sign),
            (Self::E | Self::Sign | Self::Exponent, b'0'..=b'9') => Some(Self::Exponent),
            _ => None,
        }
    }

    /// Whether any digit leaves the number where it is.
    pub(crate) const fn is_in_digits(self) -> bool {
        matches!(self, Self::Integer | Self::Fraction | Self::Exponent)
    }

    /// Whether the number may end here.
    pub(crate) const fn may_end(self) -> bool {
        matches!(self, Self::Zero | Self::Integer | Self::Fraction | Self::Exponent)
    }
}
