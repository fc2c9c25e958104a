//! Puts the added tokens that the folder's files name into a tokenizer.
//!
//! As the reference does: `added_tokens_decoder` of the configuration is the whole truth where it is there, flags included;
//! without it `special_tokens_map.json` and `added_tokens.json` are read, and what the tokenizer says of a token that it
//! has stays. A token with a role (`pad_token`) that is no added token becomes a special one. Ids go on from the last one;
//! where a file says another id, that is an error, while the reference gives the token another id than the file says.
//!
//! Source: `PreTrainedTokenizerFast.__init__` of Hugging Face transformers; `add_tokens` of `tokenizers`.

use rustc_hash::FxHashMap;

use super::{ADDED_TOKENS, FolderFiles, SPECIAL_TOKENS_MAP};
use crate::added_tokens::AddedToken;
use crate::error::LoadError;
use crate::formats::definition::Definition;
use crate::formats::tokenizer_json::json::{Json, Node};
use crate::ids::Id;

/// Names of the tokens with a role, in the order in which the reference adds them.
pub(super) const ROLES: [&str; 7] =
    ["bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"];
/// Lists of tokens with none.
pub(super) const LISTS: [&str; 2] = ["additional_special_tokens", "extra_special_tokens"];

/// A token that a file names, and where.
struct Named<'a> {
    token: AddedToken,
    place: Node<'a>,
}

impl FolderFiles {
    /// Puts the tokens into a definition, which came from `file`. `roles_have_flags` where the flags of a token with a role
    /// count even if the definition has the token: those of a vocabulary were guessed.
    ///
    /// Errors: tokens that are written in no known way; an id that is not the token's.
    pub(crate) fn add_tokens(
        &self,
        definition: &mut Definition,
        file: &str,
        roles_have_flags: bool,
    ) -> Result<(), LoadError> {
        let special = self.special()?;
        let is_special = |token: &AddedToken| special.iter().any(|named| named.token.content == token.content);
        let mut table = Table::new(definition);
        match self.decoder()? {
            Some(listed) => {
                for Named { mut token, place } in listed {
                    if table.find(&token.content).is_none_or(|known| *known != token) {
                        token.special |= is_special(&token);
                        table.put(token, Some(&place), file)?;
                    }
                }
            }
            None => {
                for Named { token, place } in self.numbered()? {
                    let special = is_special(&token);
                    let known = table.find(&token.content).cloned();
                    let token = AddedToken { special, normalized: !special, ..token };
                    let id = token.id;
                    table.put(known.map_or(token, |known| AddedToken { id, ..known }), Some(&place), file)?;
                }
            }
        }
        for Named { mut token, place } in special {
            let flags = roles_have_flags && matches!(place.json, Json::Object(_)) && !self.lists_all()?;
            if flags || table.find(&token.content).is_none() {
                token.id = table.id_of(&token.content, &place, file)?;
                table.put(token, None, file)?;
            }
        }
        definition.added_tokens.sort_by_key(|token| token.id);
        Ok(())
    }

    /// Whether the configuration lists all added tokens.
    pub(super) fn lists_all(&self) -> Result<bool, LoadError> {
        let listed = self.config()?.and_then(|mut fields| fields.take("added_tokens_decoder"));
        Ok(listed.is_some_and(|node| *node.json != Json::Null))
    }

    /// The special token of a role, where a file names it.
    pub(super) fn role(&self, role: &str) -> Result<Option<String>, LoadError> {
        let named = self.named(role)?;
        Ok(named.into_iter().next().map(|named| named.token.content))
    }

    /// Whether `added_tokens.json` has a token.
    pub(super) fn numbers(&self, token: &str) -> bool {
        matches!(&self.added_tokens, Some(Json::Object(entries)) if entries.iter().any(|(content, _)| content == token))
    }

    /// The tokens of `added_tokens_decoder`, by rising id.
    fn decoder(&self) -> Result<Option<Vec<Named<'_>>>, LoadError> {
        let Some(mut config) = self.config()? else { return Ok(None) };
        config.optional("added_tokens_decoder", |node| {
            let Json::Object(entries) = node.json else { return Err(node.unexpected("an object of ids and tokens")) };
            let mut by_id = node.fields()?;
            let mut tokens = Vec::with_capacity(entries.len());
            for (key, _) in entries {
                let id: Id = key.parse().map_err(|_| node.error_at(key, "the name is not an id"))?;
                let place = by_id.required(key)?;
                tokens.push(Named { token: AddedToken { id, ..token(&place, false)? }, place });
            }
            tokens.sort_by_key(|named| named.token.id);
            Ok(tokens)
        })
    }

    /// The tokens of `added_tokens.json`, by rising id.
    fn numbered(&self) -> Result<Vec<Named<'_>>, LoadError> {
        let Some(json) = &self.added_tokens else { return Ok(vec![]) };
        let node = Node::root(ADDED_TOKENS, json);
        let Json::Object(entries) = json else { return Err(node.unexpected("an object of tokens and ids")) };
        let mut fields = node.fields()?;
        let mut tokens = Vec::with_capacity(entries.len());
        for (content, _) in entries {
            let place = fields.required(content)?;
            tokens.push(Named { token: AddedToken::special(content, place.number()?), place });
        }
        tokens.sort_by_key(|named| named.token.id);
        Ok(tokens)
    }

    /// All tokens with a role and those of the lists.
    fn special(&self) -> Result<Vec<Named<'_>>, LoadError> {
        let mut all = vec![];
        for name in ROLES.into_iter().chain(LISTS) {
            all.extend(self.named(name)?);
        }
        Ok(all)
    }

    /// The tokens under a name: the map's before the configuration's, unless that lists all added tokens.
    fn named(&self, name: &str) -> Result<Vec<Named<'_>>, LoadError> {
        let (config, all) = (self.config()?, self.lists_all()?);
        let map = self.special_tokens_map.as_ref().filter(|_| !all);
        let map = map.map(|json| Node::root(SPECIAL_TOKENS_MAP, json).fields()).transpose()?;
        let of_map = map.and_then(|mut fields| fields.take(name));
        let of_config = config.and_then(|mut fields| fields.take(name));
        if LISTS.contains(&name) {
            let mut all = of_config.map_or(Ok(vec![]), |node| listed(&node, false))?;
            all.extend(of_map.map_or(Ok(vec![]), |node| listed(&node, true))?);
            return Ok(all);
        }
        match (of_map, of_config) {
            (Some(node), _) => one(&node, true),
            (None, Some(node)) => one(&node, false),
            (None, None) => Ok(vec![]),
        }
    }
}

