//! Between two characters of a text without spaces, such as Chinese or Japanese, at line ends, and beside symbols of
//! ASCII: split points where no token holds both characters.
//!
//! A merge of BPE across such a place would make a token that holds both characters side by side, so there is none, and the
//! merges of each side do not depend on the other. All that the tokens of a Unigram model behind it depend on is the sum of
//! the scores before it, as behind a space. This needs more of the stages than white space does: the normalizer
//! leaves both characters alone whatever is beside them, the pretokenizer does not split, the model knows both or has the
//! bytes of both, and no added token holds either or takes it as white space.

use std::ops::RangeInclusive;

use super::normalizer::leaves_alone;
use crate::added_tokens::AddedTokens;
use crate::models::Model;
use crate::models::bpe::boundary_filter::PairFilter;
use crate::models::segment_cache::MARK;
use crate::pretokenizers::Pretokenizer;
use crate::stages::Stages;
use crate::vocab::Vocab;

/// By character of ASCII: bit n stands for the character n after it.
pub type AsciiPairs = [u128; 128];

/// Tells split points by the two characters beside them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Characters {
    /// Bit n: whether U+n may stand beside a split point.
    plain: Box<[u64]>,
    /// Characters that stand side by side in a token.
    joined: PairFilter,
    /// The split points between two characters of ASCII, one of which is a symbol.
    pub(super) beside_symbols: Box<AsciiPairs>,
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
        let may_stand = |c: char| if c == LINE_END { line_ends } else { !c.is_whitespace() };
        let is_plain = |c: char| may_stand(c) && leaves_alone(normalizer, c) && has_symbol(c);
        let mut plain = vec![0; 0x1_0000 / 64];
        for c in (LINE_END..='\u{ffff}').filter(|&c| is_plain(c)) {
            plain[c as usize / 64] |= 1 << (c as usize % 64);
        }
        let of_added = added.tokens().iter().filter(|token| token.normalized);
        for c in of_added.flat_map(|token| token.content.chars().chain(added.sought(token).chars())) {
            if let Some(word) = plain.get_mut(c as usize / 64) {
                *word &= !(1 << (c as usize % 64));
            }
        }
        let mut joined = PairFilter::default();
        let may_fall_apart = |token: &&[u8]| token.iter().any(|&byte| byte >= LEAST_FIRST_BYTE || byte == b'\n');
        for token in vocab.iter().map(|(_, token)| token).filter(may_fall_apart) {
            let mut before = None;
            for c in String::from_utf8_lossy(token).chars() {
                if let Some(before) = before.replace(c).filter(|&before| may_part(before, c)) {
                    joined.insert(before.into(), c.into());
                }
            }
        }
        let graphic = (plain[0] as u128 | (plain[1] as u128) << 64) & GRAPHIC;
        let mut beside_symbols = ascii_pairs(vocab);
        for (before, behind) in beside_symbols.iter_mut().enumerate() {
            let sides = if SYMBOLS >> before & 1 == 1 { graphic } else { graphic & SYMBOLS };
            *behind = if graphic >> before & 1 == 1 { sides & !*behind } else { 0 };
        }
        Some(Self { plain: plain.into(), joined, beside_symbols })
    }

    /// Whether what is between two characters is a split point.
    #[inline]
    pub(super) fn is_between(&self, before: char, behind: char) -> bool {
        if let (Some(row), true) = (self.beside_symbols.get(before as usize), behind.is_ascii_graphic()) {
            return row >> behind as u32 & 1 == 1;
        }
        may_part(before, behind)
            && self.is_plain(before)
            && self.is_plain(behind)
            && !self.joined.may_hold(before.into(), behind.into())
    }

    #[inline]
    fn is_plain(&self, c: char) -> bool {
        self.plain.get(c as usize / 64).is_some_and(|word| word >> (c as usize % 64) & 1 == 1)
    }
}

/// The characters of ASCII that are seen.
const GRAPHIC: u128 = ((1 << 94) - 1) << b'!';
/// Those of them that are neither letters nor digits.
const SYMBOLS: u128 = {
    let (digits, capitals, letters) = (((1 << 10) - 1) << b'0', ((1 << 26) - 1) << b'A', ((1 << 26) - 1) << b'a');
    GRAPHIC & !(digits | capitals | letters)
};

/// Characters of ASCII that stand side by side in a token. The mark is the space.
pub(crate) fn ascii_pairs(vocab: &Vocab) -> Box<AsciiPairs> {
    let mut pairs = Box::new([0; 128]);
    for (_, token) in vocab.iter() {
        let mut before = None;
        for c in String::from_utf8_lossy(token).chars() {
            let c = if c == MARK { ' ' } else { c };
            let now = c.is_ascii().then_some(c as usize);
            if let (Some(before), Some(now)) = (before, now) {
                pairs[before] |= 1_u128 << now;
            }
            before = now;
        }
    }
    pairs
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
