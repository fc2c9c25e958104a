//! Parts of a text that no token reaches across, which the fast paths encode by themselves and remember.
//!
//! If no token has a space mark after another character, every segmentation splits before such a mark. The tokens of a part
//! are then those it has alone, except for rounding: sums are counted from the start of the text, and far into it the distance
//! between two floats is large enough to decide which of two ways is better. So each part comes with the sums before it for
//! which rounding decides nothing. For other sums it is encoded anew, from the very sum before it: results are those of one
//! pass over the whole text, which the tests compare.
//!
//! **The bound.** A sum of a part of `n` characters is the result of at most `n` additions, each of which is wrong by at most
//! 2^-24 of its result. If no result is larger than `before + span`, two sums are in the right order if they differ by more
//! than `2 n 2^-24 (before + span)`. It is enough to compare the sums that end where a token of the best way ends: from the
//! end of the part backwards, each of these tokens stays the best.

use std::ops::Range;

use super::viterbi::Number;
use super::{UNKNOWN, Unigram, Weights};
use crate::ids::Id;
use crate::memory::HeapBytes;
use crate::vocab::Kind;

/// 64-bit sums that differ by so much are in the right order, in a pretoken of up to [`MAX_BYTES_OF_PARTS`] of which no part has a
/// larger sum than [`MODERATE`] for each of its bytes. A sum of 16,384 additions is wrong by less than 16,384 times 2^-53 of 16,384
/// times that, 3e-5. Four of them count: of two ways, each from the start of the part, as here, and from that of the pretoken.
const CLEAR: f64 = 2e-4;
const MODERATE: f64 = 1e3;
/// Longer pretokens are not made of parts.
pub(crate) const MAX_BYTES_OF_PARTS: usize = 1 << 14;

/// A token, [`UNKNOWN`] for a character in no token, with its end in the part.
#[derive(Clone, Copy)]
struct Token {
    id: Id,
    end: u32,
    weight: f32,
}

/// The two best ways to a place, counted from the start of the part.
#[derive(Clone, Copy)]
struct Best {
    sum: f64,
    second: f64,
    start: u32,
    id: Id,
}

const NOWHERE: Best = Best { sum: f64::NEG_INFINITY, second: f64::NEG_INFINITY, start: 0, id: UNKNOWN };

/// By how much the best way through a part is better than any other, and what bounds the rounding of its sums.
#[derive(Clone, Copy, Debug)]
struct Margin {
    /// The least difference to another way, of the sums that end where a token of the best way ends.
    least: f64,
    /// The number of additions of the longest way.
    additions: u32,
    /// The largest result.
    largest: f64,
    /// The lowest sum of a place.
    lowest: f64,
}

impl Margin {
    /// The lowest and the highest sum before the part for which the best way is the best in 32-bit sums, too.
    fn sums_before(self) -> (f32, f32) {
        // A tenth less than the bound, for the rounding of these numbers.
        let reach = 0.9 * self.least * f64::from(1 << 23) / f64::from(self.additions) - self.largest;
        if reach <= 0.0 {
            return (f32::INFINITY, f32::NEG_INFINITY);
        }
        // Sums that are made 0 again on the way are left to the pass over the text, which each addition may bring nearer by rounding.
        let rounding = f64::from(self.additions) * -f64::from(f32::FAR) / f64::from(1 << 23);
        let floor = f64::from(f32::FAR) - self.lowest + 1.0 + rounding;
        (floor.max(-reach) as f32, reach.min(f64::from(f32::MAX)) as f32)
    }
}

/// Appends the tokens of the best way.
#[inline(always)]
fn find<N: Copy + Into<f64>>(
    model: &Unigram,
    (weights, unknown): (&[N], N),
    part: &str,
    best: &mut Vec<Best>,
    tokens: &mut Vec<Token>,
) -> Margin {
    best.clear();
    best.resize(part.len() + 1, NOWHERE);
    best[0].sum = 0.0;
    let (mut additions, mut largest, mut lowest) = (0, 0.0_f64, 0.0_f64);
    let bytes = part.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let here = best[at].sum;
        additions += 1;
        lowest = lowest.min(here);
        let single = character_len(bytes[at]);
        let mut has_single = false;
        let mut offer = |id: Id, len: usize, weight: f64| {
            let sum = here + weight;
            largest = largest.max(sum.abs());
            let known = &mut best[at + len];
            if sum > known.sum {
                *known = Best { sum, second: known.sum, start: at as u32, id };
            } else {
                known.second = known.second.max(sum);
            }
        };
        model.trie.prefixes(&bytes[at..], |id, len| {
            has_single |= len == single;
            offer(id, len, weights[id as usize].into());
        });
        if !has_single {
            offer(UNKNOWN, single, unknown.into());
        }
        at += single;
    }
    let (first, mut end, mut least) = (tokens.len(), part.len(), f64::INFINITY);
    // Ends: tokens have bytes, so every start is before its end.
    while end > 0 {
        let Best { sum, second, start, id } = best[end];
        least = least.min(sum - second);
        let weight: f64 = if id == UNKNOWN { unknown.into() } else { weights[id as usize].into() };
        tokens.push(Token { id, end: end as u32, weight: weight as f32 });
        end = start as usize;
    }
    tokens[first..].reverse();
    Margin { least, additions, largest, lowest }
}

