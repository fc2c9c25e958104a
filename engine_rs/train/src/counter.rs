//! Counts the words of texts: normalizer and pretokenizer run, special tokens are left out, the rest is added up.
//!
//! Not here: what the stages make of a text (`stages`), where a file may be split into texts (`chunks`).

use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use token_engine::internals::{call, parallel};

use crate::error::TrainError;
use crate::followers::{self, Follower, LINE_END, SPACE};
use crate::options::Options;
use crate::shards::{Adder, Front, Shards};
use crate::stop::Stop;
use crate::stored::{Reader, Writer};
use crate::table::Table;
use crate::words::{self, WordCounts};

mod stages;

use stages::{Stages, fingerprint};

/// Counts words. Equal texts give equal counts, however they are divided into calls and threads.
///
/// A word of more than 4,096 bytes is split into words of at most that length.
///
/// ```
/// # use token_train::{Options, WordCounter};
/// let options = Options::from_json(r#"{"pre_tokenizer": {"type": "WhitespaceSplit"}, "special_tokens": ["<s>"]}"#)?;
/// let mut counter = WordCounter::new(&options)?;
/// counter.add("to be or<s>not to be")?;
/// assert_eq!((counter.words(), counter.unique(), counter.bytes()), (6, 4, 20));
/// let counts = counter.into_counts()?;
/// assert_eq!(counts.iter().next(), Some((&b"be"[..], 2)));
/// # Ok::<(), token_train::TrainError>(())
/// ```
#[derive(Clone, Debug)]
pub struct WordCounter {
    stages: Stages,
    tables: Tables,
    /// One per thread that counted; the first is used by [`Self::add`].
    fronts: Vec<Fronts>,
    text_bytes: u64,
    /// Those of counts that came from elsewhere.
    split_words: u64,
    /// Whether a step panicked, or is going on.
    is_broken: bool,
}

/// What all threads counted.
#[derive(Clone, Debug, Default)]
struct Tables {
    words: Shards,
    /// Parts of text whose words are not counted yet.
    parts: Shards,
}

/// What one thread counted.
#[derive(Clone, Debug, Default)]
struct Fronts {
    words: Front,
    parts: Front,
}

impl WordCounter {
    /// A counter without words.
    ///
    /// Errors: options that are wrong, stages that cannot be read.
    pub fn new(options: &Options) -> Result<Self, TrainError> {
        options.check()?;
        let stages = Stages::new(options)?;
        Ok(Self {
            stages,
            tables: Tables::default(),
            fronts: vec![Fronts::default()],
            text_bytes: 0,
            split_words: 0,
            is_broken: false,
        })
    }

    /// Adds the words of a text: a document, or a chunk that ends where every word ends.
    ///
    /// Errors: a text of 4 GiB or more, a pattern that gives up, counts beyond 64 bits. The counter keeps the words that it
    /// read before the error.
    pub fn add(&mut self, text: &str) -> Result<(), TrainError> {
        self.whole(|counter| {
            let Self { stages, tables, fronts, text_bytes, .. } = counter;
            stages.count(text, tables, &mut fronts[0])?;
            *text_bytes = words::add_bytes(*text_bytes, text.len() as u64)?;
            Ok(())
        })
    }

    /// Adds the words that counted texts have, which hold no special token.
    ///
    /// Errors: as [`Self::add`]; [`TrainError::Stopped`].
    pub(crate) fn add_counted(&mut self, texts: &WordCounts, stop: Stop<'_>) -> Result<(), TrainError> {
        self.whole(|counter| {
            let Self { stages, tables, fronts, text_bytes, .. } = counter;
            let words = &mut Adder::new(&tables.words, &mut fronts[0].words);
            for (at, (text, count)) in texts.iter().enumerate() {
                stop.check_at(at)?;
                // Nothing is replaced: a text is UTF-8.
                stages.count_times(&String::from_utf8_lossy(text), count, words)?;
            }
            *text_bytes = words::add_bytes(*text_bytes, texts.text_bytes())?;
            Ok(())
        })
    }

    /// Runs a step that leaves the counter whole, whether it succeeds or fails; if it panics, counts are lost.
    ///
    /// Errors: those of the step; a step before it panicked.
    fn whole<T>(&mut self, step: impl FnOnce(&mut Self) -> Result<T, TrainError>) -> Result<T, TrainError> {
        if std::mem::replace(&mut self.is_broken, true) {
            return Err(TrainError::CountsLost);
        }
        let result = step(self);
        self.is_broken = false;
        result
    }

    /// Adds the words of several texts on so many threads; 0 means all cores.
    ///
    /// Errors: as [`Self::add`], of the first text that has one.
    pub fn add_many(&mut self, texts: &[&str], threads: usize) -> Result<(), TrainError> {
        let workers = parallel::workers(threads).min(texts.len()).max(1);
        if workers == 1 {
            return texts.iter().try_for_each(|text| self.add(text));
        }
        self.whole(|counter| counter.add_shares(texts, workers, threads))
    }

