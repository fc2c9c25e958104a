//! Time per stage and lookups in the word cache, for one text.
//!
//! The engine has no clock: the caller passes one in. [`Timed`] is a sink that reads it when the stage changes and passes
//! tokens on to another sink, so the encoder that is timed is the encoder itself. `encode` uses sinks that ignore stages,
//! and pays nothing.
//! Not here: the clock, repetition, and the time to hand results to Python (`engine_rs/python/src/timing.rs`).

use crate::added_tokens::Specials;
use crate::call;
use crate::encoding::{Encoding, Sink, Stage, room_for};
use crate::error::EncodeError;
use crate::fast::FastPath;
use crate::ids::Id;
use crate::normalizers::Normalizer;
use crate::offsets::Span;
use crate::postprocessors::Postprocessor;
use crate::stages::Start;
use crate::tokenizer::Tokenizer;

/// Nanoseconds since any moment.
pub(crate) type Clock<'a> = &'a dyn Fn() -> u64;

/// Which encoder to time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// The one that `encode` uses.
    Fast,
    /// The same stages one after the other, without the fused pass and without a cache.
    Stages,
}

impl Path {
    /// Both paths and their names.
    pub const NAMES: [(&'static str, Self); 2] = [("fast", Self::Fast), ("stages", Self::Stages)];
}

/// What happened while texts were encoded. Sums over calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Observed {
    /// Time in each stage, in nanoseconds, by `Stage as usize`.
    pub elapsed_ns: [u64; 4],
    /// How many readings of the clock ended a stretch of each stage: each adds the cost of one reading to the time.
    pub readings: [u64; 4],
    /// Lookups that found their pretoken in the cache.
    pub hits: u64,
    /// Lookups that did not.
    pub misses: u64,
}

impl Observed {
    /// Adds what happened in another call.
    pub fn add(&mut self, other: &Self) {
        for stage in 0..self.elapsed_ns.len() {
            self.elapsed_ns[stage] += other.elapsed_ns[stage];
            self.readings[stage] += other.readings[stage];
        }
        self.hits += other.hits;
        self.misses += other.misses;
    }
}

/// Reads the clock when the stage changes.
struct Timed<'a, S> {
    sink: S,
    clock: Clock<'a>,
    stage: Stage,
    since: u64,
    observed: Observed,
}

impl<'a, S> Timed<'a, S> {
    fn start(sink: S, clock: Clock<'a>) -> Self {
        Self { sink, clock, stage: Stage::Normalizer, since: clock(), observed: Observed::default() }
    }

    /// Ends the current stage.
    fn stop(&mut self) {
        let now = (self.clock)();
        self.observed.elapsed_ns[self.stage as usize] += now.saturating_sub(self.since);
        self.observed.readings[self.stage as usize] += 1;
        self.since = now;
    }
}

impl<S: Sink> Sink for Timed<'_, S> {
    fn enter(&mut self, stage: Stage) {
        if stage != self.stage {
            self.stop();
            self.stage = stage;
        }
    }

    #[inline(always)]
    fn looked_up(&mut self, is_known: bool) {
        self.observed.hits += u64::from(is_known);
        self.observed.misses += u64::from(!is_known);
    }

    #[inline(always)]
    fn begin_pretoken(&mut self) {
        self.sink.begin_pretoken();
    }

    #[inline(always)]
    fn push(&mut self, id: Id, span: Span) {
        self.sink.push(id, span);
    }

    #[inline(always)]
    fn push_few<const N: usize>(&mut self, ids: &[Id; N], ends: &[u32; N], len: usize, start: u32) {
        self.sink.push_few(ids, ends, len, start);
    }

    #[inline(always)]
    fn push_many(&mut self, ids: &[Id], ends: &[u16], start: u32) {
        self.sink.push_many(ids, ends, start);
    }

    fn spelling(&mut self, text: &str) {
        self.sink.spelling(text);
    }

    fn push_added(&mut self, id: Id, span: Span, special: bool) {
        self.sink.push_added(id, span, special);
    }
}

/// Which stages have a time of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Stages that run in one pass with the next one.
    pub fused: Vec<Stage>,
    /// Stages that the tokenizer does not have.
    pub absent: Vec<Stage>,
}

impl Tokenizer {
    /// Ids of a text, nothing added, and what happened on the way.
    ///
    /// ```
    /// # use std::cell::Cell;
    /// # use token_engine::{Specials, Vocab};
    /// # use token_engine::internals::timing::Path;
    /// # use token_engine::formats::tiktoken;
    /// # use token_engine::pretokenizers::scanners::Pattern;
    /// # let mut vocab = Vocab::default();
    /// # for byte in 0..=255u8 {
    /// #     vocab.insert(byte.into(), &[byte]).unwrap();
    /// # }
    /// # let tokenizer = tiktoken::from_ranks(vocab, Pattern::R50k, &[]).build("example").unwrap();
    /// let ticks = Cell::new(0);
    /// let clock = || ticks.replace(ticks.get() + 1);
    /// let (ids, observed) = tokenizer.encode_ids_timed("ab ab", Specials::Text, Path::Fast, &clock).unwrap();
    /// assert_eq!(ids, tokenizer.encode_ids("ab ab", Specials::Text).unwrap());
    /// assert_eq!(observed.hits + observed.misses, 2);
    /// ```
    ///
    /// Errors: those of [`Self::encode_ids`].
    pub fn encode_ids_timed(
        &self,
        text: &str,
        specials: Specials,
        path: Path,
        clock: Clock,
    ) -> Result<(Vec<Id>, Observed), EncodeError> {
        let mut timed = Timed::start(Vec::with_capacity(room_for(text.len())), clock);
        self.run(text, specials, path, &mut timed)?;
        timed.stop();
        Ok((timed.sink, timed.observed))
    }

