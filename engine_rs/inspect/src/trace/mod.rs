//! What every stage did with a text, step by step: for people who want to know why it was split so.
//!
//! Nothing here is on the way of `encode`. A trace runs the stages one after the other and the slow twins of the models;
//! that its tokens are those of `encode` is tested. Spans are UTF-8 bytes of the original text, half-open; ids are looked
//! up by whoever shows them.
//! Not here: the reason for one split, in words (`lab_app/analysis`).

mod alternative_path;
mod branch;
mod changes;
mod n_best;
mod steps;

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::describe;
pub use changes::{Change, changes, changing_stages};
pub(crate) use n_best::{Boundary, MOST_SEGMENTATIONS};
pub(crate) use steps::{Blocked, Join, Merge, Node as LatticeNode, Steps};
use token_engine::internals::alignment::Part;
use token_engine::internals::call::Adds;
use token_engine::internals::pretokens::{self, AddedTokenMatch, Pretokens};
use token_engine::internals::stages::{Observe, Stages, Step, no_lattice};
use token_engine::models::Model;
use token_engine::normalizers::Normalizer;
use token_engine::pretokenizers::Pretokenizer;
use token_engine::{EncodeError, EncodeOptions, Encoding, Id, Specials, Tokenizer};

/// Start and end in bytes of the original text.
pub type Bytes = [u32; 2];

/// The smallest span that has all of them; `None` without any.
pub(crate) fn covering(spans: impl Iterator<Item = Bytes>) -> Option<Bytes> {
    spans.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
}

/// Longer texts are refused, and those that a normalizer makes longer: a model may take time in the square of the length,
/// and shows every step.
pub(crate) const MAX_CHARACTERS: usize = 10_000;

/// Tokens that a template may add to those of the text.
pub(crate) const MAX_ADDED: usize = 10_000;

/// Which segmentations of a pretoken a Unigram model weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weighed {
    /// The best one and the tokens that it was chosen from.
    Best,
    /// Also the next best, those without each boundary, and the most probable ones of each stretch.
    All,
}

/// What every stage did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Trace {
    /// Length of the text.
    pub(crate) text_bytes: usize,
    /// The text after the added tokens were extracted, after each step of the normalizer, and after the added tokens
    /// that are looked for in normalized text were extracted.
    pub(crate) normalizer: Vec<Stage>,
    /// The pretokens after each step of the pretokenizer.
    pub(crate) pretokenizer: Vec<Stage>,
    /// What the model sees, and what it does.
    pub(crate) pretokens: Vec<Pretoken>,
    /// The tokens after the postprocessor.
    pub(crate) tokens: Vec<Token>,
}

/// What a step left.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stage {
    /// The step in a few words.
    pub(crate) step: String,
    /// The pretokens in order.
    pub(crate) pretokens: Vec<Text>,
}

/// A pretoken of the text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Text {
    /// As it is now.
    pub(crate) text: String,
    /// What it stands for.
    pub(crate) span: Bytes,
    /// The added token that it is.
    pub(crate) added: Option<Id>,
}

/// A pretoken as the model sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pretoken {
    /// As the model sees it.
    pub text: String,
    /// What it stands for.
    pub(crate) span: Bytes,
    /// For each character of `text`, what it stands for.
    pub(crate) alignment: Vec<Bytes>,
    /// The step that made the boundary before it; `None` at the start of the text.
    pub(crate) split_by: Option<String>,
    /// The part of a known pattern that matched it: "letters", "number" ...
    pub(crate) branch: Option<&'static str>,
    /// What tokens stand for that the user of a SentencePiece model defined: text that it keeps whole.
    pub(crate) user_defined: Vec<Bytes>,
    /// What the model did.
    pub(crate) steps: Steps,
    /// The tokens that came of it.
    pub(crate) tokens: Vec<Token>,
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Token {
    /// Its id.
    pub(crate) id: Id,
    /// What it stands for; `None` where the postprocessor added it.
    pub(crate) span: Option<Bytes>,
}

