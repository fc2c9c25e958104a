//! The kind of a token, one of fourteen. The first kind of [`Kind`] that fits counts.
//!
//! A token's *core* is its text without the mark of its position in a word: one space or `▁` before it, the prefix of a
//! WordPiece continuation, the suffix of a word's end.

use token_engine::internals::unicode::{is_control, is_mark, is_numeric};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Reserved, spelled `[unused7]` or `<|reserved_special_token_7|>`.
    Unused,
    /// An added token with a control meaning.
    Special,
    /// Another added token.
    Added,
    /// Stands for one byte, spelled `<0xE6>`.
    Byte,
    /// Its bytes are not whole characters.
    Part,
    /// Only white space, or its mark.
    Space,
    /// Only control and format characters.
    Control,
    /// A core of digits and other numbers.
    Digits,
    /// A core without letters, numbers and white space.
    Punctuation,
    /// Continues a word, by its prefix.
    Continuation,
    /// Ends a word, by its suffix.
    WordEnd,
    /// A core of letters at the start of a word.
    WordStart,
    /// Letters without a mark of their position in a word.
    WordInside,
    /// Any other token.
    Mixed,
}

impl Kind {
    /// All kinds, in the order in which they are tried.
    pub const ALL: [Self; 14] = [
        Self::Unused,
        Self::Special,
        Self::Added,
        Self::Byte,
        Self::Part,
        Self::Space,
        Self::Control,
        Self::Digits,
        Self::Punctuation,
        Self::Continuation,
        Self::WordEnd,
        Self::WordStart,
        Self::WordInside,
        Self::Mixed,
    ];

    /// Its name, the same in Python, JSON and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unused => "unused",
            Self::Special => "special",
            Self::Added => "added",
            Self::Byte => "byte",
            Self::Part => "part",
            Self::Space => "space",
            Self::Control => "control",
            Self::Digits => "digits",
            Self::Punctuation => "punctuation",
            Self::Continuation => "continuation",
            Self::WordEnd => "word_end",
            Self::WordStart => "word_start",
            Self::WordInside => "word_inside",
            Self::Mixed => "mixed",
        }
    }
}

/// How a vocabulary marks positions in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Prefix of tokens that continue a word; empty if there is none.
    pub(crate) prefix: String,
    /// Suffix of tokens that end a word; empty if there is none.
    pub(crate) suffix: String,
    /// Whether a token without a mark starts a word, as in WordPiece.
    pub(crate) bare_starts: bool,
}

impl Marks {
    /// Returns a token's text without its mark, and the kind that the mark decides, if any.
    pub(crate) fn core<'a>(&self, text: &'a str) -> (&'a str, Option<Kind>) {
        let stripped = |found: Option<&'a str>| found.filter(|core| !core.is_empty());
        if !self.prefix.is_empty()
            && let Some(core) = stripped(text.strip_prefix(self.prefix.as_str()))
        {
            return (core, Some(Kind::Continuation));
        }
        if !self.suffix.is_empty()
            && let Some(core) = stripped(text.strip_suffix(self.suffix.as_str()))
        {
            return (core, Some(Kind::WordEnd));
        }
        match stripped(text.strip_prefix([' ', '▁'])) {
            Some(core) => (core, Some(Kind::WordStart)),
            None if self.bare_starts => (text, Some(Kind::WordStart)),
            None => (text, None),
        }
    }

    /// The kind of a token of whole characters that is not an added token.
    pub(crate) fn kind(&self, text: &str) -> Kind {
        let space = |c: char| c.is_whitespace() || c == '▁';
        if is_byte(text) {
            return Kind::Byte;
        }
        if text.chars().all(space) {
            return Kind::Space;
        }
        if text.chars().all(is_control) {
            return Kind::Control;
        }
        let (core, place) = self.core(text);
        let letter = |c: char| c.is_alphabetic() || is_mark(c);
        if core.chars().all(is_numeric) {
            Kind::Digits
        } else if !core.chars().any(|c| letter(c) || is_numeric(c) || space(c)) {
            Kind::Punctuation
        } else if core.chars().all(letter) {
            place.unwrap_or(Kind::WordInside)
        } else {
            Kind::Mixed
        }
    }
}

