//! Where a string or a regular expression matches: what stages split at and replace.
//!
//! Regular expressions of tokenizer.json files are written for Oniguruma; [`oniguruma`] rewrites them for the engine
//! used here, which steps back a bounded number of times: a pattern that needs more is an error, never a hang.
//! Not here: scanners written by hand for the patterns of well-known tokenizers (`pretokenizers::scanners`).
//!
//! Source: `Pattern` of the tokenizer.json format, `{"String": ..}` or `{"Regex": ..}`.

pub mod dialects;
pub mod oniguruma;
pub mod prefixes;

use std::ops::Range;

use fancy_regex::{Regex, RegexBuilder};

use crate::alignment::Aligned;
use crate::error::{GaveUp, PatternError};

/// How often one search may step back. Oniguruma allows ten times as many at one place of the text, but then its caller
/// panics.
const STEPS: usize = 1_000_000;

/// What to look for, as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// This very text.
    Text(String),
    /// A regular expression in the syntax of Oniguruma.
    Regex(String),
    /// A regular expression in the syntax of the crate `fancy-regex`, which tiktoken uses.
    FancyRegex(String),
}

/// Finds an expression.
#[derive(Clone, Debug)]
pub struct Matcher {
    expression: Expression,
    /// `None` for a text.
    regex: Option<Regex>,
}

impl PartialEq for Matcher {
    fn eq(&self, other: &Self) -> bool {
        self.expression == other.expression
    }
}

impl Matcher {
    /// A matcher for the expression.
    ///
    /// Errors: a regular expression that is none, or that uses what the engine does not have.
    pub fn new(expression: Expression) -> Result<Self, PatternError> {
        let build =
            |pattern: &str| RegexBuilder::new(pattern).backtrack_limit(STEPS).build().map_err(|e| e.to_string());
        let regex = match &expression {
            Expression::Text(_) => None,
            Expression::Regex(pattern) => {
                Some((pattern, oniguruma::translate(pattern).and_then(|regex| build(&regex))))
            }
            Expression::FancyRegex(pattern) => Some((pattern, build(pattern))),
        };
        let regex = regex
            .map(|(pattern, built)| built.map_err(|problem| PatternError { pattern: pattern.clone(), problem }))
            .transpose()?;
        Ok(Self { expression, regex })
    }

    /// What it looks for.
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// All matches from left to right, without overlap. An empty match does not follow another match at once. The empty
    /// text has none.
    ///
    /// ```
    /// # use token_engine::matching::{Expression, Matcher};
    /// let matcher = Matcher::new(Expression::Regex(r"\s*".into())).unwrap();
    /// assert_eq!(matcher.find_all("a  b").unwrap(), [0..0, 1..3, 4..4]);
    /// let bad = Matcher::new(Expression::Regex(r"(a*)*\1c".into())).unwrap();
    /// assert!(bad.find_all(&("a".repeat(40) + "b")).is_err());
    /// ```
    pub fn find_all(&self, text: &str) -> Result<Vec<Range<usize>>, GaveUp> {
        if text.is_empty() {
            return Ok(vec![]);
        }
        match (&self.expression, &self.regex) {
            (Expression::Text(wanted), _) => {
                Ok(text.match_indices(wanted.as_str()).map(|(at, found)| at..at + found.len()).collect())
            }
            (Expression::Regex(pattern) | Expression::FancyRegex(pattern), Some(regex)) => {
                find_all(regex, text).map_err(|error| GaveUp { pattern: pattern.clone(), problem: error.to_string() })
            }
            (_, None) => Ok(vec![]),
        }
    }
}

fn find_all(regex: &Regex, text: &str) -> Result<Vec<Range<usize>>, Box<fancy_regex::Error>> {
    let mut matches: Vec<Range<usize>> = vec![];
    let mut at = 0;
    while at <= text.len() {
        let Some(found) = regex.find_from_pos(text, at).map_err(Box::new)? else { break };
        let range = found.range();
        if range.is_empty() && matches.last().is_some_and(|last| last.end == range.end) {
            // On to the next character, or beyond the end.
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        } else {
            at = range.end;
            matches.push(range);
        }
    }
    Ok(matches)
}

/// Every match replaced by one and the same text: a normalizer and a decoder.
#[derive(Clone, Debug, PartialEq)]
pub struct Replace {
    /// What is replaced.
    pub matcher: Matcher,
    /// By what.
    pub content: String,
}

impl Replace {
    /// Replaces in an aligned text.
    pub fn normalize(&self, aligned: &mut Aligned) -> Result<(), GaveUp> {
        let mut matches = self.matcher.find_all(aligned.text())?;
        // A character that is replaced by itself stays as it is, with its span.
        matches.retain(|found| aligned.text()[found.clone()] != *self.content || self.content.chars().nth(1).is_some());
        if !matches.is_empty() {
            aligned.replace(&matches, &self.content);
        }
        Ok(())
    }

    /// Replaces in a string.
    ///
    /// ```
    /// # use token_engine::matching::{Expression, Matcher, Replace};
    /// let matcher = Matcher::new(Expression::Text("▁".into())).unwrap();
    /// let replace = Replace { matcher, content: " ".into() };
    /// assert_eq!(replace.replaced("▁a▁b").unwrap(), " a b");
    /// ```
    pub fn replaced(&self, text: &str) -> Result<String, GaveUp> {
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for found in self.matcher.find_all(text)? {
            out.push_str(&text[at..found.start]);
            out.push_str(&self.content);
            at = found.end;
        }
        out.push_str(&text[at..]);
        Ok(out)
    }
}

#[cfg(test)]
mod tests;
