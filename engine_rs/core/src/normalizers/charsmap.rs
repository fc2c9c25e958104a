//! The rules of a SentencePiece model: a trie of byte strings, each with what it becomes.
//!
//! Followed is the reader in `tokenizers`, which looks at grapheme clusters: one of fewer than six bytes is replaced as
//! a whole by the rule for its *shortest* beginning that has one, any other character by character. sentencepiece itself
//! applies the rule for the longest beginning at every place, so the two differ on rare clusters.
//! If characters at the very start of the text are deleted, the reference moves the spans of all characters after them to
//! the left by as many. Here the spans stay right, but the first character left counts as the start of the text, as it
//! does there: `Metaspace` with `prepend_scheme` "first" asks for that.
//!
//! Source: `precompiled_charsmap` in `sentencepiece_model.proto`; Aoe 1989 for the double array, in the layout of
//! Darts-clone.

use std::ops::Range;
use std::sync::OnceLock;

use rustc_hash::FxHashSet;
use unicode_segmentation::UnicodeSegmentation;

use crate::alignment::{AlignedText, Change};
use crate::char_set::CharSet;

/// The rules.
#[derive(Clone, Debug)]
pub struct Charsmap {
    /// The trie: one unit per node.
    units: Vec<u32>,
    /// What things become, each ended by a zero byte; the trie's values are places in it.
    texts: String,
    /// The characters that no rule begins with. Found when it is asked for.
    inert: OnceLock<CharSet>,
    /// Bit n: whether a rule begins with the character n of ASCII, and has only ASCII after it.
    rules_in_ascii: u128,
    /// The characters that rules have after their first one ([`Self::find_inside`]). Found when first asked for.
    inside: OnceLock<Option<FxHashSet<char>>>,
    /// Most bytes that a rule makes of each byte it replaces, at least 1; a space counts as the three bytes of a space mark.
    growth: usize,
}

/// Longest rule, in bytes. Every place of a text is looked up, so the time of a text grows with this, too; rules of real
/// models have at most 30.
const MAX_RULE_BYTES: usize = 1024;

/// The same rules.
impl PartialEq for Charsmap {
    fn eq(&self, other: &Self) -> bool {
        (&self.units, &self.texts) == (&other.units, &other.texts)
    }
}

impl Eq for Charsmap {}

impl Charsmap {
    /// Reads the bytes of a model: the length of the trie in bytes, the trie, the texts. All numbers little-endian.
    ///
    /// Errors, in words: bytes that are too few; texts that are not UTF-8; a trie with a cycle, on which a look-up would walk
    /// to the end of the text; a rule of more than [`MAX_RULE_BYTES`] bytes.
    pub(crate) fn new(bytes: &[u8]) -> Result<Self, String> {
        let Some((len, rest)) = bytes.split_first_chunk() else {
            return Err(format!("{} bytes are too few for the length of the trie", bytes.len()));
        };
        // A length that is no multiple of four is rounded down, as the reference does.
        let len = u32::from_le_bytes(*len) as usize / 4 * 4;
        let Some((trie, texts)) = rest.split_at_checked(len) else {
            return Err(format!("the trie should have {len} bytes, but {} follow", rest.len()));
        };
        let texts = std::str::from_utf8(texts).map_err(|error| format!("the texts are not UTF-8: {error}"))?;
        let units = trie.chunks_exact(4).map(|unit| u32::from_le_bytes([unit[0], unit[1], unit[2], unit[3]]));
        let mut charsmap = Self {
            units: units.collect(),
            texts: texts.to_owned(),
            inert: OnceLock::new(),
            rules_in_ascii: 0,
            inside: OnceLock::new(),
            growth: 1,
        };
        charsmap.growth = charsmap.measured()?;
        let rules_in_ascii = (1..128).filter(|&c| charsmap.finds_rule_in_ascii(c)).fold(0, |all, c| all | 1 << c);
        charsmap.rules_in_ascii = rules_in_ascii;
        Ok(charsmap)
    }

    /// The bytes it was read from.
    pub fn to_bytes(&self) -> Vec<u8> {
        let len = (self.units.len() * 4) as u32;
        let units = self.units.iter().flat_map(|unit| unit.to_le_bytes());
        len.to_le_bytes().into_iter().chain(units).chain(self.texts.bytes()).collect()
    }

    /// The largest factor by which the rules make a text longer ([`Self::measured`]).
    pub(crate) fn growth(&self) -> usize {
        self.growth
    }

