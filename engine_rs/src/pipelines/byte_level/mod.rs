//! Byte-level BPE from text to tokens: split pattern and merges in one pass.
//!
//! Not here: the patterns ([`crate::pretokenizers::scanners`]), the merges ([`crate::models::bpe`]), special tokens in the
//! text ([`crate::tokenizer`]).

mod boundaries;
mod fused;
mod queue;
#[cfg(test)]
mod tests;

use crate::encoding::Sink;
use crate::ids::Id;
use crate::memory::HeapBytes;
use crate::models::bpe::{self, Bpe};
use crate::pipelines::blocks::{self, Portable, Sets};
use crate::pipelines::{cache, long_words};
use crate::pretokenizers::scanners::Pattern;
use crate::vocab::Vocab;

/// Pretokenizer and model of GPT. Shared between threads as it is.
#[derive(Clone, Debug)]
pub struct ByteLevelBpe {
    bpe: Bpe,
    pattern: Pattern,
    sets: Sets<{ boundaries::SETS }>,
    #[cfg(target_arch = "x86_64")]
    avx2: Option<blocks::Avx2>,
}

/// The pretokens that one thread has met, and its scratch memory. Belongs to the [`ByteLevelBpe`] it is first used with:
/// with another one the ids would be wrong. Takes no memory before it is used, about 2 MB then.
#[derive(Default)]
pub struct WordCache(Option<Box<Memory>>);

#[derive(Default)]
struct Memory {
    table: cache::Table,
    long_words: long_words::LongWords,
    /// The same for parts of pretokens.
    long_units: long_words::LongWords,
    queue: queue::Queue,
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
        let Self { table, long_words, long_units, queue: _, tokens, scratch } = self;
        table.heap_bytes()
            + long_words.heap_bytes()
            + long_units.heap_bytes()
            + tokens.heap_bytes()
            + scratch.heap_bytes()
    }
}

impl ByteLevelBpe {
    /// Puts the stages together.
    pub fn new(bpe: Bpe, pattern: Pattern) -> Self {
        Self {
            bpe,
            pattern,
            sets: boundaries::sets(),
            #[cfg(target_arch = "x86_64")]
            avx2: blocks::Avx2::new(),
        }
    }

    /// The model.
    pub fn bpe(&self) -> &Bpe {
        &self.bpe
    }

    /// The pretokenizer.
    pub fn pattern(&self) -> Pattern {
        self.pattern
    }

    /// Pushes the tokens of `text`, a stretch between special tokens that starts at byte `base` of the original. `vocab`
    /// is the one that the model was made for; what was put into it later is never what a pretoken becomes.
    pub fn encode<S: Sink>(&self, vocab: &Vocab, text: &str, base: usize, cache: &mut WordCache, sink: &mut S) {
        let memory = cache.0.get_or_insert_default();
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = self.avx2 {
            // SAFETY: the value exists only where the processor has all of this.
            return unsafe { self.encode_avx2(avx2, vocab, text, base, memory, sink) };
        }
        fused::encode(self, Portable, vocab, text, base, memory, sink);
    }

    /// The same with a scanner in place of the pattern: `next` gives the end of the pretoken that starts at a byte.
    pub fn encode_scanned<S: Sink>(
        &self,
        next: impl Fn(&str, usize) -> usize,
        (vocab, text, base): (&Vocab, &str, usize),
        cache: &mut WordCache,
        sink: &mut S,
    ) {
        fused::encode_scanned(self, next, (vocab, text, base), cache.0.get_or_insert_default(), sink);
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
}
