//! Documents one after the other in one text, checked.

use super::errors::CorpusError;
use token_engine::EncodeError;

/// Documents that lie one after the other in a text.
#[derive(Clone, Copy, Debug)]
pub struct Documents<'a> {
    text: &'a str,
    ends: &'a [u64],
    groups: Option<&'a [u16]>,
}

impl<'a> Documents<'a> {
    /// Checks everything that can be wrong before anything is counted. `ends` has the end byte of each document; `groups`
    /// has the group of each, below `group_count`, and may be missing, which means 0.
    ///
    /// Errors: ends that fall or do not cover the text; groups that are too many, too few or unknown; a document that is
    /// not UTF-8, or of 4 GiB and more.
    ///
    /// ```
    /// # use token_inspect::corpus::documents::Documents;
    /// let documents = Documents::new(b"onetwo", &[3, 6], None, 1).unwrap();
    /// assert_eq!((documents.len(), documents.text(1)), (2, "two"));
    /// let error = Documents::new(b"one\x80", &[3, 4], None, 1).unwrap_err();
    /// assert!(error.to_string().starts_with("document 1 is not UTF-8: byte 0x80 at 0"));
    /// ```
    pub fn new(
        text: &'a [u8],
        ends: &'a [u64],
        groups: Option<&'a [u16]>,
        group_count: usize,
    ) -> Result<Self, CorpusError> {
        check_ends(text.len(), ends)?;
        if let Some(groups) = groups {
            check_groups(groups, ends.len(), group_count)?;
        }
        let valid = std::str::from_utf8(text).ok();
        let is_split = |text: &str| ends.iter().any(|&end| !text.is_char_boundary(end as usize));
        match valid.filter(|text| !is_split(text)) {
            Some(text) => Ok(Self { text, ends, groups }),
            None => Err(first_invalid(text, ends)),
        }
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Where document `at` starts in the text; of the number of documents, the end of the text.
    pub(crate) fn start(&self, at: usize) -> usize {
        at.checked_sub(1).map_or(0, |before| self.ends[before] as usize)
    }

    /// The text of document `at`.
    pub fn text(&self, at: usize) -> &'a str {
        &self.text[self.start(at)..self.ends[at] as usize]
    }

    /// The group of document `at`.
    pub(crate) fn group(&self, at: usize) -> usize {
        self.groups.map_or(0, |groups| usize::from(groups[at]))
    }
}

fn check_ends(bytes: usize, ends: &[u64]) -> Result<(), CorpusError> {
    let mut start = 0;
    for (document, &end) in ends.iter().enumerate() {
        if end < start {
            return Err(CorpusError::EndsFall { document, start, end });
        }
        if end - start > u64::from(u32::MAX) {
            let error = EncodeError::TooLong { bytes: (end - start) as usize };
            return Err(CorpusError::Document { document, tokenizer: 0, error });
        }
        start = end;
    }
    if start == bytes as u64 {
        return Ok(());
    }
    Err(CorpusError::NotCovered { documents: ends.len(), end: start, bytes })
}

fn check_groups(groups: &[u16], documents: usize, count: usize) -> Result<(), CorpusError> {
    if groups.len() != documents {
        return Err(CorpusError::GroupCount { groups: groups.len(), documents });
    }
    match groups.iter().position(|&group| usize::from(group) >= count) {
        Some(document) => Err(CorpusError::Group { document, group: groups[document], groups: count }),
        None => Ok(()),
    }
}

/// The error for the first document that is not UTF-8.
fn first_invalid(text: &[u8], ends: &[u64]) -> CorpusError {
    let mut start = 0;
    for (document, &end) in ends.iter().enumerate() {
        let bytes = &text[start..end as usize];
        if let Err(error) = std::str::from_utf8(bytes) {
            let at = error.valid_up_to();
            return CorpusError::NotUtf8 { document, byte: bytes[at], at };
        }
        start = end as usize;
    }
    unreachable!("called for a text that has such a document")
}
