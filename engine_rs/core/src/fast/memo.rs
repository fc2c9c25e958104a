//! Remembers how words were split, since a text is mostly words seen before.
//!
//! A word of up to 15 bytes of normalized text and its length are one 128-bit key, compared exactly. Two slots of 32 bytes
//! make one cache line, four lines a group. A third word goes to another line of the group if there is room, and its own line
//! says so; if not, it replaces the older one. A word of 16 to 31 bytes has two keys and a line of a table of its own. Tokens are packed into 32
//! bits each. Up to four stand in a slot and up to eight in the line of a longer word; more stand in a list, which is emptied
//! together with the tables when it is full: memory is bounded. One cache belongs to one thread. Not here: longer words
//! ([`super::long_words`]).

use crate::encoding::{Few, Sink};
use crate::ids::Id;
use crate::memory::HeapBytes;
pub(crate) use crate::memory::prefetch;

/// Words longer than this have no [`Key`].
pub(crate) const MAX_KEY_BYTES: usize = 15;
/// Words longer than this have no [`WideKey`] either.
pub(crate) const MAX_WIDE_BYTES: usize = 31;
/// How many tokens a slot holds.
pub(crate) const INLINE: usize = 4;
/// How many tokens the line of a longer word holds.
const WIDE_INLINE: usize = 8;

const WIDE_LINES: usize = 1 << 14;
/// Tokens of the words that have more than a slot holds.
const MAX_MANY: usize = 1 << 18;

/// Bytes of the word in the low 15 bytes, length in the high one. 0 is no word's key.
pub type Key = u128;

/// The first 16 bytes of a word of 16 to 31 bytes, and the [`Key`] of the others, with the length of the whole word. 0 is
/// no word's second key.
pub(crate) type WideKey = [Key; 2];

/// The key of words that have none.
pub(crate) const NO_KEY: Key = Key::MAX;

/// The key of the word of `len` bytes at byte `start` of a text; meaningless unless `len` is 1 to 15.
#[inline(always)]
pub(crate) fn key_at(text: &[u8], start: usize, len: usize) -> Key {
    key(sixteen_at(text, start), len)
}

/// The key of the word of `len` bytes, 16 to 31, at byte `start` of a text.
#[inline(always)]
pub(crate) fn wide_key_at(text: &[u8], start: usize, len: usize) -> WideKey {
    let rest = key(sixteen_at(text, start + 16), len - 16);
    [u128::from_le_bytes(sixteen_at(text, start)), rest | (len as u128) << 120]
}

/// The 16 bytes from `start` on, with zeros after the end of the text.
#[inline(always)]
fn sixteen_at(text: &[u8], start: usize) -> [u8; 16] {
    match text[start..].first_chunk() {
        Some(bytes) => *bytes,
        None => match text.last_chunk() {
            Some(last) => {
                let passed = start + 16 - text.len();
                u128::from_le_bytes(*last).checked_shr(8 * passed as u32).unwrap_or(0).to_le_bytes()
            }
            None => std::array::from_fn(|n| text.get(start + n).copied().unwrap_or(0)),
        },
    }
}

/// The key of a word of `len` bytes, 0 to 15, at the start of `bytes`; what follows it does not count.
#[inline(always)]
pub(crate) fn key(bytes: [u8; 16], len: usize) -> Key {
    const MASKS: [u128; 16] = {
        let mut masks = [0; 16];
        let mut len = 1;
        while len < 16 {
            masks[len] = u128::MAX >> (128 - 8 * len);
            len += 1;
        }
        masks
    };
    u128::from_le_bytes(bytes) & MASKS[len & 15] | (len as u128) << 120
}

/// The bytes of the word of a key; zeros follow them.
#[inline(always)]
pub(crate) fn bytes_of(key: Key) -> u128 {
    key & (u128::MAX >> 8)
}

/// A token in 32 bits: the id in 23 bits, the byte of the word where it ends in five. Four bits are left for a count.
type Packed = u32;

const END_SHIFT: u32 = 23;
const COUNT_SHIFT: u32 = 28;
/// Ids from here on are not remembered.
const ID_LIMIT: Id = 1 << END_SHIFT;
/// The count of tokens that do not stand in the slot.
const ELSEWHERE: u32 = 15;

