//! Split points: positions at which a text falls into two parts that are encoded independently of each other.
//!
//! At a split point, `encode(text) = encode(left) ++ encode(right)`, whatever else the two parts hold. So what an edit
//! changes lies between the last split point before it and the first one behind it, and only that is encoded again. A
//! split point is told by the characters around it, so both sides of an edit are looked at in the text before it and
//! after it alike.
//!
//! **Byte-level BPE.** A scanner finds each pretoken from the text behind its start alone, so the right part is encoded
//! as it stands if a pretoken starts at the split point, and the left part if none of its pretokens reads on and
//! decides otherwise where the text ends. Take `a|b`, the characters beside the split point.
//! * `b` is a blank (white space, no newline) and `a` is no white space. No alternative of the patterns has a blank
//!   but at its start or in a run of white space, so a pretoken ends at the split point. Those before it end with no
//!   run of white space, so they read at most the one character that stops a run, or the letters of a contraction; a
//!   blank is neither more nor less than the end of the text to both.
//! * `a` is a letter or a number, `b` is white space or of the class "other" and no apostrophe. Letters and numbers are in
//!   runs of their own kind, or in a contraction, and nothing of `b`'s kind may follow them in the same pretoken. They are
//!   stopped by `b` as by the end of the text.
//!
//! **BERT.** White space and punctuation of ASCII end a word, before a split point as well as behind it; the same holds
//! of ideographs where the normalizer sets them apart. The clean-up works character by character, but for
//! decomposition, which lets marks change places among those that follow one base: all of these characters are bases,
//! and the split point is behind them.
//!
//! **Added tokens**: no spelling reaches across a split point ([`added_tokens`]). For BERT, whose split points may be after
//! white space, tokens that take white space or ask for their neighbours rule all of them out.
//!
//! **Other stages**: spaces after words, where that is proved ([`spaces`]).
//! The tests try every split point of generated texts.

mod added_tokens;
pub mod spaces;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::added_tokens::{AddedTokens, Specials};
use crate::models::Model;
use crate::normalizers::Normalizer;
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::characters::{BLANK, Classes, LETTER, NUMBER, OTHER, SPACE};
use crate::pretokenizers::scanners::Pattern;
use crate::stages::Stages;
use crate::tokenizer::Tokenizer;
use spaces::Spaces;

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
    Split(Classes),
    Bert { ideographs: bool },
    Space(&'a Spaces),
    Never,
}

impl Rule<'_> {
    /// That of stages that have one of their own.
    fn of(stages: &Stages, added: &AddedTokens) -> Option<Self> {
        match (&stages.normalizer, &stages.pretokenizer, &stages.model) {
            (None, Some(Pretokenizer::Pattern(pattern)), Model::ByteBpe(_)) => {
                Some(if is_proved(*pattern) { Rule::Split(Classes::get()) } else { Rule::Never })
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
pub fn at_white_space(stages: &Stages, added: &AddedTokens) -> Option<Arc<Spaces>> {
    if Rule::of(stages, added).is_some() {
        return None;
    }
    Spaces::of(stages, added).map(Arc::new)
}

impl<'a> SplitPoints<'a> {
    /// Those of texts that are encoded with `specials`.
    pub fn new(tokenizer: &'a Tokenizer, specials: Specials) -> Self {
        let parts = tokenizer.parts();
        let own = Rule::of(&parts.stages, &parts.added);
        let rule = own.unwrap_or_else(|| parts.spaces.as_ref().map_or(Rule::Never, |spaces| Rule::Space(spaces)));
        let plain = parts.added.is_plain(specials);
        let rule = if matches!(rule, Rule::Bert { .. }) && !plain { Rule::Never } else { rule };
        let may_touch = plain && !matches!(rule, Rule::Space(_));
        Self { tokenizer, specials, rule, may_touch }
    }

    /// Whether there are any but the ends of the text.
    pub fn exist(self) -> bool {
        !matches!(self.rule, Rule::Never)
    }

    /// Whether `at`, a character boundary, is a split point of `text`.
    ///
    /// ```
    /// # use token_engine::{added_tokens::Specials, split_points::SplitPoints, formats::tiktoken,
    /// vocab::Vocab};
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
        matches!(self.rule, Rule::Space(Spaces { in_pretoken: true, .. }))
    }

    fn between(self, before: char, behind: char) -> bool {
        match self.rule {
            Rule::Split(classes) => {
                let (a, b) = (classes.of(before), classes.of(behind));
                (b & BLANK != 0 && a & SPACE == 0)
                    || (a & (LETTER | NUMBER) != 0 && b & (SPACE | OTHER) != 0 && behind != '\'')
            }
            Rule::Bert { ideographs } => {
                matches!(before, ' ' | '\t' | '\n' | '\r')
                    || before.is_ascii_punctuation()
                    || (ideographs && matches!(before, '\u{4e00}'..='\u{9fff}'))
            }
            Rule::Space(spaces) => spaces.is_between(before, behind),
            Rule::Never => false,
        }
    }
}

/// Whether the reasons above hold for a pattern.
pub(super) fn is_proved(pattern: Pattern) -> bool {
    match pattern {
        Pattern::R50k | Pattern::Cl100k | Pattern::O200k | Pattern::Llama3 | Pattern::Qwen2 | Pattern::Tekken => true,
    }
}
