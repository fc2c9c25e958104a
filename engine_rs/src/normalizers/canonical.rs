//! Canonical decomposition, NFD.
//!
//! Not here: composition (NFC), compatibility forms (NFKD). The tables are those of [`crate::unicode`].
//!
//! Source: UAX #15, D118; canonical ordering D109.

use crate::alignment::{Aligned, Change};
use crate::unicode::{combining_class, decompose};

/// Brings the text into NFD.
///
/// A character that decomposes gives its span to all its parts. Where marks change places, the spans do not
/// ([`crate::alignment`] says why).
///
/// ```
/// # use token_engine::{alignment::Aligned, normalizers::canonical::nfd};
/// let mut aligned = Aligned::new("ậ\u{31b}", 0);
/// nfd(&mut aligned);
/// assert_eq!(aligned.text(), "a\u{31b}\u{323}\u{302}");
/// ```
pub fn nfd(aligned: &mut Aligned) {
    let mut changes: Vec<Change> = Vec::with_capacity(aligned.text().len());
    // Marks since the last character of class 0, with their classes: the only ones that may still move.
    let mut marks: Vec<(u8, Change)> = vec![];
    for c in aligned.text().chars() {
        for (at, part) in decompose(c).enumerate() {
            let change = if at == 0 { Change::Become(part) } else { Change::Insert(part) };
            match combining_class(part) {
                0 => {
                    settle(&mut marks, &mut changes);
                    changes.push(change);
                }
                class => marks.push((class, change)),
            }
        }
    }
    settle(&mut marks, &mut changes);
    aligned.rewrite(changes);
}

/// Puts marks into canonical order: by class, those of one class as they stand.
fn settle(marks: &mut Vec<(u8, Change)>, changes: &mut Vec<Change>) {
    marks.sort_by_key(|(class, _)| *class);
    changes.extend(marks.drain(..).map(|(_, change)| change));
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
            let mut aligned = Aligned::new(text, 0);
            nfd(&mut aligned);
            assert_eq!(aligned.text(), expected, "{text:?}");
        }
    }

    #[test]
    fn spans_stay_in_place_when_marks_move() {
        let mut aligned = Aligned::new("\u{302e}\u{334}", 0);
        nfd(&mut aligned);
        assert_eq!(aligned.text(), "\u{334}\u{302e}");
        assert_eq!((aligned.span(0..2).range(), aligned.span(2..5).range()), (0..3, 3..5));
    }
}
