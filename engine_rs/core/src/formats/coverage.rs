//! A tokenizer shrunk to the tokens that texts of some characters can have, with the same ids for all these texts.
//!
//! A model sees what the normalizer leaves of a text. All tokens that it finds, tries or merges there are parts of that, so
//! a vocabulary with every token of these characters is as good as the whole one. What stays beside them: added tokens,
//! the tokens of templates and padding, the unknown token, single bytes. Ids, scores and the ranks of listed merges stay what they
//! were; merges of a rank file are numbered among the tokens that stay, in the same order.
//! Whether a text is covered is asked after the normalizer as well, for a normalizer may join covered characters to others.
//!
//! SentencePiece's own `.model` files are not shrunk. Not here: fewer tokens for all texts (`truncate`).

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use thiserror::Error;

use super::definition::{Definition, ModelDefinition};
use crate::added_tokens::Specials;
use crate::alignment::Part;
use crate::byte_alphabet;
use crate::error::EncodeError;
use crate::ids::Id;
use crate::models::Unknown;
use crate::models::bpe::characters::byte_token;
use crate::postprocessors::Postprocessor;
use crate::pretokenizers::Pretokenizer;
use crate::pretokens::Pretokens;
use crate::stages::{Observe, Step};
use crate::tokenizer::Tokenizer;
use crate::vocab::{InsertError, Vocab};

/// Characters that an error names.
const MOST_NAMED: usize = 8;

/// Why a text has no answer.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum CoverageError {
    /// The text becomes characters that are not covered.
    #[error(
        "not covered: {}{}; the vocabulary here is a part of the whole one, so this text cannot be encoded; use other characters, or the whole tokenizer",
        characters.iter().map(|c| format!("{c:?} (U+{:04X})", *c as u32)).collect::<Vec<_>>().join(", "),
        if *more { " and others" } else { "" }
    )]
    NotCovered {
        /// The first of them.
        characters: Vec<char>,
        /// Whether there are more.
        more: bool,
    },
    /// What any encoding refuses.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

/// The characters that a tokenizer is shrunk to, as its normalizer leaves them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    characters: FxHashSet<char>,
}

/// Collects the characters that the normalizer leaves, of all text that is no added token.
struct Normalized<'a>(&'a mut dyn FnMut(char));

impl Observe for Normalized<'_> {
    const EACH_STEP: bool = true;

    fn after_step(&mut self, step: Step<'_>, pretokens: &Pretokens) -> Result<(), EncodeError> {
        if let Step::NormalizedAddedTokens = step {
            let texts = pretokens.iter().filter(|pretoken| pretoken.token.is_none());
            texts.for_each(|pretoken| pretoken.text.text().chars().for_each(&mut self.0));
        }
        Ok(())
    }

    fn pretoken(&mut self, _: &Part<'_>) -> Result<(), EncodeError> {
        Ok(())
    }
}

impl Coverage {
    /// What texts of these characters become.
    ///
    /// Errors: as `encode`.
    pub fn of(tokenizer: &Tokenizer, characters: &str) -> Result<Self, EncodeError> {
        let mut seen = FxHashSet::default();
        for c in characters.chars().collect::<BTreeSet<_>>() {
            // At the start of a text and inside of it: some normalizers treat them differently.
            for text in [c.to_string(), format!("a{c}a")] {
                tokenizer.observe(
                    &text,
                    Specials::Text,
                    &mut Normalized(&mut |c| {
                        seen.insert(c);
                    }),
                )?;
            }
        }
        Ok(Self { characters: seen })
    }

    /// Says whether a tokenizer that [`Self::shrink`] made has the tokens of a text.
    ///
    /// Errors: characters that are not covered; as `encode`.
    pub fn check(&self, tokenizer: &Tokenizer, text: &str, specials: Specials) -> Result<(), CoverageError> {
        let mut others = vec![];
        let mut other = |c: char| {
            if !self.characters.contains(&c) && others.len() <= MOST_NAMED && !others.contains(&c) {
                others.push(c);
            }
        };
        tokenizer.observe(text, specials, &mut Normalized(&mut other))?;
        if others.is_empty() {
            return Ok(());
        }
        let more = others.len() > MOST_NAMED;
        others.truncate(MOST_NAMED);
        Err(CoverageError::NotCovered { characters: others, more })
    }

