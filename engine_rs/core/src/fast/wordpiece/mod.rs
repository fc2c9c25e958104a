//! BERT from text to tokens: clean-up, words and WordPiece.
//!
//! Not here: special tokens in the text, `[CLS]` and `[SEP]` around it ([`crate::tokenizer`]).

mod chars;
mod fused;
mod queue;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::added_tokens::{AddedTokens, Specials};
use crate::encoding::Sink;
use crate::error::EncodeError;
use crate::fast::blocks::Sets;
use crate::fast::processor::Processor;
use crate::fast::{long_words, memo};
use crate::ids::Id;
use crate::memory::{self, HeapBytes};
use crate::models::wordpiece::WordPiece;
use crate::models::{self, Model};
use crate::normalizers::Normalizer;
use crate::normalizers::bert::BertNormalizer;
use crate::pretokenizers::Pretokenizer;
use crate::stages::Stages;
use chars::{Chars, Kind};

/// Normalizer, pretokenizer and model of BERT. Shared between threads as it is.
#[derive(Clone, Debug)]
pub struct WordPiecePath {
    stages: Arc<Stages>,
    normalizer: BertNormalizer,
    model: Arc<WordPiece>,
    chars: Chars,
    sets: Sets<3>,
    /// What lower-casing sets in a capital of ASCII.
    case_bit: u8,
    processor: Processor,
}

/// The words that one thread has met, and its scratch memory. Belongs to the [`WordPiecePath`] it is first used with: with another
/// one the ids would be wrong. Takes no memory before it is used, about 2 MB then.
#[derive(Debug, Default)]
pub(crate) struct WordCache(Option<Box<Memory>>);

#[derive(Debug, Default)]
struct Memory {
    table: memo::Table,
    long_words: long_words::LongWords,
    tokens: Vec<(Id, u32)>,
    queue: queue::Queue,
    /// A word of ASCII in lower case.
    folded: Vec<u8>,
}

impl HeapBytes for WordCache {
    fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }
}

impl HeapBytes for Memory {
    fn heap_bytes(&self) -> usize {
        let Self { table, long_words, tokens, queue: _, folded } = self;
        table.heap_bytes() + long_words.heap_bytes() + tokens.heap_bytes() + folded.heap_bytes()
    }
}

impl WordPiecePath {
    /// The fast path of these stages; `None` unless they are the normalizer and the pretokenizer of BERT and WordPiece with
    /// an unknown token, and words and ids are small enough.
    pub(crate) fn new(stages: &Arc<Stages>) -> Option<Self> {
        let Stages {
            normalizer: Some(Normalizer::Bert(normalizer)),
            pretokenizer: Some(Pretokenizer::Bert),
            model: Model::WordPiece(model),
        } = &**stages
        else {
            return None;
        };
        let settings = model.settings();
        if settings.missing_unknown.is_some()
            || settings.max_chars > queue::MAX_CHARS
            || model.id_bound() > chars::MAX_IDS
        {
            return None;
        }
        let (normalizer, model) = (*normalizer, Arc::clone(model));
        let chars = Chars::new(normalizer, &model);
        let sets = Sets::new(|byte| match chars.ascii(byte).kind() {
            Kind::Keep | Kind::Put => fused::WORD,
            Kind::Alone => fused::ALONE,
            Kind::Space => fused::SPACE,
            _ => 0,
        });
        Some(Self {
            stages: Arc::clone(stages),
            normalizer,
            model,
            chars,
            sets,
            case_bit: if normalizer.lowercase { 0x20 } else { 0 },
            processor: Processor::detected(),
        })
    }

    /// Pushes the tokens of `text`, a stretch between special tokens that starts at byte `base` of the original.
    ///
    /// Errors: those of the stages, which the rare text goes through in which marks change places.
    pub(crate) fn encode<S: Sink>(
        &self,
        text: &str,
        base: usize,
        cache: &mut WordCache,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        let memory = memory::filled(&mut cache.0);
        self.processor.run(fused::Encode { bert: self, text, base, memory, sink })
    }

    /// The same by the stages one after the other: for the rare text in which marks change places.
    fn encode_stages<S: Sink>(&self, text: &str, base: usize, sink: &mut S) -> Result<(), EncodeError> {
        let added = AddedTokens::default();
        let run = self.stages.run(&added, Specials::Text).without_added_tokens();
        run.encode(&self.stages.model, text, base, &mut models::Scratch::new(0), sink)
    }
}
