//! What a tokenizer is built from: data that every format maps to and from.
//!
//! The stages around the model are held as they run, for they are little more than their settings; a model is held as its
//! vocabulary and merges, before any table is made.

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::added_tokens::{AddedToken, AddedTokens};
use crate::byte_alphabet;
use crate::call;
use crate::decoders::Decoder;
use crate::error::{LoadError, Place};
use crate::fast::FastPath;
use crate::fast::by_split_points::BySplitPoints;
use crate::fast::byte_level::{ByteLevel as ByteLevelPath, ByteLevelBpe, Rules};
use crate::fast::unigram::UnigramByWords;
use crate::fast::wordpiece::WordPiecePath;
use crate::ids::Id;
use crate::models::bpe::merges::{LIMIT, Merges};
use crate::models::bpe::{self, ByteBpe, KnownPair, WholeTokens, merges_from_ranks};
use crate::models::trie::Trie;
use crate::models::unigram::{self, Unigram};
use crate::models::wordlevel::WordLevel;
use crate::models::wordpiece::{self, WordPiece};
use crate::models::{Model, Unknown, bpe::characters};
use crate::normalizers::Normalizer;
use crate::normalizers::forms::Form;
use crate::padding::Padding;
use crate::postprocessors::Postprocessor;
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::byte_level::ByteLevel;
use crate::pretokenizers::scanners::{Pattern, deepseek};
use crate::split_points;
use crate::stages::Stages;
use crate::tokenizer::{Parts, Tokenizer};
use crate::truncation::Truncation;
use crate::vocab::{InsertError, Kind, Vocab};

use super::sentencepiece::{Built, SentencePieceModel};
use super::tokenizer_json::json::IgnoredField;

/// A tokenizer as data.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// How the file truncates texts. Kept and written; encoding truncates only when asked.
    pub truncation: Option<Truncation>,
    /// How the file pads texts, likewise.
    pub padding: Option<Padding>,
    /// Tokens beside the model's vocabulary, or marked in it.
    pub added_tokens: Vec<AddedToken>,
    /// What changes the text.
    pub normalizer: Option<Normalizer>,
    /// What splits it.
    pub pretokenizer: Option<Pretokenizer>,
    /// What makes tokens of the pretokens.
    pub model: ModelDefinition,
    /// What is put around the tokens.
    pub postprocessor: Option<Postprocessor>,
    /// How tokens become text again; `None` puts spaces between them.
    pub decoder: Option<Decoder>,
    /// Fields of the file that have no effect, as in the reference. They are not written.
    pub ignored_fields: Vec<IgnoredField>,
    /// What to know of how the file was read, a sentence: what could not be verified, which of several meanings was taken.
    pub note: Option<String>,
}

/// The model as data.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ModelDefinition {
    /// A rank file: tokens are bytes, ids are ranks. The pretokenizer leaves text; its bytes are not spelled.
    Ranks {
        /// Tokens by rank.
        vocab: Vocab,
    },
    /// Byte-pair encoding over characters; of a byte-level tokenizer those of the byte alphabet.
    Bpe {
        /// Tokens as the file spells them.
        vocab: Vocab,
        /// Left, right and what they make, by rank.
        merges: Vec<[Id; 3]>,
        /// How characters become symbols.
        settings: characters::Settings,
    },
    /// The most probable segmentation.
    Unigram {
        /// Tokens as the file spells them; some files have one twice.
        vocab: Vocab,
        /// Natural logarithms of their probabilities, by id.
        scores: Vec<f64>,
        /// The unknown token, and whether bytes stand in for it.
        settings: unigram::Settings,
    },
    /// Whole pretokens.
    WordLevel {
        /// Tokens as the file spells them.
        vocab: Vocab,
        /// The token for all others.
        unknown: Unknown,
    },
    /// Greedy longest match.
    WordPiece {
        /// Tokens as the file spells them.
        vocab: Vocab,
        /// The unknown token, the prefix inside of words, the longest word.
        settings: wordpiece::Settings,
    },
    /// A `.model` of SentencePiece, whose normalizer and decoder are a part of it.
    SentencePiece(Box<SentencePieceModel>),
}

