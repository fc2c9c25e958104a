//! A text cut into pieces: what pretokenizers work on, one after the other, before the model sees each piece.
//!
//! A piece that is an added token is settled; no stage touches it. Pieces without text are dropped.
//! Not here: the whole text under normalization ([`crate::alignment`]).

use crate::alignment::Aligned;
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

    /// Replaces every piece that is no added token by those that `split` pushes. `split` is also told whether the piece
    /// is the first one of the text.
    ///
    /// ```
    /// # use token_engine::{alignment::{Aligned, Behavior}, pieces::Pieces};
    /// let mut pieces = Pieces::new("a-b", 0);
    /// pieces.split(|_, piece, out| piece.split(&[1..2], Behavior::Removed, out));
    /// assert_eq!(pieces.iter().map(|piece| piece.text.text()).collect::<Vec<_>>(), ["a", "b"]);
    /// ```
    pub fn split(&mut self, mut split: impl FnMut(bool, Aligned, &mut Vec<Aligned>)) {
        self.split_and_settle(|first, text, out| {
            let mut parts = vec![];
            split(first, text, &mut parts);
            out.extend(parts.into_iter().map(|text| Piece { text, token: None }));
        });
    }

    /// The same where the new pieces may be added tokens.
    pub fn split_and_settle(&mut self, mut split: impl FnMut(bool, Aligned, &mut Vec<Piece>)) {
        let mut out = Vec::with_capacity(self.0.len());
        for (at, piece) in std::mem::take(&mut self.0).into_iter().enumerate() {
            if piece.token.is_some() {
                out.push(piece);
                continue;
            }
            let before = out.len();
            split(at == 0, piece.text, &mut out);
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
    }

    /// The same where the change may fail; the first failure ends it.
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
