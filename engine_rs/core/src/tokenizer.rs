//! A tokenizer: its stages, and optionally a fast path to their tokens.
//!
//! Not here: the order of the stages ([`crate::stages`]).

mod bytes;
#[cfg(feature = "fs")]
pub mod file;
#[cfg(feature = "fs")]
pub mod id_file;
mod scratch;
mod shares;
mod spelling;
mod token_lengths;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashSet;

use crate::added_tokens::{AddedToken, AddedTokens, Specials};
use crate::byte_alphabet;
use crate::call;
use crate::decoders::sentencepiece::{self, SentencePieceDecoder};
use crate::decoders::{self, Decoder};
use crate::encoding::{self, Columns, Encoding, IdsAndEnds, Sink, flags, room_for};
use crate::error::{DecodeError, EncodeError};
use crate::fast::{self, FastPath};
use crate::ids::Id;
use crate::models::Model;
use crate::models::bpe::scored::Symbols;
use crate::normalizers::Normalizer;
use crate::offsets::Span;
use crate::parallel;
use crate::postprocessors::{self, Postprocessor};
use crate::split_points::white_space::WhiteSpace;
use crate::stages::{Observe, Stages, Start};
use crate::truncation::Truncation;
use crate::vocab::{Kind, Vocab};
#[cfg(test)]
pub(crate) use scratch::MAX_IDLE_BYTES;
use scratch::{Pool, Scratch};
use shares::Joined;
use spelling::Spelling;
use token_lengths::TokenLengths;

/// What a tokenizer is put together from.
pub struct Parts {
    /// All tokens, added ones among them: bytes if the model is BPE over bytes, else as the file spells them.
    pub(crate) vocab: Arc<Vocab>,
    /// Tokens of a vocabulary of bytes that are kept as their file spells them, because the byte alphabet lacks one of
    /// their characters. No text becomes one.
    pub(crate) outside_alphabet: FxHashSet<Id>,
    /// The added tokens.
    pub added: AddedTokens,
    /// From text to tokens.
    pub(crate) stages: Arc<Stages>,
    /// Where texts can be split at white space, as far as that is known.
    pub white_space: Option<Arc<WhiteSpace>>,
    /// A quicker way to the tokens of the stages, which only encoding uses.
    pub(crate) fast: Option<FastPath>,
    /// What is put around the tokens.
    pub postprocessor: Option<Postprocessor>,
    /// How tokens become text again; `None` puts spaces between them.
    pub decoder: Option<Decoder>,
}

/// Encodes texts and decodes ids. Shared between threads as it is.
pub struct Tokenizer {
    parts: Parts,
    spelling: Spelling,
    scratch: Pool,
    /// `None` if ids do not say where tokens end.
    lengths: OnceLock<Option<TokenLengths>>,
}

/// How to encode a text.
#[derive(Clone, Copy, Debug)]
pub struct EncodeOptions {
    /// Whether the postprocessor adds its tokens.
    pub add_special_tokens: bool,
    /// What text that spells a special token is.
    pub specials: Specials,
    /// How far texts are truncated, the tokens of the postprocessor counted.
    pub truncation: Option<Truncation>,
    /// Whether what is dropped is kept, in [`Encoding::overflowing`].
    pub keep_overflow: bool,
}

impl Default for EncodeOptions {
    fn default() -> Self {
        Self { add_special_tokens: true, specials: Specials::Parse, truncation: None, keep_overflow: true }
    }
}

/// Ids of texts of up to so many bytes are copied into memory of just their size: the room that is made for them is not kept.
const COPIED_BYTES: usize = 1 << 16;

/// Id lists of several texts, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RaggedIds {
    /// All ids.
    pub ids: Vec<Id>,
    /// Where each text's ids start, and where the last ones end: one more than there are texts.
    pub row_starts: Vec<u64>,
}

impl RaggedIds {
    /// Without texts, and with room for some texts and ids.
    fn with_capacity(texts: usize, ids: usize) -> Self {
        let mut row_starts = Vec::with_capacity(texts + 1);
        row_starts.push(0);
        Self { ids: Vec::with_capacity(ids), row_starts }
    }

