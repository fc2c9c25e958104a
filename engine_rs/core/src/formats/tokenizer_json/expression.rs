//! `pattern` of splits and replacements, and what becomes of matches.

use super::json::{Json, Node};
use crate::alignment::Behavior;
use crate::error::{LoadError, SaveError};
use crate::matching::dialects::means_the_same;
use crate::matching::{Expression, Matcher, Replace};

/// For whom a document is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// For every reader of the format: what it lacks is an error.
    Standard,
    /// For this engine alone, which reads back the very same stages.
    Engine,
}

/// What becomes of matches.
pub(crate) const BEHAVIORS: [(&str, Behavior); 5] = [
    ("Removed", Behavior::Removed),
    ("Isolated", Behavior::Isolated),
    ("MergedWithPrevious", Behavior::MergedWithPrevious),
    ("MergedWithNext", Behavior::MergedWithNext),
    ("Contiguous", Behavior::Contiguous),
];

/// Reads `{"String": ..}`, `{"Regex": ..}` or, in the engine's own dialect, `{"FancyRegex": ..}`.
pub fn read(node: &Node<'_>) -> Result<Expression, LoadError> {
    let mut fields = node.fields()?;
    let expression = if let Some(text) = fields.take("String") {
        Expression::Text(text.string()?.to_owned())
    } else if let Some(regex) = fields.take("FancyRegex") {
        Expression::FancyRegex(regex.string()?.to_owned())
    } else {
        Expression::Regex(fields.required("Regex")?.string()?.to_owned())
    };
    fields.end()?;
    Ok(expression)
}

/// Reads a replacement: `pattern` and `content`.
pub(crate) fn read_replace(pattern: &Node<'_>, content: &Node<'_>) -> Result<Replace, LoadError> {
    let matcher = Matcher::new(read(pattern)?).map_err(|problem| pattern.error(problem.to_string()))?;
    Ok(Replace { matcher, content: content.string()?.to_owned() })
}

/// Writes an expression.
///
/// Errors: a pattern of tiktoken's dialect that means, or may mean, something else in the format's.
pub fn write(expression: &Expression, dialect: Dialect) -> Result<Json, SaveError> {
    match expression {
        Expression::Text(text) => Ok(Json::object([("String", text.as_str().into())])),
        Expression::FancyRegex(pattern) if dialect == Dialect::Engine => {
            Ok(Json::object([("FancyRegex", pattern.as_str().into())]))
        }
        Expression::FancyRegex(pattern) if !means_the_same(pattern) => Err(SaveError::new(
            "tokenizer.json",
            format!("the pattern {pattern:?}"),
            "it is written for tiktoken, and the format's regular expressions (Oniguruma) may read it otherwise",
        )),
        Expression::Regex(pattern) | Expression::FancyRegex(pattern) => {
            Ok(Json::object([("Regex", pattern.as_str().into())]))
        }
    }
}
