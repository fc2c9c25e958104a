//! Other segmentations of a text than the best one, of a Unigram model.

use crate::ids::Id;
use crate::models::scored::unigram::lattice::{Lattice, Sums};
use crate::normalizers::sentencepiece::Normalized;
use crate::random::Random;

use super::SentencePiece;

/// Ids and the sum of their scores.
pub type Way = (Vec<Id>, f32);

impl SentencePiece {
    /// The best segmentations of a text, at most `count`, the best first; one without tokens where nothing is left of
    /// the text. `None` where the model is not Unigram.
    ///
    /// Asked for one, it is that of encoding. Of several they are those of the library's n best, whose first need not be
    /// the same: user-defined tokens are scored in another way there, and of equal sums another one may come first.
    pub fn n_best(&self, text: &str, count: usize) -> Option<Vec<Way>> {
        let (lattice, normalized) = self.ways(text, if count > 1 { Sums::Ways } else { Sums::Encoding })?;
        let found = match count {
            0 => vec![],
            1 => {
                let mut best = vec![];
                self.model.encode(&normalized.text, &mut Default::default(), &mut best);
                vec![(lattice.score(&best), best)]
            }
            _ => lattice.n_best(count).into_iter().map(|one| (one.score, one.tokens)).collect(),
        };
        let ids = |tokens: Vec<_>| {
            let mut ids: Vec<Id> = vec![];
            self.push(text, 0, &normalized, tokens.into_iter(), &mut ids);
            ids
        };
        Some(found.into_iter().map(|(score, tokens)| (ids(tokens), score)).collect())
    }

    /// A random segmentation of a text, in proportion to `exp(sum of scores / temperature)`. `None` where the model is
    /// not Unigram.
    pub fn sample(&self, text: &str, temperature: f64, random: &mut Random) -> Option<Vec<Id>> {
        let (lattice, normalized) = self.ways(text, Sums::Ways)?;
        let mut ids: Vec<Id> = vec![];
        self.push(text, 0, &normalized, lattice.sample(temperature, random).into_iter(), &mut ids);
        Some(ids)
    }

    fn ways(&self, text: &str, sums: Sums) -> Option<(Lattice, Normalized)> {
        let mut normalized = Normalized::default();
        self.normalizer.normalize(text, &mut normalized);
        Some((self.model.lattice(&normalized.text, sums)?, normalized))
    }
}
