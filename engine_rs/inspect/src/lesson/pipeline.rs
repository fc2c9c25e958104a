//! The stages of a tokenizer: what the text is after each of their steps; and the way back from marks and bytes to the text.

use serde::Serialize;

use super::LessonError;
use super::frames::Frames;
use super::list::List;
use crate::trace::{Bytes, Stage, Token, Trace, covering};
use token_engine::{Id, Tokenizer};

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
    Normalizer {
        name: &'a str,
    },
    Pretokenizer {
        name: &'a str,
    },
    Model,
    /// Each token is spelled as the vocabulary has it.
    Spelled,
    /// Tokens of bytes became the characters that the bytes are.
    Bytes,
    /// Marks became spaces, as the decoder says.
    Decoded,
}

/// A step for each step of each stage, and those of decoding by `back`.
pub(super) fn frames(text: &str, trace: &Trace, back: Option<&Tokenizer>) -> Result<Frames, LessonError> {
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
    if let Some(tokenizer) = back {
        let spelled = |token: &Token| Piece {
            text: tokenizer.id_to_token(token.id).map(Into::into),
            span: token.span,
            id: Some(token.id),
        };
        let spelled: Vec<Piece> = trace.tokens.iter().map(spelled).collect();
        let joined = join_bytes(tokenizer, &spelled);
        add(Now::Spelled, spelled)?;
        if let Some(joined) = joined {
            add(Now::Bytes, joined)?;
        }
        let ids: Vec<Id> = trace.tokens.iter().map(|token| token.id).collect();
        let decoded = tokenizer.decode(&ids, false).map_err(LessonError::Decode)?;
        let span = Some([0, text.len() as u32]);
        add(Now::Decoded, vec![Piece { text: Some(decoded), span, id: None }])?;
    }
    Ok(frames)
}

/// Runs of tokens of bytes, like `<0xE6>`, as the text of the bytes; `None` if there is no such token.
fn join_bytes(tokenizer: &Tokenizer, spelled: &[Piece]) -> Option<Vec<Piece>> {
    let byte = |piece: &Piece| {
        let text = piece.text.as_deref()?;
        let bytes = piece.id.and_then(|id| tokenizer.token_bytes(id))?;
        (text.starts_with("<0x") && bytes.len() == 1).then(|| bytes[0])
    };
    let mut joined = vec![];
    for run in spelled.chunk_by(|a, b| byte(a).is_some() && byte(b).is_some()) {
        let bytes: Vec<u8> = run.iter().filter_map(byte).collect();
        if bytes.is_empty() {
            joined.extend_from_slice(run);
            continue;
        }
        let span = covering(run.iter().filter_map(|piece| piece.span));
        joined.push(Piece { text: Some(String::from_utf8_lossy(&bytes).into_owned()), span, id: None });
    }
    (joined.len() != spelled.len() || spelled.iter().any(|piece| byte(piece).is_some())).then_some(joined)
}

fn pieces_of(stage: &Stage) -> Vec<Piece> {
    let pieces = stage.pretokens.iter();
    pieces.map(|one| Piece { text: Some(one.text.clone()), span: Some(one.span), id: one.added }).collect()
}
