//! Lessons: every step of an algorithm on a text, as frames that a screen or a terminal shows one by one.
//!
//! A lesson is made from the [`trace`](crate::trace) of the text, which runs the stages of the tokenizer and the definitions of
//! the models: nothing here decides what merges or matches. The last frame has the tokens of `encode` without those that the
//! postprocessor adds. Spans are UTF-8 bytes of the text; ids are looked up by whoever shows them.
//! Not here: sentences (the page), the reason for one boundary (`lab_app/analysis`).

mod bpe;
mod em;
mod encoders;
mod frames;
mod growth;
mod languages;
mod list;
mod paths;
mod pipeline;
mod queues;
mod special;
#[cfg(test)]
mod tests;
mod training;
mod unigram;
mod utf8;
mod wordpiece;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde::Serialize;
use thiserror::Error;

use crate::textbook::TextbookError;
use crate::trace::{self, Boundary, Bytes, Pretoken, Token, Trace, Weighed};
use encoders::MAX_ENCODERS;
pub use frames::{Frames, KEY_EVERY};
use growth::Growth;
use paths::Paths;
use token_engine::models::Model;
use token_engine::{DecodeError, EncodeError, Id, Specials, Tokenizer};
use token_train::TrainError;

/// Tokens that a lesson on training learns, at most.
pub const MAX_LEARN: usize = 1000;

/// Longer lessons are refused: nobody watches so many steps.
pub const MAX_FRAMES: usize = 65_536;

/// The same of frames that are larger together, in bytes.
const MAX_BYTES: usize = 1 << 26;

/// The lessons on one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// Characters as bytes.
    Utf8,
    /// The stages of a tokenizer.
    Pipeline,
    /// Merges.
    BpeEncode,
    /// The longest match from the left.
    WordPieceEncode,
    /// The best path through a lattice.
    UnigramEncode,
    /// Merges of the most frequent pair.
    BpeTrain,
    /// Merges of the pair with the best score.
    WordPieceTrain,
    /// Tokens by what they are expected to save.
    UnigramTrain,
    /// Four textbook encoders of BPE.
    Encoders,
    /// Marks in the place of spaces, and bytes of what is no token.
    SentencePiece,
    /// The text between special tokens.
    SpecialTokens,
    /// Lines that say the same.
    Languages,
}

impl Name {
    /// All of them: how programs spell each, and the model that it needs; `None` if any will do.
    pub const ALL: [(Self, &'static str, Option<&'static str>); 12] = [
        (Self::Utf8, "utf8", None),
        (Self::Pipeline, "pipeline", None),
        (Self::BpeEncode, "bpe-encode", Some("BPE")),
        (Self::WordPieceEncode, "wordpiece-encode", Some("WordPiece")),
        (Self::UnigramEncode, "unigram-encode", Some("Unigram")),
        (Self::BpeTrain, "bpe-train", Some("BPE")),
        (Self::WordPieceTrain, "wordpiece-train", Some("WordPiece")),
        (Self::UnigramTrain, "unigram-train", Some("Unigram")),
        (Self::Encoders, "encoders", Some("byte-level BPE")),
        (Self::SentencePiece, "sentencepiece", None),
        (Self::SpecialTokens, "special-tokens", None),
        (Self::Languages, "languages", None),
    ];

    fn entry(self) -> (Self, &'static str, Option<&'static str>) {
        Self::ALL[self as usize]
    }

    /// As programs spell it.
    pub fn as_str(self) -> &'static str {
        self.entry().1
    }

    /// The lesson that programs call so.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|entry| entry.1 == name).map(|entry| entry.0)
    }

    /// The model that it needs.
    fn model(self) -> Option<&'static str> {
        self.entry().2
    }

    /// Whether it can show a model of this name. A `.model` of words or of characters merges nothing, and is named so.
    fn takes(self, model: &str) -> bool {
        self.model().is_none_or(|needed| model.ends_with(needed))
    }
}

