//! `normalizer`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::expression::{self, Dialect};
use super::json::{Json, Node};
use crate::error::{LoadError, SaveError};
use crate::normalizers::Normalizer;
use crate::normalizers::bert::BertNormalizer;
use crate::normalizers::charsmap::Charsmap;
use crate::normalizers::forms::Form;
use crate::normalizers::language::Rule;

const FORMS: [(&str, Form); 4] = [("NFC", Form::Nfc), ("NFD", Form::Nfd), ("NFKC", Form::Nfkc), ("NFKD", Form::Nfkd)];

/// Reads a normalizer.
pub fn read(node: &Node<'_>) -> Result<Normalizer, LoadError> {
    let mut fields = node.fields()?;
    let kind = fields.kind()?;
    let normalizer = match kind {
        "BertNormalizer" | "Bert" => Normalizer::Bert(BertNormalizer::new(
            fields.required("clean_text")?.boolean()?,
            fields.required("handle_chinese_chars")?.boolean()?,
            fields.optional("strip_accents", Node::boolean)?,
            fields.required("lowercase")?.boolean()?,
        )),
        "Lowercase" => Normalizer::Lowercase,
        "Strip" => Normalizer::Strip {
            left: fields.required("strip_left")?.boolean()?,
            right: fields.required("strip_right")?.boolean()?,
        },
        "StripAccents" => Normalizer::StripAccents,
        "Replace" => {
            let (pattern, content) = (fields.required("pattern")?, fields.required("content")?);
            Normalizer::Replace(expression::read_replace(&pattern, &content)?)
        }
        "Prepend" => Normalizer::Prepend(fields.required("prepend")?.string()?.to_owned()),
        "Nmt" => Normalizer::Nmt,
        "Precompiled" => {
            let node = fields.required("precompiled_charsmap")?;
            let bytes =
                BASE64.decode(node.string()?).map_err(|problem| node.error(format!("not base64: {problem}")))?;
            Normalizer::Charsmap(Charsmap::new(&bytes).map_err(|problem| node.error(problem))?)
        }
        "ByteLevel" => Normalizer::ByteLevel,
        // The lab's own, which no other program reads: tokenizers put together here have them, `write` never makes them.
        "CollapseWhitespace" => Normalizer::CollapseWhitespace,
        "RemoveControls" => Normalizer::RemoveControls,
        "Language" => {
            let node = fields.required("rule")?;
            let name = node.string()?;
            Normalizer::Language(
                Rule::by_name(name).ok_or_else(|| node.error(format!("no rule has the name {name:?}")))?,
            )
        }
        "Sequence" => {
            let all = fields.required("normalizers")?.items()?;
            Normalizer::Sequence(all.iter().map(read).collect::<Result<_, _>>()?)
        }
        _ => match FORMS.iter().find(|(name, _)| *name == kind) {
            Some((_, form)) => Normalizer::Form(*form),
            None => return Err(fields.unknown_kind(kind, "normalizer")),
        },
    };
    fields.ignore_rest();
    Ok(normalizer)
}

/// Writes a normalizer.
///
/// Errors: the lab's own, which the standard dialect does not have.
pub fn write(normalizer: &Normalizer, dialect: Dialect) -> Result<Json, SaveError> {
    Ok(match normalizer {
        Normalizer::Bert(bert) => Json::tagged(
            "BertNormalizer",
            [
                ("clean_text", bert.clean_text.into()),
                ("handle_chinese_chars", bert.handle_chinese_chars.into()),
                ("strip_accents", bert.strip_accents.into()),
                ("lowercase", bert.lowercase.into()),
            ],
        ),
        Normalizer::Form(form) => {
            let name = FORMS.iter().find(|(_, known)| known == form).map_or("NFC", |(name, _)| *name);
            Json::tagged(name, [])
        }
        Normalizer::Lowercase => Json::tagged("Lowercase", []),
        Normalizer::Strip { left, right } => {
            Json::tagged("Strip", [("strip_left", (*left).into()), ("strip_right", (*right).into())])
        }
        Normalizer::StripAccents => Json::tagged("StripAccents", []),
        Normalizer::Replace(replace) => Json::tagged(
            "Replace",
            [
                ("pattern", expression::write(replace.matcher.expression(), dialect)?),
                ("content", replace.content.as_str().into()),
            ],
        ),
        Normalizer::Prepend(prefix) => Json::tagged("Prepend", [("prepend", prefix.as_str().into())]),
        Normalizer::Nmt => Json::tagged("Nmt", []),
        Normalizer::Charsmap(charsmap) => {
            Json::tagged("Precompiled", [("precompiled_charsmap", BASE64.encode(charsmap.to_bytes()).as_str().into())])
        }
        Normalizer::SentencePiece(_) => {
            return Err(SaveError::new(
                "tokenizer.json",
                "the normalizer of a SentencePiece model",
                "it is written as stages",
            ));
        }
        Normalizer::ByteLevel => Json::tagged("ByteLevel", []),
        Normalizer::CollapseWhitespace if dialect == Dialect::Engine => Json::tagged("CollapseWhitespace", []),
        Normalizer::RemoveControls if dialect == Dialect::Engine => Json::tagged("RemoveControls", []),
        Normalizer::Language(rule) if dialect == Dialect::Engine => {
            Json::tagged("Language", [("rule", rule.name().into())])
        }
        Normalizer::CollapseWhitespace | Normalizer::RemoveControls | Normalizer::Language(_) => {
            let problem = "it is one of the lab's own; a replacement by a pattern may do the same";
            return Err(SaveError::new("tokenizer.json", format!("the normalizer {normalizer:?}"), problem));
        }
        Normalizer::Sequence(all) => {
            let all = all.iter().map(|one| write(one, dialect)).collect::<Result<Vec<_>, _>>()?;
            Json::tagged("Sequence", [("normalizers", all.into())])
        }
    })
}
