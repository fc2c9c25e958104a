//! The suffix array of a text of numbers, and the common prefixes of neighbours in it, both in linear time.
//!
//! Suffixes of type S are smaller than the suffix that starts one position later, the others are of type L. An S suffix
//! after an L suffix is a leftmost S suffix (LMS). The order of the LMS suffixes induces that of all others, and the order
//! of the LMS suffixes is that of a text of at most half the length, in which each LMS substring is one number.
//!
//! Not here: which substrings the trainer takes from it ([`super::seeds`]).
//!
//! Source: Nong, Zhang, Chan 2009, Linear suffix array construction by almost pure induced-sorting; Kasai et al. 2001,
//! Linear-time longest-common-prefix computation in suffix arrays and its applications.

use crate::stop::{Stop, Stopped};

/// No suffix is here yet.
const EMPTY: u32 = u32::MAX;

/// The starts of all suffixes of `text`, the smallest suffix first. A suffix that is the start of another one is smaller.
///
/// The numbers of `text` are below `alphabet`; `text` has less than 2^32 - 1 of them.
///
/// Errors: [`Stopped`] if the caller asked to stop.
pub(crate) fn suffix_array(text: &[u32], alphabet: usize, stop: Stop<'_>) -> Result<Vec<u32>, Stopped> {
    if text.is_empty() {
        return Ok(vec![]);
    }
    Sorter::new(text, alphabet, stop)?.sort()
}

/// Length of the common prefix of each suffix and the one before it in `suffixes`, not counting what follows a 0.
///
/// Zero for the first. `rank` is the place of each suffix in `suffixes`.
pub(crate) fn common_prefixes(
    text: &[u32],
    suffixes: &[u32],
    rank: &[u32],
    stop: Stop<'_>,
) -> Result<Vec<u32>, Stopped> {
    let mut lengths = vec![0; text.len()];
    let mut length = 0_usize;
    for (start, &place) in rank.iter().enumerate() {
        stop.check_at(start)?;
        if place == 0 {
            length = 0;
            continue;
        }
        let other = suffixes[place as usize - 1] as usize;
        let same = |length: usize| match (text.get(start + length), text.get(other + length)) {
            (Some(&left), Some(&right)) => left == right && left != 0,
            _ => false,
        };
        while same(length) {
            length += 1;
        }
        lengths[place as usize] = length as u32;
        // The suffix without its first number shares the prefix without it.
        length = length.saturating_sub(1);
    }
    Ok(lengths)
}

/// The place of each suffix in `suffixes`.
pub(crate) fn ranks(suffixes: &[u32], stop: Stop<'_>) -> Result<Vec<u32>, Stopped> {
    let mut ranks = vec![0; suffixes.len()];
    for (place, &start) in suffixes.iter().enumerate() {
        stop.check_at(place)?;
        ranks[start as usize] = place as u32;
    }
    Ok(ranks)
}

struct Sorter<'a> {
    text: &'a [u32],
    stop: Stop<'a>,
    /// Whether the suffix at a position is of type S.
    is_s: Vec<bool>,
    /// Where the L and the S suffixes that start with each number begin in the array.
    l_starts: Vec<u32>,
    s_starts: Vec<u32>,
}

impl<'a> Sorter<'a> {
    fn new(text: &'a [u32], alphabet: usize, stop: Stop<'a>) -> Result<Self, Stopped> {
        let mut is_s = vec![false; text.len()];
        let mut l_counts = vec![0_u32; alphabet];
        let mut s_counts = vec![0_u32; alphabet];
        for at in (0..text.len()).rev() {
            stop.check_at(at)?;
            // The last suffix is of type L: the end of the text is smaller than any number.
            is_s[at] = text.get(at + 1).is_some_and(|&next| text[at] < next || (text[at] == next && is_s[at + 1]));
            let counts = if is_s[at] { &mut s_counts } else { &mut l_counts };
            counts[text[at] as usize] += 1;
        }
        let mut next = 0;
        let (mut l_starts, mut s_starts) = (l_counts, s_counts);
        for (l_start, s_start) in l_starts.iter_mut().zip(&mut s_starts) {
            let (l_count, s_count) = (*l_start, *s_start);
            (*l_start, *s_start) = (next, next + l_count);
            next += l_count + s_count;
        }
        Ok(Self { text, stop, is_s, l_starts, s_starts })
    }

    fn is_lms(&self, at: usize) -> bool {
        at > 0 && self.is_s[at] && !self.is_s[at - 1]
    }

    fn sort(&self) -> Result<Vec<u32>, Stopped> {
        let mut lms = vec![];
        for at in 1..self.text.len() {
            self.stop.check_at(at)?;
            if self.is_lms(at) {
                lms.push(at as u32);
            }
        }
        let mut suffixes = self.induce(&lms)?;
        if lms.len() > 1 {
            let mut sorted = Vec::with_capacity(lms.len());
            for (place, &at) in suffixes.iter().enumerate() {
                self.stop.check_at(place)?;
                if self.is_lms(at as usize) {
                    sorted.push(at);
                }
            }
            let lms = self.sort_lms(&lms, sorted)?;
            suffixes = self.induce(&lms)?;
        }
        Ok(suffixes)
    }

