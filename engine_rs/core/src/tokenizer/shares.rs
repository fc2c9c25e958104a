//! A batch on several threads: it is split into shares, and their ids are joined in order while other shares are encoded.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::RaggedIds;

/// Shares for each thread. Threads finish at different times, by the time of one share at most.
const PER_WORKER: usize = 16;
/// Texts of fewer bytes are in one share: to hand a share out takes about a microsecond.
const MIN_BYTES: usize = 16 << 10;

/// Splits texts into shares of about equal length, without empty shares.
pub(super) fn shares<'a, 'b>(texts: &'a [&'b str], workers: usize) -> Vec<&'a [&'b str]> {
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    let enough = (bytes / (workers * PER_WORKER)).max(MIN_BYTES);
    let (mut shares, mut start, mut len) = (vec![], 0, 0);
    for (at, text) in texts.iter().enumerate() {
        len += text.len();
        if len >= enough {
            shares.push(&texts[start..=at]);
            (start, len) = (at + 1, 0);
        }
    }
    if start < texts.len() {
        shares.push(&texts[start..]);
    }
    shares
}

/// The ids of shares, which come in any order.
pub(super) struct Joined(Mutex<Ordered>);

struct Ordered {
    rows: RaggedIds,
    /// The share that comes next.
    next: usize,
    /// Shares behind it.
    waiting: BTreeMap<usize, RaggedIds>,
    /// Joined ones, whose memory the next ones use.
    empty: Vec<RaggedIds>,
}

impl Joined {
    /// Nothing yet; `rows` has the room.
    pub(crate) fn new(rows: RaggedIds) -> Self {
        Self(Mutex::new(Ordered { rows, next: 0, waiting: BTreeMap::new(), empty: vec![] }))
    }

    /// A share without texts, if one was used before.
    pub(crate) fn take_empty(&self) -> Option<RaggedIds> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).empty.pop()
    }

    /// Adds share number `at`.
    pub(crate) fn put(&self, at: usize, share: RaggedIds) {
        let mut ordered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Ordered { rows, next, waiting, empty } = &mut *ordered;
        waiting.insert(at, share);
        while let Some(mut share) = waiting.remove(next) {
            rows.append(&share);
            share.clear();
            empty.push(share);
            *next += 1;
        }
    }

    /// The ids of all shares.
    pub(crate) fn into_rows(self) -> RaggedIds {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_all_texts_in_order_and_about_the_same_length() {
        let long = "x".repeat(3 * MIN_BYTES);
        let texts: Vec<&str> = (0..1000).map(|n| &long[..n * 7919 % 3000]).collect();
        for (texts, workers) in [(&texts[..], 1), (&texts[..], 2), (&texts[..1], 2), (&[], 2), (&[&long, "", &long], 8)]
        {
            let shares = shares(texts, workers);
            assert_eq!(shares.concat(), texts);
            let bytes = |texts: &[&str]| texts.iter().map(|text| text.len()).sum::<usize>();
            let most = (bytes(texts) / (workers * PER_WORKER)).max(MIN_BYTES) + long.len();
            assert!(shares.iter().all(|share| !share.is_empty() && bytes(share) < most), "{workers}");
            assert!(shares.len() <= workers * PER_WORKER + 1);
        }
    }

    #[test]
    fn shares_are_joined_in_their_order() {
        let share = |n: u32| {
            let mut rows = RaggedIds::with_capacity(0, 0);
            for row in 0..n % 3 {
                rows.ids.extend(0..n + row);
                rows.end_row();
            }
            rows
        };
        let mut expected = RaggedIds::with_capacity(0, 0);
        (0..20).for_each(|n| expected.append(&share(n)));
        let joined = Joined::new(RaggedIds::with_capacity(1, 1));
        (0..20).for_each(|n| joined.put(n * 7 % 20, share(n as u32 * 7 % 20)));
        let used = joined.take_empty().expect("a share that was used");
        assert!(used == RaggedIds::with_capacity(0, 0), "{used:?} has no texts");
        assert_eq!(joined.into_rows(), expected);
        assert_eq!(expected.row_starts.len(), 20);
    }
}
