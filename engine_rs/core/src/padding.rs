//! Filling encodings up to a length.
//!
//! Source: `padding` of the tokenizer.json format, `pad_encodings` in `tokenizers`.

use crate::call::{self, Adds};
use crate::encoding::Encoding;
use crate::error::EncodeError;
use crate::ids::Id;
use crate::truncation::Side;
use crate::vocab::Vocab;

/// How long encodings become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PadTo {
    /// As long as the longest.
    Longest,
    /// This number of tokens; longer ones stay as they are.
    Length(usize),
}

/// With what to fill up, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Padding {
    /// How long encodings become.
    pub to: PadTo,
    /// The length is rounded up to a multiple of this.
    pub multiple_of: Option<usize>,
    /// The end that is filled.
    pub side: Side,
    /// The token to fill with.
    pub id: Id,
    /// Its type.
    pub type_id: u8,
    /// Its spelling.
    pub token: String,
}

impl Padding {
    /// The padding of a tokenizer: as its file says, otherwise on the right with its padding token, the one of
    /// its `special` tokens that spells "pad" in any case between brackets of the kinds `<`, `[` and `|`: `[PAD]`, `<pad>`, `<|pad|>`.
    ///
    /// Errors: no such token; one that is not in the vocabulary.
    ///
    /// ```
    /// # use token_engine::{PadTo, Padding, Vocab};
    /// let mut vocab = Vocab::default();
    /// vocab.insert(7, b"<pad>").unwrap();
    /// assert_eq!(Padding::of(None, [("<pad>", 7)], &vocab, PadTo::Longest, None)?.id, 7);
    /// assert!(Padding::of(None, [], &vocab, PadTo::Longest, None).is_err());
    /// # Ok::<(), token_engine::EncodeError>(())
    /// ```
    pub fn of<'a>(
        own: Option<&Self>,
        special: impl IntoIterator<Item = (&'a str, Id)>,
        vocab: &Vocab,
        to: PadTo,
        multiple_of: Option<usize>,
    ) -> Result<Self, EncodeError> {
        if let Some(own) = own {
            if vocab.token(own.id).is_none() {
                return Err(EncodeError::PadTokenMissing { token: own.token.clone(), id: own.id });
            }
            return Ok(Self { to, multiple_of: multiple_of.or(own.multiple_of), ..own.clone() });
        }
        let (token, id) = special.into_iter().find(|(spelling, _)| is_pad(spelling)).ok_or(EncodeError::NoPadToken)?;
        Ok(Self { to, multiple_of, side: Side::Right, id, type_id: 0, token: token.to_owned() })
    }

    /// The same for encodings that belong to a batch without being in it: to the length that these are filled up to.
    #[must_use]
    pub fn settled(&self, encodings: &[Encoding]) -> Self {
        Self { to: PadTo::Length(self.length(encodings)), multiple_of: None, ..self.clone() }
    }

    fn length(&self, encodings: &[Encoding]) -> usize {
        let length = match self.to {
            PadTo::Length(length) => length,
            PadTo::Longest => encodings.iter().map(Encoding::len).max().unwrap_or(0),
        };
        let multiple = self.multiple_of.unwrap_or(1).max(1);
        length.checked_next_multiple_of(multiple).unwrap_or(usize::MAX)
    }

    /// Fills all up to one length, the parts left over likewise.
    ///
    /// Errors: more tokens for all of them together than a call may add ([`call::ADDED_TOKENS`]).
    pub fn pad(&self, encodings: &mut [Encoding]) -> Result<(), EncodeError> {
        let length = self.length(encodings);
        let all = || encodings.iter().flat_map(|encoding| encoding.overflowing.iter().chain([encoding]));
        let missing = all().fold(0, |sum: usize, one| sum.saturating_add(length.saturating_sub(one.len())));
        call::may_add(Adds::Padding, missing, all().map(Encoding::len).sum())?;
        encodings.iter_mut().for_each(|encoding| self.fill(encoding, length));
        Ok(())
    }

    fn fill(&self, encoding: &mut Encoding, length: usize) {
        encoding.overflowing.iter_mut().for_each(|part| self.fill(part, length));
        let missing = length.saturating_sub(encoding.len());
        if missing == 0 {
            return;
        }
        match self.side {
            Side::Right => encoding.push_padding(self.id, self.type_id, missing),
            Side::Left => {
                let mut padded = Encoding::default();
                padded.push_padding(self.id, self.type_id, missing);
                padded.append(encoding);
                padded.overflowing = std::mem::take(&mut encoding.overflowing);
                *encoding = padded;
            }
        }
    }
}

fn is_pad(spelling: &str) -> bool {
    let inner = spelling.trim_start_matches(['<', '[', '|']).trim_end_matches(['>', ']', '|']);
    inner.len() < spelling.len() && inner.eq_ignore_ascii_case("pad")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_batch_is_bounded() {
        let padding = |length| Padding {
            to: PadTo::Length(length),
            multiple_of: None,
            side: Side::Left,
            id: 0,
            type_id: 0,
            token: "[PAD]".into(),
        };
        let pad = |texts: usize, length| padding(length).pad(&mut vec![Encoding::default(); texts]);
        assert_eq!(pad(1000, 100), Ok(()));
        let refused =
            |tokens| Err(EncodeError::TooManyAdded { by: Adds::Padding, tokens, max: call::ADDED_TOKENS, used: 0 });
        assert_eq!(pad(5, 10_000_000), refused(50_000_000));
        assert_eq!(pad(400_000, 100), refused(40_000_000), "short, but many");
        assert_eq!(pad(2, usize::MAX), refused(usize::MAX));
    }

    #[test]
    fn knows_padding_tokens_by_their_spelling() {
        for (spelling, expected) in [
            ("[PAD]", true),
            ("<pad>", true),
            ("<|pad|>", true),
            ("pad", false),
            ("<padding>", false),
            ("[PAD1]", false),
        ] {
            assert_eq!(is_pad(spelling), expected, "{spelling}");
        }
    }
}