    /// The LMS suffixes in order. `lms` has them as they come in the text, `sorted` by their LMS substrings.
    fn sort_lms(&self, lms: &[u32], sorted: Vec<u32>) -> Result<Vec<u32>, Stopped> {
        // An LMS substring ends with the first number of the next one.
        let mut number_of = vec![EMPTY; self.text.len()];
        for (number, &at) in lms.iter().enumerate() {
            self.stop.check_at(number)?;
            number_of[at as usize] = number as u32;
        }
        let substring = |at: u32| {
            let next = lms.get(number_of[at as usize] as usize + 1);
            &self.text[at as usize..next.map_or(self.text.len(), |&next| next as usize + 1)]
        };
        let mut names = vec![0; lms.len()];
        let mut name = 0;
        for (place, &at) in sorted.iter().enumerate() {
            self.stop.check_at(place)?;
            // The last substring has the end of the text in it, which no other has.
            let last = |at: u32| number_of[at as usize] as usize + 1 == lms.len();
            if place > 0 {
                let before = sorted[place - 1];
                name += u32::from(last(at) || last(before) || substring(at) != substring(before));
            }
            names[number_of[at as usize] as usize] = name;
        }
        if name as usize + 1 == lms.len() {
            return Ok(sorted);
        }
        drop((sorted, number_of));
        // At most half as many numbers as here: the recursion ends.
        let order = suffix_array(&names, name as usize + 1, self.stop)?;
        Ok(order.into_iter().map(|number| lms[number as usize]).collect())
    }

    /// All suffixes, in the order that the order of `lms` induces.
    fn induce(&self, lms: &[u32]) -> Result<Vec<u32>, Stopped> {
        let mut suffixes = vec![EMPTY; self.text.len()];
        let mut next = self.s_starts.clone();
        for (number, &at) in lms.iter().enumerate() {
            self.stop.check_at(number)?;
            put(&mut suffixes, &mut next, self.text[at as usize], at);
        }
        next.copy_from_slice(&self.l_starts);
        let last = self.text.len() as u32 - 1;
        put(&mut suffixes, &mut next, self.text[last as usize], last);
        for place in 0..suffixes.len() {
            self.stop.check_at(place)?;
            let at = suffixes[place];
            if at != EMPTY && at > 0 && !self.is_s[at as usize - 1] {
                put(&mut suffixes, &mut next, self.text[at as usize - 1], at - 1);
            }
        }
        // The S suffixes of a number end where the L suffixes of the next one begin.
        let mut ends = self.l_starts[1..].to_vec();
        ends.push(suffixes.len() as u32);
        for place in (0..suffixes.len()).rev() {
            self.stop.check_at(place)?;
            let at = suffixes[place];
            if at != EMPTY && at > 0 && self.is_s[at as usize - 1] {
                let end = &mut ends[self.text[at as usize - 1] as usize];
                *end -= 1;
                suffixes[*end as usize] = at - 1;
            }
        }
        Ok(suffixes)
    }
}

fn put(suffixes: &mut [u32], next: &mut [u32], number: u32, at: u32) {
    let place = &mut next[number as usize];
    suffixes[*place as usize] = at;
    *place += 1;
}

#[cfg(test)]
mod tests {
    use token_engine::internals::random::Random;

    use super::*;

    fn naive(text: &[u32]) -> Vec<u32> {
        let mut starts: Vec<u32> = (0..text.len() as u32).collect();
        starts.sort_by_key(|&start| &text[start as usize..]);
        starts
    }

    fn check(text: &[u32], alphabet: usize) {
        let suffixes = suffix_array(text, alphabet, Stop::never()).expect("nobody stops it");
        assert_eq!(suffixes, naive(text), "{text:?}");
        let rank = ranks(&suffixes, Stop::never()).expect("nobody stops it");
        let lengths = common_prefixes(text, &suffixes, &rank, Stop::never()).expect("nobody stops it");
        for place in 1..text.len() {
            let (left, right) = (&text[suffixes[place - 1] as usize..], &text[suffixes[place] as usize..]);
            let same = left.iter().zip(right).take_while(|(left, right)| left == right && **left != 0).count();
            assert_eq!(lengths[place] as usize, same, "{text:?}, place {place}");
        }
    }

    #[test]
    fn equals_sorting_the_suffixes() {
        let banana: Vec<u32> = b"banana banana".iter().map(|&byte| u32::from(byte)).collect();
        check(&banana, 256);
        check(&[], 1);
        check(&[0], 1);
        check(&[0; 40], 1);
        check(&[1, 0, 1, 0, 1, 0], 2);
        let mut random = Random::new(5);
        for round in 0..600 {
            let alphabet = 1 + round % 5;
            let length = (random.next_unit() * 60.0) as usize;
            let text: Vec<u32> = (0..length).map(|_| (random.next_unit() * alphabet as f64) as u32).collect();
            check(&text, alphabet);
        }
    }

    #[test]
    fn one_letter_a_million_times_takes_linear_time() {
        let text = vec![1; 1_000_000];
        let suffixes = suffix_array(&text, 2, Stop::never()).expect("nobody stops it");
        assert!(suffixes.iter().rev().enumerate().all(|(place, &start)| place == start as usize));
    }
}
