//! Byte-level byte-pair encoding: bytes of a pretoken merge pair by pair, lowest rank first.
//!
//! A pretoken is looked up as a whole among the tokens that encode to themselves, and only then merged: short ones by
//! scanning for the lowest rank, long ones by [`runs`], in [`chunks`] or in rounds ([`long`]). [`boundary_filter`] says
//! where one falls into independent parts. [`naive`] is the definition.
//! Not here: the split into pretokens ([`crate::pretokenizers`]), words seen before ([`crate::fast::byte_level`]).
//!
//! Source: Sennrich et al. 2016; byte level: Radford et al., Language Models are Unsupervised Multitask Learners (2019).

pub(crate) mod batch;
pub(crate) mod boundary_filter;
mod built;
pub mod characters;
mod chunks;
mod from_ranks;
mod long;
pub mod merges;
pub mod naive;
mod runs;
pub mod scored;

pub use from_ranks::KnownPair;
pub(crate) use from_ranks::{merges_from_ranks, pairs_from_ranks};
use std::sync::{Arc, OnceLock};

use boundary_filter::BoundaryFilter;
use long::ByRank;
use merges::{Merges, NO_RANK, Rank};

use crate::ids::Id;
use crate::memory::{HeapBytes, prefetch};
use crate::random::Random;
use crate::vocab::Vocab;

/// The merges of a tokenizer and what follows from them.
#[derive(Clone, Debug)]
pub struct Bpe {
    merges: Arc<Merges>,
    byte_ids: [Id; 256],
    /// Rank of the merge of two bytes, or [`NO_RANK`], by the first byte and the second one.
    byte_pairs: Box<[[Rank; 256]; 256]>,
    /// Bytes per token, by id. 0 where there was none.
    lengths: Vec<u32>,
    /// By id: [`BUILT`] and [`WHOLE`].
    flags: Vec<u8>,
    whole_tokens: WholeTokens,
    /// Made when they are first asked for: most texts have no pretoken that is long enough.
    boundary_filter: OnceLock<BoundaryFilter>,
    /// Rank of the merge that makes the token, by id.
    ranks: Vec<Rank>,
}