/// The tokens of a word: ids, and for each the byte of the word where it ends. The first has the count in its high bits. If
/// that is [`ELSEWHERE`] and the other bits are 0, the second and the third are the place in the list and the number. If
/// those are not 0, the three are a [`Reference`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(16))]
pub struct Tokens<const N: usize = INLINE>([Packed; N]);

impl<const N: usize> Tokens<N> {
    /// Whether the tokens stand in the slot.
    #[inline(always)]
    pub(crate) fn is_inline(&self) -> bool {
        self.0[0] >> COUNT_SHIFT != ELSEWHERE
    }

    /// Pushes the tokens, if they stand in the slot, of a word without gaps that starts at byte `start` of the original;
    /// otherwise [`Table::many`] has them.
    #[inline(always)]
    pub(crate) fn push_inline<S: Sink>(&self, start: usize, sink: &mut S) -> bool {
        let Some(Few { ids, ends, len, start, .. }) = self.few(start, true, false) else { return false };
        sink.push_few(&ids, &ends, len, start);
        true
    }

    /// The tokens, if they stand in the slot, of a word without gaps that starts at byte `start` of the original, and whether a
    /// pretoken begins with it. Otherwise [`Table::many`] has them.
    #[inline(always)]
    pub(crate) fn few(&self, start: usize, begins: bool, is_new: bool) -> Option<Few<N>> {
        let len = (self.0[0] >> COUNT_SHIFT) as usize;
        self.is_inline().then(|| Few {
            ids: self.0.map(id),
            ends: self.0.map(end),
            len,
            start: start as u32,
            begins,
            is_new,
        })
    }

    /// Where the tokens are, if the owner of the table keeps them.
    #[inline]
    pub(crate) fn reference(&self) -> Option<Reference> {
        let kind = self.0[0] & 255;
        (!self.is_inline() && kind > 0).then(|| [kind, self.0[1], self.0[2]])
    }

    /// The tokens, if they stand in the slot; otherwise [`Table::many`] has them.
    #[inline(always)]
    pub(crate) fn inline(&self) -> Option<impl Iterator<Item = (Id, usize)>> {
        let count = self.0[0] >> COUNT_SHIFT;
        self.is_inline()
            .then(|| self.0[..(count as usize).min(N)].iter().map(|&token| (id(token), end(token) as usize)))
    }
}

/// Numbers that say where the owner of a table keeps the tokens of a word. The first is 1 to 255.
pub(crate) type Reference = [u32; 3];

#[inline(always)]
fn id(token: Packed) -> Id {
    token & (ID_LIMIT - 1)
}

#[inline(always)]
fn end(token: Packed) -> u32 {
    token >> END_SHIFT & 31
}

/// Two words.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line {
    keys: [Key; 2],
    tokens: [Tokens; 2],
}

/// Set in the last token of the second slot, where a count would be: a word of this line stands in another one of the group.
const HAS_MORE: Packed = 1 << 31;

impl Line {
    #[inline(always)]
    fn has_more(&self) -> bool {
        self.tokens[1].0[INLINE - 1] & HAS_MORE != 0
    }

    fn set_has_more(&mut self) {
        self.tokens[1].0[INLINE - 1] |= HAS_MORE;
    }

    /// Puts tokens into a slot.
    #[inline(always)]
    fn put(&mut self, slot: usize, key: Key, tokens: Tokens) {
        let has_more = self.has_more();
        (self.keys[slot], self.tokens[slot]) = (key, tokens);
        if has_more {
            self.set_has_more();
        }
    }
}

const EMPTY: Line = Line { keys: [0; 2], tokens: [Tokens([0; INLINE]); 2] };

/// A longer word.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct WideLine {
    key: WideKey,
    tokens: Tokens<WIDE_INLINE>,
}

const WIDE_EMPTY: WideLine = WideLine { key: [0; 2], tokens: Tokens([0; WIDE_INLINE]) };

