//! Byte-pair encoding over characters: GPT-1, CLIP, SentencePiece-like vocabularies, and byte-level ones whose text comes
//! spelled in the byte alphabet.
//!
//! Not here: the fused byte-level path ([`super::Bpe`]), which gives the same ids for the vocabularies it can take.
//!
//! Source: Sennrich et al. 2016; `BPE` of the tokenizer.json format.

use std::ops::Range;

use super::merges::{Merges, NO_RANK, Rank};
use crate::ids::Id;
use crate::vocab::Vocab;

/// How characters become symbols, and what happens to those that are not in the vocabulary.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The token for unknown characters; without one they are left out.
    pub unknown: Option<Id>,
    /// Put before every character but the first when the vocabulary is asked.
    pub continuing_subword_prefix: String,
    /// Put after the last character when the vocabulary is asked.
    pub end_of_word_suffix: String,
    /// Whether neighbouring unknown characters are one unknown token.
    pub fuse_unk: bool,
    /// Whether an unknown character becomes its bytes, spelled `<0xE6>`, where the vocabulary has them all.
    pub byte_fallback: bool,
    /// Whether a pretoken that is a token becomes that token without merging.
    pub ignore_merges: bool,
}

/// The model.
#[derive(Clone, Debug)]
pub struct Bpe {
    vocab: Vocab,
    merges: Merges,
    settings: Settings,
    /// Rank of the merge that makes the token, by id.
    ranks: Vec<Rank>,
}

impl Bpe {
    /// A model over the tokens in `vocab`, which holds every token that `merges` names.
    pub fn new(vocab: Vocab, merges: Merges, settings: Settings) -> Self {
        Self { ranks: merges.ranks_of_results(vocab.id_bound()), vocab, merges, settings }
    }

    /// The token for unknown characters.
    pub fn unknown(&self) -> Option<Id> {
        self.settings.unknown
    }

    /// Rank of the merge that makes a token, where one does.
    pub fn rank(&self, id: Id) -> Option<Rank> {
        self.ranks.get(id as usize).copied().filter(|&rank| rank != NO_RANK)
    }

    /// Appends the tokens of a pretoken that is not empty, with the bytes of the pretoken they stand for.
    pub fn encode(&self, pretoken: &str, out: &mut Vec<(Id, Range<usize>)>) {
        if self.settings.ignore_merges
            && let Some(id) = self.vocab.id(pretoken.as_bytes())
        {
            out.push((id, 0..pretoken.len()));
            return;
        }
        let mut symbols = self.symbols(pretoken);
        self.merge(&mut symbols);
        out.append(&mut symbols);
    }

    fn symbols(&self, pretoken: &str) -> Vec<(Id, Range<usize>)> {
        let mut symbols: Vec<(Id, Range<usize>)> = Vec::with_capacity(pretoken.len());
        for (at, c) in pretoken.char_indices() {
            let range = at..at + c.len_utf8();
            if let Some(id) = self.vocab.id(pretoken[range.clone()].as_bytes()) {
                symbols.push((id, range));
            } else if let Some(unknown) = self.settings.unknown {
                symbols.push((unknown, range));
            }
        }
        symbols
    }

    /// Lowest rank first, the leftmost of several.
    fn merge(&self, symbols: &mut Vec<(Id, Range<usize>)>) {
        loop {
            let ranks = symbols.windows(2).map(|pair| self.merges.rank(pair[0].0, pair[1].0));
            match ranks.enumerate().min_by_key(|&(_, rank)| rank) {
                Some((at, rank)) if rank != NO_RANK => {
                    symbols[at] = (self.merges.result(rank), symbols[at].1.start..symbols[at + 1].1.end);
                    symbols.remove(at + 1);
                }
                _ => return,
            }
        }
    }
}
