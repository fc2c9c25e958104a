//! A model as the stages of a tokenizer.json, and such stages as a model.
//!
//! The document says special tokens with their spelling, so a text that spells a control piece is that piece there. Rules of
//! the normalizer are applied by grapheme cluster there, and scores summed with 64 bits: results differ in rare places.
//! What the document cannot say at all is an error.

use rustc_hash::FxHashMap;

use super::{Algorithm, Message, SentencePieceModel, numbers};
use crate::added_tokens::AddedToken;
use crate::decoders::Decoder;
use crate::error::SaveError;
use crate::formats::definition::{Definition, ModelDefinition};
use crate::ids::Id;
use crate::matching::{Expression, Matcher, Replace};
use crate::models::bpe::characters;
use crate::models::{Unknown, unigram};
use crate::normalizers::Normalizer;
use crate::normalizers::charsmap::Charsmap;
use crate::normalizers::sentencepiece::SPACE_MARK;
use crate::vocab::{Kind, Vocab};

const BPE: u64 = 2;

/// The stages that do what a model does.
///
/// Errors: word and character models, user-defined and unused pieces, spaces after words, rules for decoded text.
pub(crate) fn to_stages(model: &SentencePieceModel) -> Result<Definition, SaveError> {
    let refuse = |what: &str, problem: &str| Err(SaveError::new("tokenizer.json", what, problem));
    let named = |kind| model.kinds.iter().position(|&found| found == kind).map(|id| spelled(model, id as Id));
    if let Some(piece) = named(Kind::UserDefined) {
        return refuse(&format!("the user-defined piece {piece:?}"), "its normalizer cannot leave a text alone");
    }
    if let Some(piece) = named(Kind::Unused) {
        return refuse(&format!("the unused piece {piece:?}"), "it has none that are segmented again");
    }
    if model.trainer.as_ref().is_some_and(|trainer| trainer.switch(numbers::WHITESPACE_IS_SUFFIX, false)) {
        return refuse("spaces after words", "its marks stand before words");
    }
    let rules = |message: &Option<Message>| {
        let rules = message.as_ref().and_then(|message| message.bytes(numbers::CHARSMAP));
        let rules = rules.filter(|rules| !rules.is_empty()).map(Charsmap::new);
        rules.transpose().map_err(|problem| SaveError::new("tokenizer.json", "the rules of the normalizer", problem))
    };
    if rules(&model.denormalizer)?.is_some() {
        return refuse("rules for decoded text", "it has none");
    }
    let unknown = model.kinds.iter().position(|&kind| kind == Kind::Unknown).map(|id| id as Id);
    let byte_fallback = model.byte_fallback();
    let definition = match model.algorithm() {
        Algorithm::Word | Algorithm::Character => {
            return refuse("a word or character model", "it has none of the kind");
        }
        Algorithm::Unigram => ModelDefinition::Unigram {
            vocab: model.vocab.clone(),
            scores: model.scores.iter().map(|&score| f64::from(score)).collect(),
            settings: unigram::Settings { unknown, byte_fallback },
        },
        Algorithm::Bpe => ModelDefinition::Bpe {
            vocab: model.vocab.clone(),
            merges: merges(model)?,
            settings: characters::Settings {
                unknown: unknown.map(Unknown::Token),
                continuing_subword_prefix: String::new(),
                end_of_word_suffix: String::new(),
                fuse_unk: true,
                byte_fallback,
                ignore_merges: false,
                dropout: None,
            },
        },
    };
    let special = model.kinds.iter().zip(0..).filter(|(kind, _)| matches!(kind, Kind::Unknown | Kind::Control));
    let empty = Message::default();
    let spec = model.normalizer.as_ref().unwrap_or(&empty);
    if !spec.switch(numbers::ESCAPE_WHITESPACES, true) {
        return refuse("spaces that stay spaces", "its decoder takes them for marks");
    }
    let prefix = spec.switch(numbers::ADD_DUMMY_PREFIX, true);
    let mut normalizers: Vec<Normalizer> = rules(&model.normalizer)?.into_iter().map(Normalizer::Charsmap).collect();
    if spec.switch(numbers::REMOVE_EXTRA_WHITESPACES, true) {
        normalizers.extend([replace(regex("^ +| +$"), ""), replace(regex(" {2,}"), " ")]);
    }
    normalizers.extend(prefix.then(|| Normalizer::Prepend(SPACE_MARK.to_owned())));
    normalizers.push(replace(Expression::Text(" ".to_owned()), SPACE_MARK));
    Ok(Definition {
        added_tokens: special.map(|(_, id)| AddedToken::special(spelled(model, id), id)).collect(),
        normalizer: Some(Normalizer::Sequence(normalizers)),
        decoder: Some(decoder(prefix)),
        ..Definition::new(definition)
    })
}

