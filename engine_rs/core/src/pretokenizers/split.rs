//! Splits at the matches of a text or a regular expression.
//!
//! Where the expression is a pattern that a hand-written scanner knows, the scanner finds the matches.
//! Not here: the engine for all other expressions ([`crate::matching`]).
//!
//! Source: `Split` of the tokenizer.json format.

use std::ops::Range;

use regex_syntax::hir::{Class, Hir, HirKind};

use super::Each;
use crate::alignment::{self, Behavior, Part};
use crate::error::{EncodeError, PatternError};
use crate::matching::{Expression, Matcher};
use crate::pretokenizers::scanners::Pattern;

/// The pretokenizer `Split`.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    matcher: Matcher,
    behavior: Behavior,
    invert: bool,
    scanner: Option<Pattern>,
    /// Whether no match holds a space, nor depends on what is beside it.
    keeps_off_spaces: bool,
}

impl Split {
    /// A pretokenizer that does with matches what `behavior` says; `invert`ed, with what is between them.
    ///
    /// Errors: a regular expression that is none.
    pub(crate) fn new(expression: Expression, behavior: Behavior, invert: bool) -> Result<Self, PatternError> {
        let scanner = match (&expression, behavior, invert) {
            // The matches of these patterns cover every text, so that nothing is between them.
            (Expression::Regex(regex), Behavior::Isolated, _) | (Expression::Regex(regex), Behavior::Removed, true) => {
                Pattern::by_regex(regex)
            }
            (Expression::FancyRegex(regex), Behavior::Isolated, _)
            | (Expression::FancyRegex(regex), Behavior::Removed, true) => Pattern::by_tiktoken_regex(regex),
            _ => None,
        };
        let keeps_off_spaces = keeps_off_spaces(&expression);
        Ok(Self { matcher: Matcher::new(expression)?, behavior, invert, scanner, keeps_off_spaces })
    }

    /// Whether a text is split at a space, and what is on one side of it does not matter to the other: only matches
    /// stay, and none holds a space or looks at what is beside it.
    pub(crate) fn drops_spaces(&self) -> bool {
        self.invert && self.behavior == Behavior::Removed && self.keeps_off_spaces
    }

    /// What it looks for.
    pub fn expression(&self) -> &Expression {
        self.matcher.expression()
    }

    /// What becomes of matches.
    pub fn behavior(&self) -> Behavior {
        self.behavior
    }

    /// Whether it is done to what is between the matches instead.
    pub fn is_inverted(&self) -> bool {
        self.invert
    }

    /// The scanner that does the same, if there is one.
    pub fn scanner(&self) -> Option<Pattern> {
        self.scanner
    }

    /// Whether it runs a regular expression that no scanner knows.
    pub(crate) fn runs_regex(&self) -> bool {
        self.scanner.is_none() && self.matcher.is_regex()
    }

    /// Calls `each` with the bytes of the parts of `text`, from left to right. They do not overlap; if matches are dropped, there
    /// are gaps between them. `each` is of any type: as a parameter, the matchers would be compiled for each sink and processor.
    ///
    /// Errors: an expression that tries too many ways to match; those of `each`.
    pub fn for_each_range(
        &self,
        text: &str,
        each: &mut dyn FnMut(Range<usize>) -> Result<(), EncodeError>,
    ) -> Result<(), EncodeError> {
        let matches = self.matcher.matches(text).map(|found| Ok(found?));
        alignment::for_each_part(text.len(), matches, self.invert, self.behavior, |range| {
            if range.is_empty() { Ok(()) } else { each(range) }
        })
    }

    /// Calls `each` with the parts of a part of a text.
    ///
    /// Errors: an expression that tries too many ways to match; those of `each`.
    pub(crate) fn split(&self, part: &Part<'_>, each: &mut Each<'_>) -> Result<(), EncodeError> {
        if let Some(pattern) = self.scanner {
            return super::scanners::split(pattern, part, each);
        }
        let matches = self.matcher.matches(part.text()).map(|found| Ok(found?));
        if self.invert {
            part.split_inverted(matches, self.behavior, each)
        } else {
            part.split(matches, self.behavior, each)
        }
    }
}

fn keeps_off_spaces(expression: &Expression) -> bool {
    let (Expression::Regex(regex) | Expression::FancyRegex(regex)) = expression else { return false };
    regex_syntax::parse(regex).is_ok_and(|hir| hir.properties().look_set().is_empty() && !can_hold_space(&hir))
}

fn can_hold_space(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(literal) => literal.0.contains(&b' '),
        HirKind::Class(Class::Unicode(class)) => {
            class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&' '))
        }
        HirKind::Class(Class::Bytes(class)) => {
            class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&b' '))
        }
        HirKind::Repetition(repetition) => can_hold_space(&repetition.sub),
        HirKind::Capture(capture) => can_hold_space(&capture.sub),
        HirKind::Concat(all) | HirKind::Alternation(all) => all.iter().any(can_hold_space),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_split_new() {
        use crate::{
            alignment::{AlignedText, Behavior},
            matching::Expression,
            pretokenizers::split::Split,
        };
        let (text, mut parts) = (AlignedText::new("a-b--c", 0), vec![]);
        let split = Split::new(Expression::Regex("-+".into()), Behavior::MergedWithPrevious, false).unwrap();
        split
            .split(&text.whole(), &mut |part| {
                parts.push(part.text().to_owned());
                Ok(())
            })
            .unwrap();
        assert_eq!(parts, ["a-", "b--", "c"]);
    }
}
