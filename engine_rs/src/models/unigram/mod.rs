//! Unigram: the segmentation whose tokens have the largest sum of scores, which are natural logarithms of probabilities.
//!
//! Scores are added as 64-bit floats from the left, and of equal sums the one found first stays: results are those of the
//! tokenizer.json format. An unknown character costs the lowest score less 10; neighbouring ones are one token.
//! Not here: all other segmentations ([`lattice`]).
//!
//! Source: Kudo 2018, Subword Regularization; `Unigram` of the tokenizer.json format.

pub mod lattice;
pub mod weights;

use std::ops::Range;

use super::NotEncoded;
use super::bpe::characters::byte_token;
use super::trie::Trie;
use crate::ids::Id;
use crate::vocab::Vocab;

/// What an unknown character costs beside the lowest score.
const UNKNOWN_PENALTY: f64 = 10.0;

/// What the model needs to know beside tokens and scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The token for unknown characters.
    pub unknown: Option<Id>,
    /// Whether what is unknown becomes its bytes, spelled `<0xE6>`, where the vocabulary has them all.
    pub byte_fallback: bool,
}

/// The model.
#[derive(Clone, Debug)]
pub struct Unigram {
    vocab: Vocab,
    trie: Trie,
    /// By id.
    scores: Vec<f64>,
    unknown_score: f64,
    /// Bytes of the longest token or character.
    longest: usize,
    settings: Settings,
    /// Tokens of single bytes, where the settings ask for them.
    bytes: Option<Box<[Option<Id>; 256]>>,
}

/// Memory to be used again.
#[derive(Default)]
pub struct Scratch {
    /// By place in the text: the last token of the best way there, and once the way is found the token that starts there.
    tokens: Vec<Id>,
    /// The sums of scores of the places that a token may still reach, each at its place modulo the length of the list.
    scores: Vec<f64>,
}

/// In the place of a token: an unknown character.
const UNKNOWN: Id = Id::MAX;
/// In the place of a token: no way is known.
const NONE: Id = Id::MAX - 1;

impl Unigram {
    /// A model over the tokens in `vocab`; `scores` has one entry per id.
    pub fn new(vocab: Vocab, scores: Vec<f64>, settings: Settings) -> Self {
        // Of twins the one found by its bytes counts.
        let keys = vocab.iter().filter(|&(id, token)| vocab.id(token) == Some(id));
        let trie = Trie::new(keys.map(|(id, token)| (token, id)).collect());
        let lowest =
            scores.iter().copied().fold(f64::INFINITY, |lowest, score| if score < lowest { score } else { lowest });
        let byte_ids = || Box::new(std::array::from_fn(|byte| vocab.id(byte_token(byte as u8).as_bytes())));
        let bytes = settings.byte_fallback.then(byte_ids);
        let longest = vocab.iter().map(|(_, token)| token.len()).fold(char::MAX.len_utf8(), usize::max);
        Self { trie, unknown_score: lowest - UNKNOWN_PENALTY, longest, bytes, vocab, scores, settings }
    }

    /// The settings it was built with.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Natural logarithm of the token's probability.
    pub fn score(&self, id: Id) -> Option<f64> {
        self.scores.get(id as usize).copied()
    }

    /// The best segmentation of a text that does without one of the tokens, `None` for an unknown character, and the sum
    /// of its scores; infinitely bad where there is none. A character with a token of its own is never unknown.
    pub fn best_without(&self, text: &str, without: Id) -> (Vec<Option<Id>>, f64) {
        let mut best: Vec<Option<(f64, usize, Option<Id>)>> = vec![None; text.len() + 1];
        best[0] = Some((0.0, 0, None));
        for (at, c) in text.char_indices() {
            let Some((here, ..)) = best[at] else { continue };
            let (single, mut has_single) = (at + c.len_utf8(), false);
            let offer = |slot: &mut Option<(f64, usize, Option<Id>)>, score: f64, id: Option<Id>| {
                if slot.is_none_or(|(known, ..)| score > known) {
                    *slot = Some((score, at, id));
                }
            };
            self.trie.prefixes(&text.as_bytes()[at..], |id, len| {
                has_single |= at + len == single;
                if id != without {
                    offer(&mut best[at + len], self.scores[id as usize] + here, Some(id));
                }
            });
            if !has_single {
                offer(&mut best[single], self.unknown_score + here, None);
            }
        }
        let Some((score, ..)) = best[text.len()] else { return (vec![], f64::NEG_INFINITY) };
        let (mut path, mut end) = (vec![], text.len());
        // Ends: every step goes back by at least one character.
        while let Some((_, start, id)) = best[end].filter(|_| end > 0) {
            path.push(id);
            end = start;
        }
        path.reverse();
        (path, score)
    }

