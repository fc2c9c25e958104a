//! A tokenizer: the stages put together. The only file that knows their order.

use std::sync::Mutex;

use rayon::prelude::*;

use crate::added_tokens::{AddedTokens, Segment, Specials};
use crate::decoders;
use crate::decoders::wordpiece::WordPieceDecoder;
use crate::encoding::{Encoding, IdsAndEnds, Sink};
use crate::error::{DecodeError, EncodeError};
use crate::ids::Id;
use crate::models::bpe::{self, Bpe};
use crate::offsets::Span;
use crate::pipelines::bert::{self, Bert};
use crate::postprocessors::bert::BertProcessing;
use crate::pretokenizers::scanners::Pattern;
use crate::vocab::Vocab;

/// Normalizer, pretokenizer and model, for each kind of model those that go with it.
pub enum Pipeline {
    /// A split pattern, then merges of bytes.
    ByteLevelBpe {
        /// The model.
        bpe: Bpe,
        /// The pretokenizer.
        pattern: Pattern,
    },
    /// BERT: clean-up, words and punctuation, greedy longest match.
    Bert {
        /// Normalizer, pretokenizer and model.
        bert: Bert,
        /// What goes around the tokens.
        postprocessor: BertProcessing,
        /// How tokens become text again.
        decoder: WordPieceDecoder,
    },
}

/// Encodes texts and decodes ids. Shared between threads as it is.
pub struct Tokenizer {
    vocab: Vocab,
    added: AddedTokens,
    pipeline: Pipeline,
    /// Word caches of threads that are done, so that the next call finds them warm.
    scratch: Mutex<Vec<Box<Scratch>>>,
}

/// What one thread needs while it encodes.
#[derive(Default)]
struct Scratch {
    bpe: bpe::Scratch,
    bert: bert::WordCache,
}

/// How to encode a text.
#[derive(Clone, Copy, Debug)]
pub struct EncodeOptions {
    /// Whether the postprocessor adds its tokens.
    pub add_special_tokens: bool,
    /// What text that spells a special token is.
    pub specials: Specials,
}

impl Default for EncodeOptions {
    fn default() -> Self {
        Self { add_special_tokens: true, specials: Specials::Parse }
    }
}

/// The stages in a few words each, for people; "none" where there is nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stages {
    /// What changes the text.
    pub normalizer: String,
    /// What splits it.
    pub pretokenizer: String,
    /// What makes tokens of the pretokens.
    pub model: String,
    /// What is put around the tokens.
    pub postprocessor: String,
    /// How tokens become text again.
    pub decoder: String,
}

/// Id lists of several texts, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// All ids.
    pub ids: Vec<Id>,
    /// Where each text's ids start, and where the last ones end: one more than there are texts.
    pub row_starts: Vec<u64>,
}

impl Tokenizer {
    /// Puts the stages together. `special_tokens` are in `vocab`.
    pub fn new(vocab: Vocab, special_tokens: Vec<(String, Id)>, pipeline: Pipeline) -> Self {
        Self { vocab, added: AddedTokens::new(special_tokens), pipeline, scratch: Mutex::default() }
    }

    /// All tokens.
    pub fn vocab(&self) -> &Vocab {
        &self.vocab
    }

    /// Number of tokens without the special ones that are not the model's own.
    pub fn base_vocab_size(&self) -> usize {
        self.vocab.len() - self.special_tokens().len()
    }

    /// Special tokens: spelling and id.
    pub fn special_tokens(&self) -> &[(String, Id)] {
        self.added.tokens()
    }

    /// The token for what the model does not know, where it has one.
    pub fn unknown_id(&self) -> Option<Id> {
        match &self.pipeline {
            Pipeline::ByteLevelBpe { .. } => None,
            Pipeline::Bert { bert, .. } => Some(bert.model().settings().unknown),
        }
    }

