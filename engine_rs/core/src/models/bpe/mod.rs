//! Byte-level byte-pair encoding: bytes of a pretoken merge pair by pair, lowest rank first.
//!
//! A pretoken is looked up as a whole among the tokens that encode to themselves, and only then merged: short ones by
//! scanning for the lowest rank, long ones with a heap. [`boundary_filter`] says where one falls into independent units. [`naive`]
//! is the definition.
//! Not here: the split into pretokens ([`crate::pretokenizers`]), words seen before ([`crate::fast::byte_level`]).
//!
//! Source: Sennrich et al. 2016; byte level: Radford et al., Language Models are Unsupervised Multitask Learners (2019).

pub(crate) mod batch;
pub(crate) mod boundary_filter;
pub mod characters;
mod from_ranks;
mod long;
pub mod merges;
pub mod naive;
pub mod scored;

pub(crate) use from_ranks::{merges_from_ranks, pairs_from_ranks};
use std::sync::{Arc, OnceLock};

use boundary_filter::BoundaryFilter;
use long::ByRank;
use merges::{LIMIT, Merges, NO_RANK, Rank};

use crate::ids::Id;
use crate::memory::HeapBytes;
use crate::random::Random;
use crate::vocab::Vocab;

/// From this many bytes on the heap is quicker than scanning for the lowest rank (see DESIGN.md).
const LONG: usize = 64;

/// The merges of a tokenizer and what follows from them.
#[derive(Clone, Debug)]
pub struct Bpe {
    merges: Arc<Merges>,
    byte_ids: [Id; 256],
    /// Bytes per token, by id.
    lengths: Vec<u32>,
    /// By id: whether merges build the token from its own bytes alone.
    built: Vec<bool>,
    whole_tokens: WholeTokens,
    /// Made when they are first asked for: most texts have no pretoken that is long enough.
    boundary_filter: OnceLock<BoundaryFilter>,
    /// Rank of the merge that makes the token, by id.
    ranks: Vec<Rank>,
}

/// What one thread needs to merge; reuse it, it keeps its memory.
#[derive(Default)]
pub struct Scratch {
    symbols: Vec<Id>,
    long: long::Scratch,
}

impl HeapBytes for Scratch {
    fn heap_bytes(&self) -> usize {
        self.symbols.heap_bytes() + self.long.heap_bytes()
    }
}

/// Whether a pretoken that is a token becomes that token, even where merges alone would not build it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WholeTokens {
    /// Yes, as tiktoken does.
    Always,
    /// Only where its merges build it, as the merge lists of GPT-2 are read.
    IfMerged,
}

impl Bpe {
    /// `byte_ids` are the tokens of single bytes; `vocab` holds every token that `merges` names. Tokens put into
    /// `vocab` later, special ones, are never what a pretoken becomes.
    pub(crate) fn new(
        vocab: &Vocab,
        byte_ids: [Id; 256],
        merges: impl Into<Arc<Merges>>,
        whole_tokens: WholeTokens,
    ) -> Self {
        let merges = merges.into();
        let mut scratch = Scratch::default();
        let built = (0..vocab.id_bound() as Id)
            .map(|id| {
                vocab.token(id).is_some_and(|token| {
                    merge_symbols(&merges, &byte_ids, token, &mut scratch);
                    scratch.symbols == [id]
                })
            })
            .collect();
        Self::with_built(vocab, byte_ids, merges, whole_tokens, built)
    }

    /// The same where it is known which tokens merges build from their own bytes, by id.
    fn with_built(
        vocab: &Vocab,
        byte_ids: [Id; 256],
        merges: Arc<Merges>,
        whole_tokens: WholeTokens,
        built: Vec<bool>,
    ) -> Self {
        let lengths =
            (0..vocab.id_bound()).map(|id| vocab.token(id as Id).map_or(0, |token| token.len() as u32)).collect();
        let ranks = merges.ranks_of_results(vocab.id_bound());
        Self { merges, byte_ids, lengths, built, whole_tokens, boundary_filter: OnceLock::new(), ranks }
    }

