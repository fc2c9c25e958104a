//! `post_processor`.

use std::collections::BTreeMap;

use super::json::{Fields, Json, Node};
use super::pretokenizer::{read_byte_level, write_byte_level};
use crate::error::LoadError;
use crate::ids::Id;
use crate::postprocessors::Postprocessor;
use crate::postprocessors::bert::BertProcessing;
use crate::postprocessors::roberta::RobertaProcessing;
use crate::postprocessors::template::{Part, Template};
use crate::postprocessors::trim::Trim;
use crate::pretokenizers::byte_level::ByteLevel;

/// Spelling of the token with an id.
pub(crate) type Spelling<'a> = &'a dyn Fn(Id) -> String;

/// Reads a postprocessor.
pub fn read(node: &Node<'_>) -> Result<Postprocessor, LoadError> {
    let mut fields = node.fields()?;
    let kind = fields.kind()?;
    let postprocessor = match kind {
        "BertProcessing" => {
            let (sep, cls) = (token(&fields.required("sep")?)?, token(&fields.required("cls")?)?);
            Postprocessor::Bert(BertProcessing::new(cls, sep))
        }
        "RobertaProcessing" => {
            let (sep, cls) = (token(&fields.required("sep")?)?, token(&fields.required("cls")?)?);
            let trims = fields.required("trim_offsets")?.boolean()?;
            let trim = Trim { add_prefix_space: fields.required("add_prefix_space")?.boolean()? };
            Postprocessor::Roberta(RobertaProcessing { cls, sep, trim: trims.then_some(trim) })
        }
        "ByteLevel" => {
            let ByteLevel { add_prefix_space, trim_offsets, .. } = read_byte_level(&mut fields)?;
            Postprocessor::ByteLevel(trim_offsets.then_some(Trim { add_prefix_space }))
        }
        "TemplateProcessing" => Postprocessor::Template(template(&mut fields)?),
        "Sequence" => {
            let all = fields.required("processors")?.items()?;
            let read = all.iter().map(read).collect::<Result<Vec<_>, _>>()?;
            // The first one makes more than two parts of the texts, which the second has no names for.
            if let Some((_, second)) = read.iter().zip(&all).filter(|(one, _)| one.has_template()).nth(1) {
                return Err(second.error("a template after a template").hint("put both into one template"));
            }
            Postprocessor::Sequence(read)
        }
        _ => return Err(fields.unknown_kind(kind, "postprocessor")),
    };
    fields.ignore_rest();
    Ok(postprocessor)
}

/// `["[SEP]", 102]`
fn token(node: &Node<'_>) -> Result<Id, LoadError> {
    match &node.items()?[..] {
        [text, id] => {
            text.string()?;
            id.number()
        }
        _ => Err(node.unexpected("a token and its id")),
    }
}

fn template(fields: &mut Fields<'_>) -> Result<Template, LoadError> {
    let special = fields.required("special_tokens")?;
    let mut specials = special.fields()?;
    let mut ids = BTreeMap::new();
    let Json::Object(entries) = special.json else { return Err(special.unexpected("an object")) };
    for (name, _) in entries {
        let mut fields = specials.required(name)?.fields()?;
        fields.required("id")?.string()?;
        let node = fields.required("ids")?;
        let list = node.items()?.iter().map(Node::number).collect::<Result<Vec<Id>, _>>()?;
        for token in fields.required("tokens")?.items()? {
            token.string()?;
        }
        fields.ignore_rest();
        ids.insert(name.as_str(), list);
    }
    let (single, pair) = (fields.required("single")?, fields.required("pair")?);
    let template = Template { single: parts(&single, &ids)?, pair: parts(&pair, &ids)? };
    if template.single.iter().any(|part| matches!(part, Part::Sequence { sequence: 1, .. })) {
        return Err(single.error("the template of one text has the second text, \"B\", in it"));
    }
    Ok(template)
}

