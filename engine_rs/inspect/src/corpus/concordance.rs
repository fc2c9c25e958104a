//! Where a token occurs, and how a word is segmented, in documents.
//!
//! Whole documents are encoded, so what is found does not depend on how documents are put together in batches.

use rustc_hash::FxHashMap;

use super::documents::Documents;
use super::errors::CorpusError;
use super::tokens::{IdsAndSpans, Tokens};
use token_engine::internals::unicode::is_mark;
use token_engine::{Id, Span, Specials, Tokenizer};

/// A place in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Index of the document.
    pub document: usize,
    /// UTF-8 bytes of the document.
    pub span: Span,
}

/// The first `limit` occurrences of a token, in the order of the text. Its span is empty where it holds no byte of it.
///
/// Errors: a document that the tokenizer cannot encode.
pub fn occurrences(
    tokenizer: &Tokenizer,
    documents: &Documents<'_>,
    id: Id,
    limit: usize,
) -> Result<Vec<Place>, CorpusError> {
    let mut found = vec![];
    let mut tokens = IdsAndSpans::default();
    for document in 0..documents.len() {
        if found.len() >= limit {
            break;
        }
        encode(tokenizer, documents, document, &mut tokens)?;
        let spans = tokens.ids.iter().zip(tokens.spans()).filter(|(found, _)| **found == id).map(|(_, span)| span);
        found.extend(spans.map(|span| Place { document, span }).take(limit - found.len()));
    }
    Ok(found)
}

/// The first `limit` occurrences of a word, in the order of the text.
///
/// An occurrence is the word as it is spelled, without a letter, a mark or a number next to it on a side where it has one
/// itself. Occurrences do not overlap. An empty word has none.
///
/// ```
/// # use token_inspect::corpus::{concordance::word_places, documents::Documents};
/// let documents = Documents::new("a cat, cats; cat\u{301}".as_bytes(), &[18], None, 1).unwrap();
/// let starts: Vec<_> = word_places(&documents, "cat", 10).iter().map(|place| place.span.start).collect();
/// assert_eq!(starts, [2]);
/// ```
pub fn word_places(documents: &Documents<'_>, word: &str, limit: usize) -> Vec<Place> {
    let all = (0..documents.len())
        .flat_map(|document| places(documents.text(document), word).map(move |span| Place { document, span }));
    all.take(limit).collect()
}

/// One way in which a word was segmented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segmentation {
    /// Ids of the tokens that overlap the word, in their order. The first and the last may hold text around it.
    pub ids: Vec<Id>,
    /// How often.
    pub count: u64,
    /// The word where it was first segmented so.
    pub first: Place,
}

/// The ways in which the first `limit` occurrences of a word are segmented, the most frequent first, then by ids.
///
/// The occurrences are those of [`word_places`].
///
/// Errors: a document that the tokenizer cannot encode.
pub fn segmentations(
    tokenizer: &Tokenizer,
    documents: &Documents<'_>,
    word: &str,
    limit: usize,
) -> Result<Vec<Segmentation>, CorpusError> {
    let mut ways: FxHashMap<Vec<Id>, Segmentation> = FxHashMap::default();
    let mut tokens = IdsAndSpans::default();
    let mut left = limit;
    for document in 0..documents.len() {
        let places: Vec<Span> = places(documents.text(document), word).take(left).collect();
        if places.is_empty() {
            continue;
        }
        left -= places.len();
        encode(tokenizer, documents, document, &mut tokens)?;
        for span in places {
            let ids = overlapping(&tokens, span);
            let first = Place { document, span };
            ways.entry(ids.clone()).or_insert(Segmentation { ids, count: 0, first }).count += 1;
        }
    }
    let mut ways: Vec<_> = ways.into_values().collect();
    ways.sort_unstable_by(|one, other| other.count.cmp(&one.count).then_with(|| one.ids.cmp(&other.ids)));
    Ok(ways)
}

fn encode(
    tokenizer: &Tokenizer,
    documents: &Documents<'_>,
    document: usize,
    tokens: &mut IdsAndSpans,
) -> Result<(), CorpusError> {
    tokens.clear();
    let encoded = tokenizer.encode_into(documents.text(document), Specials::Text, tokens);
    encoded.map_err(|error| CorpusError::Document { document, tokenizer: 0, error })
}

/// Whether a word goes on from one character to the next: both are letters, marks or numbers.
fn is_inside_word(one: Option<char>, other: Option<char>) -> bool {
    [one, other].into_iter().all(|c| c.is_some_and(|c| c.is_alphanumeric() || is_mark(c)))
}

fn places<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = Span> + 'a {
    let found = (!word.is_empty()).then(|| text.match_indices(word)).into_iter().flatten();
    let spans = found.map(|(start, word)| Span::new(start, start + word.len()));
    spans.filter(move |span| {
        let before = text[..span.start as usize].chars().next_back();
        let after = text[span.end as usize..].chars().next();
        !is_inside_word(before, word.chars().next()) && !is_inside_word(word.chars().next_back(), after)
    })
}

fn overlapping(tokens: &IdsAndSpans, range: Span) -> Vec<Id> {
    // Starts rise, so no token from here on overlaps; one far before may, if spans are nested.
    let end = tokens.starts.partition_point(|&start| start < range.end);
    let spans = (0..end).rev().take_while(|&at| tokens.ends[at] > range.start || tokens.starts[at] >= range.start);
    let mut ids: Vec<Id> =
        spans.filter(|&at| tokens.ends[at] > range.start.max(tokens.starts[at])).map(|at| tokens.ids[at]).collect();
    ids.reverse();
    ids
}
