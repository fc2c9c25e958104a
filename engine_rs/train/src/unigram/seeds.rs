//! The vocabulary that Unigram training begins with: all characters, and the substrings of words that save most.
//!
//! A substring is a seed if it occurs at least `least` times and no character follows it always: it ends a word, or two
//! different characters follow it. By [`Variant::SentencePiece`] it must go on in two ways in the running text ([`crate::followers`]),
//! where spaces and ends of lines count too. Seeds are in the order of occurrences times characters; equal ones in
//! that of code points. Occurrences are those in the corpus, so a word counts as often as it occurs.
//!
//! Source: `UnigramModelTrainer` of SentencePiece; Abouelhoda et al. 2004, Replacing suffix trees with enhanced suffix arrays
//! (intervals of common prefixes).

use std::cmp::Reverse;

use crate::followers::{self, Follower};
use crate::options::Variant;

use super::suffix_array::{common_prefixes, ranks, suffix_array};
use super::text::{Alphabet, END, Text};
use super::tokens::Tokens;
use crate::stop::{Stop, Stopped};

/// Memory of the search for each symbol, in bytes: its suffix, rank, common prefix and count, and the seed there.
pub(crate) const WORK_BYTES: usize = 20 + size_of::<Substring>();

/// What a seed has to be like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeedRules {
    /// The largest number of seeds; all characters are seeds even so.
    pub(crate) size: usize,
    /// In characters.
    pub(crate) max_length: usize,
    /// The smallest number of occurrences, of a seed of two or more characters.
    pub least: u64,
    /// What follows it.
    pub variant: Variant,
}

/// A substring: where one occurrence starts in the suffix array, its length in symbols, and how often it occurs.
#[derive(Clone, Copy, Debug)]
struct Substring {
    place: u32,
    length: u32,
    count: u64,
}

impl Substring {
    fn gain(self) -> u128 {
        u128::from(self.count) * u128::from(self.length)
    }

    /// Sorts by gain, then by text: shorter substrings at one place come first, as a prefix does.
    fn key(&self) -> (Reverse<u128>, u32, u32) {
        (Reverse(self.gain()), self.place, self.length)
    }
}

/// The seeds with their first scores, which are logarithms of their shares of all gains.
pub(crate) fn seeds(text: &Text, alphabet: &Alphabet, rules: SeedRules, stop: Stop<'_>) -> Result<Tokens, Stopped> {
    let suffixes = suffix_array(&text.symbols, alphabet.characters.len() + 1, stop)?;
    let rank = ranks(&suffixes, stop)?;
    let lengths = common_prefixes(&text.symbols, &suffixes, &rank, stop)?;
    let counts = sums(text, &rank, stop)?;
    drop(rank);
    let first_bytes: Vec<u8> =
        std::iter::once(0).chain(alphabet.characters.iter().map(|&(c, _)| followers::first_byte(c))).collect();
    let mut found = Finder {
        text,
        first_bytes: &first_bytes,
        suffixes: &suffixes,
        lengths: &lengths,
        counts: &counts,
        rules,
        found: vec![],
    };
    found.intervals(stop)?;
    found.ends_of_words(stop)?;
    let mut substrings = found.found;

    let mut characters: Vec<(u64, u32)> = alphabet.characters.iter().map(|&(_, count)| count).zip(1..).collect();
    characters.sort_unstable_by_key(|&(count, number)| (Reverse(count), number));
    let room = rules.size.saturating_sub(characters.len());
    if substrings.len() > room {
        // Sorting what stays, not what goes.
        if room > 0 {
            substrings.select_nth_unstable_by_key(room - 1, Substring::key);
        }
        substrings.truncate(room);
    }
    stop.check()?;
    substrings.sort_unstable_by_key(Substring::key);

    let mut tokens = Tokens::default();
    let mut gains = vec![];
    for (count, number) in characters {
        tokens.push(&[number]);
        gains.push(count.max(1) as f64);
    }
    for (number, substring) in substrings.iter().enumerate() {
        stop.check_at(number)?;
        let start = suffixes[substring.place as usize] as usize;
        tokens.push(&text.symbols[start..start + substring.length as usize]);
        gains.push(substring.gain() as f64);
    }
    let all = gains.iter().sum::<f64>().ln();
    tokens.scores = gains.into_iter().map(|gain| gain.ln() - all).collect();
    Ok(tokens)
}

