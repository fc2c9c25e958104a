//! Unigram: tokens with probabilities, which EM finds and pruning makes fewer.
//!
//! Training begins with many substrings ([`seeds`]), then repeats: EM iterations, which give each token the probability that
//! makes the corpus likely ([`em`]), and a round of pruning, which removes the tokens that matter least ([`prune`]). It ends
//! when the vocabulary is at most a tenth too large; the tokens with the lowest scores go last.
//!
//! The same result for any number of threads. Not here: encoding with the result (`token_engine::models::unigram`).
//!
//! Source: Kudo 2018, Subword regularization: improving neural network translation models with multiple subword candidates;
//! the trainer of SentencePiece, whose thresholds these are. [`Variant::SentencePiece`] takes the same steps. By
//! [`Variant::Words`] whole words are seeds too, characters stay in the vocabulary through all rounds, and EM comes last.

mod em;
mod lattice;
#[cfg(test)]
mod naive;
mod prune;
mod seeds;
mod suffix_array;
#[cfg(test)]
mod tests;
mod text;
mod tokens;

use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use token_engine::internals::parallel;

use crate::alphabet;
use crate::error::TrainError;
use crate::followers::Follower;
use crate::options::{Options, Variant};
use crate::progress::{HeldOutState, IterationRow, Row, State};
use crate::stop::{Stop, Stopped};
use crate::stored;
use crate::words::WordCounts;
use lattice::Lattice;
use seeds::SeedRules;
use text::{Alphabet, Text};
use tokens::Tokens;

/// Characters of a token if the options have no limit.
const MAX_LENGTH: usize = 16;
/// Pruning ends when the vocabulary is at most so much too large: the scores say what goes last.
const ROOM_TO_CUT: f64 = 1.1;

/// Between the scores of two characters that come back in the end.
const STEP_BACK: f64 = 1e-4;

/// Scores that differ by less than one of so many parts of 1 are nearly the same.
const SCORE_STEPS: f64 = 1e5;

/// What the next step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Stage {
    /// Finds the tokens to begin with, then runs the first EM iteration.
    Seeds,
    /// An EM iteration.
    Em,
    /// A round of pruning.
    Prune,
    /// Cuts the vocabulary to its size.
    Final,
    /// Nothing.
    Finish,
}

/// A token in a step of a training, for those who watch.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Its text.
    pub token: String,
    /// Its score before the step.
    pub score: f64,
    /// How often it was expected, of an EM iteration.
    pub expected: Option<f64>,
    /// What the corpus loses without it, of a round of pruning; `None` of characters and of those that are better divided.
    pub loss: Option<f64>,
    /// Whether it stays.
    pub stays: bool,
}

/// What a training was when it was saved. The word counts are not in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Saved {
    stage: Stage,
    done: usize,
    em_done: usize,
    /// Texts and the bits of scores, by id. Empty if the seeds were not yet found.
    tokens: Vec<(String, u64)>,
    /// Ids of characters that left.
    absent: Vec<usize>,
}

/// A Unigram training.
///
/// ```
/// # use std::sync::atomic::AtomicBool;
/// # use token_train::{Options, WordCounts, unigram::Training};
/// let options = Options::from_json(r#"{"algorithm": "unigram", "vocab_size": 8, "unknown_token": "<unk>"}"#)?;
/// let counts = WordCounts::new([(&b"lower"[..], 5), (b"low", 6), (b"slower", 2)], 60)?;
/// let mut training = Training::new(&options, &counts)?;
/// while training.step(&AtomicBool::new(false))?.is_some() {}
/// let tokens: Vec<String> = training.vocab().into_iter().map(|(token, _)| token).collect();
/// assert_eq!(tokens.len(), 8);
/// assert_eq!(tokens[..2], ["<unk>", "low"]);
/// # Ok::<(), token_train::TrainError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Training {
    rules: Rules,
    alphabet: Alphabet,
    text: Text,
    tokens: Tokens,
    lattice: Lattice,
    held_out: Option<HeldOut>,
    stage: Stage,
    /// Number of steps done.
    done: usize,
    /// EM iterations since the last pruning.
    em_done: usize,
    /// The most memory that a step took besides, in bytes.
    worked_bytes: usize,
}

