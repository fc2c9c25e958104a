//! A tokenizer truncated to fewer tokens: what training would have given, had it stopped earlier.
//!
//! *Byte-pair encoding*: the first merges stay, as many as the size allows. A token stays where one of them makes it, or
//! where no merge makes any token of it: characters, bytes, added tokens. *Rank files*: the single bytes and the tokens of
//! lowest rank stay. *Unigram*: the unknown token, bytes that stand in for the unknown, single characters and added tokens
//! stay, then the tokens of the highest scores, the lower id first among equals. The unknown costs what it did.
//! All that stays keeps its id, so the ids have holes and mean the same as before.
//! SentencePiece's own `.model` files are not truncated; their tokenizer.json is.
//!
//! Not here: training to a size, which for Unigram would give other scores.

use std::ops::RangeInclusive;

use rustc_hash::FxHashSet;

use super::definition::{Definition, ModelDefinition};
use crate::error::TruncateError;
use crate::ids::Id;
use crate::models::bpe::characters::byte_token;
use crate::vocab::Vocab;

/// What to keep: tokens that must stay, and the others, the first to stay first.
struct Plan {
    required: FxHashSet<Id>,
    others: Vec<Id>,
}

impl Definition {
    /// The sizes that the vocabulary can be truncated to, added tokens counted: from what must stay to all there is.
    ///
    /// Errors: a model without an order of tokens.
    pub fn truncated_sizes(&self) -> Result<RangeInclusive<usize>, TruncateError> {
        if let ModelDefinition::Ranks { vocab } = &self.model {
            let (required, others) = self.ranks(vocab);
            return Ok(required..=required + others);
        }
        let plan = self.plan()?;
        Ok(plan.required.len()..=plan.required.len() + plan.others.len())
    }

    /// The same tokenizer with at most `size` tokens, added ones counted.
    ///
    /// Errors: a model without an order of tokens; a size below what must stay.
    ///
    /// ```
    /// # use token_engine::formats::tiktoken;
    /// # use token_engine::pretokenizers::scanners::Pattern;
    /// # use token_engine::{Specials, Vocab};
    /// let mut vocab = Vocab::default();
    /// for byte in 0..=255u8 {
    ///     vocab.insert(byte.into(), &[byte]).unwrap();
    /// }
    /// vocab.insert(256, b"ab").unwrap();
    /// vocab.insert(257, b"abc").unwrap();
    /// let whole = tiktoken::from_ranks(vocab, Pattern::R50k, &[]);
    /// let truncated = whole.truncated(257).unwrap().build("example").unwrap();
    /// assert_eq!(truncated.encode_ids("abc", Specials::Text).unwrap(), [256, 99]);
    /// ```
    pub fn truncated(&self, size: usize) -> Result<Self, TruncateError> {
        let Plan { required: mut kept, others } = self.plan()?;
        let room = size.checked_sub(kept.len()).ok_or(TruncateError::TooSmall { asked: size, least: kept.len() })?;
        kept.extend(others.into_iter().take(room));
        let keep = |vocab: &Vocab| {
            let mut some = Vocab::with_capacity(kept.len());
            for (id, token) in vocab.iter().filter(|(id, _)| kept.contains(id)) {
                // Refuses ids that are far beyond the number of tokens, of which there are fewer now.
                some.insert_any(id, token).map_err(|_| TruncateError::TooSmall { asked: size, least: kept.len() })?;
            }
            Ok(some)
        };
        let model = match &self.model {
            ModelDefinition::Ranks { vocab } => ModelDefinition::Ranks { vocab: keep(vocab)? },
            ModelDefinition::Bpe { vocab, merges, settings } => ModelDefinition::Bpe {
                vocab: keep(vocab)?,
                merges: merges.iter().filter(|merge| merge.iter().all(|id| kept.contains(id))).copied().collect(),
                settings: settings.clone(),
            },
            ModelDefinition::Unigram { vocab, scores, settings } => {
                ModelDefinition::Unigram { vocab: keep(vocab)?, scores: scores.clone(), settings: *settings }
            }
            ModelDefinition::WordLevel { .. }
            | ModelDefinition::WordPiece { .. }
            | ModelDefinition::SentencePiece(_) => {
                return Err(TruncateError::NoOrder);
            }
        };
        Ok(Self { model, ..self.clone_without_model() })
    }

