//! Special tokens: the text as they divide it, the tokens between them, and those that the template puts around.

use serde::Serialize;

use super::LessonError;
use super::frames::Frames;
use super::list::List;
use crate::trace::{Bytes, Steps, Token, Trace};
use token_engine::{EncodeOptions, Id, Specials, Tokenizer, flags};

/// A piece of the text, or a token.
#[derive(Clone, Debug, Serialize)]
struct Piece {
    /// `None` for a token.
    text: Option<String>,
    /// `None` for what the template adds.
    span: Option<Bytes>,
    id: Option<Id>,
    /// Whether it is an added token that was found in the text, or that the template adds.
    added: bool,
    /// Whether it has a control meaning.
    special: bool,
}

/// What a step did.
#[derive(Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
enum Now {
    Start,
    /// The text is divided at an added token.
    Cut {
        at: usize,
    },
    /// A piece became its tokens.
    Tokens {
        at: usize,
        count: usize,
    },
    /// The template added its tokens.
    Template {
        added: usize,
    },
    Done,
}

/// A stretch of the text: an added token, or all between two of them.
struct Stretch {
    span: Bytes,
    /// The added token.
    id: Option<Id>,
    tokens: Vec<Token>,
}

/// A step for each added token, and for each piece between them; and all ids, those of the template among them.
pub(super) fn frames(
    tokenizer: &Tokenizer,
    text: &str,
    (specials, add_special_tokens): (Specials, bool),
    trace: &Trace,
) -> Result<(Frames, Vec<Id>), LessonError> {
    let (mut frames, mut pieces) = (Frames::default(), List::<Piece>::default());
    let mut add = |now: Now, pieces: &mut List<Piece>| frames.add(&now, &mut [("pieces", pieces)]);
    let options = EncodeOptions { add_special_tokens, specials, ..EncodeOptions::default() };
    let encoding = tokenizer.encode(text, None, options)?;
    let is_special = |id: Id| {
        let mut flags = encoding.ids.iter().zip(&encoding.flags);
        flags.any(|(&other, flags)| other == id && flags & flags::SPECIAL != 0)
    };
    let piece = |span: Bytes, id: Option<Id>| Piece {
        text: text.get(span[0] as usize..span[1] as usize).map(str::to_owned),
        span: Some(span),
        id,
        added: id.is_some(),
        special: id.is_some_and(is_special),
    };
    let end = text.len() as u32;
    if end > 0 {
        pieces.push(piece([0, end], None));
    }
    add(Now::Start, &mut pieces)?;
    let stretches = stretches(trace, end);
    for (at, stretch) in stretches.iter().enumerate().filter(|(_, stretch)| stretch.id.is_some()) {
        let rest = pieces.len() - 1;
        // What is before it has been the rest of the text until now.
        let before = stretches[rest..at].iter().map(|stretch| piece(stretch.span, None));
        let after = (at + 1 < stretches.len()).then(|| piece([stretch.span[1], end], None));
        let new = before.chain([piece(stretch.span, stretch.id)]).chain(after).collect();
        pieces.splice(rest, 1, new);
        add(Now::Cut { at }, &mut pieces)?;
    }
    let mut at = 0;
    for Stretch { id, tokens, .. } in stretches {
        let count = tokens.len();
        if id.is_none() {
            let token = |token: &Token| Piece {
                text: None,
                span: token.span,
                id: Some(token.id),
                added: false,
                special: false,
            };
            pieces.splice(at, 1, tokens.iter().map(token).collect());
            add(Now::Tokens { at, count }, &mut pieces)?;
        }
        at += count;
    }
    let of_template = |flags: &u8| flags & flags::TEMPLATE != 0;
    let added = encoding.flags.iter().filter(|flags| of_template(flags)).count();
    for (at, (&id, flags)) in encoding.ids.iter().zip(&encoding.flags).enumerate() {
        if of_template(flags) && at <= pieces.len() {
            let special = flags & flags::SPECIAL != 0;
            pieces.splice(at, 0, vec![Piece { text: None, span: None, id: Some(id), added: true, special }]);
        }
    }
    if added > 0 {
        add(Now::Template { added }, &mut pieces)?;
    }
    add(Now::Done, &mut pieces)?;
    Ok((frames, encoding.ids))
}

/// The stretches of a text, one behind the other.
fn stretches(trace: &Trace, end: u32) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = vec![];
    for pretoken in &trace.pretokens {
        let start = stretches.last().map_or(0, |last| last.span[1]);
        if pretoken.steps == Steps::Added {
            // What the stages dropped before it is a stretch without tokens.
            if pretoken.span[0] > start {
                match stretches.last_mut().filter(|last| last.id.is_none()) {
                    Some(last) => last.span[1] = pretoken.span[0],
                    None => stretches.push(Stretch { span: [start, pretoken.span[0]], id: None, tokens: vec![] }),
                }
            }
            let id = pretoken.tokens.first().map(|token| token.id);
            stretches.push(Stretch { span: pretoken.span, id, tokens: pretoken.tokens.clone() });
            continue;
        }
        match stretches.last_mut().filter(|last| last.id.is_none()) {
            Some(last) => {
                last.span[1] = last.span[1].max(pretoken.span[1]);
                last.tokens.extend_from_slice(&pretoken.tokens);
            }
            None => {
                let span = [start, pretoken.span[1].max(start)];
                stretches.push(Stretch { span, id: None, tokens: pretoken.tokens.clone() });
            }
        }
    }
    let start = stretches.last().map_or(0, |last| last.span[1]);
    match stretches.last_mut() {
        Some(last) if last.id.is_none() => last.span[1] = end,
        _ if start < end => stretches.push(Stretch { span: [start, end], id: None, tokens: vec![] }),
        _ => {}
    }
    stretches
}
