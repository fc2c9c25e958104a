//! Splits at white space, which is dropped, and around every punctuation character.
//!
//! Not here: what counts as which ([`crate::unicode`]); ideographs stand alone because the normalizer puts spaces around
//! them.
//!
//! Source: `BasicTokenizer` in google-research/bert; `BertPreTokenizer` in `tokenizers`.

use std::convert::Infallible;
use std::ops::Range;

use super::Each;
use crate::alignment::Part;
use crate::error::EncodeError;
use crate::unicode::{is_punctuation, is_space};

/// Calls `each` with the pretokens of a part of a text.
///
/// Errors: those of `each`.
pub(crate) fn split_part(part: &Part<'_>, each: &mut Each<'_>) -> Result<(), EncodeError> {
    for_each_word(part.text(), |word| each(part.slice(word)))
}

/// Appends the spans of `text`'s pretokens to `out`: UTF-8 bytes, half-open, ordered, without the white space.
pub(crate) fn split(text: &str, out: &mut Vec<Range<usize>>) {
    let Ok(()) = for_each_word(text, |word| {
        out.push(word);
        Ok::<_, Infallible>(())
    });
}

fn for_each_word<E>(text: &str, mut each: impl FnMut(Range<usize>) -> Result<(), E>) -> Result<(), E> {
    let mut push = |word: Range<usize>| if word.is_empty() { Ok(()) } else { each(word) };
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let (space, punctuation) = (is_space(c), is_punctuation(c));
        if space || punctuation {
            push(start..at)?;
            start = at + c.len_utf8();
        }
        if punctuation {
            push(at..start)?;
        }
    }
    push(start..text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_where_the_reference_does() {
        let cases: &[(&str, &[&str])] = &[
            ("", &[]),
            (" \t\u{3000}", &[]),
            ("a b", &["a", "b"]),
            ("don't", &["don", "'", "t"]),
            ("¿qué?", &["¿", "qué", "?"]),
            ("a\u{b}b\u{85}c", &["a", "b", "c"]),
            ("中文", &["中文"]),
            ("1+1=2€", &["1", "+", "1", "=", "2€"]),
        ];
        for &(text, expected) in cases {
            let mut spans = vec![];
            split(text, &mut spans);
            assert_eq!(spans.into_iter().map(|span| &text[span]).collect::<Vec<_>>(), expected, "{text:?}");
        }
    }

    #[test]
    fn example_of_split() {
        use crate::pretokenizers::bert::split;
        let mut spans = vec![];
        split("Hey, you!?", &mut spans);
        assert_eq!(spans, [0..3, 3..4, 5..8, 8..9, 9..10]);
    }
}
