//! Expectation and maximization: how often the corpus has each token, over all divisions of its words, and the scores that
//! follow from it.
//!
//! Not here: which tokens to remove for their small use ([`super::prune`]), and the obvious way to do the same
//! ([`super::naive`]).
//!
//! Sums run over probabilities, not their logarithms: adding takes the place of an exponential function. Where a long word
//! would leave the range of a double, its sums are multiplied by 2^256, as often as needed.
//!
//! Source: Kudo 2018, Subword regularization; Liang and Klein 2007, Structured Bayesian nonparametric models with variational
//! inference (the digamma function in place of the logarithm), as SentencePiece does.

use rayon::prelude::*;

use crate::options::Variant;

use super::lattice::{Lattice, Part};
use super::text::Word;
use super::tokens::Tokens;
use crate::stop::{Stop, Stopped};

/// Tokens that are expected less often are removed.
pub(crate) const LEAST_EXPECTED: f64 = 0.5;

/// Memory of an iteration for each token and part, in bytes: its expected count.
pub(crate) const WORK_BYTES: usize = size_of::<f64>();

/// Sums below this are scaled up.
const TINY: f64 = 1.0 / SCALE;
const SCALE: f64 = f64::from_bits((1023 + 256) << 52);
const LN_SCALE: f64 = 256.0 * std::f64::consts::LN_2;

/// How often each token is expected, and the negative log-likelihood of all words.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Expectation {
    /// By id.
    pub(crate) counts: Vec<f64>,
    /// Natural logarithm, summed over the occurrences of all words.
    pub(crate) loss: f64,
}

/// The probability of a token and its length in symbols.
#[derive(Clone, Copy, Debug)]
struct Weight {
    probability: f64,
    length: usize,
}

/// The expected counts of all tokens. The same for any number of threads.
pub(crate) fn expect(lattice: &Lattice, tokens: &Tokens, stop: Stop<'_>) -> Result<Expectation, Stopped> {
    let weight = |id: usize| Weight { probability: tokens.scores[id].exp(), length: tokens.get(id).len() };
    let weights: Vec<Weight> = (0..tokens.len()).map(weight).collect();
    let longest = weights.iter().map(|weight| weight.length).max().unwrap_or(0);
    let parts: Result<Vec<Expectation>, _> =
        lattice.parts.par_iter().map(|part| Counter::new(part, &weights, longest).run(stop)).collect();
    let mut parts = parts?.into_iter();
    let Some(mut all) = parts.next() else {
        return Ok(Expectation { counts: vec![0.0; tokens.len()], loss: 0.0 });
    };
    for part in parts {
        all.loss += part.loss;
        all.counts.par_iter_mut().zip(&part.counts).with_min_len(1 << 14).for_each(|(sum, count)| *sum += count);
    }
    Ok(all)
}

struct Counter<'a> {
    part: &'a Part,
    weights: &'a [Weight],
    longest: usize,
    forward: Vec<f64>,
    backward: Vec<f64>,
    /// Positions from which on `forward` is scaled once more.
    scaled: Vec<usize>,
    found: Expectation,
}

impl<'a> Counter<'a> {
    fn new(part: &'a Part, weights: &'a [Weight], longest: usize) -> Self {
        let found = Expectation { counts: vec![0.0; weights.len()], loss: 0.0 };
        Self { part, weights, longest, forward: vec![], backward: vec![], scaled: vec![], found }
    }

    fn run(mut self, stop: Stop<'_>) -> Result<Expectation, Stopped> {
        for &word in &self.part.words {
            stop.check()?;
            self.forward(word, stop)?;
            self.backward(word, stop)?;
        }
        Ok(self.found)
    }

    /// `forward[i]`: the probability of all divisions of the first `i` symbols.
    fn forward(&mut self, word: Word, stop: Stop<'_>) -> Result<(), Stopped> {
        let length = (word.end - word.start) as usize;
        let sums = &mut self.forward;
        sums.clear();
        sums.resize(length + 1, 0.0);
        sums[0] = 1.0;
        self.scaled.clear();
        for at in 0..length {
            if sums[at] < TINY {
                stop.check_at(at)?;
                let reached = &mut sums[at..=length.min(at + self.longest)];
                if reached.iter().all(|&sum| sum < TINY) {
                    reached.iter_mut().for_each(|sum| *sum *= SCALE);
                    self.scaled.push(at);
                }
            }
            let sum = sums[at];
            for &id in self.part.ids_at(word.start + at as u32) {
                let weight = self.weights[id as usize];
                sums[at + weight.length] += sum * weight.probability;
            }
        }
        Ok(())
    }