/// Bytes of the character that starts with this byte.
fn character_len(first: u8) -> usize {
    match first {
        0..0xc0 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0.. => 4,
    }
}

/// A word whose best tokens are known: the sums before it for which they are that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Word {
    /// The tokens are the best after any sum between this and its negative. Below 0 if after none.
    pub limit: f32,
}

/// Memory to be used again.
#[derive(Default)]
pub struct WordScratch {
    best: Vec<Best>,
    path: Vec<Token>,
    tokens: Vec<Id>,
    single: Vec<f32>,
}

impl HeapBytes for WordScratch {
    fn heap_bytes(&self) -> usize {
        let Self { best, path, tokens, single } = self;
        best.heap_bytes() + path.heap_bytes() + tokens.heap_bytes() + single.heap_bytes()
    }
}

impl Unigram {
    /// Whether every segmentation of a text splits before a space mark that follows another character, so that a part between
    /// two of them can be encoded by [`Self::encode_after`].
    pub fn falls_into_parts(&self) -> bool {
        self.falls_into_parts
    }

    /// Whether a character is a token of a `.model` by itself, so that no way has it as unknown.
    pub(crate) fn is_known(&self, c: char) -> bool {
        let id = self.vocab.id(c.encode_utf8(&mut [0; 4]).as_bytes());
        id.is_some_and(|id| self.kinds.as_ref().is_some_and(|kinds| kinds.of(id) == Kind::Normal))
    }

    /// Calls `each` with the tokens of a part of a text whose tokens before it have the sum `before`; returns the sum after
    /// it. For a `.model` that falls into parts.
    pub fn encode_after(
        &self,
        part: &str,
        before: f32,
        scratch: &mut WordScratch,
        mut each: impl FnMut(Id, Range<usize>),
    ) -> f32 {
        let (Weights::Single(weights, unknown), false) = (&self.weights, part.is_empty()) else { return before };
        let WordScratch { tokens, single, .. } = scratch;
        // A `.model` has an unknown token, so nothing is refused.
        let Ok(sum) = self.find_best(part, (weights, *unknown), before, tokens, single) else { return before };
        self.turn(part, tokens);
        _ = self.push_path(part, self.path(part, tokens), &mut each);
        sum
    }

    /// Calls `each` with the tokens of a part of a pretoken, beside whatever other parts, if no token reaches across its ends:
    /// id, end in the part, and what it counts. Unknown characters are one [`Self::unknown_run`] each. Returns the
    /// [`Word::limit`] of the sums before it. `None` if a character is unknown and becomes no such token, or if rounding might
    /// decide; `each` may have been called by then.
    pub(crate) fn encode_part(
        &self,
        part: &str,
        scratch: &mut WordScratch,
        mut each: impl FnMut(Id, usize, f32),
    ) -> Option<f32> {
        let WordScratch { best, path, .. } = scratch;
        path.clear();
        let limit = match &self.weights {
            Weights::Double(weights, unknown) => {
                let Margin { least, largest, .. } = find(self, (weights, *unknown), part, best, path);
                (least >= CLEAR && largest <= MODERATE * part.len() as f64).then_some(f32::MAX)?
            }
            Weights::Single(weights, unknown) => {
                let (lowest, highest) = find(self, (weights, *unknown), part, best, path).sums_before();
                highest.min(-lowest)
            }
        };
        // Limits are added up for sums that only fall.
        if matches!(self.weights, Weights::Single(..)) && path.iter().any(|token| token.weight > 0.0) {
            return None;
        }
        for &Token { id, end, weight } in &*path {
            let is_unknown = id == UNKNOWN || Some(id) == self.settings.unknown;
            each(if is_unknown { self.unknown_run()? } else { id }, end as usize, weight);
        }
        Some(limit)
    }