impl ModelDefinition {
    /// The tokens.
    pub(crate) fn vocab(&self) -> &Vocab {
        match self {
            Self::Ranks { vocab }
            | Self::Bpe { vocab, .. }
            | Self::Unigram { vocab, .. }
            | Self::WordLevel { vocab, .. }
            | Self::WordPiece { vocab, .. } => vocab,
            Self::SentencePiece(model) => &model.vocab,
        }
    }
}

impl Definition {
    /// Whether a stage runs a regular expression that no scanner knows. Its steps are limited, but at a high number.
    pub fn runs_regex(&self) -> bool {
        self.normalizer.as_ref().is_some_and(Normalizer::runs_regex)
            || self.pretokenizer.as_ref().is_some_and(Pretokenizer::runs_regex)
            || self.decoder.as_ref().is_some_and(Decoder::runs_regex)
    }

    /// The model alone.
    pub fn new(model: ModelDefinition) -> Self {
        Self {
            truncation: None,
            padding: None,
            added_tokens: vec![],
            normalizer: None,
            pretokenizer: None,
            model,
            postprocessor: None,
            decoder: None,
            ignored_fields: vec![],
            note: None,
        }
    }

    /// Builds the tokenizer, with a fast path if there is one for its stages. `file` is named in errors.
    ///
    /// Errors: bytes that are no token (byte-level models need all 256), ids too large for the merge table, added tokens
    /// whose id or spelling is another token's.
    pub fn build(self, file: &str) -> Result<Tokenizer, LoadError> {
        self.build_with_pairs(file, &|_| None)
    }

    /// The same where pairs are known that make the tokens of a rank file. Of other models they are not asked for.
    ///
    /// Errors: as [`Self::build`].
    pub fn build_with_pairs(self, file: &str, known: KnownPair<'_>) -> Result<Tokenizer, LoadError> {
        // A tokenizer outlives the call that builds it: its tables must be whole if the call is cancelled.
        let _whole = call::enter(None);
        if let Some((pattern, bytes)) = self.over_bytes(file, known)? {
            return self.byte_level(file, pattern, bytes);
        }
        let byte_level = self.normalized_byte_level(file, known)?;
        let merges = byte_level.as_ref().map(|path| Arc::clone(path.fused.bpe().merges()));
        let mut parts = self.stages(file, merges)?;
        let stages = &parts.stages;
        let white_space = parts.white_space.as_ref();
        // A pass that does not keep the normalized text cannot look for tokens in it. Segments between split points need no
        // expression.
        let keeps = |path: &ByteLevelPath| {
            (stages.normalizer.is_none() || !parts.added.has_normalized())
                && !(white_space.is_some_and(|it| !it.carries_sums) && path.split.is_some())
        };
        let by_words =
            || UnigramByWords::new(stages, &parts.added, white_space?).filter(|_| !parts.added.has_normalized());
        let split_points = || white_space.filter(|it| !it.carries_sums);
        let by_split_points = || Some(BySplitPoints::new(stages, &parts.added, Arc::clone(split_points()?)));
        let stays_small = stages.normalizer.as_ref().is_none_or(Normalizer::stays_small);
        parts.fast = if !stays_small {
            None
        } else if let Some(path) = byte_level.filter(keeps) {
            Some(FastPath::ByteLevel(Box::new(path)))
        } else if let Some(path) = WordPiecePath::new(stages).filter(|_| !parts.added.has_normalized()) {
            Some(FastPath::WordPiece(Box::new(path)))
        } else if let Some(path) = by_words() {
            Some(FastPath::UnigramByWords(Box::new(path)))
        } else {
            by_split_points().map(|path| FastPath::BySplitPoints(Box::new(path)))
        };
        Ok(Tokenizer::new(parts))
    }

    /// The same without a fast path: slower, and what fast paths are tested against. Byte-level models work on characters
    /// of the byte alphabet.
    ///
    /// Errors: as [`Self::build`].
    pub fn build_without_fast_path(self, file: &str) -> Result<Tokenizer, LoadError> {
        let _whole = call::enter(None);
        self.stages(file, None).map(Tokenizer::new)
    }

