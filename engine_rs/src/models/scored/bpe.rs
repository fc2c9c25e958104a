//! Byte-pair encoding by scores: of all neighbours that spell a token the pair with the largest score merges first, of
//! equal ones the leftmost.
//!
//! A heap of candidates over a linked list of symbols, n log n; a candidate is stale when its symbols are gone or their
//! pair has another score. User-defined tokens never merge. Tokens no longer used take part in merges and are split
//! again at the end, at the place where their spelling was last seen to be joined.
//!
//! Source: Sennrich, Haddow, Birch 2016; which pairs merge is as in `sentencepiece` 0.2.

pub mod trace;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::{Kind, Scored};
use crate::ids::Id;
use crate::memory::HeapBytes;
use crate::models::bpe::merges::{LIMIT, Merges, NO_RANK, Rank};
use crate::models::trie::Trie;

/// A character that is in no token, or a user-defined token: never merges.
const ALONE: Id = LIMIT as Id - 1;
const NONE: u32 = u32::MAX;
/// As the next of a node: it was merged into the one before.
const GONE: u32 = u32::MAX - 1;

/// What is looked up. Symbols are tokens and characters: characters that are in tokens but are none themselves have
/// numbers above all ids.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    /// Symbols of single characters.
    characters: FxHashMap<char, Id>,
    /// What two symbols make.
    merges: Merges,
    /// By rank of a merge: what its score is beside the others', equal ones alike.
    order: Vec<u32>,
    /// Whether some tokens are to be split again.
    has_unused: bool,
}

#[derive(Clone, Copy)]
struct Node {
    symbol: Id,
    start: u32,
    end: u32,
    previous: u32,
    next: u32,
}

/// Memory to be used again.
#[derive(Default)]
pub(super) struct Scratch {
    nodes: Vec<Node>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
    /// By unused token: how it was last seen to be made.
    joined: FxHashMap<Id, Joined>,
}

impl HeapBytes for Scratch {
    fn heap_bytes(&self) -> usize {
        self.nodes.heap_bytes() + self.heap.heap_bytes() + self.joined.heap_bytes()
    }
}

/// Two symbols that make a token, and the length of the first in bytes.
#[derive(Clone, Copy)]
struct Joined {
    left: Id,
    right: Id,
    left_len: u32,
}

impl Tables {
    pub fn new(tokens: &FxHashMap<Box<[u8]>, Id>, kinds: &[Kind], scores: &[f32]) -> Result<Self, String> {
        let merging = tokens.iter().filter(|(_, id)| kinds[**id as usize] != Kind::UserDefined);
        let mut texts: Vec<(String, Id)> =
            merging.map(|(token, &id)| (String::from_utf8_lossy(token).into_owned(), id)).collect();
        // By score, the largest first; by id where scores are equal, so that every run makes the same tables.
        texts.sort_by(|a, b| scores[b.1 as usize].total_cmp(&scores[a.1 as usize]).then(a.1.cmp(&b.1)));
        let id_bound = kinds.len() as Id;
        let mut symbols: FxHashMap<&str, Id> = texts.iter().map(|(text, id)| (text.as_str(), *id)).collect();
        let mut characters: FxHashMap<char, Id> = FxHashMap::default();
        for (rest, c) in texts.iter().flat_map(|(text, _)| text.char_indices().map(move |(at, c)| (&text[at..], c))) {
            let spelled = &rest[..c.len_utf8()];
            let next = id_bound + characters.len() as Id;
            let symbol = *symbols.entry(spelled).or_insert(next);
            characters.entry(c).or_insert(symbol);
        }
        if id_bound as usize + characters.len() >= ALONE as usize {
            return Err(format!("{} tokens are more than the {} that merges can have", kinds.len(), ALONE));
        }
        let (merges, order) = pairs(&texts, &symbols, scores);
        let has_unused = kinds.contains(&Kind::Unused);
        Ok(Self { characters, merges, order, has_unused })
    }

