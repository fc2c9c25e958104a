//! Spaces written as a visible character, `▁` as a rule, each the start of a word.
//!
//! Source: Kudo and Richardson 2018, SentencePiece; `Metaspace` of the tokenizer.json format.

use std::ops::Range;

use crate::alignment::Behavior;
use crate::pieces::Pieces;

/// Whether a word is given the character when no space is before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Prepend {
    /// At the start of every piece: of the text, and after added tokens.
    Always,
    /// At the start of the text alone.
    First,
    /// Nowhere.
    Never,
}

/// The pretokenizer `Metaspace`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metaspace {
    /// What spaces are written as.
    pub replacement: char,
    /// Whether it is put before the first word.
    pub prepend: Prepend,
    /// Whether to cut before it.
    pub split: bool,
}

impl Metaspace {
    /// Writes the spaces and cuts.
    ///
    /// ```
    /// # use token_engine::{pieces::Pieces, pretokenizers::metaspace::{Metaspace, Prepend}};
    /// let mut pieces = Pieces::new("Hey  you", 0);
    /// Metaspace { replacement: '▁', prepend: Prepend::Always, split: true }.pretokenize(&mut pieces);
    /// assert_eq!(pieces.iter().map(|piece| piece.text.text()).collect::<Vec<_>>(), ["▁Hey", "▁", "▁you"]);
    /// ```
    pub fn pretokenize(self, pieces: &mut Pieces) {
        let mark = self.replacement;
        pieces.split(|_, mut piece, out| {
            let spaces: Vec<Range<usize>> = piece.text().match_indices(' ').map(|(at, _)| at..at + 1).collect();
            if !spaces.is_empty() {
                piece.replace(&spaces, mark.encode_utf8(&mut [0; 4]));
            }
            let prepend = match self.prepend {
                Prepend::Always => true,
                Prepend::First => piece.origin() == 0,
                Prepend::Never => false,
            };
            if prepend && !piece.text().starts_with(mark) {
                piece.prepend(mark.encode_utf8(&mut [0; 4]));
            }
            if self.split {
                let marks: Vec<Range<usize>> =
                    piece.text().match_indices(mark).map(|(at, found)| at..at + found.len()).collect();
                piece.split(&marks, Behavior::MergedWithNext, out);
            } else {
                out.push(piece);
            }
        });
    }
}
