//! The values of one file, and what every kind of tokenizer reads of them.

use super::container::{Value, Values};
use crate::added_tokens::AddedToken;
use crate::error::{LoadError, Place};
use crate::ids::Id;
use crate::postprocessors::Postprocessor;
use crate::postprocessors::template::{Part, Template};
use crate::vocab::Vocab;

/// `tokenizer.ggml.token_type`.
pub(super) const UNKNOWN: i64 = 2;
pub(super) const CONTROL: i64 = 3;
const USER_DEFINED: i64 = 4;

/// The values of one file, and what is read of them.
pub(super) struct Source<'a> {
    pub(crate) file: &'a str,
    values: &'a Values,
    pub(crate) tokens: &'a [String],
    pub(crate) types: &'a [i64],
    /// `tokenizer.ggml.model`.
    pub(crate) model: &'a str,
}

impl<'a> Source<'a> {
    /// Errors: no tokenizer among the values, or one without types of its tokens.
    pub(crate) fn new(file: &'a str, values: &'a Values) -> Result<Self, LoadError> {
        let missing = |name: &str| error(file, name, "the value is missing").hint("does the file hold a tokenizer?");
        let Some(Value::String(model)) = values.get("tokenizer.ggml.model") else { return Err(missing("model")) };
        let Some(Value::Strings(tokens)) = values.get("tokenizer.ggml.tokens") else { return Err(missing("tokens")) };
        let types = match values.get("tokenizer.ggml.token_type") {
            Some(Value::Integers(types)) if types.len() == tokens.len() => types.as_slice(),
            Some(_) => return Err(error(file, "token_type", "is not one number for each token")),
            None => return Err(missing("token_type")),
        };
        Ok(Self { file, values, tokens, types, model })
    }

    pub(crate) fn error(&self, name: &str, problem: &str) -> LoadError {
        error(self.file, name, problem)
    }

    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.values.get(&format!("tokenizer.ggml.{name}"))
    }

    /// A switch, or `otherwise`.
    pub(crate) fn switch(&self, name: &str, otherwise: bool) -> Result<bool, LoadError> {
        match self.value(name) {
            None => Ok(otherwise),
            Some(Value::Bool(value)) => Ok(*value),
            Some(_) => Err(self.error(name, "is not true or false")),
        }
    }

    /// The id of a token, where the file says it.
    pub(crate) fn id(&self, name: &str) -> Result<Option<Id>, LoadError> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Integer(id)) if (0..self.tokens.len() as i128).contains(id) => Ok(Some(*id as Id)),
            Some(_) => Err(self.error(name, &format!("is not the id of one of the {} tokens", self.tokens.len()))),
        }
    }

    /// The scores, one for each token.
    pub(crate) fn scores(&self) -> Result<&[f64], LoadError> {
        let scores = match self.value("scores") {
            Some(Value::Floats(scores)) if scores.len() == self.tokens.len() => scores,
            _ => return Err(self.error("scores", "is not one number for each token")),
        };
        match scores.iter().position(|score| !score.is_finite()) {
            Some(at) => Err(self.error(&format!("scores[{at}]"), &format!("{} is not a finite number", scores[at]))),
            None => Ok(scores),
        }
    }

    /// The vocabulary as the file spells it.
    pub(crate) fn vocab(&self) -> Result<Vocab, LoadError> {
        let mut vocab = Vocab::with_capacity(self.tokens.len());
        for (id, token) in self.tokens.iter().enumerate() {
            vocab
                .insert(id as Id, token.as_bytes())
                .map_err(|refused| self.error(&format!("tokens[{id}]"), &refused.to_string()))?;
        }
        Ok(vocab)
    }

    /// Control tokens are special, those of a user are added.
    pub(crate) fn added_tokens(&self) -> Vec<AddedToken> {
        let added =
            self.types.iter().enumerate().filter(|&(_, kind)| matches!(*kind, UNKNOWN | CONTROL | USER_DEFINED));
        added
            .map(|(id, &kind)| AddedToken {
                special: kind != USER_DEFINED,
                ..AddedToken::special(self.tokens[id].clone(), id as Id)
            })
            .collect()
    }

    /// The tokens that begin and end a text, as a template; nothing where neither does. `begins` and `ends`: whether one does
    /// unless the file says otherwise.
    pub(crate) fn template(&self, begins: bool, ends: bool) -> Result<Option<Postprocessor>, LoadError> {
        let begins = self.switch("add_bos_token", begins)?;
        let ends = self.switch("add_eos_token", ends)?;
        let special = |wanted: bool, name: &str, type_id| -> Result<Option<Part>, LoadError> {
            if !wanted {
                return Ok(None);
            }
            let id =
                self.id(name)?.ok_or_else(|| self.error(name, "the value is missing, but the token is to be added"))?;
            Ok(Some(Part::Special { name: self.tokens[id as usize].clone(), ids: vec![id], type_id }))
        };
        let around = |sequence: u8| -> Result<Vec<Part>, LoadError> {
            let text = Some(Part::Sequence { sequence, type_id: sequence });
            let parts = [special(begins, "bos_token_id", sequence)?, text, special(ends, "eos_token_id", sequence)?];
            Ok(parts.into_iter().flatten().collect())
        };
        if !begins && !ends {
            return Ok(None);
        }
        let single = around(0)?;
        let pair = [single.clone(), around(1)?].concat();
        Ok(Some(Postprocessor::Template(Template { single, pair })))
    }
}

fn error(file: &str, name: &str, problem: &str) -> LoadError {
    LoadError::new(file, Place::Path(format!("tokenizer.ggml.{name}")), problem)
}
