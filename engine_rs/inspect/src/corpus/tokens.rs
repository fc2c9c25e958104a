//! Tokens of one document with the bytes they hold: spans, or ends alone where there are no gaps.

use super::marks::Marks;
use token_engine::internals::encoding::Sink;
use token_engine::{Id, IdsAndEnds, Span};

/// Ids and spans. One start and one end per id, UTF-8 bytes of the document.
#[derive(Default)]
pub(super) struct IdsAndSpans {
    pub(crate) ids: Vec<Id>,
    pub(crate) starts: Vec<u32>,
    pub(crate) ends: Vec<u32>,
}

impl Sink for IdsAndSpans {
    #[inline(always)]
    fn push(&mut self, id: Id, span: Span) {
        self.ids.push(id);
        self.starts.push(span.start);
        self.ends.push(span.end);
    }
}

/// The tokens of a document, in its order.
pub(super) trait Tokens: Sink {
    /// Whether every token holds bytes and starts where the one before it ends, and all of the document is held.
    const ARE_CONTIGUOUS: bool;

    fn clear(&mut self);
    fn ids(&self) -> &[Id];
    fn start(&self, at: usize) -> u32;
    fn end(&self, at: usize) -> u32;

    fn len(&self) -> usize {
        self.ids().len()
    }

    fn spans(&self) -> impl Iterator<Item = Span> {
        (0..self.len()).map(|at| Span { start: self.start(at), end: self.end(at) })
    }

    /// Calls `visit` with the number of tokens that overlap each of `ranges`. The ranges rise and do not overlap; `marks` has
    /// the boundaries of this document, which starts at byte `base` of them.
    fn count_overlaps(&self, marks: &Marks, base: usize, ranges: &[Span], visit: impl FnMut(usize));
}

impl Tokens for IdsAndSpans {
    const ARE_CONTIGUOUS: bool = false;

    fn clear(&mut self) {
        self.ids.clear();
        self.starts.clear();
        self.ends.clear();
    }

    fn ids(&self) -> &[Id] {
        &self.ids
    }

    fn count_overlaps(&self, _: &Marks, _: usize, ranges: &[Span], visit: impl FnMut(usize)) {
        count_overlaps(self, ranges, visit);
    }

    #[inline(always)]
    fn start(&self, at: usize) -> u32 {
        self.starts[at]
    }

    #[inline(always)]
    fn end(&self, at: usize) -> u32 {
        self.ends[at]
    }
}

/// Of byte-level models, whose tokens are the text in parts.
impl Tokens for IdsAndEnds {
    const ARE_CONTIGUOUS: bool = true;

    fn clear(&mut self) {
        self.ids.clear();
        self.ends.clear();
    }

    fn ids(&self) -> &[Id] {
        &self.ids
    }

    /// One token, and one more for each boundary inside.
    fn count_overlaps(&self, marks: &Marks, base: usize, ranges: &[Span], mut visit: impl FnMut(usize)) {
        for range in ranges {
            visit(1 + marks.count(base + range.start as usize + 1..base + range.end as usize) as usize);
        }
    }

    #[inline(always)]
    fn start(&self, at: usize) -> u32 {
        if at == 0 { 0 } else { self.ends[at - 1] }
    }

    #[inline(always)]
    fn end(&self, at: usize) -> u32 {
        self.ends[at]
    }
}

/// [`Tokens::count_overlaps`] for spans of any kind.
///
/// Tokens that start before the end of a range and do not end before its start overlap it. Those that end before its start
/// also start before its end, so the difference of two counts is enough, and each is a cursor that goes forward.
fn count_overlaps(tokens: &IdsAndSpans, ranges: &[Span], visit: impl FnMut(usize)) {
    let IdsAndSpans { starts, ends, .. } = tokens;
    let are_filled = starts.iter().zip(ends).all(|(start, end)| start < end);
    if are_filled && starts.is_sorted() && ends.is_sorted() {
        return walk(ranges, starts, ends, visit);
    }
    let filled = tokens.spans().filter(|span| span.start < span.end);
    let (mut starts, mut ends): (Vec<u32>, Vec<u32>) = filled.map(|span| (span.start, span.end)).unzip();
    starts.sort_unstable();
    ends.sort_unstable();
    walk(ranges, &starts, &ends, visit);
}

fn walk(ranges: &[Span], starts: &[u32], ends: &[u32], mut visit: impl FnMut(usize)) {
    let (mut started, mut ended) = (0, 0);
    for range in ranges {
        while started < starts.len() && starts[started] < range.end {
            started += 1;
        }
        while ended < ends.len() && ends[ended] <= range.start {
            ended += 1;
        }
        visit(started - ended);
    }
}
