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

/// Converts the spans of one text, in any order, from UTF-8 to code points and UTF-16.
///
/// Short texts and texts of ASCII need no table; others keep a count every [`STEP`] bytes and count the rest.
pub struct Converter<'a> {
    text: &'a [u8],
    /// Code points and UTF-16 units that start before byte `STEP * n`. Empty where every character is one byte.
    counts: Vec<(u32, u32)>,
}

/// Distance of the counts, in bytes.
const STEP: usize = 64;

impl<'a> Converter<'a> {
    /// Reads the text once.
    pub fn new(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        if text.is_ascii() {
            return Self { text: bytes, counts: vec![] };
        }
        let mut counts = Vec::with_capacity(bytes.len() / STEP + 1);
        let mut before = (0, 0);
        for chunk in bytes.chunks(STEP) {
            counts.push(before);
            let (chars, units) = count(chunk);
            before = (before.0 + chars, before.1 + units);
        }
        counts.push(before);
        Self { text: bytes, counts }
    }

    /// Code points in the text.
    #[cfg(test)]
    pub(crate) fn chars(&self) -> usize {
        self.before(self.text.len()).0 as usize
    }

    /// The span in code points.
    ///
    /// ```
    /// # use token_engine::internals::offsets::Converter;
    /// # use token_engine::Span;
    /// let converter = Converter::new("a語👩b");
    /// assert_eq!(converter.char_span(Span::new(1, 8)), Span::new(1, 3));
    /// assert_eq!(converter.utf16_span(Span::new(1, 8)), Span::new(1, 4));
    /// // The second byte of 語 stands for all of it.
    /// assert_eq!(converter.char_span(Span::new(2, 3)), Span::new(1, 2));
    /// ```
    pub fn char_span(&self, span: Span) -> Span {
        let (start, end) = self.whole(span);
        Span { start: self.before(start).0, end: self.before(end).0 }
    }

    /// The span in UTF-16 code units.
    pub fn utf16_span(&self, span: Span) -> Span {
        let (start, end) = self.whole(span);
        Span { start: self.before(start).1, end: self.before(end).1 }
    }

    /// Whether byte `at` is inside a character.
    pub fn is_inside(&self, at: u32) -> bool {
        self.text.get(at as usize).is_some_and(|&byte| is_continuation(byte))
    }

    /// The span widened to whole characters.
    fn whole(&self, span: Span) -> (usize, usize) {
        let (mut start, mut end) = (span.start as usize, span.end as usize);
        if span.start < span.end {
            while start > 0 && self.text.get(start).is_some_and(|&byte| is_continuation(byte)) {
                start -= 1;
            }
            while self.text.get(end).is_some_and(|&byte| is_continuation(byte)) {
                end += 1;
            }
        }
        (start, end)
    }

    /// Code points and UTF-16 units that start before byte `at`.
    fn before(&self, at: usize) -> (u32, u32) {
        if self.counts.is_empty() {
            return (at as u32, at as u32);
        }
        let (chars, units) = self.counts[at / STEP];
        let (more_chars, more_units) = count(&self.text[at / STEP * STEP..at]);
        (chars + more_chars, units + more_units)
    }
}

#[inline(always)]
fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Code points and UTF-16 units that start in `bytes`: characters of four bytes are two units.
#[inline(always)]
fn count(bytes: &[u8]) -> (u32, u32) {
    let (mut chars, mut wide) = (0, 0);
    for &byte in bytes {
        chars += u32::from(!is_continuation(byte));
        wide += u32::from(byte >= 0xF0);
    }
    (chars, chars + wide)
}

/// UTF-16 units that start in `bytes`. Summed in bytes first, of which a register holds many.
pub fn units_of_bytes(bytes: &[u8]) -> usize {
    let of_chunk =
        |chunk: &[u8]| -> u8 { chunk.iter().map(|&byte| u8::from(byte & 0xC0 != 0x80) + u8::from(byte >= 0xF0)).sum() };
    bytes.chunks(64).map(|chunk| usize::from(of_chunk(chunk))).sum()
}

/// The last character boundary at or before `at`.
pub fn boundary_before(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The first character boundary at or after `at`; the end of the text for a position beyond it.
pub fn boundary_behind(text: &str, at: usize) -> usize {
    (at..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_counting_characters() {
        for text in ["", "plain", "aé語👩‍🔬b\0", &"ß".repeat(100), &"x".repeat(63), &"ab👍".repeat(50)] {
            let converter = Converter::new(text);
            assert_eq!(converter.chars(), text.chars().count());
            let boundaries: Vec<usize> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
            for (n, &start) in boundaries.iter().enumerate() {
                let end = boundaries[(n + 3).min(boundaries.len() - 1)];
                let chars = |at: usize| text[..at].chars().count();
                let units = |at: usize| text[..at].encode_utf16().count();
                let span = Span::new(start, end);
                assert_eq!(converter.char_span(span), Span::new(chars(start), chars(end)), "{text:?} {span:?}");
                assert_eq!(converter.utf16_span(span), Span::new(units(start), units(end)), "{text:?} {span:?}");
            }
        }
    }

    #[test]
    fn boundaries_around_a_position_stay_within_the_text() {
        let text = "aé";
        assert_eq!([0, 1, 2, 3, 9].map(|at| boundary_behind(text, at)), [0, 1, 3, 3, 3]);
        assert_eq!([0, 1, 2, 3, 9].map(|at| boundary_before(text, at)), [0, 1, 1, 3, 3]);
    }

    #[test]
    fn parts_of_a_character_stand_for_all_of_it() {
        let converter = Converter::new("é👩");
        let cases = [((1, 2), (0, 1), (0, 1)), ((1, 3), (0, 2), (0, 3)), ((3, 4), (1, 2), (1, 3))];
        for ((start, end), chars, units) in cases {
            let span = Span::new(start, end);
            assert_eq!(converter.char_span(span), Span::new(chars.0, chars.1), "{span:?}");
            assert_eq!(converter.utf16_span(span), Span::new(units.0, units.1), "{span:?}");
        }
        assert!(converter.is_inside(1) && !converter.is_inside(2) && !converter.is_inside(6));
    }
}
