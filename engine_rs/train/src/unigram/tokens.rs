//! The tokens of a Unigram vocabulary in training, as symbols, and the search for all that a text starts with.

use rustc_hash::FxHashMap;

#[cfg(doc)]
use crate::options::Variant;
use crate::stop::{Stop, Stopped};

/// A token that is no more.
pub(crate) const GONE: u32 = u32::MAX;

/// Tokens, each of at least one symbol, with their scores.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tokens {
    symbols: Vec<u32>,
    ends: Vec<u32>,
    /// Natural logarithms of probabilities, by id.
    pub(crate) scores: Vec<f64>,
    /// Characters that left the vocabulary until its end ([`Variant::SentencePiece`]), by id: they stand for an unknown one.
    pub(crate) absent: Vec<bool>,
}

/// So much lower than all others is the score of a character that left.
pub(crate) const UNKNOWN_PENALTY: f64 = 10.0;

impl Tokens {
    /// Adds a token. Its score is to be added to `scores`.
    pub(crate) fn push(&mut self, symbols: &[u32]) {
        self.symbols.extend_from_slice(symbols);
        self.ends.push(self.symbols.len() as u32);
        self.absent.push(false);
    }

    /// How many have not left.
    pub(crate) fn present(&self) -> usize {
        self.absent.iter().filter(|&&absent| !absent).count()
    }

    /// The token that has the counts of characters that left: the first one that is there.
    pub(crate) fn unknown(&self) -> usize {
        self.absent.iter().position(|&absent| !absent).unwrap_or(0)
    }

    /// The lowest score of a token that has not left.
    pub(crate) fn lowest(&self) -> f64 {
        let present = self.scores.iter().zip(&self.absent).filter(|(_, absent)| !**absent);
        present.map(|(score, _)| *score).fold(0.0, f64::min)
    }

    /// Gives the characters that left the score of unknown ones.
    pub(crate) fn punish_absent(&mut self) {
        let score = self.lowest() - UNKNOWN_PENALTY;
        for (id, _) in self.absent.iter().enumerate().filter(|(_, absent)| **absent) {
            self.scores[id] = score;
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The symbols of a token.
    pub(crate) fn get(&self, id: usize) -> &[u32] {
        let start = if id == 0 { 0 } else { self.ends[id - 1] };
        &self.symbols[start as usize..self.ends[id] as usize]
    }

    /// Whether a token is a single character, which training never removes.
    pub(crate) fn is_character(&self, id: usize) -> bool {
        self.get(id).len() == 1
    }

    /// Bytes of memory it takes.
    pub(crate) fn size_bytes(&self) -> usize {
        4 * (self.symbols.capacity() + self.ends.capacity()) + 8 * self.scores.capacity() + self.absent.capacity()
    }

    /// Removes tokens, in place. Returns the new id of each, or [`GONE`].
    pub(crate) fn retain(&mut self, keep: &[bool]) -> Vec<u32> {
        let mut kept = Self::default();
        let mut ids = Vec::with_capacity(keep.len());
        for (id, &keep) in keep.iter().enumerate() {
            if keep {
                ids.push(kept.len() as u32);
                kept.push(self.get(id));
                kept.scores.push(self.scores[id]);
                kept.absent[kept.ends.len() - 1] = self.absent[id];
            } else {
                ids.push(GONE);
            }
        }
        *self = kept;
        ids
    }
}

/// All tokens as a tree of their symbols.
pub(crate) struct Lexicon {
    /// The child of a node by a symbol; key: node in the high half.
    children: FxHashMap<u64, u32>,
    /// The token that ends at each node, or [`GONE`].
    ids: Vec<u32>,
}

impl Lexicon {
    /// The tree of these tokens.
    ///
    /// Errors: [`Stopped`] if the caller asked to stop.
    pub fn new(tokens: &Tokens, stop: Stop<'_>) -> Result<Self, Stopped> {
        let mut lexicon = Self { children: FxHashMap::default(), ids: vec![GONE] };
        for id in 0..tokens.len() {
            stop.check_at(id)?;
            let mut node = 0;
            for &symbol in tokens.get(id) {
                let next = lexicon.ids.len() as u32;
                node = *lexicon.children.entry(key(node, symbol)).or_insert(next);
                if node == next {
                    lexicon.ids.push(GONE);
                }
            }
            lexicon.ids[node as usize] = id as u32;
        }
        Ok(lexicon)
    }

    /// Calls `found` with the id of every token that `symbols` starts with, the shortest first.
    pub(crate) fn prefixes(&self, symbols: &[u32], mut found: impl FnMut(u32)) {
        let mut node = 0;
        for &symbol in symbols {
            let Some(&next) = self.children.get(&key(node, symbol)) else { return };
            node = next;
            if self.ids[node as usize] != GONE {
                found(self.ids[node as usize]);
            }
        }
    }
}

fn key(node: u32, symbol: u32) -> u64 {
    u64::from(node) << 32 | u64::from(symbol)
}
