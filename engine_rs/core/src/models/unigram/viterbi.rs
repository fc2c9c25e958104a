//! The best path through a text: Viterbi's search over the tokens that start at each place.
//!
//! Time is linear in the length of the text, times the length of the longest token. One number and one id are kept per place,
//! the numbers only as far back as a token reaches.
//!
//! Source: Viterbi 1967, Error bounds for convolutional codes and an asymptotically optimum decoding algorithm.

use std::ops::{Add, Sub};

use super::{NONE, Scratch, Segment, UNKNOWN, Unigram, Weights};
use crate::call::Checks;
use crate::ids::Id;
use crate::models::UnknownSymbol;

/// A float that sums are made of.
pub(super) trait Number: Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> {
    const ZERO: Self;
    /// Sums below this are made 0 again, so that a long text does not lose the last bits of its scores.
    const FAR: Self;
}

impl Number for f64 {
    const ZERO: Self = 0.0;
    const FAR: Self = f64::NEG_INFINITY;
}

impl Number for f32 {
    const ZERO: Self = 0.0;
    const FAR: Self = -100_000.0;
}

impl Unigram {
    /// The best segmentation of a text that does without one of the tokens, `None` for an unknown character, and the sum
    /// of its scores; infinitely bad where there is none. A character with a token of its own is never unknown.
    pub fn best_without(&self, text: &str, without: Id) -> (Vec<Option<Id>>, f64) {
        let mut best: Vec<Option<(f64, usize, Option<Id>)>> = vec![None; text.len() + 1];
        best[0] = Some((0.0, 0, None));
        for (at, c) in text.char_indices() {
            let Some((here, ..)) = best[at] else { continue };
            let (single, mut has_single) = (at + c.len_utf8(), false);
            let offer = |slot: &mut Option<(f64, usize, Option<Id>)>, score: f64, id: Option<Id>| {
                if slot.is_none_or(|(known, ..)| score > known) {
                    *slot = Some((score, at, id));
                }
            };
            self.trie.prefixes(&text.as_bytes()[at..], |id, len| {
                has_single |= at + len == single;
                if id != without {
                    offer(&mut best[at + len], self.add(self.weight(id), here), Some(id));
                }
            });
            if !has_single {
                offer(&mut best[single], self.add(self.unknown_weight(), here), None);
            }
        }
        let Some((score, ..)) = best[text.len()] else { return (vec![], f64::NEG_INFINITY) };
        let (mut path, mut end) = (vec![], text.len());
        // Ends: every step goes back by at least one character.
        while let Some((_, start, id)) = best[end].filter(|_| end > 0) {
            path.push(id);
            end = start;
        }
        path.reverse();
        (path, score)
    }

    /// The tokens of the best way, `None` for an unknown character.
    ///
    /// Errors: an unknown character without an unknown token.
    pub(super) fn best_path(&self, text: &str, scratch: &mut Scratch) -> Result<Vec<Segment>, UnknownSymbol> {
        self.find_path(text, scratch)?;
        Ok(self.path(text, &scratch.tokens).collect())
    }

    /// Leaves the tokens of the best way in the scratch memory, each where it starts.
    pub(super) fn find_path(&self, text: &str, scratch: &mut Scratch) -> Result<(), UnknownSymbol> {
        let Scratch { tokens, double, single, .. } = scratch;
        match &self.weights {
            Weights::Double(weights, unknown) => _ = self.find_best(text, (weights, *unknown), 0.0, tokens, double)?,
            Weights::Single(weights, unknown) => _ = self.find_best(text, (weights, *unknown), 0.0, tokens, single)?,
        }
        self.turn(text, tokens);
        Ok(())
    }

    /// Moves the tokens of the best way, of which each place has the last one, to where they start.
    pub(super) fn turn(&self, text: &str, tokens: &mut [Id]) {
        // Ways are known from their ends: the last token of each is moved to where it starts.
        let mut end = text.len();
        let mut last = tokens[end];
        while end > 0 {
            let start = match self.vocab.token(last) {
                Some(token) => end - token.len(),
                None => text[..end].char_indices().next_back().map_or(0, |(start, _)| start),
            };
            let before = std::mem::replace(&mut tokens[start], last);
            (end, last) = (start, before);
        }
    }

    /// The way through a text whose tokens stand where they start.
    pub(super) fn path(&self, text: &str, tokens: &[Id]) -> impl Iterator<Item = Segment> {
        let mut start = 0;
        std::iter::from_fn(move || {
            let id = *tokens.get(start).filter(|_| start < text.len())?;
            let len = match self.vocab.token(id) {
                Some(token) => token.len(),
                None => text[start..].chars().next().map_or(1, char::len_utf8),
            };
            start += len;
            Some(((id != UNKNOWN).then_some(id), start - len..start))
        })
    }

    /// Leaves the last token of the best way to each place of a text that is not empty; returns the sum of the best way
    /// to its end, from the sum before the text on. `ring` has the sums of the places that a token may still reach, each at its place modulo its length.
    pub(super) fn find_best<N: Number>(
        &self,
        text: &str,
        (weights, unknown): (&[N], N),
        before: N,
        tokens: &mut Vec<Id>,
        ring: &mut Vec<N>,
    ) -> Result<N, UnknownSymbol> {
        tokens.clear();
        tokens.resize(text.len() + 1, NONE);
        ring.clear();
        ring.resize((self.longest + 1).next_power_of_two(), N::ZERO);
        ring[0] = before;
        let mask = ring.len() - 1;
        let mut checks = Checks::default();
        for (at, c) in text.char_indices() {
            // Nobody uses the result of a cancelled call, and `no_unknown` says why there is none.
            checks.step().map_err(|_| UnknownSymbol { at: at..at + c.len_utf8() })?;
            let mut here = ring[at & mask];
            if here < N::FAR {
                // What sums differ by stays.
                let reach = at..=(at + self.longest).min(text.len());
                let known = reach.filter(|&place| place == at || tokens[place] != NONE);
                known.for_each(|place| ring[place & mask] = ring[place & mask] - here);
                here = N::ZERO;
            }
            let single = at + c.len_utf8();
            let mut has_single = false;
            let mut offer = |end: usize, id: Id, score: N| {
                let is_better = tokens[end] == NONE || score > ring[end & mask];
                if is_better {
                    (tokens[end], ring[end & mask]) = (id, score);
                }
                is_better
            };
            self.trie.prefixes(&text.as_bytes()[at..], |id, len| {
                offer(at + len, id, weights[id as usize] + here);
                has_single |= at + len == single;
            });
            if !has_single && offer(single, UNKNOWN, unknown + here) && self.settings.unknown.is_none() {
                return Err(UnknownSymbol { at: at..single });
            }
        }
        Ok(ring[text.len() & mask])
    }
}