    /// The tokenizer truncated to `size`, of its tokens those alone that `text` holds: for this text it gives what
    /// [`Self::truncated`] gives, as a merge that makes another token never happens in it. A rank file of 200,000 tokens is
    /// truncated so in a few milliseconds; other models are truncated in full.
    ///
    /// Errors: as [`Self::truncated`].
    pub fn truncated_for(&self, size: usize, text: &str) -> Result<Self, TruncateError> {
        let ModelDefinition::Ranks { vocab } = &self.model else { return self.truncated(size) };
        if self.normalizer.is_some() {
            return self.truncated(size);
        }
        let (least, _) = self.ranks(vocab);
        let room = size.checked_sub(least).ok_or(TruncateError::TooSmall { asked: size, least })?;
        let is_required = self.required(vocab);
        let held = held_by(vocab, text.as_bytes());
        let mut some = Vocab::default();
        let mut others = 0;
        for (id, token) in vocab.iter() {
            let required = is_required(id, token);
            others += usize::from(!required);
            if required || (others <= room && held.contains(token)) {
                some.insert_any(id, token).map_err(|_| TruncateError::TooSmall { asked: size, least })?;
            }
        }
        Ok(Self { model: ModelDefinition::Ranks { vocab: some }, ..self.clone_without_model() })
    }

    /// Everything but the vocabulary, which may be large.
    pub(super) fn clone_without_model(&self) -> Self {
        Self {
            truncation: self.truncation,
            padding: self.padding.clone(),
            added_tokens: self.added_tokens.clone(),
            normalizer: self.normalizer.clone(),
            pretokenizer: self.pretokenizer.clone(),
            model: ModelDefinition::Ranks { vocab: Vocab::default() },
            postprocessor: self.postprocessor.clone(),
            decoder: self.decoder.clone(),
            ignored_fields: self.ignored_fields.clone(),
            note: self.note.clone(),
        }
    }

    /// How many tokens of a rank file must stay, and how many others there are.
    fn ranks(&self, vocab: &Vocab) -> (usize, usize) {
        let is_required = self.required(vocab);
        let required = vocab.iter().filter(|&(id, token)| is_required(id, token)).count();
        let beside = self.added_tokens.iter().map(|token| token.id).filter(|&id| vocab.token(id).is_none());
        (required + beside.collect::<FxHashSet<_>>().len(), vocab.len() - required)
    }

    /// Tells which tokens of a rank file must stay.
    fn required(&self, vocab: &Vocab) -> impl Fn(Id, &[u8]) -> bool {
        let added: FxHashSet<Id> = self.added_tokens.iter().map(|token| token.id).collect();
        let first_added = added.iter().min().copied().unwrap_or(vocab.id_bound() as Id);
        move |id, token| token.len() == 1 || (id >= first_added && added.contains(&id))
    }

    fn plan(&self) -> Result<Plan, TruncateError> {
        let mut required: FxHashSet<Id> = self.added_tokens.iter().map(|token| token.id).collect();
        let mut others: Vec<Id>;
        match &self.model {
            ModelDefinition::Ranks { vocab } => {
                required.extend(vocab.iter().filter(|(_, token)| token.len() == 1).map(|(id, _)| id));
                others = vocab.iter().map(|(id, _)| id).collect();
            }
            ModelDefinition::Bpe { vocab, merges, .. } => {
                let made: FxHashSet<Id> = merges.iter().map(|merge| merge[2]).collect();
                required.extend(vocab.iter().map(|(id, _)| id).filter(|id| !made.contains(id)));
                others = merges.iter().map(|merge| merge[2]).collect();
            }
            ModelDefinition::Unigram { vocab, scores, settings } => {
                required.extend(settings.unknown);
                let single = |token: &[u8]| std::str::from_utf8(token).is_ok_and(|token| token.chars().count() == 1);
                required.extend(vocab.iter().filter(|(_, token)| single(token)).map(|(id, _)| id));
                if settings.byte_fallback {
                    required.extend((0..=255).filter_map(|byte| vocab.id(byte_token(byte).as_bytes())));
                }
                others = vocab.iter().map(|(id, _)| id).collect();
                let score = |id: Id| scores.get(id as usize).copied().unwrap_or(f64::NEG_INFINITY);
                others.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
            }
            ModelDefinition::WordLevel { .. }
            | ModelDefinition::WordPiece { .. }
            | ModelDefinition::SentencePiece(_) => {
                return Err(TruncateError::NoOrder);
            }
        }
        let mut seen = required.clone();
        others.retain(|&id| seen.insert(id));
        Ok(Plan { required, others })
    }
}