/// Words and their tokens, in `LINES` lines, a power of two. Takes no memory before [`Table::prepare`].
#[derive(Debug, Default)]
pub struct Table<const LINES: usize = { 1 << 15 }> {
    lines: Vec<Line>,
    /// Takes no memory before the first of them.
    wide: Vec<WideLine>,
    many: Vec<(Id, u32)>,
}

/// Where a key would stand.
#[derive(Clone, Copy, Debug)]
pub struct Place(u32);

impl Place {
    /// A place that is a number of something else.
    #[inline(always)]
    pub(crate) fn of_number(number: u32) -> Self {
        Self(number)
    }

    /// The number that [`Self::of_number`] was made of.
    #[inline(always)]
    pub(crate) fn number(self) -> u32 {
        self.0
    }

    /// Its number in a table of so many places, a power of two.
    #[inline(always)]
    pub fn index(self, places: usize) -> usize {
        self.0 as usize & (places - 1)
    }
}

/// Where a key would stand in any table.
#[inline(always)]
pub(crate) const fn place(key: Key) -> Place {
    let product = (key as u64 ^ 0xA076_1D64_78BD_642F) as u128 * ((key >> 64) as u64 ^ 0x8BB8_4B93_962E_ACC9) as u128;
    Place((product as u64 ^ (product >> 64) as u64) as u32)
}

/// The place of words that have no key. It is one for all, so that looking there, which is done before the key is asked for, does
/// not wait for memory.
pub(crate) const NO_PLACE: Place = place(NO_KEY);

/// Where the key of a longer word would stand in any table.
#[inline(always)]
pub(crate) fn wide_place(key: WideKey) -> Place {
    place(key[0] ^ key[1].rotate_left(27))
}

impl<const LINES: usize> HeapBytes for Table<LINES> {
    fn heap_bytes(&self) -> usize {
        self.lines.heap_bytes() + self.wide.heap_bytes() + self.many.heap_bytes()
    }
}

impl<const LINES: usize> Table<LINES> {
    /// Makes room; to be called before anything else.
    pub(crate) fn prepare(&mut self) {
        if self.lines.is_empty() {
            self.lines = vec![EMPTY; LINES];
        }
    }

    /// Asks for the memory of a place.
    #[inline(always)]
    pub(crate) fn prefetch(&self, place: Place) {
        if let Some(line) = self.lines.get(place.0 as usize % LINES) {
            prefetch(line);
        }
    }

    /// The same for the place of a longer word.
    #[inline(always)]
    pub(crate) fn prefetch_wide(&self, place: Place) {
        if let Some(line) = self.wide.get(place.0 as usize % WIDE_LINES) {
            prefetch(line);
        }
    }

    /// The tokens of a word seen before, if it is in its own line.
    #[inline(always)]
    pub(crate) fn get(&self, key: Key, place: Place) -> Option<&Tokens> {
        let Line { keys, tokens } = self.lines.get(place.0 as usize % LINES)?;
        // Which of the two it is cannot be foreseen, so no branch asks.
        let slot = usize::from(keys[1] == key);
        (keys[slot] == key).then_some(&tokens[slot])
    }

    /// Whether [`Self::get`] finds a word, without a branch.
    #[inline(always)]
    pub(crate) fn is_in_line(&self, key: Key, place: Place) -> bool {
        self.lines.get(place.0 as usize % LINES).is_some_and(|line| (line.keys[0] == key) | (line.keys[1] == key))
    }

    /// Asks for the memory that [`Self::get_in_group`] reads.
    #[inline(always)]
    pub(crate) fn prefetch_group(&self, place: Place) {
        if self.lines.get(place.0 as usize % LINES).is_some_and(Line::has_more) {
            others(place).for_each(|other| self.prefetch(other));
        }
    }

    /// The tokens of a word seen before, if its own line was full.
    #[inline]
    pub(crate) fn get_in_group(&self, key: Key, place: Place) -> Option<&Tokens> {
        // Most new words are spared the wait for other lines.
        if !self.lines.get(place.0 as usize % LINES)?.has_more() {
            return None;
        }
        others(place).find_map(|other| self.get(key, other))
    }

