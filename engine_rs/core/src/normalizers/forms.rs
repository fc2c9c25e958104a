//! The normalization forms of Unicode: NFC, NFD, NFKC, NFKD.
//!
//! Not here: the tables, which are those of [`crate::unicode`] and of Unicode 9; which stretches of a text need any of
//! this ([`super::quick_check`]).
//!
//! Source: UAX #15: decomposition D68, canonical ordering D109, composition D117.

use super::quick_check::QuickCheck;
use crate::alignment::{AlignedText, Change};
use crate::call;
use crate::unicode::{combining_class, compose, decompose, decompose_compatibly};

/// A normalization form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Decomposed, then composed.
    Nfc,
    /// Decomposed.
    Nfd,
    /// As NFC, and what only looks different is made the same.
    Nfkc,
    /// As NFD, and what only looks different is made the same.
    Nfkd,
}

impl Form {
    /// Brings the text into this form.
    ///
    /// A character that decomposes gives its span to all its parts; the spans of characters that are put together count
    /// from the first one on. Where marks change places, the spans do not ([`crate::alignment`] says why).
    pub(crate) fn normalize(self, aligned: &mut AlignedText) {
        let check = QuickCheck::of(self);
        let mut stretches = check.stretches(aligned.text()).peekable();
        if stretches.peek().is_none() {
            return;
        }
        // What is made of a cancelled call's text is not used.
        let stretches = stretches.take_while(|_| call::check().is_ok());
        *aligned = aligned.rewritten(stretches.map(|part| (part.clone(), self.changes(&aligned.text()[part]))));
    }

    /// What happens to every character of a text that is normalized as a whole: the definition.
    pub fn changes(self, text: &str) -> Vec<Change> {
        let text = text.chars();
        let parts = match self {
            Self::Nfc | Self::Nfd => decomposed(text, decompose),
            Self::Nfkc | Self::Nfkd => decomposed(text, decompose_compatibly),
        };
        match self {
            Self::Nfd | Self::Nfkd => changes(parts),
            Self::Nfc | Self::Nfkc => changes(composed(parts)),
        }
    }
}

/// Brings the text into NFD, see [`Form::normalize`].
pub(crate) fn nfd(aligned: &mut AlignedText) {
    Form::Nfd.normalize(aligned);
}

/// A character of the new text and how many of the old one it takes: 1 as a rule, 0 for the second part of a
/// decomposition, more for a composition.
type Part = (char, usize);

/// All characters decomposed, marks in canonical order.
fn decomposed<I: Iterator<Item = char>>(text: impl Iterator<Item = char>, parts_of: impl Fn(char) -> I) -> Vec<Part> {
    let mut parts: Vec<Part> = vec![];
    // Start of the marks since the last character of class 0: the only ones that may still move.
    let mut marks = 0;
    for c in text {
        for (at, part) in parts_of(c).enumerate() {
            if combining_class(part) == 0 {
                order(&mut parts[marks..]);
                marks = parts.len() + 1;
            }
            parts.push((part, usize::from(at == 0)));
        }
    }
    order(&mut parts[marks..]);
    parts
}

/// Puts marks into canonical order: by class, those of one class as they stand.
fn order(marks: &mut [Part]) {
    if marks.len() > 1 {
        marks.sort_by_key(|&(mark, _)| combining_class(mark));
    }
}

/// Marks put together with the character of class 0 before them, where nothing between them blocks it.
fn composed(parts: Vec<Part>) -> Vec<Part> {
    let mut out: Vec<Part> = Vec::with_capacity(parts.len());
    let mut starter: Option<usize> = None;
    // Class of the last part after the starter that was not put together with it.
    let mut last: Option<u8> = None;
    for (c, taken) in parts {
        let class = combining_class(c);
        if let Some(at) = starter
            && last.is_none_or(|last| last < class)
            && let Some(both) = compose(out[at].0, c)
        {
            out[at] = (both, out[at].1 + taken);
            continue;
        }
        if class == 0 {
            (starter, last) = (Some(out.len()), None);
        } else if starter.is_some() {
            last = Some(class);
        }
        out.push((c, taken));
    }
    out
}