    /// Appends the tokens of a pretoken that is not empty, with the bytes of the pretoken they stand for: linear in its
    /// length, times the length of the longest token.
    ///
    /// Errors: an unknown character where there is no unknown token.
    ///
    /// ```
    /// # use token_engine::models::unigram::{Scratch, Settings, Unigram};
    /// # use token_engine::vocab::Vocab;
    /// let tokens = [("<unk>", 0.0), ("a", -1.0), ("b", -1.0), ("ab", -1.5)];
    /// let mut vocab = Vocab::default();
    /// for (id, (token, _)) in tokens.iter().enumerate() {
    ///     vocab.insert(id as u32, token.as_bytes()).unwrap();
    /// }
    /// let scores = tokens.iter().map(|token| token.1).collect();
    /// let model = Unigram::new(vocab, scores, Settings { unknown: Some(0), byte_fallback: false });
    /// let mut out = vec![];
    /// model.encode("abaxyz", &mut Scratch::default(), &mut out).unwrap();
    /// assert_eq!(out, [(3, 0..2), (1, 2..3), (0, 3..6)]);
    /// ```
    pub fn encode(
        &self,
        pretoken: &str,
        scratch: &mut Scratch,
        out: &mut Vec<(Id, Range<usize>)>,
    ) -> Result<(), NotEncoded> {
        self.for_each_token(pretoken, scratch, |id, range| out.push((id, range)))
    }

    /// Calls `each` with the tokens of a pretoken, one by one. A pretoken may be a whole text: this takes four bytes of
    /// memory for each of its bytes.
    ///
    /// Errors: as [`Self::encode`]; some tokens may have been given by then.
    pub fn for_each_token(
        &self,
        pretoken: &str,
        scratch: &mut Scratch,
        mut each: impl FnMut(Id, Range<usize>),
    ) -> Result<(), NotEncoded> {
        self.find_best(pretoken, scratch)?;
        let tokens = &mut scratch.tokens;
        // Ways are known from their ends: the last token of each is moved to where it starts.
        let mut end = pretoken.len();
        let mut last = tokens[end];
        while end > 0 {
            let start = match self.vocab.token(last) {
                Some(token) => end - token.len(),
                None => pretoken[..end].char_indices().next_back().map_or(0, |(start, _)| start),
            };
            let before = std::mem::replace(&mut tokens[start], last);
            (end, last) = (start, before);
        }
        let mut start = 0;
        let path = std::iter::from_fn(|| {
            let id = *tokens.get(start).filter(|_| start < pretoken.len())?;
            let len = match self.vocab.token(id) {
                Some(token) => token.len(),
                None => pretoken[start..].chars().next().map_or(1, char::len_utf8),
            };
            start += len;
            Some(((id != UNKNOWN).then_some(id), start - len..start))
        });
        self.push_path(pretoken, path, &mut each)
    }

    /// Leaves the last token of the best way to each place of a text that is not empty; returns the score of the best way
    /// to its end.
    fn find_best(&self, text: &str, scratch: &mut Scratch) -> Result<f64, NotEncoded> {
        let Scratch { tokens, scores } = scratch;
        tokens.clear();
        tokens.resize(text.len() + 1, NONE);
        scores.clear();
        scores.resize((self.longest + 1).next_power_of_two(), 0.0);
        let ring = scores.len() - 1;
        for (at, c) in text.char_indices() {
            let here = scores[at & ring];
            let single = at + c.len_utf8();
            let mut has_single = false;
            let mut offer = |end: usize, id: Id, score: f64| {
                let is_better = tokens[end] == NONE || score > scores[end & ring];
                if is_better {
                    (tokens[end], scores[end & ring]) = (id, score);
                }
                is_better
            };
            self.trie.prefixes(&text.as_bytes()[at..], |id, len| {
                offer(at + len, id, self.scores[id as usize] + here);
                has_single |= at + len == single;
            });
            if !has_single && offer(single, UNKNOWN, self.unknown_score + here) && self.settings.unknown.is_none() {
                return Err(NotEncoded { at: at..single });
            }
        }
        Ok(scores[text.len() & ring])
    }

    /// Calls `each` with the tokens of a path, unknown neighbours as one. The text may spell the unknown token: that is
    /// unknown, too.
    fn push_path(
        &self,
        text: &str,
        path: impl Iterator<Item = (Option<Id>, Range<usize>)>,
        each: &mut impl FnMut(Id, Range<usize>),
    ) -> Result<(), NotEncoded> {
        let mut waiting: Option<Range<usize>> = None;
        for (id, range) in path {
            match id.filter(|id| Some(*id) != self.settings.unknown) {
                Some(id) => {
                    if let Some(range) = waiting.take() {
                        self.push_unknown(text, range, each)?;
                    }
                    each(id, range);
                }
                None => waiting = Some(waiting.map_or(range.start, |before| before.start)..range.end),
            }
        }
        waiting.map_or(Ok(()), |range| self.push_unknown(text, range, each))
    }

