//! Other ways to cut a text than the one that `encode` takes: the next best ones, and random ones.
//!
//! Everything random follows from a seed. Nothing here adds special tokens; those that the text spells stay one token.
//! Not here: the algorithms ([`crate::models::unigram::lattice`], [`crate::models::bpe`]).
//!
//! Source: Kudo 2018, Subword Regularization; Provilkov et al. 2020, BPE-Dropout.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::added_tokens::{Segment, Specials};
use crate::error::EncodeError;
use crate::ids::Id;
use crate::models::scored::Algorithm;
use crate::models::unigram::Unigram;
use crate::models::unigram::lattice::Lattice;
use crate::models::{Model, NotEncoded, Scratch};
use crate::pieces::{Piece, Pieces};
use crate::pipelines::staged::no_unknown;
use crate::random::Random;
use crate::tokenizer::{Pipeline, Tokenizer};

/// Ids of a text and the natural logarithm of their probability, added tokens not counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// The ids.
    pub ids: Vec<Id>,
    /// Sum of the scores.
    pub score: f64,
}

impl Tokenizer {
    /// Probability of leaving a merge out that the tokenizer has of itself, where it has one.
    pub fn dropout(&self) -> Option<f32> {
        match self.model()? {
            Model::Bpe(bpe) => bpe.settings().dropout,
            _ => None,
        }
    }

    /// The model, where it is not fused with what comes before it.
    fn model(&self) -> Option<&Model> {
        if let Pipeline::Staged(staged) = &self.parts().pipeline { Some(&staged.model) } else { None }
    }

    /// Ids of a text, each merge left out with probability `dropout`; with 0 those of `encode_ids`.
    ///
    /// Errors: a model that merges nothing; those of `encode_ids`.
    pub fn encode_ids_with_dropout(
        &self,
        text: &str,
        specials: Specials,
        dropout: f32,
        seed: u64,
    ) -> Result<Vec<Id>, EncodeError> {
        if let Pipeline::SentencePiece(_) = self.parts().pipeline {
            return Err(EncodeError::AllMerges { model: self.stages().model });
        }
        let mut ids = vec![];
        let mut tokens = vec![];
        let mut random = Random::new(seed);
        let mut scratch = Scratch::new(seed).with_dropout(dropout);
        for piece in self.pieces(text, specials)?.iter() {
            if let Some(found) = piece.token {
                ids.push(found.id);
                continue;
            }
            match &self.parts().pipeline {
                Pipeline::ByteLevelBpe(_) if dropout == 0.0 => return self.encode_ids(text, specials),
                Pipeline::ByteLevelBpe(fused) => {
                    fused.bpe().cut_with_dropout(piece.text.text().as_bytes(), dropout, &mut random, &mut ids);
                }
                Pipeline::Staged(staged) if matches!(staged.model, Model::Bpe(_)) => {
                    let encoded = staged.model.encode(piece.text.text(), &mut scratch, &mut tokens);
                    encoded.map_err(|refused| no_unknown(text, piece, refused))?;
                    ids.extend(tokens.drain(..).map(|(id, _)| id));
                }
                _ => return Err(EncodeError::NoDropout { model: self.stages().model }),
            }
        }
        Ok(ids)
    }

    /// The `count` most probable ways to cut a text, the best first; fewer where there are no more. The best one is that of
    /// `encode_ids`, but of a SentencePiece model asked for several they are the library's
    /// ([`crate::pipelines::sentencepiece::SentencePiece::n_best`]).
    ///
    /// Errors: a model without scores; those of `encode_ids`.
    pub fn n_best(&self, text: &str, specials: Specials, count: usize) -> Result<Vec<Scored>, EncodeError> {
        let mut best = vec![Scored { ids: vec![], score: 0.0 }];
        if let Pipeline::SentencePiece(fused) = &self.parts().pipeline {
            for segment in self.segments(text, specials)? {
                let next = match segment {
                    Segment::Token(found, _) => vec![(vec![found.id], 0.0)],
                    Segment::Text(span) => fused.n_best(&text[span.range()], count).ok_or_else(|| self.no_scores())?,
                };
                let next = next.into_iter().map(|(ids, score)| Scored { ids, score: f64::from(score) });
                best = best_pairs(&best, &next.collect::<Vec<_>>(), count);
            }
            return Ok(best);
        }
        self.each_piece(text, specials, |piece, model| {
            let next = match model {
                Err(id) => vec![Scored { ids: vec![id], score: 0.0 }],
                Ok(model) => {
                    n_best_of(model, piece.text.text(), count).map_err(|refused| no_unknown(text, piece, refused))?
                }
            };
            best = best_pairs(&best, &next, count);
            Ok(())
        })?;
        Ok(best)
    }

