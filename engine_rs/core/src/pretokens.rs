//! A text as pretokens: each stage before the model splits or changes them, and the model encodes each one alone.
//!
//! The text starts as one pretoken. An added token is a pretoken that no later stage touches. Those without text are dropped.
//! Not here: the whole text under normalization ([`crate::alignment`]).

use crate::alignment::{AlignedText, Part};
use crate::ids::Id;

/// An added token found in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddedTokenMatch {
    /// Its id.
    pub id: Id,
    /// Whether it is a special token.
    pub special: bool,
}

/// A slice of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pretoken {
    /// Its text, with the place of every byte in the original.
    pub text: AlignedText,
    /// The added token it is, if it is one.
    pub token: Option<AddedTokenMatch>,
}

/// The pretokens in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pretokens(Vec<Pretoken>);

impl Pretokens {
    /// One pretoken, the whole text, whose first byte is byte `base` of the original.
    pub(crate) fn new(text: &str, base: usize) -> Self {
        Self(vec![Pretoken { text: AlignedText::new(text, base), token: None }])
    }

    /// All pretokens.
    pub fn iter(&self) -> impl Iterator<Item = &Pretoken> {
        self.0.iter()
    }

    /// Replaces every pretoken that is no added token by the parts of it that `split` gives to the function it is called with.
    ///
    /// Errors: those of `split`; the first one ends it.
    pub(crate) fn try_split<E>(
        &mut self,
        mut split: impl FnMut(Part<'_>, &mut dyn FnMut(Part<'_>) -> Result<(), E>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.try_replace(|text, out| {
            split(text.whole(), &mut |part| {
                out.push(Pretoken { text: part.to_aligned(), token: None });
                Ok(())
            })
        })
    }

    /// Replaces every pretoken that is no added token by those that `pretokens_of` appends, which may be added tokens.
    ///
    /// Errors: those of `pretokens_of`; the first one ends it, and no pretoken is left.
    pub(crate) fn try_replace<E>(
        &mut self,
        mut pretokens_of: impl FnMut(AlignedText, &mut Vec<Pretoken>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut out = Vec::with_capacity(self.0.len());
        for pretoken in std::mem::take(&mut self.0) {
            if pretoken.token.is_some() {
                out.push(pretoken);
                continue;
            }
            let before = out.len();
            pretokens_of(pretoken.text, &mut out)?;
            let mut kept = before;
            for at in before..out.len() {
                if !out[at].text.text().is_empty() {
                    out.swap(kept, at);
                    kept += 1;
                }
            }
            out.truncate(kept);
        }
        self.0 = out;
        Ok(())
    }

    /// Changes the text of every pretoken that is no added token; the first failure ends it.
    pub(crate) fn try_change<E>(&mut self, mut change: impl FnMut(&mut AlignedText) -> Result<(), E>) -> Result<(), E> {
        self.0
            .iter_mut()
            .filter(|pretoken| pretoken.token.is_none())
            .try_for_each(|pretoken| change(&mut pretoken.text))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_pretokens_try_split() {
        use crate::{alignment::Behavior, pretokens::Pretokens};
        use std::convert::Infallible;
        let mut pretokens = Pretokens::new("a-b", 0);
        let dash = [Ok::<_, Infallible>(1..2)];
        pretokens.try_split(|pretoken, each| pretoken.split(dash.clone(), Behavior::Removed, each)).unwrap();
        assert_eq!(pretokens.iter().map(|pretoken| pretoken.text.text()).collect::<Vec<_>>(), ["a", "b"]);
    }
}
