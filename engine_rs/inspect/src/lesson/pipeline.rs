//! The stages of a tokenizer: what the text is after each of their steps.

use serde::Serialize;

use super::LessonError;
use super::frames::{Frames, List};
use crate::trace::{Bytes, Stage, Token, Trace};
use token_engine::ids::Id;

/// A piece of the text, or a token of it.
#[derive(Clone, Debug, Serialize)]
struct Piece {
    /// `None` for a token.
    text: Option<String>,
    span: Option<Bytes>,
    id: Option<Id>,
}

/// What a step did.
#[derive(Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
enum Now<'a> {
    Start,
    Normalizer { name: &'a str },
    Pretokenizer { name: &'a str },
    Model,
}

/// A step for each step of each stage.
pub(super) fn frames(text: &str, trace: &Trace) -> Result<Frames, LessonError> {
    let (mut frames, mut pieces) = (Frames::default(), List::default());
    let mut add = |now: Now<'_>, new: Vec<Piece>| {
        pieces.splice(0, pieces.len(), new);
        frames.add(&now, &mut [("pieces", &mut pieces)])
    };
    add(Now::Start, vec![Piece { text: Some(text.to_owned()), span: Some([0, text.len() as u32]), id: None }])?;
    for stage in &trace.normalizer {
        add(Now::Normalizer { name: &stage.step }, pieces_of(stage))?;
    }
    for stage in &trace.pretokenizer {
        add(Now::Pretokenizer { name: &stage.step }, pieces_of(stage))?;
    }
    let token = |token: &Token| Piece { text: None, span: token.span, id: Some(token.id) };
    add(Now::Model, trace.tokens.iter().map(token).collect())?;
    Ok(frames)
}

fn pieces_of(stage: &Stage) -> Vec<Piece> {
    let pieces = stage.pretokens.iter();
    pieces.map(|one| Piece { text: Some(one.text.clone()), span: Some(one.span), id: one.added }).collect()
}
