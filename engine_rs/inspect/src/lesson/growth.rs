//! How the operations of the textbook encoders grow with the length of a text: for prose, and for one long word.
//!
//! Counts and no times, so that every machine shows the same. Prose is the text of the lesson again and again, with spaces between;
//! the word is its letters without anything between them.

use serde::Serialize;

use super::LessonError;
use super::encoders::{SHOWN, Work};
use crate::textbook;
use token_engine::Tokenizer;

/// Bytes of the texts.
const LENGTHS: [usize; 7] = [16, 32, 64, 128, 256, 512, 1024];

/// The operations of each encoder on a text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Point {
    /// Length of the text: at most the power of two, by less than a character.
    pub(super) bytes: usize,
    /// In the order of the lesson.
    pub(super) operations: [u64; 4],
}

/// The same for texts of growing length.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Growth {
    pub(super) prose: Vec<Point>,
    /// Empty where the text has no letters.
    pub(super) word: Vec<Point>,
}

impl Growth {
    /// Errors: as [`textbook::encode`].
    pub(super) fn new(tokenizer: &Tokenizer, text: &str) -> Result<Self, LessonError> {
        let (prose, word) = texts(text);
        let points = |text: &str| {
            LENGTHS
                .into_iter()
                .filter(|_| !text.is_empty())
                .map(|bytes| point(tokenizer, beginning(text, bytes)))
                .collect::<Result<_, _>>()
        };
        Ok(Self { prose: points(&prose)?, word: points(&word)? })
    }
}

/// Prose and a word that are long enough.
pub(super) fn texts(text: &str) -> (String, String) {
    let letters: String = text.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect();
    let prose = text.trim();
    (repeated(prose, " "), repeated(&letters, ""))
}

/// A text again and again, at least as long as the longest that is measured; nothing of an empty one.
fn repeated(text: &str, between: &str) -> String {
    let most = LENGTHS[LENGTHS.len() - 1];
    if text.is_empty() {
        String::new()
    } else {
        format!("{text}{between}").repeat(most.div_ceil(text.len() + between.len()))
    }
}

/// The characters of a text that have at most so many bytes together.
pub(super) fn beginning(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn point(tokenizer: &Tokenizer, text: &str) -> Result<Point, LessonError> {
    let mut operations = [0; 4];
    for (sum, algorithm) in operations.iter_mut().zip(SHOWN) {
        *sum = Work::of(&textbook::count(tokenizer, text, algorithm)?).operations;
    }
    Ok(Point { bytes: text.len(), operations })
}