    fn add_shares(&mut self, texts: &[&str], workers: usize, threads: usize) -> Result<(), TrainError> {
        let Self { stages, tables, fronts, text_bytes, .. } = self;
        fronts.resize_with(workers.max(fronts.len()), Fronts::default);
        let idle = Mutex::new(std::mem::take(fronts));
        let shares = shares(texts, workers * 4);
        let counted = parallel::map(shares.len(), threads, |at| {
            lend(&idle, |fronts| {
                texts[shares[at].clone()].iter().try_for_each(|text| stages.count(text, tables, fronts))
            })
        });
        *fronts = idle.into_inner().unwrap_or_else(PoisonError::into_inner);
        counted?;
        *text_bytes = texts.iter().try_fold(*text_bytes, |sum, text| words::add_bytes(sum, text.len() as u64))?;
        Ok(())
    }

    /// Adds the counts of another counter with the same options.
    ///
    /// Errors: other options, counts beyond 64 bits.
    pub fn merge(&mut self, other: &mut Self) -> Result<(), TrainError> {
        if self.stages.fingerprint != other.stages.fingerprint {
            return Err(TrainError::OtherOptions { problem: "words are made in another way".to_owned() });
        }
        self.text_bytes = words::add_bytes(self.text_bytes, other.text_bytes)?;
        self.split_words = self.split_words.saturating_add(other.split_words());
        other.gather(Stop::never())?;
        self.whole(|counter| {
            let (ours, theirs) = (counter.tables.words.tables_mut(), other.tables.words.tables_mut());
            ours.into_iter().zip(theirs).try_for_each(|(ours, theirs)| ours.add_table(theirs))
        })
    }

    /// Whether a training with these options may use the words.
    ///
    /// Errors: words that such options would make in another way.
    pub fn check(&self, options: &Options) -> Result<(), TrainError> {
        if self.stages.fingerprint == fingerprint(options) {
            return Ok(());
        }
        Err(TrainError::OtherOptions { problem: "words are made in another way".to_owned() })
    }

    /// Whether the words are single characters.
    pub fn counts_characters(&self) -> bool {
        self.stages.characters
    }

    /// Length of the texts, in bytes.
    pub fn bytes(&self) -> u64 {
        self.text_bytes
    }

    /// Number of words, repetitions included.
    pub fn words(&mut self) -> u64 {
        self.gather(Stop::never()).map_or(0, |tables| {
            tables.iter().flat_map(|table| table.iter()).fold(0, |sum: u64, (_, count)| sum.saturating_add(count))
        })
    }

    /// Number of words that were longer than 4,096 bytes and were split, repetitions included.
    pub fn split_words(&self) -> u64 {
        self.fronts.iter().fold(self.split_words, |sum, fronts| sum.saturating_add(fronts.words.split_words))
    }

    /// Number of different words.
    pub fn unique(&mut self) -> usize {
        match self.stages.follows {
            true => self.counts().map_or(0, |counts| counts.len()),
            false => self.gather(Stop::never()).map_or(0, |tables| tables.iter().map(|table| table.len()).sum()),
        }
    }

    /// Brings all counts into the tables, which then have no memory to spare. If it is stopped, a later call goes on.
    ///
    /// Errors: counts beyond 64 bits; [`TrainError::Stopped`].
    fn gather(&mut self, stop: Stop<'_>) -> Result<[&mut Table; Shards::COUNT], TrainError> {
        self.whole(|counter| counter.settle(stop))?;
        let mut tables = self.tables.words.tables_mut();
        tables.iter_mut().for_each(|table| table.rest());
        Ok(tables)
    }

    /// Brings all counts into the tables. If it is stopped, a later call goes on.
    fn settle(&mut self, stop: Stop<'_>) -> Result<(), TrainError> {
        // A cancelled call would leave out what is taken and not counted yet.
        let _whole = call::enter(None);
        let Self { stages, tables, fronts, .. } = self;
        for_each(fronts, |fronts| fronts.parts.flush(&tables.parts))?;
        let threads = fronts.len();
        let idle = Mutex::new(std::mem::take(fronts));
        let settled = parallel::map(Shards::COUNT, threads, |shard| {
            stop.check()?;
            lend(&idle, |fronts| stages.settle(tables.parts.take(shard), tables, fronts))
        });
        *fronts = idle.into_inner().unwrap_or_else(PoisonError::into_inner);
        settled?;
        for_each(fronts, |fronts| fronts.words.flush(&tables.words))
    }

    /// The counts.
    ///
    /// Errors: counts beyond 64 bits.
    pub fn into_counts(mut self) -> Result<WordCounts, TrainError> {
        self.counts()
    }