    /// All ids so far belong to the texts so far.
    fn end_row(&mut self) {
        self.row_starts.push(self.ids.len() as u64);
    }

    /// Drops all texts and keeps the room.
    fn clear(&mut self) {
        self.ids.clear();
        self.row_starts.truncate(1);
    }

    fn append(&mut self, other: &Self) {
        let before = self.ids.len() as u64;
        self.ids.extend_from_slice(&other.ids);
        self.row_starts.extend(other.row_starts[1..].iter().map(|start| before + start));
    }
}

impl Tokenizer {
    /// Puts the stages together.
    pub(crate) fn new(parts: Parts) -> Self {
        Self { spelling: Spelling::of(&parts), parts, scratch: Pool::default(), lengths: OnceLock::new() }
    }

    /// All tokens, as the pipeline spells them; [`Self::token_bytes`] is what they stand for.
    pub fn vocab(&self) -> &Vocab {
        &self.parts.vocab
    }

    /// Number of tokens without the special ones.
    pub fn base_vocab_size(&self) -> usize {
        self.vocab().len() - self.added_tokens().iter().filter(|token| token.special).count()
    }

    /// Added tokens, special or not.
    pub fn added_tokens(&self) -> &[AddedToken] {
        self.parts.added.tokens()
    }

    /// The bytes of text that a token stands for, which need not be those it is spelled with: ` the` for `▁the`. Special
    /// and other added tokens stand for their spelling.
    pub fn token_bytes(&self, id: Id) -> Option<Cow<'_, [u8]>> {
        let token = self.vocab().token(id)?;
        Some(if spelling::is_spelled(&self.parts, id) { self.spelling.bytes_of(token) } else { token.into() })
    }

    /// A token that stands for these bytes, the inverse of [`Self::token_bytes`]; the spelling in the file finds it, too.
    pub fn id_of(&self, token: &[u8]) -> Option<Id> {
        self.spelling.of_bytes(token).find_map(|spelled| self.vocab().id(&spelled))
    }

    /// The token for what the model does not know, where it has one.
    pub fn unknown_id(&self) -> Option<Id> {
        self.model().unknown()
    }

    /// Rank of the merge that makes a token, where one does.
    pub fn rank(&self, id: Id) -> Option<u32> {
        self.model().rank(id)
    }

    /// Natural logarithm of a token's probability, in a Unigram vocabulary.
    pub fn score(&self, id: Id) -> Option<f64> {
        self.model().score(id)
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.parts.stages.model
    }

    /// Name of the kind of model, such as "byte-level BPE" or "Unigram".
    pub fn model_name(&self) -> &'static str {
        match self.model() {
            Model::ByteBpe(_) => "byte-level BPE",
            Model::Bpe(_) if self.parts.decoder == Some(Decoder::ByteLevel) => "byte-level BPE",
            Model::Bpe(bpe) => match bpe.symbols_of_model() {
                Some(Symbols::Words) => "WordLevel",
                Some(Symbols::Characters) => "Character",
                Some(Symbols::Merging) | None => "BPE",
            },
            Model::Unigram(_) => "Unigram",
            Model::WordLevel(_) => "WordLevel",
            Model::WordPiece(_) => "WordPiece",
        }
    }

    /// The stages, for those who describe or observe them. A fast path is not visible here.
    #[doc(hidden)]
    pub fn as_stages(&self) -> &Stages {
        &self.parts.stages
    }

    /// From text to tokens, for those who describe it.
    #[doc(hidden)]
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Encodes a text, or a pair of texts, with all that is known of the tokens.
    ///
    /// Errors: the call was cancelled ([`crate::call`]); a special token in a text where `specials` says to refuse it; a text of 4 GiB or more; a truncation that is
    /// not possible.
    pub fn encode(&self, text: &str, pair: Option<&str>, options: EncodeOptions) -> Result<Encoding, EncodeError> {
        let room = options.truncation.map(|truncation| truncation.with_room(self.added(pair.is_some(), options)));
        let truncation = room.transpose()?;
        let mut first = Encoding::default();
        self.encode_into(text, options.specials, &mut first)?;
        first.belong_to(0);
        let mut second = pair.map(|_| Encoding::default());
        if let (Some(pair), Some(second)) = (pair, &mut second) {
            self.encode_into(pair, options.specials, second)?;
            second.belong_to(1);
        }
        if let Some(truncation) = truncation {
            truncation.truncate(&mut first, second.as_mut(), options.keep_overflow)?;
        }
        let mut texts: Vec<Encoding> = std::iter::once(first).chain(second).collect();
        texts = self.postprocess(texts, &[text, pair.unwrap_or_default()], options.add_special_tokens)?;
        self.join(texts)
    }

    /// One encoding of those that the postprocessor returned.
    fn join(&self, texts: Vec<Encoding>) -> Result<Encoding, EncodeError> {
        let mut encoding = postprocessors::join(texts)?;
        if let Some(unknown) = self.unknown_id() {
            encoding.mark_unknown(unknown);
        }
        Ok(encoding)
    }

    /// The last stage of [`Self::encode`] for one text without truncation; `encoding` has the tokens of the model.
    pub(crate) fn finish(
        &self,
        mut encoding: Encoding,
        text: &str,
        add_special_tokens: bool,
    ) -> Result<Encoding, EncodeError> {
        encoding.belong_to(0);
        self.join(self.postprocess(vec![encoding], &[text], add_special_tokens)?)
    }

    /// Encodes the part `span` of `text` as if it stood alone, nothing added, with spans in the whole text. Those are the
    /// tokens that the whole text has there where both ends of the part are split points
    /// ([`crate::split_points`]).
    ///
    /// Errors: as [`Self::encode_into`], with places in the whole text.
    pub fn encode_part(&self, text: &str, span: Span, specials: Specials) -> Result<Encoding, EncodeError> {
        let mut part = Encoding::default();
        let moved = |error: EncodeError| error.moved(span.start as usize);
        let start = if span.start == 0 { Start::OfText } else { Start::Inside };
        self.encode_from(&text[span.range()], start, specials, &mut part).map_err(moved)?;
        part.belong_to(0);
        for span_of_part in &mut part.spans {
            span_of_part.start += span.start;
            span_of_part.end += span.start;
        }
        // Stands for all that is before, so that no rule takes a token here for the first of the text.
        let mut encoding = Encoding::default();
        let before = usize::from(span.start > 0);
        (0..before).for_each(|_| encoding.push_from_postprocessor(0, 0));
        encoding.append(&part);
        let encoding = postprocessors::join(self.postprocess(vec![encoding], &[text], false)?)?;
        Ok(encoding.slice(before..encoding.len()))
    }

    /// What the postprocessor puts before a text and behind it; `None` where it does anything else, such as putting the text
    /// twice.
    pub fn around_text(&self, add_special_tokens: bool) -> Option<(Vec<Id>, Vec<Id>)> {
        let mut text = Encoding::default();
        text.begin_pretoken();
        text.push(0, Span::new(0, 1));
        text.belong_to(0);
        let all = postprocessors::join(self.postprocess(vec![text], &["x"], add_special_tokens).ok()?).ok()?;
        let own: Vec<_> = (0..all.len()).filter(|&at| all.flags[at] & flags::TEMPLATE == 0).collect();
        let &[own] = &own[..] else { return None };
        Some((all.ids[..own].to_vec(), all.ids[own + 1..].to_vec()))
    }

    fn postprocess(
        &self,
        encodings: Vec<Encoding>,
        texts: &[&str],
        add_special_tokens: bool,
    ) -> Result<Vec<Encoding>, EncodeError> {
        let Some(postprocessor) = &self.parts.postprocessor else { return Ok(encodings) };
        postprocessor.process(encodings, add_special_tokens, &|rule, encoding| {
            rule.trim(encoding, texts, |id| self.spaces(id));
        })
    }

    /// How many tokens the postprocessor adds.
    pub(crate) fn added(&self, pair: bool, options: EncodeOptions) -> usize {
        let postprocessor = self.parts.postprocessor.as_ref().filter(|_| options.add_special_tokens);
        postprocessor.map_or(0, |postprocessor| postprocessor.added(pair))
    }

    /// The white space that a token of the vocabulary is spelled with.
    fn spaces(&self, id: Id) -> encoding::Spaces {
        let token = self.vocab().token(id).unwrap_or_default();
        match self.model() {
            Model::ByteBpe(_) => encoding::Spaces::of(&byte_alphabet::from_bytes(token)),
            _ => encoding::Spaces::of(&String::from_utf8_lossy(token)),
        }
    }

    /// Runs the stages over a text for an observer.
    ///
    /// Errors: those of the stages and of the observer; a text of 4 GiB or more.
    #[doc(hidden)]
    pub fn observe(&self, text: &str, specials: Specials, observer: &mut impl Observe) -> Result<(), EncodeError> {
        self.check(text)?;
        let observed = self.parts.stages.run(&self.parts.added, specials).over(text, 0, observer);
        call::check()?;
        observed
    }

    /// Encodes several texts on so many threads, at most as many as there are cores; 0 means all cores. The order is that
    /// of the texts.
    ///
    /// Errors: as [`Self::encode`], of the first text that has one.
    pub fn encode_batch(
        &self,
        texts: &[(&str, Option<&str>)],
        options: EncodeOptions,
        threads: usize,
    ) -> Result<Vec<Encoding>, EncodeError> {
        parallel::map(texts.len(), threads, |at| {
            let (text, pair) = texts[at];
            self.encode(text, pair, options)
        })
    }

    /// Ids of a text, nothing added.
    pub fn encode_ids(&self, text: &str, specials: Specials) -> Result<Vec<Id>, EncodeError> {
        if text.len() <= COPIED_BYTES {
            return self.with_ids(text, specials, <[Id]>::to_vec);
        }
        let mut ids = Vec::with_capacity(room_for(text.len()));
        self.encode_into(text, specials, &mut ids)?;
        // The caller may keep them for long, and there is room for more than there are.
        ids.shrink_to_fit();
        Ok(ids)
    }

    /// Calls `take` with the ids of a text, nothing added, without allocating memory for them. For short texts: the memory
    /// that the ids take stays with the tokenizer.
    ///
    /// Errors: as [`Self::encode_ids`].
    pub fn with_ids<T>(&self, text: &str, specials: Specials, take: impl FnOnce(&[Id]) -> T) -> Result<T, EncodeError> {
        let mut scratch = self.scratch.lend(text.len());
        let Scratch { fast, ids } = &mut *scratch;
        ids.clear();
        self.encode_with(text, Start::OfText, specials, fast, ids)?;
        Ok(take(ids))
    }

    /// Bytes of the memory that is kept for the next call.
    #[cfg(test)]
    pub(crate) fn idle_bytes(&self) -> usize {
        self.scratch.idle_bytes()
    }

    /// Whether a short text takes microseconds, whatever it is: no stage runs a regular expression or searches.
    pub fn is_one_pass(&self) -> bool {
        self.parts.fast.as_ref().is_some_and(FastPath::is_one_pass)
    }

    /// Ids and ends of a text, nothing added, special tokens read as text.
    pub fn encode_with_ends(&self, text: &str) -> Result<IdsAndEnds, EncodeError> {
        if let Some(lengths) = self.lengths() {
            let ids = self.encode_ids(text, Specials::Text)?;
            let ends = lengths.ends(&ids);
            debug_assert_eq!(ends.last().map_or(0, |&end| end as usize), text.len(), "tokens cover the text");
            return Ok(IdsAndEnds { ids, ends });
        }
        let mut out = Columns::with_capacity(room_for(text.len()));
        self.encode_into(text, Specials::Text, &mut out)?;
        Ok(out.into())
    }

    /// The lengths of tokens, if they cover every text without gaps and no token is added.
    fn lengths(&self) -> Option<&TokenLengths> {
        let Parts { added, fast, .. } = &self.parts;
        let of = || {
            let fast = fast.as_ref().filter(|_| added.finds_none(Specials::Text))?;
            TokenLengths::of(fast.vocab_without_gaps()?)
        };
        self.lengths.get_or_init(of).as_ref()
    }

    /// Ids of several texts in one list, nothing added; `threads` as in [`Self::encode_batch`].
    ///
    /// Errors: as [`Self::encode_into`], of the first text that has one.
    pub fn encode_ids_batch(
        &self,
        texts: &[&str],
        specials: Specials,
        threads: usize,
    ) -> Result<RaggedIds, EncodeError> {
        let room = |texts: &[&str]| {
            let bytes: usize = texts.iter().map(|text| text.len()).sum();
            RaggedIds::with_capacity(texts.len(), room_for(bytes))
        };
        let encode_rows = |texts: &[&str], mut rows: RaggedIds| {
            let mut scratch = self.scratch.lend(texts.iter().map(|text| text.len()).sum());
            for text in texts {
                self.encode_with(text, Start::OfText, specials, &mut scratch.fast, &mut rows.ids)?;
                rows.end_row();
            }
            Ok(rows)
        };
        let workers = parallel::workers(threads);
        // The caller may keep them for long, and there may be room for more than there are.
        let without_room = |mut rows: RaggedIds| {
            rows.ids.shrink_to_fit();
            rows
        };
        if workers == 1 || texts.len() < 2 {
            return encode_rows(texts, room(texts)).map(without_room);
        }
        let shares = shares::shares(texts, workers);
        let joined = Joined::new(room(texts));
        parallel::map(shares.len(), threads, |at| {
            let rows = joined.take_empty().unwrap_or_else(|| room(shares[at]));
            encode_rows(shares[at], rows).map(|rows| joined.put(at, rows))
        })?;
        Ok(without_room(joined.into_rows()))
    }

    /// Pushes the tokens of a text into `sink`, nothing added.
    #[doc(hidden)]
    pub fn encode_into<S: Sink>(&self, text: &str, specials: Specials, sink: &mut S) -> Result<(), EncodeError> {
        self.encode_from(text, Start::OfText, specials, sink)
    }

    fn encode_from<S: Sink>(
        &self,
        text: &str,
        start: Start,
        specials: Specials,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        self.encode_with(text, start, specials, &mut self.scratch.lend(text.len()).fast, sink)
    }

    fn encode_with<S: Sink>(
        &self,
        text: &str,
        start: Start,
        specials: Specials,
        scratch: &mut fast::Scratch,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        self.check(text)?;
        let Parts { added, stages, fast, .. } = &self.parts;
        let encoded = match fast {
            Some(fast) => fast.encode((stages, added), text, start, specials, scratch, sink),
            None => stages.encode_with(added, text, start, specials, scratch.model(), sink),
        };
        // Loops of a cancelled call end with whatever they have.
        call::check()?;
        encoded
    }

    /// Refuses a text that is too long for spans.
    ///
    /// Errors: a text of 4 GiB or more.
    pub fn check(&self, text: &str) -> Result<(), EncodeError> {
        if text.len() > u32::MAX as usize {
            return Err(EncodeError::TooLong { bytes: text.len() });
        }
        Ok(())
    }

    /// The bytes that `ids` stand for.
    ///
    /// Errors: an id that no token has; more bytes than a call may make; the call was cancelled.
    pub fn decode_bytes(&self, ids: &[Id], skip_special_tokens: bool) -> Result<Vec<u8>, DecodeError> {
        let bytes = self.bytes_of(ids)?;
        let vocab = self.vocab();
        let added = &self.parts.added;
        if matches!(self.model(), Model::ByteBpe(_)) {
            call::may_decode(bytes, ids.len())?;
            let kept = ids.iter().copied().filter(|&id| !(skip_special_tokens && added.is_left_out(id)));
            let mut out = Vec::with_capacity(ids.len() * 4);
            decoders::byte_level::decode(vocab, kept, &mut out);
            return Ok(out);
        }
        if let Some(decoder) = self.decoder_of_model() {
            return self.decode_by_kinds(decoder, ids, bytes, skip_special_tokens, false);
        }
        let spelled = |&id: &Id| match added.respelled(id) {
            Some(spelled) => spelled.to_owned(),
            None => String::from_utf8_lossy(vocab.token(id).unwrap_or_default()).into_owned(),
        };
        let kept = |token: &String| !(skip_special_tokens && added.spells_special(token));
        let tokens: Vec<String> = ids.iter().map(spelled).filter(kept).collect();
        Ok(match &self.parts.decoder {
            Some(Decoder::ByteLevel) => {
                call::may_decode(bytes, ids.len())?;
                return Ok(decoders::byte_level::bytes_of_spelled(&tokens));
            }
            Some(decoder) => decoder.decode(tokens)?.concat(),
            None => {
                call::may_decode(bytes, ids.len())?;
                tokens.join(" ")
            }
        }
        .into_bytes())
    }

    /// Checks that tokens can be spelled, one by one, by a caller who keeps no spelling. Ids without a token have none.
    ///
    /// Errors: tokens with more bytes than any call may make; the call was cancelled.
    pub fn check_spelling(&self, ids: &[Id]) -> Result<(), DecodeError> {
        call::check()?;
        let bytes = ids.iter().map(|&id| self.vocab().token(id).map_or(0, <[u8]>::len));
        call::check_decoded(bytes.fold(0, usize::saturating_add), ids.len())
    }

    /// The bytes of all tokens together.
    ///
    /// Errors: an id that no token has; more bytes than any call may make; the call was cancelled.
    fn bytes_of(&self, ids: &[Id]) -> Result<usize, DecodeError> {
        call::check()?;
        let vocab = self.vocab();
        let mut bytes: usize = 0;
        for (position, &id) in ids.iter().enumerate() {
            let token =
                vocab.token(id).ok_or_else(|| DecodeError::UnknownId { id, position, id_bound: vocab.id_bound() })?;
            bytes = bytes.saturating_add(token.len());
        }
        call::check_decoded(bytes, ids.len())?;
        Ok(bytes)
    }

    /// Decodes with the decoder of a SentencePiece model: ids whose tokens have so many bytes. `replace` as there.
    fn decode_by_kinds(
        &self,
        decoder: &SentencePieceDecoder,
        ids: &[Id],
        bytes: usize,
        skip_special_tokens: bool,
        replace: bool,
    ) -> Result<Vec<u8>, DecodeError> {
        let unknown = ids.iter().filter(|&&id| decoder.kind(id) == Kind::Unknown).count();
        let made = bytes.saturating_add(unknown.saturating_mul(decoder.unknown_surface.len()));
        call::may_decode(made, ids.len())?;
        let text = decoder.decode(self.vocab(), self.seen(ids, skip_special_tokens), replace);
        let Some(Normalizer::SentencePiece(normalizer)) = &self.parts.stages.normalizer else { return Ok(text) };
        let max = call::most_decoded(text.len());
        normalizer.denormalized(text, max).map_err(|_| call::decoded_too_long(max, ids.len()))
    }

    fn decoder_of_model(&self) -> Option<&SentencePieceDecoder> {
        if let Some(Decoder::SentencePiece(decoder)) = &self.parts.decoder { Some(decoder) } else { None }
    }

    /// What decoding a SentencePiece model sees: added tokens as they are spelled, control tokens when asked for.
    fn seen(&self, ids: &[Id], skip_special_tokens: bool) -> impl Iterator<Item = sentencepiece::Token> {
        let added = &self.parts.added;
        let plain: FxHashSet<Id> = added.tokens().iter().filter(|token| !token.special).map(|token| token.id).collect();
        ids.iter().map(move |&id| {
            if added.is_special(id) && Some(id) != self.unknown_id() {
                if skip_special_tokens { sentencepiece::Token::Nothing } else { sentencepiece::Token::Text(id) }
            } else if plain.contains(&id) {
                sentencepiece::Token::Text(id)
            } else {
                sentencepiece::Token::Of(id)
            }
        })
    }

    /// The text that `ids` stand for; bytes that are not UTF-8 become U+FFFD.
    pub fn decode(&self, ids: &[Id], skip_special_tokens: bool) -> Result<String, DecodeError> {
        let bytes = match self.decoder_of_model() {
            Some(decoder) => {
                let bytes = self.bytes_of(ids)?;
                self.decode_by_kinds(decoder, ids, bytes, skip_special_tokens, true)?
            }
            None => self.decode_bytes(ids, skip_special_tokens)?,
        };
        Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }
}