    /// Calls `each` with the tokens that a part of a text has after any sum within the limit of the returned word. Appends
    /// what they count to `counts`: the sum after the part is that before it, and each of these added to it, in order.
    pub fn encode_word(
        &self,
        part: &str,
        scratch: &mut WordScratch,
        counts: &mut Vec<f32>,
        mut each: impl FnMut(Id, Range<usize>),
    ) -> Word {
        let Weights::Single(weights, unknown) = &self.weights else { return Word { limit: -1.0 } };
        let WordScratch { best, path, .. } = scratch;
        path.clear();
        let (lowest, highest) = find(self, (weights, *unknown), part, best, path).sums_before();
        counts.extend(path.iter().map(|token| token.weight));
        let mut start = 0;
        let segments = path.iter().map(|token| {
            let end = token.end as usize;
            ((token.id != UNKNOWN).then_some(token.id), std::mem::replace(&mut start, end)..end)
        });
        _ = self.push_path(part, segments, &mut each);
        Word { limit: highest.min(-lowest) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::kinds::Kinds;
    use crate::models::space_mark::segments;
    use crate::models::unigram::Scratch;
    use crate::testing::Random;
    use crate::vocab::Vocab;

    /// The definition: one pass over the whole text.
    fn whole(model: &Unigram, text: &str) -> Vec<(Id, Range<usize>)> {
        let path = model.best_path(text, &mut Scratch::default()).expect("there is an unknown token");
        let mut tokens = vec![];
        model.push_path(text, path.into_iter(), &mut |id, range| tokens.push((id, range))).expect("likewise");
        tokens
    }

    /// Part by part, as the fast paths do: by the tokens that a part has alone where the sum before it is within its limit.
    fn by_parts(model: &Unigram, text: &str, scratch: &mut WordScratch) -> Vec<(Id, Range<usize>)> {
        let (mut tokens, mut sum) = (vec![], 0.0_f32);
        for at in segments(text).filter(|at| !at.is_empty()) {
            let (part, mut counts, mut known) = (&text[at.clone()], vec![], vec![]);
            let word = model.encode_word(part, scratch, &mut counts, |id, range| known.push((id, range)));
            if sum.abs() <= word.limit {
                sum = counts.iter().fold(sum, |sum, count| sum + count);
            } else {
                known.clear();
                sum = model.encode_after(part, sum, scratch, |id, range| known.push((id, range)));
            }
            tokens.extend(known.into_iter().map(|(id, range)| (id, at.start + range.start..at.start + range.end)));
        }
        tokens
    }

    #[test]
    fn parts_have_the_tokens_of_the_whole_text() {
        let mut random = Random::new(7);
        for round in 0..60 {
            let mut tokens = vec![("?".to_owned(), 0.0, Kind::Unknown), ("▁".to_owned(), -30.0, Kind::Normal)];
            for _ in 0..random.below(20) {
                let mark = *random.pick(&["", "", "▁", "▁▁"]);
                let rest: String = (0..1 + random.below(3)).map(|_| *random.pick(&['a', 'b', 'é'])).collect();
                let token = format!("{mark}{rest}");
                // Sums that differ by less than what far sums are rounded by.
                let score = -(random.below(60) as f32) - random.below(8) as f32 / 1024.0;
                let kind = if random.below(9) == 0 { Kind::UserDefined } else { Kind::Normal };
                if tokens.iter().all(|known| known.0 != token) {
                    tokens.push((token, score, kind));
                }
            }
            let mut vocab = Vocab::default();
            for (id, (token, ..)) in tokens.iter().enumerate() {
                vocab.insert(id as Id, token.as_bytes()).expect("ids differ");
            }
            let (scores, kinds): (Vec<f32>, _) = tokens.iter().map(|(_, score, kind)| (*score, *kind)).unzip();
            let kinds = Kinds::new(&vocab, kinds, false).expect("a model");
            let model = Unigram::of_kinds(vocab, &scores, kinds);
            assert!(model.falls_into_parts);
            let mut scratch = WordScratch::default();
            // The long ones are so long that sums are made 0 again.
            for len in [0, 1, 5, 50, if round % 10 == 0 { 30_000 } else { 500 }] {
                let text: String = (0..len).map(|_| *random.pick(&["a", "b", "é", "x", "▁", "▁a", "▁aab"])).collect();
                assert_eq!(by_parts(&model, &text, &mut scratch), whole(&model, &text), "{tokens:?}");
            }
        }
    }
}
