//! What every stage did with a text, step by step: for people who want to know why it was split so.
//!
//! Nothing here is on the way of `encode`. A trace runs the stages one after the other and the slow twins of the models;
//! that its tokens are those of `encode` is tested. Spans are UTF-8 bytes of the original text, half-open; ids are looked
//! up by whoever shows them.
//! Not here: the reason for one split, in words (`lab_app/analysis`).

mod branch;
mod changes;
mod detour;
mod sentencepiece;
mod steps;
mod ways;

use serde::Serialize;

use crate::added_tokens::{AddedTokens, Specials};
use crate::describe;
use crate::encoding::Encoding;
use crate::error::EncodeError;
use crate::ids::Id;
use crate::normalizers::Normalizer;
use crate::pieces::{Piece, Pieces};
use crate::pretokenizers::Pretokenizer;
use crate::tokenizer::{EncodeOptions, Pipeline, Tokenizer};
pub use branch::branch;
pub use changes::Change;
pub use detour::Detour;
pub use steps::{Boundary, Merge, Node, Path, Steps, Tries};

/// Start and end in bytes of the original text.
pub type Bytes = [u32; 2];

/// Longer texts are refused, and those that a normalizer makes longer: a model may take time in the square of the length,
/// and shows every step.
pub const MAX_CHARACTERS: usize = 10_000;

/// What every stage did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trace {
    /// Length of the text.
    pub text_bytes: usize,
    /// The text after the added tokens were extracted, after each step of the normalizer, and after the added tokens
    /// that are looked for in normalized text were extracted.
    pub normalizer: Vec<Stage>,
    /// The pieces after each step of the pretokenizer.
    pub pretokenizer: Vec<Stage>,
    /// What the model sees, and what it does.
    pub pretokens: Vec<Pretoken>,
    /// The tokens after the postprocessor.
    pub tokens: Vec<Token>,
}

/// What a step left.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stage {
    /// The step in a few words.
    pub step: String,
    /// The pieces in order.
    pub pieces: Vec<Text>,
}

/// A piece of the text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Text {
    /// As it is now.
    pub text: String,
    /// What it stands for.
    pub span: Bytes,
    /// The added token that it is.
    pub added: Option<Id>,
}

/// A piece as the model sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pretoken {
    /// As the model sees it.
    pub text: String,
    /// What it stands for.
    pub span: Bytes,
    /// For each character of `text`, what it stands for.
    pub alignment: Vec<Bytes>,
    /// The step that made the boundary before it; `None` at the start of the text.
    pub split_by: Option<String>,
    /// The part of a known pattern that matched it: "letters", "number" ...
    pub branch: Option<&'static str>,
    /// What tokens stand for that the user of a SentencePiece model defined: text that it keeps whole.
    pub user_defined: Vec<Bytes>,
    /// What the model did.
    pub steps: Steps,
    /// The tokens that came of it.
    pub tokens: Vec<Token>,
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Token {
    /// Its id.
    pub id: Id,
    /// What it stands for; `None` where the postprocessor added it.
    pub span: Option<Bytes>,
}

impl Tokenizer {
    /// Everything that happens to a text.
    ///
    /// Errors: a text of more than [`MAX_CHARACTERS`], before or after the normalizer; those of `encode`.
    pub fn trace(&self, text: &str, specials: Specials, add_special_tokens: bool) -> Result<Trace, EncodeError> {
        check_length(text.chars().count(), false)?;
        let options = EncodeOptions { add_special_tokens, specials, ..EncodeOptions::default() };
        let tokens = tokens_of(&self.encode(text, None, options)?);
        let trace = match &self.parts().pipeline {
            Pipeline::SentencePiece(fused) => sentencepiece::trace(self, fused, text, specials)?,
            _ => self.trace_stages(text, specials)?,
        };
        Ok(Trace { tokens, ..trace })
    }

    /// What the stages did; the final tokens are left out.
    fn trace_stages(&self, text: &str, specials: Specials) -> Result<Trace, EncodeError> {
        let (normalizer, pretokenizer) = self.stages_before_the_model();
        let mut pieces = Pieces::new(text, 0);
        let normalized = normalized(&mut pieces, &self.parts().added, normalizer.as_ref(), specials)?;
        check_length(pieces.iter().map(|piece| piece.text.text().chars().count()).sum(), true)?;
        let (split, splits) = pretokenized(&mut pieces, pretokenizer.as_ref())?;
        let pretokens = pieces.iter().map(|piece| {
            let span = span_of(piece);
            let (steps, tokens) = steps::of_piece(self, text, piece)?;
            Ok(Pretoken {
                text: piece.text.text().to_owned(),
                span,
                alignment: alignment(piece),
                split_by: splits.iter().find(|(start, _)| *start == span[0]).map(|(_, step)| step.clone()),
                branch: branch::of(pretokenizer.as_ref(), text, span, piece.token.is_some()),
                user_defined: vec![],
                steps,
                tokens,
            })
        });
        let pretokens = pretokens.collect::<Result<_, EncodeError>>()?;
        Ok(Trace { text_bytes: text.len(), normalizer: normalized, pretokenizer: split, pretokens, tokens: vec![] })
    }
}

