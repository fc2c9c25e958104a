//! Words that are encoded part by part: the stages before the model leave them as they are, or change single characters.
//!
//! A new word is mostly made of parts that are known: no token holds the letter before a comma and the comma, so that
//! ` word,` has the tokens of ` word` and those of `,`. Parts end between two characters that are side by side in no token.
//! No merge reaches across such a place, and no token of a lattice. A part of a Unigram model counts if its best way is the
//! best by more than rounding can change ([`Unigram::encode_part`]).
//!
//! Words are what lies between two split points. Not here: where they are remembered, and all other text.
//!
//! [`Unigram::encode_part`]: crate::models::unigram::Unigram::encode_part

use std::borrow::Cow;
use std::ops::Range;

use crate::added_tokens::AddedTokens;
use crate::char_set::CharSet;
use crate::fast::memo::{Key, key_at};
use crate::ids::Id;
use crate::matching::Expression;
use crate::models::Model;
use crate::models::space_mark::MARK;
use crate::models::unigram::MAX_BYTES_OF_PARTS;
use crate::normalizers::Normalizer;
use crate::normalizers::charsmap::Charsmap;
use crate::normalizers::sentencepiece::SPACE_MARK;
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::metaspace::{Metaspace, Prepend};
use crate::split_points::ascii_pairs::{self, AsciiPairs};
use crate::split_points::normalizer::{makes_marks, normalized, stays};
use crate::split_points::white_space::WhiteSpace;
use crate::stages::Stages;

/// The most bytes of most words.
pub(super) const SHORT: usize = 64;

/// What is known of such words. A space stands for the mark that the stages make of it.
#[derive(Clone, Debug)]
pub(super) struct PlainWords {
    /// The characters that words may have, but for a space before them.
    plain: CharSet,
    /// Characters that a rule of a charsmap makes such ones of, whatever else of the word is beside them. `None` if there are none.
    ruled: Option<CharSet>,
    /// By character of ASCII; bit n: whether some token has it and the character n side by side. Others always may be.
    joined: Box<AsciiPairs>,
    /// Of BPE: the symbols of characters of ASCII.
    pub symbols: Option<Box<[Id; 128]>>,
    /// Of Unigram: the token of unknown characters, if words may have them.
    pub unknown: Option<Id>,
    /// Whether each byte of a character that is no token has a span of its own; or else all have that of the character.
    pub divides_characters: bool,
    /// Whether each word starts with a space, since another one is part of a pretoken only.
    starts_with_space: bool,
    /// Longer ones are left to the stages.
    pub max_bytes: usize,
    /// Whether the white space before a word belongs to no token. Any run of it is like one space then.
    pub drops_spaces: bool,
}

/// How characters of words change.
#[derive(Clone, Copy)]
struct Rules<'a> {
    ruled: &'a CharSet,
    charsmap: &'a Charsmap,
}

impl<'a> Rules<'a> {
    /// What a character becomes.
    #[inline]
    fn of(self, c: char) -> Option<&'a str> {
        if self.ruled.has(c) { self.charsmap.rule_of(c) } else { None }
    }
}

/// What becomes of the space before a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spaces {
    /// Each is a mark.
    Marks,
    /// One is a mark; runs need not be.
    OneMark,
    /// Any run is dropped, and a mark put before the word.
    Dropped,
}

