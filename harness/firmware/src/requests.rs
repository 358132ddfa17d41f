//! Reading what is asked, and writing what is handed out: `spec/README.md` describes both.

use crate::semihosting::File;

/// A file read through a buffer.
pub(crate) struct Requests {
    file: File,
    buffer: [u8; 4096],
    at: usize,
    end: usize,
}

impl Requests {
    pub(crate) fn new(file: File) -> Self {
        Self { file, buffer: [0; 4096], at: 0, end: 0 }
    }

    /// The next byte, if there is one.
    pub(crate) fn byte(&mut self) -> Option<u8> {
        if self.at == self.end {
            self.end = self.file.read(&mut self.buffer);
            self.at = 0;
        }
        let byte = self.buffer[..self.end].get(self.at).copied();
        self.at += usize::from(byte.is_some());
        byte
    }

    /// The next number.
    pub(crate) fn word(&mut self) -> Option<usize> {
        let bytes = [self.byte()?, self.byte()?, self.byte()?, self.byte()?];
        usize::try_from(u32::from_le_bytes(bytes)).ok()
    }

    /// The next long number.
    pub(crate) fn long(&mut self) -> Option<u64> {
        Some(self.word()? as u64 | (self.word()? as u64) << 32)
    }

    /// The next number and so many bytes, in `place`.
    pub(crate) fn bytes<'p>(&mut self, place: &'p mut [u8]) -> Option<&'p [u8]> {
        let length = self.word()?;
        let place = place.get_mut(..length)?;
        for byte in place.iter_mut() {
            *byte = self.byte()?;
        }
        Some(place)
    }
}

/// A file written through a buffer.
pub(crate) struct Records {
    file: File,
    buffer: [u8; 4096],
    used: usize,
}

impl Records {
    pub(crate) fn new(file: File) -> Self {
        Self { file, buffer: [0; 4096], used: 0 }
    }

    /// Writes a record.
    pub(crate) fn record(&mut self, kind: u8, numbers: &[u64], bytes: &[u8]) {
        self.put(&[kind, numbers.len().to_le_bytes()[0]]);
        for number in numbers {
            self.put(&number.to_le_bytes());
        }
        self.put(&(bytes.len() as u64).to_le_bytes()[..4]);
        self.put(bytes);
    }

    fn put(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(self.buffer.len()) {
            if part.len() > self.buffer.len() - self.used {
                self.flush();
            }
            self.buffer[self.used..self.used + part.len()].copy_from_slice(part);
            self.used += part.len();
        }
    }

    /// Writes what is in the buffer.
    pub(crate) fn flush(&mut self) {
        assert!(self.file.write(&self.buffer[..self.used]), "the host's disk takes the records");
        self.used = 0;
    }
}