#[derive(Clone, Debug)]
struct Rules {
    /// Special tokens and those of bytes, which are not learned.
    given: Vec<String>,
    /// Number of tokens to learn.
    size: usize,
    seeds: SeedRules,
    variant: Variant,
    shrinking_factor: f64,
    em_iterations: usize,
    byte_fallback: bool,
}

#[derive(Clone, Debug)]
struct HeldOut {
    text: Text,
    /// Made with the seeds.
    lattice: Option<Lattice>,
    /// Bytes of all words, repetitions included.
    bytes: u64,
    /// Tokens of what the alphabet lacks.
    unknown: u64,
    /// Tokens of all words by the current scores. `None` before the first step.
    tokens: Option<u64>,
}

impl Training {
    /// A training of these words, before its first step.
    ///
    /// Errors: no words, words that are not UTF-8, too many words, a special token that is a character of the alphabet, a
    /// vocabulary without room for the alphabet.
    pub fn new(options: &Options, counts: &WordCounts) -> Result<Self, TrainError> {
        Self::prepared(options, counts, Stop::never())
    }

    /// As [`Self::new`], until somebody asks to stop.
    pub(crate) fn prepared(options: &Options, counts: &WordCounts, stop: Stop<'_>) -> Result<Self, TrainError> {
        if counts.is_empty() {
            return Err(TrainError::EmptyCorpus { bytes: counts.text_bytes() });
        }
        let words = texts(counts, stop)?;
        let alphabet = Alphabet::of(alphabet::characters(options, counts, stop)?);
        let rules = Rules::new(options, &alphabet)?;
        Ok(Self {
            rules,
            text: text(&words, counts.followers(), &alphabet, stop)?,
            alphabet,
            tokens: Tokens::default(),
            lattice: Lattice::default(),
            held_out: None,
            stage: Stage::Seeds,
            done: 0,
            em_done: 0,
            worked_bytes: 0,
        })
    }

    /// Counts the tokens of these words too, from the next step on. They have no influence on the result.
    ///
    /// Errors: words that are not UTF-8, too many words.
    pub(crate) fn set_held_out(&mut self, counts: &WordCounts, stop: Stop<'_>) -> Result<(), TrainError> {
        let words = texts(counts, stop)?;
        let known = |character: char| self.alphabet.number(character).is_some();
        let length = |character: char| if self.rules.byte_fallback { character.len_utf8() as u64 } else { 1 };
        let (mut bytes, mut unknown) = (0, 0);
        for &(word, count) in &words {
            bytes += count * word.len() as u64;
            unknown += count * word.chars().filter(|&character| !known(character)).map(length).sum::<u64>();
        }
        let text = text(&words, &[], &self.alphabet, stop)?;
        let lattice = match self.stage {
            Stage::Seeds => None,
            _ => Some(parallel::run(|| Lattice::new(&text, &self.tokens, stop))?),
        };
        self.held_out = Some(HeldOut { text, lattice, bytes, unknown, tokens: None });
        parallel::run(|| self.count_held_out());
        Ok(())
    }

    /// Does the next step: an EM iteration, a round of pruning or the final pruning. `None` if training is finished, or soon
    /// after `stop` is set: then nothing of the step remains, and the next call begins it again.
    ///
    /// Errors: none now.
    pub fn step(&mut self, stop: &AtomicBool) -> Result<Option<Row>, TrainError> {
        Ok(parallel::run(|| self.next(Stop::new(stop), None)).unwrap_or(None).map(Row::Iteration))
    }

    /// The same, with each token before the step and what the step made of it.
    pub fn watch(&mut self) -> Option<(IterationRow, Vec<Seen>)> {
        let mut seen = vec![];
        let row = parallel::run(|| self.next(Stop::never(), Some(&mut seen))).unwrap_or(None);
        row.map(|row| (row, seen))
    }

    /// The scores of the tokens, in the order in which [`Self::watch`] gives them.
    pub fn scores(&self) -> &[f64] {
        &self.tokens.scores
    }