    /// `merges` is the table of the merges, if there is one already.
    fn stages(self, file: &str, merges: Option<Arc<Merges>>) -> Result<Parts, LoadError> {
        let Self { added_tokens, normalizer, mut pretokenizer, model, postprocessor, decoder, .. } = self;
        let (mut vocab, model) = match model {
            ModelDefinition::Ranks { vocab } => {
                let byte_ids = byte_ids_of_ranks(file, &vocab)?;
                let merges = merges.unwrap_or_else(|| merges_from_ranks(&vocab, &byte_ids).into());
                let spelled = spelled_in_alphabet(file, &vocab)?;
                let bytes = Pretokenizer::ByteLevel(ByteLevel::ALONE);
                pretokenizer = Some(pretokenizer.map_or(bytes, Pretokenizer::then_bytes));
                let settings = characters::Settings { ignore_merges: true, ..characters::Settings::default() };
                (spelled.clone(), Model::Bpe(characters::Bpe::new(spelled, merges, settings)))
            }
            ModelDefinition::SentencePiece(model) => {
                return sentencepiece(file, *model, added_tokens, postprocessor);
            }
            ModelDefinition::Bpe { vocab, merges: pairs, settings } => {
                let merges = merges.map_or_else(|| merge_table(file, &vocab, &pairs).map(Arc::new), Ok)?;
                (vocab.clone(), Model::Bpe(characters::Bpe::new(vocab, merges, settings)))
            }
            ModelDefinition::Unigram { vocab, scores, settings } => {
                check_room(file, &vocab)?;
                (vocab.clone(), Model::Unigram(Box::new(Unigram::new(vocab, scores, settings))))
            }
            ModelDefinition::WordLevel { vocab, unknown } => {
                (vocab.clone(), Model::WordLevel(WordLevel::new(vocab, unknown)))
            }
            ModelDefinition::WordPiece { vocab, settings } => {
                check_room(file, &vocab)?;
                let model = Model::WordPiece(Arc::new(WordPiece::new(&vocab, settings)));
                (vocab, model)
            }
        };
        let added = add_tokens(file, &mut vocab, added_tokens, normalizer.as_ref())?;
        let stages = Arc::new(Stages { normalizer, pretokenizer, model });
        Ok(without_fast_path(vocab, stages, added, postprocessor, decoder))
    }

    /// The tokenizer whose stages are a pattern and merges of bytes.
    fn byte_level(self, file: &str, pattern: Pattern, bytes: OverBytes) -> Result<Tokenizer, LoadError> {
        let OverBytes { mut vocab, bpe, outside_alphabet } = bytes;
        let added = add_tokens(file, &mut vocab, self.added_tokens, None)?;
        let (vocab, bpe) = (Arc::new(vocab), Arc::new(bpe));
        let model = Model::ByteBpe(ByteBpe::new(Arc::clone(&bpe), Arc::clone(&vocab)));
        let stages = Stages { normalizer: None, pretokenizer: Some(Pretokenizer::Pattern(pattern)), model };
        let path = ByteLevelPath {
            form: None,
            add_prefix_space: false,
            vocab: Arc::clone(&vocab),
            fused: ByteLevelBpe::new(bpe, pattern),
            split: None,
        };
        Ok(Tokenizer::new(Parts {
            vocab,
            outside_alphabet,
            added,
            stages: Arc::new(stages),
            white_space: None,
            fast: Some(FastPath::ByteLevel(Box::new(path))),
            postprocessor: self.postprocessor,
            decoder: self.decoder,
        }))
    }

