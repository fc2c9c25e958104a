//! Units of a text, from split point to split point ([`super::spaces`]), and the tokens of those seen before.
//!
//! A text is mostly words seen before. What the stages make of one is kept under the bytes of the original, with spans
//! counted from its start, so that finding it costs one look-up. The first unit of a text, long ones and those with added
//! tokens go through the stages every time.

use rustc_hash::FxHashMap;

use super::Staged;
use super::spaces::Spaces;
use crate::added_tokens::{AddedTokens, Specials};
use crate::encoding::{Sink, Stage};
use crate::error::EncodeError;
use crate::ids::Id;
use crate::memory::HeapBytes;
use crate::models::Scratch;
use crate::normalizers::Normalizer;
use crate::offsets::Span;

/// Longer units are not remembered: their places have one byte.
const MAX_BYTES: usize = 64;
/// When as many units or tokens of them are remembered, all are forgotten: memory is bounded.
const MAX_UNITS: usize = 1 << 16;
const MAX_TOKENS: usize = 1 << 19;
/// Stands for a pretoken without tokens.
const NO_TOKEN: Id = Id::MAX;

/// How a text falls into units.
#[derive(Clone, Debug)]
pub struct Units {
    /// What changes a unit that is not the first.
    inside: Option<Normalizer>,
}

/// Units seen before, by their bytes.
#[derive(Default)]
pub struct UnitCache {
    places: FxHashMap<Box<[u8]>, (u32, u32)>,
    tokens: Vec<Recorded>,
    /// What the text says where a token does not.
    spellings: Vec<Box<str>>,
    /// Bytes of all units and spellings.
    text_bytes: usize,
}

impl HeapBytes for UnitCache {
    fn heap_bytes(&self) -> usize {
        self.places.heap_bytes() + self.tokens.heap_bytes() + self.spellings.heap_bytes() + self.text_bytes
    }
}

/// A token of a unit.
#[derive(Clone, Copy, Debug)]
struct Recorded {
    /// The token, or [`NO_TOKEN`].
    id: Id,
    /// Where it starts and ends in the unit.
    start: u8,
    end: u8,
    /// How many pretokens begin before it since the last token.
    begins: u32,
    /// Its spelling counted from 1, where it has one of its own; 0 where not.
    spelling: u32,
}

/// Records what is pushed into it.
struct Recorder<'a> {
    cache: &'a mut UnitCache,
    begins: u32,
    spelling: u32,
    /// Whether all of it could be recorded.
    is_whole: bool,
}

impl Sink for Recorder<'_> {
    fn begin_pretoken(&mut self) {
        self.begins += 1;
    }

    fn push(&mut self, id: Id, span: Span) {
        let Span { start, end } = span;
        let begins = std::mem::take(&mut self.begins);
        let spelling = std::mem::take(&mut self.spelling);
        self.cache.tokens.push(Recorded { id, start: start as u8, end: end as u8, begins, spelling });
    }

    fn spelling(&mut self, text: &str) {
        self.cache.spellings.push(text.into());
        self.spelling = self.cache.spellings.len() as u32;
    }

    fn push_added(&mut self, _: Id, _: Span, _: bool) {
        self.is_whole = false;
    }
}

impl Units {
    /// The units of stages; `None` where they have none.
    pub fn of(staged: &Staged) -> Option<Self> {
        staged.spaces.as_ref()?;
        let inside = staged.normalizer.as_ref().map(Normalizer::inside);
        Some(Self { inside })
    }
}

/// What stays the same while a text is encoded.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    pub staged: &'a Staged,
    pub units: &'a Units,
    pub spaces: &'a Spaces,
    pub added: &'a AddedTokens,
    pub text: &'a str,
    pub specials: Specials,
}