/// The tokens of more than one byte that stand somewhere in `text`.
fn held_by<'a>(vocab: &Vocab, text: &'a [u8]) -> FxHashSet<&'a [u8]> {
    // By its first two bytes, how long a token can be: most places are given up after a few steps.
    let mut longest = vec![0u32; 1 << 16];
    let start = |token: &[u8]| usize::from(token[0]) << 8 | usize::from(token[1]);
    for (_, token) in vocab.iter().filter(|(_, token)| token.len() > 1) {
        let longest = &mut longest[start(token)];
        *longest = (*longest).max(token.len() as u32);
    }
    let mut held = FxHashSet::default();
    for at in 0..text.len().saturating_sub(1) {
        let rest = &text[at..];
        for len in 2..=rest.len().min(longest[start(rest)] as usize) {
            if vocab.id(&rest[..len]).is_some() {
                held.insert(&rest[..len]);
            }
        }
    }
    held
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::added_tokens::{AddedToken, Specials};
    use crate::formats::tiktoken;
    use crate::models::bpe::{characters, naive};
    use crate::models::{Model, unigram};
    use crate::pretokenizers::scanners::Pattern;
    use crate::testing::Random;

    fn bytes_and(tokens: impl IntoIterator<Item = Vec<u8>>) -> Vocab {
        let mut vocab = Vocab::default();
        for byte in 0..=255u8 {
            vocab.insert(byte.into(), &[byte]).expect("all bytes differ");
        }
        for token in tokens {
            let id = vocab.id_bound() as Id;
            let _twin = vocab.insert(id, &token);
        }
        vocab
    }

    #[test]
    fn a_truncated_rank_file_is_the_file_of_its_first_ranks() {
        for seed in 0..40 {
            let mut random = Random::new(seed);
            let token = |random: &mut Random| (0..2 + random.below(4)).map(|_| b'a' + random.below(3) as u8).collect();
            let tokens: Vec<Vec<u8>> = (0..40).map(|_| token(&mut random)).collect();
            let whole = tiktoken::from_ranks(bytes_and(tokens.clone()), Pattern::R50k, &[]);
            let sizes = whole.truncated_sizes().expect("has ranks");
            assert_eq!(*sizes.start(), 256);
            assert_eq!(*sizes.end(), whole.model.vocab().len());
            assert_eq!(
                whole.truncated_for(255, "").expect_err("too small"),
                TruncateError::TooSmall { asked: 255, least: 256 }
            );
            for size in [256, 260, (256 + *sizes.end()) / 2, *sizes.end()] {
                let mut first = Vocab::default();
                for (id, token) in whole.model.vocab().iter().take(size) {
                    first.insert(id, token).expect("each once");
                }
                let expected = tiktoken::from_ranks(first, Pattern::R50k, &[]).build("first").expect("complete");
                let truncated = whole.truncated(size).expect("in range").build("truncated").expect("complete");
                assert_eq!(truncated.vocab().len(), size);
                for _ in 0..20 {
                    let text: String = (0..1 + random.below(20)).map(|_| *random.pick(&['a', 'b', 'c', ' '])).collect();
                    let ids = |tokenizer: &crate::tokenizer::Tokenizer| tokenizer.encode_ids(&text, Specials::Text);
                    assert_eq!(ids(&truncated), ids(&expected), "seed {seed}, size {size}, {text:?}");
                    let for_it =
                        whole.truncated_for(size, &text).expect("in range").build("truncated").expect("complete");
                    assert_eq!(ids(&for_it), ids(&expected), "for it, seed {seed}, size {size}, {text:?}");
                }
            }
        }
    }

    fn merges_of(pairs: &[(&str, &str)], characters: &str) -> Definition {
        let mut vocab = Vocab::default();
        for c in characters.chars() {
            vocab.insert(vocab.id_bound() as Id, c.to_string().as_bytes()).expect("each once");
        }
        let merges = pairs
            .iter()
            .map(|(left, right)| {
                let made = format!("{left}{right}");
                let id = vocab.id(made.as_bytes()).unwrap_or(vocab.id_bound() as Id);
                let _known = vocab.insert(id, made.as_bytes());
                let known = |token: &str| vocab.id(token.as_bytes()).expect("made before");
                [known(left), known(right), id]
            })
            .collect();
        Definition::new(ModelDefinition::Bpe { vocab, merges, settings: characters::Settings::default() })
    }

    #[test]
    fn a_truncated_merge_list_merges_as_its_first_merges_do() {
        // "abc" is made twice; it stays as long as its first merge does.
        let mut whole = merges_of(&[("a", "b"), ("ab", "c"), ("b", "c"), ("a", "bc"), ("abc", "abc")], "abc");
        whole.added_tokens = vec![AddedToken::special("<end>", 99)];
        assert_eq!(whole.truncated_sizes().expect("has ranks"), 4..=8);
        assert_eq!(whole.truncated(3).expect_err("too small"), TruncateError::TooSmall { asked: 3, least: 4 });
        for (size, expected) in
            [(4, &[0, 1, 2, 0, 1, 2][..]), (5, &[3, 2, 3, 2]), (6, &[4, 4]), (7, &[4, 4]), (8, &[6]), (100, &[6])]
        {
            let truncated = whole.truncated(size).expect("in range").build("truncated").expect("complete");
            assert_eq!(truncated.encode_ids("abcabc", Specials::Text).expect("known"), expected, "{size}");
            assert_eq!(truncated.encode_ids("<end>", Specials::Parse).expect("known"), [99]);
            assert_eq!(truncated.vocab().len(), size.min(8));
        }
        let all = whole.truncated(8).expect("all").build("truncated").expect("complete");
        let Model::Bpe(bpe) = all.model() else { panic!("merges characters") };
        assert_eq!(naive::encode(bpe.merges(), vec![0, 1, 2, 0, 1, 2]), [6]);
    }

    #[test]
    fn a_truncated_unigram_vocabulary_keeps_the_best_and_all_characters() {
        let tokens = [("<unk>", 0.0), ("a", -5.0), ("b", -6.0), ("ab", -2.0), ("ba", -1.0), ("aba", -1.5)];
        let mut vocab = Vocab::default();
        for (id, (token, _)) in tokens.iter().enumerate() {
            vocab.insert(id as Id, token.as_bytes()).expect("each once");
        }
        let settings = unigram::Settings { unknown: Some(0), byte_fallback: false };
        let scores = tokens.iter().map(|token| token.1).collect();
        let whole = Definition::new(ModelDefinition::Unigram { vocab, scores, settings });
        assert_eq!(whole.truncated_sizes().expect("has scores"), 3..=6);
        for (size, expected) in [(3, &[1, 2, 1][..]), (4, &[1, 4]), (5, &[5]), (6, &[5])] {
            let truncated = whole.truncated(size).expect("in range").build("truncated").expect("complete");
            assert_eq!(truncated.encode_ids("aba", Specials::Text).expect("known"), expected, "{size}");
        }
    }

    #[test]
    fn models_without_an_order_say_so() {
        let unknown = crate::models::Unknown::Token(0);
        let words = Definition::new(ModelDefinition::WordLevel { vocab: Vocab::default(), unknown });
        assert_eq!(words.truncated(5).expect_err("no order"), TruncateError::NoOrder);
    }
}