    /// Walks the trie once and returns the largest factor by which a rule makes a text longer, spaces counted as space marks.
    ///
    /// Errors: a cycle; a rule that is too long.
    fn measured(&self) -> Result<usize, String> {
        let Some(&root) = self.units.first() else { return Ok(1) };
        let children = Children::of(&self.units);
        let below = |node: u32| node as usize ^ offset(self.units[node as usize]);
        // Places of children in post-order: each after all that rules go on to from there.
        let (mut done, mut order) = (vec![None; children.places()], vec![]);
        let mut path = vec![(offset(root), 0)];
        while let Some((at, next)) = path.last_mut() {
            let (at, nodes) = (*at, children.at(*at));
            if let Some(&node) = nodes.get(*next) {
                *next += 1;
                match done.get(below(node)) {
                    Some(None) if path.iter().any(|(open, _)| *open == below(node)) => {
                        return Err("the trie has a cycle, so that a rule would never end".to_owned());
                    }
                    Some(None) => path.push((below(node), 0)),
                    // A place beyond the trie has no children.
                    Some(Some(())) | None => {}
                }
                if path.len() > MAX_RULE_BYTES + 1 {
                    return Err(format!("a rule has more than {MAX_RULE_BYTES} bytes, or the trie has a cycle"));
                }
            } else {
                if let Some(done) = done.get_mut(at) {
                    *done = Some(());
                }
                order.push(at);
                path.pop();
            }
        }
        let ends: Vec<usize> = self.texts.match_indices('\0').map(|(at, _)| at).collect();
        let made = |value: u32| {
            let start = (value & 0x7fff_ffff) as usize;
            let end = ends.get(ends.partition_point(|&end| end < start)).copied().unwrap_or(self.texts.len());
            let text = self.texts.get(start..end).unwrap_or_default();
            text.len() + 2 * text.bytes().take(MAX_RULE_BYTES).filter(|&byte| byte == b' ').count()
        };
        // The shortest rule that leads to each place.
        let mut lengths = vec![usize::MAX; children.places()];
        let mut growth = 1;
        for (number, &at) in order.iter().rev().enumerate() {
            let len = if number == 0 { 0 } else { lengths.get(at).copied().unwrap_or(0) };
            for &node in children.at(at) {
                let (to, len) = (below(node), len + 1);
                if self.units[node as usize] >> 8 & 1 == 1
                    && let Some(&value) = self.units.get(to)
                {
                    growth = growth.max(made(value).div_ceil(len));
                }
                if let Some(shortest) = lengths.get_mut(to) {
                    *shortest = len.min(*shortest);
                }
            }
        }
        Ok(growth)
    }

    /// How many bytes the rules make of a text.
    fn made_bytes(&self, text: &str) -> usize {
        let mut made = 0;
        self.each_part(text, |part, new| made += new.unwrap_or(part).len());
        made
    }

    /// Changes the text in place.
    ///
    /// Errors: a result of more than `max` bytes; the text is as it was.
    pub(crate) fn normalize(&self, text: &mut AlignedText, max: usize) -> Result<(), TooLong> {
        let stretches = self.stretches(text.text());
        if text.text().len().saturating_mul(self.growth) > max {
            let changed: usize = stretches.iter().map(ExactSizeIterator::len).sum();
            let made: usize = stretches.iter().map(|part| self.made_bytes(&text.text()[part.clone()])).sum();
            if text.text().len() - changed + made > max {
                return Err(TooLong);
            }
        }
        if !stretches.is_empty() {
            let first = text.span(0..1);
            let changes = |part: &Range<usize>| self.changes(&text.text()[part.clone()]);
            *text = text.rewritten(stretches.iter().map(|part| (part.clone(), changes(part))));
            text.ignore_lost_start(first);
        }
        Ok(())
    }

    /// What happens to every character of a text, cluster by cluster: the definition.
    pub(super) fn changes(&self, text: &str) -> Vec<Change> {
        let mut changes: Vec<Change> = Vec::with_capacity(text.len());
        self.each_part(text, |part, new| match new {
            Some(new) => replace(part.chars().count(), new, &mut changes),
            None => changes.extend(part.chars().map(Change::Become)),
        });
        changes
    }