impl PlainWords {
    /// The words of stages with split points; `None` where the proof does not hold.
    pub(super) fn of(stages: &Stages, added: &AddedTokens, points: &WhiteSpace) -> Option<Self> {
        let spaces = spaces(stages, points)?;
        let (vocab, symbols) = match &stages.model {
            Model::Unigram(unigram) => (unigram.vocab(), None),
            Model::Bpe(bpe) if bpe.falls_into_segments() => (bpe.vocab(), Some(bpe.symbols_of_ascii()?)),
            _ => return None,
        };
        let normalizer = stages.normalizer.as_ref();
        let user_defined = stages.model.kinds().map(|kinds| kinds.user_defined());
        let has_symbol = match &stages.model {
            Model::Bpe(bpe) => Some(bpe.symbols_of_characters()?),
            _ => None,
        };
        let has_symbol = |c: char| match c.is_ascii() {
            true => symbols.is_none_or(|symbols| symbols[c as usize].is_some()),
            false => has_symbol.as_ref().is_none_or(|has_symbol| has_symbol(c)),
        };
        let is_unchanged = |c: char| match u8::try_from(c) {
            Ok(byte) if byte.is_ascii() => {
                (byte.is_ascii_graphic() || symbols.is_some() && is_kept_white(normalizer, byte))
                    && leaves_alone(normalizer, byte)
            }
            _ => c != MARK && points.unchanged().has(c),
        };
        let starts_user_defined =
            |c: char| user_defined.is_some_and(|all| all.may_start(c.encode_utf8(&mut [0; 4]).as_bytes()[0]));
        // A token of Unigram may hold a space as well as a mark.
        let inner_spaces = spaces == Spaces::Marks && symbols.is_some();
        let mut plain = CharSet::new(|c| match c {
            ' ' => inner_spaces,
            _ => is_unchanged(c) && has_symbol(c) && !starts_user_defined(c),
        });
        // An added token in a word would have its first character there.
        for token in added.tokens().iter().filter(|token| token.normalized) {
            for spelling in [token.content.as_str(), added.sought(token)] {
                plain.remove(spelling.chars().find(|&c| c != ' ' && c != MARK)?);
            }
        }
        let marks = symbols.is_none_or(|symbols| symbols[usize::from(b' ')].is_some());
        let is_worth_it = marks && ('!'..='~').any(|c| plain.has(c));
        is_worth_it.then(|| Self {
            ruled: if symbols.is_none() { ruled(normalizer, points, &plain, starts_user_defined) } else { None },
            plain,
            joined: ascii_pairs::joined(vocab),
            unknown: match &stages.model {
                Model::Unigram(unigram) => unigram.unknown_run(),
                _ => None,
            },
            symbols: symbols.map(|symbols| Box::new(symbols.map(Option::unwrap_or_default))),
            divides_characters: matches!(normalizer, Some(Normalizer::SentencePiece(_))),
            starts_with_space: symbols.is_none() && !points.in_pretoken,
            max_bytes: match &stages.model {
                Model::Unigram(_) => MAX_BYTES_OF_PARTS,
                _ => SHORT,
            },
            drops_spaces: spaces == Spaces::Dropped,
        })
    }

    /// Whether a word, which may start with a space, is one of these that the stages leave as it is, and not too long.
    #[inline]
    pub(super) fn has(&self, word: &str) -> bool {
        self.rest(word).is_some_and(|rest| rest.chars().all(|c| self.plain.has(c)))
    }

    /// What is behind the space of a word that may be one of these.
    #[inline]
    fn rest<'a>(&self, word: &'a str) -> Option<&'a str> {
        let rest = word.strip_prefix(' ').unwrap_or(word);
        let has_space = rest.len() < word.len() || !self.starts_with_space;
        (word.len() <= self.max_bytes && !rest.is_empty() && has_space).then_some(rest)
    }

    /// A word, which may start with a space, as the normalizer leaves it, if it is one of these.
    #[inline]
    pub(super) fn normalized<'a>(&self, word: &'a str, normalizer: Option<&Normalizer>) -> Option<Cow<'a, str>> {
        if self.has(word) {
            return Some(Cow::Borrowed(word));
        }
        let ruled = self.ruled.as_ref()?;
        let is_one = self.rest(word).is_some_and(|rest| rest.chars().all(|c| self.plain.has(c) || ruled.has(c)));
        is_one.then(|| self.normalized_part(word, normalizer)).filter(|now| now.len() <= self.max_bytes)
    }

    /// A part of such a word as the normalizer leaves it.
    pub(super) fn normalized_part<'a>(&self, part: &'a str, normalizer: Option<&Normalizer>) -> Cow<'a, str> {
        let Some(rules) = self.rules(normalizer).filter(|rules| part.contains(|c| rules.ruled.has(c))) else {
            return Cow::Borrowed(part);
        };
        let mut now = String::with_capacity(part.len());
        for c in part.chars() {
            match rules.of(c) {
                Some(new) => now.push_str(new),
                None => now.push(c),
            }
        }
        Cow::Owned(now)
    }

    #[inline]
    fn rules<'a>(&'a self, normalizer: Option<&'a Normalizer>) -> Option<Rules<'a>> {
        Some(Rules { ruled: self.ruled.as_ref()?, charsmap: normalizer?.charsmap()? })
    }

    /// Counts the ends of tokens in the original. They were counted in what the normalizer leaves of it: a space, or none, and the
    /// `rest`. In the original the space has `space` bytes. Returns false if a token ends inside of what a character became.
    pub(super) fn count_in_word(
        &self,
        tokens: &mut [(Id, u32)],
        space: usize,
        rest: &str,
        normalizer: Option<&Normalizer>,
    ) -> bool {
        let rules = self.rules(normalizer);
        let mut rest = rest.chars();
        let (mut normalized, mut original) = (u32::from(space > 0), space as u32);
        tokens.iter_mut().all(|(_, end)| {
            while normalized < *end
                && let Some(c) = rest.next()
            {
                let new = rules.and_then(|rules| rules.of(c));
                normalized += new.map_or(c.len_utf8(), str::len) as u32;
                original += c.len_utf8() as u32;
            }
            std::mem::replace(end, original) == normalized
        })
    }

    /// The parts of a word, of which no token reaches from one to another.
    #[inline]
    pub(super) fn parts(&self, word: &[u8]) -> impl Iterator<Item = Range<usize>> {
        let mut start = 0;
        std::iter::from_fn(move || {
            if start == word.len() {
                return None;
            }
            let is_joined = |pair: &[u8]| {
                !(pair[0] | pair[1]).is_ascii() || self.joined[usize::from(pair[0] & 127)] >> (pair[1] & 127) & 1 == 1
            };
            let len = 1 + word[start..].windows(2).take_while(|pair| is_joined(pair)).count();
            start += len;
            Some(start - len..start)
        })
    }
}

