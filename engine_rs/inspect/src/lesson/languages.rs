//! The same said in several languages: what each line of a text takes in tokens, beside the first one.

use serde::Serialize;

use super::LessonError;
use super::frames::Frames;
use super::list::List;
use crate::trace::{Bytes, Token};
use token_engine::{EncodeOptions, Specials, Tokenizer};

/// A line of the text.
#[derive(Clone, Debug, Serialize)]
struct Sentence {
    text: String,
    span: Bytes,
    characters: usize,
    bytes: usize,
    /// Bytes for each of the first line.
    byte_premium: f64,
    /// Indices of its tokens, from and to; `None` before its step.
    tokens: Option<[usize; 2]>,
    /// Tokens for each of the first line.
    premium: Option<f64>,
}

/// What a step did.
#[derive(Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
enum Now {
    Start,
    /// A line was encoded.
    Sentence {
        at: usize,
        tokens: usize,
    },
    Done,
}

/// A step for each line that is not empty, and the tokens of all of them.
pub(super) fn frames(
    tokenizer: &Tokenizer,
    text: &str,
    specials: Specials,
) -> Result<(Frames, Vec<Token>), LessonError> {
    let lines: Vec<(usize, &str)> = text
        .split_inclusive('\n')
        .scan(0, |end, line| {
            let start = *end;
            *end += line.len();
            Some((start, line.trim_end_matches(['\r', '\n'])))
        })
        .filter(|(_, line)| !line.trim().is_empty())
        .collect();
    let [(_, first), _, ..] = lines[..] else { return Err(LessonError::OneLine { lines: lines.len() }) };
    let sentence = |&(start, line): &(usize, &str)| Sentence {
        text: line.to_owned(),
        span: [start as u32, (start + line.len()) as u32],
        characters: line.chars().count(),
        bytes: line.len(),
        byte_premium: line.len() as f64 / first.len() as f64,
        tokens: None,
        premium: None,
    };
    let (mut frames, mut sentences, mut tokens) = (Frames::default(), List::default(), vec![]);
    sentences.extend(lines.iter().map(sentence).collect());
    frames.add(&Now::Start, &mut [("sentences", &mut sentences)])?;
    let options = EncodeOptions { add_special_tokens: false, specials, ..EncodeOptions::default() };
    let mut of_first = 0;
    for (at, (start, line)) in lines.iter().enumerate() {
        let encoding = tokenizer.encode(line, None, options)?;
        let (from, start) = (tokens.len(), *start as u32);
        let spans = encoding.spans.iter().map(|span| Some([start + span.start, start + span.end]));
        tokens.extend(encoding.ids.iter().zip(spans).map(|(&id, span)| Token { id, span }));
        let count = tokens.len() - from;
        of_first = if at == 0 { count } else { of_first };
        // A normalizer may leave nothing of a line.
        let premium = (of_first > 0).then(|| count as f64 / of_first as f64);
        let sentence = Sentence { tokens: Some([from, tokens.len()]), premium, ..sentences[at].clone() };
        sentences.splice(at, 1, vec![sentence]);
        frames.add(&Now::Sentence { at, tokens: count }, &mut [("sentences", &mut sentences)])?;
    }
    frames.add(&Now::Done, &mut [("sentences", &mut sentences)])?;
    Ok((frames, tokens))
}