    /// The tokens as they are before a step.
    fn seen(&self) -> impl Iterator<Item = Seen> {
        (0..self.tokens.len()).map(|id| Seen {
            token: self.alphabet.spell(self.tokens.get(id)),
            score: self.tokens.scores[id],
            expected: None,
            loss: None,
            stays: true,
        })
    }

    fn next(&mut self, stop: Stop<'_>, seen: Option<&mut Vec<Seen>>) -> Result<Option<IterationRow>, Stopped> {
        stop.check()?;
        self.begin(stop)?;
        let (stage, loss) = match self.stage {
            Stage::Seeds | Stage::Finish => return Ok(None),
            Stage::Em => ("em", Some(self.em(stop, seen)?)),
            Stage::Prune => {
                self.prune(stop, seen)?;
                ("prune", None)
            }
            Stage::Final => {
                self.prune_to_size(seen);
                ("final", None)
            }
        };
        // Too late to stop: the step is done.
        self.count_held_out();
        let held_out_tokens = self.held_out_state().map(|state| state.tokens);
        let row = IterationRow { iteration: self.done, stage, tokens: self.vocab_size(), loss, held_out_tokens };
        self.done += 1;
        Ok(Some(row))
    }

    /// Finds the seeds, once.
    fn begin(&mut self, stop: Stop<'_>) -> Result<(), Stopped> {
        if self.stage != Stage::Seeds {
            return Ok(());
        }
        let mut tokens = seeds::seeds(&self.text, &self.alphabet, self.rules.seeds, stop)?;
        self.worked_bytes = seeds::WORK_BYTES * self.text.symbols.len();
        self.remove_given(&mut tokens);
        let lattice = Lattice::new(&self.text, &tokens, stop)?;
        if let Some(held_out) = &mut self.held_out {
            held_out.lattice = Some(Lattice::new(&held_out.text, &tokens, stop)?);
        }
        (self.tokens, self.lattice, self.stage) = (tokens, lattice, Stage::Em);
        Ok(())
    }

    /// Removes seeds that are spelled like a special token or like that of a byte.
    fn remove_given(&self, tokens: &mut Tokens) {
        let number = |character| self.alphabet.number(character);
        let given: HashSet<Vec<u32>> =
            self.rules.given.iter().filter_map(|token| token.chars().map(number).collect()).collect();
        let keep: Vec<bool> = (0..tokens.len()).map(|id| !given.contains(tokens.get(id))).collect();
        if keep.contains(&false) {
            tokens.retain(&keep);
        }
    }

    fn em(&mut self, stop: Stop<'_>, seen: Option<&mut Vec<Seen>>) -> Result<f64, Stopped> {
        let work = em::WORK_BYTES * (self.lattice.parts.len() + 1) * self.tokens.len();
        self.worked_bytes = self.worked_bytes.max(work);
        let expected = em::expect(&self.lattice, &self.tokens, stop)?;
        let mut all: Vec<Seen> = seen.as_ref().map_or(vec![], |_| self.seen().collect());
        all.iter_mut().zip(&expected.counts).for_each(|(one, &count)| one.expected = Some(count));
        let keep = em::maximize(&mut self.tokens, expected.counts, self.rules.variant);
        show(seen, all, &keep);
        self.retain(&keep);
        self.tokens.punish_absent();
        self.em_done += 1;
        if self.em_done >= self.rules.em_iterations {
            let prunes =
                self.rules.ends_with_pruning() || self.tokens.present() > self.rules.size_before_last_pruning();
            self.stage = if prunes { Stage::Prune } else { Stage::Final };
        }
        Ok(expected.loss / self.text.total as f64)
    }

    fn prune(&mut self, stop: Stop<'_>, seen: Option<&mut Vec<Seen>>) -> Result<(), Stopped> {
        let present = self.tokens.present();
        let share = (self.rules.shrinking_factor * present as f64) as usize;
        // At least one token goes, so that the rounds end.
        let size = self.rules.size_before_last_pruning().max(share.min(present.saturating_sub(1)));
        let kept = prune::keep(&self.lattice, &self.tokens, size, self.rules.variant, stop)?;
        let mut all: Vec<Seen> = seen.as_ref().map_or(vec![], |_| self.seen().collect());
        all.iter_mut().zip(&kept.losses).for_each(|(one, &loss)| one.loss = loss);
        show(seen, all, &kept.tokens);
        self.tokens.absent = kept.unused;
        self.retain(&kept.tokens);
        self.tokens.punish_absent();
        self.em_done = 0;
        let is_small = self.tokens.present() <= self.rules.size_before_last_pruning();
        self.stage = if is_small && self.rules.ends_with_pruning() { Stage::Final } else { Stage::Em };
        Ok(())
    }