/// The characters that become plain ones by a rule of the only charsmap, where all other steps leave alone both them and what they
/// become. `None` if there are none.
fn ruled(
    normalizer: Option<&Normalizer>,
    points: &WhiteSpace,
    plain: &CharSet,
    starts_user_defined: impl Fn(char) -> bool,
) -> Option<CharSet> {
    let (steps, rest): (Vec<_>, Vec<_>) = normalizer?.steps().into_iter().partition(|step| step.charsmap().is_some());
    let [charsmap] = steps.into_iter().filter_map(Normalizer::charsmap).collect::<Vec<_>>()[..] else { return None };
    let is_left_alone = |c: char| rest.iter().all(|step| stays(Some(step), c) == Some(c));
    let becomes_plain = |new: &str| !new.is_empty() && new.chars().all(|c| plain.has(c) && is_left_alone(c));
    let is_ruled = |c: char| {
        c != MARK
            && points.is_changed(c)
            && !starts_user_defined(c)
            && charsmap.rule_of(c).is_some_and(becomes_plain)
            && is_left_alone(c)
    };
    Some(CharSet::new(is_ruled)).filter(|ruled| !ruled.is_empty())
}

/// Makes one token of unknown neighbours in a word, whose tokens are given with their ends.
pub(super) fn join_unknown(tokens: &mut Vec<(Id, u32)>, unknown: Id) {
    tokens.dedup_by(|next, last| {
        let joins = next.0 == unknown && last.0 == unknown;
        if joins {
            last.1 = next.1;
        }
        joins
    });
}

/// Whether some tokens of a word or part, given with their ends, have the span of the same character.
pub(super) fn share_spans(text: &str, tokens: &[(Id, u32)]) -> bool {
    !text.is_ascii() && tokens.windows(2).any(|two| two[0].1 == two[1].1)
}

/// The key of a part of a plain word. The first part may be a word, too; others have keys that no word has, since in some
/// stages a word without a space before it has other tokens.
#[inline(always)]
pub(super) fn part_key(word: &[u8], part: &Range<usize>) -> Key {
    const LATER: Key = 1 << 127;
    let is_word = part.start == 0 && (part.len() > 1 || word[0] != b' ');
    key_at(word, part.start, part.len()) | if is_word { 0 } else { LATER }
}

