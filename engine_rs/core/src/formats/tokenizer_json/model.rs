//! `model`: its vocabulary, merges or scores, and settings.
//!
//! Old files have no `type`: their fields tell. Merges are pairs, in old files strings with one space.

use super::json::{Fields, Json, Node};
use crate::error::{LoadError, SaveError};
use crate::formats::definition::ModelDefinition;
use crate::ids::Id;
use crate::models::bpe::characters;
use crate::models::{Unknown, unigram, wordpiece};
use crate::vocab::short_tokens::ShortKey;
use crate::vocab::{InsertError, Vocab};

/// Reads the model.
pub fn read(node: &Node<'_>) -> Result<ModelDefinition, LoadError> {
    let mut fields = node.fields()?;
    let kind = match fields.has("type") {
        true => fields.kind()?,
        false => kind_of_fields(&fields)?,
    };
    let model = match kind {
        "BPE" => bpe(&mut fields),
        "Unigram" => unigram(&mut fields),
        "WordLevel" => wordlevel(&mut fields),
        "WordPiece" => wordpiece(&mut fields),
        _ => Err(fields.unknown_kind(kind, "model")),
    }?;
    fields.ignore_rest();
    Ok(model)
}

/// The kind of a model without `type`.
fn kind_of_fields(fields: &Fields<'_>) -> Result<&'static str, LoadError> {
    let kinds: [(&str, &[&str]); 4] = [
        ("BPE", &["vocab", "merges"]),
        ("WordPiece", &["vocab", "unk_token", "continuing_subword_prefix", "max_input_chars_per_word"]),
        ("WordLevel", &["vocab", "unk_token"]),
        ("Unigram", &["vocab"]),
    ];
    let found = kinds.iter().find(|(_, names)| names.iter().all(|name| fields.has(name)));
    found.map(|(kind, _)| *kind).ok_or_else(|| {
        fields
            .node()
            .error("the model has neither a type nor the fields of one")
            .hint("expected \"type\": \"BPE\" for one")
    })
}

fn bpe(fields: &mut Fields<'_>) -> Result<ModelDefinition, LoadError> {
    let vocab = vocab_map(&fields.required("vocab")?)?;
    let text = |node: &Node<'_>| node.string().map(str::to_owned);
    let prefix = fields.optional("continuing_subword_prefix", text)?.unwrap_or_default();
    let merges = merges(&fields.required("merges")?, &vocab, prefix.len())?;
    let dropout = |node: &Node<'_>| match node.float()? {
        share @ 0.0..=1.0 => Ok(share as f32),
        _ => Err(node.unexpected("a probability from 0 to 1")),
    };
    let settings = characters::Settings {
        unknown: fields.optional("unk_token", Node::string)?.map(|token| unknown(token, &vocab)),
        continuing_subword_prefix: prefix,
        end_of_word_suffix: fields.optional("end_of_word_suffix", text)?.unwrap_or_default(),
        fuse_unk: fields.switch("fuse_unk")?,
        byte_fallback: fields.switch("byte_fallback")?,
        ignore_merges: fields.switch("ignore_merges")?,
        dropout: fields.optional("dropout", dropout)?,
    };
    Ok(ModelDefinition::Bpe { vocab, merges, settings })
}

fn wordlevel(fields: &mut Fields<'_>) -> Result<ModelDefinition, LoadError> {
    let vocab = vocab_map(&fields.required("vocab")?)?;
    let unknown = unknown(fields.required("unk_token")?.string()?, &vocab);
    Ok(ModelDefinition::WordLevel { vocab, unknown })
}

fn wordpiece(fields: &mut Fields<'_>) -> Result<ModelDefinition, LoadError> {
    let vocab = vocab_map(&fields.required("vocab")?)?;
    let unknown = unknown(fields.required("unk_token")?.string()?, &vocab);
    let settings = wordpiece::Settings {
        unknown: unknown.id().unwrap_or(Id::MAX),
        prefix: fields.required("continuing_subword_prefix")?.string()?.to_owned(),
        max_chars: fields.required("max_input_chars_per_word")?.number()?,
        missing_unknown: if let Unknown::Missing(spelling) = unknown { Some(spelling) } else { None },
    };
    Ok(ModelDefinition::WordPiece { vocab, settings })
}

