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
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    let mut next = vocab.len() as Id;
    for item in node.items()? {
        let mut fields = item.fields()?;
        let id_node = fields.required("id")?;
        let written: Id = id_node.number()?;
        let content = fields.required("content")?.string()?;
        let mut flag = |name| fields.required(name)?.boolean();
        let mut token = AddedToken {
            content: content.to_owned(),
            id: written,
            special: flag("special")?,
            single_word: flag("single_word")?,
            lstrip: flag("lstrip")?,
            rstrip: flag("rstrip")?,
            normalized: flag("normalized")?,
        };
        fields.end()?;
        if content.is_empty() {
            continue;
        }
        if let Some(&place) = places.get(content) {
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
                return Err(id_node
                    .error(problem)
                    .hint("ids go on from the number of tokens in the model's vocabulary"));
            }
        }
        places.insert(content, tokens.len());
        tokens.push(token);
    }
    tokens.sort_by_key(|token| token.id);
    Ok(tokens)
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
    let token = |token: &AddedToken| {
        Json::object([
            ("id", token.id.into()),
            ("content", token.content.as_str().into()),
            ("single_word", token.single_word.into()),
            ("lstrip", token.lstrip.into()),
            ("rstrip", token.rstrip.into()),
            ("normalized", token.normalized.into()),
            ("special", token.special.into()),
        ])
    };
    Ok(Json::Array(tokens.into_iter().map(token).collect()))
}