    /// Rank of the merge that makes a token; `None` for single bytes and special tokens.
    pub(crate) fn rank(&self, id: Id) -> Option<Rank> {
        self.ranks.get(id as usize).copied().filter(|&rank| rank != NO_RANK)
    }

    /// Ids of the single bytes.
    pub fn byte_ids(&self) -> &[Id; 256] {
        &self.byte_ids
    }

    /// The merges, which models may share.
    pub fn merges(&self) -> &Arc<Merges> {
        &self.merges
    }

    /// Whether merges build the token from its own bytes alone.
    pub fn is_built(&self, id: Id) -> bool {
        self.built.get(id as usize).copied().unwrap_or(false)
    }

    /// Whether a pretoken that is a token becomes that token, even where merges alone would not build it.
    pub fn whole_tokens(&self) -> WholeTokens {
        self.whole_tokens
    }

    /// Places that no token of `vocab` reaches across, which is the vocabulary that the model was made for; tokens put
    /// into it later do no harm.
    pub(crate) fn boundary_filter(&self, vocab: &Vocab) -> &BoundaryFilter {
        self.boundary_filter.get_or_init(|| BoundaryFilter::new(vocab))
    }

    /// Whether a pretoken of its bytes becomes the token.
    #[inline]
    pub(crate) fn may_be_whole(&self, id: Id) -> bool {
        // Tokens put into the vocabulary after this was built are special.
        self.built.get(id as usize).is_some_and(|&built| built || self.whole_tokens == WholeTokens::Always)
    }

    /// The token that the pretoken `word` becomes as a whole, if it does.
    #[inline]
    pub(crate) fn whole(&self, vocab: &Vocab, word: &[u8]) -> Option<Id> {
        vocab.id(word).filter(|&id| self.may_be_whole(id))
    }

    /// Leaves the tokens of the pretoken `word`, not empty, in `tokens`, each with the byte of the word where it ends. A
    /// unit is a part of a pretoken that no token reaches out of; it becomes one token only if merges build that.
    #[inline(always)]
    pub(crate) fn segment(
        &self,
        vocab: &Vocab,
        word: &[u8],
        is_unit: bool,
        scratch: &mut Scratch,
        tokens: &mut Vec<(Id, u32)>,
    ) {
        tokens.clear();
        let whole = self.whole(vocab, word).filter(|&id| !is_unit || self.built[id as usize]);
        if let Some(id) = whole {
            tokens.push((id, word.len() as u32));
            return;
        }
        self.merge(word, scratch, tokens);
    }

    /// The same for a word that is known not to become one token as a whole.
    #[inline(always)]
    pub(crate) fn merge(&self, word: &[u8], scratch: &mut Scratch, tokens: &mut Vec<(Id, u32)>) {
        tokens.clear();
        merge_symbols(&self.merges, &self.byte_ids, word, scratch);
        let mut end = 0;
        tokens.extend(scratch.symbols.iter().map(|&id| {
            end += self.lengths[id as usize];
            (id, end)
        }));
    }
}

impl Bpe {
    /// Appends the tokens of the pretoken `word` with merges left out by chance; no pretoken is taken whole then.
    pub fn segment_with_dropout(&self, word: &[u8], dropout: f32, random: &mut Random, out: &mut Vec<Id>) {
        let mut symbols: Vec<Id> = word.iter().map(|&byte| self.byte_ids[usize::from(byte)]).collect();
        let drop = || random.next_unit() < f64::from(dropout);
        long::merge_some(&self.merges, &mut symbols, &mut long::Scratch::default(), &mut ByRank::default(), drop);
        out.extend(symbols);
    }
}

/// The model over bytes together with its vocabulary, both shared with the fast path.
#[derive(Clone, Debug)]
pub struct ByteBpe {
    bpe: Arc<Bpe>,
    vocab: Arc<Vocab>,
}

