//! Byte-level BPE from text to tokens: split pattern and merges in one pass.
//!
//! Not here: the patterns ([`crate::pretokenizers::scanners`]), the merges ([`crate::models::bpe`]), special tokens in the
//! text ([`crate::tokenizer`]).

mod boundaries;
mod fused;
mod patched;
mod prefill;
pub(super) mod queue;
mod splitter;
#[cfg(test)]
mod tests;

pub(crate) use boundaries::Rules;
pub(super) use fused::block_at;
pub(crate) use patched::ByteLevel;

use std::sync::Arc;

use crate::encoding::Sink;
use crate::error::EncodeError;
use crate::fast::blocks::{self, Baseline, Classify, Sets};
use crate::fast::{long_words, memo};
use crate::ids::Id;
use crate::memory::HeapBytes;
use crate::models::bpe::{self, Bpe};
use crate::pretokenizers::split::Split;
use crate::vocab::Vocab;
use prefill::Prefilled;

pub use splitter::Splitter;

/// Pretokenizer and model of GPT. Shared between threads as it is.
#[derive(Clone, Debug)]
pub struct ByteLevelBpe {
    bpe: Arc<Bpe>,
    rules: Rules,
    sets: Sets<{ boundaries::SETS }>,
    #[cfg(target_arch = "x86_64")]
    avx2: Option<blocks::Avx2>,
    #[cfg(target_arch = "x86_64")]
    avx512: Option<blocks::Avx512>,
}

/// A way to run the pass: the masks, and the look-ups compiled for the same processor.
trait Processor: Classify {
    /// [`fused::flush_on`].
    #[inline(never)]
    fn flush<S: Sink>(self, job: fused::Job<Self>, end: usize, memory: &mut Memory, sink: &mut S) {
        fused::flush_on(job, end, memory, sink);
    }

    /// [`fused::merge_on`].
    #[inline(never)]
    fn merge(self, job: fused::Job<Self>, word: &[u8], memory: &mut Memory) {
        fused::merge_on(job, word, memory);
    }

    /// [`prefill::prefill_on`].
    #[inline(never)]
    fn prefill(self, job: fused::Job<Self>, from: usize, memory: &mut Memory, prefilled: &mut Prefilled) {
        prefill::prefill_on(job, from, memory, prefilled);
    }
}

impl Processor for blocks::Portable {}

#[cfg(target_arch = "aarch64")]
impl Processor for blocks::Neon {}

#[cfg(target_arch = "x86_64")]
impl Processor for blocks::Avx2 {
    #[inline(always)]
    fn flush<S: Sink>(self, job: fused::Job<Self>, end: usize, memory: &mut Memory, sink: &mut S) {
        #[inline(never)]
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
        fn compiled<S: Sink>(job: fused::Job<blocks::Avx2>, end: usize, memory: &mut Memory, sink: &mut S) {
            fused::flush_on(job, end, memory, sink);
        }
        // SAFETY: the value exists only if the processor has all of this.
        unsafe { compiled(job, end, memory, sink) }
    }

    #[inline(always)]
    fn merge(self, job: fused::Job<Self>, word: &[u8], memory: &mut Memory) {
        #[inline(never)]
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
        fn compiled(job: fused::Job<blocks::Avx2>, word: &[u8], memory: &mut Memory) {
            fused::merge_on(job, word, memory);
        }
        // SAFETY: the value exists only if the processor has all of this.
        unsafe { compiled(job, word, memory) }
    }

    #[inline(always)]
    fn prefill(self, job: fused::Job<Self>, from: usize, memory: &mut Memory, prefilled: &mut Prefilled) {
        #[inline(never)]
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
        fn compiled(job: fused::Job<blocks::Avx2>, from: usize, memory: &mut Memory, prefilled: &mut Prefilled) {
            prefill::prefill_on(job, from, memory, prefilled);
        }
        // SAFETY: the value exists only if the processor has all of this.
        unsafe { compiled(job, from, memory, prefilled) }
    }
}

#[cfg(target_arch = "x86_64")]
impl Processor for blocks::Avx512 {
    #[inline(always)]
    fn flush<S: Sink>(self, job: fused::Job<Self>, end: usize, memory: &mut Memory, sink: &mut S) {
        #[inline(never)]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx2,bmi1,bmi2,popcnt,lzcnt")]
        fn compiled<S: Sink>(job: fused::Job<blocks::Avx512>, end: usize, memory: &mut Memory, sink: &mut S) {
            fused::flush_on(job, end, memory, sink);
        }
        // SAFETY: the value exists only if the processor has all of this.
        unsafe { compiled(job, end, memory, sink) }
    }

    #[inline(always)]
    fn merge(self, job: fused::Job<Self>, word: &[u8], memory: &mut Memory) {
        #[inline(never)]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx2,bmi1,bmi2,popcnt,lzcnt")]
        fn compiled(job: fused::Job<blocks::Avx512>, word: &[u8], memory: &mut Memory) {
            fused::merge_on(job, word, memory);
        }
        // SAFETY: the value exists only if the processor has all of this.
        unsafe { compiled(job, word, memory) }
    }

