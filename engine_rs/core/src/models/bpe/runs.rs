//! Merges long runs of the same symbol by their lengths: a hundred thousand spaces take a few steps.
//! Without this 100 kB of spaces take 32 ms with Llama 2 and 7 ms with cl100k, in rounds, in place of 6 and less than 1.
//!
//! A step merges all pairs of one place: neighbours within a run, from left to right, or the two symbols where one run
//! meets the next. Invariant: no new pair comes before the pair that is merged, or at the same time; the one exception is
//! what has just been made and the next symbol of its run, which then merge at once (Llama 2, whose tokens of spaces all have
//! the same score). So the next pair of the definition is always the leftmost of the lowest order, and the pairs within a
//! run do not wait for each other. Where the invariant does not hold, nothing is merged here.
//!
//! Not here: words of many runs ([`super::long`]).

use std::ops::Range;

use super::long::{Order, Symbol};
use super::merges::{Merges, NO_RANK};
use crate::ids::Id;

/// Words of more runs than this at first are left to others.
const FEW: usize = 16;
/// At most so many runs are between steps, and at most so many steps are made, which bounds the work.
const MOST_RUNS: usize = 64;
const MOST_STEPS: usize = 1024;
/// The most symbols that become one in a step.
const MOST_HEADS: usize = 64;
/// What a step of runs costs in symbols, roughly: words that are shorter per run are left to others.
const LEAST_MEAN: usize = 16;

/// Symbols side by side that are the same.
#[derive(Clone, Copy, Debug)]
struct Run {
    id: Id,
    count: usize,
    /// Of how many of the first symbols each was made.
    width: usize,
}

/// The pair that merges next.
struct Place {
    order: u32,
    made: Id,
    /// The run of the left symbol.
    run: usize,
    is_inner: bool,
}

/// Merges `symbols` in place as [`super::naive::encode`] does. Returns false, and leaves them as they are, if they are not a
/// few long runs.
pub(super) fn merge<S: Symbol>(merges: &Merges, symbols: &mut Vec<S>, order: &impl Order<S>) -> bool {
    let Some(mut runs) = runs_of(symbols) else { return false };
    let of = |left: Id, right: Id| match merges.rank(left, right) {
        NO_RANK => None,
        rank => Some((order.of(rank), merges.result(rank))),
    };
    for _ in 0..MOST_STEPS {
        let Some(place) = lowest(&runs, &of) else {
            expand(&runs, symbols);
            return true;
        };
        if !merge_at(&mut runs, &place, &of) || runs.len() > MOST_RUNS {
            return false;
        }
    }
    false
}

/// The runs of a word, if they are few and long.
fn runs_of<S: Symbol>(symbols: &[S]) -> Option<Vec<Run>> {
    let mut runs: Vec<Run> = vec![];
    for same in symbols.chunk_by(|left, right| left.id() == right.id()) {
        if runs.len() == FEW {
            return None;
        }
        runs.push(Run { id: same[0].id(), count: same.len(), width: 1 });
    }
    (symbols.len() >= LEAST_MEAN * runs.len()).then_some(runs)
}

/// The leftmost place of the lowest order.
fn lowest(runs: &[Run], of: &impl Fn(Id, Id) -> Option<(u32, Id)>) -> Option<Place> {
    let mut lowest: Option<Place> = None;
    let mut see = |run: usize, is_inner: bool, pair: Option<(u32, Id)>| {
        if let Some((order, made)) = pair.filter(|(order, _)| lowest.as_ref().is_none_or(|best| *order < best.order)) {
            lowest = Some(Place { order, made, run, is_inner });
        }
    };
    for (at, run) in runs.iter().enumerate() {
        if run.count > 1 {
            see(at, true, of(run.id, run.id));
        }
        if let Some(next) = runs.get(at + 1) {
            see(at, false, of(run.id, next.id));
        }
    }
    lowest
}

