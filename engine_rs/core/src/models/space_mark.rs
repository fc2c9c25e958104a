//! The character that stands for a space in the vocabularies of SentencePiece.

/// What stands for a space.
pub(crate) const MARK: char = '\u{2581}';

/// Whether a token has a space mark after another character.
pub(crate) fn has_inner_mark(token: &[u8]) -> bool {
    String::from_utf8_lossy(token).trim_start_matches(MARK).contains(MARK)
}

/// The segments of a text: each starts at a mark that follows another character.
#[cfg(test)]
pub(crate) fn segments(text: &str) -> impl Iterator<Item = std::ops::Range<usize>> {
    let is_mark = |c: char| c == MARK;
    let pairs = text.char_indices().zip(text.chars().skip(1));
    let starts =
        pairs.filter(move |((_, c), next)| !is_mark(*c) && is_mark(*next)).map(|((at, c), _)| at + c.len_utf8());
    let ends = starts.chain(Some(text.len()));
    let mut start = 0;
    ends.map(move |end| std::mem::replace(&mut start, end)..end)
}
