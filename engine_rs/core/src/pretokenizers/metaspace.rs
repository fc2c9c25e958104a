//! Spaces written as a visible character, `▁` as a rule, each the start of a word.
//!
//! Source: Kudo and Richardson 2018, SentencePiece; `Metaspace` of the tokenizer.json format.

use std::ops::Range;

use super::Each;
use crate::alignment::{Behavior, Part};
use crate::error::EncodeError;

/// Whether a word is given the character when no space is before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Prepend {
    /// At the start of every pretoken: of the text, and after added tokens.
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
    /// Whether to split before it.
    pub split: bool,
}

impl Metaspace {
    /// Calls `each` with the words of a part of a text, spaces written as marks.
    ///
    /// Errors: those of `each`.
    pub(crate) fn split(self, part: &Part<'_>, each: &mut Each<'_>) -> Result<(), EncodeError> {
        let mark = self.replacement;
        let mut bytes = [0; 4];
        let written: &str = mark.encode_utf8(&mut bytes);
        let is_first = match self.prepend {
            Prepend::Always => true,
            Prepend::First => part.origin() == 0,
            Prepend::Never => false,
        };
        // Words are made one by one: the marks of a long text would be a second text.
        let is_mark = |c: char| c == ' ' || c == mark;
        let prepends = is_first && !part.text().starts_with(is_mark);
        let marked = |part: Part<'_>, is_start: bool, each: &mut Each<'_>| {
            let prepends = prepends && is_start;
            if !prepends && !part.text().contains(' ') {
                return each(part);
            }
            let mut word = part.to_aligned();
            let spaces: Vec<Range<usize>> = part.text().match_indices(' ').map(|(at, _)| at..at + 1).collect();
            if !spaces.is_empty() {
                word.replace(&spaces, written);
            }
            if prepends {
                word.prepend(written);
            }
            each(word.whole())
        };
        if !self.split {
            return marked(part.clone(), true, each);
        }
        let marks = part.text().match_indices(is_mark).map(|(at, found)| Ok(at..at + found.len()));
        let mut is_start = true;
        part.split(marks, Behavior::MergedWithNext, |part| marked(part, std::mem::take(&mut is_start), each))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_metaspace_split() -> Result<(), crate::error::EncodeError> {
        use crate::{
            alignment::AlignedText,
            pretokenizers::metaspace::{Metaspace, Prepend},
        };
        let (text, mut words) = (AlignedText::new("Hey  you", 0), vec![]);
        let metaspace = Metaspace { replacement: '▁', prepend: Prepend::Always, split: true };
        metaspace.split(&text.whole(), &mut |part| {
            words.push(part.text().to_owned());
            Ok(())
        })?;
        assert_eq!(words, ["▁Hey", "▁", "▁you"]);
        Ok(())
    }
}
