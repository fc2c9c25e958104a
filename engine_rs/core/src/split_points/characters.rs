//! Between two characters of a text without spaces, such as Chinese or Japanese, and at line ends: split points where no token
//! holds both characters.
//!
//! A merge of BPE across such a place would make a token that holds both characters side by side. There is no such token, so the
//! merges of each side do not depend on the other. Tokens of a Unigram model behind such a place depend on the sum of the
//! scores before it and nothing else, as behind a space. This needs more of the stages than white space does: the normalizer
//! leaves both characters alone whatever is beside them, the pretokenizer does not split, the model knows both or has the
//! bytes of both, and no added token holds either or takes it as white space. No rule may join the second one with what is behind
//! it: か and a mark become が, which a token may hold.

use std::ops::RangeInclusive;

use super::ascii_pairs::{InAscii, within_pretokens};
use super::normalizer::{goes_on_after, leaves_alone};
use crate::added_tokens::AddedTokens;
use crate::char_set::CharSet;
use crate::models::Model;
use crate::models::bpe::boundary_filter::PairFilter;
use crate::pretokenizers::Pretokenizer;
use crate::stages::Stages;
use crate::vocab::Vocab;

/// Tells split points by the two characters beside them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Characters {
    /// Characters that may stand before a split point.
    before: CharSet,
    /// Characters that may stand behind a split point: those of `before` that begin no rule.
    behind: CharSet,
    /// Characters that stand side by side in a token.
    joined: PairFilter,
    /// The same between two of ASCII ([`super::ascii_pairs`]).
    pub(super) in_ascii: InAscii,
}

impl Characters {
    /// Those of stages that split at marks within a pretoken; `None` where the proof does not hold.
    pub(super) fn of(stages: &Stages, added: &AddedTokens) -> Option<Self> {
        match &stages.model {
            Model::Bpe(bpe) if bpe.falls_into_segments() => {
                Self::of_symbols(stages, added, bpe.vocab(), bpe.symbols_of_characters()?)
            }
            Model::Unigram(unigram) if unigram.falls_into_parts() => {
                Self::of_symbols(stages, added, unigram.vocab(), |c| unigram.is_known(c))
            }
            _ => None,
        }
    }

    fn of_symbols(
        stages: &Stages,
        added: &AddedTokens,
        vocab: &Vocab,
        has_symbol: impl Fn(char) -> bool,
    ) -> Option<Self> {
        // Others look at what a part starts with: Metaspace may put a mark before it.
        if !matches!(stages.pretokenizer, None | Some(Pretokenizer::Split(_))) {
            return None;
        }
        let normalizer = stages.normalizer.as_ref();
        let line_ends = !added.takes_white_space();
        let may_stand = |c: char| if c == LINE_END { line_ends } else { c > LINE_END && !c.is_whitespace() };
        let is_plain = |c: char| may_stand(c) && leaves_alone(normalizer, c) && has_symbol(c);
        let of_added = added.tokens().iter().filter(|token| token.normalized);
        let mut before = CharSet::new(is_plain);
        for c in of_added.flat_map(|token| token.content.chars().chain(added.sought(token).chars())) {
            before.remove(c);
        }
        let behind = CharSet::new(|c| before.has(c) && !goes_on_after(normalizer, c));
        let mut joined = PairFilter::default();
        let may_fall_apart = |token: &&[u8]| token.iter().any(|&byte| byte >= LEAST_FIRST_BYTE || byte == b'\n');
        for token in vocab.iter().map(|(_, token)| token).filter(may_fall_apart) {
            let mut last = None;
            for c in String::from_utf8_lossy(token).chars() {
                if let Some(last) = last.replace(c).filter(|&last| may_part(last, c)) {
                    joined.insert(last.into(), c.into());
                }
            }
        }
        let in_ascii = within_pretokens(before.ascii(), before.ascii() & !behind.ascii(), vocab);
        Some(Self { before, behind, joined, in_ascii })
    }

    /// Whether what is between two characters is a split point.
    #[inline]
    pub(super) fn is_between(&self, before: char, behind: char) -> bool {
        may_part(before, behind)
            && self.before.has(before)
            && self.behind.has(behind)
            && !self.joined.may_hold(before.into(), behind.into())
    }
}

/// The first byte of a character that may stand behind a split point is at least this.
pub(super) const LEAST_FIRST_BYTE: u8 = 0xe3;

/// What ends a line.
pub(super) const LINE_END: char = '\n';

/// Characters of text without spaces: Chinese and Japanese, with their punctuation. Others stay in words, which come again
/// as a whole.
const RANGES: [RangeInclusive<char>; 2] = ['\u{3000}'..='\u{9fff}', '\u{ff00}'..='\u{ffef}'];

/// Whether the place between two characters is looked at.
#[inline]
fn may_part(before: char, behind: char) -> bool {
    RANGES[0].contains(&behind) || RANGES[1].contains(&behind) || behind == LINE_END || before == LINE_END
}