    /// The pass over bytes with what goes before it, where the stages are no more than that.
    fn normalized_byte_level(&self, file: &str, known: KnownPair<'_>) -> Result<Option<ByteLevelPath>, LoadError> {
        let Some(form) = only_form(self.normalizer.as_ref()) else { return Ok(None) };
        let Some(pretokenizer) = &self.pretokenizer else { return Ok(None) };
        let spelled = matches!(self.model, ModelDefinition::Bpe { .. });
        let (rules, split, add_prefix_space) = match &pretokenizer.steps()[..] {
            [Pretokenizer::ByteLevel(bytes)] if bytes.add_prefix_space && bytes.use_regex && form.is_none() => {
                (Rules::Pattern(Pattern::R50k), None, true)
            }
            steps if deepseek::are_splits(steps) && are_bytes_alone(&steps[deepseek::REGEXES.len()..], spelled) => {
                (Rules::Deepseek, None, false)
            }
            steps => match (pattern_before_bytes(pretokenizer), steps) {
                (Some(pattern), _) => (pattern.into(), None, false),
                (None, [Pretokenizer::Split(split), rest @ ..]) if are_bytes_alone(rest, spelled) => {
                    (Rules::Pattern(Pattern::R50k), Some(split.clone()), false)
                }
                _ => return Ok(None),
            },
        };
        let (bytes, bpe) = match &self.model {
            ModelDefinition::Bpe { vocab, merges, settings } if is_byte_level(settings) => {
                let Some(bytes) = spelled_bytes(vocab) else { return Ok(None) };
                let Some(byte_ids) = byte_ids(&bytes) else { return Ok(None) };
                let whole_tokens = if settings.ignore_merges { WholeTokens::Always } else { WholeTokens::IfMerged };
                let bpe = bpe::Bpe::new(&bytes, byte_ids, merge_table(file, vocab, merges)?, whole_tokens);
                (bytes, bpe)
            }
            ModelDefinition::Ranks { vocab } => {
                let byte_ids = byte_ids_of_ranks(file, vocab)?;
                (vocab.clone(), bpe::Bpe::from_ranks(vocab, byte_ids, known))
            }
            _ => return Ok(None),
        };
        let fused = ByteLevelBpe::new(bpe, rules);
        Ok(Some(ByteLevelPath { form, add_prefix_space, vocab: Arc::new(bytes), fused, split }))
    }

    /// The vocabulary and the model over bytes, and the pattern before them, if the stages are no more than that.
    fn over_bytes(&self, file: &str, known: KnownPair<'_>) -> Result<Option<(Pattern, OverBytes)>, LoadError> {
        if self.normalizer.is_some() || self.decoder != Some(Decoder::ByteLevel) {
            return Ok(None);
        }
        let Some(pretokenizer) = &self.pretokenizer else { return Ok(None) };
        match &self.model {
            ModelDefinition::Bpe { vocab, merges, settings } if is_byte_level(settings) => {
                let Some(pattern) = pattern_before_bytes(pretokenizer) else { return Ok(None) };
                let Some((vocab, outside_alphabet)) = spelled_out(vocab) else { return Ok(None) };
                let Some(byte_ids) = byte_ids(&vocab) else { return Ok(None) };
                if !self.added_tokens.iter().all(|token| has_place(&vocab, token)) {
                    return Ok(None);
                }
                let whole_tokens = if settings.ignore_merges { WholeTokens::Always } else { WholeTokens::IfMerged };
                let bpe = bpe::Bpe::new(&vocab, byte_ids, merge_table(file, &vocab, merges)?, whole_tokens);
                Ok(Some((pattern, OverBytes { vocab, bpe, outside_alphabet })))
            }
            ModelDefinition::Ranks { vocab } => {
                let pattern = match pretokenizer {
                    Pretokenizer::Pattern(pattern) => Some(*pattern),
                    Pretokenizer::Split(split) => split.scanner(),
                    _ => None,
                };
                let Some(pattern) = pattern else { return Ok(None) };
                let bpe = bpe::Bpe::from_ranks(vocab, byte_ids_of_ranks(file, vocab)?, known);
                let outside_alphabet = FxHashSet::default();
                Ok(Some((pattern, OverBytes { vocab: vocab.clone(), bpe, outside_alphabet })))
            }
            _ => Ok(None),
        }
    }
}

/// A model over bytes.
struct OverBytes {
    /// Tokens as bytes.
    vocab: Vocab,
    bpe: bpe::Bpe,
    /// Tokens that the byte alphabet cannot spell.
    outside_alphabet: FxHashSet<Id>,
}

/// The longest token of a rank file, in bytes: finding the merge that makes it takes time by the square of that. Those in
/// use have 128 at most.
const LONGEST: usize = 4096;

/// The tokens of single bytes of a rank file.
///
/// Errors: ids or tokens that are too large for a model; a byte that is no token.
fn byte_ids_of_ranks(file: &str, vocab: &Vocab) -> Result<[Id; 256], LoadError> {
    check_ids(file, vocab)?;
    if let Some((id, token)) = vocab.iter().find(|(_, token)| token.len() > LONGEST) {
        let problem = format!("the token of rank {id} has {} bytes, tokens may have {LONGEST}", token.len());
        return Err(LoadError::new(file, Place::File, problem));
    }
    byte_ids(vocab).ok_or_else(|| {
        let missing = (0..=255u8).find(|&byte| vocab.id(&[byte]).is_none()).unwrap_or_default();
        LoadError::new(file, Place::File, format!("no token for the single byte 0x{missing:02X}"))
            .hint("a byte-level vocabulary holds all 256 bytes; is the file complete?")
    })
}

