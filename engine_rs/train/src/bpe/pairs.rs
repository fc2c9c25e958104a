//! The pairs that a merge may still make: a hash table from two ids to an entry of a list.
//!
//! Open addressing with linear probing; entries are never removed, the table is made anew instead.

/// A pair of neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Id of the left part.
    pub(crate) left: u32,
    /// Id of the right part.
    pub(crate) right: u32,
    /// How often it occurs.
    pub(crate) count: u64,
    /// Where its list of positions starts.
    pub(crate) start: usize,
    /// Length of that list.
    pub(crate) len: u32,
}

/// Pairs by number, found by their ids.
#[derive(Clone, Debug)]
pub struct Pairs {
    pub(crate) list: Vec<Pair>,
    /// Number of a pair plus one, or 0.
    slots: Vec<u32>,
}

impl Default for Pairs {
    fn default() -> Self {
        Self::with_room(0)
    }
}

impl Pairs {
    /// An empty table with room for so many pairs.
    pub(crate) fn with_room(pairs: usize) -> Self {
        Self { list: vec![], slots: vec![0; (pairs * 2).next_power_of_two().max(64)] }
    }

    /// The pair, if it is in the table.
    #[inline]
    pub(crate) fn get_mut(&mut self, left: u32, right: u32) -> Option<&mut Pair> {
        match self.slots[self.find(left, right)] {
            0 => None,
            number => self.list.get_mut(number as usize - 1),
        }
    }

    /// The pair, put in with count 0 if it is new.
    #[inline]
    pub(crate) fn entry(&mut self, left: u32, right: u32) -> &mut Pair {
        let mut slot = self.find(left, right);
        if self.slots[slot] == 0 {
            if self.list.len() * 2 >= self.slots.len() {
                self.grow();
                slot = self.find(left, right);
            }
            self.list.push(Pair { left, right, count: 0, start: 0, len: 0 });
            self.slots[slot] = self.list.len() as u32;
        }
        let number = self.slots[slot] as usize - 1;
        &mut self.list[number]
    }

    /// The slot of a pair, or the empty one where it would be. Ends because half of the slots are empty.
    #[inline]
    fn find(&self, left: u32, right: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(left, right) as usize & mask;
        loop {
            match self.slots[slot] {
                0 => return slot,
                number => {
                    let pair = &self.list[number as usize - 1];
                    if pair.left == left && pair.right == right {
                        return slot;
                    }
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.slots = vec![0; self.slots.len() * 2];
        for at in 0..self.list.len() {
            let Pair { left, right, .. } = self.list[at];
            let slot = self.find(left, right);
            self.slots[slot] = at as u32 + 1;
        }
    }

    /// Keeps the pairs for which `keep` is true, in their order.
    pub(crate) fn retained(self, keep: impl Fn(&Pair) -> bool) -> Self {
        let kept = self.list.iter().filter(|pair| keep(pair)).count();
        let mut pairs = Self::with_room(kept);
        for pair in self.list.into_iter().filter(|pair| keep(pair)) {
            *pairs.entry(pair.left, pair.right) = pair;
        }
        pairs
    }

    /// Memory of the table, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.list.capacity() * size_of::<Pair>() + self.slots.capacity() * 4
    }
}

/// Mixes both ids into all bits.
#[inline]
pub(crate) fn hash(left: u32, right: u32) -> u64 {
    let key = (u64::from(left) << 32 | u64::from(right)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (key ^ key >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 32
}
