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
    /// By byte: whether a rule has it after its first byte. Found when it is asked for.
    inside: OnceLock<Vec<bool>>,
}

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
    /// Errors: what is wrong, in words.
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
        };
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

    /// Changes the text in place.
    pub(crate) fn normalize(&self, text: &mut AlignedText) {
        let stretches = self.stretches(text.text());
        if !stretches.is_empty() {
            let first = text.span(0..1);
            let changes = |part: &Range<usize>| self.changes(&text.text()[part.clone()]);
            *text = text.rewritten(stretches.iter().map(|part| (part.clone(), changes(part))));
            text.ignore_lost_start(first);
        }
    }

    /// What happens to every character of a text, cluster by cluster: the definition.
    pub(super) fn changes(&self, text: &str) -> Vec<Change> {
        let mut changes: Vec<Change> = Vec::with_capacity(text.len());
        for cluster in text.graphemes(true) {
            if cluster.len() < 6
                && let Some(new) = self.rule(cluster)
            {
                replace(cluster.chars().count(), new, &mut changes);
                continue;
            }
            for (at, c) in cluster.char_indices() {
                match self.rule(&cluster[at..at + c.len_utf8()]) {
                    Some(new) => replace(1, new, &mut changes),
                    None => changes.push(Change::Become(c)),
                }
            }
        }
        changes
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

    /// Whether a rule begins with this character of ASCII and goes on.
    pub(crate) fn goes_on_after(&self, c: u8) -> bool {
        let first = self.units.first().and_then(|&root| self.child(offset(root), c));
        first.is_some_and(|(_, below)| (1..=255).any(|byte| self.child(below, byte).is_some()))
    }

    /// Whether a rule has a space after its first byte.
    pub(crate) fn reaches_over_spaces(&self) -> bool {
        self.has_inside(' ')
    }

    /// Whether a rule may have a character after its first one. Only the first byte of characters beyond ASCII is asked.
    pub(crate) fn has_inside(&self, c: char) -> bool {
        let first = c.encode_utf8(&mut [0; 4]).as_bytes()[0];
        self.inside.get_or_init(|| self.find_inside())[usize::from(first)]
    }

    /// The bytes that rules have after their first one. Rules may share their ends: the children at an offset are looked at
    /// once, and the list has no more offsets with children than units.
    fn find_inside(&self) -> Vec<bool> {
        let mut inside = vec![false; 256];
        let Some(&root) = self.units.first() else { return inside };
        let mut children = |at: usize, is_root: bool, work: &mut Vec<usize>| {
            for byte in 1..=255u8 {
                if let Some((_, below)) = self.child(at, byte) {
                    inside[usize::from(byte)] |= !is_root;
                    work.push(below);
                }
            }
        };
        let (mut work, mut is_done) = (vec![], vec![false; self.units.len().next_multiple_of(256)]);
        children(offset(root), true, &mut work);
        while let Some(at) = work.pop() {
            // Beyond the list there are no children.
            if let Some(is_done) = is_done.get_mut(at).filter(|is_done| !**is_done) {
                *is_done = true;
                children(at, false, &mut work);
            }
        }
        inside
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
        // Every step goes one byte further, so it ends.
        for (at, &byte) in text.as_bytes().iter().enumerate() {
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