    pub fn encode(&self, model: &Scored, text: &str, scratch: &mut Scratch, out: &mut Vec<(Id, Range<usize>)>) {
        self.push_nodes(model, text, scratch);
        let Scratch { nodes, heap, joined } = scratch;
        heap.clear();
        joined.clear();
        let mut queue = |nodes: &[Node], heap: &mut BinaryHeap<Reverse<(u32, u32)>>, left: u32, right: u32| {
            if left == NONE || right == NONE {
                return;
            }
            let (first, second) = (nodes[left as usize], nodes[right as usize]);
            let rank = self.merges.rank(first.symbol, second.symbol);
            if rank != NO_RANK {
                heap.push(Reverse((self.order[rank as usize], left)));
                if self.has_unused && model.kinds[self.merges.result(rank) as usize] == Kind::Unused {
                    let left_len = first.end - first.start;
                    let made = Joined { left: first.symbol, right: second.symbol, left_len };
                    joined.insert(self.merges.result(rank), made);
                }
            }
        };
        for right in 1..nodes.len() as u32 {
            queue(nodes, heap, right - 1, right);
        }
        // Ends: every round takes a candidate off, and only a merge, of which there are fewer than symbols, adds two.
        while let Some(Reverse((order, at))) = heap.pop() {
            let node = nodes[at as usize];
            if node.next >= GONE {
                continue;
            }
            let right = nodes[node.next as usize];
            let rank = self.merges.rank(node.symbol, right.symbol);
            if rank == NO_RANK || self.order[rank as usize] != order {
                continue;
            }
            nodes[node.next as usize].next = GONE;
            nodes[at as usize] = Node { symbol: self.merges.result(rank), end: right.end, next: right.next, ..node };
            if right.next != NONE {
                nodes[right.next as usize].previous = at;
            }
            queue(nodes, heap, node.previous, at);
            queue(nodes, heap, at, right.next);
        }
        for node in nodes.iter().filter(|node| node.next != GONE) {
            self.push(model, text, node, joined, out);
        }
    }

    fn push_nodes(&self, model: &Scored, text: &str, scratch: &mut Scratch) {
        let nodes = &mut scratch.nodes;
        nodes.clear();
        model.symbols(text, |range, is_user_defined| {
            let at = nodes.len() as u32;
            let c = text[range.clone()].chars().next().filter(|_| !is_user_defined);
            let symbol = c.and_then(|c| self.characters.get(&c).copied()).unwrap_or(ALONE);
            let (start, end) = (range.start as u32, range.end as u32);
            nodes.push(Node { symbol, start, end, previous: at.wrapping_sub(1), next: at + 1 });
        });
        if let Some(last) = nodes.last_mut() {
            last.next = NONE;
        }
    }

    /// Appends a symbol that is left, split again where it is no longer used.
    fn push(
        &self,
        model: &Scored,
        text: &str,
        node: &Node,
        joined: &FxHashMap<Id, Joined>,
        out: &mut Vec<(Id, Range<usize>)>,
    ) {
        let range = node.start as usize..node.end as usize;
        if !self.has_unused {
            out.push((model.id_of(&text[range.clone()]), range));
            return;
        }
        let mut work = vec![(node.symbol, range)];
        // Ends: both parts are shorter than the whole.
        while let Some((symbol, range)) = work.pop() {
            if let Some(&Joined { left, right, left_len }) = joined.get(&symbol) {
                let middle = range.start + left_len as usize;
                work.extend([(right, middle..range.end), (left, range.start..middle)]);
            } else {
                out.push((model.id_of(&text[range.clone()]), range));
            }
        }
    }
}

/// The merges, by falling score of what they make, and the order of their scores.
fn pairs(texts: &[(String, Id)], symbols: &FxHashMap<&str, Id>, scores: &[f32]) -> (Merges, Vec<u32>) {
    let reversed: Vec<(Vec<u8>, Id)> = symbols.iter().map(|(text, &id)| (text.bytes().rev().collect(), id)).collect();
    let ends = Trie::new(reversed.iter().map(|(text, id)| (text.as_slice(), *id)).collect());
    drop(reversed);
    let starts = Trie::new(symbols.iter().map(|(text, &id)| (text.as_bytes(), id)).collect());
    let mut merges = Merges::new(texts.iter().map(|(_, id)| *id).collect());
    let mut order: Vec<u32> = Vec::with_capacity(texts.len());
    let (mut lefts, mut rights) = (vec![], FxHashMap::default());
    for (rank, (text, _)) in texts.iter().enumerate() {
        let score = |at: usize| scores[texts[at].1 as usize];
        let last = order.last().copied().unwrap_or_default();
        order.push(if rank > 0 && score(rank) < score(rank - 1) { last + 1 } else { last });
        lefts.clear();
        rights.clear();
        starts.prefixes(text.as_bytes(), |left, len| lefts.push((left, len)));
        let backwards: Vec<u8> = text.bytes().rev().collect();
        ends.prefixes(&backwards, |right, len| _ = rights.insert(text.len() - len, right));
        for &(left, len) in &lefts {
            if let Some(&right) = rights.get(&len) {
                merges.insert(left, right, rank as Rank);
            }
        }
    }
    (merges, order)
}