/// Why there is no lesson.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum LessonError {
    /// The tokenizer has another model.
    #[error("the lesson {lesson} needs a {needs} tokenizer, and this one is {model}")]
    OtherModel {
        /// The lesson.
        lesson: &'static str,
        /// Its model.
        needs: &'static str,
        /// That of the tokenizer.
        model: String,
    },
    /// Too many steps.
    #[error("the lesson has more than {MAX_FRAMES} steps, or more than 64 MB; take a shorter text")]
    TooLong,
    /// Nothing to learn from.
    #[error("the text has no words; give some words to learn from")]
    Empty,
    /// There is nothing to learn.
    #[error(
        "no two neighbours occur twice in {}; give a longer text, or one whose words share letters",
        if *words == 1 { "the one word of the text".to_owned() } else { format!("the {words} words of the text") }
    )]
    NothingRepeats {
        /// Different words.
        words: usize,
    },
    /// A number of tokens that is not learnt.
    #[error("learn is {learn}, not between 1 and {MAX_LEARN}; give 30 for instance")]
    Learn {
        /// The number.
        learn: usize,
    },
    /// No token has a space mark.
    #[error(
        "the lesson sentencepiece needs a tokenizer whose tokens have the mark ▁ for a space, and this one has none; choose Llama 2 or T5 for instance"
    )]
    NoMarks,
    /// Too few lines to compare.
    #[error("the text has {lines} {} with words, and the lesson compares lines; give a sentence, and the same in other languages below it", if *lines == 1 { "line" } else { "lines" })]
    OneLine {
        /// How many there are.
        lines: usize,
    },
    /// A text for which the encoders take too long.
    #[error("the lesson encoders takes up to {MAX_ENCODERS} bytes of text and got {bytes}; take a shorter text")]
    Encoders {
        /// Length of the text.
        bytes: usize,
    },
    /// What cannot be decoded.
    #[error(transparent)]
    Decode(DecodeError),
    /// What the textbook encoders refuse.
    #[error(transparent)]
    Textbook(TextbookError),
    /// What any training refuses.
    #[error(transparent)]
    Train(TrainError),
    /// What any encoding refuses.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

impl From<TextbookError> for LessonError {
    fn from(error: TextbookError) -> Self {
        match error {
            TextbookError::Encode(error) => Self::Encode(error),
            other => Self::Textbook(other),
        }
    }
}

impl LessonError {
    fn of_training(error: TrainError) -> Self {
        match error {
            TrainError::EmptyCorpus { .. } => Self::Empty,
            TrainError::Text(error) => Self::Encode(error),
            other => Self::Train(other),
        }
    }
}

/// Every step on a text.
#[derive(Debug)]
pub struct Lesson {
    /// What is known before the first step.
    pub facts: Facts,
    /// One frame per step; the first shows the start.
    pub frames: Frames,
}

impl Lesson {
    /// As `{"facts", "frames"}`.
    ///
    /// Errors: those of serde_json. Facts have none.
    pub fn json(&self) -> serde_json::Result<String> {
        let Frames { json, ends, .. } = &self.frames;
        let starts = [0].iter().chain(ends);
        let frames =
            starts.zip(ends).map(|(&start, &end)| String::from_utf8_lossy(&json[start as usize..end as usize]));
        let frames = frames.collect::<Vec<_>>().join(",");
        Ok(format!("{{\"facts\":{},\"frames\":[{frames}]}}", serde_json::to_string(&self.facts)?))
    }
}

/// What is known before the first step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Facts {
    lesson: &'static str,
    text: String,
    /// The ids of `encode`, without added special tokens.
    ids: Vec<Id>,
    /// The same with their places in the text.
    tokens: Vec<Token>,
    /// What the model sees, one by one.
    pretokens: Vec<Part>,
    /// All tokens that are named anywhere, by id.
    named: BTreeMap<Id, Named>,
    /// Operations of the encoders on texts of growing length; `None` in other lessons.
    growth: Option<Growth>,
}