    /// Keeps all characters and the tokens with the highest scores.
    fn prune_to_size(&mut self, seen: Option<&mut Vec<Seen>>) {
        self.take_back();
        let mut order: Vec<usize> = (0..self.tokens.len()).collect();
        order.sort_by(|&left, &right| {
            let character = self.tokens.is_character(right).cmp(&self.tokens.is_character(left));
            character.then(self.compare_scores(left, right)).then(left.cmp(&right))
        });
        let mut keep = vec![false; self.tokens.len()];
        order.iter().take(self.rules.size).for_each(|&id| keep[id] = true);
        let all = seen.as_ref().map_or(vec![], |_| self.seen().collect());
        show(seen, all, &keep);
        self.retain(&keep);
        self.stage = Stage::Finish;
    }

    /// The higher score first.
    ///
    /// Hundreds of tokens may have nearly the same one: those of words that occur twice. In SentencePiece rounding to 32 bits
    /// decides among them. That is any order, so by its variant the checksum of the text decides. Exact scores would prefer
    /// long tokens, which makes up to 1.4 % fewer tokens of a text.
    fn compare_scores(&self, left: usize, right: usize) -> Ordering {
        let scores = &self.tokens.scores;
        if self.rules.variant == Variant::Words {
            return scores[right].total_cmp(&scores[left]);
        }
        let rounded = |id: usize| (scores[id] * SCORE_STEPS).round();
        let sum = |id: usize| stored::checksum(self.alphabet.spell(self.tokens.get(id)).as_bytes());
        rounded(right).total_cmp(&rounded(left)).then_with(|| sum(left).cmp(&sum(right)))
    }

    /// Takes the characters that left back into the vocabulary, each a little above the one that occurs more often.
    fn take_back(&mut self) {
        let lowest = self.tokens.lowest();
        let count = |id: usize| self.alphabet.characters[self.tokens.get(id)[0] as usize - 1].1;
        let mut absent: Vec<usize> = (0..self.tokens.len()).filter(|&id| self.tokens.absent[id]).collect();
        absent.sort_by_key(|&id| (std::cmp::Reverse(count(id)), id));
        for (rank, id) in absent.into_iter().enumerate() {
            self.tokens.scores[id] = lowest + STEP_BACK * rank as f64;
            self.tokens.absent[id] = false;
        }
    }

    fn retain(&mut self, keep: &[bool]) {
        if keep.iter().all(|&keep| keep) {
            return;
        }
        let ids = self.tokens.retain(keep);
        self.lattice.retain(&ids);
        if let Some(lattice) = self.held_out.as_mut().and_then(|held_out| held_out.lattice.as_mut()) {
            lattice.retain(&ids);
        }
    }

    fn count_held_out(&mut self) {
        let Some(held_out) = &mut self.held_out else { return };
        let Some(lattice) = &held_out.lattice else { return };
        let never = AtomicBool::new(false);
        let known = prune::best_total(lattice, &self.tokens, Stop::new(&never)).ok();
        held_out.tokens = known.map(|known| known + held_out.unknown);
    }

    fn held_out_state(&self) -> Option<HeldOutState> {
        let held_out = self.held_out.as_ref()?;
        let tokens = held_out.tokens?;
        let bytes_per_token = (tokens > 0).then(|| held_out.bytes as f64 / tokens as f64);
        Some(HeldOutState { bytes: held_out.bytes, tokens, bytes_per_token })
    }

    /// Whether no step is left.
    pub fn is_finished(&self) -> bool {
        self.stage == Stage::Finish
    }

