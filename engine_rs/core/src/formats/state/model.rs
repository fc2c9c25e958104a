//! The model of a state: settings as JSON, then its tables with numbers in little-endian order.

use super::{NAME, damaged};
use crate::error::LoadError;
use crate::formats::definition::ModelDefinition;
use crate::formats::sentencepiece;
use crate::formats::tokenizer_json::json::{Json, Node};
use crate::ids::Id;
use crate::models::bpe::characters;
use crate::models::{Unknown, unigram, wordpiece};
use crate::vocab::{InsertError, Vocab};

/// The kind of model and its settings.
pub(crate) fn settings(model: &ModelDefinition) -> Json {
    match model {
        ModelDefinition::Ranks { .. } => Json::tagged("Ranks", []),
        ModelDefinition::SentencePiece(_) => Json::tagged("SentencePiece", []),
        ModelDefinition::Bpe { settings, .. } => Json::tagged(
            "BPE",
            [
                ("unknown", settings.unknown.as_ref().map(write_unknown).into()),
                ("continuing_subword_prefix", settings.continuing_subword_prefix.as_str().into()),
                ("end_of_word_suffix", settings.end_of_word_suffix.as_str().into()),
                ("fuse_unk", settings.fuse_unk.into()),
                ("byte_fallback", settings.byte_fallback.into()),
                ("ignore_merges", settings.ignore_merges.into()),
                ("dropout_bits", settings.dropout.map(f32::to_bits).into()),
            ],
        ),
        ModelDefinition::Unigram { settings, .. } => Json::tagged(
            "Unigram",
            [("unknown", settings.unknown.into()), ("byte_fallback", settings.byte_fallback.into())],
        ),
        ModelDefinition::WordLevel { unknown, .. } => Json::tagged("WordLevel", [("unknown", write_unknown(unknown))]),
        ModelDefinition::WordPiece { settings, .. } => Json::tagged(
            "WordPiece",
            [
                ("unknown", settings.unknown.into()),
                ("prefix", settings.prefix.as_str().into()),
                ("max_chars", settings.max_chars.into()),
                ("missing_unknown", settings.missing_unknown.as_deref().into()),
            ],
        ),
    }
}

/// Appends the tables.
pub(crate) fn write_tables(model: &ModelDefinition, out: &mut Vec<u8>) {
    if let ModelDefinition::SentencePiece(model) = model {
        out.extend(sentencepiece::to_bytes(model));
        return;
    }
    write_vocab(model.vocab(), out);
    match model {
        ModelDefinition::Bpe { merges, .. } => {
            out.extend((merges.len() as u32).to_le_bytes());
            (0..2).for_each(|part| write_column(merges.iter().map(|merge| merge[part]), out));
            write_column(steps(merges.iter().map(|merge| merge[2])), out);
        }
        ModelDefinition::Unigram { scores, .. } => {
            out.extend((scores.len() as u32).to_le_bytes());
            out.extend(scores.iter().flat_map(|score| score.to_le_bytes()));
        }
        _ => {}
    }
}

/// Reads the model: its settings from `node`, its tables from what is left.
pub fn read(node: &Node<'_>, tables: &mut Tables<'_>) -> Result<ModelDefinition, LoadError> {
    let mut fields = node.fields()?;
    let kind = fields.kind()?;
    let text = |node: Node<'_>| node.string().map(str::to_owned);
    let model = match kind {
        "Ranks" => ModelDefinition::Ranks { vocab: tables.vocab()? },
        "SentencePiece" => {
            let bytes = std::mem::take(&mut tables.rest);
            return Ok(sentencepiece::read(NAME, bytes)?.model);
        }
        "BPE" => {
            let settings = characters::Settings {
                unknown: fields.optional("unknown", read_unknown)?,
                continuing_subword_prefix: text(fields.required("continuing_subword_prefix")?)?,
                end_of_word_suffix: text(fields.required("end_of_word_suffix")?)?,
                fuse_unk: fields.switch("fuse_unk")?,
                byte_fallback: fields.switch("byte_fallback")?,
                ignore_merges: fields.switch("ignore_merges")?,
                dropout: fields.optional("dropout_bits", Node::number)?.map(f32::from_bits),
            };
            let vocab = tables.vocab()?;
            ModelDefinition::Bpe { merges: tables.merges(&vocab)?, vocab, settings }
        }
        "Unigram" => {
            let settings = unigram::Settings {
                unknown: fields.optional("unknown", Node::number)?,
                byte_fallback: fields.switch("byte_fallback")?,
            };
            let (vocab, scores) = (tables.vocab()?, tables.scores()?);
            if scores.len() != vocab.id_bound() {
                return Err(damaged("there are more or fewer scores than ids"));
            }
            ModelDefinition::Unigram { vocab, scores, settings }
        }
        "WordLevel" => {
            let unknown = read_unknown(&fields.required("unknown")?)?;
            ModelDefinition::WordLevel { vocab: tables.vocab()?, unknown }
        }
        "WordPiece" => {
            let settings = wordpiece::Settings {
                unknown: fields.required("unknown")?.number()?,
                prefix: text(fields.required("prefix")?)?,
                max_chars: fields.required("max_chars")?.number()?,
                missing_unknown: fields.optional("missing_unknown", |node| node.string().map(str::to_owned))?,
            };
            ModelDefinition::WordPiece { vocab: tables.vocab_without_twins()?, settings }
        }
        _ => return Err(fields.unknown_kind(kind, "model")),
    };
    fields.end()?;
    if tables.rest.is_empty() { Ok(model) } else { Err(damaged("there are bytes after its end")) }
}

