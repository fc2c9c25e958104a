//! Splits that a class of characters decides: white space, punctuation, digits, one character; and pieces of equal
//! length.
//!
//! Not here: BERT's rule ([`super::bert`]), splits by an expression ([`super::split`]).
//!
//! Source: `Whitespace`, `WhitespaceSplit`, `Punctuation`, `Digits`, `CharDelimiterSplit` and `FixedLength` of the
//! tokenizer.json format.

use super::Each;
use crate::alignment::{Behavior, Part};
use crate::error::EncodeError;
use crate::unicode::{is_numeric, is_punctuation, is_space};

/// Runs of word characters, runs of all others but white space: `\w+|[^\w\s]+`.
///
/// Errors: those of `each`, here and below.
pub(crate) fn whitespace(part: &Part<'_>, each: &mut Each<'_>) -> Result<(), EncodeError> {
    #[derive(PartialEq, Clone, Copy)]
    enum Class {
        Word,
        Space,
        Other,
    }
    let class = |c: char| match c {
        c if regex_syntax::is_word_character(c) => Class::Word,
        c if is_space(c) => Class::Space,
        _ => Class::Other,
    };
    let text = part.text();
    let mut start = 0;
    let mut before = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let now = class(c);
        let run = before == Some(now) && at < text.len();
        if !run {
            if before.is_some_and(|class| class != Class::Space) {
                each(part.slice(start..at))?;
            }
            start = at;
        }
        before = Some(now);
    }
    Ok(())
}

/// Splits at white space, which is dropped.
pub(crate) fn whitespace_split(part: &Part<'_>, each: &mut Each<'_>) -> Result<(), EncodeError> {
    split_at(part, is_space, Behavior::Removed, each)
}

/// Splits at punctuation: of general category P, or one of ASCII's symbols.
pub(crate) fn punctuation(part: &Part<'_>, behavior: Behavior, each: &mut Each<'_>) -> Result<(), EncodeError> {
    split_at(part, is_punctuation, behavior, each)
}

/// Splits numbers off, digit by digit or run by run.
pub(crate) fn digits(part: &Part<'_>, individual: bool, each: &mut Each<'_>) -> Result<(), EncodeError> {
    split_at(part, is_numeric, if individual { Behavior::Isolated } else { Behavior::Contiguous }, each)
}

/// Splits at a character, which is dropped.
pub(crate) fn delimiter(part: &Part<'_>, delimiter: char, each: &mut Each<'_>) -> Result<(), EncodeError> {
    split_at(part, |c| c == delimiter, Behavior::Removed, each)
}

/// Pieces of `length` characters, the last one of what is left; a length of 0 leaves all as it is.
pub(crate) fn fixed_length(part: &Part<'_>, length: usize, each: &mut Each<'_>) -> Result<(), EncodeError> {
    if length == 0 {
        return each(part.clone());
    }
    let text = part.text();
    let starts = text.char_indices().map(|(at, _)| at).step_by(length);
    let ends = text.char_indices().map(|(at, _)| at).step_by(length).skip(1).chain([text.len()]);
    starts.zip(ends).try_for_each(|(start, end)| each(part.slice(start..end)))
}

fn split_at(
    part: &Part<'_>,
    is_separator: impl Fn(char) -> bool,
    behavior: Behavior,
    each: &mut Each<'_>,
) -> Result<(), EncodeError> {
    let matches = part.text().char_indices().filter(|&(_, c)| is_separator(c)).map(|(at, c)| Ok(at..at + c.len_utf8()));
    part.split(matches, behavior, each)
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_whitespace() -> Result<(), crate::error::EncodeError> {
        use crate::{alignment::AlignedText, pretokenizers::simple};
        let (text, mut words) = (AlignedText::new("Hey, how_are you?!", 0), vec![]);
        simple::whitespace(&text.whole(), &mut |part| {
            words.push(part.text().to_owned());
            Ok(())
        })?;
        assert_eq!(words, ["Hey", ",", "how_are", "you", "?!"]);
        Ok(())
    }

    #[test]
    fn example_of_digits() {
        use crate::{alignment::AlignedText, pretokenizers::simple};
        let split = |individual| {
            let (text, mut parts) = (AlignedText::new("a12½b", 0), vec![]);
            simple::digits(&text.whole(), individual, &mut |part| {
                parts.push(part.text().to_owned());
                Ok(())
            })
            .unwrap();
            parts
        };
        assert_eq!(split(false), ["a", "12½", "b"]);
        assert_eq!(split(true), ["a", "1", "2", "½", "b"]);
    }

    #[test]
    fn example_of_fixed_length() -> Result<(), crate::error::EncodeError> {
        use crate::{alignment::AlignedText, pretokenizers::simple};
        let (text, mut parts) = (AlignedText::new("日本語!", 0), vec![]);
        simple::fixed_length(&text.whole(), 3, &mut |part| {
            parts.push(part.text().to_owned());
            Ok(())
        })?;
        assert_eq!(parts, ["日本語", "!"]);
        Ok(())
    }
}