impl ByteBpe {
    /// `vocab` is the one that `bpe` was made for; tokens put into it later do no harm.
    pub(crate) fn new(bpe: Arc<Bpe>, vocab: Arc<Vocab>) -> Self {
        Self { bpe, vocab }
    }

    /// The merges and what follows from them.
    pub fn bpe(&self) -> &Arc<Bpe> {
        &self.bpe
    }

    /// The tokens, as bytes.
    pub fn vocab(&self) -> &Arc<Vocab> {
        &self.vocab
    }

    /// The token that a pretoken becomes as a whole, if it does.
    pub fn whole(&self, pretoken: &[u8]) -> Option<Id> {
        self.bpe.whole(&self.vocab, pretoken)
    }

    /// Leaves the tokens of a pretoken, not empty, in `tokens`, each with the byte of the pretoken where it ends.
    pub(crate) fn encode(&self, pretoken: &[u8], scratch: &mut Scratch, tokens: &mut Vec<(Id, u32)>) {
        self.bpe.segment(&self.vocab, pretoken, false, scratch, tokens);
    }
}

/// Leaves the merged symbols of `word` in `scratch.symbols`. Inlined, so that it is compiled for the processor of the caller.
#[inline(always)]
fn merge_symbols(merges: &Merges, byte_ids: &[Id; 256], word: &[u8], scratch: &mut Scratch) {
    scratch.symbols.clear();
    scratch.symbols.extend(word.iter().map(|&byte| byte_ids[usize::from(byte)]));
    if word.len() < LONG {
        merge_short(merges, &mut scratch.symbols);
    } else {
        long::merge(merges, &mut scratch.symbols, &mut scratch.long, &mut ByRank::default());
    }
}

/// How many candidates are compared at once.
const LANES: usize = 16;
/// No candidate.
const NONE: u32 = u32::MAX;

