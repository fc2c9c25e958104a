//! BERT from text to tokens: clean-up, words and WordPiece.
//!
//! Not here: special tokens in the text, `[CLS]` and `[SEP]` around it ([`crate::tokenizer`]).

mod chars;
mod fused;
mod queue;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::alignment::Aligned;
use crate::encoding::{Sink, Stage};
use crate::ids::Id;
use crate::memory::HeapBytes;
use crate::models::wordpiece::{Settings, WordPiece};
use crate::normalizers::bert::BertNormalizer;
use crate::pipelines::blocks::{self, Portable, Sets};
use crate::pipelines::{cache, long_words};
use crate::pretokenizers::bert::split;
use crate::vocab::Vocab;
use chars::{Chars, Kind};

/// Normalizer, pretokenizer and model of BERT. Shared between threads as it is.
#[derive(Clone, Debug)]
pub struct Bert {
    normalizer: BertNormalizer,
    model: WordPiece,
    chars: Chars,
    sets: Sets<3>,
    /// Whether words and ids are small enough for the fused pipeline.
    fits: bool,
    /// What lower-casing sets in a capital of ASCII.
    case_bit: u8,
    #[cfg(target_arch = "x86_64")]
    avx2: Option<blocks::Avx2>,
}

/// The words that one thread has met, and its scratch memory. Belongs to the [`Bert`] it is first used with: with another
/// one the ids would be wrong. Takes no memory before it is used, about 2 MB then.
#[derive(Debug, Default)]
pub struct WordCache(Option<Box<Memory>>);

#[derive(Debug, Default)]
struct Memory {
    table: cache::Table,
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

impl Bert {
    /// Puts the stages together.
    pub fn new(normalizer: BertNormalizer, vocab: &Vocab, settings: Settings) -> Self {
        let fits = settings.max_chars <= queue::MAX_CHARS && vocab.id_bound() <= chars::MAX_IDS;
        let model = WordPiece::new(vocab, settings);
        let chars = Chars::new(normalizer, &model);
        let sets = Sets::new(|byte| match chars.ascii(byte).kind() {
            Kind::Keep | Kind::Put => fused::WORD,
            Kind::Alone => fused::ALONE,
            Kind::Space => fused::SPACE,
            _ => 0,
        });
        Self {
            normalizer,
            model,
            chars,
            sets,
            fits,
            case_bit: if normalizer.lowercase { 0x20 } else { 0 },
            #[cfg(target_arch = "x86_64")]
            avx2: blocks::Avx2::new(),
        }
    }

    /// The rules for texts.
    pub fn normalizer(&self) -> BertNormalizer {
        self.normalizer
    }

    /// Whether [`Self::encode`] runs normalizer and pretokenizer in one pass.
    pub fn is_fused(&self) -> bool {
        self.fits
    }

    /// The model.
    pub fn model(&self) -> &WordPiece {
        &self.model
    }

    /// Pushes the tokens of `text`, a stretch between special tokens that starts at byte `base` of the original.
    ///
    /// ```
    /// # use token_engine::{models::wordpiece::Settings, normalizers::bert::BertNormalizer, vocab::Vocab};
    /// # use token_engine::{encoding::Encoding, pipelines::bert::{Bert, WordCache}};
    /// let mut vocab = Vocab::default();
    /// for (id, token) in ["[UNK]", "cafe", "##s", "!"].iter().enumerate() {
    ///     vocab.insert(id as u32, token.as_bytes()).unwrap();
    /// }
    /// let bert = Bert::new(BertNormalizer::UNCASED, &vocab, Settings::bert(0));
    /// let mut encoding = Encoding::default();
    /// bert.encode("Cafés in 中!", 0, &mut WordCache::default(), &mut encoding);
    /// assert_eq!(encoding.ids, [1, 2, 0, 0, 3]);
    /// assert_eq!(encoding.spans[..2].iter().map(|span| span.range()).collect::<Vec<_>>(), [0..5, 5..6]);
    /// ```
    pub fn encode<S: Sink>(&self, text: &str, base: usize, cache: &mut WordCache, sink: &mut S) {
        if !self.fits {
            return self.encode_staged(text, base, sink);
        }
        let memory = cache.0.get_or_insert_default();
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = self.avx2 {
            // SAFETY: the value exists only where the processor has all of this.
            return unsafe { self.encode_avx2(avx2, text, base, memory, sink) };
        }
        fused::encode(self, Portable, text, base, memory, sink);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn encode_avx2<S: Sink>(&self, avx2: blocks::Avx2, text: &str, base: usize, memory: &mut Memory, sink: &mut S) {
        fused::encode(self, avx2, text, base, memory, sink);
    }

    /// The same by the stages one after the other: the definition, for the tests and for the rare text in which marks
    /// change places.
    pub fn encode_staged<S: Sink>(&self, text: &str, base: usize, sink: &mut S) {
        sink.enter(Stage::Normalizer);
        let mut aligned = Aligned::new(text, base);
        self.normalizer.normalize(&mut aligned);
        sink.enter(Stage::Pretokenizer);
        let mut words: Vec<Range<usize>> = vec![];
        split(aligned.text(), &mut words);
        sink.enter(Stage::Model);
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