/// The model that does what stages do, where they are those of [`to_stages`] without rules and without the removal of
/// spaces, as Llama's are.
///
/// Errors: all other stages.
pub(crate) fn from_stages(definition: &Definition) -> Result<SentencePieceModel, SaveError> {
    let refuse = |what: &str, problem: &str| SaveError::new("sentencepiece", what, problem);
    let prefix = match &definition.normalizer {
        Some(normalizer) if *normalizer == marks(true) => true,
        Some(normalizer) if *normalizer == marks(false) => false,
        _ => return Err(refuse("the normalizer", "it is not the one that puts a mark in the place of spaces")),
    };
    if definition.pretokenizer.is_some() {
        return Err(refuse("the pretokenizer", "a model sees the whole text"));
    }
    let mut model = SentencePieceModel::default();
    let (vocab, unknown, byte_fallback) = match &definition.model {
        ModelDefinition::Unigram { vocab, scores, settings } => {
            model.scores = scores.iter().map(|&score| score as f32).collect();
            (vocab, settings.unknown, settings.byte_fallback)
        }
        ModelDefinition::Bpe { vocab, merges, settings } => {
            let plain = characters::Settings {
                unknown: settings.unknown.clone(),
                byte_fallback: settings.byte_fallback,
                fuse_unk: settings.byte_fallback || settings.fuse_unk,
                ..plain_settings()
            };
            if *settings != plain {
                return Err(refuse(
                    "the settings of the merges",
                    "a model has no prefix, suffix, dropout or whole words, and unknown neighbours are one",
                ));
            }
            model.scores = scores_of(vocab, merges);
            (vocab, settings.unknown.as_ref().and_then(Unknown::id), settings.byte_fallback)
        }
        _ => return Err(refuse("the model", "it is not Unigram or BPE over characters")),
    };
    model.vocab = vocab.clone();
    if vocab.id_bound() != vocab.len() {
        return Err(refuse("ids with holes", "pieces are numbered without"));
    }
    model.kinds = vec![Kind::Normal; vocab.len()];
    for token in &definition.added_tokens {
        let kind = model.kinds.get_mut(token.id as usize).filter(|_| token.special);
        *kind.ok_or_else(|| {
            refuse(&format!("the added token {:?}", token.content), "a model has its own pieces alone")
        })? = Kind::Control;
    }
    let unknown = unknown.ok_or_else(|| refuse("a tokenizer without an unknown token", "a model must have one"))?;
    model.kinds[unknown as usize] = Kind::Unknown;
    if byte_fallback {
        for byte in 0..=255u8 {
            let id = vocab.id(characters::byte_token(byte).as_bytes());
            let id = id.ok_or_else(|| refuse("byte fallback", "a model must have the tokens of all bytes"))?;
            model.kinds[id as usize] = Kind::Byte;
        }
    }
    let is_bpe = matches!(definition.model, ModelDefinition::Bpe { .. });
    let trainer = Message::default().with_number(numbers::MODEL_TYPE, if is_bpe { BPE } else { 1 });
    model.trainer = Some(trainer.with_number(numbers::BYTE_FALLBACK, byte_fallback.into()));
    let spec = Message::default().with_bytes(numbers::RULES_NAME, b"identity");
    let spec = spec.with_number(numbers::ADD_DUMMY_PREFIX, prefix.into());
    model.normalizer = Some(spec.with_number(numbers::REMOVE_EXTRA_WHITESPACES, 0));
    if let ModelDefinition::Bpe { merges: wanted, .. } = &definition.model {
        let order = |merges: &[[Id; 3]]| {
            let mut made: Vec<Id> = merges.iter().map(|merge| merge[2]).collect();
            made.dedup();
            let mut pairs = merges.to_vec();
            pairs.sort_unstable();
            (made, pairs)
        };
        if order(&merges(&model)?) != order(wanted) {
            return Err(refuse("the merges", "they are not all those of a score per token"));
        }
    }
    Ok(model)
}