impl Job<'_> {
    /// Encodes the part `span` of the text, which begins as a text does where `is_start`.
    pub fn encode<S: Sink>(
        self,
        span: Span,
        is_start: bool,
        model: &mut Scratch,
        cache: &mut UnitCache,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        sink.enter(Stage::Model);
        let part = &self.text[span.range()];
        let base = span.start as usize;
        let mut start = 0;
        if is_start {
            start = self.spaces.next(part, 0);
            let unit = Span::new(base, base + start);
            let whole = self.staged.normalizer.as_ref();
            self.staged.encode_part(self.added, (self.text, unit), whole, self.specials, model, sink)?;
        }
        let mut goes_on = start > 0 && self.spaces.in_pretoken;
        while start < part.len() {
            let end = self.spaces.next(part, start);
            self.unit(Span::new(base + start, base + end), goes_on, model, cache, sink)?;
            goes_on = self.spaces.in_pretoken;
            start = end;
        }
        Ok(())
    }

    /// Encodes a unit that is not the first; the first pretoken of it is the last one of the unit before where `goes_on`.
    fn unit<S: Sink>(
        self,
        span: Span,
        goes_on: bool,
        model: &mut Scratch,
        cache: &mut UnitCache,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        let unit = &self.text[span.range()];
        if unit.len() <= MAX_BYTES {
            let known = cache.places.get(unit.as_bytes()).copied();
            sink.looked_up(known.is_some());
            if let Some((first, last)) = known {
                cache.push(first as usize..last as usize, span.start, goes_on, sink);
                return Ok(());
            }
            if let Some((first, last)) =
                self.record(unit, model, cache).map_err(|error| error.moved(span.start as usize))?
            {
                cache.push(first as usize..last as usize, span.start, goes_on, sink);
                return Ok(());
            }
        }
        let inside = self.units.inside.as_ref();
        let mut sink = GoesOn { sink, goes_on };
        self.staged.encode_part(self.added, (self.text, span), inside, self.specials, model, &mut sink)
    }

    /// Runs the stages over a unit and remembers the tokens; `None` where it has added ones among them.
    fn record(self, unit: &str, model: &mut Scratch, cache: &mut UnitCache) -> Result<Option<(u32, u32)>, EncodeError> {
        if cache.places.len() == MAX_UNITS || cache.tokens.len() > MAX_TOKENS {
            cache.places.clear();
            cache.tokens.clear();
            cache.spellings.clear();
            cache.text_bytes = 0;
        }
        let (first, spellings) = (cache.tokens.len(), cache.spellings.len());
        let mut recorder = Recorder { cache, begins: 0, spelling: 0, is_whole: true };
        let whole = (unit, Span::new(0, unit.len()));
        let inside = self.units.inside.as_ref();
        let done = self.staged.encode_part(self.added, whole, inside, self.specials, model, &mut recorder);
        if recorder.begins > 0 {
            recorder.push(NO_TOKEN, Span::default());
        }
        if done.is_err() || !recorder.is_whole {
            cache.tokens.truncate(first);
            cache.spellings.truncate(spellings);
            return done.map(|()| None);
        }
        let place = (first as u32, cache.tokens.len() as u32);
        cache.text_bytes += unit.len() + cache.spellings[spellings..].iter().map(|text| text.len()).sum::<usize>();
        cache.places.insert(unit.as_bytes().into(), place);
        Ok(Some(place))
    }
}

impl UnitCache {
    #[inline]
    fn push<S: Sink>(&self, range: std::ops::Range<usize>, start: u32, goes_on: bool, sink: &mut S) {
        let mut without = u32::from(goes_on);
        for token in &self.tokens[range] {
            for _ in 0..token.begins - without.min(token.begins) {
                sink.begin_pretoken();
            }
            without = without.saturating_sub(token.begins);
            if token.id == NO_TOKEN {
                continue;
            }
            if token.spelling > 0 {
                sink.spelling(&self.spellings[token.spelling as usize - 1]);
            }
            sink.push(token.id, Span { start: start + u32::from(token.start), end: start + u32::from(token.end) });
        }
    }
}

/// Leaves the first beginning of a pretoken out where a unit goes on in the one before.
struct GoesOn<'a, S> {
    sink: &'a mut S,
    goes_on: bool,
}

impl<S: Sink> Sink for GoesOn<'_, S> {
    fn begin_pretoken(&mut self) {
        if !std::mem::take(&mut self.goes_on) {
            self.sink.begin_pretoken();
        }
    }

    fn push(&mut self, id: Id, span: Span) {
        self.sink.push(id, span);
    }

    fn spelling(&mut self, text: &str) {
        self.sink.spelling(text);
    }

    fn push_added(&mut self, id: Id, span: Span, special: bool) {
        self.goes_on = false;
        self.sink.push_added(id, span, special);
    }
}
