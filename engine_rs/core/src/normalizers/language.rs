//! Rules of single languages and scripts that no general normalizer knows.
//!
//! They are this engine's own, meant to be put into a sequence; the tokenizer.json format has no name for them.
//!
//! Source: UCD `SpecialCasing.txt` for Turkish; Habash 2010, "Introduction to Arabic Natural Language Processing",
//! section 3.2 for diacritics and tatweel; Unicode chapter 12.1 for the nukta; chapter 18.5 for full-width forms.

use crate::alignment::{AlignedText, Change};
use crate::unicode::lower;

/// A rule of one language or script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Lower case as in Turkish and Azerbaijani: `I` becomes `ı`, `İ` becomes `i`.
    TurkishLowercase,
    /// `ß` becomes `ss` and `ẞ` becomes `SS`, as in Switzerland.
    GermanSharpS,
    /// Arabic vowel signs, shadda, superscript alef and the signs of the Quran are dropped.
    ArabicDiacritics,
    /// The stroke that makes Arabic words longer, U+0640, is dropped.
    ArabicTatweel,
    /// Devanagari letters lose the dot below, also where it is a part of the letter: `क़` becomes `क`.
    HindiNukta,
    /// Full-width letters, digits and signs become ASCII, the ideographic space a space.
    FullWidth,
}

impl Rule {
    /// All rules, with the names by which people choose them.
    pub(crate) const NAMES: [(&str, Self); 6] = [
        ("turkish_lowercase", Self::TurkishLowercase),
        ("german_sharp_s", Self::GermanSharpS),
        ("arabic_diacritics", Self::ArabicDiacritics),
        ("arabic_tatweel", Self::ArabicTatweel),
        ("hindi_nukta", Self::HindiNukta),
        ("full_width", Self::FullWidth),
    ];

    /// The rule of this name.
    pub(crate) fn by_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, rule)| rule)
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, rule)| *rule == self).map_or("", |(name, _)| name)
    }

    /// Changes the text in place.
    pub(crate) fn normalize(self, text: &mut AlignedText) {
        match self {
            Self::TurkishLowercase => turkish_lowercase(text),
            Self::GermanSharpS => text.expand(|c| {
                let (both, count) = match c {
                    'ß' => ('s', 2),
                    'ẞ' => ('S', 2),
                    other => (other, 1),
                };
                std::iter::repeat_n(both, count)
            }),
            Self::ArabicDiacritics => text.filter(|c| {
                !matches!(c, '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}'
                    | '\u{6df}'..='\u{6e4}' | '\u{6e7}' | '\u{6e8}' | '\u{6ea}'..='\u{6ed}')
            }),
            Self::ArabicTatweel => text.filter(|c| c != '\u{640}'),
            Self::HindiNukta => {
                text.filter(|c| c != '\u{93c}');
                text.expand(|c| std::iter::once(without_nukta(c)));
            }
            Self::FullWidth => text.expand(|c| {
                std::iter::once(match c {
                    '！'..='～' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
                    '\u{3000}' => ' ',
                    other => other,
                })
            }),
        }
    }
}

/// Lower case, where a dot above that follows `I` makes it `i` and is dropped.
fn turkish_lowercase(text: &mut AlignedText) {
    let mut changes = Vec::with_capacity(text.text().len());
    let mut rest = text.text().chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            'I' if rest.next_if_eq(&'\u{307}').is_some() => changes.extend([Change::Become('i'), Change::Drop]),
            'I' => changes.push(Change::Become('ı')),
            'İ' => changes.push(Change::Become('i')),
            other => {
                let mut small = lower(other);
                changes.push(small.next().map_or(Change::Drop, Change::Become));
                changes.extend(small.map(Change::Insert));
            }
        }
    }
    text.rewrite(changes);
}

/// The letter that one with a nukta is made from.
fn without_nukta(c: char) -> char {
    match c {
        'ऩ' => 'न',
        'ऱ' => 'र',
        'ऴ' => 'ळ',
        '\u{958}' => 'क',
        '\u{959}' => 'ख',
        '\u{95a}' => 'ग',
        '\u{95b}' => 'ज',
        '\u{95c}' => 'ड',
        '\u{95d}' => 'ढ',
        '\u{95e}' => 'फ',
        '\u{95f}' => 'य',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_do_what_they_say() {
        for (rule, text, expected) in [
            (Rule::TurkishLowercase, "DİYARBAKIR Ilıca I\u{307}ÇÖ", "diyarbakır ılıca içö"),
            (Rule::GermanSharpS, "Straße STRAẞE", "Strasse STRASSE"),
            (Rule::ArabicDiacritics, "مُحَمَّد ٱللَّٰه", "محمد ٱلله"),
            (Rule::ArabicTatweel, "مـــرحبا", "مرحبا"),
            (Rule::HindiNukta, "क\u{93c}लम \u{95b}रा ऩ", "कलम जरा न"),
            (Rule::FullWidth, "Ｈｉ！　１２～ｶ", "Hi! 12~ｶ"),
        ] {
            let mut aligned = AlignedText::new(text, 0);
            rule.normalize(&mut aligned);
            assert_eq!(aligned.text(), expected, "{rule:?}");
            assert_eq!(Rule::by_name(rule.name()), Some(rule));
        }
    }

    #[test]
    fn spans_follow() {
        let mut aligned = AlignedText::new("aßb", 0);
        Rule::GermanSharpS.normalize(&mut aligned);
        assert_eq!((aligned.span(1..3).range(), aligned.span(3..4).range()), (1..3, 3..4));
        let mut aligned = AlignedText::new("I\u{307}x", 0);
        Rule::TurkishLowercase.normalize(&mut aligned);
        assert_eq!((aligned.span(0..1).range(), aligned.span(1..2).range()), (0..1, 3..4));
    }

    #[test]
    fn example_of_rule_normalize() {
        use crate::{alignment::AlignedText, normalizers::language::Rule};
        let mut text = AlignedText::new("ISPARTA", 0);
        Rule::TurkishLowercase.normalize(&mut text);
        assert_eq!(text.text(), "ısparta");
    }
}