    /// Calls `each` with the parts of a text, clusters and characters, and what those with a rule become.
    fn each_part<'a>(&'a self, text: &'a str, mut each: impl FnMut(&'a str, Option<&'a str>)) {
        for cluster in text.graphemes(true) {
            if cluster.len() < 6
                && let Some(new) = self.rule(cluster)
            {
                each(cluster, Some(new));
                continue;
            }
            for (at, c) in cluster.char_indices() {
                let part = &cluster[at..at + c.len_utf8()];
                each(part, self.rule(part));
            }
        }
    }

    /// The stretches of `text` outside of which nothing changes, in order: bytes from and to places where clusters end and
    /// begin whatever is beside them.
    ///
    /// Rules begin with a character that is not inert; a cluster without one has none, nor has a character of it.
    fn stretches(&self, text: &str) -> Vec<Range<usize>> {
        let mut stretches: Vec<Range<usize>> = vec![];
        let mut at = 0;
        while let Some(found) = self.next_rule(text, at) {
            let start = cluster_start(text, found);
            let end = cluster_end(text, found);
            match stretches.last_mut() {
                // What is put in at the end of one stretch may matter to the next.
                Some(last) if start <= last.end => last.end = end.max(last.end),
                _ => stretches.push(start..end),
            }
            at = end;
        }
        stretches
    }

    /// The first character at byte `at` or behind it that is not inert.
    fn next_rule(&self, text: &str, at: usize) -> Option<usize> {
        let inert = self.inert();
        text[at..].char_indices().find(|&(_, c)| !self.is_in(inert, c)).map(|(offset, _)| at + offset)
    }

    /// Whether no rule begins with a character.
    ///
    /// Without one, neither it nor a cluster that it begins has a rule.
    #[inline]
    pub(crate) fn is_inert(&self, c: char) -> bool {
        self.is_in(self.inert(), c)
    }

    /// How many bytes at the start of a text are inert characters that begin with a byte that `fits`.
    #[inline]
    pub(super) fn inert_len(&self, text: &str, fits: impl Fn(u8) -> bool) -> usize {
        let inert = self.inert();
        let mut rest = text.chars();
        while let before = rest.as_str()
            && let Some(c) = rest.next()
        {
            if !fits(before.as_bytes()[0]) || !self.is_in(inert, c) {
                return text.len() - before.len();
            }
        }
        text.len()
    }

    #[inline]
    fn inert(&self) -> &CharSet {
        self.inert.get_or_init(|| CharSet::new(|c| self.begins_no_rule(c)))
    }

    #[inline]
    fn is_in(&self, inert: &CharSet, c: char) -> bool {
        inert.get(c).unwrap_or_else(|| self.begins_no_rule(c))
    }

    fn begins_no_rule(&self, c: char) -> bool {
        self.is_inert_bytes(c.encode_utf8(&mut [0; 4]).as_bytes())
    }

    fn is_inert_bytes(&self, c: &[u8]) -> bool {
        let Some(mut node) = self.units.first().map(|&root| offset(root)) else { return true };
        for &byte in c {
            if byte == 0 {
                return true;
            }
            node ^= usize::from(byte);
            let Some(&unit) = self.units.get(node) else { return true };
            if unit & 0x8000_00ff != u32::from(byte) {
                return true;
            }
            node ^= offset(unit);
            if unit >> 8 & 1 == 1 {
                return false;
            }
        }
        false
    }

    /// Whether a rule begins with this character of ASCII and, if it goes on, goes on with ASCII.
    #[inline]
    pub(crate) fn has_rule_in_ascii(&self, c: u8) -> bool {
        self.rules_in_ascii >> c & 1 == 1
    }

    fn finds_rule_in_ascii(&self, c: u8) -> bool {
        let Some((unit, below)) = self.units.first().and_then(|&root| self.child(offset(root), c)) else {
            return false;
        };
        unit >> 8 & 1 == 1 || (1..128).any(|byte| self.child(below, byte).is_some())
    }

    /// The unit that a byte leads to from the children at `at`, and where its own children are.
    fn child(&self, at: usize, byte: u8) -> Option<(u32, usize)> {
        let node = at ^ usize::from(byte);
        let unit = *self.units.get(node).filter(|&unit| unit & 0x8000_00ff == u32::from(byte))?;
        Some((unit, node ^ offset(unit)))
    }

    /// Whether a rule begins with this character and goes on.
    pub(crate) fn goes_on_after(&self, c: char) -> bool {
        let root = self.units.first().map(|&root| offset(root));
        let step = |at: usize, &byte: &u8| Some(self.child(at, byte)?.1);
        let below = root.and_then(|root| c.encode_utf8(&mut [0; 4]).as_bytes().iter().try_fold(root, step));
        below.is_some_and(|below| (1..=255).any(|byte| self.child(below, byte).is_some()))
    }

    /// Whether a rule has a space after its first byte.
    pub(crate) fn reaches_over_spaces(&self) -> bool {
        self.has_inside(' ')
    }

    /// Whether a rule may have a character after its first one.
    pub(crate) fn has_inside(&self, c: char) -> bool {
        self.inside.get_or_init(|| self.find_inside()).as_ref().is_none_or(|inside| inside.contains(&c))
    }

    /// The characters that rules have after their first one. `None` where a rule ends within a character, or rules share so many ends
    /// that reading them takes too long: no program makes such.
    fn find_inside(&self) -> Option<FxHashSet<char>> {
        let mut inside = FxHashSet::default();
        let Some(&root) = self.units.first() else { return Some(inside) };
        let children = Children::of(&self.units);
        let mut seen = FxHashSet::default();
        let mut work = vec![(offset(root), InRule::Start)];
        while let Some((at, before)) = work.pop() {
            if !seen.insert((at, before)) {
                continue;
            }
            if seen.len() > MOST_PLACES * self.units.len() {
                return None;
            }
            for &node in children.at(at) {
                let unit = self.units[node as usize];
                // No text has bytes that are no character.
                let Some((now, c)) = before.then(unit as u8) else { continue };
                inside.extend(c);
                if unit >> 8 & 1 == 1 && now != InRule::Between {
                    return None;
                }
                work.push((node as usize ^ offset(unit), now));
            }
        }
        Some(inside)
    }

    /// What a character alone becomes, where it has a rule.
    pub(crate) fn rule_of(&self, c: char) -> Option<&str> {
        self.rule(c.encode_utf8(&mut [0; 4]))
    }

    /// The longest beginning of `text` that has a rule: its bytes and what it becomes. A rule for half a character has
    /// none, since what is left would be no text.
    pub(crate) fn longest(&self, text: &str) -> Option<(usize, &str)> {
        let mut node = offset(*self.units.first()?);
        let mut found = None;
        // No rule has a zero byte, and none is longer than [`MAX_RULE_BYTES`].
        for (at, &byte) in text.as_bytes().iter().enumerate().take_while(|&(_, &byte)| byte != 0) {
            node ^= usize::from(byte);
            let Some(&unit) = self.units.get(node) else { break };
            if unit & 0x8000_00ff != u32::from(byte) {
                break;
            }
            node ^= offset(unit);
            if unit >> 8 & 1 == 1 {
                found = self.units.get(node).map(|value| (at + 1, (value & 0x7fff_ffff) as usize));
            }
        }
        let (len, start) = found.filter(|(len, _)| text.is_char_boundary(*len))?;
        Some((len, self.texts.get(start..)?.split('\0').next()?))
    }

    /// What the shortest beginning of `text` that has a rule becomes.
    fn rule(&self, text: &str) -> Option<&str> {
        let start = self.shortest_match(text.as_bytes())?;
        let rest = self.texts.get(start..)?;
        rest.split('\0').next()
    }

    /// The value of the shortest key that `text` starts with. Every step goes one byte further, so it ends.
    fn shortest_match(&self, text: &[u8]) -> Option<usize> {
        let mut node = offset(*self.units.first()?);
        for &byte in text.iter().take_while(|&&byte| byte != 0) {
            node ^= usize::from(byte);
            let unit = *self.units.get(node)?;
            if unit & 0x8000_00ff != u32::from(byte) {
                return None;
            }
            node ^= offset(unit);
            if unit >> 8 & 1 == 1 {
                return self.units.get(node).map(|value| (value & 0x7fff_ffff) as usize);
            }
        }
        None
    }
}