/// Merges the pairs of a place, `pair` being the order and token of two symbols that merge. Returns false if one of the
/// pairs that this makes comes too early.
fn merge_at(runs: &mut Vec<Run>, place: &Place, pair: &impl Fn(Id, Id) -> Option<(u32, Id)>) -> bool {
    let &Place { order: now, made, run: at, is_inner } = place;
    let comes_later = |left: Id, right: Id| pair(left, right).is_none_or(|(order, _)| order > now);
    let first = runs[at];
    let before = at.checked_sub(1).map(|before| runs[before].id);
    let after = |end: usize| runs.get(end).map(|run| run.id);
    if !is_inner {
        let last = runs[at + 1];
        let new = Run { id: made, count: 1, width: first.width + last.width };
        let left = if first.count > 1 { Some(first.id) } else { before };
        let right = if last.count > 1 { Some(last.id) } else { after(at + 2) };
        if !left.is_none_or(|id| comes_later(id, made)) || !right.is_none_or(|id| comes_later(made, id)) {
            return false;
        }
        let parts = [Run { count: first.count - 1, ..first }, new, Run { count: last.count - 1, ..last }];
        replace(runs, at..at + 2, parts);
        return true;
    }
    // What the first symbols of the run become, one after the other: two, and more while the pair with the next one comes at
    // the same time, since it is the leftmost.
    let mut heads = vec![first.id, made];
    while heads.len() < first.count {
        match pair(heads[heads.len() - 1], first.id) {
            Some((order, _)) if order < now || heads.len() == MOST_HEADS => return false,
            Some((order, made)) if order == now => heads.push(made),
            _ => break,
        }
    }
    let (whole, rest) = (first.count / heads.len(), first.count % heads.len());
    let [.., head] = heads[..] else { return false };
    let last = if rest > 0 { heads[rest - 1] } else { head };
    let holds = heads[1..].iter().all(|&id| before.is_none_or(|before| comes_later(before, id)))
        && (whole + rest < 2 || heads.iter().all(|&id| comes_later(head, id)))
        && (rest == 1 || after(at + 1).is_none_or(|after| comes_later(last, after)));
    if !holds {
        return false;
    }
    let wholes = Run { id: head, count: whole, width: first.width * heads.len() };
    let rest = Run { id: last, count: usize::from(rest > 0), width: first.width * rest };
    replace(runs, at..at + 1, [wholes, rest]);
    true
}

/// Puts others in the place of some runs. Those beside each other that are the same become one.
fn replace<const N: usize>(runs: &mut Vec<Run>, range: Range<usize>, by: [Run; N]) {
    runs.splice(range, by.into_iter().filter(|run| run.count > 0));
    runs.dedup_by(|next, run| {
        let same = next.id == run.id && next.width == run.width;
        run.count += if same { next.count } else { 0 };
        same
    });
}

/// Writes the symbols of the runs in place of those at first: never more than there were.
fn expand<S: Symbol>(runs: &[Run], symbols: &mut Vec<S>) {
    let (mut from, mut to) = (0, 0);
    for run in runs {
        for _ in 0..run.count {
            symbols[to] = match run.width {
                1 => symbols[from],
                width => symbols[from].joined(symbols[from + width - 1], run.id),
            };
            from += run.width;
            to += 1;
        }
    }
    symbols.truncate(to);
}

#[cfg(test)]
mod tests {
    use super::super::long::ByRank;
    use super::super::tests::Shared;
    use super::*;
    use crate::testing::Random;

    /// Merges of few letters, in an order that may be any: most make what comes at once.
    fn random_merges(random: &mut Random, letters: usize, is_ordered: bool) -> Merges {
        let mut known: Vec<Vec<u8>> = (0..letters).map(|letter| vec![letter as u8]).collect();
        let mut pairs = vec![];
        while pairs.len() < 12 {
            let (left, right) = (random.below(known.len()), random.below(known.len()));
            let token = [known[left].as_slice(), &known[right]].concat();
            if token.len() > 40 || pairs.iter().any(|&(a, b, _)| (a, b) == (left, right)) {
                continue;
            }
            let made = known.iter().position(|one| *one == token).unwrap_or_else(|| {
                known.push(token);
                known.len() - 1
            });
            pairs.push((left, right, made));
        }
        if !is_ordered {
            for at in 1..pairs.len() {
                pairs.swap(at, random.below(at + 1));
            }
        }
        let mut merges = Merges::new(pairs.iter().map(|pair| pair.2 as Id).collect());
        for (&(left, right, _), rank) in pairs.iter().zip(0..) {
            merges.insert(left as Id, right as Id, rank);
        }
        merges
    }

    #[test]
    fn runs_merge_as_the_definition_does() {
        let mut random = Random::new(7);
        let mut merged = 0;
        for round in 0..6000 {
            let letters = 1 + random.below(3);
            let merges = random_merges(&mut random, letters, round % 4 > 0);
            let mut symbols = vec![];
            for _ in 0..1 + random.below(4) {
                let (letter, count) = (random.below(letters), 1 + random.below(if round % 2 == 0 { 20 } else { 90 }));
                symbols.extend(std::iter::repeat_n(letter as Id, count));
            }
            let order = Shared(*random.pick(&[1, 1, 2, 4, 12]));
            let expected = order.encode(&merges, &symbols);
            let before = symbols.clone();
            if merge(&merges, &mut symbols, &order) {
                assert_eq!(symbols, expected, "{before:?}, {} ranks an order, {merges:?}", order.0);
                merged += 1;
            } else {
                assert_eq!(symbols, before, "left as they are");
            }
        }
        assert!(merged > 1500, "{merged}");
    }

    #[test]
    fn work_does_not_grow_with_the_length_of_a_run() {
        let mut merges = Merges::new(vec![1, 2, 3, 4]);
        for made in 1..5 {
            merges.insert(made - 1, made - 1, made - 1);
        }
        let mut symbols: Vec<Id> = vec![0; 1_000_003];
        assert!(merge(&merges, &mut symbols, &ByRank { is_plain: true }));
        assert_eq!(symbols.len(), 1_000_003 / 16 + 2);
        assert_eq!(symbols[symbols.len() - 3..], [4, 1, 0]);
    }
}
