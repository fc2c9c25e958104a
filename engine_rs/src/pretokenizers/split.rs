//! Cuts at the matches of a text or a regular expression.
//!
//! Where the expression is a pattern that a hand-written scanner knows, the scanner finds the matches.
//! Not here: the engine for all other expressions ([`crate::matching`]).
//!
//! Source: `Split` of the tokenizer.json format.

use crate::alignment::Behavior;
use crate::error::{GaveUp, PatternError};
use crate::matching::{Expression, Matcher};
use crate::pieces::Pieces;
use crate::pretokenizers::scanners::Pattern;

/// The pretokenizer `Split`.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    matcher: Matcher,
    behavior: Behavior,
    invert: bool,
    scanner: Option<Pattern>,
}

impl Split {
    /// A pretokenizer that does with matches what `behavior` says; `invert`ed, with what is between them.
    ///
    /// Errors: a regular expression that is none.
    ///
    /// ```
    /// # use token_engine::{alignment::Behavior, matching::Expression, pieces::Pieces, pretokenizers::split::Split};
    /// let mut pieces = Pieces::new("a-b--c", 0);
    /// let split = Split::new(Expression::Regex("-+".into()), Behavior::MergedWithPrevious, false).unwrap();
    /// split.pretokenize(&mut pieces).unwrap();
    /// assert_eq!(pieces.iter().map(|piece| piece.text.text()).collect::<Vec<_>>(), ["a-", "b--", "c"]);
    /// ```
    pub fn new(expression: Expression, behavior: Behavior, invert: bool) -> Result<Self, PatternError> {
        let scanner = match (&expression, behavior, invert) {
            // The matches of these patterns cover every text, so that nothing is between them.
            (Expression::Regex(regex), Behavior::Isolated, _) | (Expression::Regex(regex), Behavior::Removed, true) => {
                Pattern::by_regex(regex)
            }
            (Expression::FancyRegex(regex), Behavior::Isolated, _)
            | (Expression::FancyRegex(regex), Behavior::Removed, true) => Pattern::by_tiktoken_regex(regex),
            _ => None,
        };
        Ok(Self { matcher: Matcher::new(expression)?, behavior, invert, scanner })
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

    /// Cuts every piece.
    ///
    /// Errors: an expression that tries too many ways to match.
    pub fn pretokenize(&self, pieces: &mut Pieces) -> Result<(), GaveUp> {
        if let Some(pattern) = self.scanner {
            super::scanners::pretokenize(pattern, pieces);
            return Ok(());
        }
        let mut failed = None;
        pieces.split(|_, piece, out| match self.matcher.find_all(piece.text()) {
            Ok(matches) if self.invert => piece.split_inverted(&matches, self.behavior, out),
            Ok(matches) => piece.split(&matches, self.behavior, out),
            Err(error) => failed = Some(error),
        });
        failed.map_or(Ok(()), Err)
    }
}