    /// Whether a word was seen before.
    #[inline]
    pub(crate) fn has(&self, key: Key, place: Place) -> bool {
        self.get(key, place).or_else(|| self.get_in_group(key, place)).is_some()
    }

    /// The tokens of a longer word seen before.
    #[inline(always)]
    pub(crate) fn get_wide(&self, key: WideKey, place: Place) -> Option<&Tokens<WIDE_INLINE>> {
        let find = |place: Place| {
            let line = self.wide.get(place.0 as usize % WIDE_LINES)?;
            (line.key == key).then_some(&line.tokens)
        };
        find(place).or_else(|| find(neighbour(place)))
    }

    /// The tokens of a word that has more than a slot holds and no [`Reference`].
    #[inline]
    pub(crate) fn many<const N: usize>(&self, tokens: &Tokens<N>) -> &[(Id, u32)] {
        let (at, count) = (tokens.0[1] as usize, tokens.0[2] as usize);
        &self.many[at..at + count]
    }

    /// Whether a word of up to 15 bytes can be put here without taking the place of another.
    pub(crate) fn has_room(&self, place: Place) -> bool {
        std::iter::once(place).chain(others(place)).any(|place| self.lines[place.0 as usize % LINES].keys.contains(&0))
    }

    /// The same for a longer word.
    pub(crate) fn has_wide_room(&self, place: Place) -> bool {
        let is_free = |place: Place| self.wide.get(place.0 as usize % WIDE_LINES).is_none_or(|line| line.key[1] == 0);
        is_free(place) || is_free(neighbour(place))
    }

    /// Keeps the tokens of a word, which are at most one per byte of the key.
    pub(crate) fn put(&mut self, key: Key, place: Place, tokens: &[(Id, u32)]) {
        if let Some(packed) = self.pack(tokens) {
            self.put_packed(key, place, packed);
        }
    }

    /// Keeps where the owner of the table has the tokens of a word.
    pub(crate) fn put_reference(&mut self, key: Key, place: Place, reference: Reference) {
        self.put_packed(key, place, packed_reference(reference));
    }

    fn put_packed(&mut self, key: Key, place: Place, packed: Tokens) {
        let own = place.0 as usize % LINES;
        for at in std::iter::once(place).chain(others(place)).map(|place| place.0 as usize % LINES) {
            let line = &mut self.lines[at];
            if let Some(slot) = line.keys.iter().position(|&key| key == 0) {
                line.put(slot, key, packed);
                if at != own {
                    self.lines[own].set_has_more();
                }
                return;
            }
        }
        let line = &mut self.lines[own];
        line.put(1, line.keys[0], line.tokens[0]);
        line.put(0, key, packed);
    }

    /// Keeps the tokens of a longer word, which are at most one per byte.
    pub(crate) fn put_wide(&mut self, key: WideKey, place: Place, tokens: &[(Id, u32)]) {
        if let Some(packed) = self.pack(tokens) {
            self.put_wide_packed(key, place, packed);
        }
    }

    /// The same as [`Self::put_reference`] for a longer word.
    pub(crate) fn put_wide_reference(&mut self, key: WideKey, place: Place, reference: Reference) {
        self.put_wide_packed(key, place, packed_reference(reference));
    }

    fn put_wide_packed(&mut self, key: WideKey, place: Place, packed: Tokens<WIDE_INLINE>) {
        if self.wide.is_empty() {
            self.wide = vec![WIDE_EMPTY; WIDE_LINES];
        }
        let is_free = |place: Place| self.wide[place.0 as usize % WIDE_LINES].key[1] == 0;
        let place = if !is_free(place) && is_free(neighbour(place)) { neighbour(place) } else { place };
        self.wide[place.0 as usize % WIDE_LINES] = WideLine { key, tokens: packed };
    }

    /// Forgets all words.
    pub(crate) fn clear(&mut self) {
        self.lines.fill(EMPTY);
        self.wide.fill(WIDE_EMPTY);
        self.many.clear();
    }

