//! Words of UAX 29 that hold a letter or a number, in the text between two white-space characters of ASCII.
//!
//! No rule of UAX 29 looks past such a character, so every stretch between two of them is segmented alone. Stretches of
//! ASCII, most of them, take the few rules that are about ASCII; `unicode-segmentation` is the definition and does the rest.
//!
//! Source: UAX #29, Unicode Text Segmentation, rules WB1 to WB999.

use unicode_segmentation::UnicodeSegmentation;

use token_engine::Span;

/// Calls `visit` with the words in the part `run` of `text`, which has an end of the text or white space of ASCII on both
/// sides and none inside.
pub(super) fn words(text: &str, run: Span, mut visit: impl FnMut(Span)) {
    let part = &text[run.range()];
    if part.is_ascii() {
        return ascii_words(part.as_bytes(), run.start as usize, visit);
    }
    // A mark at the start belongs to the white space before it.
    let start = text[..run.start as usize].trim_end().len();
    for (at, word) in text[start..run.end as usize].unicode_word_indices() {
        visit(Span::new(start + at, start + at + word.len()));
    }
}

fn ascii_words(text: &[u8], base: usize, mut visit: impl FnMut(Span)) {
    let mut at = 0;
    while at < text.len() {
        let start = at;
        let mut counts = false;
        while at < text.len() && (is_word(text[at]) || (at > start && joins(text, at))) {
            counts |= text[at].is_ascii_alphanumeric();
            at += 1;
        }
        if counts {
            visit(Span::new(base + start, base + at));
        }
        at += usize::from(at == start);
    }
}

/// Letters, digits and `_`: rules WB5, WB8 to WB10, WB13a and WB13b.
fn is_word(byte: u8) -> bool {
    const WORD: [bool; 256] = {
        let mut word = [false; 256];
        let mut byte = 0u8;
        while byte < 128 {
            word[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_';
            byte += 1;
        }
        word
    };
    WORD[usize::from(byte)]
}

/// Whether the byte holds its neighbours together: rules WB6, WB7, WB11 and WB12.
fn joins(text: &[u8], at: usize) -> bool {
    let (before, Some(after)) = (text[at - 1], text.get(at + 1)) else { return false };
    match text[at] {
        b':' => before.is_ascii_alphabetic() && after.is_ascii_alphabetic(),
        b',' | b';' => before.is_ascii_digit() && after.is_ascii_digit(),
        b'.' | b'\'' => {
            before.is_ascii_alphabetic() && after.is_ascii_alphabetic()
                || before.is_ascii_digit() && after.is_ascii_digit()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::runs::{Class, for_each};
    use super::*;
    use token_engine::internals::testing::Random;

    #[test]
    fn words_are_those_of_the_library() {
        let pieces = [
            "a", "Z", "1", "9", "_", "'", ".", ",", ":", ";", "\"", " ", "\n", "\r\n", "\t", "é", "\u{301}", "\u{93f}",
            "\u{200d}", "語", "カ", "א", "\u{202f}", "\u{3000}", "\u{a0}", "\u{85}", "🇩", "👩", "\u{1c}", "½", "क",
        ];
        let mut random = Random::new(29);
        for _ in 0..30_000 {
            let text: String = (0..random.below(12)).map(|_| *random.pick(&pieces)).collect();
            let mut found = vec![];
            for_each(&text, |class, run| {
                if class == Class::AsciiWord {
                    words(&text, run, |word| found.push(word));
                }
            });
            let expected = text.unicode_word_indices().map(|(at, word)| Span::new(at, at + word.len()));
            assert_eq!(found, expected.collect::<Vec<_>>(), "{text:?}");
        }
    }
}
