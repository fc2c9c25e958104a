//! Other paths through the lattice of a pretoken than the best: the most probable ones, and some that are drawn.
//!
//! A pretoken that occurs again has the paths of the first time, the drawn ones too. Not here: how they are found and drawn
//! ([`token_engine::models::unigram::lattice`]), how all of them are weighed together ([`weights`]).

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::LessonError;
use crate::trace::{Boundary, MOST_SEGMENTATIONS, Pretoken, Steps, Trace};
use token_engine::internals::call::LATTICE_TOKENS;
use token_engine::internals::random::Random;
use token_engine::models::unigram::lattice::{Lattice, LatticeError, Segmentation};
use token_engine::models::unigram::weights::Weights;
use token_engine::models::unigram::{Unigram, UserDefined};
use token_engine::{EncodeError, Id};

/// Paths of longer pretokens are not listed: nobody can tell them apart.
pub(super) const MOST_CHARACTERS: usize = 100;

/// Paths that are drawn of a pretoken.
pub(super) const DRAWS: usize = 10;

/// A token of a path.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Stood {
    id: Id,
    /// The characters of the pretoken that it stands for, the last one not among them. Each byte of a character has it whole.
    from: usize,
    to: usize,
}

/// A path through the lattice of a pretoken.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Path {
    tokens: Vec<Stood>,
    /// Sum of the scores.
    score: f64,
    /// `exp(score)`, divided by the sum of that over all paths.
    probability: f64,
    /// How often it was drawn; `None` before the draws.
    drawn: Option<usize>,
}

/// What is known of all paths of a pretoken.
#[derive(Debug)]
pub(super) struct Paths {
    /// For each place inside of it: the number of characters before it, and the share of all paths that split there.
    shares: Vec<(usize, f64)>,
    /// The most probable ones, the best first, then those that were drawn and are not among them; empty of one that is too long.
    paths: Vec<Path>,
    /// How many are the most probable ones.
    listed: usize,
}

/// Those of each pretoken, and `None` of an added token.
pub(super) fn of_trace(model: &Unigram, trace: &Trace, seed: u64) -> Result<Vec<Option<Rc<Paths>>>, LessonError> {
    let (mut known, mut random) = (FxHashMap::<&str, Rc<Paths>>::default(), Random::new(seed));
    let mut all = vec![];
    for pretoken in &trace.pretokens {
        if !matches!(pretoken.steps, Steps::Unigram { .. }) {
            all.push(None);
            continue;
        }
        let paths = match known.get(pretoken.text.as_str()) {
            Some(paths) => Rc::clone(paths),
            None => {
                let found = Paths::new(model, &pretoken.text, &mut random);
                let paths = Rc::new(found.map_err(|error| refused(pretoken, error))?);
                known.insert(&pretoken.text, Rc::clone(&paths));
                paths
            }
        };
        all.push(Some(paths));
    }
    Ok(all)
}

fn refused(pretoken: &Pretoken, error: LatticeError) -> LessonError {
    LessonError::Encode(match error {
        LatticeError::Cancelled(cancelled) => cancelled.into(),
        LatticeError::TooLarge => EncodeError::LatticeTooLarge { bytes: pretoken.text.len(), max: LATTICE_TOKENS },
        LatticeError::Unknown(_) => {
            EncodeError::NoUnknown { text: pretoken.text.clone(), byte: pretoken.span[0] as usize }
        }
    })
}

impl Paths {
    fn new(model: &Unigram, text: &str, random: &mut Random) -> Result<Self, LatticeError> {
        let lattice = Lattice::new(model, text, UserDefined::ByCharacters)?;
        let weights = Weights::new(&lattice.weighed(), text.len());
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let shares = starts.iter().enumerate().skip(1).map(|(n, &at)| (n, weights.boundary(at))).collect();
        if starts.len() > MOST_CHARACTERS {
            return Ok(Self { shares, paths: vec![], listed: 0 });
        }
        let placed = |(id, Range { start, end }): (Id, Range<usize>)| Stood {
            id,
            from: starts.partition_point(|&at| at <= start) - 1,
            to: starts.partition_point(|&at| at < end),
        };
        let path = |Segmentation { tokens, sum: score, .. }: Segmentation| Path {
            tokens: tokens.into_iter().map(placed).collect(),
            score,
            probability: weights.of_path(score, 0..text.len()),
            drawn: Some(0),
        };
        let mut paths: Vec<Path> = lattice.n_best_as_encoded(MOST_SEGMENTATIONS)?.into_iter().map(path).collect();
        let (listed, draws) = (paths.len(), lattice.draws(1.0)?);
        for _ in 0..if listed > 1 { DRAWS } else { 0 } {
            let drawn = path(draws.next(random)?);
            let at = paths.iter().position(|path| path.tokens == drawn.tokens).unwrap_or(paths.len());
            if at == paths.len() {
                paths.push(drawn);
            }
            paths[at].drawn = paths[at].drawn.map(|times| times + 1);
        }
        // A stable sort: of two that are equally probable, the one that was drawn first comes first.
        paths[listed..].sort_by(|a, b| b.probability.total_cmp(&a.probability));
        Ok(Self { shares, paths, listed })
    }

    /// Whether there are too many characters for its paths.
    pub(super) fn is_too_long(&self) -> bool {
        self.listed == 0
    }

    /// Whether there is another path than the best.
    pub(super) fn can_differ(&self) -> bool {
        self.listed != 1
    }

    /// The most probable paths, as they are before the draws.
    pub(super) fn listed(&self) -> Vec<Path> {
        self.paths[..self.listed].iter().map(|path| Path { drawn: None, ..path.clone() }).collect()
    }

    /// These, with how often they were drawn, and the others that were drawn.
    pub(super) fn drawn(&self) -> Vec<Path> {
        self.paths.clone()
    }

    /// The share of all paths that split at each place inside of a pretoken of this text.
    pub(super) fn boundaries(&self, pretoken: &Pretoken) -> Vec<Boundary> {
        let mut boundaries: Vec<Boundary> = vec![];
        for &(character, probability) in &self.shares {
            let byte = pretoken.alignment[character][0];
            // Between characters that came of one character, or were put in, is no place of the text.
            if byte > boundaries.last().map_or(pretoken.span[0], |last| last.byte) {
                boundaries.push(Boundary { byte, character, probability });
            }
        }
        boundaries
    }

    /// The ids of all paths.
    pub(super) fn ids(&self) -> impl Iterator<Item = Id> {
        self.paths.iter().flat_map(|path| &path.tokens).map(|token| token.id)
    }
}
