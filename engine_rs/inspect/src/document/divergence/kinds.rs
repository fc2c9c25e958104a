//! What a stretch of text is about, in six kinds: the one thing in it most likely to make tokenizers differ.
//!
//! Marks of no script of their own (U+0300..U+036F and the other blocks of their kind) belong to the letter before
//! them, most often a Latin one. Controls and formats stand between things, as spaces do; joiners and tags are parts of
//! emoji and of letters, and count with them.
//!
//! Source: general categories and blocks of the Unicode Character Database.

use std::sync::LazyLock;

use token_engine::pretokenizers::characters::Table;

/// The kinds. The first of them that any character of a stretch has is the stretch's.
pub const KINDS: [&str; 6] = ["numbers", "non-Latin", "punctuation", "capitals", "words", "spaces"];

const NUMBERS: u8 = 0;
const NON_LATIN: u8 = 1;
const PUNCTUATION: u8 = 2;
const CAPITALS: u8 = 3;
const WORDS: u8 = 4;
pub(super) const SPACES: u8 = 5;

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let classes = [
        (r"\p{Co}", NON_LATIN),
        (r"[\u{200c}\u{200d}\u{e0020}-\u{e007f}]", NON_LATIN),
        (r"\p{N}", NUMBERS),
        (r"\p{M}", NON_LATIN),
        (
            r"[\p{M}&&[\u{300}-\u{36f}\u{1ab0}-\u{1aff}\u{1dc0}-\u{1dff}\u{20d0}-\u{20ff}\u{fe00}-\u{fe0f}\u{fe20}-\u{fe2f}\u{e0100}-\u{e01ef}]]",
            WORDS,
        ),
        (r"[\p{P}\p{S}]", PUNCTUATION),
        (r"[[\p{So}\p{Sk}]&&[\u{2101}-\u{10ffff}]]", NON_LATIN),
        (r"\p{L}", NON_LATIN),
        (r"[\p{L}&&[\u{0}-\u{24f}\u{1e00}-\u{1eff}\u{2c60}-\u{2c7f}\u{a720}-\u{a7ff}]]", WORDS),
        (r"[[\p{Lu}\p{Lt}]&&[\u{0}-\u{24f}\u{1e00}-\u{1eff}\u{2c60}-\u{2c7f}\u{a720}-\u{a7ff}]]", CAPITALS),
    ];
    Table::new(SPACES, &classes)
});

/// The kinds of all characters; get it once per text.
pub(super) fn table() -> &'static Table {
    &TABLE
}

/// The kind of a text, as an index into [`KINDS`].
#[cfg(test)]
pub(crate) fn kind_of(text: &str) -> u8 {
    text.chars().map(|c| TABLE.of(c)).min().unwrap_or(SPACES)
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_kind_of() {
        use crate::document::divergence::kinds::{KINDS, kind_of};
        assert_eq!(
            ["on", " 24", "日", "It", "'s"].map(|text| KINDS[usize::from(kind_of(text))]),
            ["words", "numbers", "non-Latin", "capitals", "punctuation"]
        );
    }
}