/// Calls `read` with a part as a Unigram model reads it, a mark in the place of the space, and the number of bytes it is longer by.
#[inline(always)]
pub(super) fn with_mark<T>(part: &str, read: impl FnOnce(&str, usize) -> T) -> T {
    const ADDED: usize = SPACE_MARK.len() - 1;
    let (mut short, long);
    let (marked, added) = match part.strip_prefix(' ') {
        None => (part, 0),
        // Most are short, and need no memory from the heap.
        Some(rest) if rest.len() <= SHORT => {
            short = [0; SPACE_MARK.len() + SHORT];
            let (mark, room) = short.split_at_mut(SPACE_MARK.len());
            mark.copy_from_slice(SPACE_MARK.as_bytes());
            room[..rest.len()].copy_from_slice(rest.as_bytes());
            (std::str::from_utf8(&short[..part.len() + ADDED]).unwrap_or_default(), ADDED)
        }
        Some(rest) => {
            long = [SPACE_MARK, rest].concat();
            (&*long, ADDED)
        }
    };
    read(marked, added)
}

/// What becomes of spaces; `None` if words are not one pretoken each.
fn spaces(stages: &Stages, points: &WhiteSpace) -> Option<Spaces> {
    const MARKS: Metaspace = Metaspace { replacement: MARK, prepend: Prepend::Always, split: true };
    let is_unigram = matches!(stages.model, Model::Unigram(_));
    let normalizer = stages.normalizer.as_ref();
    let space = normalized(normalizer, " ");
    let is_mark = space.as_deref() == Some(SPACE_MARK);
    match (&stages.pretokenizer, normalizer) {
        (None, Some(Normalizer::SentencePiece(all))) => {
            Some(if all.remove_extra_whitespaces { Spaces::OneMark } else { Spaces::Marks })
        }
        // Other steps may change runs.
        (None | Some(Pretokenizer::Split(_)), _) if !is_unigram && points.in_pretoken && is_mark => {
            Some(if makes_marks(normalizer) { Spaces::Marks } else { Spaces::OneMark })
        }
        (Some(Pretokenizer::Metaspace(metaspace)), _)
            if is_unigram
                && metaspace.split
                && metaspace.replacement == MARK
                && (is_mark || space.as_deref() == Some(" ")) =>
        {
            Some(Spaces::OneMark)
        }
        (Some(Pretokenizer::Sequence(all)), _)
            if is_unigram
                && matches!(all[..], [Pretokenizer::WhitespaceSplit, Pretokenizer::Metaspace(MARKS)])
                && points.drops_runs =>
        {
            Some(Spaces::Dropped)
        }
        _ => None,
    }
}

/// Whether a character of white space other than the space stays as it is wherever it is.
fn is_kept_white(normalizer: Option<&Normalizer>, byte: u8) -> bool {
    let keeps = |step: &Normalizer| match step {
        Normalizer::Prepend(_) | Normalizer::SentencePiece(_) => true,
        Normalizer::Replace(replace) => *replace.matcher.expression() == Expression::Text(" ".into()),
        _ => false,
    };
    matches!(byte, b'\n' | b'\t') && normalizer.is_none_or(|normalizer| normalizer.steps().into_iter().all(keeps))
}

/// Whether a normalizer leaves a character of ASCII as it is in a word of plain characters.
fn leaves_alone(normalizer: Option<&Normalizer>, byte: u8) -> bool {
    let c = char::from(byte);
    normalizer.is_none_or(|normalizer| {
        normalizer.steps().into_iter().all(|step| match step {
            Normalizer::Charsmap(charsmap) => charsmap.rule_of(c).is_none(),
            Normalizer::SentencePiece(all) => {
                !all.kept.may_start(byte)
                    && all.charsmap.as_ref().is_none_or(|rules| !rules.has_rule_in_ascii(byte) && !rules.has_inside(c))
                    && all.escape_whitespaces
                    && !all.whitespace_is_suffix
            }
            Normalizer::Replace(replace) => match replace.matcher.expression() {
                Expression::Text(text) => !text.contains(c),
                // Those with split points look for white space alone.
                Expression::Regex(_) | Expression::FancyRegex(_) => !c.is_whitespace(),
            },
            Normalizer::Lowercase => !byte.is_ascii_uppercase(),
            Normalizer::Form(_)
            | Normalizer::Strip { .. }
            | Normalizer::StripAccents
            | Normalizer::Prepend(_)
            | Normalizer::Nmt
            | Normalizer::CollapseWhitespace
            | Normalizer::RemoveControls => true,
            Normalizer::Bert(_) | Normalizer::ByteLevel | Normalizer::Language(_) | Normalizer::Sequence(_) => false,
        })
    })
}
