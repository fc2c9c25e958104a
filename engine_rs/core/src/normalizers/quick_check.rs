//! Which stretches of a text a normalization form can change at all: most texts have few of them, or none.
//!
//! A character is *plain* where the form leaves it as it is, puts it together with nothing before it and moves it nowhere.
//! What is before a plain character and what is behind it are normalized independently, so that a stretch goes from one
//! plain character to the next. Marks in canonical order that are composed with nothing change nothing either.
//!
//! Not here: the forms themselves ([`super::forms`]).
//!
//! Source: UAX #15, section 9, Detecting Normalization Forms.

use std::ops::Range;
use std::sync::LazyLock;

use super::forms::Form;
use crate::unicode::{combining_class, composes_with_what_is_before, for_each_in_forms};

/// What the form does with a character: its combining class, which is 0 for a plain one, or [`CHANGES`].
type Kind = u8;

/// It may become something else. No combining class is as large.
const CHANGES: Kind = 255;

const HANGUL: Range<usize> = 0xac00..0xd7a4;

/// The characters of one form.
pub struct QuickCheck {
    /// By code point; pages that nobody asks for take no memory.
    kinds: Vec<Kind>,
}

static CHECKS: [LazyLock<QuickCheck>; 4] = [
    LazyLock::new(|| QuickCheck::new(Form::Nfc)),
    LazyLock::new(|| QuickCheck::new(Form::Nfd)),
    LazyLock::new(|| QuickCheck::new(Form::Nfkc)),
    LazyLock::new(|| QuickCheck::new(Form::Nfkd)),
];

impl QuickCheck {
    /// That of a form; made when first asked for.
    pub fn of(form: Form) -> &'static Self {
        match form {
            Form::Nfc => &CHECKS[0],
            Form::Nfd => &CHECKS[1],
            Form::Nfkc => &CHECKS[2],
            Form::Nfkd => &CHECKS[3],
        }
    }

    fn new(form: Form) -> Self {
        let mut kinds = vec![0; 0x11_0000];
        let composes = matches!(form, Form::Nfc | Form::Nfkc);
        if !composes {
            kinds[HANGUL].fill(CHANGES);
        }
        for_each_in_forms(|c| {
            let stays = form.changes(c.encode_utf8(&mut [0; 4])) == [crate::alignment::Change::Become(c)];
            let alone = !composes || !composes_with_what_is_before(c);
            kinds[c as usize] = if stays && alone { combining_class(c) } else { CHANGES };
        });
        Self { kinds }
    }

    /// Whether a character is plain.
    #[inline]
    pub(crate) fn is_plain(&self, c: char) -> bool {
        self.kinds[c as usize] == 0
    }

    /// The stretches of `text` outside of which the form changes nothing, in order: bytes, each from a plain character, or
    /// the start of the text, to the next plain one, or the end.
    ///
    /// ```
    /// # use token_engine::normalizers::forms::Form;
    /// # use token_engine::normalizers::quick_check::QuickCheck;
    /// let stretches = |text| QuickCheck::of(Form::Nfc).stretches(text).collect::<Vec<_>>();
    /// assert!(stretches("naïve 日本 กี่").is_empty());
    /// assert_eq!(stretches("cafe\u{301}s"), vec![3..6]);
    /// ```
    pub fn stretches(&'static self, text: &str) -> impl Iterator<Item = Range<usize>> {
        let mut from = 0;
        std::iter::from_fn(move || {
            let found = self.next(text, from)?;
            from = found.end;
            Some(found)
        })
    }

    /// The first stretch that starts at byte `from` or behind it; `from` starts a plain character, or the text.
    fn next(&self, text: &str, from: usize) -> Option<Range<usize>> {
        let bytes = text.as_bytes();
        let (mut at, mut plain, mut class) = (from, from, 0);
        loop {
            if bytes.get(at).is_some_and(u8::is_ascii) {
                at = ascii_until(bytes, at);
                (plain, class) = (at - 1, 0);
            }
            let c = text[at..].chars().next()?;
            let kind = self.kinds[c as usize];
            // Marks stand in the order of their classes.
            if kind != 0 && (kind == CHANGES || kind < class) {
                break;
            }
            if kind == 0 {
                plain = at;
            }
            class = kind;
            at += c.len_utf8();
        }
        let len = text[at..].char_indices().skip(1).find(|&(_, c)| self.is_plain(c)).map(|(offset, _)| offset);
        Some(plain..len.map_or(text.len(), |len| at + len))
    }
}

/// Where the run of ASCII that starts at byte `at` ends.
#[inline]
fn ascii_until(bytes: &[u8], mut at: usize) -> usize {
    while let Some(some) = bytes[at..].first_chunk::<16>()
        && some.is_ascii()
    {
        at += 16;
    }
    at + bytes[at..].iter().take_while(|byte| byte.is_ascii()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::AlignedText;
    use crate::testing::Random;

    const FORMS: [Form; 4] = [Form::Nfc, Form::Nfd, Form::Nfkc, Form::Nfkd];

    fn by_definition(form: Form, text: &str) -> AlignedText {
        let mut aligned = AlignedText::new(text, 3);
        aligned.rewrite(form.changes(text));
        aligned
    }

    fn assert_same(text: &str) {
        for form in FORMS {
            let mut aligned = AlignedText::new(text, 3);
            form.normalize(&mut aligned);
            assert_eq!(aligned, by_definition(form, text), "{form:?} of {text:?}");
        }
    }

    #[test]
    fn every_character_between_others() {
        let mut characters: Vec<char> = ('\0'..='\u{24f}').chain('\u{ac00}'..='\u{ac20}').collect();
        for_each_in_forms(|c| characters.extend([c as u32, c as u32 + 1].into_iter().filter_map(char::from_u32)));
        for text in characters.chunks(8).map(|some| some.iter().flat_map(|&c| ['a', c, '\u{301}']).collect::<String>())
        {
            assert_same(&text);
        }
    }

    #[test]
    fn equals_the_definition_on_what_forms_change() {
        let mut characters = vec![];
        for_each_in_forms(|c| characters.push(c));
        characters.extend("aeo한가각 日\u{93c}\u{915}".chars());
        let mut random = Random::new(5);
        for _ in 0..10_000 {
            let other = |random: &mut Random| *random.pick(&['a', ' ', '\u{301}', '\u{323}', 'e', '日']);
            let text: String = (0..1 + random.below(8))
                .map(|_| if random.below(3) == 0 { other(&mut random) } else { *random.pick(&characters) })
                .collect();
            assert_same(&text);
        }
    }

    #[test]
    fn texts_in_use_hardly_change() {
        let stretches = |text| QuickCheck::of(Form::Nfc).stretches(text).count();
        for text in ["plain", "Ünïcödé", "Тест", "漢字かな交じり", "한국어", "مَدِينَة", "ที่นี่", "Việt Nam"]
        {
            assert_eq!(stretches(text), 0, "{text}");
        }
        assert_eq!(stretches("e\u{301}, e\u{301}"), 2);
    }
}