/// Whether a token is spelled as a reserved one: a number after "unused", "reserved" or "placeholder", in brackets.
pub(crate) fn is_unused(text: &str) -> bool {
    let inner = [("<|", "|>"), ("<", ">"), ("[", "]")]
        .iter()
        .find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close));
    let Some(inner) = inner else { return false };
    let name = inner.trim_end_matches(|c: char| c.is_ascii_digit());
    name.len() < inner.len()
        && ["unused", "reserved", "placeholder"].iter().any(|word| name.starts_with(word))
        && name.chars().all(|c| c.is_ascii_alphabetic() || c == '_')
}

/// Whether a token is spelled as a byte: `<0xE6>`.
pub(crate) fn is_byte(text: &str) -> bool {
    byte(text).is_some()
}

/// The byte that a token spelled `<0xE6>` stands for.
pub(crate) fn byte(text: &str) -> Option<u8> {
    let hex = text.strip_prefix("<0x")?.strip_suffix('>')?;
    (hex.len() == 2).then(|| u8::from_str_radix(hex, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_kind_that_fits_counts() {
        let gpt = Marks::default();
        let clip = Marks { suffix: "</w>".into(), ..Marks::default() };
        let bert = Marks { prefix: "##".into(), bare_starts: true, ..Marks::default() };
        let cases = [
            (&gpt, " ", Kind::Space),
            (&gpt, "▁▁", Kind::Space),
            (&gpt, "\n\n", Kind::Space),
            (&gpt, "\u{0}\u{200d}", Kind::Control),
            (&gpt, " 42", Kind::Digits),
            (&gpt, "½", Kind::Digits),
            (&gpt, " (", Kind::Punctuation),
            (&gpt, "😀", Kind::Punctuation),
            (&gpt, "▁naïve", Kind::WordStart),
            (&gpt, "हिन्दी", Kind::WordInside), // letters and marks
            (&gpt, "don't", Kind::Mixed),
            (&gpt, "  the", Kind::Mixed),
            (&gpt, "<0xE6>", Kind::Byte),
            (&gpt, "<0xZZ>", Kind::Mixed),
            (&gpt, "##ing", Kind::Mixed),
            (&bert, "##ing", Kind::Continuation),
            (&bert, "##1", Kind::Digits),
            (&bert, "##", Kind::Punctuation),
            (&bert, "the", Kind::WordStart),
            (&clip, "the</w>", Kind::WordEnd),
            (&clip, "the", Kind::WordInside),
        ];
        for (marks, text, expected) in cases {
            assert_eq!(marks.kind(text), expected, "{text:?}");
        }
    }

    #[test]
    fn names_differ_and_the_order_is_that_of_the_numbers() {
        for (number, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
            assert_eq!(Kind::ALL.iter().filter(|other| other.name() == kind.name()).count(), 1);
        }
    }

    #[test]
    fn example_of_marks_kind() {
        use crate::vocabulary::kinds::{Kind, Marks};
        let marks = Marks { prefix: "##".into(), ..Marks::default() };
        for (text, kind) in [(" the", Kind::WordStart), ("the", Kind::WordInside), ("##ing", Kind::Continuation)] {
            assert_eq!(marks.kind(text), kind);
        }
    }

    #[test]
    fn example_of_is_unused() {
        use crate::vocabulary::kinds::is_unused;
        let texts = ["[unused7]", "<unused99>", "<|reserved_special_token_0|>", "unused7", "[unused]", "<extra_id_7>"];
        assert_eq!(texts.map(is_unused), [true, true, true, false, false, false]);
    }
}
