//! Cuts that a class of characters decides: white space, punctuation, digits, one character; and pieces of equal length.
//!
//! Not here: BERT's rule ([`super::bert`]), cuts by an expression ([`super::split`]).
//!
//! Source: `Whitespace`, `WhitespaceSplit`, `Punctuation`, `Digits`, `CharDelimiterSplit` and `FixedLength` of the
//! tokenizer.json format.

use std::ops::Range;

use crate::alignment::Behavior;
use crate::pieces::Pieces;
use crate::unicode::{is_numeric, is_punctuation, is_space};

/// Runs of word characters, runs of all others but white space: `\w+|[^\w\s]+`.
///
/// ```
/// # use token_engine::{pieces::Pieces, pretokenizers::simple};
/// let mut pieces = Pieces::new("Hey, how_are you?!", 0);
/// simple::whitespace(&mut pieces);
/// assert_eq!(pieces.iter().map(|piece| piece.text.text()).collect::<Vec<_>>(), ["Hey", ",", "how_are", "you", "?!"]);
/// ```
pub fn whitespace(pieces: &mut Pieces) {
    #[derive(PartialEq, Clone, Copy)]
    enum Class {
        Word,
        Space,
        Other,
    }
    let class = |c: char| match c {
        c if regex_syntax::is_word_character(c) => Class::Word,
        c if is_space(c) => Class::Space,
        _ => Class::Other,
    };
    pieces.split(|_, piece, out| {
        let mut start = 0;
        let mut before = None;
        for (at, c) in piece.text().char_indices().chain([(piece.text().len(), ' ')]) {
            let now = class(c);
            let run = before == Some(now) && at < piece.text().len();
            if !run {
                if before.is_some_and(|class| class != Class::Space) {
                    out.push(piece.slice(start..at));
                }
                start = at;
            }
            before = Some(now);
        }
    });
}

/// Cuts at white space, which goes away.
pub fn whitespace_split(pieces: &mut Pieces) {
    split_at(pieces, is_space, Behavior::Removed);
}

/// Cuts at punctuation: of general category P, or one of ASCII's symbols.
pub fn punctuation(pieces: &mut Pieces, behavior: Behavior) {
    split_at(pieces, is_punctuation, behavior);
}

/// Cuts numbers out of the text, digit by digit or run by run.
///
/// ```
/// # use token_engine::{pieces::Pieces, pretokenizers::simple};
/// let split = |individual| {
///     let mut pieces = Pieces::new("a12½b", 0);
///     simple::digits(&mut pieces, individual);
///     pieces.iter().map(|piece| piece.text.text().to_owned()).collect::<Vec<_>>()
/// };
/// assert_eq!(split(false), ["a", "12½", "b"]);
/// assert_eq!(split(true), ["a", "1", "2", "½", "b"]);
/// ```
pub fn digits(pieces: &mut Pieces, individual: bool) {
    split_at(pieces, is_numeric, if individual { Behavior::Isolated } else { Behavior::Contiguous });
}

/// Cuts at a character, which goes away.
pub fn delimiter(pieces: &mut Pieces, delimiter: char) {
    split_at(pieces, |c| c == delimiter, Behavior::Removed);
}

/// Pieces of `length` characters, the last one of what is left; a length of 0 leaves all as it is.
///
/// ```
/// # use token_engine::{pieces::Pieces, pretokenizers::simple};
/// let mut pieces = Pieces::new("日本語!", 0);
/// simple::fixed_length(&mut pieces, 3);
/// assert_eq!(pieces.iter().map(|piece| piece.text.text()).collect::<Vec<_>>(), ["日本語", "!"]);
/// ```
pub fn fixed_length(pieces: &mut Pieces, length: usize) {
    if length == 0 {
        return;
    }
    pieces.split(|_, piece, out| {
        let starts = piece.text().char_indices().map(|(at, _)| at).step_by(length);
        let ends = piece.text().char_indices().map(|(at, _)| at).step_by(length).skip(1).chain([piece.text().len()]);
        out.extend(starts.zip(ends).map(|(start, end)| piece.slice(start..end)));
    });
}

fn split_at(pieces: &mut Pieces, cut: impl Fn(char) -> bool, behavior: Behavior) {
    pieces.split(|_, piece, out| {
        let matches: Vec<Range<usize>> =
            piece.text().char_indices().filter(|&(_, c)| cut(c)).map(|(at, c)| at..at + c.len_utf8()).collect();
        piece.split(&matches, behavior, out);
    });
}
