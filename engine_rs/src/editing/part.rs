//! A part of a long text, before the whole is encoded: the tokens that the whole has there.
//!
//! Who shows a megabyte shows a few thousand characters of it, and these need not wait for the rest. An excerpt is
//! taken out of the text around them. What lies in it between two split points ([`super::split_points`]) is encoded by
//! itself, and that is what the whole has there, whatever stands outside of the excerpt. A split point is told by what
//! is beside it: nearer to an end of the excerpt than the longest spelling of an added token is none, as that could
//! reach out.
//!
//! Where tokenizers are compared, the part is from one boundary that all share to another, so divergences are whole as well.
//!
//! Not here: counts of the text, which nobody knows before all of it is encoded.

use std::ops::Range;

use super::split_points::SplitPoints;
use super::{Document, Lane, Packed};
use crate::added_tokens::Specials;
use crate::divergence::Divergences;
use crate::error::EncodeError;
use crate::tokenizer::{EncodeOptions, Tokenizer};

/// What was taken out of a text, and whether that starts and ends with it.
#[derive(Clone, Copy, Debug)]
pub struct Excerpt<'a> {
    /// Whole characters of the text.
    pub text: &'a str,
    /// Whether nothing of the text stands before it.
    pub starts: bool,
    /// Whether nothing of the text stands behind it.
    pub ends: bool,
}

/// The tokens of a part of an excerpt, as the whole text has them. Places are those of the excerpt.
#[derive(Clone, Debug)]
pub struct Part {
    /// Bytes of the excerpt that are told of: every token that starts there is here, and no other.
    pub known: Range<usize>,
    /// The same in UTF-16 units.
    pub known_units: Range<usize>,
    /// The tokens, by tokenizer; the postprocessor's where the part starts or ends the text.
    pub lanes: Vec<Packed>,
    /// Where the tokenizers differ in the part, if that was asked for.
    pub divergences: Option<Divergences>,
}

impl Part {
    /// The largest part that can be told; compared where `ignore_spaces` says how. `None` where there is none: a tokenizer
    /// has no split points there or puts tokens elsewhere than around the text, there is no boundary that all share, or
    /// the text may be refused for what stands outside of the excerpt ([`Specials::Reject`]).
    ///
    /// ```
    /// # use token_engine::{editing::{Excerpt, Part}, formats::tiktoken, pretokenizers::scanners::Pattern, vocab::Vocab};
    /// # let mut vocab = Vocab::default();
    /// # for byte in 0..=255u8 { vocab.insert(byte.into(), &[byte]).unwrap(); }
    /// # let tokenizer = tiktoken::from_ranks(vocab, Pattern::R50k, &[]).build("example").unwrap();
    /// let excerpt = Excerpt { text: "ut of a tex", starts: false, ends: false }; // of "cut out of a text"
    /// let part = Part::new(&[&tokenizer], excerpt, Default::default(), None).unwrap().unwrap();
    /// assert_eq!(part.known, 2..7); // " of a": where "ut" and " tex" start and end stands outside
    /// assert_eq!(part.lanes[0].ids.len(), 5);
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
        let mut document = Document { text: text.to_owned(), units: 0, characters: 0, options, lanes: vec![] };
        let mut all = 0..text.len();
        // One after the other: the threads that encode a whole text are busy for longer than this takes.
        for tokenizer in tokenizers {
            let Some(part) = excerpt.between_split_points(tokenizer, options.specials) else { return Ok(None) };
            let at_ends = (starts && part.start == 0, ends && part.end == text.len());
            let Some(lane) = Lane::of_part(tokenizer, text, part.clone(), at_ends, options)? else { return Ok(None) };
            all = all.start.max(part.start)..all.end.min(part.end);
            document.lanes.push(lane);
        }
        let known = match ignore_spaces {
            Some(ignore) => document.shared_within(&all, excerpt, ignore),
            // Several that are not compared may have split points at different places: tokens must not reach across an
            // end.
            None if tokenizers.len() > 1 => document.shared_within(&all, excerpt, false),
            None => Some(all).filter(|part| !part.is_empty()),
        };
        let Some(known) = known else { return Ok(None) };
        let divergences = ignore_spaces.map(|ignore| document.divergences(known.clone(), ignore));
        let whole = 0..text.len();
        if known != whole {
            let to_end = ends && known.end == text.len();
            document.lanes.iter_mut().for_each(|lane| lane.keep(&known, to_end));
        }
        let units = |byte| document.unit_of_byte(byte);
        let known_units = units(known.start).unwrap_or(0)..units(known.end).unwrap_or(0);
        let lanes = (0..document.lanes.len()).map(|lane| document.packed(lane, None)).collect();
        Ok(Some(Self { known, known_units, lanes, divergences }))
    }
}

impl Excerpt<'_> {
    /// From the first split point to the last one that nothing outside of the excerpt can undo.
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
    /// The largest range within `part` from one boundary that all lanes share to another, neither behind white space.
    fn shared_within(&self, part: &Range<usize>, excerpt: Excerpt<'_>, ignore_spaces: bool) -> Option<Range<usize>> {
        let spans = self.lanes.first()?.spans();
        let ends = spans.iter().flat_map(|span| [span.start, span.end]);
        let mut shared = self.shared(0..0, ignore_spaces);
        let mut places = ends.filter_map(|at| shared.place(at as usize)).filter(|at| part.contains(at));
        let start = if excerpt.starts && part.start == 0 { 0 } else { places.next()? };
        let end = if excerpt.ends && part.end == self.text.len() { part.end } else { places.last()? };
        (start < end).then_some(start..end)
    }
}
