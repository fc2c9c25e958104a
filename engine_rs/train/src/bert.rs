//! The words that BERT's normalizer and pretokenizer make of a text, one look-up per character.
//!
//! Both stages work character by character, except for marks that change places when accents are stripped: where such a
//! mark stays in the text, the stages themselves have to run. Not here: the stages (`token_engine`), which this table is
//! computed from and tested against ([`crate::counter`]).

use std::sync::OnceLock;

use token_engine::internals::alignment::AlignedText;
use token_engine::internals::unicode::{combining_class, decompose, is_nonspacing, is_punctuation, is_space};
use token_engine::normalizers::Normalizer;
use token_engine::normalizers::bert::BertNormalizer;
use token_engine::pretokenizers::Pretokenizer;

use crate::error::TrainError;

/// Characters of a page.
const PAGE: usize = 256;
/// Pages of all characters.
const PAGES: usize = (char::MAX as usize + 1) / PAGE;
/// The most bytes that a character becomes: three letters of Korean.
const MAX_BYTES: usize = 9;

/// What happens to a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It is dropped.
    Gone,
    /// It ends a word and is dropped.
    Space,
    /// It is part of a word.
    Letter,
    /// It is a word.
    Alone,
    /// It depends on its neighbours, or is rare: the stages have to run.
    Unclear,
}

/// A character after the normalizer.
#[derive(Clone, Copy, Debug)]
struct Entry {
    kind: Kind,
    len: u8,
    bytes: [u8; MAX_BYTES],
}

/// What BERT's stages do with each character.
#[derive(Clone, Debug)]
pub(crate) struct BertWords {
    normalizer: Option<BertNormalizer>,
    /// Made when one of their characters occurs.
    pages: Vec<OnceLock<Box<[Entry; PAGE]>>>,
}

impl BertWords {
    /// The table of these stages; `None` if they are not BERT's.
    pub(crate) fn new(normalizer: Option<&Normalizer>, pretokenizer: Option<&Pretokenizer>) -> Option<Self> {
        let normalizer = match (normalizer, pretokenizer?) {
            (None, Pretokenizer::Bert) => None,
            (Some(Normalizer::Bert(bert)), Pretokenizer::Bert) => Some(*bert),
            _ => return None,
        };
        Some(Self { normalizer, pages: vec![OnceLock::new(); PAGES] })
    }

    /// Whether each character of a text has its words for itself.
    pub(crate) fn is_clear(&self, text: &str) -> bool {
        text.is_ascii() || text.chars().all(|c| self.entry(c).kind != Kind::Unclear)
    }

    /// Calls `each` with the words of a text for which [`Self::is_clear`] is true, and with empty ones. `word` is a buffer.
    ///
    /// Errors: those of `each`.
    pub(crate) fn split(
        &self,
        text: &str,
        word: &mut Vec<u8>,
        mut each: impl FnMut(&[u8]) -> Result<(), TrainError>,
    ) -> Result<(), TrainError> {
        word.clear();
        for c in text.chars() {
            let entry = self.entry(c);
            let bytes = &entry.bytes[..usize::from(entry.len)];
            match entry.kind {
                Kind::Gone | Kind::Unclear => {}
                Kind::Letter => word.extend_from_slice(bytes),
                Kind::Space | Kind::Alone => {
                    each(word)?;
                    word.clear();
                    each(bytes)?;
                }
            }
        }
        each(word)
    }

    #[inline]
    fn entry(&self, c: char) -> &Entry {
        let at = c as usize;
        let page = self.pages[at / PAGE].get_or_init(|| self.page(at / PAGE));
        &page[at % PAGE]
    }

    #[cold]
    fn page(&self, number: usize) -> Box<[Entry; PAGE]> {
        let unclear = Entry { kind: Kind::Unclear, len: 0, bytes: [0; MAX_BYTES] };
        let mut page = Box::new([unclear; PAGE]);
        for (at, entry) in page.iter_mut().enumerate() {
            // Surrogates are no characters and stay unclear.
            if let Some(found) = char::from_u32((number * PAGE + at) as u32).and_then(|c| self.found(c)) {
                *entry = found;
            }
        }
        page
    }

    /// What the stages make of a character; `None` if that is not clear.
    fn found(&self, c: char) -> Option<Entry> {
        if decompose(c).any(|part| combining_class(part) != 0 && !is_nonspacing(part)) {
            return None;
        }
        let mut aligned = AlignedText::new(c.encode_utf8(&mut [0; 4]), 0);
        if let Some(bert) = self.normalizer {
            bert.normalize(&mut aligned);
        }
        let text = aligned.text();
        let kept = text.trim_matches(is_space);
        let is_apart = kept.len() < text.len() || kept.chars().any(is_punctuation);
        let kind = match (text, kept) {
            ("", _) => Kind::Gone,
            (_, "") => Kind::Space,
            _ if !is_apart => Kind::Letter,
            // An ideograph between two spaces, or one punctuation character.
            _ if kept.chars().count() == 1 => Kind::Alone,
            _ => return None,
        };
        let mut bytes = [0; MAX_BYTES];
        bytes.get_mut(..kept.len())?.copy_from_slice(kept.as_bytes());
        Some(Entry { kind, len: kept.len() as u8, bytes })
    }
}
