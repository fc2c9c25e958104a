//! Greedy longest match: a window that shrinks from the right until the vocabulary has what it shows.

use serde::Serialize;

use super::LessonError;
use super::frames::Frames;
use super::list::List;
use crate::trace::{Bytes, Pretoken, Steps, Token, Trace};
use token_engine::Id;

/// What was looked up at the present place.
#[derive(Clone, Debug, Serialize)]
struct Try {
    /// As it was looked up: with the prefix inside of a word.
    entry: String,
    span: Bytes,
    found: Option<Id>,
}

/// A token of the words so far.
#[derive(Clone, Debug, Serialize)]
struct Placed {
    id: Id,
    span: Option<Bytes>,
    pretoken: usize,
}

/// What a step did.
#[derive(Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
enum Now {
    Start,
    /// The window was looked up; what it found is a token now.
    LookUp {
        pretoken: usize,
        span: Bytes,
        found: Option<Id>,
    },
    /// The word is one unknown token, whatever was found before: nothing fits at a place.
    Unknown {
        pretoken: usize,
    },
    /// The word is longer than words may be, so that nothing is looked up.
    TooLong {
        pretoken: usize,
    },
    /// An added token, which no model sees.
    Added {
        pretoken: usize,
    },
    Done,
}

#[derive(Default)]
struct Row {
    tries: List<Try>,
    tokens: List<Placed>,
}

/// A step for each look-up.
pub(super) fn frames(trace: &Trace, prefix: &str) -> Result<Frames, LessonError> {
    let (mut frames, mut row) = (Frames::default(), Row::default());
    row.add(&mut frames, &Now::Start)?;
    for (number, pretoken) in trace.pretokens.iter().enumerate() {
        let first = row.tokens.len();
        row.tries.clear();
        let Steps::WordPiece { tries, too_long } = &pretoken.steps else {
            row.finish(first, number, &pretoken.tokens);
            row.add(&mut frames, &Now::Added { pretoken: number })?;
            continue;
        };
        for one in tries {
            let (start, found_end) = (one.range.0 as usize, one.range.1.map(|end| end as usize));
            row.tries.clear();
            let ends = pretoken.text.char_indices().map(|(at, c)| at + c.len_utf8()).filter(|&end| end > start);
            for end in ends.rev().take(one.tried) {
                let found = one.found.filter(|_| found_end == Some(end));
                let span = span_of(pretoken, start, end);
                let prefix = if start > 0 { prefix } else { "" };
                row.tries.push(Try { entry: format!("{prefix}{}", &pretoken.text[start..end]), span, found });
                if let Some(id) = found {
                    row.tokens.push(Placed { id, span: Some(span), pretoken: number });
                }
                row.add(&mut frames, &Now::LookUp { pretoken: number, span, found })?;
            }
        }
        if !row.tokens.iter_from(first).map(|token| token.id).eq(pretoken.tokens.iter().map(|token| token.id)) {
            row.finish(first, number, &pretoken.tokens);
            let now = if *too_long { Now::TooLong { pretoken: number } } else { Now::Unknown { pretoken: number } };
            row.add(&mut frames, &now)?;
        }
    }
    row.tries.clear();
    row.add(&mut frames, &Now::Done)?;
    Ok(frames)
}

/// What a part of a pretoken stands for.
fn span_of(pretoken: &Pretoken, start: usize, end: usize) -> Bytes {
    let spans = pretoken.text.char_indices().zip(&pretoken.alignment);
    let mut spans = spans.filter(|((at, _), _)| (start..end).contains(at)).map(|(_, span)| *span);
    let first = spans.next().unwrap_or(pretoken.span);
    spans.fold(first, |whole, span| [whole[0].min(span[0]), whole[1].max(span[1])])
}

impl Row {
    fn add(&mut self, frames: &mut Frames, now: &Now) -> Result<(), LessonError> {
        frames.add(now, &mut [("tries", &mut self.tries), ("tokens", &mut self.tokens)])
    }

    /// Puts the tokens of a pretoken in the place of those found so far.
    fn finish(&mut self, first: usize, pretoken: usize, tokens: &[Token]) {
        let placed = tokens.iter().map(|token| Placed { id: token.id, span: token.span, pretoken });
        self.tokens.splice(first, self.tokens.len() - first, placed.collect());
    }
}