    /// The tokens as a slot holds them; those that are too many go to the list. `None` if an id is too large.
    fn pack<const N: usize>(&mut self, tokens: &[(Id, u32)]) -> Option<Tokens<N>> {
        let mut packed = [0; N];
        if tokens.len() > N {
            if self.many.len() + tokens.len() > MAX_MANY {
                self.clear();
            }
            packed[..3].copy_from_slice(&[ELSEWHERE << COUNT_SHIFT, self.many.len() as u32, tokens.len() as u32]);
            self.many.extend_from_slice(tokens);
            return Some(Tokens(packed));
        }
        for (packed, &(id, end)) in packed.iter_mut().zip(tokens) {
            if id >= ID_LIMIT {
                return None;
            }
            *packed = id | end << END_SHIFT;
        }
        packed[0] |= (tokens.len() as u32) << COUNT_SHIFT;
        Some(Tokens(packed))
    }
}

fn packed_reference<const N: usize>([kind, first, second]: Reference) -> Tokens<N> {
    debug_assert!((1..256).contains(&kind));
    let mut packed = [0; N];
    packed[..3].copy_from_slice(&[ELSEWHERE << COUNT_SHIFT | kind, first, second]);
    Tokens(packed)
}

/// Where a key may stand when its own line is full.
#[inline(always)]
fn others(place: Place) -> impl Iterator<Item = Place> {
    (1..4).map(move |other| Place(place.0 ^ other))
}

