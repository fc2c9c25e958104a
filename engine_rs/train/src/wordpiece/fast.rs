//! The trainer that is used: every merge touches only the places of its pair and the pairs whose score rises.
//!
//! A merge lowers the counts of its parts, so the scores of all their other pairs rise, and a lazy heap of pairs would miss
//! them. So each pair belongs to one of its parts, the *owner*, which is the more frequent one when the pair comes into
//! being; the other part is *light*:
//!
//! * Among the pairs of one owner, the order depends on `count(pair) / count(light)` alone. Each owner has a lazy heap of
//!   these. A count of a pair only falls, so an entry is at least the value of today. If the count of a light part falls, its
//!   pairs are put in again; a light part has few of them.
//! * A tournament tree over the owners finds the best pair of all. If the count of an owner falls, only its path in the tree
//!   is compared again, however many pairs it has.
//!
//! Source: own derivation.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::sync::atomic::AtomicBool;

use super::score::Score;
use crate::bpe::pairs::Pair;
use crate::bpe::places::Places;
use crate::bpe::{Merge, Rules, Stopped};
use crate::steps::Steps;
use crate::stop::{self, Stop};
use crate::symbols::Symbols;
use crate::tokens::Tokens;

/// No owner.
const NOBODY: u32 = u32::MAX;

/// Words, pairs and their order.
#[derive(Clone, Debug)]
pub struct Fast {
    places: Places,
    is_scanned: bool,
    owners: Owners,
}

/// A pair in the heap of its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    count: u64,
    light_count: u64,
    left: u32,
    right: u32,
    number: u32,
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        let value = u128::from(self.count) * u128::from(other.light_count);
        let other_value = u128::from(other.count) * u128::from(self.light_count);
        let ids = Reverse((self.left, self.right)).cmp(&Reverse((other.left, other.right)));
        value.cmp(&other_value).then(ids)
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// All tokens, and the pairs that they own.
#[derive(Clone, Debug, Default)]
struct Owners {
    tokens: Vec<Owner>,
    /// Owner and light part of each pair.
    parts: Vec<(u32, u32)>,
    /// Winners of matches: the best owner at 1; of node n those at 2n and 2n + 1 play. The second half are the owners.
    tree: Vec<Player>,
}

/// An owner and about the score of its best pair.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Player {
    score: f64,
    owner: u32,
}

impl Player {
    /// Loses against every owner with a pair.
    const NOBODY: Self = Self { score: 0.0, owner: NOBODY };
}

/// Scores that differ by a larger factor are in the order of these numbers: each has five roundings of 2^-53.
const CLEAR: f64 = 1.0 + 1e-14;

/// A token.
#[derive(Clone, Debug, Default)]
struct Owner {
    /// How often it occurs.
    count: u64,
    /// Its pairs, the best first, and stale entries.
    heap: BinaryHeap<Entry>,
    /// Number of pairs put in at first.
    pairs: usize,
    /// Pairs of others in which it is light.
    light: Vec<u32>,
}

impl Fast {
    /// A trainer before its first merge.
    ///
    /// Errors: [`stop::Stopped`].
    pub(crate) fn new(symbols: Symbols, rules: Rules, stop: Stop<'_>) -> Result<Self, stop::Stopped> {
        let mut owners = Owners::default();
        for (at, (segment, count)) in symbols.segments().enumerate() {
            stop.check_at(at)?;
            for &id in segment {
                owners.make_room(id as usize + 1);
                owners.tokens[id as usize].count += count;
            }
        }
        Ok(Self { places: Places::new(symbols, rules, rules.min_count), is_scanned: false, owners })
    }

