//! `added_tokens`.
//!
//! The reference does not take ids from here: a token of the model keeps the model's id, and the others are counted on from
//! the size of the model's vocabulary, or from the largest id added so far. In files that it wrote that is the same.

use rustc_hash::FxHashMap;

use super::json::{Json, Node};
use crate::added_tokens::AddedToken;
use crate::error::{LoadError, SaveError};
use crate::ids::Id;
use crate::vocab::Vocab;

/// Reads the tokens; `vocab` is the model's.
pub fn read(node: &Node<'_>, vocab: &Vocab) -> Result<Vec<AddedToken>, LoadError> {
    let mut tokens: Vec<AddedToken> = vec![];
    let mut places: FxHashMap<String, usize> = FxHashMap::default();
    let mut next = vocab.len() as Id;
    for item in node.items()? {
        let mut token = read_token(&item)?;
        let content = token.content.clone();
        if content.is_empty() {
            continue;
        }
        if let Some(&place) = places.get(&content) {
            // The later one counts, under the same id.
            token.id = tokens[place].id;
            tokens[place] = token;
            continue;
        }
        token.id = vocab.id(content.as_bytes()).unwrap_or(next);
        if token.id == next {
            next += 1;
            if vocab.token(token.id).is_some_and(|other| other != content.as_bytes()) {
                let problem = format!("{content:?} would get id {}, which is another token's", token.id);
                let node = item.fields()?.required("id")?;
                return Err(node.error(problem).hint("ids go on from the number of tokens in the model's vocabulary"));
            }
        }
        places.insert(content, tokens.len());
        tokens.push(token);
    }
    tokens.sort_by_key(|token| token.id);
    Ok(tokens)
}

/// Reads one token with the id that the file gives it.
pub(crate) fn read_token(node: &Node<'_>) -> Result<AddedToken, LoadError> {
    let mut fields = node.fields()?;
    let id = fields.required("id")?.number()?;
    let content = fields.required("content")?.string()?.to_owned();
    let mut flag = |name| fields.required(name)?.boolean();
    let token = AddedToken {
        content,
        id,
        special: flag("special")?,
        single_word: flag("single_word")?,
        lstrip: flag("lstrip")?,
        rstrip: flag("rstrip")?,
        normalized: flag("normalized")?,
    };
    fields.ignore_rest();
    Ok(token)
}

/// Writes the tokens, by rising id, as the reference does; `vocab` is the model's.
///
/// Errors: ids that a reader would not give them.
pub fn write(tokens: &[AddedToken], vocab: &Vocab) -> Result<Json, SaveError> {
    let mut tokens: Vec<_> = tokens.iter().collect();
    tokens.sort_by_key(|token| token.id);
    let mut next = vocab.len() as Id;
    for token in &tokens {
        let id = vocab.id(token.content.as_bytes()).unwrap_or(next);
        next += Id::from(id == next);
        if id != token.id {
            let what = format!("the added token {:?} with id {}", token.content, token.id);
            let problem = format!("ids of added tokens go on from the number of tokens there, so it would get id {id}");
            return Err(SaveError::new("tokenizer.json", what, problem));
        }
    }
    Ok(Json::Array(tokens.into_iter().map(write_token).collect()))
}

/// Writes one token with its id.
pub(crate) fn write_token(token: &AddedToken) -> Json {
    Json::object([
        ("id", token.id.into()),
        ("content", token.content.as_str().into()),
        ("single_word", token.single_word.into()),
        ("lstrip", token.lstrip.into()),
        ("rstrip", token.rstrip.into()),
        ("normalized", token.normalized.into()),
        ("special", token.special.into()),
    ])
}
