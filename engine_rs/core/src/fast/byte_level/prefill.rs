//! Encodes the new pretokens of a queue together and puts them into the memo, so that their look-ups overlap.
//!
//! The pass then finds them there like those seen before. If another pretoken has replaced one, the pass encodes it alone,
//! so no token depends on this step.

use super::Memory;
use super::fused::Job;
use crate::fast::blocks::Classify;
use crate::fast::memo::{self, MAX_KEY_BYTES, NO_KEY};
use crate::fast::processor::Work;
use crate::fast::queue::{Part, ROOM};
use crate::models::bpe::batch;
use crate::vocab::short_tokens::{self, ShortKey};

/// The pretokens of the queue that were new and were put into the memo together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Prefilled {
    /// A bit for each pretoken.
    new: [u64; ROOM.div_ceil(64)],
    /// Pretokens before this number have been looked at.
    pub(crate) to: usize,
}

impl Prefilled {
    #[inline(always)]
    fn mark(&mut self, n: usize) {
        self.new[n / 64] |= 1 << (n % 64);
    }

    /// Whether pretoken number `n` was new.
    #[inline(always)]
    pub(crate) fn has(&self, n: usize) -> bool {
        self.new[n / 64] >> (n % 64) & 1 == 1
    }
}

/// Bits of the filter for pretokens that occur twice, a power of two.
const FILTER_BITS: usize = 2048;

/// Encodes the pretokens with a key from number `from` on that the memo lacks, at most as many as are merged together.
pub(crate) struct Prefill<'a, 'b, P> {
    pub job: Job<'b, P>,
    pub from: usize,
    pub memory: &'a mut Memory,
    pub prefilled: &'a mut Prefilled,
}

impl<P: Classify> Work for Prefill<'_, '_, P> {
    type Output = ();

    #[inline(always)]
    fn on<Q: Classify>(self, _: Q) {
        let Self { job, from, memory, prefilled } = self;
        const { assert!(batch::MAX_BYTES == MAX_KEY_BYTES) };
        let Memory { table, queue, tokens, batch, .. } = memory;
        let (bpe, vocab) = job.model();
        let mut found = [0u16; batch::WORDS];
        let mut count = 0;
        let mut at = from;
        while at < queue.len() && count < batch::WORDS {
            let (key, place) = queue.key(at);
            found[count] = at as u16;
            count += usize::from((key != NO_KEY) & !table.is_in_line(key, place));
            at += 1;
        }
        prefilled.to = at;
        for &n in &found[..count] {
            table.prefetch_group(queue.key(usize::from(n)).1);
        }
        // A pretoken that occurs twice is new the first time only. Others with the same bit of the filter are encoded alone.
        let mut filter = [0u64; FILTER_BITS / 64];
        let mut left = 0;
        for n in 0..count {
            let (key, place) = queue.key(usize::from(found[n]));
            let bit = place.index(FILTER_BITS);
            let is_known = filter[bit / 64] >> (bit % 64) & 1 == 1 || table.get_in_group(key, place).is_some();
            filter[bit / 64] |= 1 << (bit % 64);
            found[left] = found[n];
            left += usize::from(!is_known);
        }
        let found = &found[..left];
        // Loops of nothing but look-ups, so that the processor works on several at once.
        let short_key = |n: u16| {
            let ((start, end), (key, _)) = (queue.range(usize::from(n)), queue.key(usize::from(n)));
            (end - start <= short_tokens::MAX_BYTES).then(|| ShortKey::of_padded(memo::bytes_of(key), end - start))
        };
        for &n in found {
            if let Some(key) = short_key(n) {
                vocab.prefetch(key);
            }
        }
        let mut ids = [None; batch::WORDS];
        for (id, &n) in ids.iter_mut().zip(found) {
            let (start, end) = queue.range(usize::from(n));
            *id = short_key(n).map_or_else(|| vocab.id(&job.text()[start..end]), |key| vocab.short_id(key));
            bpe.prefetch(id.unwrap_or(0));
        }
        batch.clear();
        let mut merged = [0u16; batch::WORDS];
        let mut count = 0;
        for (&id, &n) in ids.iter().zip(found) {
            prefilled.mark(usize::from(n));
            let ((start, end), (key, place)) = (queue.range(usize::from(n)), queue.key(usize::from(n)));
            let is_whole = queue.part(usize::from(n)) == Part::Whole;
            if let Some(id) = id.filter(|&id| bpe.may_be_whole(id) && (is_whole || bpe.is_built(id))) {
                table.put(key, place, &[(id, (end - start) as u32)]);
                continue;
            }
            merged[count] = n;
            count += 1;
            batch.push(bpe, key.to_le_bytes(), end - start);
        }
        batch.merge(bpe);
        for (number, &n) in merged[..count].iter().enumerate() {
            let (key, place) = queue.key(usize::from(n));
            batch.tokens(number, tokens);
            table.put(key, place, tokens);
        }
    }
}