/// Refuses more characters than are traced. Models see the normalized text, which may be much longer than the original.
fn check_length(characters: usize, is_normalized: bool) -> Result<(), EncodeError> {
    if characters > MAX_CHARACTERS {
        return Err(EncodeError::TraceTooLong { is_normalized, characters, max: MAX_CHARACTERS });
    }
    Ok(())
}

/// The tokens of an encoding, those of the postprocessor with no place.
fn tokens_of(encoding: &Encoding) -> Vec<Token> {
    let spans = encoding.spans.iter().zip(&encoding.sequence_ids);
    let tokens = encoding
        .ids
        .iter()
        .zip(spans)
        .map(|(&id, (span, &sequence))| Token { id, span: (sequence == 0).then_some([span.start, span.end]) });
    tokens.collect()
}

/// Runs the normalizer and extracts added tokens.
fn normalized(
    pieces: &mut Pieces,
    added: &AddedTokens,
    normalizer: Option<&Normalizer>,
    specials: Specials,
) -> Result<Vec<Stage>, EncodeError> {
    added.settle(pieces, false, specials)?;
    let mut stages = vec![Stage::new("added tokens in the text", pieces)];
    for step in normalizer.map(flat_normalizer).unwrap_or_default() {
        pieces.try_change(|piece| step.normalize(piece))?;
        stages.push(Stage::new(describe::normalizer(step), pieces));
    }
    added.settle(pieces, true, specials)?;
    if normalizer.is_some() {
        stages.push(Stage::new("added tokens in the normalized text", pieces));
    }
    Ok(stages)
}

/// Where pieces start, and the step that made the boundary.
type Splits = Vec<(u32, String)>;

/// Runs the pretokenizer.
fn pretokenized(pieces: &mut Pieces, pretokenizer: Option<&Pretokenizer>) -> Result<(Vec<Stage>, Splits), EncodeError> {
    let starts = |pieces: &Pieces| pieces.iter().map(|piece| span_of(piece)[0]).collect::<Vec<_>>();
    let first = starts(pieces);
    let mut splits: Splits = first.iter().skip(1).map(|&start| (start, "added token".to_owned())).collect();
    let mut known = first;
    let mut stages = vec![];
    for step in pretokenizer.map(flat_pretokenizer).unwrap_or_default() {
        step.pretokenize(pieces)?;
        let words = describe::pretokenizer(step);
        let now = starts(pieces);
        let before: rustc_hash::FxHashSet<u32> = known.into_iter().collect();
        let new = now.iter().skip(1).filter(|start| !before.contains(start));
        splits.extend(new.map(|&start| (start, words.clone())));
        stages.push(Stage::new(words, pieces));
        known = now;
    }
    Ok((stages, splits))
}

/// The steps of a sequence, one level.
fn flat_normalizer(normalizer: &Normalizer) -> Vec<&Normalizer> {
    match normalizer {
        Normalizer::Sequence(all) => all.iter().flat_map(flat_normalizer).collect(),
        one => vec![one],
    }
}

fn flat_pretokenizer(pretokenizer: &Pretokenizer) -> Vec<&Pretokenizer> {
    match pretokenizer {
        Pretokenizer::Sequence(all) => all.iter().flat_map(flat_pretokenizer).collect(),
        one => vec![one],
    }
}

impl Stage {
    fn new(step: impl Into<String>, pieces: &Pieces) -> Self {
        let text = |piece: &Piece| Text {
            text: piece.text.text().to_owned(),
            span: span_of(piece),
            added: piece.token.map(|found| found.id),
        };
        Self { step: step.into(), pieces: pieces.iter().map(text).collect() }
    }
}

/// What a piece stands for; an empty one for nothing, where it started.
fn span_of(piece: &Piece) -> Bytes {
    let len = piece.text.text().len();
    if len == 0 {
        let at = piece.text.origin() as u32;
        return [at, at];
    }
    let span = piece.text.span(0..len);
    [span.start, span.end]
}

fn alignment(piece: &Piece) -> Vec<Bytes> {
    let characters = piece.text.text().char_indices();
    let span = characters.map(|(at, c)| piece.text.span(at..at + c.len_utf8()));
    span.map(|span| [span.start, span.end]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::stages;

    #[test]
    fn the_limit_is_on_the_normalized_text_too() {
        let definition = stages::from_json(&serde_json::json!({
            "normalizer": {"type": "NFKD"},
            "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["a", -1.0]]}}));
        let tokenizer = definition.build("x").expect("valid");
        let trace = |text: &str| tokenizer.trace(text, Specials::Text, false);
        // One character of the text, six of the normalized one.
        let refused = EncodeError::TraceTooLong { is_normalized: true, characters: 10_002, max: MAX_CHARACTERS };
        assert_eq!(trace(&"\u{3316}".repeat(1667)).err(), Some(refused));
        let refused = EncodeError::TraceTooLong { is_normalized: false, characters: 10_001, max: MAX_CHARACTERS };
        assert_eq!(trace(&"a".repeat(10_001)).err(), Some(refused));
        assert!(trace(&"\u{3316}".repeat(100)).is_ok());
    }
}
