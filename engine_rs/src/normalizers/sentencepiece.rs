//! The normalizer of a SentencePiece model: rules, then white space, in one pass that remembers places.
//!
//! Not here: the same rules as a tokenizer.json has them ([`super::charsmap`]), which are applied another way.
//!
//! Source: `NormalizerSpec` in `sentencepiece_model.proto` and what `sentencepiece` 0.2 does with it.

use super::charsmap::Charsmap;
use crate::matching::prefixes::Prefixes;

/// What spaces are written as.
pub const SPACE_MARK: &str = "\u{2581}";

/// The normalizer.
#[derive(Clone, Debug, Default)]
pub struct SentencePieceNormalizer {
    /// What characters become.
    pub charsmap: Option<Charsmap>,
    /// Whether a space is put before the text, or after it.
    pub add_dummy_prefix: bool,
    /// Whether spaces at both ends go away and runs of them become one.
    pub remove_extra_whitespaces: bool,
    /// Whether spaces become [`SPACE_MARK`].
    pub escape_whitespaces: bool,
    /// Whether the space that is put in stands after the text.
    pub whitespace_is_suffix: bool,
    /// Strings that the rules leave as they are.
    pub kept: Prefixes,
}

/// A normalized text; memory to be used again.
#[derive(Clone, Debug, Default)]
pub struct Normalized {
    /// The text.
    pub text: String,
    /// Per byte of it, and for its end: where in the original what it comes from starts.
    pub starts: Vec<u32>,
}

impl SentencePieceNormalizer {
    /// Whether there is a text that the rules put in, change or drop something of.
    pub fn may_change(&self) -> bool {
        self.charsmap.is_some() || self.add_dummy_prefix || self.remove_extra_whitespaces || self.escape_whitespaces
    }

    /// Normalizes `text` into `out`.
    ///
    /// ```
    /// # use token_engine::normalizers::sentencepiece::{Normalized, SentencePieceNormalizer};
    /// let normalizer = SentencePieceNormalizer {
    ///     add_dummy_prefix: true,
    ///     remove_extra_whitespaces: true,
    ///     escape_whitespaces: true,
    ///     ..SentencePieceNormalizer::default()
    /// };
    /// let mut out = Normalized::default();
    /// normalizer.normalize("  a  b ", &mut out);
    /// assert_eq!(out.text, "▁a▁b");
    /// assert_eq!(out.starts, [2, 2, 2, 2, 3, 3, 3, 5, 6]);
    /// ```
    pub fn normalize(&self, text: &str, out: &mut Normalized) {
        self.normalize_from(text, true, out);
    }

    /// The same; where `text` goes on behind another one that does not end in a space, nothing is put before it and no
    /// space at its start goes away.
    pub fn normalize_from(&self, text: &str, is_start: bool, out: &mut Normalized) {
        let Normalized { text: to, starts } = out;
        to.clear();
        starts.clear();
        let mut at = 0;
        if self.remove_extra_whitespaces && is_start {
            while at < text.len()
                && let (" ", len) = self.next(&text[at..])
            {
                at += len;
            }
        }
        if at == text.len() {
            starts.push(0);
            return;
        }
        to.reserve(text.len() + text.len() / 4 + 8);
        starts.reserve(text.len() + text.len() / 4 + 8);
        let space = if self.escape_whitespaces { SPACE_MARK } else { " " };
        let mut put = |part: &str, at: usize| {
            to.push_str(part);
            starts.extend(std::iter::repeat_n(at as u32, part.len()));
        };
        if self.add_dummy_prefix && !self.whitespace_is_suffix && is_start {
            put(space, at);
        }
        let mut after_space = self.remove_extra_whitespaces && is_start;
        while at < text.len() {
            let (mut part, len) = self.next(&text[at..]);
            if after_space {
                part = part.trim_start_matches(' ');
            }
            if !part.is_empty() {
                after_space = self.remove_extra_whitespaces && part.ends_with(' ');
                let mut words = part.split(' ');
                words.next().into_iter().for_each(|word| put(word, at));
                for word in words {
                    put(space, at);
                    put(word, at);
                }
            }
            at += len;
        }
        if self.remove_extra_whitespaces {
            while to.ends_with(space) {
                to.truncate(to.len() - space.len());
                at = starts[to.len()] as usize;
                starts.truncate(to.len());
            }
        }
        if self.add_dummy_prefix && self.whitespace_is_suffix {
            to.push_str(space);
            starts.extend(std::iter::repeat_n(at as u32, space.len()));
        }
        starts.push(at as u32);
    }

    /// What the beginning of a text that is not empty becomes, and how many bytes that beginning has.
    #[inline]
    fn next<'a>(&'a self, text: &'a str) -> (&'a str, usize) {
        let kept = self.kept.longest(text.as_bytes());
        if kept > 0 {
            return (&text[..kept], kept);
        }
        if let Some(charsmap) = &self.charsmap
            && let Some((len, new)) = charsmap.longest(text)
        {
            return (new, len);
        }
        let len = text.chars().next().map_or(0, char::len_utf8);
        (&text[..len], len)
    }
}
