//! `truncation` and `padding`.

use super::json::{Json, Node};
use crate::error::LoadError;
use crate::padding::{PadTo, Padding};
use crate::truncation::{Side, Strategy, Truncation};

const STRATEGIES: [(&str, Strategy); 3] = [
    ("LongestFirst", Strategy::LongestFirst),
    ("OnlyFirst", Strategy::OnlyFirst),
    ("OnlySecond", Strategy::OnlySecond),
];
const SIDES: [(&str, Side); 2] = [("Left", Side::Left), ("Right", Side::Right)];

/// Reads `truncation`, if it is not `null`.
pub(crate) fn read_truncation(node: &Node<'_>) -> Result<Option<Truncation>, LoadError> {
    node.optional(|node| {
        let mut fields = node.fields()?;
        let truncation = Truncation {
            max_length: fields.required("max_length")?.number()?,
            strategy: by_name(&fields.required("strategy")?, &STRATEGIES)?,
            stride: fields.required("stride")?.number()?,
            side: fields.take("direction").map_or(Ok(Side::Right), |node| by_name(&node, &SIDES))?,
        };
        fields.ignore_rest();
        Ok(truncation)
    })
}

/// Reads `padding`, if it is not `null`.
pub(crate) fn read_padding(node: &Node<'_>) -> Result<Option<Padding>, LoadError> {
    node.optional(|node| {
        let mut fields = node.fields()?;
        let to = |node: &Node<'_>| match node.json {
            Json::String(name) if name == "BatchLongest" => Ok(PadTo::Longest),
            Json::Object(_) => {
                let mut fields = node.fields()?;
                let length = fields.required("Fixed")?.number()?;
                fields.end()?;
                Ok(PadTo::Length(length))
            }
            _ => Err(node.unexpected("\"BatchLongest\" or {\"Fixed\": length}")),
        };
        let padding = Padding {
            to: to(&fields.required("strategy")?)?,
            side: by_name(&fields.required("direction")?, &SIDES)?,
            multiple_of: fields.optional("pad_to_multiple_of", Node::number)?,
            id: fields.required("pad_id")?.number()?,
            type_id: fields.required("pad_type_id")?.number()?,
            token: fields.required("pad_token")?.string()?.to_owned(),
        };
        fields.ignore_rest();
        Ok(padding)
    })
}

/// Writes `truncation`.
pub(crate) fn write_truncation(truncation: Option<&Truncation>) -> Json {
    let Some(truncation) = truncation else { return Json::Null };
    Json::object([
        ("direction", name(truncation.side, &SIDES)),
        ("max_length", truncation.max_length.into()),
        ("strategy", name(truncation.strategy, &STRATEGIES)),
        ("stride", truncation.stride.into()),
    ])
}

/// Writes `padding`.
pub(crate) fn write_padding(padding: Option<&Padding>) -> Json {
    let Some(padding) = padding else { return Json::Null };
    let strategy = match padding.to {
        PadTo::Longest => "BatchLongest".into(),
        PadTo::Length(length) => Json::object([("Fixed", length.into())]),
    };
    Json::object([
        ("strategy", strategy),
        ("direction", name(padding.side, &SIDES)),
        ("pad_to_multiple_of", padding.multiple_of.into()),
        ("pad_id", padding.id.into()),
        ("pad_type_id", u32::from(padding.type_id).into()),
        ("pad_token", padding.token.as_str().into()),
    ])
}

/// What a name in a table of names stands for.
pub(crate) fn by_name<T: Copy>(node: &Node<'_>, names: &[(&str, T)]) -> Result<T, LoadError> {
    let name = node.string()?;
    names.iter().find(|(known, _)| *known == name).map(|(_, value)| *value).ok_or_else(|| {
        let known = names.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        node.error(format!("{name:?} is not known")).hint(format!("known are {known}"))
    })
}

/// The name of a value in a table that has it.
pub(crate) fn name<T: Copy + PartialEq>(value: T, names: &[(&str, T)]) -> Json {
    names.iter().find(|(_, known)| *known == value).map(|(name, _)| *name).into()
}
