//! Split patterns by name, for files that do not hold theirs, and those that a caller writes as a regular expression.
//!
//! Not here: the scanners that most names stand for ([`crate::pretokenizers::scanners`]).
//!
//! Source: tiktoken `openai_public.py`; the tokenizer.json of DeepSeek-V3; `tokenization_kimi.py` of Kimi-K2.

use crate::alignment::Behavior;
use crate::error::PatternError;
use crate::matching::Expression;
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::scanners::{Pattern, deepseek};
use crate::pretokenizers::split::Split;

/// As o200k, with Han for itself.
const KIMI: &str = concat!(
    r"[\p{Han}]+",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
);

/// All names, in the order they are shown.
pub fn names() -> impl Iterator<Item = &'static str> {
    Pattern::NAMES.into_iter().map(|(name, _)| name).chain(["deepseek", "kimi"])
}

/// The names as a list, for messages.
pub(crate) fn list() -> String {
    names().collect::<Vec<_>>().join(", ")
}

/// The pretokenizer of a name, or of a regular expression as tiktoken takes it: what the expression does not match is left
/// out of the text.
///
/// Errors: a regular expression that is none; one word that is no name.
///
/// ```
/// # use token_engine::formats::patterns::read;
/// # use token_engine::pretokenizers::Pretokenizer;
/// # use token_engine::pretokenizers::scanners::Pattern;
/// assert_eq!(read("llama3"), Ok(Pretokenizer::Pattern(Pattern::Llama3)));
/// assert!(matches!(read(r"\p{L}+|\P{L}"), Ok(Pretokenizer::Split(_))));
/// assert!(read("gpt5").is_err() && read("(a").is_err());
/// ```
pub fn read(text: &str) -> Result<Pretokenizer, PatternError> {
    if let Some(pattern) = Pattern::by_name(text).or_else(|| Pattern::by_tiktoken_regex(text)) {
        return Ok(Pretokenizer::Pattern(pattern));
    }
    match text {
        "deepseek" => {
            let split = |regex: &str| Split::new(Expression::Regex(regex.into()), Behavior::Isolated, false);
            Ok(Pretokenizer::Sequence(
                deepseek::REGEXES
                    .into_iter()
                    .map(|regex| split(regex).map(Pretokenizer::Split))
                    .collect::<Result<_, _>>()?,
            ))
        }
        "kimi" => expression(KIMI),
        // A pattern of letters alone would leave all other text out; it is a name that nobody has.
        name if name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c)) => {
            let problem = format!("no pattern has this name; known are {}", list());
            Err(PatternError { pattern: name.to_owned(), problem })
        }
        regex => expression(regex),
    }
}

/// Its matches are the pretokens.
fn expression(regex: &str) -> Result<Pretokenizer, PatternError> {
    let expression = Expression::FancyRegex(regex.to_owned());
    Split::new(expression, Behavior::Removed, true).map(Pretokenizer::Split)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pretokens::Pretokens;

    fn pretokens(pattern: &str, text: &str) -> Vec<String> {
        let mut pretokens = Pretokens::new(text, 0);
        read(pattern).expect("a pattern").pretokenize(&mut pretokens).expect("few ways to match");
        pretokens.iter().map(|pretoken| pretoken.text.text().to_owned()).collect()
    }

    #[test]
    fn patterns_split() {
        let cases: [(&str, &str, &[&str]); 6] = [
            ("deepseek", "a 12345漢字かな!b  c\n", &["a", " ", "123", "45", "漢字かな", "!b", " ", " c", "\n"]),
            ("kimi", "Hi漢字's 2024", &["Hi", "漢字", "'s", " ", "202", "4"]),
            ("llama3", "1234\n  ", &["123", "4", "\n", "  "]),
            ("cl100k_base", "1234\n  ", &["123", "4", "\n  "]),
            ("qwen2", "12a", &["1", "2", "a"]),
            (r"\p{L}+", "ab cd", &["ab", "cd"]),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(pretokens(pattern, text), expected, "{pattern}");
        }
    }

    #[test]
    fn all_names_are_patterns() {
        for name in names() {
            assert!(read(name).is_ok(), "{name}");
        }
        assert!(read("gpt5").unwrap_err().to_string().contains("known are gpt2, r50k_base"));
        assert!(read("").is_err());
    }
}
