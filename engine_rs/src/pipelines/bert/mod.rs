//! BERT from text to tokens: clean-up, words and WordPiece.
//!
//! Not here: special tokens in the text, `[CLS]` and `[SEP]` around it ([`crate::tokenizer`]).

use std::ops::Range;

use crate::alignment::Aligned;
use crate::encoding::Sink;
use crate::models::wordpiece::{Settings, WordPiece};
use crate::normalizers::bert::BertNormalizer;
use crate::pretokenizers::bert::split;
use crate::vocab::Vocab;

/// Normalizer, pretokenizer and model of BERT. Shared between threads as it is.
#[derive(Clone, Debug)]
pub struct Bert {
    normalizer: BertNormalizer,
    model: WordPiece,
}

/// The words one thread has met. Belongs to the [`Bert`] it was first used with; takes no memory before that.
#[derive(Debug, Default)]
pub struct WordCache {}

impl Bert {
    /// Puts the stages together.
    pub fn new(normalizer: BertNormalizer, vocab: &Vocab, settings: Settings) -> Self {
        Self { normalizer, model: WordPiece::new(vocab, settings) }
    }

    /// The rules for texts.
    pub fn normalizer(&self) -> BertNormalizer {
        self.normalizer
    }

    /// The model.
    pub fn model(&self) -> &WordPiece {
        &self.model
    }

    /// Pushes the tokens of `text`, a stretch between special tokens that starts at byte `base` of the original.
    pub fn encode<S: Sink>(&self, text: &str, base: usize, _cache: &mut WordCache, sink: &mut S) {
        self.encode_staged(text, base, sink);
    }

    /// The same by the stages one after the other: the definition, for the tests and for what the fast path leaves out.
    pub fn encode_staged<S: Sink>(&self, text: &str, base: usize, sink: &mut S) {
        let mut aligned = Aligned::new(text, base);
        self.normalizer.normalize(&mut aligned);
        let mut words: Vec<Range<usize>> = vec![];
        split(aligned.text(), &mut words);
        let mut tokens = vec![];
        for word in words {
            sink.begin_pretoken();
            self.model.encode(&aligned.text()[word.clone()], &mut tokens);
            let mut start = word.start;
            for (id, end) in tokens.drain(..) {
                let end = word.start + end as usize;
                sink.push(id, aligned.span(start..end));
                start = end;
            }
        }
    }
}