fn changes(parts: Vec<Part>) -> Vec<Change> {
    let mut changes = Vec::with_capacity(parts.len());
    for (c, taken) in parts {
        changes.push(if taken == 0 { Change::Insert(c) } else { Change::Become(c) });
        changes.extend(std::iter::repeat_n(Change::Drop, taken.saturating_sub(1)));
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decomposes_and_orders() {
        for (text, expected) in [
            ("", ""),
            ("plain", "plain"),
            ("é", "e\u{301}"),
            ("한", "\u{1112}\u{1161}\u{11ab}"),
            ("a\u{301}\u{316}\u{334}", "a\u{334}\u{316}\u{301}"),
            ("\u{301}\u{316}b\u{302}\u{301}", "\u{316}\u{301}b\u{302}\u{301}"),
            ("\u{f900}", "\u{8c48}"),
            ("≮", "<\u{338}"),
        ] {
            assert_eq!(in_form(Form::Nfd, text), expected, "{text:?}");
        }
    }

    fn in_form(form: Form, text: &str) -> String {
        let mut aligned = AlignedText::new(text, 0);
        form.normalize(&mut aligned);
        aligned.text().to_owned()
    }

    #[test]
    fn composes_what_nothing_blocks() {
        for (text, expected) in [
            ("e\u{301}", "é"),
            ("a\u{316}\u{301}", "á\u{316}"), // of a lower class: does not block
            ("a\u{302}\u{301}", "ấ"),        // one after the other
            ("a\u{303}\u{302}", "ã\u{302}"), // of the same class: blocks
            ("ab\u{301}", "ab\u{301}"),
            ("\u{301}a", "\u{301}a"),
            ("\u{1112}\u{1161}\u{11ab}", "한"),
            ("\u{212b}", "Å"),
            ("\u{958}", "\u{915}\u{93c}"), // never composed again
            ("\u{9c7}\u{9be}", "\u{9cb}"), // two of class 0
        ] {
            assert_eq!(in_form(Form::Nfc, text), expected, "{text:?}");
        }
        assert_eq!(in_form(Form::Nfkc, "①ﬀ½\u{3d3}ﾊﾟ"), "1ff1\u{2044}2Ύパ");
        assert_eq!(in_form(Form::Nfkd, "ﷺ").chars().count(), 18);
    }

    #[test]
    fn what_is_put_together_spans_its_first_part() {
        // Places count: the accent that stays takes the place of the second one.
        let mut aligned = AlignedText::new("a\u{316}\u{301}b", 0);
        Form::Nfc.normalize(&mut aligned);
        assert_eq!(aligned.text(), "á\u{316}b");
        let spans: Vec<_> = [0..2, 2..4, 4..5].map(|range| aligned.span(range).range()).into();
        assert_eq!(spans, [0..1, 3..5, 5..6]);
    }

    #[test]
    fn spans_stay_in_place_when_marks_move() {
        let mut aligned = AlignedText::new("\u{302e}\u{334}", 0);
        nfd(&mut aligned);
        assert_eq!(aligned.text(), "\u{334}\u{302e}");
        assert_eq!((aligned.span(0..2).range(), aligned.span(2..5).range()), (0..3, 3..5));
    }

    #[test]
    fn example_of_form_normalize() {
        use crate::{alignment::AlignedText, normalizers::forms::Form};
        let in_form = |form: Form| {
            let mut aligned = AlignedText::new("e\u{301}ﬁ", 0);
            form.normalize(&mut aligned);
            aligned.text().to_owned()
        };
        assert_eq!(in_form(Form::Nfc), "éﬁ");
        assert_eq!(in_form(Form::Nfkc), "éfi");
        assert_eq!(in_form(Form::Nfd), "e\u{301}ﬁ");
    }
}