/// Where the key of a longer word stands when its own line is full.
#[inline(always)]
fn neighbour(place: Place) -> Place {
    Place(place.0 ^ 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tell_all_short_words_apart() {
        let key = |text: &[u8; 16], len| key(*text, len);
        let keys = [key(b"a\0\0 some more te", 1), key(b"a\0\0 some more te", 2), key(b"a_______________", 1)];
        assert_eq!(keys[0], keys[2], "the bytes after the word do not count");
        assert_ne!(keys[0], keys[1], "trailing NULs do");
        assert_ne!(key(b"_______________a", 15), key(b"_______________a", 14));
    }

    #[test]
    fn the_bytes_of_a_word_at_the_end_of_a_text_are_found() {
        let text: Vec<u8> = (1..=40).collect();
        for len in 0..=text.len() {
            for start in 0..=len {
                let expected = std::array::from_fn(|n| if start + n < len { text[start + n] } else { 0 });
                assert_eq!(sixteen_at(&text[..len], start), expected, "{start} of {len}");
            }
        }
    }

    #[test]
    fn gives_back_what_was_put_in_or_nothing() {
        let mut table: Table = Table::default();
        assert_eq!(table.get(1, place(1)), None, "an unprepared table is an empty one");
        table.prepare();
        let keys: Vec<Key> = (0..20_000u128).map(|n| n << 8 | 1 | 8 << 120).collect();
        let tokens_of = |n: usize| -> Vec<(Id, u32)> { (0..n as u32 % 8).map(|at| (n as Id + at, at + 1)).collect() };
        for (n, &key) in keys.iter().enumerate() {
            table.put(key, place(key), &tokens_of(n));
        }
        let mut found = 0;
        for (n, &key) in keys.iter().enumerate() {
            let place = place(key);
            let Some(tokens) = table.get(key, place).or_else(|| table.get_in_group(key, place)) else { continue };
            let tokens = match tokens.inline() {
                Some(tokens) => tokens.map(|(id, end)| (id, end as u32)).collect(),
                None => table.many(tokens).to_vec(),
            };
            assert_eq!(tokens, tokens_of(n));
            found += 1;
        }
        assert!(found > 19_990, "hardly any is lost: {found}");
    }

    #[test]
    fn takes_no_more_memory_than_it_may() {
        let mut table: Table = Table::default();
        table.prepare();
        for n in 0..100_000u128 {
            let key = n << 8 | 1 | 8 << 120;
            table.put(key, place(key), &[(n as Id, 1); 7]);
            let found = table.get(key, place(key)).or_else(|| table.get_in_group(key, place(key)));
            assert!(found.is_some_and(|tokens| table.many(tokens) == [(n as Id, 1); 7]));
        }
        assert!(table.lines.len() == 1 << 15 && table.many.len() <= MAX_MANY);
    }

    #[test]
    fn words_kept_while_there_is_room_are_all_found() {
        let mut table: Table<16> = Table::default();
        table.prepare();
        let keys = (0..1000u128).map(|n| n << 8 | 1 | 8 << 120);
        let kept: Vec<Key> = keys
            .filter(|&key| {
                let has_room = table.has_room(place(key));
                if has_room {
                    table.put_reference(key, place(key), [2, key as u32, 7]);
                }
                has_room
            })
            .collect();
        assert_eq!(kept.len(), 32, "every slot is taken");
        for key in kept {
            let tokens = table.get(key, place(key)).or_else(|| table.get_in_group(key, place(key)));
            assert_eq!(tokens.and_then(Tokens::reference), Some([2, key as u32, 7]));
            assert!(tokens.is_some_and(|tokens| !tokens.is_inline() && tokens.inline().is_none()));
        }
        let wide = |n: u128| [n, n << 8 | 1 | 20 << 120];
        let kept: Vec<WideKey> = (0..100_000)
            .map(wide)
            .filter(|&key| {
                let has_room = table.has_wide_room(wide_place(key));
                if has_room {
                    table.put_wide_reference(key, wide_place(key), [1, key[0] as u32, 9]);
                }
                has_room
            })
            .collect();
        assert!(kept.len() > WIDE_LINES * 9 / 10);
        for key in kept {
            let reference = table.get_wide(key, wide_place(key)).and_then(Tokens::reference);
            assert_eq!(reference, Some([1, key[0] as u32, 9]));
        }
        table.clear();
        assert!(table.has_room(place(1)) && table.has_wide_room(wide_place(wide(1))));
        assert_eq!(table.get_wide(wide(1), wide_place(wide(1))), None);
    }

    #[test]
    fn a_line_is_a_cache_line() {
        assert_eq!((size_of::<Line>(), size_of::<WideLine>()), (64, 64));
    }

    #[test]
    fn gives_longer_words_back_or_nothing() {
        let mut table: Table = Table::default();
        table.prepare();
        let word = |n: usize| format!("{n:07}, a word of {}", "x".repeat(n % 12)).into_bytes();
        let tokens_of =
            |n: usize| -> Vec<(Id, u32)> { (0..1 + n as u32 % 12).map(|at| (n as Id + at, at + 1)).collect() };
        let key_of = |n: usize| wide_key_at(&word(n), 0, word(n).len());
        assert_eq!(table.get_wide(key_of(1), wide_place(key_of(1))), None, "an empty table has none");
        (0..4000).for_each(|n| table.put_wide(key_of(n), wide_place(key_of(n)), &tokens_of(n)));
        let mut found = 0;
        for n in 0..4000 {
            assert!((16..=MAX_WIDE_BYTES).contains(&word(n).len()));
            let Some(tokens) = table.get_wide(key_of(n), wide_place(key_of(n))) else { continue };
            let tokens = match tokens.inline() {
                Some(tokens) => tokens.map(|(id, end)| (id, end as u32)).collect(),
                None => table.many(tokens).to_vec(),
            };
            assert_eq!(tokens, tokens_of(n));
            found += 1;
        }
        assert!(found > 3700, "{found}");
    }

    #[test]
    fn keys_of_longer_words_tell_them_apart() {
        let text = b"0123456789abcdef\0\0\0\0 and some more text";
        let keys = [16, 17, 18, 20, 31].map(|len| wide_key_at(text, 0, len));
        for (n, key) in keys.iter().enumerate() {
            assert!(!keys[..n].contains(key) && key[1] != 0);
        }
        assert_eq!(wide_key_at(&text[..17], 0, 17), keys[1], "what follows the word does not count");
    }

    #[test]
    fn forgets_ids_that_have_no_room() {
        let mut table: Table = Table::default();
        table.prepare();
        table.put(1, place(1), &[(ID_LIMIT, 1)]);
        assert_eq!(table.get(1, place(1)), None);
        table.put(1, place(1), &[(ID_LIMIT - 1, 15)]);
        assert!(
            table
                .get(1, place(1))
                .and_then(|tokens| tokens.inline())
                .is_some_and(|mut all| all.next() == Some((ID_LIMIT - 1, 15)))
        );
    }
}