/// The vocabulary of a rank file as the byte alphabet spells it.
fn spelled_in_alphabet(file: &str, vocab: &Vocab) -> Result<Vocab, LoadError> {
    let spelled = vocab.iter().map(|(id, token)| (id, byte_alphabet::from_bytes(token)));
    Vocab::of(vocab.len(), spelled)
        .map_err(|(id, refused)| LoadError::new(file, Place::File, format!("the token of rank {id}: {refused}")))
}

/// The parts of the tokenizer of a SentencePiece model. Its control tokens are special, but no text spells them.
fn sentencepiece(
    file: &str,
    model: SentencePieceModel,
    added_tokens: Vec<AddedToken>,
    postprocessor: Option<Postprocessor>,
) -> Result<Parts, LoadError> {
    let Built { normalizer, model: algorithm, decoder } = model.build(file)?;
    let spelled = |id: Id| String::from_utf8_lossy(model.vocab.token(id).unwrap_or_default()).into_owned();
    let is_special = |kind: &Kind| matches!(kind, Kind::Control | Kind::Unknown);
    let special = model
        .kinds
        .iter()
        .zip(0..)
        .filter(|(kind, id)| is_special(kind) && added_tokens.iter().all(|token| token.id != *id));
    let special: Vec<_> = special.map(|(_, id)| AddedToken::special(spelled(id), id)).collect();
    let mut vocab = model.vocab;
    let added = add_tokens(file, &mut vocab, added_tokens, None)?.before_normalizer().with_unspelled(special);
    let normalizer = Some(Normalizer::SentencePiece(Box::new(normalizer)));
    let stages = Arc::new(Stages { normalizer, pretokenizer: None, model: algorithm });
    let decoder = Some(Decoder::SentencePiece(Box::new(decoder)));
    Ok(without_fast_path(vocab, stages, added, postprocessor, decoder))
}

/// A tokenizer that is its stages alone.
fn without_fast_path(
    vocab: Vocab,
    stages: Arc<Stages>,
    added: AddedTokens,
    postprocessor: Option<Postprocessor>,
    decoder: Option<Decoder>,
) -> Parts {
    Parts {
        vocab: Arc::new(vocab),
        outside_alphabet: FxHashSet::default(),
        white_space: split_points::at_white_space(&stages, &added),
        added,
        stages,
        fast: None,
        postprocessor,
        decoder,
    }
}

/// Puts the added tokens into the vocabulary, those that are not there yet.
fn add_tokens(
    file: &str,
    vocab: &mut Vocab,
    tokens: Vec<AddedToken>,
    normalizer: Option<&Normalizer>,
) -> Result<AddedTokens, LoadError> {
    for AddedToken { content, id, .. } in &tokens {
        match vocab.insert(*id, content.as_bytes()) {
            Ok(()) => {}
            // In the vocabulary already, under this very id.
            Err(InsertError::IdTaken(_)) if vocab.token(*id) == Some(content.as_bytes()) => {}
            Err(refused) => {
                let problem = format!("added token {content:?} with id {id}: {refused}");
                return Err(LoadError::new(file, Place::File, problem).hint("do the added tokens belong to this file?"));
            }
        }
    }
    Ok(AddedTokens::new(tokens, normalizer))
}

/// The pattern that splits the text before its bytes are spelled, where that is all the pretokenizer does.
pub(super) fn pattern_before_bytes(pretokenizer: &Pretokenizer) -> Option<Pattern> {
    let bytes_only = |use_regex| move |it: &ByteLevel| it.use_regex == use_regex && !it.add_prefix_space;
    match &pretokenizer.steps()[..] {
        [Pretokenizer::ByteLevel(bytes)] if bytes_only(true)(bytes) => Some(Pattern::R50k),
        [Pretokenizer::Pattern(pattern), Pretokenizer::ByteLevel(bytes)] if bytes_only(false)(bytes) => Some(*pattern),
        [Pretokenizer::Split(split), Pretokenizer::ByteLevel(bytes)] if bytes_only(false)(bytes) => split.scanner(),
        _ => None,
    }
}

