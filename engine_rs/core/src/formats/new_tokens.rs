//! Tokens added to a tokenizer that is there already.
//!
//! Not here: reading those of a file ([`super::tokenizer_json`]).
//!
//! Source: `add_tokens` in `tokenizers`, whose ids these are.

use super::definition::Definition;
use crate::added_tokens::AddedToken;
use crate::ids::Id;

impl Definition {
    /// The definition with more added tokens; their `id` is not looked at. A token of the vocabulary keeps its id, the
    /// others are counted on from the size of the model's vocabulary, or from the largest id added so far. One that was
    /// added before gets the flags given now. Empty ones are left out.
    ///
    /// ```
    /// # use token_engine::{AddedToken, Definition, Vocab};
    /// # use token_engine::formats::definition::ModelDefinition;
    /// # use token_engine::models::Unknown;
    /// let mut vocab = Vocab::default();
    /// vocab.insert(0, b"a").unwrap();
    /// let model = ModelDefinition::WordLevel { vocab, unknown: Unknown::Token(0) };
    /// let more = Definition::new(model).with_tokens(["<pad>", "a"].map(|token| AddedToken::special(token, 0)).to_vec());
    /// assert_eq!(more.added_tokens.iter().map(|token| token.id).collect::<Vec<_>>(), [0, 1]);
    /// ```
    #[must_use]
    pub fn with_tokens(mut self, tokens: Vec<AddedToken>) -> Self {
        let vocab = self.model.vocab();
        let size = vocab.len() as Id;
        let largest = self.added_tokens.iter().map(|token| token.id).max();
        let mut next = largest.filter(|&largest| largest >= size).map_or(size, |largest| largest + 1);
        for mut token in tokens.into_iter().filter(|token| !token.content.is_empty()) {
            if let Some(known) = self.added_tokens.iter_mut().find(|known| known.content == token.content) {
                token.id = known.id;
                *known = token;
                continue;
            }
            token.id = vocab.id(token.content.as_bytes()).unwrap_or_else(|| {
                // A vocabulary with holes has tokens beyond its size.
                while vocab.token(next).is_some() {
                    next += 1;
                }
                next += 1;
                next - 1
            });
            self.added_tokens.push(token);
        }
        self.added_tokens.sort_by_key(|token| token.id);
        self
    }
}