/// Merges build the token from its own bytes alone.
const BUILT: u8 = 1;
/// A pretoken of its bytes becomes the token.
const WHOLE: u8 = 2;

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
        let built = built::built(vocab, &byte_ids, &merges, |id| {
            vocab.token(id).is_some_and(|token| {
                merge_symbols(&merges, &byte_ids, token, &mut scratch);
                scratch.symbols == [id]
            })
        });
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
        let lengths: Vec<u32> =
            (0..vocab.id_bound()).map(|id| vocab.token(id as Id).map_or(0, |token| token.len() as u32)).collect();
        let flags = |(&len, is_built): (&u32, bool)| {
            // Tokens put into the vocabulary later are special, those with ids that are free now among them.
            let may_be_whole = len != 0 && (is_built || whole_tokens == WholeTokens::Always);
            (if is_built { BUILT } else { 0 }) | (if may_be_whole { WHOLE } else { 0 })
        };
        let flags = lengths.iter().zip(built).map(flags).collect();
        let ranks = merges.ranks_of_results(vocab.id_bound());
        let byte_pairs = vec![[NO_RANK; 256]; 256].try_into();
        let mut byte_pairs: Box<[[Rank; 256]; 256]> = byte_pairs.expect("there are as many");
        for (left, pairs) in byte_ids.iter().zip(byte_pairs.iter_mut()) {
            *pairs = byte_ids.map(|right| merges.rank(*left, right));
        }
        Self { merges, byte_ids, byte_pairs, lengths, flags, whole_tokens, boundary_filter: OnceLock::new(), ranks }
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
        self.flags.get(id as usize).is_some_and(|flags| flags & BUILT != 0)
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
        self.flags.get(id as usize).is_some_and(|flags| flags & WHOLE != 0)
    }

    /// Asks for the memory that [`Self::may_be_whole`] and [`Self::is_built`] read.
    #[inline(always)]
    pub(crate) fn prefetch(&self, id: Id) {
        if let Some(flags) = self.flags.get(id as usize) {
            prefetch(flags);
        }
    }

    /// The token that the pretoken `word` becomes as a whole, if it does.
    #[inline]
    pub(crate) fn whole(&self, vocab: &Vocab, word: &[u8]) -> Option<Id> {
        vocab.id(word).filter(|&id| self.may_be_whole(id))
    }

    /// Leaves the tokens of the pretoken `word`, not empty, in `tokens`, each with the byte of the word where it ends. A
    /// part is a part of a pretoken that no token reaches out of; it becomes one token only if merges build that.
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
        let whole = self.whole(vocab, word).filter(|&id| !is_unit || self.is_built(id));
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
    long::merge(merges, &mut scratch.symbols, &mut scratch.long, &mut ByRank { is_plain: true });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Orders that so many ranks share, as scores may be equal.
    pub(super) struct Shared(pub(super) u32);

    impl long::Order<Id> for Shared {
        fn of(&self, rank: Rank) -> u32 {
            rank / self.0
        }

        fn holds(&self, _: &Merges, queued: u32, found: Rank) -> bool {
            self.of(found) == queued
        }

        fn is_plain(&self) -> bool {
            true
        }
    }

    impl Shared {
        /// The definition.
        pub(super) fn encode(&self, merges: &Merges, symbols: &[Id]) -> Vec<Id> {
            let join = |left, right| match merges.join(left, right) {
                (merges::NO_RANK, _) => (merges::NO_RANK, 0),
                (rank, made) => (rank / self.0, made),
            };
            naive::trace(symbols, join).tokens.into_iter().map(|token| token.0).collect()
        }
    }

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
    fn no_pretoken_becomes_a_token_that_was_put_in_later() {
        let mut vocab = Vocab::default();
        for byte in 0..=255u8 {
            vocab.insert(Id::from(byte), &[byte]).expect("all bytes differ");
        }
        vocab.insert(257, b"ab").expect("new");
        let bpe = Bpe::from_ranks(&vocab, std::array::from_fn(|byte| byte as Id), &|_| None);
        let shared = vocab.clone();
        for mut vocab in [shared, vocab] {
            vocab.insert(256, b"abc").expect("its id was free");
            vocab.insert(258, b"abcd").expect("new");
            assert_eq!([&b"ab"[..], b"abc", b"abcd"].map(|word| bpe.whole(&vocab, word)), [Some(257), None, None]);
        }
    }

    #[test]
    fn all_ways_of_merging_agree_with_the_definition() {
        let mut merged_by_chunks = 0;
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

                if len <= chunks::MOST {
                    let mut short = symbols.clone();
                    chunks::merge_few(&bpe.merges, &mut short, &mut None, &ByRank { is_plain: true });
                    assert_eq!(short, expected, "short, seed {seed}, {word:?}");
                }
                let mut waiting = symbols.clone();
                let long = &mut long::Scratch::default();
                long::merge_some(&bpe.merges, &mut waiting, long, &mut ByRank::default(), || false);
                assert_eq!(waiting, expected, "by heap alone, seed {seed}, {word:?}");
                let mut by_chunks = symbols.clone();
                let plain = &mut ByRank { is_plain: true };
                if chunks::merge(&bpe.merges, &mut by_chunks, &mut chunks::Done::default(), plain) {
                    assert_eq!(by_chunks, expected, "by chunks, seed {seed}, {word:?}");
                    merged_by_chunks += usize::from(len > chunks::MOST);
                } else {
                    assert_eq!(by_chunks, symbols, "left as they are, seed {seed}, {word:?}");
                }
                let mut long = symbols;
                long::merge_in_rounds(&bpe.merges, &mut long, &mut long::Scratch::default(), plain);
                assert_eq!(long, expected, "long, seed {seed}, {word:?}");
                let mut tokens = vec![];
                bpe.segment(&vocab, &word, false, &mut scratch, &mut tokens);
                assert_eq!(tokens.iter().map(|&(id, _)| id).collect::<Vec<_>>(), expected, "seed {seed}, {word:?}");
                assert_eq!(tokens.last().map(|&(_, end)| end as usize), Some(word.len()));
            }
        }
        assert!(merged_by_chunks > 500, "{merged_by_chunks}");
    }
}