/// Everything that happens to a text.
///
/// Errors: a text of more than [`MAX_CHARACTERS`], before or after the normalizer; a template that adds more than
/// [`MAX_ADDED`] more tokens; those of `encode`.
pub fn trace(
    tokenizer: &Tokenizer,
    text: &str,
    specials: Specials,
    add_special_tokens: bool,
) -> Result<Trace, EncodeError> {
    weighed(tokenizer, text, specials, add_special_tokens, Weighed::All)
}

/// The same, with fewer of the segmentations that a Unigram model weighs.
pub(crate) fn weighed(
    tokenizer: &Tokenizer,
    text: &str,
    specials: Specials,
    add_special_tokens: bool,
    weighed: Weighed,
) -> Result<Trace, EncodeError> {
    check_length(text.chars().count(), false)?;
    let options = EncodeOptions { add_special_tokens, specials, ..EncodeOptions::default() };
    let encoding = tokenizer.encode(text, None, options)?;
    let stages = trace_stages(tokenizer, tokenizer.as_stages(), text, specials, weighed)?;
    let own = stages.pretokens.iter().map(|pretoken| pretoken.tokens.len()).sum();
    let tokens = encoding.len().saturating_sub(own);
    if tokens > MAX_ADDED {
        return Err(EncodeError::TooManyAdded { by: Adds::Template, tokens, max: MAX_ADDED, used: 0 });
    }
    Ok(Trace { tokens: tokens_of(&encoding), ..stages })
}

impl Trace {
    /// All ids that it names, rising.
    pub(crate) fn ids(&self) -> BTreeSet<Id> {
        let mut ids: BTreeSet<Id> = self.tokens.iter().map(|token| token.id).collect();
        for pretoken in &self.pretokens {
            ids.extend(pretoken.tokens.iter().map(|token| token.id));
            pretoken.steps.each_id(&mut |id| {
                ids.insert(id);
            });
        }
        ids
    }
}

/// What the stages did; the final tokens are left out.
fn trace_stages(
    tokenizer: &Tokenizer,
    stages: &Stages,
    text: &str,
    specials: Specials,
    weighed: Weighed,
) -> Result<Trace, EncodeError> {
    let mut tracer = Tracer {
        text,
        pretokenizer: stages.pretokenizer.as_ref(),
        model: &stages.model,
        weighed,
        has_normalizer: false,
        starts: vec![],
        splits: vec![],
        trace: Trace { text_bytes: text.len(), ..Trace::default() },
    };
    tokenizer.observe(text, specials, &mut tracer)?;
    Ok(tracer.trace)
}

/// Keeps what the stages did.
struct Tracer<'a> {
    text: &'a str,
    pretokenizer: Option<&'a Pretokenizer>,
    model: &'a Model,
    weighed: Weighed,
    has_normalizer: bool,
    /// Where pretokens started after the step before.
    starts: Vec<u32>,
    /// Where pretokens start, and the step that made the boundary.
    splits: Vec<(u32, String)>,
    trace: Trace,
}

impl Observe for Tracer<'_> {
    const EACH_STEP: bool = true;

    fn after_step(&mut self, step: Step<'_>, pretokens: &Pretokens) -> Result<(), EncodeError> {
        let starts = || pretokens.iter().map(|pretoken| span_of(&pretoken.text.whole())[0]).collect::<Vec<_>>();
        match step {
            Step::AddedTokens => self.trace.normalizer.push(Stage::new("added tokens in the text", pretokens)),
            Step::Normalizer(step) => {
                // Of a `.model`, no added token is looked for in the normalized text.
                self.has_normalizer = !matches!(step, Normalizer::SentencePiece(_));
                self.trace.normalizer.push(Stage::new(describe::normalizer(step), pretokens));
                check_normalized(pretokens)?;
            }
            Step::NormalizedAddedTokens => {
                if self.has_normalizer {
                    self.trace.normalizer.push(Stage::new("added tokens in the normalized text", pretokens));
                }
                check_normalized(pretokens)?;
                self.starts = starts();
                self.splits = self.starts.iter().skip(1).map(|&start| (start, "added token".to_owned())).collect();
            }
            Step::Pretokenizer(step) => {
                let (words, now) = (describe::pretokenizer(step), starts());
                let before: FxHashSet<u32> = std::mem::take(&mut self.starts).into_iter().collect();
                let new = now.iter().skip(1).filter(|start| !before.contains(start));
                self.splits.extend(new.map(|&start| (start, words.clone())));
                self.trace.pretokenizer.push(Stage::new(words, pretokens));
                self.starts = now;
            }
        }
        Ok(())
    }

    fn added_token(&mut self, found: AddedTokenMatch, pretoken: &Part<'_>) -> Result<(), EncodeError> {
        let tokens = vec![Token { id: found.id, span: Some(span_of(pretoken)) }];
        self.push(pretoken, None, (Steps::Added, tokens), vec![]);
        Ok(())
    }

    fn pretoken(&mut self, pretoken: &Part<'_>) -> Result<(), EncodeError> {
        let steps = steps::of_pretoken(self.model, pretoken, self.weighed)
            .map_err(|error| no_lattice(self.text, pretoken, error))?;
        let user_defined = steps::user_defined(self.model, pretoken);
        let branch = branch::of(self.pretokenizer, self.text, span_of(pretoken));
        self.push(pretoken, branch, steps, user_defined);
        Ok(())
    }
}