    /// The definition with the tokens of covered texts alone; `None` for a `.model` of SentencePiece.
    ///
    /// ```
    /// # use token_engine::{Specials, Vocab};
    /// # use token_engine::formats::coverage::Coverage;
    /// # use token_engine::formats::tiktoken;
    /// # use token_engine::pretokenizers::scanners::Pattern;
    /// # let mut vocab = Vocab::default();
    /// # for byte in 0..=255u8 {
    /// #     vocab.insert(byte.into(), &[byte]).unwrap();
    /// # }
    /// # vocab.insert(256, b"ab").unwrap();
    /// # vocab.insert(257, b"xy").unwrap();
    /// let definition = tiktoken::from_ranks(vocab, Pattern::R50k, &[]);
    /// let whole = definition.clone().build("example").unwrap();
    /// let coverage = Coverage::of(&whole, "abc ").unwrap();
    /// let part = coverage.shrink(&definition).unwrap().build("example").unwrap();
    /// assert_eq!((whole.vocab().len(), part.vocab().len()), (258, 257));
    /// assert_eq!(part.encode_ids("abc", Specials::Text), whole.encode_ids("abc", Specials::Text));
    /// let error = coverage.check(&part, "xy", Specials::Text).unwrap_err().to_string();
    /// assert!(error.starts_with("not covered: 'x' (U+0078), 'y' (U+0079);"), "{error}");
    /// ```
    pub fn shrink(&self, definition: &Definition) -> Option<Definition> {
        let kept = Kept::new(self, definition);
        let model = match &definition.model {
            ModelDefinition::Ranks { vocab } => {
                let keep = |id, token: &[u8]| kept.always(id) || token.len() == 1 || kept.bytes(token);
                ModelDefinition::Ranks { vocab: only(vocab, keep).ok()? }
            }
            ModelDefinition::Bpe { vocab, merges, settings } => {
                let (prefix, suffix) = (&settings.continuing_subword_prefix, &settings.end_of_word_suffix);
                let keep = |id, token: &[u8]| kept.always(id) || kept.spelled(token, prefix, suffix);
                // In the list of merges one dropped token takes the place of all: the other merges keep their ranks.
                let gone = vocab.iter().find(|&(id, token)| !keep(id, token)).map(|(id, _)| id);
                let vocab = only(vocab, |id, token| gone == Some(id) || keep(id, token)).ok()?;
                let stays = |merge: &[Id; 3]| merge.iter().all(|&id| gone != Some(id) && vocab.token(id).is_some());
                let merges =
                    merges.iter().map(|merge| if stays(merge) { *merge } else { [gone.unwrap_or(merge[2]); 3] });
                ModelDefinition::Bpe { merges: merges.collect(), vocab, settings: settings.clone() }
            }
            ModelDefinition::Unigram { vocab, scores, settings } => {
                let lowest = scores.iter().copied().fold(f64::INFINITY, f64::min);
                // The score of an unknown character is computed from the lowest score.
                let is_lowest = |id: Id| scores.get(id as usize) == Some(&lowest);
                let keep = |id, token: &[u8]| kept.always(id) || is_lowest(id) || kept.spelled(token, "", "");
                let some = only(vocab, keep).ok()?;
                let score = |(id, &score): (usize, &f64)| some.token(id as Id).map_or(lowest, |_| score);
                let scores = scores.iter().enumerate().take(some.id_bound()).map(score).collect();
                ModelDefinition::Unigram { vocab: some, scores, settings: *settings }
            }
            ModelDefinition::WordLevel { vocab, unknown } => {
                let keep = |id, token: &[u8]| kept.always(id) || kept.spelled(token, "", "");
                ModelDefinition::WordLevel { vocab: only(vocab, keep).ok()?, unknown: unknown.clone() }
            }
            ModelDefinition::WordPiece { vocab, settings } => {
                let keep = |id, token: &[u8]| kept.always(id) || kept.spelled(token, &settings.prefix, "");
                ModelDefinition::WordPiece { vocab: only(vocab, keep).ok()?, settings: settings.clone() }
            }
            ModelDefinition::SentencePiece(_) => return None,
        };
        Some(Definition { model, ..definition.clone_without_model() })
    }
}

/// The tokens to keep. Of twins the one that is found by its bytes comes last, as [`Vocab::insert_any`] wants it.
fn only(vocab: &Vocab, keep: impl Fn(Id, &[u8]) -> bool) -> Result<Vocab, InsertError> {
    let mut some = Vocab::default();
    let is_found = |id: Id, token: &[u8]| vocab.id(token) == Some(id);
    for found in [false, true] {
        for (id, token) in vocab.iter().filter(|&(id, token)| is_found(id, token) == found && keep(id, token)) {
            some.insert_any(id, token)?;
        }
    }
    Ok(some)
}

