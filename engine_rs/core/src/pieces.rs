//! A text split into pieces: what pretokenizers work on, one after the other, before the model sees each piece.
//!
//! A piece that is an added token is settled; no stage touches it. Pieces without text are dropped.
//! Not here: the whole text under normalization ([`crate::alignment`]).

use crate::alignment::{Aligned, Part};
use crate::ids::Id;

/// An added token found in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its id.
    pub id: Id,
    /// Whether it is a special token.
    pub special: bool,
}

/// A piece of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its text, with the place of every byte in the original.
    pub text: Aligned,
    /// The added token it is, if it is one.
    pub token: Option<Found>,
}

/// The pieces in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pieces(Vec<Piece>);

impl Pieces {
    /// One piece: the whole text, whose first byte stands at byte `base` of the original.
    pub fn new(text: &str, base: usize) -> Self {
        Self(vec![Piece { text: Aligned::new(text, base), token: None }])
    }

    /// All pieces.
    pub fn iter(&self) -> impl Iterator<Item = &Piece> {
        self.0.iter()
    }

    /// Replaces every piece that is no added token by the parts of it that `split` gives to the function it is called with.
    ///
    /// Errors: those of `split`; the first one ends it.
    ///
    /// ```
    /// # use std::convert::Infallible;
    /// # use token_engine::{alignment::Behavior, pieces::Pieces};
    /// let mut pieces = Pieces::new("a-b", 0);
    /// let dash = [Ok::<_, Infallible>(1..2)];
    /// pieces.try_split(|piece, each| piece.split(dash.clone(), Behavior::Removed, |part| each(part))).unwrap();
    /// assert_eq!(pieces.iter().map(|piece| piece.text.text()).collect::<Vec<_>>(), ["a", "b"]);
    /// ```
    pub fn try_split<E>(
        &mut self,
        mut split: impl FnMut(Part<'_>, &mut dyn FnMut(Part<'_>) -> Result<(), E>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.try_replace(|text, out| {
            split(text.whole(), &mut |part| {
                out.push(Piece { text: part.to_aligned(), token: None });
                Ok(())
            })
        })
    }

    /// Replaces every piece that is no added token by those that `pieces_of` appends, which may be added tokens.
    ///
    /// Errors: those of `pieces_of`; the first one ends it, and no piece is left.
    pub fn try_replace<E>(
        &mut self,
        mut pieces_of: impl FnMut(Aligned, &mut Vec<Piece>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut out = Vec::with_capacity(self.0.len());
        for piece in std::mem::take(&mut self.0) {
            if piece.token.is_some() {
                out.push(piece);
                continue;
            }
            let before = out.len();
            pieces_of(piece.text, &mut out)?;
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

    /// Changes the text of every piece that is no added token; the first failure ends it.
    pub fn try_change<E>(&mut self, mut change: impl FnMut(&mut Aligned) -> Result<(), E>) -> Result<(), E> {
        self.0.iter_mut().filter(|piece| piece.token.is_none()).try_for_each(|piece| change(&mut piece.text))
    }

    /// Changes the text of every piece that is no added token.
    pub fn change(&mut self, mut change: impl FnMut(&mut Aligned)) {
        for piece in self.0.iter_mut().filter(|piece| piece.token.is_none()) {
            change(&mut piece.text);
        }
    }
}
