//! Special tokens that stand in the text as they are spelled: found before any other stage runs.
//!
//! Of several that match at one place the longest wins; matches never overlap.
//! Not here: special tokens that a template puts around the text ([`crate::postprocessors`]).

use aho_corasick::{AhoCorasick, MatchKind};

use crate::ids::Id;
use crate::offsets::Span;

/// What to do with text that spells a special token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Specials {
    /// It stands for the token.
    #[default]
    Parse,
    /// It is text like any other.
    Text,
    /// It is an error.
    Reject,
}

/// A stretch of text: ordinary, or one special token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Goes through the pipeline.
    Text(Span),
    /// Is this token.
    Special(Id, Span),
}

/// The special tokens and the automaton that finds them.
#[derive(Clone, Debug, Default)]
pub struct AddedTokens {
    tokens: Vec<(String, Id)>,
    finder: Option<AhoCorasick>,
}

impl AddedTokens {
    /// Special tokens by their spelling. Empty spellings are left out: they would match everywhere.
    ///
    /// # Panics
    /// Where the spellings together are longer than an automaton can hold (gigabytes).
    pub fn new(tokens: Vec<(String, Id)>) -> Self {
        let tokens: Vec<_> = tokens.into_iter().filter(|(text, _)| !text.is_empty()).collect();
        let finder = (!tokens.is_empty()).then(|| {
            AhoCorasick::builder()
                .match_kind(MatchKind::LeftmostLongest)
                .build(tokens.iter().map(|(text, _)| text))
                .expect("special tokens are short")
        });
        Self { tokens, finder }
    }

    /// The special tokens, as given.
    pub fn tokens(&self) -> &[(String, Id)] {
        &self.tokens
    }

    /// Whether `id` is a special token.
    pub fn contains(&self, id: Id) -> bool {
        self.tokens.iter().any(|&(_, special)| special == id)
    }

    /// The spelling and the place of the first special token in `text`.
    pub fn find(&self, text: &str) -> Option<(&str, Span)> {
        let found = self.finder.as_ref()?.find(text)?;
        Some((&self.tokens[found.pattern()].0, Span::new(found.start(), found.end())))
    }

    /// The segments of `text` in order, without empty ones.
    ///
    /// ```
    /// # use token_engine::added_tokens::{AddedTokens, Segment};
    /// # use token_engine::offsets::Span;
    /// let added = AddedTokens::new(vec![("<|end|>".into(), 9)]);
    /// let segments: Vec<_> = added.segments("hi<|end|>").collect();
    /// assert_eq!(segments, [Segment::Text(Span::new(0, 2)), Segment::Special(9, Span::new(2, 9))]);
    /// ```
    pub fn segments(&self, text: &str) -> impl Iterator<Item = Segment> {
        let mut found = self.finder.as_ref().map(|finder| finder.find_iter(text)).into_iter().flatten();
        let mut next = found.next();
        let mut at = 0;
        std::iter::from_fn(move || match next {
            Some(special) if special.start() == at => {
                at = special.end();
                next = found.next();
                Some(Segment::Special(self.tokens[special.pattern()].1, Span::new(special.start(), special.end())))
            }
            _ => {
                let end = next.map_or(text.len(), |special| special.start());
                let start = std::mem::replace(&mut at, end);
                (start < end).then(|| Segment::Text(Span::new(start, end)))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_at_the_longest_special_token() {
        let added = AddedTokens::new(vec![("<a>".into(), 1), ("<a><b>".into(), 2), (String::new(), 3)]);
        let text = |start, end| Segment::Text(Span::new(start, end));
        let special = |id, start, end| Segment::Special(id, Span::new(start, end));
        let cases: &[(&str, &[Segment])] = &[
            ("", &[]),
            ("x", &[text(0, 1)]),
            ("<a>", &[special(1, 0, 3)]),
            ("<a><b>", &[special(2, 0, 6)]),
            ("<a><a>é<a>", &[special(1, 0, 3), special(1, 3, 6), text(6, 8), special(1, 8, 11)]),
        ];
        for (given, expected) in cases {
            assert_eq!(added.segments(given).collect::<Vec<_>>(), *expected, "{given:?}");
        }
    }
}