/// The occurrences of all suffixes before each place of the suffix array; those of the last one too at the end.
fn sums(text: &Text, rank: &[u32], stop: Stop<'_>) -> Result<Vec<u64>, Stopped> {
    let mut counts = vec![0; rank.len() + 1];
    for word in &text.words {
        for at in word.start..word.end {
            stop.check_at(at as usize)?;
            counts[rank[at as usize] as usize + 1] = word.count;
        }
    }
    let mut sum = 0;
    for count in &mut counts {
        sum += *count;
        *count = sum;
    }
    Ok(counts)
}

struct Finder<'a> {
    text: &'a Text,
    /// Of the characters, by symbol.
    first_bytes: &'a [u8],
    suffixes: &'a [u32],
    /// Common prefix of each suffix with the one before.
    lengths: &'a [u32],
    counts: &'a [u64],
    rules: SeedRules,
    found: Vec<Substring>,
}

impl Finder<'_> {
    /// Takes the substring of `length` symbols that the suffixes at these places start with.
    fn take(&mut self, places: std::ops::Range<usize>, length: u32) {
        let count = self.counts[places.end] - self.counts[places.start];
        if length < 2 || length as usize > self.rules.max_length || count < self.rules.least {
            return;
        }
        if self.rules.variant == Variant::Words || self.follower(places.clone(), length) == Follower::Many {
            self.found.push(Substring { place: places.start as u32, length, count });
        }
    }

    /// What follows the substring in the running text.
    fn follower(&self, places: std::ops::Range<usize>, length: u32) -> Follower {
        let mut all = Follower::None;
        for place in places.clone() {
            let end = self.suffixes[place] + length;
            match self.text.symbols[end as usize] {
                END => all = all.or(self.text.follower(end)),
                // Suffixes whose words end here come first, so all others go on.
                first => {
                    let next = |symbol: u32| Follower::One(self.first_bytes[symbol as usize]);
                    let last = self.text.symbols[(self.suffixes[places.end - 1] + length) as usize];
                    // They lie in the order of symbols, and so of first bytes.
                    return all.or(next(first)).or(next(last));
                }
            }
            if all == Follower::Many {
                break;
            }
        }
        all
    }

    /// Substrings of at least two suffixes after which these differ or end.
    fn intervals(&mut self, stop: Stop<'_>) -> Result<(), Stopped> {
        // Open intervals: where each begins, and the length that its suffixes share. Both grow.
        let mut open: Vec<(usize, u32)> = vec![];
        for place in 1..=self.lengths.len() {
            stop.check_at(place)?;
            let shared = self.lengths.get(place).copied().unwrap_or(0);
            let mut start = place - 1;
            while let Some(&(begin, length)) = open.last()
                && length > shared
            {
                open.pop();
                self.take(begin..place, length);
                start = begin;
            }
            if open.last().map_or(0, |&(_, length)| length) < shared {
                open.push((start, shared));
            }
        }
        Ok(())
    }

    /// Substrings of one suffix, up to the end of its word: no interval has them.
    fn ends_of_words(&mut self, stop: Stop<'_>) -> Result<(), Stopped> {
        for place in 0..self.suffixes.len() {
            stop.check_at(place)?;
            let shared = self.lengths[place].max(self.lengths.get(place + 1).copied().unwrap_or(0)) as usize;
            let rest = &self.text.symbols[self.suffixes[place] as usize..];
            let length = rest.iter().take(self.rules.max_length + 1).take_while(|&&symbol| symbol != END).count();
            if length > shared {
                self.take(place..place + 1, length as u32);
            }
        }
        Ok(())
    }
}
