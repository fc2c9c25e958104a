//! Where the model sees another text than the one that was written: what was put in, changed and dropped, stretch by
//! stretch, out of the alignment of the stages.
//!
//! Bytes that are only spelled as characters (the byte alphabet) are no change, and white space at which a pretokenizer
//! splits is none either. Not here: the text after each step ([`super::Trace`]).

use serde::Serialize;

use super::Bytes;
use super::flat_pretokenizer;
use crate::added_tokens::{Segment, Specials};
use crate::error::EncodeError;
use crate::normalizers::Normalizer;
use crate::normalizers::sentencepiece::Normalized;
use crate::pieces::Pieces;
use crate::pipelines::sentencepiece::SentencePiece;
use crate::pretokenizers::Pretokenizer;
use crate::tokenizer::{Pipeline, Tokenizer};

/// A stretch of the original text and what the model sees in its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Bytes of the original text; empty where something is only put in.
    pub span: Bytes,
    /// What stands there; empty where the stretch is dropped.
    pub text: String,
}

/// Characters that the model sees, with what they stand for, and stretches that stay as they are.
type Seen = Vec<(Bytes, String)>;

impl Tokenizer {
    /// What the stages before the model put in, change and drop, in the order of the text; what stays is left out.
    ///
    /// Errors: those of `encode` before the model.
    pub fn changes(&self, text: &str, specials: Specials) -> Result<Vec<Change>, EncodeError> {
        let seen = match &self.parts().pipeline {
            Pipeline::SentencePiece(fused) => of_sentencepiece(self, fused, text, specials)?,
            _ => of_stages(self, text, specials)?,
        };
        Ok(changes(text, seen))
    }

    /// The stages that can put in, change or drop text, of `["normalizer", "pretokenizer"]`: none where
    /// [`Self::changes`] has nothing for any text.
    pub fn changing_stages(&self) -> Vec<&'static str> {
        let (normalizer, pretokenizer) = self.stages_before_the_model();
        let normalizer = match &self.parts().pipeline {
            Pipeline::SentencePiece(fused) => fused.normalizer().may_change(),
            _ => normalizer.is_some_and(|normalizer| normalizer.may_change()),
        };
        let stages = [("normalizer", normalizer), ("pretokenizer", pretokenizer.as_ref().is_some_and(writes_text))];
        stages.iter().filter(|(_, changes)| *changes).map(|(stage, _)| *stage).collect()
    }
}

fn of_sentencepiece(
    tokenizer: &Tokenizer,
    fused: &SentencePiece,
    text: &str,
    specials: Specials,
) -> Result<Seen, EncodeError> {
    let mut seen = vec![];
    for segment in tokenizer.segments(text, specials)? {
        match segment {
            Segment::Token(_, span) => seen.push(([span.start, span.end], text[span.range()].to_owned())),
            Segment::Text(span) => {
                let mut normalized = Normalized::default();
                fused.normalizer().normalize(&text[span.range()], &mut normalized);
                let starts = &normalized.starts;
                // Of several characters that came of one, all but the last end where they start.
                let end = |start: u32| starts[starts.partition_point(|&at| at <= start).min(starts.len() - 1)];
                seen.extend(
                    normalized
                        .text
                        .char_indices()
                        .map(|(at, c)| ([span.start + starts[at], span.start + end(starts[at])], c.to_string())),
                );
            }
        }
    }
    Ok(seen)
}

fn of_stages(tokenizer: &Tokenizer, text: &str, specials: Specials) -> Result<Seen, EncodeError> {
    let (normalizer, pretokenizer) = tokenizer.stages_before_the_model();
    let normalizer = normalizer.as_ref().map(without_spelling);
    tokenizer.check(text)?;
    let mut pieces = tokenizer.parts().added.pieces(text, 0, normalizer.as_ref(), specials)?;
    let normalized = characters(text, &pieces);
    let Some(pretokenizer) = pretokenizer.filter(writes_text) else { return Ok(normalized) };
    for step in until_spelled(&pretokenizer) {
        match step {
            Pretokenizer::ByteLevel(bytes) => bytes.prefix(&mut pieces),
            other => other.pretokenize(&mut pieces)?,
        }
    }
    let mut seen = characters(text, &pieces);
    // What the pretokenizer split away stays as the normalizer left it.
    let kept: Seen = normalized.into_iter().filter(|(span, _)| !covered(&seen, *span)).collect();
    seen.extend(kept);
    seen.sort_by_key(|(span, _)| span[0]);
    Ok(seen)
}

/// Whether one of the stretches, which are in order, has the first byte of `span`.
fn covered(seen: &Seen, span: Bytes) -> bool {
    let at = seen.partition_point(|(other, _)| other[0] <= span[0]);
    seen[..at].last().is_some_and(|(other, _)| other[0] == span[0] || other[1] > span[0])
}

fn characters(text: &str, pieces: &Pieces) -> Seen {
    let mut seen = vec![];
    for piece in pieces.iter().filter(|piece| !piece.text.text().is_empty()) {
        let whole = piece.text.text();
        if piece.token.is_some() {
            let span = piece.text.span(0..whole.len());
            seen.push(([span.start, span.end], text[span.range()].to_owned()));
            continue;
        }
        seen.extend(whole.char_indices().map(|(at, c)| {
            let span = piece.text.span(at..at + c.len_utf8());
            ([span.start, span.end], c.to_string())
        }));
    }
    seen
}