    #[inline(always)]
    fn prefill(self, job: fused::Job<Self>, from: usize, memory: &mut Memory, prefilled: &mut Prefilled) {
        #[inline(never)]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx2,bmi1,bmi2,popcnt,lzcnt")]
        fn compiled(job: fused::Job<blocks::Avx512>, from: usize, memory: &mut Memory, prefilled: &mut Prefilled) {
            prefill::prefill_on(job, from, memory, prefilled);
        }
        // SAFETY: the value exists only if the processor has all of this.
        unsafe { compiled(job, from, memory, prefilled) }
    }
}

/// The pretokens that one thread has met, and its scratch memory. Belongs to the [`ByteLevelBpe`] it is first used with:
/// with another one the ids would be wrong. Takes no memory before it is used, about 4 MB then.
#[derive(Default)]
pub(crate) struct WordCache(Option<Box<Memory>>);

/// Patterns keep the space before a word, so that there are more words than of WordPiece.
type Table = memo::Table<{ 1 << 16 }>;

#[derive(Default)]
struct Memory {
    table: Table,
    long_words: long_words::LongWords,
    /// The same for parts of pretokens.
    long_units: long_words::LongWords,
    queue: queue::Queue,
    batch: bpe::batch::Batch,
    tokens: Vec<(Id, u32)>,
    scratch: bpe::Scratch,
}

impl HeapBytes for WordCache {
    fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }
}

impl HeapBytes for Memory {
    fn heap_bytes(&self) -> usize {
        let Self { table, long_words, long_units, queue: _, batch: _, tokens, scratch } = self;
        table.heap_bytes()
            + long_words.heap_bytes()
            + long_units.heap_bytes()
            + tokens.heap_bytes()
            + scratch.heap_bytes()
    }
}

impl ByteLevelBpe {
    /// Puts the stages together.
    pub(crate) fn new(bpe: impl Into<Arc<Bpe>>, rules: impl Into<Rules>) -> Self {
        let rules = rules.into();
        Self {
            bpe: bpe.into(),
            rules,
            sets: boundaries::sets(rules),
            #[cfg(target_arch = "x86_64")]
            avx2: blocks::Avx2::new(),
            #[cfg(target_arch = "x86_64")]
            avx512: blocks::Avx512::new(),
        }
    }

    /// The model.
    pub(crate) fn bpe(&self) -> &Arc<Bpe> {
        &self.bpe
    }

    /// Pushes the tokens of `text`, a stretch between special tokens that starts at byte `base` of the original. `vocab`
    /// is the one that the model was made for; what was put into it later is never what a pretoken becomes.
    pub(crate) fn encode<S: Sink>(&self, vocab: &Vocab, text: &str, base: usize, cache: &mut WordCache, sink: &mut S) {
        let memory = cache.0.get_or_insert_default();
        #[cfg(target_arch = "x86_64")]
        if let Some(avx512) = self.avx512 {
            // SAFETY: the value exists only if the processor has all of this.
            return unsafe { self.encode_avx512(avx512, vocab, text, base, memory, sink) };
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = self.avx2 {
            // SAFETY: the value exists only where the processor has all of this.
            return unsafe { self.encode_avx2(avx2, vocab, text, base, memory, sink) };
        }
        fused::encode(self, Baseline, vocab, text, base, memory, sink);
    }

    /// The same with the parts that a split finds in place of the pattern.
    ///
    /// Errors: an expression that tries too many ways to match.
    pub(crate) fn encode_split<S: Sink>(
        &self,
        split: &Split,
        (vocab, text, base): (&Vocab, &str, usize),
        cache: &mut WordCache,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        let (memory, texts) = (cache.0.get_or_insert_default(), (vocab, text, base));
        #[cfg(target_arch = "x86_64")]
        if let Some(avx512) = self.avx512 {
            return fused::encode_split(self, avx512, split, texts, memory, sink);
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = self.avx2 {
            return fused::encode_split(self, avx2, split, texts, memory, sink);
        }
        fused::encode_split(self, Baseline, split, texts, memory, sink)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn encode_avx2<S: Sink>(
        &self,
        avx2: blocks::Avx2,
        vocab: &Vocab,
        text: &str,
        base: usize,
        memory: &mut Memory,
        sink: &mut S,
    ) {
        fused::encode(self, avx2, vocab, text, base, memory, sink);
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn encode_avx512<S: Sink>(
        &self,
        avx512: blocks::Avx512,
        vocab: &Vocab,
        text: &str,
        base: usize,
        memory: &mut Memory,
        sink: &mut S,
    ) {
        fused::encode(self, avx512, vocab, text, base, memory, sink);
    }
}
