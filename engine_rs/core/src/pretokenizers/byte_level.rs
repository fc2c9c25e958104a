//! GPT-2's split, then every byte spelled as a character of the byte alphabet, which is what the model's vocabulary has.
//!
//! Not here: the pattern itself ([`super::scanners`]), the fused path that needs no alphabet ([`crate::models::bpe`]).
//!
//! Source: `ByteLevel` of the tokenizer.json format; github.com/openai/gpt-2 `encoder.py`.

use super::Each;
use super::scanners::{self, Pattern};
use crate::alignment::Part;
use crate::byte_alphabet;
use crate::error::EncodeError;

/// The pretokenizer `ByteLevel`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteLevel {
    /// Whether a space is put before a pretoken that does not start with one.
    pub add_prefix_space: bool,
    /// Kept for the file: the postprocessor of the same name is what trims.
    pub(crate) trim_offsets: bool,
    /// Whether GPT-2's pattern splits first.
    pub use_regex: bool,
}

impl ByteLevel {
    /// Bytes and nothing else.
    pub(crate) const ALONE: Self = Self { add_prefix_space: false, trim_offsets: false, use_regex: false };

    /// Calls `each` with the pretokens of a part of a text, their bytes spelled.
    ///
    /// Errors: those of `each`.
    pub(crate) fn split(self, part: &Part<'_>, each: &mut Each<'_>) -> Result<(), EncodeError> {
        let mut spelled = |part: Part<'_>| {
            let mut bytes = part.to_aligned();
            bytes.map_bytes(byte_alphabet::char_of);
            each(bytes.whole())
        };
        let mut split = |part: &Part<'_>| {
            if self.use_regex { scanners::split(Pattern::R50k, part, &mut spelled) } else { spelled(part.clone()) }
        };
        if self.add_prefix_space && !part.text().starts_with(' ') {
            let mut prefixed = part.to_aligned();
            prefixed.prepend(" ");
            return split(&prefixed.whole());
        }
        split(part)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_bytelevel_split() -> Result<(), crate::error::EncodeError> {
        use crate::{alignment::AlignedText, pretokenizers::byte_level::ByteLevel};
        let (text, mut words) = (AlignedText::new("café au", 0), vec![]);
        let byte_level = ByteLevel { add_prefix_space: true, trim_offsets: true, use_regex: true };
        byte_level.split(&text.whole(), &mut |part| {
            words.push(part.text().to_owned());
            Ok(())
        })?;
        assert_eq!(words, ["ĠcafÃ©", "Ġau"]);
        Ok(())
    }
}