/// A token in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Named {
    /// As a tokenizer.json spells it.
    token: String,
    /// `None` for a part of a character.
    text: Option<String>,
    /// In hexadecimal digits.
    bytes: String,
}

impl Named {
    fn of(tokenizer: &Tokenizer, id: Id) -> Option<(Id, Self)> {
        Some((id, Self::new(tokenizer.id_to_token(id)?.into_owned(), &tokenizer.token_bytes(id)?)))
    }

    fn new(token: String, bytes: &[u8]) -> Self {
        let text = std::str::from_utf8(bytes).ok().map(str::to_owned);
        let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        let bytes = digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect();
        Self { token, text, bytes }
    }
}

/// A pretoken before the model.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Part {
    /// As the model sees it.
    text: String,
    span: Bytes,
    /// The step that made the boundary before it.
    split_by: Option<String>,
    /// The branch of a known pattern that matched.
    branch: Option<&'static str>,
    /// The share of all its segmentations by a Unigram model that split at each place; `None` in other lessons.
    boundaries: Option<Vec<Boundary>>,
}

/// How a lesson reads its text, and what it does with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// What becomes of special tokens that the text spells.
    pub specials: Specials,
    /// How many tokens a lesson on training learns at most.
    pub learn: usize,
    /// What the lesson on Unigram draws paths with: the same seed, the same paths.
    pub seed: u64,
    /// Whether the lesson on special tokens ends with those that the template puts around the text.
    pub add_special_tokens: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { specials: Specials::Text, learn: 30, seed: 0, add_special_tokens: true }
    }
}

/// The steps of an algorithm on a text.
///
/// ```
/// # use token_engine::formats::tiktoken;
/// # use token_engine::pretokenizers::scanners::Pattern;
/// # use token_engine::Vocab;
/// # use token_inspect::lesson::{self, Name, Options};
/// # let mut vocab = Vocab::default();
/// # for byte in 0..=255u8 {
/// #     vocab.insert(byte.into(), &[byte]).unwrap();
/// # }
/// # vocab.insert(256, b"ab").unwrap();
/// # let tokenizer = tiktoken::from_ranks(vocab, Pattern::R50k, &[]).build("example").unwrap();
/// let lesson = lesson::of_text(&tokenizer, Name::BpeEncode, "abab", Options::default()).unwrap();
/// assert_eq!(lesson.frames.ends.len(), 4, "the start, two merges, the end");
/// ```
///
/// Errors: a tokenizer with another model; more than [`MAX_FRAMES`] steps, or frames of more than 64 MB; what [`trace::trace`] refuses;
/// a text that nothing can be learnt from; `learn` beyond [`MAX_LEARN`].
pub fn of_text(tokenizer: &Tokenizer, name: Name, text: &str, options: Options) -> Result<Lesson, LessonError> {
    let Options { specials, learn, seed, add_special_tokens } = options;
    let model = tokenizer.model_name();
    let other_model = || {
        let needs = name.model().unwrap_or_default();
        LessonError::OtherModel { lesson: name.as_str(), needs, model: model.to_owned() }
    };
    if !name.takes(model) {
        return Err(other_model());
    }
    if !(1..=MAX_LEARN).contains(&learn) {
        return Err(LessonError::Learn { learn });
    }
    let trace = trace::weighed(tokenizer, text, specials, false, Weighed::Best)?;
    let mut facts = Facts::new(tokenizer, name, text, &trace);
    let frames = match (name, &tokenizer.as_stages().model) {
        (Name::Utf8, _) => utf8::frames(text)?,
        (Name::Pipeline, _) => pipeline::frames(text, &trace, None)?,
        (Name::SentencePiece, _) => {
            if !tokenizer.vocab().iter().any(|(_, token)| token.starts_with("▁".as_bytes())) {
                return Err(LessonError::NoMarks);
            }
            pipeline::frames(text, &trace, Some(tokenizer))?
        }
        (Name::SpecialTokens, _) => {
            let (frames, ids) = special::frames(tokenizer, text, (specials, add_special_tokens), &trace)?;
            facts.name(tokenizer, ids);
            frames
        }
        (Name::Languages, _) => {
            let (frames, tokens) = languages::frames(tokenizer, text, specials)?;
            facts.tokens_of_lines(tokenizer, tokens);
            frames
        }
        (Name::BpeEncode, _) => bpe::frames(&trace)?,
        (Name::WordPieceEncode, Model::WordPiece(model)) => wordpiece::frames(&trace, &model.settings().prefix)?,
        (Name::Encoders, Model::ByteBpe(model)) => {
            let (frames, ids) = encoders::frames(tokenizer, model, &trace, text, specials)?;
            facts.name(tokenizer, ids);
            facts.growth = Some(Growth::new(tokenizer, text)?);
            frames
        }
        // A model that spells bytes and lacks some of them.
        (Name::Encoders, _) => {
            return Err(LessonError::Textbook(TextbookError::NotByteLevel { model: model.to_owned() }));
        }
        (Name::BpeTrain | Name::WordPieceTrain, _) => facts.learn(training::learn(tokenizer, &trace, learn)?),
        (Name::UnigramTrain, _) => facts.learn(em::learn(tokenizer, &trace, learn)?),
        (_, Model::Unigram(model)) => {
            let paths = paths::of_trace(model, &trace, seed)?;
            facts.weighed(tokenizer, &trace, &paths);
            unigram::frames(&trace, &paths)?
        }
        _ => return Err(other_model()),
    };
    Ok(Lesson { facts, frames })
}

