//! Which tokens a vocabulary can lose: those whose loss makes the corpus least unlikely.
//!
//! A removed token's occurrences would go to the tokens of the best division of itself. The loss is the change of the
//! corpus's log-likelihood under that assumption, from the counts of the best division of each word.
//!
//! Source: Kudo 2018, Subword regularization, section 3.2, with the approximation of SentencePiece.

use rayon::prelude::*;

use crate::options::Variant;

use super::lattice::{Lattice, Part};
use super::tokens::Tokens;
use crate::stop::{Stop, Stopped};

/// What pruning leaves.
#[derive(Debug)]
pub(crate) struct Kept {
    /// Which tokens stay, by id.
    pub(crate) tokens: Vec<bool>,
    /// Which characters are in no best division, by id.
    pub(crate) unused: Vec<bool>,
    /// What each token is worth, by id; `None` of characters and of those that go whatever room there is.
    pub(crate) losses: Vec<Option<f64>>,
}

/// Which tokens stay when the vocabulary shrinks to `size`: all characters, and those with the greatest loss. Tokens go
/// beyond that if no best division has them or they are themselves better divided.
///
/// Characters that left count as the first token, as they do in SentencePiece. They, and by [`Variant::SentencePiece`] characters in no best division, do not
/// count for the size.
pub(crate) fn keep(
    lattice: &Lattice,
    tokens: &Tokens,
    size: usize,
    variant: Variant,
    stop: Stop<'_>,
) -> Result<Kept, Stopped> {
    let mut counts = best_counts(lattice, tokens, stop)?;
    for id in (0..tokens.len()).filter(|&id| tokens.absent[id]) {
        counts[tokens.unknown()] += std::mem::take(&mut counts[id]);
    }
    let sum: u64 = counts.iter().sum();
    let worth = Losses { lattice, tokens, unknown: tokens.unknown(), counts: &counts, sum: sum as f64 };
    let occurrences = lattice.occurrences(tokens.len());
    let losses: Result<Vec<Option<f64>>, _> = (0..tokens.len())
        .into_par_iter()
        .with_min_len(1 << 10)
        .map_init(Path::default, |path, id| {
            stop.check()?;
            Ok(if tokens.is_character(id) || counts[id] == 0 { None } else { worth.of(id, occurrences[id], path) })
        })
        .collect();
    let mut keep: Vec<bool> = (0..tokens.len()).map(|id| tokens.is_character(id)).collect();
    let losses = losses?;
    let mut candidates: Vec<(f64, usize)> =
        losses.iter().enumerate().filter_map(|(id, loss)| Some(((*loss)?, id))).collect();
    candidates.sort_unstable_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
    let is_unused = |id: usize| tokens.is_character(id) && counts[id] == 0;
    let leaves = |id: usize| tokens.absent[id] || (variant == Variant::SentencePiece && is_unused(id));
    let unused: Vec<bool> = (0..tokens.len()).map(leaves).collect();
    let room = size.saturating_sub(keep.iter().zip(&unused).filter(|(keep, unused)| **keep && !**unused).count());
    for &(_, id) in candidates.iter().take(room) {
        keep[id] = true;
    }
    Ok(Kept { tokens: keep, unused, losses })
}

/// How many tokens the words have, each in its best division.
pub(crate) fn best_total(lattice: &Lattice, tokens: &Tokens, stop: Stop<'_>) -> Result<u64, Stopped> {
    Ok(best_counts(lattice, tokens, stop)?.iter().sum())
}

/// How often each token occurs in the best divisions of all words.
pub(crate) fn best_counts(lattice: &Lattice, tokens: &Tokens, stop: Stop<'_>) -> Result<Vec<u64>, Stopped> {
    let count = |part: &Part| {
        let mut counts = vec![0; tokens.len()];
        let mut path = Path::default();
        for word in &part.words {
            stop.check()?;
            path.find(part, tokens, word.start..word.end, None, stop)?;
            path.ids(tokens, |id| counts[id as usize] += word.count);
        }
        Ok(counts)
    };
    let parts: Result<Vec<Vec<u64>>, _> = lattice.parts.par_iter().map(count).collect();
    let mut all = vec![0; tokens.len()];
    for part in parts? {
        all.iter_mut().zip(part).for_each(|(sum, count)| *sum += count);
    }
    Ok(all)
}

/// The best division of a range of the text.
#[derive(Default)]
struct Path {
    scores: Vec<f64>,
    /// The token that ends at each position.
    last: Vec<u32>,
}

impl Path {
    /// Finds the division with the highest sum of scores, without the token `but`. Of equal ones that with the longest last
    /// token wins. Returns the sum, or minus infinity if there is none.
    fn find(
        &mut self,
        part: &Part,
        tokens: &Tokens,
        range: std::ops::Range<u32>,
        but: Option<u32>,
        stop: Stop<'_>,
    ) -> Result<f64, Stopped> {
        let length = range.len();
        self.scores.clear();
        self.scores.resize(length + 1, f64::NEG_INFINITY);
        self.last.resize(self.last.len().max(length + 1), 0);
        self.scores[0] = 0.0;
        for at in 0..length {
            stop.check_at(at)?;
            let score = self.scores[at];
            for &id in part.ids_at(range.start + at as u32) {
                let end = at + tokens.get(id as usize).len();
                if end > length {
                    break;
                }
                let score = score + tokens.scores[id as usize];
                if score > self.scores[end] && but != Some(id) {
                    self.scores[end] = score;
                    self.last[end] = id;
                }
            }
        }
        Ok(self.scores[length])
    }

    /// Calls `found` for each token of the division, from its end.
    fn ids(&self, tokens: &Tokens, mut found: impl FnMut(u32)) {
        let mut at = self.scores.len() - 1;
        while at > 0 {
            let id = self.last[at];
            found(id);
            at -= tokens.get(id as usize).len();
        }
    }
}

struct Losses<'a> {
    lattice: &'a Lattice,
    tokens: &'a Tokens,
    /// Whose count a character that left has.
    unknown: usize,
    counts: &'a [u64],
    sum: f64,
}

impl Losses<'_> {
    /// The loss of log-likelihood without the token, which starts at `at`. `None` if it is itself better divided.
    fn of(&self, id: usize, at: u32, path: &mut Path) -> Option<f64> {
        let range = at..at + self.tokens.get(id).len() as u32;
        // A token is short: nobody waits for the end of this.
        let never = std::sync::atomic::AtomicBool::new(false);
        let best = path.find(self.lattice.part_of(at), self.tokens, range, Some(id as u32), Stop::new(&never)).ok()?;
        if best > self.tokens.scores[id] {
            return None;
        }
        let count = self.counts[id] as f64;
        let (mut parts, mut logs) = (0.0, 0.0);
        path.ids(self.tokens, |part| {
            let part = if self.tokens.absent[part as usize] { self.unknown } else { part as usize };
            parts += 1.0;
            logs += (self.counts[part] as f64 + count).ln();
        });
        let with = count.ln() - self.sum.ln();
        let without = logs - parts * (self.sum + count * (parts - 1.0)).ln();
        Some(count * (with - without))
    }
}
