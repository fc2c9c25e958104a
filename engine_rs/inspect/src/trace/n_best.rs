//! The segmentations of a pretoken that a Unigram model weighs against each other, stretch by stretch.
//!
//! A stretch is what is between two places at which every segmentation splits, so that what happens in one has no part in the
//! next. Not here: how segmentations are found and weighed ([`token_engine::models::unigram`]).

use std::ops::Range;

use serde::Serialize;

use super::{Bytes, Token};
use token_engine::Id;
use token_engine::models::unigram::weights::{Node, Weights, units};

/// Of a stretch no more segmentations are given.
pub(crate) const MOST_SEGMENTATIONS: usize = 5;

/// A stretch of a pretoken over whose ends no token reaches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Unit {
    /// As the model sees it.
    pub(crate) text: String,
    /// What it stands for.
    pub(crate) span: Bytes,
    /// The most probable segmentations of it, the best first, at most [`MOST_SEGMENTATIONS`].
    pub(crate) n_best: Vec<Segmentation>,
    /// The places inside of it at which it could be split.
    pub(crate) boundaries: Vec<Boundary>,
}

/// A segmentation of a stretch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Segmentation {
    /// Its tokens.
    pub(crate) tokens: Vec<Token>,
    /// Sum of the scores of its tokens.
    pub(crate) score: f64,
    /// `exp(score)`, divided by the sum of that over all segmentations of the stretch.
    pub(crate) probability: f64,
}

/// A place at which a stretch could be split.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Boundary {
    /// Byte of the text.
    pub(crate) byte: u32,
    /// How many characters of the stretch are before it.
    pub(crate) character: usize,
    /// The sum of the probabilities of all segmentations that split here.
    pub(crate) probability: f64,
}

/// Ids with the bytes of the pretoken that they stand for, and the sum of their scores.
pub type ScoredTokens = (Vec<(Id, Range<usize>)>, f64);

/// The stretches of more than one character. `n_best` finds the segmentations of one, `tokens` makes the tokens that are
/// shown of them, `place` says where bytes of the pretoken are in the text.
pub(crate) fn of_lattice<E>(
    content: &str,
    nodes: &[Node],
    place: &dyn Fn(Range<usize>) -> Bytes,
    tokens: &dyn Fn(Vec<(Id, Range<usize>)>) -> Vec<Token>,
    n_best: impl Fn(&str) -> Result<Vec<ScoredTokens>, E>,
) -> Result<Vec<Unit>, E> {
    let weights = Weights::new(nodes, content.len());
    let whole = units(nodes, content.len()).into_iter().filter(|unit| content[unit.clone()].chars().nth(1).is_some());
    let unit = |unit: Range<usize>| {
        let text = &content[unit.clone()];
        let moved = |(id, range): (Id, Range<usize>)| (id, range.start + unit.start..range.end + unit.start);
        let segmentation = |(found, score): ScoredTokens| Segmentation {
            tokens: tokens(found.into_iter().map(moved).collect()),
            score,
            probability: weights.of_path(score, unit.clone()),
        };
        let span = place(unit.clone());
        let mut boundaries: Vec<Boundary> = vec![];
        for (character, (at, _)) in text.char_indices().enumerate().skip(1) {
            let byte = place(unit.start + at..unit.end)[0];
            // A boundary between characters that came of one character, or were put in, is none of the text.
            if byte > boundaries.last().map_or(span[0], |last| last.byte) {
                boundaries.push(Boundary { byte, character, probability: weights.boundary(unit.start + at) });
            }
        }
        let n_best = n_best(text)?.into_iter().map(segmentation).collect();
        Ok(Unit { text: text.to_owned(), span, n_best, boundaries })
    };
    whole.map(unit).collect()
}