    /// The counts so far; the counter can go on.
    ///
    /// Errors: counts beyond 64 bits.
    pub fn counts(&mut self) -> Result<WordCounts, TrainError> {
        self.counts_until(&AtomicBool::new(false))
    }

    /// As [`Self::counts`], until somebody asks to stop.
    ///
    /// Errors: as [`Self::counts`]; [`TrainError::Stopped`] soon after `stop` is set.
    pub fn counts_until(&mut self, stop: &AtomicBool) -> Result<WordCounts, TrainError> {
        let (stop, text_bytes, follows) = (Stop::new(stop), self.text_bytes, self.stages.follows);
        let tables = self.gather(stop)?;
        stop.check()?;
        if follows {
            return WordCounts::of_followed(tables.iter().flat_map(|table| table.iter()), text_bytes);
        }
        // The shard of a word, and its place there.
        const PLACES: u32 = u32::MAX / Shards::COUNT as u32;
        let mut numbers = Vec::with_capacity(tables.iter().map(|table| table.len()).sum());
        for (table, shard) in tables.iter().zip(0..) {
            let places = u32::try_from(table.len()).ok().filter(|&places| places <= PLACES);
            let symbols = table.len() as u64;
            let places = places.ok_or(TrainError::TooManySymbols { symbols, max: PLACES.into() })?;
            numbers.extend((0..places).map(|place| shard * PLACES + place));
        }
        let word = |number: u32| tables[(number / PLACES) as usize].counted((number % PLACES) as usize);
        WordCounts::of_numbered(numbers, word, text_bytes)
    }

    /// The counts as bytes, for another process. Equal counts give equal bytes.
    ///
    /// Errors: counts beyond 64 bits.
    pub fn to_bytes(&mut self) -> Result<Vec<u8>, TrainError> {
        let mut writer = Writer::new(STORED, VERSION);
        writer.text(&self.stages.fingerprint);
        writer.number(self.split_words());
        self.counts()?.write(&mut writer);
        Ok(writer.finish())
    }

    /// The counter whose [`Self::to_bytes`] these are.
    ///
    /// Errors: bytes that are damaged, of another version or of other options.
    pub fn from_bytes(options: &Options, data: &[u8]) -> Result<Self, TrainError> {
        let mut counter = Self::new(options)?;
        let mut reader = Reader::new(STORED, VERSION, data)?;
        if reader.text()? != counter.stages.fingerprint {
            return Err(TrainError::OtherOptions { problem: "words are made in another way".to_owned() });
        }
        let split_words = reader.number()?;
        let counts = WordCounts::read(&mut reader)?;
        reader.end()?;
        counter.text_bytes = counts.text_bytes();
        counter.split_words = split_words;
        let words = &mut counter.tables.words;
        if !counter.stages.follows {
            counts.iter().try_for_each(|(word, count)| words.add(word, count))?;
            return Ok(counter);
        }
        for ((word, count), follower) in counts.iter().zip(counts.followers()) {
            let mut add = |next, count| words.add(&followers::counted(word, next), count);
            match *follower {
                Follower::One(next) => add(next, count)?,
                // Which two they are makes no difference: any two are many.
                _ => {
                    add(LINE_END, count - 1)?;
                    add(SPACE, 1)?;
                }
            }
        }
        Ok(counter)
    }
}

/// Does work of one thread with something of which each thread has one. Which one does not matter: all count together.
fn lend<T: Default, R>(idle: &Mutex<Vec<T>>, work: impl FnOnce(&mut T) -> R) -> R {
    let mut lent = idle.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
    let result = work(&mut lent);
    idle.lock().unwrap_or_else(PoisonError::into_inner).push(lent);
    result
}

/// Does work on each of some, a thread for each.
fn for_each<T: Send>(all: &mut [T], work: impl Fn(&mut T) -> Result<(), TrainError> + Sync) -> Result<(), TrainError> {
    let each: Vec<Mutex<&mut T>> = all.iter_mut().map(Mutex::new).collect();
    let lock = |at: usize| each[at].lock().unwrap_or_else(PoisonError::into_inner);
    parallel::map(each.len(), each.len(), |at| work(&mut lock(at)))?;
    Ok(())
}

/// Divides texts into about `parts` runs of about equal length.
fn shares(texts: &[&str], parts: usize) -> Vec<Range<usize>> {
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    let enough = bytes / parts.max(1) + 1;
    let (mut shares, mut start, mut len) = (vec![], 0, 0);
    for (at, text) in texts.iter().enumerate() {
        len += text.len();
        if len >= enough || at + 1 == texts.len() {
            shares.push(start..at + 1);
            (start, len) = (at + 1, 0);
        }
    }
    shares
}

/// What the stored bytes hold.
const STORED: &str = "word counts";
/// Version of the stored bytes.
const VERSION: u32 = 3;

#[cfg(test)]
mod tests;