/// Whether what follows the splits spells bytes and does nothing else; to a model that is not `spelled` nothing follows.
fn are_bytes_alone(steps: &[&Pretokenizer], spelled: bool) -> bool {
    match steps {
        [] => !spelled,
        [Pretokenizer::ByteLevel(bytes)] => spelled && !bytes.use_regex && !bytes.add_prefix_space,
        _ => false,
    }
}

/// Whether symbols are single characters of the alphabet, none of which is unknown.
pub(super) fn is_byte_level(settings: &characters::Settings) -> bool {
    settings.continuing_subword_prefix.is_empty()
        && settings.end_of_word_suffix.is_empty()
        && !settings.byte_fallback
        && settings.dropout.is_none_or(|dropout| dropout == 0.0)
}

/// The vocabulary with the bytes that the alphabet spells, and the tokens that it cannot spell, which stay as they are.
/// Returns `None` if two tokens would be the same.
pub(super) fn spelled_out(vocab: &Vocab) -> Option<(Vocab, FxHashSet<Id>)> {
    let mut outside = FxHashSet::default();
    let tokens = vocab.iter().map(|(id, token)| {
        let spelled = spelled(token);
        outside.extend(spelled.is_none().then_some(id));
        (id, spelled.map_or(Cow::Borrowed(token), Cow::Owned))
    });
    let bytes = Vocab::of(vocab.len(), tokens).ok()?;
    Some((bytes, outside))
}

/// The tokens that the alphabet spells, as bytes; `None` where two would be the same.
fn spelled_bytes(vocab: &Vocab) -> Option<Vocab> {
    // No text becomes one that the alphabet does not spell.
    Vocab::of(vocab.len(), vocab.iter().filter_map(|(id, token)| Some((id, spelled(token)?)))).ok()
}

/// The bytes that the alphabet spells so, if it does.
fn spelled(token: &[u8]) -> Option<Vec<u8>> {
    std::str::from_utf8(token).ok().and_then(byte_alphabet::to_bytes)
}

/// The one form that a normalizer brings texts into, `Some(None)` where it does nothing; `None` where it does anything else.
fn only_form(normalizer: Option<&Normalizer>) -> Option<Option<Form>> {
    match normalizer {
        None => Some(None),
        Some(Normalizer::Form(form)) => Some(Some(*form)),
        Some(Normalizer::Sequence(all)) => match &all[..] {
            [] => Some(None),
            [one] => only_form(Some(one)),
            _ => None,
        },
        Some(_) => None,
    }
}

/// Whether an added token is in the vocabulary as it is spelled in texts, or can be put in.
fn has_place(vocab: &Vocab, token: &AddedToken) -> bool {
    let content = token.content.as_bytes();
    vocab.token(token.id).map_or_else(|| vocab.id(content).is_none(), |known| known == content)
}

/// Ids of the single bytes, where the vocabulary has them all.
pub(super) fn byte_ids(vocab: &Vocab) -> Option<[Id; 256]> {
    let mut ids = [0; 256];
    for (byte, id) in ids.iter_mut().enumerate() {
        *id = vocab.id(&[byte as u8])?;
    }
    Some(ids)
}

fn check_ids(file: &str, vocab: &Vocab) -> Result<(), LoadError> {
    if vocab.id_bound() < LIMIT {
        return Ok(());
    }
    let problem = format!("the largest id is {}, ids must be below {}", vocab.id_bound() - 1, LIMIT - 1);
    Err(LoadError::new(file, Place::File, problem))
}

fn check_room(file: &str, vocab: &Vocab) -> Result<(), LoadError> {
    if Trie::has_room(vocab.iter().map(|(_, token)| token).collect()) {
        return Ok(());
    }
    let problem =
        "the tokens are too many or too long: what they do not share of their beginnings is over 4 million bytes";
    Err(LoadError::new(file, Place::File, problem))
}

fn merge_table(file: &str, vocab: &Vocab, pairs: &[[Id; 3]]) -> Result<Merges, LoadError> {
    check_ids(file, vocab)?;
    if pairs.len() >= LIMIT {
        let problem = format!("{} merges, must be fewer than {LIMIT}", pairs.len());
        return Err(LoadError::new(file, Place::File, problem));
    }
    Ok(Merges::of(pairs))
}
