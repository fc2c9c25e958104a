//! From bytes to data.

use super::message::Message;
use super::wire::{Field, Reader, Value, error};
use super::{SentencePieceModel, numbers};
use crate::error::LoadError;
use crate::formats::definition::{Definition, ModelDefinition};
use crate::formats::tokenizer_json::json::IgnoredField;
use crate::ids::Id;
use crate::normalizers::charsmap::Charsmap;
use crate::vocab::Kind;

/// Kinds of pieces by their number in the file; 0 is none.
pub(super) const KINDS: [Option<Kind>; 7] = [
    None,
    Some(Kind::Normal),
    Some(Kind::Unknown),
    Some(Kind::Control),
    Some(Kind::UserDefined),
    Some(Kind::Unused),
    Some(Kind::Byte),
];

/// Fields of `trainer_spec` that are numbers, and those that are texts, of the ones that are looked at.
const TRAINER_NUMBERS: [u32; 3] = [numbers::MODEL_TYPE, numbers::WHITESPACE_IS_SUFFIX, numbers::BYTE_FALLBACK];
const TRAINER_TEXTS: [u32; 1] = [numbers::UNKNOWN_SURFACE];
/// Fields of `normalizer_spec`, likewise.
const NORMALIZER_NUMBERS: [u32; 3] =
    [numbers::ADD_DUMMY_PREFIX, numbers::REMOVE_EXTRA_WHITESPACES, numbers::ESCAPE_WHITESPACES];
const NORMALIZER_TEXTS: [u32; 3] = [numbers::RULES_NAME, numbers::CHARSMAP, numbers::RULES_TSV];

/// Reads a model. `file` is its name for errors.
///
/// Errors, with the byte: what is no protocol buffer, no model, or has fields that are not known and may matter.
///
/// ```
/// # use token_engine::formats::sentencepiece::read;
/// let error = read("tiny.model", b"\n\x05\n\x03abc\n\x7f").unwrap_err();
/// assert_eq!(error.to_string(), "tiny.model byte 9: the message: a field of 127 bytes is announced, but 0 are left; \
///     is this a whole SentencePiece model?");
/// ```
pub fn read(file: &str, content: &[u8]) -> Result<Definition, LoadError> {
    let mut model = SentencePieceModel::default();
    let mut ignored = vec![];
    let mut reader = Reader::new(file, "", content, 0);
    while let Some(field) = reader.next()? {
        match (field.number, field.value) {
            (numbers::PIECES, Value::Bytes(_)) => piece(file, &field, &mut model)?,
            (numbers::TRAINER, Value::Bytes(fields)) => {
                let message = check(file, "trainer_spec", &field, &TRAINER_NUMBERS, &TRAINER_TEXTS)?;
                let kind = message.number(numbers::MODEL_TYPE).unwrap_or(1);
                if !(1..=4).contains(&kind) {
                    let problem =
                        format!("{kind} is no model type; known are 1 to 4, Unigram, BPE, word and character");
                    return Err(error(file, "trainer_spec.model_type", field.at, problem));
                }
                model.trainer.get_or_insert_default().append(fields);
            }
            (numbers::NORMALIZER, Value::Bytes(fields)) => {
                check_normalizer(file, "normalizer_spec", &field, &mut ignored)?;
                model.normalizer.get_or_insert_default().append(fields);
            }
            (numbers::DENORMALIZER, Value::Bytes(fields)) => {
                check_normalizer(file, "denormalizer_spec", &field, &mut ignored)?;
                model.denormalizer.get_or_insert_default().append(fields);
            }
            (numbers::SELF_TEST, Value::Bytes(_)) | (numbers::EXTENSIONS.., _) => {
                model.rest.extend_from_slice(field.raw);
            }
            (number, _) => return Err(unknown(file, "", number, field.at)),
        }
    }
    if model.kinds.is_empty() {
        return Err(error(file, "pieces", content.len(), "there are none"));
    }
    check_scores(file, content.len(), &model)?;
    leave_zero_to_bytes(&mut model);
    Ok(Definition { ignored_fields: ignored, ..Definition::new(ModelDefinition::SentencePiece(Box::new(model))) })
}

/// Refuses a score of minus infinity where scores matter; models of words and characters have them, but no use for them.
fn check_scores(file: &str, at: usize, model: &SentencePieceModel) -> Result<(), LoadError> {
    const WORDS: u64 = 3;
    let kind = model.trainer.as_ref().and_then(|trainer| trainer.number(numbers::MODEL_TYPE)).unwrap_or(1);
    match model.scores.iter().position(|score| !score.is_finite()) {
        Some(id) if kind < WORDS => {
            let problem = format!("{} is no score", model.scores[id]);
            Err(error(file, &format!("pieces[{id}].score"), at, problem))
        }
        _ => Ok(()),
    }
}

/// With byte fallback the library uses no piece that is the zero byte: the byte's own piece takes its place.
fn leave_zero_to_bytes(model: &mut SentencePieceModel) {
    let has_bytes = model.trainer.as_ref().and_then(|trainer| trainer.number(numbers::BYTE_FALLBACK)) == Some(1);
    if let Some(id) = model.vocab.id(b"\0").filter(|_| has_bytes)
        && let Some(kind @ Kind::Normal) = model.kinds.get_mut(id as usize)
    {
        *kind = Kind::Unused;
    }
}