/// Whether a grapheme cluster begins at a character and none goes on behind it, but for what joins by itself: letters,
/// signs and spaces that are in no rule of UAX #29. A cluster ends between two of them.
fn is_simple(c: char) -> bool {
    matches!(
        c,
        ' '..='~' | '\u{c0}'..='\u{2ff}' | '\u{391}'..='\u{3a9}' | '\u{3b1}'..='\u{3c9}' | '\u{400}'..='\u{482}'
            | '\u{48a}'..='\u{52f}' | '\u{5d0}'..='\u{5ea}' | '\u{620}'..='\u{64a}' | '\u{e01}'..='\u{e30}'
            | '\u{2018}'..='\u{201f}' | '\u{3001}'..='\u{3029}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}'
            | '\u{4e00}'..='\u{9fff}' | '\u{ff01}'..='\u{ff5e}'
    )
}

/// A place before byte `at`, or that one, where a cluster begins for sure.
fn cluster_start(text: &str, at: usize) -> usize {
    let mut behind = text[at..].chars().next().is_some_and(is_simple).then_some(at);
    for (before, c) in text[..at].char_indices().rev() {
        let simple = is_simple(c);
        match behind {
            Some(found) if simple => return found,
            _ => behind = simple.then_some(before),
        }
    }
    0
}