    /// Why decoding need not give the text back, or `None` where it always does.
    pub fn lossy(&self) -> Option<&'static str> {
        match &self.pipeline {
            Pipeline::ByteLevelBpe { .. } => None,
            Pipeline::Bert { bert, .. } if bert.normalizer().lowercase => {
                Some("lower case and stripped accents stay that way, white space is one space, unknown words are gone")
            }
            Pipeline::Bert { .. } => Some("white space is one space, unknown words are gone"),
        }
    }

    /// Rank of the merge that makes a token, where one does.
    pub fn rank(&self, id: Id) -> Option<u32> {
        match &self.pipeline {
            Pipeline::ByteLevelBpe { bpe, .. } => bpe.rank(id),
            Pipeline::Bert { .. } => None,
        }
    }

    /// The stages in a few words.
    pub fn stages(&self) -> Stages {
        let none = || "none".to_string();
        match &self.pipeline {
            Pipeline::ByteLevelBpe { pattern, .. } => Stages {
                normalizer: none(),
                pretokenizer: pattern.describe().into(),
                model: "byte-level BPE".into(),
                postprocessor: none(),
                decoder: "bytes".into(),
            },
            Pipeline::Bert { bert, .. } => Stages {
                normalizer: if bert.normalizer().lowercase { "BERT uncased" } else { "BERT cased" }.into(),
                pretokenizer: "words and punctuation".into(),
                model: "WordPiece".into(),
                postprocessor: "[CLS] ... [SEP]".into(),
                decoder: "words and spaces".into(),
            },
        }
    }

    /// Encodes a text, or a pair of texts, with all that is known of the tokens.
    ///
    /// Errors: a special token in a text where `specials` says to refuse it; a text of 4 GiB or more.
    pub fn encode(&self, text: &str, pair: Option<&str>, options: EncodeOptions) -> Result<Encoding, EncodeError> {
        let first = self.encode_one(text, options.specials)?;
        let second = pair.map(|pair| self.encode_one(pair, options.specials)).transpose()?;
        let mut encoding = match (&self.pipeline, second) {
            (Pipeline::Bert { postprocessor, .. }, second) if options.add_special_tokens => {
                postprocessor.process(&first, second.as_ref())
            }
            (_, None) => first,
            (_, Some(second)) => {
                let mut both = first;
                both.append(&second, 1, 0);
                both
            }
        };
        if let Some(unknown) = self.unknown_id() {
            encoding.mark_unknown(unknown);
        }
        Ok(encoding)
    }

    fn encode_one(&self, text: &str, specials: Specials) -> Result<Encoding, EncodeError> {
        let mut encoding = Encoding::default();
        self.encode_into(text, specials, &mut encoding)?;
        Ok(encoding)
    }

    /// Encodes several texts; `threads` 0 means all cores. The order is that of the texts.
    pub fn encode_batch(
        &self,
        texts: &[(&str, Option<&str>)],
        options: EncodeOptions,
        threads: usize,
    ) -> Result<Vec<Encoding>, EncodeError> {
        in_parallel(threads, || texts.par_iter().map(|(text, pair)| self.encode(text, *pair, options)).collect())
    }

    /// Ids of a text, nothing added.
    pub fn encode_ids(&self, text: &str, specials: Specials) -> Result<Vec<Id>, EncodeError> {
        let mut ids = Vec::with_capacity(text.len() / 3);
        self.encode_into(text, specials, &mut ids)?;
        Ok(ids)
    }

    /// Ids and ends of a text, nothing added, special tokens read as text.
    pub fn encode_with_ends(&self, text: &str) -> Result<IdsAndEnds, EncodeError> {
        let mut out = IdsAndEnds::default();
        self.encode_into(text, Specials::Text, &mut out)?;
        Ok(out)
    }

    /// Ids of several texts in one list, nothing added; `threads` 0 means all cores.
    pub fn encode_ids_batch(&self, texts: &[&str], specials: Specials, threads: usize) -> Result<Rows, EncodeError> {
        let encode_rows = |texts: &[&str]| {
            let mut rows = Rows { ids: vec![], row_starts: vec![0] };
            for text in texts {
                self.encode_into(text, specials, &mut rows.ids)?;
                rows.row_starts.push(rows.ids.len() as u64);
            }
            Ok(rows)
        };
        if threads == 1 || texts.len() < 2 {
            return encode_rows(texts);
        }
        let parts: Vec<Rows> = in_parallel(threads, || {
            let share = texts.len().div_ceil(rayon::current_num_threads() * 4).max(1);
            texts.par_chunks(share).map(encode_rows).collect::<Result<_, _>>()
        })?;
        let mut rows = Rows { ids: Vec::with_capacity(parts.iter().map(|part| part.ids.len()).sum()), row_starts: vec![0] };
        for part in parts {
            let before = rows.ids.len() as u64;
            rows.ids.extend_from_slice(&part.ids);
            rows.row_starts.extend(part.row_starts[1..].iter().map(|start| start + before));
        }
        Ok(rows)
    }

    /// Pushes the tokens of a text into `sink`, nothing added.
    pub fn encode_into<S: Sink>(&self, text: &str, specials: Specials, sink: &mut S) -> Result<(), EncodeError> {
        if text.len() > u32::MAX as usize {
            return Err(EncodeError::TooLong { bytes: text.len() });
        }
        if specials == Specials::Reject
            && let Some((token, span)) = self.added.find(text)
        {
            return Err(EncodeError::SpecialInText { token: token.into(), byte: span.start as usize });
        }
        let mut scratch = self.scratch.lock().map_or_else(|_| None, |mut pool| pool.pop()).unwrap_or_default();
        if specials == Specials::Parse {
            for segment in self.added.segments(text) {
                match segment {
                    Segment::Special(id, span) => sink.push_special(id, span),
                    Segment::Text(span) => self.encode_segment(text, span, &mut scratch, sink),
                }
            }
        } else {
            self.encode_segment(text, Span::new(0, text.len()), &mut scratch, sink);
        }
        if let Ok(mut pool) = self.scratch.lock() {
            pool.push(scratch);
        }
        Ok(())
    }

    /// Encodes a stretch of text that has no special tokens, or whose special tokens are text.
    fn encode_segment<S: Sink>(&self, text: &str, span: Span, scratch: &mut Scratch, sink: &mut S) {
        let segment = &text[span.range()];
        let base = span.start as usize;
        match &self.pipeline {
            Pipeline::ByteLevelBpe { bpe, pattern } => {
                let mut start = 0;
                pattern.split(segment, |end| {
                    bpe.encode(&self.vocab, segment.as_bytes(), (start, end), base, &mut scratch.bpe, sink);
                    start = end;
                });
            }
            Pipeline::Bert { bert, .. } => bert.encode(segment, base, &mut scratch.bert, sink),
        }
    }

    /// The bytes that `ids` stand for.
    ///
    /// Errors: an id that no token has.
    pub fn decode_bytes(&self, ids: &[Id], skip_special_tokens: bool) -> Result<Vec<u8>, DecodeError> {
        if let Some(position) = ids.iter().position(|&id| self.vocab.token(id).is_none()) {
            return Err(DecodeError::UnknownId { id: ids[position], position, id_bound: self.vocab.id_bound() });
        }
        let kept: Vec<Id>;
        let ids = if skip_special_tokens && ids.iter().any(|&id| self.added.contains(id)) {
            kept = ids.iter().copied().filter(|&id| !self.added.contains(id)).collect();
            &kept
        } else {
            ids
        };
        let mut out = Vec::with_capacity(ids.len() * 4);
        match &self.pipeline {
            Pipeline::ByteLevelBpe { .. } => decoders::byte_level::decode(&self.vocab, ids, &mut out),
            Pipeline::Bert { decoder, .. } => {
                let tokens = ids.iter().filter_map(|&id| std::str::from_utf8(self.vocab.token(id)?).ok());
                out = decoder.decode(tokens).into_bytes();
            }
        }
        Ok(out)
    }

    /// The text that `ids` stand for; bytes that are not UTF-8 become U+FFFD.
    pub fn decode(&self, ids: &[Id], skip_special_tokens: bool) -> Result<String, DecodeError> {
        let bytes = self.decode_bytes(ids, skip_special_tokens)?;
        Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }
}

/// Runs `work` on as many threads as asked for; 0 means all cores.
fn in_parallel<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    if threads == 0 {
        return work();
    }
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        // The system gives no more threads: the answer matters, not how many compute it.
        Err(_) => work(),
    }
}
