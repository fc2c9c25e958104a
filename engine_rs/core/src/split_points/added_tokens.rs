//! Added tokens at a split point.
//!
//! They are found from left to right, the longest first. None is found across a split point if no spelling reaches across
//! it, and then the search starts anew there. One that takes the white space to its right must not end at a split point
//! before white space, and one that asks for its neighbours must not touch it.
//!
//! Spellings count as they are looked for: the normalized one if the token is looked for in normalized text.

use crate::added_tokens::{AddedTokens, Specials};

impl AddedTokens {
    /// Whether a spelling that is looked for reaches across byte `at` of `text`, found or not.
    pub fn reaches_across(&self, text: &str, at: usize, specials: Specials) -> bool {
        self.wanted(specials).any(|token| {
            let spelling = self.sought(token).as_bytes();
            let from = at.saturating_sub(spelling.len().saturating_sub(1));
            let end = (at + spelling.len().saturating_sub(1)).min(text.len());
            !spelling.is_empty() && text.as_bytes()[from..end].windows(spelling.len()).any(|window| window == spelling)
        })
    }

    /// Whether a spelling that is looked for ends at byte `at` of `text`, or starts there and asks for the character before.
    pub(super) fn touches(&self, text: &str, at: usize, specials: Specials) -> bool {
        self.wanted(specials).any(|token| {
            let spelling = self.sought(token);
            !spelling.is_empty()
                && (text[..at].ends_with(spelling) || (token.single_word && text[at..].starts_with(spelling)))
        })
    }

    /// Length in bytes of the longest spelling that is looked for. One farther than that from a position neither touches it
    /// nor reaches across it.
    pub fn longest(&self, specials: Specials) -> usize {
        self.wanted(specials).map(|token| self.sought(token).len()).max().unwrap_or(0)
    }

    /// Whether every spelling that is looked for in normalized text is printable ASCII that ends in punctuation, and no such
    /// token is `single_word`. White space in a spelling would reach over a split point.
    pub(super) fn end_in_symbols(&self, specials: Specials) -> bool {
        self.wanted(specials).filter(|token| token.normalized).all(|token| {
            let spelling = self.sought(token);
            let plain = spelling.bytes().all(|byte| byte.is_ascii_graphic()) && !token.single_word;
            spelling.is_empty() || (plain && spelling.ends_with(|c: char| c.is_ascii_punctuation()))
        })
    }

    /// Whether one that is looked for in normalized text takes the white space after it.
    pub(super) fn takes_what_follows(&self) -> bool {
        self.tokens().iter().any(|token| token.normalized && token.rstrip)
    }

    /// Whether one that is looked for in normalized text takes the white space on either side.
    pub(super) fn takes_white_space(&self) -> bool {
        self.tokens().iter().any(|token| token.normalized && (token.lstrip || token.rstrip))
    }
}
