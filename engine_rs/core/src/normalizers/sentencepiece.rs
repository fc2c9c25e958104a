//! The normalizer of a SentencePiece model: rules, then white space, in one pass that remembers places.
//!
//! Not here: the same rules as a tokenizer.json has them ([`super::charsmap`]), which are applied another way.
//!
//! Source: `NormalizerSpec` in `sentencepiece_model.proto` and what `sentencepiece` 0.2 does with it.

use super::charsmap::{Charsmap, TooLong};
use crate::alignment::AlignedText;
use crate::matching::prefixes::Prefixes;

/// What spaces are written as.
pub(crate) const SPACE_MARK: &str = "\u{2581}";

/// The normalizer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SentencePieceNormalizer {
    /// What characters become.
    pub charsmap: Option<Charsmap>,
    /// Whether a space is put before the text, or after it.
    pub add_dummy_prefix: bool,
    /// Whether spaces at both ends are dropped and runs of them become one.
    pub remove_extra_whitespaces: bool,
    /// Whether spaces become [`SPACE_MARK`].
    pub escape_whitespaces: bool,
    /// Whether the space that is put in stands after the text.
    pub whitespace_is_suffix: bool,
    /// Strings that the rules leave as they are.
    pub(crate) kept: Prefixes,
    /// Whether texts continue other ones that do not end in a space: nothing is put before them, and no space at their
    /// start is dropped.
    pub(crate) continues: bool,
    /// What decoded texts go through.
    pub(crate) denormalizer: Option<Box<SentencePieceNormalizer>>,
}

impl SentencePieceNormalizer {
    /// Whether there is a text that the rules put in, change or drop something of.
    pub(crate) fn may_change(&self) -> bool {
        self.charsmap.is_some() || self.add_dummy_prefix || self.remove_extra_whitespaces || self.escape_whitespaces
    }

    /// Whether the start of a text becomes something else than the same text would after another one.
    pub(crate) fn changes_starts(&self) -> bool {
        !self.continues && (self.add_dummy_prefix && !self.whitespace_is_suffix || self.remove_extra_whitespaces)
    }

    /// The same for texts that continue other ones.
    #[must_use]
    pub(crate) fn inside(&self) -> Self {
        Self { continues: true, ..self.clone() }
    }

    /// Changes the text in place.
    ///
    /// Errors: a result of more than `max` bytes; the text is as it was.
    pub(crate) fn normalize(&self, text: &mut AlignedText, max: usize) -> Result<(), TooLong> {
        let (normalized, starts) = self.normalized(text.text(), max)?;
        text.replace_all(normalized, starts);
        Ok(())
    }

    /// What decoded text becomes.
    ///
    /// Errors: a result of more than `max` bytes.
    pub(crate) fn denormalized(&self, text: Vec<u8>, max: usize) -> Result<Vec<u8>, TooLong> {
        let Some(denormalizer) = &self.denormalizer else { return Ok(text) };
        Ok(denormalizer.normalized(&String::from_utf8_lossy(&text), max)?.0.into_bytes())
    }

    /// The largest factor by which a text becomes longer, but for the space that is put in.
    pub(crate) fn growth(&self) -> usize {
        let mark = if self.escape_whitespaces { SPACE_MARK.len() } else { 1 };
        self.charsmap.as_ref().map_or(1, Charsmap::growth).max(mark)
    }

    /// The normalized text and, for each byte of it and for its end, where in `text` it comes from. A character that stays as
    /// it is has the places of its bytes, all bytes of another one have the same.
    ///
    /// Errors: more than `max` bytes.
    fn normalized(&self, text: &str, max: usize) -> Result<(String, Vec<u32>), TooLong> {
        let is_start = !self.continues;
        let mut at = 0;
        if self.remove_extra_whitespaces && is_start {
            while at < text.len()
                && let (" ", len) = self.next(&text[at..])
            {
                at += len;
            }
        }
        if at == text.len() {
            return Ok((String::new(), vec![0]));
        }
        let room = text.len() + text.len() / 4 + 8;
        let (mut to, mut starts) = (String::with_capacity(room), Vec::with_capacity(room));
        let space = if self.escape_whitespaces { SPACE_MARK } else { " " };
        let put = |part: &str, at: usize, to: &mut String, starts: &mut Vec<u32>| {
            to.push_str(part);
            starts.extend(std::iter::repeat_n(at as u32, part.len()));
        };
        if self.add_dummy_prefix && !self.whitespace_is_suffix && is_start {
            put(space, at, &mut to, &mut starts);
        }
        let mut after_space = self.remove_extra_whitespaces && is_start;
        let bytes = text.as_bytes();
        while at < text.len() {
            let mut plain = at;
            while plain < bytes.len() && self.is_plain(bytes[plain]) && bytes.get(plain + 1).is_none_or(u8::is_ascii) {
                plain += 1;
            }
            if plain == at && !bytes[at].is_ascii() {
                plain += self.inert_len(&text[at..]);
            }
            if plain > at {
                to.push_str(&text[at..plain]);
                starts.extend(at as u32..plain as u32);
                (at, after_space) = (plain, false);
                continue;
            }
            let (mut part, len) = self.next(&text[at..]);
            if after_space {
                part = part.trim_start_matches(' ');
            }
            if part.len() == len && is_one(part) && part == &text[at..at + len] && part != " " {
                to.push_str(part);
                starts.extend(at as u32..(at + len) as u32);
                after_space = false;
            } else if part.len() > max.saturating_sub(to.len()) {
                return Err(TooLong);
            } else if !part.is_empty() {
                after_space = self.remove_extra_whitespaces && part.ends_with(' ');
                let mut words = part.split(' ');
                words.next().into_iter().for_each(|word| put(word, at, &mut to, &mut starts));
                for word in words {
                    put(space, at, &mut to, &mut starts);
                    put(word, at, &mut to, &mut starts);
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
            put(space, at, &mut to, &mut starts);
        }
        starts.push(at as u32);
        Ok((to, starts))
    }

    /// Whether a byte is a character of ASCII that stays as it is before ASCII.
    #[inline]
    fn is_plain(&self, byte: u8) -> bool {
        byte.is_ascii()
            && byte != b' '
            && !self.kept.may_start(byte)
            && self.charsmap.as_ref().is_none_or(|rules| !rules.has_rule_in_ascii(byte))
    }

    /// How many bytes at the start of a text are characters beyond ASCII that stay as they are, whatever follows them.
    #[inline]
    fn inert_len(&self, text: &str) -> usize {
        let fits = |byte: u8| !byte.is_ascii() && !self.kept.may_start(byte);
        match &self.charsmap {
            Some(rules) => rules.inert_len(text, fits),
            None => text.char_indices().find(|&(at, _)| !fits(text.as_bytes()[at])).map_or(text.len(), |(at, _)| at),
        }
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

/// Whether a text is one character.
fn is_one(text: &str) -> bool {
    text.chars().nth(1).is_none() && !text.is_empty()
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_sentencepiecenormalizer_normalize() {
        use crate::{alignment::AlignedText, normalizers::sentencepiece::SentencePieceNormalizer};
        let normalizer = SentencePieceNormalizer {
            add_dummy_prefix: true,
            remove_extra_whitespaces: true,
            escape_whitespaces: true,
            ..SentencePieceNormalizer::default()
        };
        let mut text = AlignedText::new("  a  b ", 0);
        assert_eq!(normalizer.normalize(&mut text, 100), Ok(()));
        assert_eq!(text.text(), "▁a▁b");
        assert_eq!((text.span(0..4).range(), text.span(4..7).range()), (2..3, 3..5));
    }
}
