//! A training as bytes, to go on after a kill.
//!
//! Merges depend on options and counts alone, so a checkpoint of BPE or WordPiece holds those and the number of merges;
//! resuming makes the merges again. Unigram keeps its state.

use std::sync::atomic::AtomicBool;

use crate::error::TrainError;
use crate::options::Options;
use crate::stop::Stop;
use crate::stored::{Reader, Writer};
use crate::trainer::Trainer;
use crate::unigram::Training;
use crate::words::WordCounts;

/// What the bytes hold.
const STORED: &str = "checkpoint";
/// Version of the bytes.
const VERSION: u32 = 2;

impl Trainer {
    /// The training as bytes.
    ///
    /// Errors: a state that cannot be written.
    pub fn checkpoint(&self) -> Result<Vec<u8>, TrainError> {
        let mut writer = Writer::new(STORED, VERSION);
        writer.text(&self.options().to_json());
        self.counts().write(&mut writer);
        writer.number(u64::from(self.held_out().is_some()));
        if let Some(held_out) = self.held_out() {
            held_out.write(&mut writer);
        }
        writer.number(self.done() as u64);
        if let Some(unigram) = self.unigram() {
            let state = serde_json::to_vec(&unigram.saved());
            writer.bytes(&state.map_err(|problem| TrainError::stored(STORED, problem.to_string()))?);
        }
        Ok(writer.finish())
    }

    /// The training whose [`Self::checkpoint`] these are. It takes as long as the steps that were made, without rows.
    ///
    /// Errors: damaged bytes, another version.
    pub fn resume(data: &[u8]) -> Result<Self, TrainError> {
        Self::resume_until(data, &AtomicBool::new(false))
    }

    /// As [`Self::resume`], until somebody asks to stop.
    ///
    /// Errors: as [`Self::resume`]; [`TrainError::Stopped`] soon after `stop` is set.
    pub fn resume_until(data: &[u8], stop: &AtomicBool) -> Result<Self, TrainError> {
        let until = Stop::new(stop);
        let mut reader = Reader::new(STORED, VERSION, data)?;
        let options = Options::from_json(reader.text()?)?;
        let counts = WordCounts::read(&mut reader)?;
        let held_out = if reader.number()? == 1 { Some(WordCounts::read(&mut reader)?) } else { None };
        let done = usize::try_from(reader.number()?).unwrap_or(usize::MAX);
        let mut trainer = if options.algorithm == crate::Algorithm::Unigram {
            let state = serde_json::from_slice(reader.bytes()?);
            let state = state.map_err(|problem| TrainError::stored(STORED, problem.to_string()))?;
            let unigram = Training::resume(&options, &counts, &state, until)?;
            Self::of_unigram(options, counts, unigram)
        } else {
            let mut trainer = Self::prepared(options, counts, until)?;
            trainer.run(done, stop)?;
            until.check()?;
            trainer
        };
        reader.end()?;
        if trainer.done() != done {
            let problem = format!("it has {done} steps, and the words give {}", trainer.done());
            return Err(TrainError::stored(STORED, problem));
        }
        if let Some(held_out) = held_out {
            trainer.measure(held_out, until)?;
        }
        Ok(trainer)
    }
}
