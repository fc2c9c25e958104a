//! White space at the ends and in runs, control characters.
//!
//! Not here: the clean-up of BERT ([`super::bert`]) and of translation systems ([`super::nmt`]), which have lists of
//! their own.
//!
//! Source: `Strip` of the tokenizer.json format; the other two are this engine's own.

use crate::alignment::{AlignedText, Change};
use crate::unicode::{is_control, is_space};

/// Drops white space at the start and at the end.
pub(crate) fn strip(text: &mut AlignedText, left: bool, right: bool) {
    let mut kept = text.text();
    if right {
        kept = kept.trim_end_matches(is_space);
    }
    let end = kept.len();
    if left {
        kept = kept.trim_start_matches(is_space);
    }
    let start = end - kept.len();
    let whole = 0..text.text().len();
    if (start..end) == whole {
        return;
    }
    let characters = text.text().char_indices();
    let changes = characters.map(|(at, c)| if (start..end).contains(&at) { Change::Become(c) } else { Change::Drop });
    *text = text.rewritten([(whole, changes)]);
}

/// Makes every run of white space one space, which has the span of the first character of the run.
pub(crate) fn collapse_whitespace(text: &mut AlignedText) {
    let mut in_run = false;
    let changes = text.text().chars().map(|c| match (std::mem::replace(&mut in_run, is_space(c)), in_run) {
        (true, true) => Change::Drop,
        (false, true) => Change::Become(' '),
        (_, false) => Change::Become(c),
    });
    *text = text.rewritten([(0..text.text().len(), changes)]);
}

/// Drops control and format characters, U+0000 and U+FFFD; tabs and line ends stay.
pub(crate) fn remove_controls(text: &mut AlignedText) {
    text.filter(|c| !is_control(c));
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_strip() {
        use crate::{alignment::AlignedText, normalizers::cleanup::strip};
        let mut text = AlignedText::new("\u{3000}a b\n", 0);
        strip(&mut text, true, true);
        assert_eq!((text.text(), text.span(0..3).range()), ("a b", 3..6));
    }

    #[test]
    fn example_of_collapse_whitespace() {
        use crate::{alignment::AlignedText, normalizers::cleanup::collapse_whitespace};
        let mut text = AlignedText::new("a \t\n b", 0);
        collapse_whitespace(&mut text);
        assert_eq!((text.text(), text.span(1..3).range()), ("a b", 1..6));
    }

    #[test]
    fn example_of_remove_controls() {
        use crate::{alignment::AlignedText, normalizers::cleanup::remove_controls};
        let mut text = AlignedText::new("a\u{200e}b\u{7}\n", 0);
        remove_controls(&mut text);
        assert_eq!(text.text(), "ab\n");
    }
}