    /// A random way to cut a text: the lower the temperature, the nearer to the best one. At 1 probabilities are the
    /// model's.
    ///
    /// Errors: a model without scores; those of `encode_ids`.
    pub fn sample(&self, text: &str, specials: Specials, temperature: f64, seed: u64) -> Result<Vec<Id>, EncodeError> {
        if temperature == 0.0 && self.is_unigram() {
            return self.encode_ids(text, specials);
        }
        let mut random = Random::new(seed);
        let mut ids = vec![];
        if let Pipeline::SentencePiece(fused) = &self.parts().pipeline {
            for segment in self.segments(text, specials)? {
                match segment {
                    Segment::Token(found, _) => ids.push(found.id),
                    Segment::Text(span) => {
                        let drawn = fused.sample(&text[span.range()], temperature, &mut random);
                        ids.extend(drawn.ok_or_else(|| self.no_scores())?);
                    }
                }
            }
            return Ok(ids);
        }
        self.each_piece(text, specials, |piece, model| {
            match model {
                Err(id) => ids.push(id),
                Ok(model) => {
                    let drawn = Lattice::new(model, piece.text.text()).sample(temperature, &mut random);
                    let drawn = drawn.map_err(|refused| no_unknown(text, piece, refused))?;
                    ids.extend(drawn.tokens.into_iter().map(|(id, _)| id));
                }
            }
            Ok(())
        })?;
        Ok(ids)
    }

    fn is_unigram(&self) -> bool {
        match &self.parts().pipeline {
            Pipeline::SentencePiece(fused) => fused.model().algorithm() == Algorithm::Unigram,
            _ => matches!(self.model(), Some(Model::Unigram(_))),
        }
    }

    fn no_scores(&self) -> EncodeError {
        EncodeError::NoScores { model: self.stages().model }
    }

    /// Calls `each` with every piece of a text, and its model or the added token it is.
    fn each_piece(
        &self,
        text: &str,
        specials: Specials,
        mut each: impl FnMut(&Piece, Result<&Unigram, Id>) -> Result<(), EncodeError>,
    ) -> Result<(), EncodeError> {
        let Some(Model::Unigram(model)) = self.model() else { return Err(self.no_scores()) };
        let pieces: Pieces = self.pieces(text, specials)?;
        pieces.iter().try_for_each(|piece| each(piece, piece.token.map_or(Ok(model), |found| Err(found.id))))
    }
}

/// The best ways to cut a pretoken; of equal ones that of `encode` comes first.
fn n_best_of(model: &Unigram, pretoken: &str, count: usize) -> Result<Vec<Scored>, NotEncoded> {
    let ids = |tokens: Vec<(Id, _)>| tokens.into_iter().map(|(id, _)| id).collect::<Vec<_>>();
    let found = Lattice::new(model, pretoken).n_best(count)?;
    let mut found: Vec<Scored> =
        found.into_iter().map(|one| Scored { ids: ids(one.tokens), score: one.score }).collect();
    let Some(score) = found.first().map(|best| best.score) else { return Ok(found) };
    let mut first = vec![];
    model.encode(pretoken, &mut Default::default(), &mut first)?;
    let first = Scored { ids: ids(first), score };
    let place = found.iter().position(|one| one.ids == first.ids).unwrap_or(found.len() - 1);
    found.remove(place);
    found.insert(0, first);
    Ok(found)
}

/// Two parts put together: their sum, and which ones of two sorted lists they are.
#[derive(PartialEq)]
struct Pair(f64, usize, usize);

impl Eq for Pair {}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pair {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0).then_with(|| (other.1, other.2).cmp(&(self.1, self.2)))
    }
}

/// The best sums of one of each of two lists, both sorted from the best on.
///
/// Every pair enters the queue once: from (a, b) the next are (a, b + 1), and (a + 1, 0) where b is 0.
fn best_pairs(first: &[Scored], second: &[Scored], count: usize) -> Vec<Scored> {
    let pair = |a: usize, b: usize| Some(Pair(first.get(a)?.score + second.get(b)?.score, a, b));
    let mut queue: BinaryHeap<Pair> = pair(0, 0).into_iter().collect();
    let mut best = vec![];
    while best.len() < count
        && let Some(Pair(score, a, b)) = queue.pop()
    {
        best.push(Scored { ids: [&first[a].ids[..], &second[b].ids[..]].concat(), score });
        queue.extend(pair(a, b + 1));
        if b == 0 {
            queue.extend(pair(a + 1, 0));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_pairs_are_the_best_of_all() {
        let mut random = crate::testing::Random::new(3);
        let mut list = |len: usize| {
            let mut all: Vec<Scored> =
                (0..len).map(|id| Scored { ids: vec![id as Id], score: -(random.below(1000) as f64) }).collect();
            all.sort_by(|a, b| b.score.total_cmp(&a.score));
            all
        };
        for len in 1..12 {
            let (first, second) = (list(len), list(12 - len));
            let mut all: Vec<f64> = first.iter().flat_map(|a| second.iter().map(move |b| a.score + b.score)).collect();
            all.sort_by(|a, b| b.total_cmp(a));
            for count in [1, 5, 100] {
                let found: Vec<f64> = best_pairs(&first, &second, count).iter().map(|one| one.score).collect();
                assert_eq!(found, all[..count.min(all.len())]);
            }
        }
    }
}