/// A token, or none of `null` and of what is empty.
fn one<'a>(node: &Node<'a>, special: bool) -> Result<Vec<Named<'a>>, LoadError> {
    if *node.json == Json::Null {
        return Ok(vec![]);
    }
    let token = AddedToken { special: true, ..token(node, special)? };
    Ok(if token.content.is_empty() { vec![] } else { vec![Named { token, place: node.clone() }] })
}

/// The tokens of a list, or of an object of names and tokens.
fn listed<'a>(node: &Node<'a>, special: bool) -> Result<Vec<Named<'a>>, LoadError> {
    let nodes = match node.json {
        Json::Null => vec![],
        Json::Object(entries) => {
            let mut fields = node.fields()?;
            entries.iter().filter_map(|(name, _)| fields.take(name)).collect()
        }
        _ => node.items()?,
    };
    Ok(nodes.iter().map(|node| one(node, special)).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// A token as a string or as an object with flags; without an id. `special` is what it is where nothing says so.
fn token(node: &Node<'_>, special: bool) -> Result<AddedToken, LoadError> {
    if let Json::String(content) = node.json {
        return Ok(AddedToken::special(content, 0));
    }
    let mut fields = node.fields()?;
    let content = fields.required("content")?.string()?;
    let special = fields.optional("special", Node::boolean)?.unwrap_or(special);
    let token = AddedToken {
        special,
        single_word: fields.switch("single_word")?,
        lstrip: fields.switch("lstrip")?,
        rstrip: fields.switch("rstrip")?,
        normalized: fields.optional("normalized", Node::boolean)?.unwrap_or(!special),
        ..AddedToken::special(content, 0)
    };
    for harmless in ["__type", "id"] {
        fields.take(harmless);
    }
    fields.end()?;
    Ok(token)
}

/// The added tokens of a definition, by content.
struct Table<'a> {
    definition: &'a mut Definition,
    places: FxHashMap<String, usize>,
    next: Id,
}

impl<'a> Table<'a> {
    fn new(definition: &'a mut Definition) -> Self {
        let tokens = &definition.added_tokens;
        let places = tokens.iter().enumerate().map(|(at, token)| (token.content.clone(), at)).collect();
        let size = definition.model.vocab().len() as Id;
        let next = tokens.iter().map(|token| token.id.saturating_add(1)).max().unwrap_or_default().max(size);
        Self { definition, places, next }
    }

    fn find(&self, content: &str) -> Option<&AddedToken> {
        self.places.get(content).map(|&at| &self.definition.added_tokens[at])
    }

    /// The id that a token has or gets.
    ///
    /// Errors: one that another token of the model has.
    fn id_of(&self, content: &str, place: &Node<'_>, file: &str) -> Result<Id, LoadError> {
        let vocab = self.definition.model.vocab();
        let known = self.find(content).map(|token| token.id).or_else(|| vocab.id(content.as_bytes()));
        let id = known.unwrap_or(self.next);
        if known.is_none() && vocab.token(id).is_some() {
            let problem = format!("{content:?} would get id {id}, which another token has in {file}");
            return Err(place.error(problem).hint("do the files belong to one tokenizer?"));
        }
        Ok(id)
    }

    /// Puts a token in, or its flags in place of those that it has.
    ///
    /// Errors: its id is not the one that it has or gets, if `place` says that a file named it.
    fn put(&mut self, token: AddedToken, place: Option<&Node<'_>>, file: &str) -> Result<(), LoadError> {
        if token.content.is_empty() {
            return Ok(());
        }
        if let Some(place) = place {
            let id = self.id_of(&token.content, place, file)?;
            if id != token.id {
                let has = if id == self.next { "would get" } else { "has" };
                let problem =
                    format!("{:?} is said to have id {}, but {has} id {id} in {file}", token.content, token.id);
                return Err(place.error(problem).hint("do the files belong to one tokenizer?"));
            }
        }
        self.next = self.next.max(token.id.saturating_add(1));
        match self.places.get(&token.content) {
            Some(&at) => self.definition.added_tokens[at] = token,
            None => {
                self.places.insert(token.content.clone(), self.definition.added_tokens.len());
                self.definition.added_tokens.push(token);
            }
        }
        Ok(())
    }
}
