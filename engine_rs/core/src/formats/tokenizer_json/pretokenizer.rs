//! `pre_tokenizer`.

use super::expression::{self, BEHAVIORS, Dialect};
use super::json::{Fields, Json, Node};
use super::limits::{by_name, name};
use crate::alignment::Behavior;
use crate::error::{LoadError, SaveError};
use crate::matching::Expression;
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::byte_level::ByteLevel;
use crate::pretokenizers::metaspace::{Metaspace, Prepend};
use crate::pretokenizers::scanners::Pattern;
use crate::pretokenizers::split::Split;

const PREPENDS: [(&str, Prepend); 3] =
    [("always", Prepend::Always), ("first", Prepend::First), ("never", Prepend::Never)];

/// Reads a pretokenizer.
pub fn read(node: &Node<'_>) -> Result<Pretokenizer, LoadError> {
    let mut fields = node.fields()?;
    let kind = fields.kind()?;
    let pretokenizer = match kind {
        "BertPreTokenizer" => Pretokenizer::Bert,
        // The engine's own: see `Dialect`.
        "Pattern" => {
            let name = fields.required("name")?;
            let pattern = Pattern::by_name(name.string()?);
            Pretokenizer::Pattern(pattern.ok_or_else(|| name.unexpected("the name of a pattern"))?)
        }
        "ByteLevel" => Pretokenizer::ByteLevel(read_byte_level(&mut fields)?),
        "CharDelimiterSplit" | "Delimiter" => Pretokenizer::CharDelimiter(fields.required("delimiter")?.character()?),
        "Metaspace" => Pretokenizer::Metaspace(read_metaspace(&mut fields)?),
        "Whitespace" => Pretokenizer::Whitespace,
        "WhitespaceSplit" => Pretokenizer::WhitespaceSplit,
        "Split" => {
            let pattern = fields.required("pattern")?;
            let behavior = by_name(&fields.required("behavior")?, &BEHAVIORS)?;
            let invert = fields.required("invert")?.boolean()?;
            let split = Split::new(expression::read(&pattern)?, behavior, invert);
            Pretokenizer::Split(split.map_err(|problem| pattern.error(problem.to_string()))?)
        }
        "Punctuation" => {
            let behavior = fields.optional("behavior", |node| by_name(node, &BEHAVIORS))?;
            Pretokenizer::Punctuation(behavior.unwrap_or(Behavior::Isolated))
        }
        "Digits" => Pretokenizer::Digits { individual: fields.required("individual_digits")?.boolean()? },
        "UnicodeScripts" => Pretokenizer::UnicodeScripts,
        "FixedLength" => Pretokenizer::FixedLength(fields.optional("length", Node::number)?.unwrap_or(5)),
        "Sequence" => {
            let all = fields.required("pretokenizers")?.items()?;
            Pretokenizer::Sequence(all.iter().map(read).collect::<Result<_, _>>()?)
        }
        _ => return Err(fields.unknown_kind(kind, "pretokenizer")),
    };
    fields.ignore_rest();
    Ok(pretokenizer)
}

/// Reads the fields of `ByteLevel`, which pretokenizers, postprocessors and decoders have alike.
pub(crate) fn read_byte_level(fields: &mut Fields<'_>) -> Result<ByteLevel, LoadError> {
    Ok(ByteLevel {
        add_prefix_space: fields.required("add_prefix_space")?.boolean()?,
        trim_offsets: fields.required("trim_offsets")?.boolean()?,
        use_regex: fields.optional("use_regex", Node::boolean)?.unwrap_or(true),
    })
}