/// A place behind the character at byte `at` where a cluster ends for sure.
fn cluster_end(text: &str, at: usize) -> usize {
    let mut simple = false;
    for (offset, c) in text[at..].char_indices() {
        let now = is_simple(c);
        if simple && now {
            return at + offset;
        }
        simple = now;
    }
    text.len()
}

/// A result that is longer than it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

/// The nodes of a trie, by the place of their parent's children.
struct Children {
    /// Where the nodes of each place start, and where those of the last one end.
    starts: Vec<u32>,
    nodes: Vec<u32>,
}

impl Children {
    fn of(units: &[u32]) -> Self {
        let place = |&(node, unit): &(usize, u32)| node ^ (unit & 0xff) as usize;
        // A unit with the high bit is a value; the label 0 leads to one.
        let all = || units.iter().copied().enumerate().filter(|&(_, unit)| unit >> 31 == 0 && unit & 0xff != 0);
        let mut starts = vec![0; units.len().next_multiple_of(256) + 1];
        all().for_each(|node| starts[place(&node) + 1] += 1);
        (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
        let mut nodes = vec![0; starts[starts.len() - 1] as usize];
        let mut next = starts.clone();
        for node in all() {
            let next = &mut next[place(&node)];
            nodes[*next as usize] = node.0 as u32;
            *next += 1;
        }
        Self { starts, nodes }
    }

    /// How many places there are: all nodes are below.
    fn places(&self) -> usize {
        self.starts.len() - 1
    }

    /// The nodes at a place. A place beyond the list has none.
    fn at(&self, place: usize) -> &[u32] {
        let (Some(&start), Some(&end)) = (self.starts.get(place), self.starts.get(place + 1)) else { return &[] };
        &self.nodes[start as usize..end as usize]
    }
}

/// How many places in rules are read at most for each unit, in the mean.
const MOST_PLACES: usize = 8;

/// A place in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum InRule {
    Start,
    /// In the first character, before as many bytes of it.
    First(u8),
    Between,
    /// In another one, behind these bytes of it.
    Other([u8; 3], u8),
}

impl InRule {
    /// The place after one more byte, and the character that ends there if it is not the first; `None` if no text has it.
    fn then(self, byte: u8) -> Option<(Self, Option<char>)> {
        let (mut bytes, len) = match (self, byte) {
            (Self::Start, 0..0x80) | (Self::First(1), 0x80..0xc0) => return Some((Self::Between, None)),
            (Self::Start, 0xc2..0xe0) => return Some((Self::First(1), None)),
            (Self::Start, 0xe0..0xf0) => return Some((Self::First(2), None)),
            (Self::Start, 0xf0..0xf5) => return Some((Self::First(3), None)),
            (Self::First(more), 0x80..0xc0) => return Some((Self::First(more - 1), None)),
            (Self::Start | Self::First(_), _) => return None,
            (Self::Between, _) => ([0; 4], 0),
            (Self::Other([first, second, third], len), _) => ([first, second, third, 0], usize::from(len)),
        };
        bytes[len] = byte;
        match std::str::from_utf8(&bytes[..=len]) {
            Ok(text) => Some((Self::Between, text.chars().next())),
            Err(error) if error.error_len().is_some() => None,
            Err(_) => Some((Self::Other([bytes[0], bytes[1], bytes[2]], len as u8 + 1), None)),
        }
    }
}

/// Distance to the children of a node.
fn offset(unit: u32) -> usize {
    // A flag makes distances coarser, so that they fit.
    ((unit >> 10) as usize) << ((unit & 1 << 9) >> 6)
}

/// Puts `new` in the place of `old` characters: one for one; of those that are too many in `new` the last share a span,
/// those too many in the old text are dropped after the last one.
fn replace(mut old: usize, new: &str, changes: &mut Vec<Change>) {
    let count = new.chars().count();
    // As in the reference, a character put in without a place of its own takes the place of one that is dropped.
    if count == 0
        && let Some(last @ Change::Insert(_)) = changes.last_mut()
        && let Change::Insert(c) = *last
    {
        *last = Change::Become(c);
        old -= 1;
    }
    changes.extend(new.chars().enumerate().map(|(at, c)| if at < old { Change::Become(c) } else { Change::Insert(c) }));
    changes.extend(std::iter::repeat_n(Change::Drop, old.saturating_sub(count)));
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_charsmap_new() {
        use crate::normalizers::charsmap::Charsmap;
        assert_eq!(Charsmap::new(&[4, 0, 0]).unwrap_err(), "3 bytes are too few for the length of the trie");
    }
}
