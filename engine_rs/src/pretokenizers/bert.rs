//! Splits at white space, which goes away, and around every punctuation character.
//!
//! Not here: what counts as which ([`crate::unicode`]); ideographs stand alone because the normalizer puts spaces around
//! them.
//!
//! Source: `BasicTokenizer` in google-research/bert; `BertPreTokenizer` in `tokenizers`.

use std::ops::Range;

use crate::pieces::Pieces;
use crate::unicode::{is_punctuation, is_space};

/// Splits every piece.
pub fn pretokenize(pieces: &mut Pieces) {
    pieces.split(|_, piece, out| {
        let mut words = vec![];
        split(piece.text(), &mut words);
        out.extend(words.into_iter().map(|word| piece.slice(word)));
    });
}

/// Appends the spans of `text`'s pretokens to `out`: UTF-8 bytes, half-open, ordered, without the white space.
///
/// ```
/// # use token_engine::pretokenizers::bert::split;
/// let mut spans = vec![];
/// split("Hey, you!?", &mut spans);
/// assert_eq!(spans, [0..3, 3..4, 5..8, 8..9, 9..10]);
/// ```
pub fn split(text: &str, out: &mut Vec<Range<usize>>) {
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let (space, punctuation) = (is_space(c), is_punctuation(c));
        if space || punctuation {
            push(out, start..at);
            start = at + c.len_utf8();
        }
        if punctuation {
            push(out, at..start);
        }
    }
    push(out, start..text.len());
}

fn push(out: &mut Vec<Range<usize>>, span: Range<usize>) {
    if !span.is_empty() {
        out.push(span);
    }
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
}
