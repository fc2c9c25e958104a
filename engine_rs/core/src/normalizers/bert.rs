//! BERT's clean-up of a text: control characters, ideographs, accents, case.
//!
//! Four steps, each of which can be switched off, done one after the other on an aligned text: easy to follow, and what
//! the fast path is tested against. Not here: that fast path, which does all four in one look-up
//! ([`crate::fast::wordpiece`]); splitting into words ([`crate::pretokenizers::bert`]).
//!
//! Source: `BasicTokenizer` in google-research/bert; exact as `BertNormalizer` in `tokenizers` has it.

use crate::alignment::AlignedText;
use crate::normalizers::forms::nfd;
use crate::unicode::{is_control, is_ideograph, is_nonspacing, is_space, lower};

/// The normalizer `BertNormalizer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BertNormalizer {
    /// Remove control characters and turn white space into spaces.
    pub(crate) clean_text: bool,
    /// Put spaces around ideographs, which makes each a pretoken.
    pub handle_chinese_chars: bool,
    /// Decompose and remove nonspacing marks; `None` does what `lowercase` says.
    pub(crate) strip_accents: Option<bool>,
    /// Lower case, character by character.
    pub lowercase: bool,
}

impl BertNormalizer {
    /// The rules of the uncased models.
    pub const UNCASED: Self =
        Self { clean_text: true, handle_chinese_chars: true, strip_accents: None, lowercase: true };
    /// The rules of the cased models.
    pub const CASED: Self = Self { lowercase: false, ..Self::UNCASED };

    /// Whether one of the switches is on.
    pub(crate) fn may_change(self) -> bool {
        self.clean_text || self.handle_chinese_chars || self.strip_accents.unwrap_or(self.lowercase) || self.lowercase
    }

    /// A normalizer with these switches, in the order of the reference.
    pub(crate) const fn new(
        clean_text: bool,
        handle_chinese_chars: bool,
        strip_accents: Option<bool>,
        lowercase: bool,
    ) -> Self {
        Self { clean_text, handle_chinese_chars, strip_accents, lowercase }
    }

    /// Whether accents go.
    pub(crate) fn strips_accents(self) -> bool {
        self.strip_accents.unwrap_or(self.lowercase)
    }

    /// Normalizes the text in place.
    pub fn normalize(self, aligned: &mut AlignedText) {
        if self.clean_text {
            aligned.filter(|c| !is_control(c));
            aligned.expand(|c| std::iter::once(if is_space(c) { ' ' } else { c }));
        }
        if self.handle_chinese_chars {
            aligned.expand(|c| {
                let around = is_ideograph(c).then_some(' ');
                around.into_iter().chain([c]).chain(around)
            });
        }
        if self.strips_accents() {
            nfd(aligned);
            aligned.filter(|c| !is_nonspacing(c));
        }
        if self.lowercase {
            aligned.expand(lower);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalized(normalizer: BertNormalizer, text: &str) -> String {
        let mut aligned = AlignedText::new(text, 0);
        normalizer.normalize(&mut aligned);
        aligned.text().to_owned()
    }

    #[test]
    fn each_switch_does_its_step() {
        const OFF: BertNormalizer = BertNormalizer::new(false, false, Some(false), false);
        let text = "A\u{7f}\tÉ中İ";
        for (normalizer, expected) in [
            (OFF, text),
            (BertNormalizer { clean_text: true, ..OFF }, "A É中İ"),
            (BertNormalizer { handle_chinese_chars: true, ..OFF }, "A\u{7f}\tÉ 中 İ"),
            (BertNormalizer { strip_accents: Some(true), ..OFF }, "A\u{7f}\tE中I"),
            (BertNormalizer { lowercase: true, ..OFF }, "a\u{7f}\té中i\u{307}"),
            (BertNormalizer { lowercase: true, strip_accents: None, ..OFF }, "a\u{7f}\te中i"),
            (BertNormalizer::CASED, "A É 中 İ"),
            (BertNormalizer::UNCASED, "a e 中 i"),
        ] {
            assert_eq!(normalized(normalizer, text), expected, "{normalizer:?}");
        }
    }

    #[test]
    fn spans_cover_what_a_character_was_made_of() {
        let mut aligned = AlignedText::new("\u{feff}x\u{301}한İ", 0);
        BertNormalizer::UNCASED.normalize(&mut aligned);
        assert_eq!(aligned.text(), "x\u{1112}\u{1161}\u{11ab}i");
        let spans: Vec<_> =
            aligned.text().char_indices().map(|(at, c)| aligned.span(at..at + c.len_utf8()).range()).collect();
        assert_eq!(spans, [3..4, 6..9, 6..9, 6..9, 9..11]);
    }

    #[test]
    fn example_of_bertnormalizer_normalize() {
        use crate::{alignment::AlignedText, normalizers::bert::BertNormalizer};
        let mut aligned = AlignedText::new("Café\t中\u{200d}", 0);
        BertNormalizer::UNCASED.normalize(&mut aligned);
        assert_eq!(aligned.text(), "cafe  中 ");
        assert_eq!(aligned.span(3..4).range(), 3..5); // "e" stands for "é"
    }
}