/// Reads the fields of `Metaspace`, which pretokenizers and decoders have alike. Old files have `add_prefix_space` in the
/// place of `prepend_scheme`, and the replacement a second time.
pub(crate) fn read_metaspace(fields: &mut Fields<'_>) -> Result<Metaspace, LoadError> {
    let replacement = fields.required("replacement")?.character()?;
    if let Some(node) = fields.take("str_rep") {
        node.optional(Node::string)?;
    }
    let old = fields.take("add_prefix_space");
    let prefix = old.as_ref().map_or(Ok(None), |node| node.optional(Node::boolean))?;
    let scheme = fields.take("prepend_scheme");
    let declared = scheme.as_ref().map(|node| by_name(node, &PREPENDS)).transpose()?;
    let prepend = match (prefix, declared, &old) {
        (Some(false), None | Some(Prepend::Always | Prepend::First), Some(node)) => {
            if declared.is_some() {
                return Err(node.error("false, but prepend_scheme is not \"never\"").hint("take one of the two out"));
            }
            return Err(node
                .error("false without \"prepend_scheme\": \"never\"; the reference refuses this, too")
                .hint("put \"prepend_scheme\": \"never\" in its place"));
        }
        (_, declared, _) => declared.unwrap_or(Prepend::Always),
    };
    let split = fields.optional("split", Node::boolean)?.unwrap_or(true);
    Ok(Metaspace { replacement, prepend, split })
}

/// Writes a pretokenizer.
///
/// Errors: a pattern that the format would read otherwise.
pub fn write(pretokenizer: &Pretokenizer, dialect: Dialect) -> Result<Json, SaveError> {
    Ok(match pretokenizer {
        Pretokenizer::Bert => Json::tagged("BertPreTokenizer", []),
        Pretokenizer::Pattern(pattern) if dialect == Dialect::Engine => {
            Json::tagged("Pattern", [("name", pattern.name().into())])
        }
        Pretokenizer::Pattern(pattern) => {
            write_split(&Expression::Regex(pattern.oniguruma().to_owned()), Behavior::Isolated, false, dialect)?
        }
        Pretokenizer::ByteLevel(bytes) => write_byte_level(*bytes),
        Pretokenizer::Split(split) => write_split(split.expression(), split.behavior(), split.is_inverted(), dialect)?,
        Pretokenizer::Whitespace => Json::tagged("Whitespace", []),
        Pretokenizer::WhitespaceSplit => Json::tagged("WhitespaceSplit", []),
        Pretokenizer::Punctuation(behavior) => Json::tagged("Punctuation", [("behavior", name(*behavior, &BEHAVIORS))]),
        Pretokenizer::Digits { individual } => Json::tagged("Digits", [("individual_digits", (*individual).into())]),
        Pretokenizer::Metaspace(metaspace) => write_metaspace(*metaspace),
        Pretokenizer::CharDelimiter(delimiter) => {
            Json::tagged("CharDelimiterSplit", [("delimiter", delimiter.to_string().as_str().into())])
        }
        Pretokenizer::UnicodeScripts => Json::tagged("UnicodeScripts", []),
        Pretokenizer::FixedLength(length) => Json::tagged("FixedLength", [("length", (*length).into())]),
        Pretokenizer::Sequence(all) => {
            let all = all.iter().map(|one| write(one, dialect)).collect::<Result<Vec<_>, _>>()?;
            Json::tagged("Sequence", [("pretokenizers", all.into())])
        }
    })
}

fn write_split(expression: &Expression, behavior: Behavior, invert: bool, dialect: Dialect) -> Result<Json, SaveError> {
    Ok(Json::tagged(
        "Split",
        [
            ("pattern", expression::write(expression, dialect)?),
            ("behavior", name(behavior, &BEHAVIORS)),
            ("invert", invert.into()),
        ],
    ))
}

/// Writes `ByteLevel`.
pub(crate) fn write_byte_level(bytes: ByteLevel) -> Json {
    Json::tagged(
        "ByteLevel",
        [
            ("add_prefix_space", bytes.add_prefix_space.into()),
            ("trim_offsets", bytes.trim_offsets.into()),
            ("use_regex", bytes.use_regex.into()),
        ],
    )
}

/// Writes `Metaspace`.
pub(crate) fn write_metaspace(metaspace: Metaspace) -> Json {
    Json::tagged(
        "Metaspace",
        [
            ("replacement", metaspace.replacement.to_string().as_str().into()),
            ("prepend_scheme", name(metaspace.prepend, &PREPENDS)),
            ("split", metaspace.split.into()),
        ],
    )
}