impl Tracer<'_> {
    fn push(
        &mut self,
        pretoken: &Part<'_>,
        branch: Option<&'static str>,
        (steps, tokens): (Steps, Vec<Token>),
        user_defined: Vec<Bytes>,
    ) {
        let span = span_of(pretoken);
        self.trace.pretokens.push(Pretoken {
            text: pretoken.text().to_owned(),
            span,
            alignment: alignment(pretoken),
            split_by: self.splits.iter().find(|(start, _)| *start == span[0]).map(|(_, step)| step.clone()),
            branch,
            user_defined,
            steps,
            tokens,
        });
    }
}

/// Refuses more characters than are traced. Models see the normalized text, which may be much longer than the original.
fn check_length(characters: usize, is_normalized: bool) -> Result<(), EncodeError> {
    if characters > MAX_CHARACTERS {
        return Err(EncodeError::TraceTooLong { is_normalized, characters, max: MAX_CHARACTERS });
    }
    Ok(())
}

fn check_normalized(pretokens: &Pretokens) -> Result<(), EncodeError> {
    check_length(pretokens.iter().map(|pretoken| pretoken.text.text().chars().count()).sum(), true)
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

impl Stage {
    fn new(step: impl Into<String>, pretokens: &Pretokens) -> Self {
        let text = |pretoken: &pretokens::Pretoken| Text {
            text: pretoken.text.text().to_owned(),
            span: span_of(&pretoken.text.whole()),
            added: pretoken.token.map(|found| found.id),
        };
        Self { step: step.into(), pretokens: pretokens.iter().map(text).collect() }
    }
}

/// What a pretoken stands for; an empty one for nothing, where it started.
fn span_of(pretoken: &Part<'_>) -> Bytes {
    let len = pretoken.text().len();
    if len == 0 {
        let at = pretoken.origin() as u32;
        return [at, at];
    }
    let span = pretoken.span(0..len);
    [span.start, span.end]
}

fn alignment(pretoken: &Part<'_>) -> Vec<Bytes> {
    let characters = pretoken.text().char_indices();
    let span = characters.map(|(at, c)| pretoken.span(at..at + c.len_utf8()));
    span.map(|span| [span.start, span.end]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use token_engine::internals::testing::stages;

    #[test]
    fn the_limit_is_on_the_normalized_text_too() {
        let definition = stages::from_json(&serde_json::json!({
            "normalizer": {"type": "NFKD"},
            "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["a", -1.0]]}}));
        let tokenizer = definition.build("x").expect("valid");
        let trace = |text: &str| trace(&tokenizer, text, Specials::Text, false);
        // One character of the text, six of the normalized one.
        let refused = EncodeError::TraceTooLong { is_normalized: true, characters: 10_002, max: MAX_CHARACTERS };
        assert_eq!(trace(&"\u{3316}".repeat(1667)).err(), Some(refused));
        let refused = EncodeError::TraceTooLong { is_normalized: false, characters: 10_001, max: MAX_CHARACTERS };
        assert_eq!(trace(&"a".repeat(10_001)).err(), Some(refused));
        assert!(trace(&"\u{3316}".repeat(100)).is_ok());
    }
}