    /// Makes the next merge; `None` if no pair may be merged.
    ///
    /// Errors: `stop` was set; the next call goes on.
    pub(crate) fn next(
        &mut self,
        tokens: &mut Tokens,
        steps: &mut Steps,
        stop: &AtomicBool,
    ) -> Result<Option<Merge>, Stopped> {
        if !self.is_scanned {
            self.places.scan(tokens, steps, stop)?;
            self.is_scanned = true;
            self.owners.make_room(tokens.len());
            self.owners.add(&self.places.pairs.list, 0);
            self.owners.play_all();
        }
        loop {
            let Some((owner, entry)) = self.best(steps) else { return Ok(None) };
            let Entry { left, right, count, number, .. } = entry;
            let Some(new) = tokens.merge(left, right) else {
                self.places.pairs.list[number as usize].count = 0;
                continue;
            };
            let score = self.owners.score(owner, entry).value();
            let made = self.places.merge(number as usize, new, tokens, steps);
            self.owners.make_room(tokens.len());
            for (id, occurrences) in [(left, made.occurrences), (right, made.occurrences)] {
                self.owners.tokens[id as usize].count -= occurrences;
            }
            self.owners.tokens[new as usize].count = made.occurrences;
            self.owners.add(&self.places.pairs.list, made.first_pair);
            for id in [left, right] {
                self.owners.rise(id, &self.places, steps);
            }
            return Ok(Some(Merge { left, right, new, count, score: Some(score) }));
        }
    }

    /// The best pair and its owner. It stays in the heap, where its count will make it stale.
    fn best(&mut self, steps: &mut Steps) -> Option<(u32, Entry)> {
        // Ends: each round takes an entry out or puts it back with a lower count.
        loop {
            let owner = self.owners.tree[1].owner;
            let top = *self.owners.tokens.get(owner as usize)?.heap.peek()?;
            steps.add("heap_pops", 1);
            let count = self.places.pairs.list[top.number as usize].count;
            let light_count = self.owners.light_count(top.number);
            if (count, light_count) == (top.count, top.light_count) {
                return Some((owner, top));
            }
            steps.add("stale_entries", 1);
            let heap = &mut self.owners.tokens[owner as usize].heap;
            heap.pop();
            // If the light part became rarer, an entry with its count of today was put in then.
            if count >= self.places.threshold && light_count == top.light_count {
                heap.push(Entry { count, ..top });
            }
            self.owners.play(owner);
        }
    }

    /// Memory of the trainer, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        let entries: usize = self.owners.tokens.iter().map(|owner| owner.heap.capacity()).sum();
        self.places.heap_bytes()
            + entries * size_of::<Entry>()
            + self.owners.tokens.iter().map(|owner| 4 * owner.light.capacity()).sum::<usize>()
            + self.owners.tokens.capacity() * size_of::<Owner>()
            + self.owners.tree.capacity() * size_of::<Player>()
            + 8 * self.owners.parts.capacity()
    }
}

impl Owners {
    /// Room for so many tokens.
    fn make_room(&mut self, tokens: usize) {
        if self.tokens.len() < tokens {
            self.tokens.resize_with(tokens, Owner::default);
        }
        if !self.tree.is_empty() && self.tree.len() < 2 * tokens {
            self.play_all();
        }
    }

    /// Puts in the pairs from number `first` on.
    fn add(&mut self, pairs: &[Pair], first: usize) {
        for (number, pair) in pairs.iter().enumerate().skip(first) {
            let (left, right) = (self.tokens[pair.left as usize].count, self.tokens[pair.right as usize].count);
            let (owner, light) = if left >= right { (pair.left, pair.right) } else { (pair.right, pair.left) };
            self.parts.push((owner, light));
            self.tokens[light as usize].light.push(number as u32);
            self.tokens[owner as usize].pairs += 1;
            self.put(number as u32, pair);
        }
    }

    /// Puts a pair into the heap of its owner.
    fn put(&mut self, number: u32, pair: &Pair) {
        let (owner, light) = self.parts[number as usize];
        let light_count = self.tokens[light as usize].count;
        let entry = Entry { count: pair.count, light_count, left: pair.left, right: pair.right, number };
        let heap = &mut self.tokens[owner as usize].heap;
        heap.push(entry);
        if heap.peek() == Some(&entry) {
            self.play(owner);
        }
    }