    /// Tokens and scores by id: special tokens, those of bytes, then what was learned, the highest score first.
    ///
    /// Special tokens and bytes have a score so low that text which spells them is always divided into its characters.
    pub fn vocab(&self) -> Vec<(String, f64)> {
        let scored = |id: usize| (self.alphabet.spell(self.tokens.get(id)), self.tokens.scores[id]);
        let mut learned: Vec<(String, f64)> = (0..self.tokens.len()).map(scored).collect();
        learned.sort_by(|left, right| right.1.total_cmp(&left.1));
        let longest = self.rules.given.iter().map(|token| token.chars().count()).max().unwrap_or(0);
        let lowest = learned.last().map_or(0.0, |(_, score)| *score) * longest as f64 - 1.0;
        self.rules.given.iter().map(|token| (token.clone(), lowest)).chain(learned).collect()
    }

    fn vocab_size(&self) -> usize {
        self.rules.given.len() + self.tokens.len()
    }

    /// Where the training is. Before the first step, the total is that of as many seeds as there may be.
    pub(crate) fn state(&self) -> State {
        let name = match self.stage {
            Stage::Seeds => "seeds",
            Stage::Em => "em",
            Stage::Prune => "prune",
            Stage::Final | Stage::Finish => "finish",
        };
        let full = self.tokens.len() == self.rules.size;
        State {
            done: self.done,
            total: self.done + self.steps_left(),
            vocab_size: self.vocab_size(),
            stage: name,
            held_out: self.held_out_state(),
            memory_bytes: self.memory_bytes(),
            finished: self.is_finished(),
            ended: self.is_finished().then_some(if full { "vocab_size" } else { "min_frequency" }),
            ..State::new("unigram", "iterations")
        }
    }

    /// Number of steps left, if every round of pruning keeps the share that it may keep; some remove more.
    fn steps_left(&self) -> usize {
        let em = self.rules.em_iterations;
        let rounds = |tokens: usize| {
            let excess = tokens as f64 / self.rules.size_before_last_pruning().max(1) as f64;
            if excess <= 1.0 {
                usize::from(self.rules.ends_with_pruning())
            } else {
                (excess.ln() / -self.rules.shrinking_factor.ln()).ceil() as usize
            }
        };
        match self.stage {
            Stage::Seeds => em + rounds(self.rules.seeds.size.min(self.text.symbols.len())) * (em + 1) + 1,
            Stage::Em => em - self.em_done + rounds(self.tokens.present()) * (em + 1) + 1,
            Stage::Prune => rounds(self.tokens.present()) * (em + 1) + 1,
            Stage::Final => 1,
            Stage::Finish => 0,
        }
    }

    /// Bytes of memory it holds between steps, and those that a step took.
    fn memory_bytes(&self) -> usize {
        let held_out = self
            .held_out
            .iter()
            .map(|held_out| held_out.text.size_bytes() + held_out.lattice.as_ref().map_or(0, Lattice::size_bytes));
        self.worked_bytes
            + self.text.size_bytes()
            + self.lattice.size_bytes()
            + self.tokens.size_bytes()
            + held_out.sum::<usize>()
    }

    /// What [`Self::resume`] needs besides options and word counts.
    pub(crate) fn saved(&self) -> Saved {
        let token = |id: usize| (self.alphabet.spell(self.tokens.get(id)), self.tokens.scores[id].to_bits());
        let tokens = (0..self.tokens.len()).map(token).collect();
        let absent = (0..self.tokens.len()).filter(|&id| self.tokens.absent[id]).collect();
        Saved { stage: self.stage, done: self.done, em_done: self.em_done, tokens, absent }
    }

    /// A training that goes on where it was saved, to the same result.
    ///
    /// Errors: as [`Self::new`]; a token that these word counts cannot have.
    pub(crate) fn resume(
        options: &Options,
        counts: &WordCounts,
        saved: &Saved,
        stop: Stop<'_>,
    ) -> Result<Self, TrainError> {
        let mut training = Self::prepared(options, counts, stop)?;
        for (token, score) in &saved.tokens {
            let symbols: Option<Vec<u32>> =
                token.chars().map(|character| training.alphabet.number(character)).collect();
            let symbols = symbols
                .filter(|symbols| !symbols.is_empty())
                .ok_or_else(|| TrainError::stored("checkpoint", format!("the word counts have no token {token:?}")))?;
            training.tokens.push(&symbols);
            training.tokens.scores.push(f64::from_bits(*score));
        }
        for &id in &saved.absent {
            let absent = training.tokens.absent.get_mut(id);
            *absent.ok_or_else(|| TrainError::stored("checkpoint", format!("there is no token {id}")))? = true;
        }
        training.lattice = parallel::run(|| Lattice::new(&training.text, &training.tokens, stop))?;
        (training.stage, training.done, training.em_done) = (saved.stage, saved.done, saved.em_done);
        Ok(training)
    }
}

