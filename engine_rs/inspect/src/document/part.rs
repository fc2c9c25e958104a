//! The tokens of a part of a long text, before the whole text is encoded.
//!
//! A window on a megabyte of text shows a few thousand characters, which need not wait for the rest. The caller passes
//! an excerpt around them. The part between two split points of the excerpt is encoded on its own and equals what the
//! whole text has there, whatever surrounds the excerpt. A split point depends on the characters at it and on added
//! tokens across it, so positions nearer to an end of the excerpt than the longest added token are not used.
//!
//! To compare tokenizers, the part is cut back to boundaries that all of them share, so divergences are complete.
//!
//! Not here: counts over the text, which need the whole of it.

use std::ops::Range;

use super::{Document, EncodedText, Packed};
use crate::document::divergence::Divergences;
use token_engine::internals::split_points::SplitPoints;
use token_engine::{EncodeError, EncodeOptions, Specials, Tokenizer};

/// A slice of a text, and whether it reaches the start and the end of the text.
#[derive(Clone, Copy, Debug)]
pub struct Excerpt<'a> {
    /// Whole characters of the text.
    pub text: &'a str,
    /// Whether the excerpt starts the text.
    pub starts: bool,
    /// Whether the excerpt ends the text.
    pub ends: bool,
}

/// The tokens of a part of an excerpt, as the whole text has them. Positions are relative to the excerpt.
#[derive(Clone, Debug)]
pub struct Part {
    /// The bytes of the excerpt that the part covers: exactly the tokens that start there are included.
    pub covered: Range<usize>,
    /// The same in UTF-16 units.
    pub covered_units: Range<usize>,
    /// The tokens, by tokenizer, with those of the postprocessor if the part starts or ends the text.
    pub packed: Vec<Packed>,
    /// Where the tokenizers differ in the part, if requested.
    pub divergences: Option<Divergences>,
}

impl Part {
    /// Returns the largest possible part, with divergences unless `ignore_spaces` is `None`.
    ///
    /// Returns `None` if a tokenizer has no split points there or adds tokens inside the text, if the tokenizers share
    /// no boundary, and for [`Specials::Reject`], because text outside of the excerpt may be refused.
    ///
    /// ```
    /// # use token_inspect::document::{Excerpt, Part};
    /// # use token_engine::formats::tiktoken;
    /// # use token_engine::pretokenizers::scanners::Pattern;
    /// # use token_engine::Vocab;
    /// # let mut vocab = Vocab::default();
    /// # for byte in 0..=255u8 { vocab.insert(byte.into(), &[byte]).unwrap(); }
    /// # let tokenizer = tiktoken::from_ranks(vocab, Pattern::R50k, &[]).build("example").unwrap();
    /// let excerpt = Excerpt { text: "ut of a tex", starts: false, ends: false }; // of "cut out of a text"
    /// let part = Part::new(&[&tokenizer], excerpt, Default::default(), None).unwrap().unwrap();
    /// assert_eq!(part.covered, 2..7); // " of a": "ut" and " tex" may continue outside
    /// assert_eq!(part.packed[0].ids.len(), 5);
    /// ```
    ///
    /// Errors: as [`Tokenizer::encode_part`].
    pub fn new(
        tokenizers: &[&Tokenizer],
        excerpt: Excerpt<'_>,
        options: EncodeOptions,
        ignore_spaces: Option<bool>,
    ) -> Result<Option<Self>, EncodeError> {
        let Excerpt { text, starts, ends } = excerpt;
        if options.specials == Specials::Reject {
            return Ok(None);
        }
        let mut document = Document { text: text.to_owned(), units: 0, characters: 0, options, encoded: vec![] };
        let mut all = 0..text.len();
        // On one thread: threads that encode a whole text at the same time are busy for longer than this takes.
        for tokenizer in tokenizers {
            let Some(part) = excerpt.between_split_points(tokenizer, options.specials) else { return Ok(None) };
            let at_ends = (starts && part.start == 0, ends && part.end == text.len());
            let Some(encoded) = EncodedText::of_part(tokenizer, text, part.clone(), at_ends, options)? else {
                return Ok(None);
            };
            all = all.start.max(part.start)..all.end.min(part.end);
            document.encoded.push(encoded);
        }
        let covered = match ignore_spaces {
            Some(ignore) => document.shared_within(&all, excerpt, ignore),
            // Tokenizers may have different split points; no token may cross an end of the part.
            None if tokenizers.len() > 1 => document.shared_within(&all, excerpt, false),
            None => Some(all).filter(|part| !part.is_empty()),
        };
        let Some(covered) = covered else { return Ok(None) };
        let divergences = ignore_spaces.map(|ignore| document.divergences(covered.clone(), ignore)).transpose()?;
        let whole = 0..text.len();
        if covered != whole {
            let to_end = ends && covered.end == text.len();
            document.encoded.iter_mut().for_each(|encoded| encoded.keep(&covered, to_end));
        }
        let units = |byte| document.unit_of_byte(byte);
        let covered_units = units(covered.start).unwrap_or(0)..units(covered.end).unwrap_or(0);
        let packed = (0..document.encoded.len()).map(|tokenizer| document.packed(tokenizer, None)).collect();
        Ok(Some(Self { covered, covered_units, packed, divergences }))
    }
}

impl Excerpt<'_> {
    /// From the first split point to the last one that does not depend on text outside of the excerpt.
    fn between_split_points(&self, tokenizer: &Tokenizer, specials: Specials) -> Option<Range<usize>> {
        let (text, points) = (self.text, SplitPoints::new(tokenizer, specials));
        let reach = tokenizer.parts().added.longest(specials).max(1);
        let left = if self.starts { 1 } else { reach };
        let right = text.len().checked_sub(if self.ends { 1 } else { reach })?;
        let is_split_point = |at: &usize| (left..=right).contains(at) && points.is_split_point(text, *at);
        let mut places = text.char_indices().map(|(at, _)| at);
        let start = if self.starts { 0 } else { places.clone().find(is_split_point)? };
        let end = if self.ends { text.len() } else { places.rfind(is_split_point)? };
        (start < end).then_some(start..end)
    }
}

impl Document {
    /// The largest range within `part` between two boundaries that all tokenizers share and that do not follow white
    /// space.
    fn shared_within(&self, part: &Range<usize>, excerpt: Excerpt<'_>, ignore_spaces: bool) -> Option<Range<usize>> {
        let spans = self.encoded.first()?.spans();
        let ends = spans.iter().flat_map(|span| [span.start, span.end]);
        let mut shared = self.shared(0..0, ignore_spaces);
        let mut places = ends.filter_map(|at| shared.place(at as usize)).filter(|at| part.contains(at));
        let start = if excerpt.starts && part.start == 0 { 0 } else { places.next()? };
        let end = if excerpt.ends && part.end == self.text.len() { part.end } else { places.last()? };
        (start < end).then_some(start..end)
    }
}