/// Merges less than [`LONG`] symbols by scanning for the lowest rank: quadratic, and the quickest way for the length of a
/// word.
///
/// Symbols stay where they are and a bit says which are still there. Invariant: `candidates[n]` is the rank of symbol n
/// and the next one, and n, in one number, so that the lowest is the leftmost of the lowest rank. Ends as each step
/// removes a symbol.
#[inline(always)]
fn merge_short(merges: &Merges, symbols: &mut Vec<Id>) {
    const { assert!(LONG == 64 && LIMIT << 6 < NONE as usize) };
    let len = symbols.len();
    let candidate = |left: Id, right: Id, at: usize| match merges.rank(left, right) {
        NO_RANK => NONE,
        rank => rank << 6 | at as u32,
    };
    let mut candidates = [NONE; LONG];
    for at in 1..len {
        candidates[at - 1] = candidate(symbols[at - 1], symbols[at], at - 1);
    }
    let mut left_over = u64::MAX.unbounded_shr((LONG - len) as u32);
    let lanes = len.next_multiple_of(LANES);
    loop {
        let mut lowest = [NONE; LANES];
        for some in candidates[..lanes].chunks_exact(LANES) {
            for (lowest, &candidate) in lowest.iter_mut().zip(some) {
                *lowest = candidate.min(*lowest);
            }
        }
        let best = lowest.iter().fold(NONE, |best, &other| best.min(other));
        if best == NONE {
            break;
        }
        let at = best as usize & (LONG - 1);
        symbols[at] = merges.result(best >> 6);
        // The symbol that is merged into this one is there, or there were no candidate.
        let after = left_over & (u64::MAX << at) << 1;
        let beyond = after & after.wrapping_sub(1);
        left_over ^= after ^ beyond;
        candidates[after.trailing_zeros() as usize & (LONG - 1)] = NONE;
        let next = beyond.trailing_zeros() as usize;
        candidates[at] = if next < len { candidate(symbols[at], symbols[next], at) } else { NONE };
        let before = left_over & !(u64::MAX << at);
        if before != 0 {
            let before = 63 - before.leading_zeros() as usize;
            candidates[before] = candidate(symbols[before], symbols[at], before);
        }
        // What is merged away is dropped at the end, in one go.
    }
    let mut at = 0;
    symbols.retain(|_| {
        at += 1;
        left_over >> (at - 1) & 1 == 1
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A vocabulary of all bytes and the tokens that random merges make.
    pub(super) fn random_bpe(seed: u64, alphabet: usize, merges: usize) -> (Vocab, Bpe) {
        let mut random = crate::testing::Random::new(seed);
        let mut vocab = Vocab::default();
        for byte in 0..=255u8 {
            vocab.insert(Id::from(byte), &[byte]).expect("all bytes differ");
        }
        let (mut pairs, mut results, mut known) =
            (vec![], vec![], (0..alphabet).map(|n| b'a' as Id + n as Id).collect::<Vec<_>>());
        while pairs.len() < merges {
            let (left, right) = (known[random.below(known.len())], known[random.below(known.len())]);
            let token = [vocab.token(left).expect("known"), vocab.token(right).expect("known")].concat();
            if pairs.contains(&(left, right)) || token.len() > 40 {
                continue;
            }
            let id = vocab.id(&token).unwrap_or_else(|| {
                let id = vocab.id_bound() as Id;
                vocab.insert(id, &token).expect("new");
                known.push(id);
                id
            });
            pairs.push((left, right));
            results.push(id);
        }
        let mut table = Merges::new(results);
        for (rank, &(left, right)) in pairs.iter().enumerate() {
            table.insert(left, right, rank as Rank);
        }
        let bpe = Bpe::new(&vocab, std::array::from_fn(|byte| byte as Id), table, WholeTokens::IfMerged);
        (vocab, bpe)
    }

    #[test]
    fn all_ways_of_merging_agree_with_the_definition() {
        for seed in 0..60 {
            let mut random = crate::testing::Random::new(seed + 1000);
            let alphabet = 1 + random.below(4);
            let (vocab, bpe) = random_bpe(seed, alphabet, if alphabet == 1 { 6 } else { 40 });
            let mut scratch = Scratch::default();
            for _ in 0..60 {
                let len = 1 + random.below(200);
                let word: Vec<u8> = (0..len).map(|_| b'a' + random.below(alphabet) as u8).collect();
                let symbols: Vec<Id> = word.iter().map(|&byte| Id::from(byte)).collect();
                let expected = naive::encode(&bpe.merges, symbols.clone());

                let traced = naive::trace(&symbols, |left, right| bpe.merges.join(left, right));
                assert_eq!(
                    traced.tokens.iter().map(|token| token.0).collect::<Vec<_>>(),
                    expected,
                    "traced, seed {seed}"
                );

                if len < LONG {
                    let mut short = symbols.clone();
                    merge_short(&bpe.merges, &mut short);
                    assert_eq!(short, expected, "short, seed {seed}, {word:?}");
                }
                let mut waiting = symbols.clone();
                let long = &mut long::Scratch::default();
                long::merge_some(&bpe.merges, &mut waiting, long, &mut ByRank::default(), || false);
                assert_eq!(waiting, expected, "by heap alone, seed {seed}, {word:?}");
                let mut long = symbols;
                long::merge(&bpe.merges, &mut long, &mut long::Scratch::default(), &mut ByRank::default());
                assert_eq!(long, expected, "long, seed {seed}, {word:?}");
                let mut tokens = vec![];
                bpe.segment(&vocab, &word, false, &mut scratch, &mut tokens);
                assert_eq!(tokens.iter().map(|&(id, _)| id).collect::<Vec<_>>(), expected, "seed {seed}, {word:?}");
                assert_eq!(tokens.last().map(|&(_, end)| end as usize), Some(word.len()));
            }
        }
    }
}