/// Whether the content starts with a piece, or is a model from end to end.
pub fn looks_like(content: &[u8]) -> bool {
    let mut reader = Reader::new("", "", content, 0);
    let Ok(Some(Field { number: numbers::PIECES, value: Value::Bytes(first), .. })) = reader.next() else {
        return matches!(content.first(), Some(0x12 | 0x1a | 0x22 | 0x2a)) && read("", content).is_ok();
    };
    let mut fields = Reader::new("", "", first, 0);
    let mut has_text = false;
    loop {
        match fields.next() {
            Ok(Some(Field { number: numbers::PIECE_TEXT, value: Value::Bytes(text), .. })) => {
                has_text = !text.is_empty() && std::str::from_utf8(text).is_ok();
            }
            Ok(Some(_)) => {}
            Ok(None) => return has_text,
            Err(_) => return false,
        }
    }
}

/// Reads a piece.
fn piece(file: &str, field: &Field<'_>, model: &mut SentencePieceModel) -> Result<(), LoadError> {
    let Value::Bytes(message) = field.value else { return Ok(()) };
    let id = model.kinds.len();
    let mut reader = Reader::new(file, format!("pieces[{id}]"), message, field.at);
    let (mut text, mut score, mut kind, mut extension) = (None, None, Kind::Normal, vec![]);
    while let Some(Field { number, value, raw, at }) = reader.next()? {
        match (number, value) {
            (numbers::PIECE_TEXT, Value::Bytes(bytes)) => {
                let utf8 = std::str::from_utf8(bytes);
                text = Some(utf8.map_err(|problem| {
                    error(file, &reader.name("piece"), at + problem.valid_up_to(), "not UTF-8 from here on")
                })?);
            }
            (numbers::PIECE_SCORE, Value::Fixed32(bits)) => {
                let number = f32::from_bits(bits);
                if !number.is_finite() && number != f32::NEG_INFINITY {
                    return Err(error(file, &reader.name("score"), at, format!("{number} is no score")));
                }
                score = Some(number);
            }
            (numbers::PIECE_TYPE, Value::Varint(number)) => {
                let known = KINDS.get(number as usize).copied().flatten();
                kind = known.filter(|_| number < KINDS.len() as u64).ok_or_else(|| {
                    error(file, &reader.name("type"), at, format!("{number} is no type of a piece; known are 1 to 6"))
                })?;
            }
            (numbers::EXTENSIONS.., _) => extension.extend_from_slice(raw),
            _ => return Err(unknown(file, &reader.name(""), number, at)),
        }
    }
    let text = text.filter(|text| !text.is_empty()).ok_or_else(|| reader.error(0, "a piece without text"))?;
    if let Some(twin) = model.vocab.id(text.as_bytes()) {
        return Err(reader.error(0, format!("{text:?} is already pieces[{twin}]")));
    }
    if matches!(kind, Kind::Unknown | Kind::UserDefined | Kind::Byte) && text.contains('\0') {
        return Err(reader.error(0, format!("{text:?} has a zero byte, which only normal pieces may have")));
    }
    model.vocab.insert(id as Id, text.as_bytes()).map_err(|refused| reader.error(0, refused.to_string()))?;
    model.kinds.push(kind);
    model.scores.push(score.unwrap_or_default());
    if score.is_none() {
        model.unscored.push(id as Id);
    }
    if !extension.is_empty() {
        model.extensions.push((id as Id, extension));
    }
    Ok(())
}

/// A message whose fields are well formed; those that are looked at have the right type.
fn check(file: &str, path: &str, field: &Field<'_>, ints: &[u32], texts: &[u32]) -> Result<Message, LoadError> {
    let Value::Bytes(fields) = field.value else { return Ok(Message::default()) };
    let mut reader = Reader::new(file, path, fields, field.at);
    while let Some(Field { number, value, at, .. }) = reader.next()? {
        let is_wrong = match value {
            Value::Varint(_) => texts.contains(&number),
            Value::Bytes(_) => ints.contains(&number),
            _ => ints.contains(&number) || texts.contains(&number),
        };
        if is_wrong {
            return Err(error(file, path, at, format!("field {number} has the wrong wire type")));
        }
    }
    let mut message = Message::default();
    message.append(fields);
    Ok(message)
}

/// Checks the rules. Fields that the library does not know are skipped there; they go into `ignored`.
fn check_normalizer(
    file: &str,
    path: &str,
    field: &Field<'_>,
    ignored: &mut Vec<IgnoredField>,
) -> Result<(), LoadError> {
    let message = check(file, path, field, &NORMALIZER_NUMBERS, &NORMALIZER_TEXTS)?;
    let mut reader = Reader::new(file, path, message.as_bytes(), field.at);
    while let Some(Field { number, at, value, .. }) = reader.next()? {
        match (number, value) {
            (numbers::CHARSMAP, Value::Bytes(rules)) if !rules.is_empty() => {
                Charsmap::new(rules)
                    .map_err(|problem| error(file, &reader.name("precompiled_charsmap"), at, problem))?;
            }
            (7..numbers::EXTENSIONS, value) => {
                let value = match value {
                    Value::Varint(number) => number.to_string(),
                    Value::Fixed64(bits) => bits.to_string(),
                    Value::Fixed32(bits) => bits.to_string(),
                    Value::Bytes(bytes) => format!("{} bytes", bytes.len()),
                };
                ignored.push(IgnoredField { place: format!("{path}.{number}"), value });
            }
            _ => {}
        }
    }
    Ok(())
}

fn unknown(file: &str, path: &str, number: u32, at: usize) -> LoadError {
    let path = path.trim_end_matches('.');
    let dot = if path.is_empty() { "" } else { "." };
    let problem = "it is not known what this field does to the result";
    error(file, &format!("{path}{dot}{number}"), at, problem)
}