fn plain_settings() -> characters::Settings {
    characters::Settings {
        unknown: None,
        continuing_subword_prefix: String::new(),
        end_of_word_suffix: String::new(),
        fuse_unk: true,
        byte_fallback: false,
        ignore_merges: false,
        dropout: None,
    }
}

/// A mark in the place of every space, and one before the text.
fn marks(prefix: bool) -> Normalizer {
    let space = replace(Expression::Text(" ".to_owned()), SPACE_MARK);
    let before = prefix.then(|| Normalizer::Prepend(SPACE_MARK.to_owned()));
    Normalizer::Sequence(before.into_iter().chain([space]).collect())
}

fn decoder(prefix: bool) -> Decoder {
    let spaces = Decoder::Replace(replacement(Expression::Text(SPACE_MARK.to_owned()), " "));
    let strip = prefix.then_some(Decoder::Strip { content: ' ', start: 1, stop: 0 });
    Decoder::Sequence([spaces, Decoder::ByteFallback, Decoder::Fuse].into_iter().chain(strip).collect())
}

fn regex(pattern: &str) -> Expression {
    Expression::Regex(pattern.to_owned())
}

fn replace(what: Expression, content: &str) -> Normalizer {
    Normalizer::Replace(replacement(what, content))
}

fn replacement(what: Expression, content: &str) -> Replace {
    let matcher = Matcher::new(what).expect("the patterns of this file are right");
    Replace { matcher, content: content.to_owned() }
}

fn spelled(model: &SentencePieceModel, id: Id) -> String {
    String::from_utf8_lossy(model.vocab.token(id).unwrap_or_default()).into_owned()
}

/// Every pair of pieces that spells a piece, by falling score of that one.
fn merges(model: &SentencePieceModel) -> Result<Vec<[Id; 3]>, SaveError> {
    let normal = |id: &Id| model.kinds[*id as usize] == Kind::Normal;
    let mut pieces: Vec<(Id, &str)> = model
        .vocab
        .iter()
        .filter(|(id, _)| normal(id))
        .filter_map(|(id, piece)| Some((id, std::str::from_utf8(piece).ok()?)))
        .collect();
    let score = |id: Id| model.scores[id as usize];
    pieces.sort_by(|a, b| score(b.0).total_cmp(&score(a.0)).then(a.0.cmp(&b.0)));
    let ids: FxHashMap<&str, Id> = pieces.iter().map(|&(id, piece)| (piece, id)).collect();
    let mut merges = vec![];
    for &(id, piece) in &pieces {
        if let Some(c) = piece.chars().find(|c| !ids.contains_key(c.encode_utf8(&mut [0; 4]) as &str)) {
            let what = format!("the piece {piece:?}");
            return Err(SaveError::new("tokenizer.json", what, format!("its character {c:?} is no piece")));
        }
        let halves = piece.char_indices().skip(1).map(|(at, _)| piece.split_at(at));
        let mut pairs: Vec<[Id; 3]> =
            halves.filter_map(|(left, right)| Some([*ids.get(left)?, *ids.get(right)?, id])).collect();
        pairs.sort_unstable();
        merges.extend(pairs);
    }
    Ok(merges)
}

/// Scores that put tokens in the order of the merges that make them; characters come last.
fn scores_of(vocab: &Vocab, merges: &[[Id; 3]]) -> Vec<f32> {
    let mut scores = vec![f32::NAN; vocab.id_bound()];
    let mut next = 0.0;
    for &[_, _, made] in merges {
        let score = &mut scores[made as usize];
        if score.is_nan() {
            *score = next;
            next -= 1.0;
        }
    }
    scores.into_iter().map(|score| if score.is_nan() { next } else { score }).collect()
}