impl Facts {
    fn new(tokenizer: &Tokenizer, name: Name, text: &str, trace: &Trace) -> Self {
        let tokens = trace.tokens.clone();
        let part = |pretoken: &Pretoken| Part {
            text: pretoken.text.clone(),
            span: pretoken.span,
            split_by: pretoken.split_by.clone(),
            branch: pretoken.branch,
            boundaries: None,
        };
        Self {
            lesson: name.as_str(),
            text: text.to_owned(),
            ids: tokens.iter().map(|token| token.id).collect(),
            tokens,
            pretokens: trace.pretokens.iter().map(part).collect(),
            named: trace.ids().into_iter().filter_map(|id| Named::of(tokenizer, id)).collect(),
            growth: None,
        }
    }

    /// Names more tokens.
    fn name(&mut self, tokenizer: &Tokenizer, ids: impl IntoIterator<Item = Id>) {
        let new: Vec<Id> = ids.into_iter().filter(|id| !self.named.contains_key(id)).collect();
        self.named.extend(new.into_iter().filter_map(|id| Named::of(tokenizer, id)));
    }

    /// What is known of all paths of each pretoken.
    fn weighed(&mut self, tokenizer: &Tokenizer, trace: &Trace, paths: &[Option<Rc<Paths>>]) {
        for ((part, pretoken), paths) in self.pretokens.iter_mut().zip(&trace.pretokens).zip(paths) {
            part.boundaries = paths.as_ref().map(|paths| paths.boundaries(pretoken));
        }
        let ids: BTreeSet<Id> = paths.iter().flatten().flat_map(|paths| paths.ids()).collect();
        self.name(tokenizer, ids);
    }

    /// The tokens are those of the lines, each encoded for itself.
    fn tokens_of_lines(&mut self, tokenizer: &Tokenizer, tokens: Vec<Token>) {
        self.ids = tokens.iter().map(|token| token.id).collect();
        self.named = self.ids.iter().filter_map(|&id| Named::of(tokenizer, id)).collect();
        (self.tokens, self.pretokens) = (tokens, vec![]);
    }

    /// The tokens are those that were learnt.
    fn learn(&mut self, learnt: training::Learnt) -> Frames {
        self.ids = learnt.tokens.iter().map(|token| token.id).collect();
        (self.tokens, self.named) = (learnt.tokens, learnt.named);
        learnt.frames
    }
}
