//! White space and control characters as in systems for machine translation: some are dropped, some become a space.
//!
//! Source: `nmt_nfkc` in sentencepiece's `builder.cc`; `Nmt` of the tokenizer.json format, which differs from it in
//! nothing but what NFKC adds.

use crate::alignment::AlignedText;

/// Removes and replaces.
pub(crate) fn normalize(text: &mut AlignedText) {
    text.filter(|c| !matches!(c, '\u{1}'..='\u{8}' | '\u{b}' | '\u{e}'..='\u{1f}' | '\u{7f}' | '\u{8f}' | '\u{9f}'));
    text.expand(|c| {
        let space = matches!(
            c,
            '\t' | '\n' | '\u{c}' | '\r' | '\u{1680}' | '\u{200b}'
                ..='\u{200f}' | '\u{2028}' | '\u{2029}' | '▁' | '\u{feff}' | '\u{fffd}'
        );
        std::iter::once(if space { ' ' } else { c })
    });
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_normalize() {
        use crate::{alignment::AlignedText, normalizers::nmt};
        let mut text = AlignedText::new("a\tb\u{1}\u{200d}\u{a0}c", 0);
        nmt::normalize(&mut text);
        assert_eq!(text.text(), "a b \u{a0}c");
    }
}