    /// `backward[i]`: the probability of all divisions of what follows the first `i` symbols. A token from `i` to `j` has
    /// the share `forward[i] * probability * backward[j] / forward[length]` of the word.
    fn backward(&mut self, word: Word, stop: Stop<'_>) -> Result<(), Stopped> {
        let length = (word.end - word.start) as usize;
        let (all, count) = (self.forward[length], word.count as f64);
        let scaled_all = self.scaled.len();
        self.found.loss -= count * (all.ln() - scaled_all as f64 * LN_SCALE);
        let sums = &mut self.backward;
        sums.clear();
        sums.resize(length + 1, 0.0);
        sums[length] = 1.0;
        let (mut scaled_backward, mut scaled_forward) = (0_usize, scaled_all);
        for at in (0..length).rev() {
            while scaled_forward > 0 && self.scaled[scaled_forward - 1] > at {
                scaled_forward -= 1;
            }
            let factor = if scaled_all == scaled_forward + scaled_backward {
                self.forward[at] * (count / all)
            } else {
                let scales = scaled_all as f64 - (scaled_forward + scaled_backward) as f64;
                (self.forward[at].ln() + (count / all).ln() + scales * LN_SCALE).exp().min(f64::MAX)
            };
            let mut sum = 0.0;
            for &id in self.part.ids_at(word.start + at as u32) {
                let weight = self.weights[id as usize];
                let after = weight.probability * sums[at + weight.length];
                self.found.counts[id as usize] += factor * after;
                sum += after;
            }
            sums[at] = sum;
            if sum < TINY {
                stop.check_at(at)?;
                let reached = &mut sums[at..=length.min(at + self.longest)];
                if reached.iter().all(|&sum| sum < TINY) {
                    reached.iter_mut().for_each(|sum| *sum *= SCALE);
                    scaled_backward += 1;
                }
            }
        }
        Ok(())
    }
}

/// Sets the scores that the expected counts call for. Returns which tokens stay: characters, and what is expected often enough.
///
/// A character that is expected less often than [`LEAST_EXPECTED`] leaves the vocabulary by [`Variant::SentencePiece`]. By the
/// other it is taken to occur that often. Characters that left count as the first token, as they do in SentencePiece.
pub(crate) fn maximize(tokens: &mut Tokens, mut counts: Vec<f64>, variant: Variant) -> Vec<bool> {
    for id in (0..tokens.len()).filter(|&id| tokens.absent[id]) {
        counts[tokens.unknown()] += std::mem::take(&mut counts[id]);
    }
    let keep: Vec<bool> =
        counts.iter().enumerate().map(|(id, &count)| count >= LEAST_EXPECTED || tokens.is_character(id)).collect();
    if variant == Variant::SentencePiece {
        for (absent, &count) in tokens.absent.iter_mut().zip(&counts) {
            *absent |= count < LEAST_EXPECTED;
        }
    }
    let used = |id: usize| counts[id].max(LEAST_EXPECTED);
    let sum: f64 = (0..counts.len()).filter(|&id| keep[id] && !tokens.absent[id]).map(used).sum();
    let log_sum = digamma(sum);
    for id in 0..counts.len() {
        tokens.scores[id] = digamma(used(id)) - log_sum;
    }
    keep
}

/// The derivative of the logarithm of the gamma function, for `x` above 0, to about 13 digits.
///
/// Source: Bernardo 1976, Algorithm AS 103: the recurrence up to 8, then the asymptotic series.
pub(crate) fn digamma(mut x: f64) -> f64 {
    let mut result = 0.0;
    while x < 8.0 {
        result -= 1.0 / x;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series = [-1.0 / 12.0, 1.0 / 120.0, -1.0 / 252.0, 1.0 / 240.0, -1.0 / 132.0, 691.0 / 32760.0, -1.0 / 12.0];
    let tail = series.iter().rev().fold(0.0, |sum, term| (sum + term) * square);
    result + x.ln() - 0.5 / x + tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digamma_has_its_known_values() {
        for (x, expected) in [
            (1.0, -0.577_215_664_901_532_9),
            (0.5, -1.963_510_026_021_423_5),
            (10.0, 2.251_752_589_066_721),
            (1e6, 13.815_510_057_964_19),
        ] {
            assert!((digamma(x) - expected).abs() < 1e-12, "digamma({x}) is {}", digamma(x));
        }
    }
}