/// Gives those who watch all tokens, with which of them stay.
fn show(seen: Option<&mut Vec<Seen>>, all: Vec<Seen>, keep: &[bool]) {
    if let Some(seen) = seen {
        *seen = all.into_iter().zip(keep).map(|(one, &stays)| Seen { stays, ..one }).collect();
    }
}

impl Rules {
    fn new(options: &Options, alphabet: &Alphabet) -> Result<Self, TrainError> {
        let characters = &alphabet.characters;
        let special = options.all_special_tokens();
        for token in &special {
            let mut letters = token.chars();
            if let (Some(character), None) = (letters.next(), letters.next())
                && alphabet.number(character).is_some()
            {
                return Err(TrainError::SpecialInAlphabet { token: (*token).to_owned() });
            }
        }
        let bytes = alphabet::fallback(options).into_iter().map(|token| String::from_utf8_lossy(&token).into_owned());
        let given: Vec<String> = special.iter().map(|&token| token.to_owned()).chain(bytes).collect();
        let too_small = TrainError::VocabTooSmall {
            asked: options.vocab_size,
            special: special.len(),
            alphabet: given.len() - special.len() + characters.len(),
            is_bytes: false,
        };
        let size = options.vocab_size.checked_sub(given.len()).filter(|&size| size >= characters.len());
        Ok(Self {
            given,
            size: size.ok_or(too_small)?,
            seeds: SeedRules {
                size: options.seed_size,
                max_length: options.max_token_length.unwrap_or(MAX_LENGTH),
                least: options.min_frequency.max(2),
                variant: options.variant,
            },
            variant: options.variant,
            shrinking_factor: options.shrinking_factor,
            em_iterations: options.em_iterations,
            byte_fallback: options.byte_fallback,
        })
    }

    /// Whether pruning comes last, and once at least.
    fn ends_with_pruning(&self) -> bool {
        self.variant == Variant::SentencePiece
    }

    fn size_before_last_pruning(&self) -> usize {
        // SentencePiece leaves room for the tokens that are not learned, too.
        let given = if self.variant == Variant::SentencePiece { self.given.len() } else { 0 };
        (ROOM_TO_CUT * (self.size + given) as f64) as usize
    }
}

/// Words as texts.
fn texts<'a>(counts: &'a WordCounts, stop: Stop<'_>) -> Result<Vec<(&'a str, u64)>, TrainError> {
    let text = |(at, (word, count))| match std::str::from_utf8(word) {
        Ok(word) => {
            stop.check_at(at)?;
            Ok((word, count))
        }
        Err(_) => {
            let shown = String::from_utf8_lossy(word).into_owned();
            let problem = format!("but the word {shown:?} is not text, which Unigram needs");
            Err(TrainError::option("alphabet", "\"bytes\"", problem, "set `alphabet` to \"characters\""))
        }
    };
    counts.iter().enumerate().map(text).collect()
}

/// The words as numbers. `followers` may be empty.
fn text(
    words: &[(&str, u64)],
    followers: &[Follower],
    alphabet: &Alphabet,
    stop: Stop<'_>,
) -> Result<Text, TrainError> {
    let followers = followers.iter().copied().chain(std::iter::repeat(Follower::None));
    let followed = words.iter().zip(followers).map(|(&(word, count), follower)| (word, count, follower));
    Text::new(followed, alphabet, stop)?.ok_or_else(|| {
        let symbols = words.iter().map(|(word, _)| word.chars().count() as u64 + 1).sum();
        TrainError::TooManySymbols { symbols, max: 1 << 31 }
    })
}
