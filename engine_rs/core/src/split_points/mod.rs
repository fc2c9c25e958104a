//! Split points: positions at which a text falls into two parts that are encoded independently of each other.
//!
//! At a split point, `encode(text) = encode(left) ++ encode(right)`, whatever else the two parts hold. So what an edit
//! changes lies between the last split point before it and the first one behind it, and only that is encoded again. A
//! split point is recognized by the characters around it, so both sides of an edit are looked at in the text before it and
//! after it alike.
//!
//! Each stage has a proof of its own, and a position is a split point if all of them hold there:
//!
//! | stage | what is proved | where |
//! | --- | --- | --- |
//! | added tokens | no spelling reaches across, or takes what is behind | [`added_tokens`] |
//! | normalizer | it makes the same of each side as of the whole | [`normalizer`] |
//! | pretokenizer | a pretoken starts there, or none does and both sides are in one | [`pretokenizer`] |
//! | model | within a pretoken, tokens on one side do not depend on the other | [`model`] |
//! | postprocessor | it works on tokens one by one; what it adds belongs to the whole text ([`Tokenizer::encode_part`]) | |
//!
//! There are three compositions: patterns of byte-level BPE, BERT, and white space behind a word for all other stages
//! ([`white_space`]), which may have more of them between characters of text without spaces ([`characters`]) and between those of
//! ASCII ([`ascii_pairs`]). The tests try every split point of generated texts, for every kind of tokenizer.

mod added_tokens;
pub(crate) mod ascii_pairs;
mod characters;
mod model;
pub(crate) mod normalizer;
mod pretokenizer;
#[cfg(test)]
mod tests;
pub mod white_space;

use std::sync::Arc;

use crate::added_tokens::{AddedTokens, Specials};
use crate::models::Model;
use crate::normalizers::Normalizer;
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::characters::Classes;
use crate::stages::Stages;
use crate::tokenizer::Tokenizer;
use white_space::WhiteSpace;

/// Finds the split points of a tokenizer.
#[derive(Clone, Copy)]
pub struct SplitPoints<'a> {
    tokenizer: &'a Tokenizer,
    specials: Specials,
    rule: Rule<'a>,
    /// Whether spellings of added tokens may start or end at a split point.
    may_touch: bool,
}

/// What tells a split point.
#[derive(Clone, Copy)]
enum Rule<'a> {
    Pattern(Classes),
    Bert { ideographs: bool },
    WhiteSpace(&'a WhiteSpace),
    Never,
}

impl Rule<'_> {
    /// That of stages that have one of their own.
    fn of(stages: &Stages, added: &AddedTokens) -> Option<Self> {
        match (&stages.normalizer, &stages.pretokenizer, &stages.model) {
            (None, Some(Pretokenizer::Pattern(pattern)), Model::ByteBpe(_)) => {
                Some(if pretokenizer::is_proved(*pattern) { Rule::Pattern(Classes::get()) } else { Rule::Never })
            }
            (Some(Normalizer::Bert(bert)), Some(Pretokenizer::Bert), Model::WordPiece(_))
                if !added.has_normalized() =>
            {
                Some(Rule::Bert { ideographs: bert.handle_chinese_chars })
            }
            _ => None,
        }
    }
}

/// Where texts of these stages can be split at white space; `None` if nowhere, or if another rule applies to them.
pub fn at_white_space(stages: &Stages, added: &AddedTokens) -> Option<Arc<WhiteSpace>> {
    if Rule::of(stages, added).is_some() {
        return None;
    }
    WhiteSpace::of(stages, added).map(Arc::new)
}

impl<'a> SplitPoints<'a> {
    /// Those of texts that are encoded with `specials`.
    pub fn new(tokenizer: &'a Tokenizer, specials: Specials) -> Self {
        let parts = tokenizer.parts();
        let own = Rule::of(&parts.stages, &parts.added);
        let rule = own.unwrap_or_else(|| {
            parts
                .white_space
                .as_ref()
                .filter(|it| !it.carries_sums)
                .map_or(Rule::Never, |spaces| Rule::WhiteSpace(spaces))
        });
        let plain = parts.added.is_plain(specials);
        let rule = if matches!(rule, Rule::Bert { .. }) && !plain { Rule::Never } else { rule };
        let may_touch = plain && !matches!(rule, Rule::WhiteSpace(_));
        Self { tokenizer, specials, rule, may_touch }
    }

    /// Whether there are any but the ends of the text.
    pub fn exist(self) -> bool {
        !matches!(self.rule, Rule::Never)
    }

    /// Whether `at`, a character boundary, is a split point of `text`.
    ///
    /// ```
    /// # use token_engine::{Specials, Vocab};
    /// # use token_engine::internals::split_points::SplitPoints;
    /// # use token_engine::formats::tiktoken;
    /// # use token_engine::pretokenizers::scanners::Pattern;
    /// # let mut vocab = Vocab::default();
    /// # for byte in 0..=255u8 { vocab.insert(byte.into(), &[byte]).unwrap(); }
    /// let tokenizer = tiktoken::from_ranks(vocab, Pattern::R50k, &[]).build("example").unwrap();
    /// let (points, text) = (SplitPoints::new(&tokenizer, Specials::Text), "to be, or 42");
    /// let found: Vec<usize> = (0..=text.len()).filter(|&at| points.is_split_point(text, at)).collect();
    /// assert_eq!(found, [0, 2, 5, 6, 9, 12]); // to| be|,| or| 42
    /// ```
    pub fn is_split_point(self, text: &str, at: usize) -> bool {
        let (Some(before), Some(behind)) = (text[..at].chars().next_back(), text[at..].chars().next()) else {
            return true;
        };
        let added = &self.tokenizer.parts().added;
        self.between(before, behind)
            && !added.reaches_across(text, at, self.specials)
            && (self.may_touch || !added.touches(text, at, self.specials))
    }

    /// Whether both sides of a split point are in one pretoken.
    pub fn are_in_pretokens(self) -> bool {
        matches!(self.rule, Rule::WhiteSpace(WhiteSpace { in_pretoken: true, .. }))
    }

    fn between(self, before: char, behind: char) -> bool {
        match self.rule {
            Rule::Pattern(classes) => pretokenizer::starts_between(classes, before, behind),
            Rule::Bert { ideographs } => pretokenizer::ends_bert_word(before, ideographs),
            Rule::WhiteSpace(spaces) => spaces.is_between(before, behind),
            Rule::Never => false,
        }
    }
}
