//! Spans of the original text in its three units: UTF-8 bytes, code points, UTF-16 code units.
//!
//! Rust works in UTF-8, Python in code points, the page in UTF-16. A span that starts or ends inside a
//! character covers the whole character in the other two units.
//! Not here: how normalized text maps to the original (see [`crate::alignment`]).

/// A half-open range of the original text, in UTF-8 bytes unless a name says otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(C)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span `start..end`. Texts are shorter than 4 GiB, which the tokenizer checks.
    #[inline(always)]
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end && end <= u32::MAX as usize);
        Self { start: start as u32, end: end as u32 }
    }

    /// The same as a range for slicing.
    #[inline(always)]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}
