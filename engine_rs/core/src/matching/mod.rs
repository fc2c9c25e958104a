//! Where a string or a regular expression matches: what stages split at and replace.
//!
//! Regular expressions of tokenizer.json files are written for Oniguruma; [`oniguruma`] rewrites them in the syntax of
//! `fancy-regex`. Plain ones run on automata, those with look-arounds on the matcher in [`backtracking`], and those with
//! references on `fancy-regex`, anchored at one position after the other. Steps are limited: a pattern that needs too many
//! is an error, never a hang.
//! Not here: scanners written by hand for the patterns of well-known tokenizers (`pretokenizers::scanners`).
//!
//! Source: `Pattern` of the tokenizer.json format, `{"String": ..}` or `{"Regex": ..}`.

mod automata;
pub(crate) mod backtracking;
pub(crate) mod dialects;
mod folding;
pub(crate) mod oniguruma;
pub mod prefixes;
mod properties;

use std::ops::Range;
use std::sync::OnceLock;

use fancy_regex::{Regex, RegexBuilder, RuntimeError};

use crate::alignment::AlignedText;
use crate::error::{PatternError, PatternLimit};
use automata::Automata;
use backtracking::Backtracking;

/// How often `fancy-regex` may step back at one position of a text: as often as Oniguruma, whose caller panics then.
const STEPS: usize = 10_000_000;

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
    /// What runs it, made when it is first used: most patterns of files have scanners of their own.
    runner: OnceLock<Runner>,
}

/// What runs a regular expression.
#[derive(Clone, Debug)]
enum Runner {
    /// Automata.
    Automata(Box<Automata>),
    /// [`Matcher::regex`] itself.
    FancyRegex,
    /// Look-arounds, atomic groups.
    Backtracking(Box<Backtracking>),
    /// References. The same expression, which matches at the position it is given or not at all.
    Anchored(Box<Regex>),
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
    pub(crate) fn new(expression: Expression) -> Result<Self, PatternError> {
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
        Ok(Self { expression, regex, runner: OnceLock::new() })
    }

    /// What it looks for.
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// The text it looks for, if that is no regular expression.
    pub(crate) fn text(&self) -> Option<&str> {
        if let Expression::Text(text) = &self.expression { Some(text) } else { None }
    }

    /// Whether it looks for a regular expression, and not for a text.
    pub(crate) fn is_regex(&self) -> bool {
        self.regex.is_some()
    }

    /// All matches from left to right, without overlap. An empty match does not follow another match at once. The empty
    /// text has none.
    ///
    /// Errors: a regular expression that tries too many ways to match; nothing follows.
    pub(crate) fn matches<'a>(
        &'a self,
        text: &'a str,
    ) -> impl Iterator<Item = Result<Range<usize>, PatternLimit>> + 'a {
        let (wanted, pattern) = match &self.expression {
            Expression::Text(wanted) => (Some(wanted.as_str()), ""),
            Expression::Regex(pattern) | Expression::FancyRegex(pattern) => (None, pattern.as_str()),
        };
        let wanted = wanted.filter(|_| !text.is_empty());
        let found = wanted.into_iter().flat_map(move |wanted| text.match_indices(wanted));
        let regex = self.regex.iter().filter(move |_| !text.is_empty());
        let gave_up = move |problem: String| PatternLimit { pattern: pattern.into(), problem };
        let found = found.map(|(at, found)| Ok(at..at + found.len()));
        let search = move |regex| self.runner.get_or_init(|| Runner::new(regex)).search(regex, text);
        found.chain(regex.flat_map(move |regex| matches(text, search(regex)).map(move |found| found.map_err(gave_up))))
    }

    /// The same as a list.
    ///
    /// Errors: as [`Self::matches`].
    pub(crate) fn find_all(&self, text: &str) -> Result<Vec<Range<usize>>, PatternLimit> {
        self.matches(text).collect()
    }
}

/// Finds the first match from a byte on.
type Search<'a> = Box<dyn FnMut(usize) -> Result<Option<Range<usize>>, String> + 'a>;

impl Runner {
    fn new(regex: &Regex) -> Self {
        let pattern = regex.as_str();
        if let Some(matcher) = Backtracking::new(pattern) {
            return Self::Backtracking(Box::new(matcher));
        }
        if backtracking::is_plain(pattern) {
            return Automata::new(pattern).map_or(Self::FancyRegex, |automata| Self::Automata(Box::new(automata)));
        }
        match build(&format!(r"\G(?:{pattern})")) {
            Ok(anchored) if !pattern.contains(r"\G") => Self::Anchored(Box::new(anchored)),
            _ => Self::FancyRegex,
        }
    }

