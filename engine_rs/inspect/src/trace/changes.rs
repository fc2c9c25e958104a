//! Where the model sees another text than the one that was written: what was put in, changed and dropped, stretch by
//! stretch, out of the alignment of the stages.
//!
//! Bytes that are only spelled as characters (the byte alphabet) are no change, and white space at which a pretokenizer
//! splits is none either. Not here: the text after each step ([`super::Trace`]).

use serde::Serialize;

use super::Bytes;
use token_engine::internals::alignment::Part;
use token_engine::internals::pretokens::{AddedTokenMatch, Pretokens};
use token_engine::internals::stages::{Observe, Run, Stages, Step};
use token_engine::normalizers::Normalizer;
use token_engine::pretokenizers::Pretokenizer;
use token_engine::{EncodeError, Specials, Tokenizer};

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

/// What the stages before the model put in, change and drop, in the order of the text; what stays is left out.
///
/// Errors: those of `encode` before the model.
pub fn changes(tokenizer: &Tokenizer, text: &str, specials: Specials) -> Result<Vec<Change>, EncodeError> {
    Ok(grouped(text, of_stages(tokenizer, tokenizer.as_stages(), text, specials)?))
}

/// The stages that can put in, change or drop text, of `["normalizer", "pretokenizer"]`: none where
/// [`changes`] has nothing for any text.
pub fn changing_stages(tokenizer: &Tokenizer) -> Vec<&'static str> {
    let stages = tokenizer.as_stages();
    let normalizer = stages.normalizer.as_ref().is_some_and(Normalizer::may_change);
    let pretokenizer = stages.pretokenizer.as_ref().is_some_and(writes_text);
    let stages = [("normalizer", normalizer), ("pretokenizer", pretokenizer)];
    stages.iter().filter(|(_, changes)| *changes).map(|(stage, _)| *stage).collect()
}

fn of_stages(tokenizer: &Tokenizer, stages: &Stages, text: &str, specials: Specials) -> Result<Seen, EncodeError> {
    let normalizer = stages.normalizer.as_ref().map(without_spelling);
    let steps = stages.pretokenizer.as_ref().filter(|all| writes_text(all)).map(until_spelled).unwrap_or_default();
    let spelled = |step: &&&Pretokenizer| matches!(step, Pretokenizer::ByteLevel(_));
    let before = steps.iter().filter(|step| !spelled(step)).map(|step| (*step).clone()).collect();
    let put_space = steps.iter().any(|step| matches!(step, Pretokenizer::ByteLevel(bytes) if bytes.add_prefix_space));
    let before = Pretokenizer::Sequence(before);
    let mut reader = Reader { text, put_space, normalized: vec![], seen: vec![] };
    tokenizer.check(text)?;
    let run = Run::new(&tokenizer.parts().added, specials, normalizer.as_ref(), Some(&before));
    run.over(text, 0, &mut reader)?;
    let Reader { normalized, mut seen, .. } = reader;
    if steps.is_empty() {
        return Ok(normalized);
    }
    // What the pretokenizer split away stays as the normalizer left it.
    let kept: Seen = normalized.into_iter().filter(|(span, _)| !covered(&seen, *span)).collect();
    seen.extend(kept);
    seen.sort_by_key(|(span, _)| span[0]);
    Ok(seen)
}

/// Reads the characters after the normalizer and those of the pretokens.
struct Reader<'a> {
    text: &'a str,
    /// Whether a space is put before a pretoken that does not start with one.
    put_space: bool,
    normalized: Seen,
    seen: Seen,
}

impl Observe for Reader<'_> {
    const EACH_STEP: bool = true;

    fn after_step(&mut self, step: Step<'_>, pretokens: &Pretokens) -> Result<(), EncodeError> {
        if let Step::NormalizedAddedTokens = step {
            for pretoken in pretokens.iter() {
                let part = pretoken.text.whole();
                match pretoken.token {
                    Some(_) => push_added(&mut self.normalized, self.text, &part),
                    None => push_characters(&mut self.normalized, &part),
                }
            }
        }
        Ok(())
    }

    fn added_token(&mut self, _: AddedTokenMatch, pretoken: &Part<'_>) -> Result<(), EncodeError> {
        push_added(&mut self.seen, self.text, pretoken);
        Ok(())
    }

    fn pretoken(&mut self, pretoken: &Part<'_>) -> Result<(), EncodeError> {
        if self.put_space && !pretoken.text().starts_with(' ') {
            let mut prefixed = pretoken.to_aligned();
            prefixed.prepend(" ");
            push_characters(&mut self.seen, &prefixed.whole());
        } else {
            push_characters(&mut self.seen, pretoken);
        }
        Ok(())
    }
}

/// Whether one of the stretches, which are in order, has the first byte of `span`.
fn covered(seen: &Seen, span: Bytes) -> bool {
    let at = seen.partition_point(|(other, _)| other[0] <= span[0]);
    seen[..at].last().is_some_and(|(other, _)| other[0] == span[0] || other[1] > span[0])
}

/// An added token stays as the text spells it.
fn push_added(seen: &mut Seen, text: &str, pretoken: &Part<'_>) {
    if !pretoken.text().is_empty() {
        let span = pretoken.span(0..pretoken.text().len());
        seen.push(([span.start, span.end], text[span.range()].to_owned()));
    }
}

fn push_characters(seen: &mut Seen, pretoken: &Part<'_>) {
    seen.extend(pretoken.text().char_indices().map(|(at, c)| {
        let span = pretoken.span(at..at + c.len_utf8());
        ([span.start, span.end], c.to_string())
    }));
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
    let mut steps = pretokenizer.steps();
    let spelling = steps.iter().position(|step| matches!(step, Pretokenizer::ByteLevel(_)));
    steps.truncate(spelling.map_or(steps.len(), |at| at + 1));
    steps
}

/// Groups characters that came of the same stretch, and keeps what is not as it was.
fn grouped(text: &str, seen: Seen) -> Vec<Change> {
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
        grouped(text, seen).into_iter().map(|change| (change.span, change.text)).collect()
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
