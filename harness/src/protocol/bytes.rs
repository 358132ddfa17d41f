//! Bytes in JSON: a string's UTF-8, or hexadecimal digits.

use data_encoding::HEXLOWER_PERMISSIVE;
use serde_json::Value;

/// The bytes of a request, and how it spelled them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Whether they were spelled in hexadecimal.
    pub hex: bool,
}

impl Bytes {
    /// The bytes of a request's `text` or `hex`, of which there must be one.
    ///
    /// # Errors
    ///
    /// What is wrong with them, in a few words.
    pub fn new(text: Option<String>, hex: Option<String>) -> Result<Self, String> {
        match (text, hex) {
            (Some(text), None) => Ok(Self { bytes: text.into_bytes(), hex: false }),
            (None, Some(hex)) => {
                let bytes = HEXLOWER_PERMISSIVE.decode(hex.as_bytes()).map_err(|error| format!("hex: {error}"))?;
                Ok(Self { bytes, hex: true })
            }
            _ => Err("a request has either text or hex".into()),
        }
    }

    /// The field's name in an answer to a request that spelled its bytes like these.
    #[must_use]
    pub fn field(&self, name: &str) -> String {
        if self.hex { format!("{name}_hex") } else { name.into() }
    }

    /// `bytes`, spelled like these.
    #[must_use]
    pub fn spell(&self, bytes: &[u8]) -> Value {
        if self.hex { HEXLOWER_PERMISSIVE.encode(bytes).into() } else { String::from_utf8_lossy(bytes).into() }
    }

    /// The request's field and its value.
    #[must_use]
    pub fn request(&self) -> (String, Value) {
        (if self.hex { "hex" } else { "text" }.into(), self.spell(&self.bytes))
    }
}