fn write_unknown(unknown: &Unknown) -> Json {
    match unknown {
        Unknown::Token(id) => (*id).into(),
        Unknown::Missing(spelling) => spelling.as_str().into(),
    }
}

fn read_unknown(node: &Node<'_>) -> Result<Unknown, LoadError> {
    match node.json {
        Json::String(spelling) => Ok(Unknown::Missing(spelling.clone())),
        _ => node.number().map(Unknown::Token),
    }
}

/// Appends the tokens with their ids. Of equal tokens the one that is found by its bytes comes last, as
/// [`Vocab::insert_any`] wants it.
fn write_vocab(vocab: &Vocab, out: &mut Vec<u8>) {
    let is_found = |&(id, token): &(Id, &[u8])| vocab.id(token) == Some(id);
    out.extend((vocab.len() as u32).to_le_bytes());
    let tokens = || vocab.iter().filter(|entry| !is_found(entry)).chain(vocab.iter().filter(is_found));
    write_column(steps(tokens().map(|(id, _)| id)), out);
    write_column(tokens().map(|(_, token)| token.len() as u32), out);
    tokens().for_each(|(_, token)| out.extend(token));
}

/// One number after the other: a compressed file of columns is two thirds of one of rows.
fn write_column(numbers: impl Iterator<Item = u32>, out: &mut Vec<u8>) {
    out.extend(numbers.flat_map(u32::to_le_bytes));
}

/// From each number to the next, which is 1 where they count.
fn steps(numbers: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
    numbers.scan(0u32, |last, number| Some(number.wrapping_sub(std::mem::replace(last, number))))
}

/// What is not yet read of a state.
pub struct Tables<'a> {
    /// The bytes.
    pub(crate) rest: &'a [u8],
}

impl<'a> Tables<'a> {
    /// The next bytes.
    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'a [u8], LoadError> {
        let (bytes, rest) = self.rest.split_at_checked(count).ok_or_else(|| damaged("it ends too early"))?;
        self.rest = rest;
        Ok(bytes)
    }

    /// The next number, of `N` bytes.
    pub(crate) fn number<const N: usize>(&mut self) -> Result<u64, LoadError> {
        let mut bytes = [0; 8];
        bytes[..N].copy_from_slice(self.bytes(N)?);
        Ok(u64::from_le_bytes(bytes))
    }

    fn id(&mut self) -> Result<Id, LoadError> {
        Ok(self.number::<4>()? as Id)
    }

    /// The next count of entries that take at least `bytes` bytes each.
    fn count(&mut self, bytes: usize) -> Result<usize, LoadError> {
        let count = self.number::<4>()? as usize;
        if count.saturating_mul(bytes) <= self.rest.len() { Ok(count) } else { Err(damaged("it ends too early")) }
    }

    /// The tokens, which may be twins.
    fn vocab(&mut self) -> Result<Vocab, LoadError> {
        let tokens = self.tokens()?;
        Vocab::with_twins(tokens.len(), tokens).map_err(refused)
    }

    /// The tokens of a model that cannot have twins.
    fn vocab_without_twins(&mut self) -> Result<Vocab, LoadError> {
        let tokens = self.tokens()?;
        Vocab::of(tokens.len(), tokens).map_err(refused)
    }

    fn tokens(&mut self) -> Result<Vec<(Id, &'a [u8])>, LoadError> {
        let count = self.count(8)?;
        let (ids, lengths) = (self.stepped(count)?, self.column(count)?);
        ids.into_iter().zip(lengths).map(|(id, length)| Ok((id, self.bytes(length as usize)?))).collect()
    }

    fn column(&mut self, count: usize) -> Result<Vec<u32>, LoadError> {
        (0..count).map(|_| self.id()).collect()
    }

    /// What [`steps`] was given.
    fn stepped(&mut self, count: usize) -> Result<Vec<u32>, LoadError> {
        let steps = self.column(count)?;
        let sum = |sum: &mut u32, step: u32| {
            *sum = sum.wrapping_add(step);
            Some(*sum)
        };
        Ok(steps.into_iter().scan(0, sum).collect())
    }

    fn merges(&mut self, vocab: &Vocab) -> Result<Vec<[Id; 3]>, LoadError> {
        let count = self.count(12)?;
        let mut merges = Vec::with_capacity(count);
        let (lefts, rights, made) = (self.column(count)?, self.column(count)?, self.stepped(count)?);
        for ((left, right), made) in lefts.into_iter().zip(rights).zip(made) {
            let merge = [left, right, made];
            if merge.iter().any(|&id| vocab.token(id).is_none()) {
                return Err(damaged("a merge names an id that no token has"));
            }
            merges.push(merge);
        }
        Ok(merges)
    }

    fn scores(&mut self) -> Result<Vec<f64>, LoadError> {
        (0..self.count(8)?).map(|_| self.number::<8>().map(f64::from_bits)).collect()
    }
}

fn refused((id, refused): (Id, InsertError)) -> LoadError {
    damaged(&format!("the token with id {id}: {refused}"))
}
