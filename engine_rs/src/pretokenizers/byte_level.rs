//! GPT-2's split, then every byte spelled as a character of the byte alphabet, which is what the model's vocabulary has.
//!
//! Not here: the pattern itself ([`super::scanners`]), the fused path that needs no alphabet ([`crate::models::bpe`]).
//!
//! Source: `ByteLevel` of the tokenizer.json format; github.com/openai/gpt-2 `encoder.py`.

use super::scanners::{self, Pattern};
use crate::byte_alphabet;
use crate::pieces::Pieces;

/// The pretokenizer `ByteLevel`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteLevel {
    /// Whether a space is put before a piece that does not start with one.
    pub add_prefix_space: bool,
    /// Kept for the file: the postprocessor of the same name is what trims.
    pub trim_offsets: bool,
    /// Whether GPT-2's pattern splits first.
    pub use_regex: bool,
}

impl ByteLevel {
    /// Splits the pieces and spells their bytes.
    ///
    /// ```
    /// # use token_engine::{pieces::Pieces, pretokenizers::byte_level::ByteLevel};
    /// let mut pieces = Pieces::new("café au", 0);
    /// ByteLevel { add_prefix_space: true, trim_offsets: true, use_regex: true }.pretokenize(&mut pieces);
    /// assert_eq!(pieces.iter().map(|piece| piece.text.text()).collect::<Vec<_>>(), ["ĠcafÃ©", "Ġau"]);
    /// ```
    pub fn pretokenize(self, pieces: &mut Pieces) {
        self.prefix(pieces);
        if self.use_regex {
            scanners::pretokenize(Pattern::R50k, pieces);
        }
        pieces.change(|piece| piece.map_bytes(byte_alphabet::char_of));
    }

    /// Puts the space before the pieces, where one is put.
    pub fn prefix(self, pieces: &mut Pieces) {
        if self.add_prefix_space {
            pieces.change(|piece| {
                if !piece.text().starts_with(' ') {
                    piece.prepend(" ");
                }
            });
        }
    }
}
