//! Which members are reserved, and whether a key read byte by byte is one of them.

/// The reserved key of the original: `_findings`.
pub const RESERVED_KEY: &str = "_findings";

/// The keys whose members are taken out, compared after the text's JSON escapes are decoded.
///
/// # Cost
///
/// A byte of a key in the text is compared with one candidate; with every key where it parts from that one, at the closing quote
/// of a key that could still be reserved, and at the first half of a pair of escapes.
#[derive(Clone, Copy, Debug)]
pub struct Keys<'k>(Inner<'k>);

#[derive(Clone, Copy, Debug)]
enum Inner<'k> {
    One(&'k str),
    Many(&'k [&'k str]),
}

impl Default for Keys<'_> {
    fn default() -> Self {
        Self::one(RESERVED_KEY)
    }
}

impl<'k> Keys<'k> {
    /// One key.
    #[must_use]
    pub const fn one(key: &'k str) -> Self {
        Self(Inner::One(key))
    }

    /// Any number of keys; with none, nothing is ever taken out.
    #[must_use]
    pub const fn all(keys: &'k [&'k str]) -> Self {
        Self(Inner::Many(keys))
    }

    /// The key at `index`.
    #[must_use]
    pub fn key(&self, index: usize) -> Option<&'k str> {
        match self.0 {
            Inner::One(key) => (index == 0).then_some(key),
            Inner::Many(keys) => keys.get(index).copied(),
        }
    }

    /// The keys, in the order given.
    pub fn iter(&self) -> impl Iterator<Item = &'k str> {
        let keys = *self;
        (0..).map_while(move |index| keys.key(index))
    }

    /// The length of the longest key, in bytes.
    pub(crate) fn longest(&self) -> usize {
        self.iter().map(str::len).max().unwrap_or(0)
    }

    /// The first key that begins as the `index`th does for `length` bytes and goes on with `next`.
    fn like(&self, index: u32, length: usize, next: Next) -> Option<u32> {
        let shared = self.key(index as usize)?.as_bytes().get(..length)?;
        let fits = |key: &str| {
            key.as_bytes().strip_prefix(shared).is_some_and(|rest| match next {
                Next::Byte(byte) => rest.first() == Some(&byte),
                Next::Unit(unit) => first_high_surrogate(rest) == Some(unit),
                Next::End => rest.is_empty(),
            })
        };
        self.iter().position(fits).and_then(|index| u32::try_from(index).ok())
    }
}

/// What a key goes on with.
#[derive(Clone, Copy)]
enum Next {
    /// A byte.
    Byte(u8),
    /// A character that UTF-16 spells with two units, of which this is the first.
    Unit(u16),
    /// Nothing.
    End,
}

/// How far a key in the text is one of the reserved ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Match {
    /// A key that begins with everything read so far.
    candidate: u32,
    /// How many of its bytes were read.
    length: u32,
    /// A high surrogate that waits for its low one; 0 for none.
    high: u16,
    /// Whether the key can still be a reserved one.
    pub(crate) alive: bool,
}

impl Match {
    /// Before the first byte.
    pub(crate) const START: Self = Self { candidate: 0, length: 0, high: 0, alive: true };

    /// Reads one byte that stands for itself.
    pub(crate) fn byte(&mut self, keys: &Keys<'_>, byte: u8) {
        if self.high != 0 {
            self.alive = false;
        }
        self.decoded(keys, byte);
    }

    /// Reads the UTF-16 code unit that an escape stands for.
    pub(crate) fn unit(&mut self, keys: &Keys<'_>, unit: u16) {
        let high = core::mem::take(&mut self.high);
        match unit {
            0xD800..0xDC00 if high == 0 => {
                self.high = unit;
                let length = self.length as usize;
                self.alive &= keys.like(self.candidate, length, Next::Unit(unit)).is_some();
            }
            0xDC00..0xE000 if high != 0 => {
                let character = 0x1_0000 + ((u32::from(high) & 0x3FF) << 10) + (u32::from(unit) & 0x3FF);
                self.character(keys, character);
            }
            0xD800..0xE000 => self.alive = false,
            _ if high != 0 => self.alive = false,
            _ => self.character(keys, u32::from(unit)),
        }
    }

    /// At the closing quote: which key it was.
    pub(crate) fn end(self, keys: &Keys<'_>) -> Option<u32> {
        if !self.alive || self.high != 0 {
            return None;
        }
        keys.like(self.candidate, self.length as usize, Next::End)
    }

    fn character(&mut self, keys: &Keys<'_>, character: u32) {
        let mut utf8 = [0; 4];
        // A code point that is no character (there is none left here) would match no key.
        let character = char::from_u32(character).unwrap_or(char::REPLACEMENT_CHARACTER);
        for byte in character.encode_utf8(&mut utf8).bytes() {
            self.decoded(keys, byte);
        }
    }

    fn decoded(&mut self, keys: &Keys<'_>, byte: u8) {
        if !self.alive {
            return;
        }
        let length = self.length as usize;
        let next = |key: Option<&str>| key.and_then(|key| key.as_bytes().get(length).copied());
        if next(keys.key(self.candidate as usize)) != Some(byte) {
            let Some(other) = keys.like(self.candidate, length, Next::Byte(byte)) else {
                self.alive = false;
                return;
            };
            self.candidate = other;
        }
        self.length += 1;
    }
}

/// The high surrogate of the first character of `utf8`, where UTF-16 spells it with two units.
fn first_high_surrogate(utf8: &[u8]) -> Option<u16> {
    let [a @ 0xF0..=0xF7, b, c, _, ..] = *utf8 else { return None };
    let character = (u32::from(a & 7) << 18) | (u32::from(b & 0x3F) << 12) | (u32::from(c & 0x3F) << 6);
    u16::try_from(0xD800 + ((character - 0x1_0000) >> 10)).ok()
}
