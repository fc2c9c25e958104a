//! The segmentation with the largest sum of scores, added as 32-bit floats from the left.
//!
//! Of equal sums the one found first stays. Far into a long text the rounding is coarse and decides; that is the reference's
//! result. A character that is no token
//! costs the lowest score of a normal token less 10; a user-defined token costs nothing and gains with its length.
//!
//! Source: Kudo 2018, Subword Regularization; the arithmetic is that of `sentencepiece` 0.2.

pub mod lattice;

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::{Kind, Scored};
use crate::ids::Id;
use crate::memory::HeapBytes;
use crate::models::trie::Trie;

const UNKNOWN_PENALTY: f32 = 10.0;
/// Sums below this are made 0 again, so that a long text does not lose the last bits of its scores.
const FAR: f32 = -100_000.0;
const NOWHERE: u32 = u32::MAX;

/// What is looked up.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    trie: Trie,
    unknown_score: f32,
    /// Bytes of the longest token, or of a character.
    longest: usize,
}

/// The best way to a place in the text.
#[derive(Clone, Copy)]
struct Best {
    score: f32,
    /// Where its last token starts; [`NOWHERE`] where no way is known.
    start: u32,
    id: Id,
}

/// Memory to be used again.
#[derive(Default)]
pub(super) struct Scratch {
    best: Vec<Best>,
}

impl HeapBytes for Scratch {
    fn heap_bytes(&self) -> usize {
        self.best.heap_bytes()
    }
}

impl Tables {
    pub fn new(tokens: &FxHashMap<Box<[u8]>, Id>, kinds: &[Kind], scores: &[f32]) -> Self {
        let normal = scores.iter().zip(kinds).filter(|(_, kind)| **kind == Kind::Normal);
        // Where there is no normal token, the limit is that of the number type.
        let lowest = normal.map(|(score, _)| *score).fold(f32::MAX, f32::min);
        let used = tokens.iter().filter(|(_, id)| kinds[**id as usize] != Kind::Unused);
        let trie = Trie::new(used.map(|(token, &id)| (&**token, id)).collect());
        let longest = tokens.keys().map(|token| token.len()).max().unwrap_or_default().max(4);
        Self { trie, unknown_score: lowest - UNKNOWN_PENALTY, longest }
    }

    pub fn encode(&self, model: &Scored, text: &str, scratch: &mut Scratch, out: &mut Vec<(Id, Range<usize>)>) {
        let best = &mut scratch.best;
        best.clear();
        best.resize(text.len() + 1, Best { score: 0.0, start: NOWHERE, id: model.unknown });
        for (start, c) in text.char_indices() {
            let mut here = best[start].score;
            if here < FAR {
                rebase(&mut best[start..(start + self.longest + 1).min(text.len() + 1)]);
                here = 0.0;
            }
            let single = c.len_utf8();
            let mut is_known = false;
            self.trie.prefixes(&text.as_bytes()[start..], |id, len| {
                is_known |= len == single;
                let score = match model.kinds[id as usize] {
                    Kind::UserDefined => user_defined_score(len),
                    _ => model.scores[id as usize],
                };
                offer(&mut best[start + len], here + score, start, id);
            });
            if !is_known {
                offer(&mut best[start + single], here + self.unknown_score, start, model.unknown);
            }
        }
        let first = out.len();
        let mut end = text.len();
        // Ends: tokens have bytes, so every start is before its end.
        while end > 0 {
            let Best { start, id, .. } = best[end];
            out.push((id, start as usize..end));
            end = start as usize;
        }
        out[first..].reverse();
    }
}

/// The score of a user-defined token, whatever its own is: more than those of its parts, which are logarithms.
fn user_defined_score(len: usize) -> f32 {
    (0.1 * (len as f64 - 1.0)) as f32
}

/// Makes the first of the sums 0 and takes as much from those that are known beyond it: what they differ by stays.
fn rebase(best: &mut [Best]) {
    let by = best[0].score;
    best.iter_mut().filter(|best| best.start != NOWHERE).for_each(|best| best.score -= by);
}

/// Takes a way to a place if it is better than the best one known.
fn offer(best: &mut Best, score: f32, start: usize, id: Id) {
    if best.start == NOWHERE || score > best.score {
        *best = Best { score, start: start as u32, id };
    }
}