/// The normalizer without the step that spells bytes.
fn without_spelling(normalizer: &Normalizer) -> Normalizer {
    match normalizer {
        Normalizer::ByteLevel => Normalizer::Sequence(vec![]),
        Normalizer::Sequence(all) => Normalizer::Sequence(all.iter().map(without_spelling).collect()),
        other => other.clone(),
    }
}

/// Whether a pretokenizer changes the text and does more than to spell its bytes.
fn writes_text(pretokenizer: &Pretokenizer) -> bool {
    until_spelled(pretokenizer).iter().any(|step| match step {
        Pretokenizer::Metaspace(_) => true,
        Pretokenizer::ByteLevel(bytes) => bytes.add_prefix_space,
        _ => false,
    })
}

/// The steps of a pretokenizer up to the one that spells bytes, that one too; behind it nothing is text.
fn until_spelled(pretokenizer: &Pretokenizer) -> Vec<&Pretokenizer> {
    let mut steps = flat_pretokenizer(pretokenizer);
    let spelling = steps.iter().position(|step| matches!(step, Pretokenizer::ByteLevel(_)));
    steps.truncate(spelling.map_or(steps.len(), |at| at + 1));
    steps
}

/// Groups characters that came of the same stretch, and keeps what is not as it was.
fn changes(text: &str, seen: Seen) -> Vec<Change> {
    let mut groups: Vec<Change> = vec![];
    let mut reached = 0;
    for (span, new) in seen {
        match groups.last_mut() {
            // What is put in has the place of its neighbour, or an empty one where it starts.
            Some(last) if span[0] == last.span[0] || span[1] <= reached => {
                last.text.push_str(&new);
                last.span[1] = last.span[1].max(span[1]);
            }
            _ => {
                if span[0] > reached {
                    groups.push(Change { span: [reached, span[0]], text: String::new() });
                }
                groups.push(Change { span: [span[0].max(reached), span[1]], text: new });
            }
        }
        reached = reached.max(span[1]);
    }
    if reached < text.len() as u32 {
        groups.push(Change { span: [reached, text.len() as u32], text: String::new() });
    }
    groups.into_iter().filter_map(|group| group.narrowed(text)).flat_map(|change| change.apart(text)).collect()
}

impl Change {
    /// Without what is the same at its ends; `None` where nothing is left.
    fn narrowed(self, text: &str) -> Option<Self> {
        let [start, end] = self.span.map(|at| at as usize);
        let (old, new) = (&text[start..end], self.text.as_str());
        let common = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
            pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
        };
        let first = common(&mut old.chars().zip(new.chars()));
        let (old, new) = (&old[first..], &new[first..]);
        let last = common(&mut old.chars().rev().zip(new.chars().rev()));
        let span = [(start + first) as u32, (end - last) as u32];
        let text = new[..new.len() - last].to_owned();
        (span[0] < span[1] || !text.is_empty()).then_some(Self { span, text })
    }
}

impl Change {
    /// Where the stretch stays and something is put in on both sides of it: these two.
    fn apart(self, text: &str) -> Vec<Self> {
        let [start, end] = self.span;
        let old = &text[start as usize..end as usize];
        let Some((before, behind)) = self.text.split_once(old).filter(|_| !old.is_empty()) else { return vec![self] };
        let put = |at, text: &str| Self { span: [at, at], text: text.to_owned() };
        vec![put(start, before), put(end, behind)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, seen: &[(Bytes, &str)]) -> Vec<(Bytes, String)> {
        let seen = seen.iter().map(|(span, new)| (*span, (*new).to_owned())).collect();
        changes(text, seen).into_iter().map(|change| (change.span, change.text)).collect()
    }

    fn change(start: u32, end: u32, text: &str) -> (Bytes, String) {
        ([start, end], text.to_owned())
    }

    #[test]
    fn what_stays_is_no_change() {
        assert_eq!(of("aé", &[([0, 1], "a"), ([1, 3], "é")]), []);
        assert_eq!(of("", &[]), []);
    }

    #[test]
    fn put_in_changed_and_dropped() {
        // A mark before the first letter shares its span, or has an empty one.
        assert_eq!(of("H", &[([0, 1], "▁"), ([0, 1], "H")]), [change(0, 0, "▁")]);
        assert_eq!(of("H", &[([0, 0], "▁"), ([0, 1], "H")]), [change(0, 0, "▁")]);
        assert_eq!(of("É", &[([0, 2], "e"), ([0, 2], "\u{301}")]), [change(0, 2, "e\u{301}")]);
        assert_eq!(of("ﬁx", &[([0, 0], "f"), ([0, 3], "i"), ([3, 4], "x")]), [change(0, 3, "fi")]);
        assert_eq!(of("a\0b", &[([0, 1], "a"), ([2, 3], "b")]), [change(1, 2, "")]);
        assert_eq!(of("\0", &[]), [change(0, 1, "")]);
        assert_eq!(of("語", &[([0, 3], " "), ([0, 3], "語"), ([0, 3], " ")]), [change(0, 0, " "), change(3, 3, " ")]);
    }
}