fn parts(node: &Node<'_>, ids: &BTreeMap<&str, Vec<Id>>) -> Result<Vec<Part>, LoadError> {
    let part = |node: &Node<'_>| {
        let mut fields = node.fields()?;
        let part = if let Some(node) = fields.take("Sequence") {
            let mut fields = node.fields()?;
            let id = fields.required("id")?;
            let sequence = match id.string()? {
                "A" => 0,
                "B" => 1,
                _ => return Err(id.unexpected("\"A\" or \"B\"")),
            };
            let part = Part::Sequence { sequence, type_id: fields.required("type_id")?.number()? };
            fields.ignore_rest();
            part
        } else {
            let node = fields.required("SpecialToken")?;
            let mut fields = node.fields()?;
            let id = fields.required("id")?;
            let name = id.string()?;
            let ids = ids.get(name).ok_or_else(|| id.error(format!("{name:?} is not among special_tokens")))?;
            let part = Part::Special {
                name: name.to_owned(),
                ids: ids.clone(),
                type_id: fields.required("type_id")?.number()?,
            };
            fields.ignore_rest();
            part
        };
        fields.end()?;
        Ok(part)
    };
    node.items()?.iter().map(part).collect()
}

/// Writes a postprocessor; `spelling` knows all tokens.
pub fn write(postprocessor: &Postprocessor, spelling: Spelling<'_>) -> Json {
    let token = |id: Id| Json::Array(vec![spelling(id).as_str().into(), id.into()]);
    match postprocessor {
        Postprocessor::Bert(bert) => {
            Json::tagged("BertProcessing", [("sep", token(bert.sep)), ("cls", token(bert.cls))])
        }
        Postprocessor::Roberta(roberta) => Json::tagged(
            "RobertaProcessing",
            [
                ("sep", token(roberta.sep)),
                ("cls", token(roberta.cls)),
                ("trim_offsets", roberta.trim.is_some().into()),
                ("add_prefix_space", roberta.trim.is_none_or(|trim| trim.add_prefix_space).into()),
            ],
        ),
        Postprocessor::ByteLevel(trim) => write_byte_level(ByteLevel {
            add_prefix_space: trim.is_none_or(|trim| trim.add_prefix_space),
            trim_offsets: trim.is_some(),
            use_regex: true,
        }),
        Postprocessor::Template(template) => write_template(template, spelling),
        Postprocessor::Sequence(all) => {
            let all: Vec<_> = all.iter().map(|one| write(one, spelling)).collect();
            Json::tagged("Sequence", [("processors", all.into())])
        }
    }
}

fn write_template(template: &Template, spelling: Spelling<'_>) -> Json {
    let mut special = BTreeMap::new();
    for part in template.single.iter().chain(&template.pair) {
        if let Part::Special { name, ids, .. } = part {
            let tokens: Vec<Json> = ids.iter().map(|&id| spelling(id).as_str().into()).collect();
            let ids: Vec<Json> = ids.iter().map(|&id| id.into()).collect();
            let entry = [("id", name.as_str().into()), ("ids", ids.into()), ("tokens", tokens.into())];
            special.insert(name.clone(), Json::object(entry));
        }
    }
    Json::tagged(
        "TemplateProcessing",
        [
            ("single", write_parts(&template.single)),
            ("pair", write_parts(&template.pair)),
            ("special_tokens", Json::Object(special.into_iter().collect())),
        ],
    )
}

fn write_parts(parts: &[Part]) -> Json {
    let part = |part: &Part| {
        let (kind, id, type_id) = match part {
            Part::Sequence { sequence, type_id } => ("Sequence", if *sequence == 0 { "A" } else { "B" }, *type_id),
            Part::Special { name, type_id, .. } => ("SpecialToken", name.as_str(), *type_id),
        };
        Json::object([(kind, Json::object([("id", id.into()), ("type_id", u32::from(type_id).into())]))])
    };
    Json::Array(parts.iter().map(part).collect())
}
