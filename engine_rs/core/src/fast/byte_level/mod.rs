//! Byte-level BPE from text to tokens: split pattern and merges in one pass.
//!
//! Not here: the patterns ([`crate::pretokenizers::scanners`]), the merges ([`crate::models::bpe`]), special tokens in the
//! text ([`crate::tokenizer`]).

mod boundaries;
mod fused;
mod patched;
mod prefill;
mod splitter;
#[cfg(test)]
mod tests;

use boundaries::Boundaries;
pub(crate) use boundaries::Rules;
pub(crate) use patched::ByteLevel;

use std::sync::Arc;

use crate::encoding::Sink;
use crate::error::EncodeError;
use crate::fast::processor::Processor;
use crate::fast::{long_words, memo, queue};
use crate::ids::Id;
use crate::memory::{self, HeapBytes};
use crate::models::bpe::{self, Bpe};
use crate::pretokenizers::split::Split;
use crate::vocab::Vocab;
pub use splitter::Splitter;

/// Pretokenizer and model of GPT. Shared between threads as it is.
#[derive(Clone, Debug)]
pub struct ByteLevelBpe {
    bpe: Arc<Bpe>,
    boundaries: Boundaries,
    processor: Processor,
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
    /// Pretokens and parts: of those that are a token as a pretoken and not as a part none is kept.
    long_words: long_words::LongWords,
    /// Whether the last pretoken that is likely to fall into parts was remembered as a whole.
    expects_runs: bool,
    queue: queue::Queue,
    /// What was in the queue before it was found which runs are remembered.
    pretokens: Vec<queue::Queued>,
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
        let Self { table, long_words, expects_runs: _, queue: _, pretokens, batch: _, tokens, scratch } = self;
        table.heap_bytes()
            + long_words.heap_bytes()
            + pretokens.heap_bytes()
            + tokens.heap_bytes()
            + scratch.heap_bytes()
    }
}

impl ByteLevelBpe {
    /// Puts the stages together.
    pub(crate) fn new(bpe: impl Into<Arc<Bpe>>, rules: impl Into<Rules>) -> Self {
        Self { bpe: bpe.into(), boundaries: Boundaries::new(rules.into()), processor: Processor::detected() }
    }

    /// The model.
    pub(crate) fn bpe(&self) -> &Arc<Bpe> {
        &self.bpe
    }

    /// Pushes the tokens of `text`, a stretch between special tokens that starts at byte `base` of the original. `vocab`
    /// is the one that the model was made for; what was put into it later is never what a pretoken becomes.
    pub(crate) fn encode<S: Sink>(&self, vocab: &Vocab, text: &str, base: usize, cache: &mut WordCache, sink: &mut S) {
        let memory = memory::filled(&mut cache.0);
        self.processor.run(fused::Encode { fused: self, vocab, text, base, memory, sink });
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
        let memory = memory::filled(&mut cache.0);
        self.processor
            .run(fused::EncodeSplit { split, encode: fused::Encode { fused: self, vocab, text, base, memory, sink } })
    }
}