    fn search<'a>(&'a self, regex: &'a Regex, text: &'a str) -> Search<'a> {
        match self {
            Self::Automata(automata) => {
                let mut search = automata.search(text);
                Box::new(move |from| Ok(search(from)))
            }
            Self::FancyRegex => Box::new(move |from| search(regex, text, from)),
            Self::Anchored(anchored) => Box::new(move |from| search_each(anchored, text, from)),
            Self::Backtracking(matcher) => {
                let mut search = matcher.search(text);
                Box::new(move |from| search(from).map_err(|error| error.to_string()))
            }
        }
    }
}

fn build(pattern: &str) -> Result<Regex, String> {
    RegexBuilder::new(pattern).backtrack_limit(STEPS).build().map_err(|error| error.to_string())
}

/// The first match from byte `from` on.
fn search(regex: &Regex, text: &str, from: usize) -> Result<Option<Range<usize>>, String> {
    let found = regex.find_from_pos(text, from).map_err(|error| in_words(&error))?;
    Ok(found.map(|found| found.range()))
}

/// The same with an expression that matches at one position: limits then hold for one position, as they do in Oniguruma.
fn search_each(anchored: &Regex, text: &str, from: usize) -> Result<Option<Range<usize>>, String> {
    let positions = text[from..].char_indices().map(|(at, _)| from + at).chain([text.len()]);
    positions.map(|at| search(anchored, text, at)).find(|found| !matches!(found, Ok(None))).unwrap_or(Ok(None))
}

fn in_words(error: &fancy_regex::Error) -> String {
    match error {
        fancy_regex::Error::RuntimeError(RuntimeError::BacktrackLimitExceeded) => {
            format!("needs more than {STEPS} steps at one position of the text")
        }
        fancy_regex::Error::RuntimeError(RuntimeError::StackOverflow) => {
            "has more than a million ways open at one position of the text".to_owned()
        }
        other => format!("fails: {other}"),
    }
}

/// All matches that a search finds. An error ends them.
fn matches<'a>(
    text: &'a str,
    mut search: impl FnMut(usize) -> Result<Option<Range<usize>>, String> + 'a,
) -> impl Iterator<Item = Result<Range<usize>, String>> + 'a {
    let mut at = 0;
    let mut last_end = None;
    std::iter::from_fn(move || {
        while at <= text.len() {
            let range = match search(at) {
                Ok(Some(range)) => range,
                Ok(None) => break,
                Err(error) => {
                    at = usize::MAX;
                    return Some(Err(error));
                }
            };
            if range.is_empty() && last_end == Some(range.end) {
                // On to the next character, or beyond the end.
                at += text[at..].chars().next().map_or(1, char::len_utf8);
            } else {
                (at, last_end) = (range.end, Some(range.end));
                return Some(Ok(range));
            }
        }
        at = usize::MAX;
        None
    })
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
    /// The matches in `text` that change it. A character that is replaced by itself stays as it is, with its span.
    pub(crate) fn matches(&self, text: &str) -> Result<Vec<Range<usize>>, PatternLimit> {
        let mut matches = self.matcher.find_all(text)?;
        matches.retain(|found| text[found.clone()] != *self.content || self.content.chars().nth(1).is_some());
        Ok(matches)
    }

    /// Replaces [`Self::matches`] in an aligned text.
    pub(crate) fn apply(&self, matches: &[Range<usize>], aligned: &mut AlignedText) {
        if !matches.is_empty() {
            aligned.replace(matches, &self.content);
        }
    }

    /// Replaces in a string; `None` if the result has more than `room` bytes.
    pub(crate) fn replaced(&self, text: &str, room: usize) -> Result<Option<String>, PatternLimit> {
        let matches = self.matcher.find_all(text)?;
        let gone: usize = matches.iter().map(ExactSizeIterator::len).sum();
        let len = (text.len() - gone).saturating_add(matches.len().saturating_mul(self.content.len()));
        if len > room {
            return Ok(None);
        }
        let mut out = String::with_capacity(len);
        let mut at = 0;
        for found in matches {
            out.push_str(&text[at..found.start]);
            out.push_str(&self.content);
            at = found.end;
        }
        out.push_str(&text[at..]);
        Ok(Some(out))
    }
}

#[cfg(test)]
mod tests;