    fn push_unknown(
        &self,
        text: &str,
        range: Range<usize>,
        each: &mut impl FnMut(Id, Range<usize>),
    ) -> Result<(), NotEncoded> {
        let bytes = &text.as_bytes()[range.clone()];
        if let Some(id) = self.vocab.id(bytes) {
            each(id, range);
            return Ok(());
        }
        if let Some(ids) = &self.bytes
            && bytes.iter().all(|&byte| ids[usize::from(byte)].is_some())
        {
            bytes.iter().filter_map(|&byte| ids[usize::from(byte)]).for_each(|id| each(id, range.clone()));
            return Ok(());
        }
        let unknown = self.settings.unknown.ok_or(NotEncoded { at: range.clone() })?;
        each(unknown, range);
        Ok(())
    }
}

/// The definition, for the tests: the largest sum over all segmentations, in no more time than is there.
#[cfg(test)]
mod naive {
    use super::*;

    /// All segmentations of `text` with their scores; unknown characters have no id.
    pub fn all(model: &Unigram, text: &str) -> Vec<(Vec<Option<Id>>, f64)> {
        let Some(c) = text.chars().next() else { return vec![(vec![], 0.0)] };
        let mut starts: Vec<(Option<Id>, usize)> = (1..=text.len())
            .filter(|&end| text.is_char_boundary(end))
            .filter_map(|end| model.vocab.id(&text.as_bytes()[..end]).map(|id| (Some(id), end)))
            .collect();
        if !starts.iter().any(|&(_, end)| end == c.len_utf8()) {
            starts.push((None, c.len_utf8()));
        }
        let longer = |(id, end): (Option<Id>, usize)| {
            let score = id.map_or(model.unknown_score, |id| model.scores[id as usize]);
            all(model, &text[end..]).into_iter().map(move |(rest, sum)| ([vec![id], rest].concat(), score + sum))
        };
        starts.into_iter().flat_map(longer).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn model(tokens: &[(&str, f64)], settings: Settings) -> Unigram {
        let mut vocab = Vocab::default();
        for (id, (token, _)) in tokens.iter().enumerate() {
            vocab.insert_any(id as Id, token.as_bytes()).expect("ids differ");
        }
        Unigram::new(vocab, tokens.iter().map(|token| token.1).collect(), settings)
    }

    fn shown(model: &Unigram, text: &str) -> String {
        let mut out = vec![];
        if let Err(NotEncoded { at }) = model.encode(text, &mut Scratch::default(), &mut out) {
            return format!("not encoded: {at:?}");
        }
        out.into_iter().map(|(id, range)| format!("{id} {range:?}")).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn unknown_neighbours_are_one_token() {
        let tokens =
            [("?", 0.0), ("a", -1.0), ("<0xC3>", -2.0), ("<0xA9>", -2.0), ("xx", -30.0), ("a", -1.5), ("", -1.0)];
        let with = |unknown, byte_fallback| model(&tokens, Settings { unknown, byte_fallback });
        let cases = [
            (Some(0), false, "xaxyz", "0 0..1, 5 1..2, 0 2..5"), // of twins the last
            (Some(0), false, "a??a", "5 0..1, 0 1..3, 5 3..4"),  // the unknown token as it is spelled
            (Some(0), true, "aééx", "5 0..1, 0 1..6"),           // not all of the bytes
            (Some(0), true, "éé", "2 0..4, 3 0..4, 2 0..4, 3 0..4"),
            (Some(0), false, "xx", "4 0..2"),
            (None, false, "aé", "not encoded: 1..3"),
            (None, true, "aa", "5 0..1, 5 1..2"),
        ];
        for (unknown, byte_fallback, text, expected) in cases {
            assert_eq!(shown(&with(unknown, byte_fallback), text), expected, "{text}");
        }
    }

    #[test]
    fn has_the_largest_sum() {
        let mut random = crate::testing::Random::new(11);
        for _ in 0..300 {
            let mut tokens = vec![("?".to_owned(), 0.0)];
            for _ in 0..random.below(12) {
                let token: String = (0..1 + random.below(3)).map(|_| *random.pick(&['a', 'b', 'é'])).collect();
                if tokens.iter().all(|known| known.0 != token) {
                    tokens.push((token, -(random.below(1000) as f64) / 100.0));
                }
            }
            let tokens: Vec<_> = tokens.iter().map(|(token, score)| (token.as_str(), *score)).collect();
            let model = model(&tokens, Settings { unknown: Some(0), byte_fallback: false });
            let text: String = (0..1 + random.below(9)).map(|_| *random.pick(&['a', 'b', 'é'])).collect();
            let largest = naive::all(&model, &text).into_iter().map(|path| path.1).fold(f64::MIN, f64::max);
            let best = model.find_best(&text, &mut Scratch::default()).expect("there is an unknown token");
            assert!((best - largest).abs() < 1e-9, "{text} in {tokens:?}");
        }
    }
}