/// What stays.
struct Kept<'a> {
    coverage: &'a Coverage,
    /// Whatever their characters are.
    ids: FxHashSet<Id>,
    /// Bytes of covered characters.
    is_covered: [bool; 256],
    /// What the pretokenizer writes for a space.
    marks: Vec<char>,
    /// Whether tokens of bytes stand for characters that the vocabulary lacks. Merges may join them.
    has_bytes: bool,
}

impl<'a> Kept<'a> {
    fn new(coverage: &'a Coverage, definition: &Definition) -> Self {
        let mut ids: FxHashSet<Id> = definition.added_tokens.iter().map(|token| token.id).collect();
        ids.extend(definition.padding.as_ref().map(|padding| padding.id));
        ids.extend(definition.postprocessor.iter().flat_map(Postprocessor::ids));
        let vocab = definition.model.vocab();
        let has_bytes = match &definition.model {
            ModelDefinition::Bpe { settings, .. } => {
                ids.extend(settings.unknown.as_ref().and_then(Unknown::id));
                settings.byte_fallback
            }
            ModelDefinition::Unigram { settings, .. } => {
                ids.extend(settings.unknown);
                settings.byte_fallback
            }
            ModelDefinition::WordLevel { unknown, .. } => {
                ids.extend(unknown.id());
                false
            }
            ModelDefinition::WordPiece { settings, .. } => {
                ids.insert(settings.unknown);
                false
            }
            ModelDefinition::Ranks { .. } | ModelDefinition::SentencePiece(_) => false,
        };
        if has_bytes {
            ids.extend((0..=255).filter_map(|byte| vocab.id(byte_token(byte).as_bytes())));
        }
        let steps = definition.pretokenizer.iter().flat_map(Pretokenizer::steps);
        let mark =
            |step: &Pretokenizer| if let Pretokenizer::Metaspace(it) = step { Some(it.replacement) } else { None };
        let marks: Vec<char> = steps.filter_map(mark).collect();
        let mut is_covered = [false; 256];
        let mut buffer = [0; 4];
        // A space may be put before a text; the bytes of a mark may become symbols of their own.
        for c in coverage.characters.iter().chain(&marks).chain([&' ']) {
            c.encode_utf8(&mut buffer).bytes().for_each(|byte| is_covered[usize::from(byte)] = true);
        }
        Self { coverage, ids, is_covered, marks, has_bytes }
    }

    fn always(&self, id: Id) -> bool {
        self.ids.contains(&id)
    }

    fn bytes(&self, token: &[u8]) -> bool {
        token.iter().all(|&byte| self.is_covered[usize::from(byte)])
    }

    /// Whether a covered text may become this, spelled as in a file; `prefix` and `suffix` say where in a word it is.
    fn spelled(&self, token: &[u8], prefix: &str, suffix: &str) -> bool {
        let Ok(token) = std::str::from_utf8(token) else { return true };
        let is_covered = |token: &str| {
            let mut rest = token;
            while let Some(c) = rest.chars().next() {
                match if self.has_bytes { behind_byte(rest) } else { None } {
                    Some(behind) => rest = behind,
                    None if self.character(c) => rest = &rest[c.len_utf8()..],
                    None => return false,
                }
            }
            true
        };
        let is_byte = |token: &str| {
            let mut chars = token.chars();
            chars.next().is_some_and(|c| byte_alphabet::byte_of(c).is_some()) && chars.next().is_none()
        };
        // As it is, too: a text may spell what looks like a prefix.
        let inside = token.strip_prefix(prefix).unwrap_or(token);
        let end = inside.strip_suffix(suffix).unwrap_or(inside);
        let whole = token.strip_suffix(suffix).unwrap_or(token);
        is_byte(token) || [token, inside, end, whole].into_iter().any(is_covered)
    }

    fn character(&self, c: char) -> bool {
        let is_byte = || byte_alphabet::byte_of(c).is_some_and(|byte| self.is_covered[usize::from(byte)]);
        self.coverage.characters.contains(&c) || c == ' ' || self.marks.contains(&c) || is_byte()
    }
}

/// What follows the token of a byte, such as `<0xC3>`, at the start of a spelling.
fn behind_byte(spelling: &str) -> Option<&str> {
    let (digits, rest) = spelling.strip_prefix("<0x")?.split_at_checked(2)?;
    u8::from_str_radix(digits, 16).ok()?;
    rest.strip_prefix('>')
}
