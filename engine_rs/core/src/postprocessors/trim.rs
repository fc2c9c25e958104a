//! Spans without the white space that byte-level tokens start and end with.
//!
//! Counted is what the token is spelled with, character by character, and the span loses as many characters of the text.
//!
//! Source: `trim_offsets` of `ByteLevel` and `RobertaProcessing` in the tokenizer.json format.

use crate::encoding::{Encoding, Spaces};
use crate::ids::Id;

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trim {
    /// Whether the one space that the first token starts with was put there by the pretokenizer and is in no span.
    pub add_prefix_space: bool,
}

impl Trim {
    /// Trims the spans of all tokens of one text or two; `spaces` is asked for those that stand for what the
    /// vocabulary has.
    pub(crate) fn trim(self, encoding: &mut Encoding, texts: &[&str], spaces: impl Fn(Id) -> Spaces) {
        for at in 0..encoding.len() {
            let (id, sequence) = (encoding.ids[at], encoding.sequence_ids[at]);
            // What stands for no text has no span to trim.
            let Some(text) = texts.get(usize::from(sequence)) else { continue };
            let Spaces { mut leading, trailing } = encoding.spaces_at(at).unwrap_or_else(|| spaces(id));
            let span = &mut encoding.spans[at];
            let first = at == 0 || span.start == 0;
            if first && self.add_prefix_space && leading == 1 {
                leading = 0;
            }
            if leading > 0 {
                let end = boundary(text, span.end, 1);
                let start = boundary(text, span.start, -1).min(end);
                let rest = text[start..end].char_indices().nth(leading).map_or(end, |(after, _)| start + after);
                span.start = rest.min(span.end as usize) as u32;
            }
            if trailing > 0 {
                let end = boundary(text, span.end, 1);
                // A text with fewer characters than that before the end is left alone.
                if let Some((new, _)) = text[..end].char_indices().rev().nth(trailing - 1) {
                    span.end = (new as u32).max(span.start);
                }
            }
        }
    }
}

/// The next character boundary in steps of `step` bytes; ends at the latest at an end of the text.
fn boundary(text: &str, at: u32, step: isize) -> usize {
    let mut at = (at as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at = at.saturating_add_signed(step);
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Sink;
    use crate::offsets::Span;

    #[test]
    fn spans_lose_the_spaces_of_their_tokens() {
        // Text, token, its span, whether a prefix is added, what is left of the span.
        for (text, token, span, add_prefix_space, expected) in [
            ("x a", "Ġa", 1..3, true, 2..3),
            (" a", "Ġa", 0..2, true, 0..2), // the space may be the one put in
            (" a", "Ġa", 0..2, false, 1..2),
            ("  a", "ĠĠa", 0..3, true, 2..3),
            ("a", "Ġa", 0..1, false, 1..1),
            ("x  ", "ĠĠ", 1..3, true, 3..3),
            ("x\u{3000}a", "\u{3000}a", 1..5, true, 4..5),
            ("xa ", "aĠ", 1..3, true, 1..2),
            ("語", "ª", 1..2, true, 1..2), // a part of a character stays as it is
        ] {
            let mut encoding = Encoding::default();
            encoding.begin_pretoken();
            encoding.push(7, Span::new(span.start, span.end));
            Trim { add_prefix_space }.trim(&mut encoding, &[text], |_| Spaces::of(token));
            // The first token counts as one the space was put before, wherever it is.
            let first = add_prefix_space && Spaces::of(token).leading == 1;
            assert_eq!(encoding.spans[0].range(), if first { span } else { expected }, "{text:?} {token:?}");
        }
    }

    #[test]
    fn example_of_trim_trim() {
        use crate::{
            encoding::{Encoding, Sink, Spaces},
            offsets::Span,
            postprocessors::trim::Trim,
        };
        let mut encoding = Encoding::default();
        encoding.begin_pretoken();
        encoding.push(0, Span::new(0, 1));
        encoding.push(1, Span::new(1, 4));
        let spaces = |id| Spaces { leading: id as usize, trailing: 0 };
        Trim { add_prefix_space: false }.trim(&mut encoding, &["a bc"], spaces);
        assert_eq!(encoding.spans[1].range(), 2..4);
    }
}
