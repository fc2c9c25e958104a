//! The unique words as one flat list of token ids.
//!
//! A character outside the alphabet divides its word: no token holds it. A word of one symbol has no pair, but its symbol
//! counts for the score of WordPiece.

use crate::error::TrainError;
use crate::stop::Stop;
use crate::tokens::Tokens;
use crate::words::WordCounts;

/// Between two words, at the start and at the end.
pub(crate) const END: u32 = u32::MAX;

/// Words as token ids, most frequent first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    /// [`END`], then each word followed by [`END`].
    pub(crate) ids: Vec<u32>,
    /// Runs of words that occur equally often, with the position after the last of them. Counts fall from run to run.
    pub(crate) runs: Vec<Run>,
}

/// Words that occur equally often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The first position after them.
    pub(crate) end: u32,
    /// How often each occurs.
    pub(crate) count: u64,
}

impl Symbols {
    /// The words of `counts` as ids of `tokens`.
    ///
    /// Errors: more symbols than 32-bit positions.
    pub(crate) fn new(tokens: &Tokens, counts: &WordCounts, stop: Stop<'_>) -> Result<Self, TrainError> {
        let most = counts.unique_bytes() + counts.len() as u64 + 1;
        check_room(most)?;
        let mut symbols =
            Self { ids: Vec::with_capacity(1 + counts.symbols(tokens.is_bytes()) as usize), runs: vec![] };
        symbols.ids.push(END);
        let mut writer = WordWriter::new(tokens);
        for (at, (word, count)) in counts.iter().enumerate() {
            stop.check_at(at)?;
            writer.write(word, &mut symbols.ids);
            symbols.end_word(count);
        }
        Ok(symbols)
    }

    /// Notes how often the word occurs whose ids, and [`END`], were added last. Counts fall.
    pub(crate) fn end_word(&mut self, count: u64) {
        let end = self.ids.len() as u32;
        match self.runs.last_mut() {
            Some(run) if run.count == count => run.end = end,
            _ => self.runs.push(Run { end, count }),
        }
    }

    /// Parts of words that hold no [`END`], each with its count.
    pub(crate) fn segments(&self) -> impl Iterator<Item = (&[u32], u64)> {
        let mut start = 0;
        self.runs.iter().flat_map(move |run| {
            let ids = &self.ids[start as usize..run.end as usize];
            start = run.end;
            let segments = ids.split(|&id| id == END).filter(|segment| !segment.is_empty());
            segments.map(|segment| (segment, run.count))
        })
    }
}

/// Room for symbols.
///
/// Errors: more than 32-bit positions.
pub(crate) fn check_room(symbols: u64) -> Result<(), TrainError> {
    let max = u64::from(u32::MAX) - 1;
    if symbols > max { Err(TrainError::TooManySymbols { symbols, max }) } else { Ok(()) }
}

/// Writes words as ids.
#[derive(Debug)]
pub(crate) struct WordWriter<'a> {
    tokens: &'a Tokens,
    /// Ids of bytes, or of characters below 128 without prefix and suffix; [`END`] if there is none.
    plain: [u32; 256],
    spelling: String,
}

impl<'a> WordWriter<'a> {
    /// A writer of ids of `tokens`.
    pub(crate) fn new(tokens: &'a Tokens) -> Self {
        let mut plain = [END; 256];
        let bound: u8 = if tokens.is_bytes() { 255 } else { 127 };
        for byte in 0..=bound {
            plain[usize::from(byte)] = tokens.id(&[byte]).unwrap_or(END);
        }
        Self { tokens, plain, spelling: String::new() }
    }

    /// Adds the ids of a word and [`END`], which also takes the place of characters that are not in the alphabet.
    pub fn write(&mut self, word: &[u8], ids: &mut Vec<u32>) {
        let has_forms = !self.tokens.prefix().is_empty() || !self.tokens.suffix().is_empty();
        if !has_forms && (self.tokens.is_bytes() || word.is_ascii()) {
            ids.extend(word.iter().map(|&byte| self.plain[usize::from(byte)]));
        } else {
            let word = String::from_utf8_lossy(word);
            let last = word.char_indices().next_back().map_or(0, |(at, _)| at);
            for (at, c) in word.char_indices() {
                ids.push(self.form(c, at > 0, at == last));
            }
        }
        ids.push(END);
    }

    fn form(&mut self, c: char, inside: bool, last: bool) -> u32 {
        self.spelling.clear();
        if inside {
            self.spelling.push_str(self.tokens.prefix());
        }
        self.spelling.push(c);
        if last {
            self.spelling.push_str(self.tokens.suffix());
        }
        self.tokens.id(self.spelling.as_bytes()).unwrap_or(END)
    }
}