fn unigram(fields: &mut Fields<'_>) -> Result<ModelDefinition, LoadError> {
    let node = fields.required("vocab")?;
    let Json::Array(entries) = node.json else { return Err(node.unexpected("a list of tokens with scores")) };
    let mut vocab = Vocab::with_capacity(entries.len());
    let mut scores = Vec::with_capacity(entries.len());
    for (at, entry) in entries.iter().enumerate() {
        let problem = || node.error_at(at, "not a token and its score").hint("expected [\"token\", -7.25]");
        let Json::Array(entry) = entry else { return Err(problem()) };
        let [Json::String(token), score] = &entry[..] else { return Err(problem()) };
        scores.push(match score {
            Json::Float(score) => *score,
            Json::Unsigned(score) => *score as f64,
            Json::Negative(score) => *score as f64,
            _ => return Err(problem()),
        });
        vocab.insert_any(at as Id, token.as_bytes()).map_err(|refused| node.error_at(at, refused.to_string()))?;
    }
    let unknown = |node: &Node<'_>| {
        let id: Id = node.number()?;
        if vocab.token(id).is_some() {
            Ok(id)
        } else {
            Err(node.error(format!("{id} is no id of the {} tokens", vocab.len())))
        }
    };
    let unknown = fields.optional("unk_id", unknown)?;
    let settings = unigram::Settings { unknown, byte_fallback: fields.switch("byte_fallback")? };
    Ok(ModelDefinition::Unigram { vocab, scores, settings })
}

/// `{"token": id, ...}`
fn vocab_map(node: &Node<'_>) -> Result<Vocab, LoadError> {
    let Json::Object(entries) = node.json else { return Err(node.unexpected("an object of tokens and ids")) };
    let mut by_id = Vec::with_capacity(entries.len());
    for (token, id) in entries {
        match id {
            Json::Unsigned(id) if *id < u64::from(Id::MAX) => by_id.push((*id as Id, token.as_str())),
            _ => return Err(node.error_at(token, format!("{id} is not an id")).hint("expected {\"token\": id, ...}")),
        }
    }
    by_id.sort_by_key(|(id, _)| *id);
    let tokens = by_id.iter().map(|&(id, token)| (id, token.as_bytes()));
    Vocab::of(by_id.len(), tokens).map_err(|(id, refused)| {
        let token = by_id.iter().rfind(|entry| entry.0 == id).map_or("", |entry| entry.1);
        let problem = match refused {
            InsertError::TokenTaken(other) => format!("the token stands there twice, with ids {other} and {id}"),
            refused => refused.to_string(),
        };
        node.error_at(token, problem)
    })
}

/// Merges as pairs or strings, with the token each makes. The right part's first `prefix` bytes are not part of that.
fn merges(node: &Node<'_>, vocab: &Vocab, prefix: usize) -> Result<Vec<[Id; 3]>, LoadError> {
    /// The memory that finds the two parts is asked for this many merges ahead.
    const AHEAD: usize = 8;
    let Json::Array(entries) = node.json else { return Err(node.unexpected("a list of merges")) };
    let mut merges: Vec<[Id; 3]> = Vec::with_capacity(entries.len());
    for (at, entry) in entries.iter().enumerate() {
        if let Some((left, right)) = entries.get(at + AHEAD).and_then(parts_of_merge) {
            [left, right]
                .into_iter()
                .filter_map(|part| ShortKey::new(part.as_bytes()))
                .for_each(|key| vocab.prefetch(key));
        }
        if matches!(entry, Json::String(line) if line.starts_with("#version")) {
            continue;
        }
        let (left, right) = parts_of_merge(entry).ok_or_else(|| {
            node.error_at(at, "not two tokens").hint("expected [\"left\", \"right\"] or \"left right\"")
        })?;
        let find = |what, token: &str| {
            vocab.id(token.as_bytes()).ok_or_else(|| {
                node.error_at(at, format!("{what} {token:?} is not in the vocabulary"))
                    .hint("do vocabulary and merges come from one tokenizer?")
            })
        };
        let added = right.get(prefix..).ok_or_else(|| {
            node.error_at(at, format!("right part {right:?} does not start with the continuing_subword_prefix"))
        })?;
        // Most merges make the token after that of the merge before.
        let next = merges.last().map_or(0, |last| last[2].saturating_add(1));
        let is_next = vocab.token(next).and_then(|token| token.strip_prefix(left.as_bytes())) == Some(added.as_bytes());
        let made = || find("what the merge makes,", &[left, added].concat());
        merges.push([find("left part", left)?, find("right part", right)?, if is_next { next } else { made()? }]);
    }
    Ok(merges)
}

/// The two parts of an entry of the list of merges.
fn parts_of_merge(entry: &Json) -> Option<(&str, &str)> {
    match entry {
        Json::String(line) => line.split_once(' ').filter(|(_, right)| !right.contains(' ')),
        Json::Array(pair) => match &pair[..] {
            [Json::String(left), Json::String(right)] => Some((left.as_str(), right.as_str())),
            _ => None,
        },
        _ => None,
    }
}