    /// The count of a token fell: the scores of its pairs rise.
    fn rise(&mut self, id: u32, places: &Places, steps: &mut Steps) {
        let mut light = std::mem::take(&mut self.tokens[id as usize].light);
        light.retain(|&number| places.pairs.list[number as usize].count >= places.threshold);
        steps.add("scores_raised", light.len());
        for &number in &light {
            self.put(number, &places.pairs.list[number as usize]);
            self.tidy(self.parts[number as usize].0, places);
        }
        self.tokens[id as usize].light = light;
        self.play(id);
    }

    /// Takes stale entries out of a heap in which they outnumber the pairs.
    fn tidy(&mut self, owner: u32, places: &Places) {
        let token = &self.tokens[owner as usize];
        if token.heap.len() <= 2 * token.pairs + 16 {
            return;
        }
        let entries = std::mem::take(&mut self.tokens[owner as usize].heap).into_vec();
        let is_fresh = |entry: &Entry| {
            let count = places.pairs.list[entry.number as usize].count;
            count >= places.threshold && entry.light_count == self.light_count(entry.number)
        };
        let mut fresh: Vec<Entry> = entries.into_iter().filter(is_fresh).collect();
        fresh.sort_unstable_by_key(|entry| (entry.number, entry.count));
        fresh.dedup_by_key(|entry| entry.number);
        for entry in &mut fresh {
            entry.count = places.pairs.list[entry.number as usize].count;
        }
        self.tokens[owner as usize].pairs = fresh.len();
        self.tokens[owner as usize].heap = fresh.into();
        self.play(owner);
    }

    /// How often the light part of a pair occurs.
    fn light_count(&self, number: u32) -> u64 {
        self.tokens[self.parts[number as usize].1 as usize].count
    }

    /// The score that an entry has with the count of its owner.
    fn score(&self, owner: u32, entry: Entry) -> Score {
        Score { count: entry.count, left: entry.light_count, right: self.tokens[owner as usize].count }
    }

    /// Plays all matches on the way from an owner to the top, once there is a tree.
    fn play(&mut self, owner: u32) {
        if self.tree.is_empty() {
            return;
        }
        let mut node = self.tree.len() / 2 + owner as usize;
        self.tree[node] = self.player(owner);
        while node > 1 {
            node /= 2;
            let winner = self.winner(self.tree[2 * node], self.tree[2 * node + 1]);
            // An owner that lost before and loses again changes nothing above.
            if self.tree[node] == winner && winner.owner != owner {
                return;
            }
            self.tree[node] = winner;
        }
    }

    /// Makes the tree anew, with room for as many tokens again.
    fn play_all(&mut self) {
        let leaves = (2 * self.tokens.len()).next_power_of_two();
        self.tree = vec![Player::NOBODY; 2 * leaves];
        for id in 0..leaves {
            self.tree[leaves + id] = self.player(id as u32);
        }
        for node in (1..leaves).rev() {
            self.tree[node] = self.winner(self.tree[2 * node], self.tree[2 * node + 1]);
        }
    }

    /// The best pair of an owner.
    fn top(&self, owner: u32) -> Option<Entry> {
        self.tokens.get(owner as usize).and_then(|token| token.heap.peek()).copied()
    }

    /// An owner with its score of today.
    fn player(&self, owner: u32) -> Player {
        self.top(owner).map_or(Player::NOBODY, |top| Player { score: self.score(owner, top).value(), owner })
    }

    /// The owner whose best pair is better.
    #[inline]
    fn winner(&self, a: Player, b: Player) -> Player {
        if a.score > b.score * CLEAR {
            a
        } else if b.score > a.score * CLEAR {
            b
        } else {
            self.close_winner(a, b)
        }
    }

    /// The same where the scores are equal or nearly so.
    #[cold]
    fn close_winner(&self, a: Player, b: Player) -> Player {
        match (self.top(a.owner), self.top(b.owner)) {
            (_, None) => a,
            (None, _) => b,
            (Some(of_a), Some(of_b)) => {
                let order = self.score(a.owner, of_a).compare(self.score(b.owner, of_b));
                let ids = Reverse((of_a.left, of_a.right)).cmp(&Reverse((of_b.left, of_b.right)));
                if order.then(ids).is_ge() { a } else { b }
            }
        }
    }
}