    /// The encoding of a text without truncation, and what happened on the way.
    ///
    /// Errors: those of [`Self::encode`].
    pub fn encode_timed(
        &self,
        text: &str,
        specials: Specials,
        add_special_tokens: bool,
        path: Path,
        clock: Clock,
    ) -> Result<(Encoding, Observed), EncodeError> {
        let mut timed = Timed::start(Encoding::default(), clock);
        self.run(text, specials, path, &mut timed)?;
        timed.enter(Stage::Postprocessor);
        let encoding = self.finish(std::mem::take(&mut timed.sink), text, add_special_tokens)?;
        timed.stop();
        Ok((encoding, timed.observed))
    }

    fn run<S: Sink>(&self, text: &str, specials: Specials, path: Path, sink: &mut S) -> Result<(), EncodeError> {
        match path {
            Path::Fast => self.encode_into(text, specials, sink),
            Path::Stages => self.encode_stages(text, specials, sink),
        }
    }

    /// The tokens of [`Self::encode_into`] from the stages alone.
    fn encode_stages<S: Sink>(&self, text: &str, specials: Specials, sink: &mut S) -> Result<(), EncodeError> {
        self.check(text)?;
        let encoded = self.as_stages().encode(&self.parts().added, text, Start::OfText, specials, sink);
        call::check()?;
        encoded
    }

    /// Which stages the times of a path can tell apart. The time of the others is in that of the next one.
    pub fn timing_layout(&self, path: Path) -> Layout {
        let stages = self.as_stages();
        // A `.model` may have a normalizer that changes nothing.
        let normalizer = stages.normalizer.as_ref().is_some_and(|stage| match stage {
            Normalizer::SentencePiece(normalizer) => normalizer.may_change(),
            _ => true,
        });
        let postprocessor = self.parts().postprocessor.as_ref();
        let present = [
            (Stage::Normalizer, normalizer),
            (Stage::Pretokenizer, stages.pretokenizer.is_some()),
            (Stage::Postprocessor, postprocessor.is_some_and(|stage| *stage != Postprocessor::ByteLevel(None))),
        ];
        let fast = self.parts().fast.as_ref().filter(|_| path == Path::Fast);
        let in_one_pass = fast.map_or(&[][..], FastPath::stages_in_one_pass);
        let of = |is_present| present.iter().filter(move |(_, has)| *has == is_present).map(|(stage, _)| *stage);
        Layout { fused: of(true).filter(|stage| in_one_pass.contains(stage)).collect(), absent: of(false).collect() }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::fast::byte_level::WordCache;
    use crate::testing::{Random, bytes_alone, stages};
    use crate::tokenizer::EncodeOptions;

    const PIECES: [&str; 12] = ["the", " the", "a", " ab", "ab", "日本", " ", "  ", "\n", "<|end|>", "1", "é"];

    fn tokenizers() -> Vec<Tokenizer> {
        let definitions = [stages::split_or_not(), stages::with_fast_paths()].concat();
        definitions.into_iter().map(|definition| definition.build("x").expect("valid")).collect()
    }

    #[test]
    fn timed_calls_give_the_tokens_of_encode() {
        let mut random = Random::new(5);
        for tokenizer in tokenizers() {
            for _ in 0..30 {
                let text: String = (0..random.below(30)).map(|_| *random.pick(&PIECES)).collect();
                for (_, path) in Path::NAMES {
                    let expected = tokenizer.encode_ids(&text, Specials::Parse);
                    let timed = tokenizer.encode_ids_timed(&text, Specials::Parse, path, &|| 0);
                    assert_eq!(timed.map(|(ids, _)| ids), expected, "{text:?} {path:?}");
                    let expected = tokenizer.encode(&text, None, EncodeOptions::default());
                    let timed = tokenizer.encode_timed(&text, Specials::Parse, true, path, &|| 0);
                    assert_eq!(timed.map(|(encoding, _)| encoding), expected, "{text:?} {path:?}");
                }
            }
        }
    }

    #[test]
    fn the_stages_share_all_of_the_time() {
        let ticks = Cell::new(0);
        let clock = || {
            ticks.set(ticks.get() + 7);
            ticks.get()
        };
        for tokenizer in tokenizers() {
            for (_, path) in Path::NAMES {
                let before = ticks.get();
                let (_, observed) =
                    tokenizer.encode_timed("the ab the", Specials::Text, true, path, &clock).expect("ok");
                // From the first reading to the last one.
                assert_eq!(observed.elapsed_ns.iter().sum::<u64>(), ticks.get() - before - 7);
                assert_eq!(observed.readings.iter().sum::<u64>() * 7, ticks.get() - before - 7);
            }
        }
    }

    #[test]
    fn pretokens_met_again_are_hits() {
        let (vocab, fused) = bytes_alone();
        let clock = || 0;
        let mut sink = Timed::start(vec![], &clock);
        fused.encode(&vocab, "ab ab ab", 0, &mut WordCache::default(), &mut sink);
        // "ab" and " ab" are new, and the second " ab" waits in the same batch: it is looked up after the first.
        assert_eq!((sink.observed.hits, sink.observed.misses), (1, 2));
    }
}