fn unknown(token: &str, vocab: &Vocab) -> Unknown {
    vocab.id(token.as_bytes()).map_or_else(|| Unknown::Missing(token.to_owned()), Unknown::Token)
}

/// Writes the model.
///
/// Errors: tokens that are not UTF-8, ids that a list cannot have.
pub fn write(model: &ModelDefinition) -> Result<Json, SaveError> {
    match model {
        ModelDefinition::Ranks { .. } => {
            Err(SaveError::new("tokenizer.json", "a vocabulary of ranks", "its merges are not a list yet"))
        }
        ModelDefinition::SentencePiece(_) => {
            Err(SaveError::new("tokenizer.json", "a SentencePiece model", "it is written as stages"))
        }
        ModelDefinition::Bpe { vocab, merges, settings } => {
            let merge = |&[left, right, _]: &[Id; 3]| Ok(Json::Array(vec![token(vocab, left)?, token(vocab, right)?]));
            let merges = merges.iter().map(merge).collect::<Result<Vec<_>, SaveError>>()?;
            let some = |text: &str| if text.is_empty() { Json::Null } else { text.into() };
            Ok(Json::tagged(
                "BPE",
                [
                    ("dropout", settings.dropout.map_or(Json::Null, |share| Json::Float(share.into()))),
                    (
                        "unk_token",
                        settings.unknown.as_ref().map(|unknown| spelling(vocab, unknown)).transpose()?.into(),
                    ),
                    ("continuing_subword_prefix", some(&settings.continuing_subword_prefix)),
                    ("end_of_word_suffix", some(&settings.end_of_word_suffix)),
                    ("fuse_unk", settings.fuse_unk.into()),
                    ("byte_fallback", settings.byte_fallback.into()),
                    ("ignore_merges", settings.ignore_merges.into()),
                    ("vocab", write_vocab(vocab)?),
                    ("merges", merges.into()),
                ],
            ))
        }
        ModelDefinition::Unigram { vocab, scores, settings } => {
            let mut entries = Vec::with_capacity(scores.len());
            for (at, &score) in scores.iter().enumerate() {
                entries.push(Json::Array(vec![token(vocab, at as Id)?, Json::Float(score)]));
            }
            Ok(Json::tagged(
                "Unigram",
                [
                    ("unk_id", settings.unknown.into()),
                    ("vocab", entries.into()),
                    ("byte_fallback", settings.byte_fallback.into()),
                ],
            ))
        }
        ModelDefinition::WordLevel { vocab, unknown } => {
            Ok(Json::tagged("WordLevel", [("vocab", write_vocab(vocab)?), ("unk_token", spelling(vocab, unknown)?)]))
        }
        ModelDefinition::WordPiece { vocab, settings } => {
            let unknown = match &settings.missing_unknown {
                Some(spelling) => spelling.as_str().into(),
                None => token(vocab, settings.unknown)?,
            };
            Ok(Json::tagged(
                "WordPiece",
                [
                    ("unk_token", unknown),
                    ("continuing_subword_prefix", settings.prefix.as_str().into()),
                    ("max_input_chars_per_word", settings.max_chars.into()),
                    ("vocab", write_vocab(vocab)?),
                ],
            ))
        }
    }
}

fn write_vocab(vocab: &Vocab) -> Result<Json, SaveError> {
    let entry = |(id, token): (Id, &[u8])| Ok((utf8(id, token)?.to_owned(), id.into()));
    Ok(Json::Object(vocab.iter().map(entry).collect::<Result<_, SaveError>>()?))
}

fn spelling(vocab: &Vocab, unknown: &Unknown) -> Result<Json, SaveError> {
    match unknown {
        Unknown::Token(id) => token(vocab, *id),
        Unknown::Missing(spelling) => Ok(spelling.as_str().into()),
    }
}

fn token(vocab: &Vocab, id: Id) -> Result<Json, SaveError> {
    let token = vocab.token(id).ok_or_else(|| {
        SaveError::new("tokenizer.json", format!("id {id}"), "no token has it, and the format has no holes here")
    })?;
    utf8(id, token).map(Json::from)
}

fn utf8(id: Id, token: &[u8]) -> Result<&str, SaveError> {
    std::str::from_utf8(token).map_err(|_| {
        SaveError::new(
            "tokenizer.json",
            format!("the token of id {id}"),
            "its bytes are not UTF-8, and the format is text",
        )
    })
}
