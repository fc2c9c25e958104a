//! Where a text falls into parts that go through the stages independently: at white space behind words and symbols.
//!
//! Take `a| b`, where `a` is a letter, a number or a symbol of ASCII and a space is behind it. It is a split point, at
//! which `encode(text) = encode(left) ++ encode(right)`, if
//! * *no spelling of an added token* stands across it or takes what is behind it, so that both sides belong to one section
//!   of the text;
//! * *the normalizer* works on characters, or on what is between them without reaching over a space behind a word, and
//!   neither takes `a` away nor makes white space of it. What is put before a text or taken from its start is the first
//!   part's affair: the second one is encoded as going on ([`crate::stages::Start::Inside`]);
//! * and either *the pretokenizer* splits there and every later one works one pretoken at a time, so that the model sees the
//!   same pretokens; or there is one pretoken, in which no merge reaches from a character to the space mark behind it
//!   ([`crate::models::units`]).
//!
//! The same holds of a line end where normalizer and pretokenizer take it for a space.
//!
//! Which characters `a` may be is asked of each: a letter stays a letter by itself, whatever is before it. Charsmaps look at
//! grapheme clusters of fewer than six bytes, so a letter may not be part of one with a rule: letters of Hangul that join are
//! left out, and signs that stand before a letter of their cluster must have no rule.
//!
//! Unigram without such a pretokenizer has no split points: its best path is a sum over the whole text, and sums of
//! numbers of a fixed size depend in their last digits on all that is before. Which path wins a near tie may change far
//! from the edit. Dropout has none: the numbers it draws are counted from the start. Normalizers and pretokenizers that
//! are not named below have not been proved.

use crate::added_tokens::{AddedTokens, Specials};
use crate::alignment::Aligned;
use crate::matching::Expression;
use crate::models::Model;
use crate::models::units::MARK;
use crate::normalizers::Normalizer;
use crate::normalizers::charsmap::Charsmap;
use crate::normalizers::quick_check::QuickCheck;
use crate::normalizers::sentencepiece::SentencePieceNormalizer;
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::characters::{Classes, LETTER, NUMBER};
use crate::pretokenizers::metaspace::Prepend;
use crate::pretokenizers::scanners::deepseek;
use crate::stages::Stages;
use crate::unicode::{is_control, is_mark, lower};

/// Tells split points by the two characters beside them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spaces {
    /// Bit n: whether the character n of ASCII may stand before a split point.
    ascii: u128,
    /// Of the characters beyond ASCII bit n for U+n, as far as U+FFFF.
    others: Box<[u64]>,
    /// Whether a line end may stand behind a split point, as a space may.
    newline: bool,
    /// Whether both sides are in one pretoken.
    pub in_pretoken: bool,
}

impl Spaces {
    /// How stages are split in texts with these added tokens; `None` where they are not.
    pub fn of(stages: &Stages, added: &AddedTokens) -> Option<Self> {
        let normalizer = stages.normalizer.as_ref();
        if normalizer.is_some() && !added.end_in_symbols(Specials::Parse) {
            return None;
        }
        if normalizer.is_some_and(|normalizer| !is_local(normalizer)) || has_dropout(&stages.model) {
            return None;
        }
        let how = |runs: &[&str]| {
            let mut each = runs.iter().map(|run| how_split(stages, normalized(normalizer, run)?));
            let first = each.next()??;
            each.all(|other| other == Some(first)).then_some(first)
        };
        let in_pretoken = how(&[" ", "  ", "   ", " \n"])?;
        // A spelling that ends at a symbol may take the space behind it, or be a pretoken of its own.
        let symbols = !(added.takes_what_follows() || (in_pretoken && added.has_normalized()));
        let may_stand = |c: char| stays(normalizer, c).is_some_and(|now| is_word(now) || (c.is_ascii() && now != MARK));
        let ascii = ('!'..='~').filter(|c| symbols || c.is_ascii_alphanumeric()).filter(|&c| may_stand(c));
        // Where spaces become marks one by one and nothing asks for runs of white space, it may be before a split
        // point, too.
        let white = ['\t', '\n', '\r'].into_iter().filter(|_| symbols && in_pretoken && makes_marks(normalizer));
        let mut others = vec![0; 0x1_0000 / 64];
        for c in ('\u{80}'..='\u{ffff}').filter(|&c| is_word(c) && may_stand(c)) {
            others[c as usize / 64] |= 1 << (c as usize % 64);
        }
        Some(Self {
            ascii: ascii.chain(white).fold(0, |all, c| all | 1 << c as u32),
            others: others.into(),
            newline: how(&["\n", "\n ", "\n\n", "\n  "]) == Some(in_pretoken),
            in_pretoken,
        })
    }

    /// Whether what is between two characters is a split point, whatever added tokens are near: one that takes white
    /// space may be.
    #[inline]
    pub fn is_between(&self, before: char, behind: char) -> bool {
        !before.is_ascii_whitespace()
            && (behind == ' ' || (behind == '\n' && self.newline))
            && self.may_stand_before(before)
    }

    #[inline]
    fn may_stand_before(&self, c: char) -> bool {
        match c as usize {
            c if c < 128 => self.ascii >> c & 1 == 1,
            c => self.others.get(c / 64).is_some_and(|word| word >> (c % 64) & 1 == 1),
        }
    }

    /// The first split point of `text`, in which no added token is spelled that takes white space, behind byte `from`,
    /// which starts a character; the end of the text where there is none.
    #[inline]
    pub fn next(&self, text: &str, from: usize) -> usize {
        let bytes = text.as_bytes();
        let mut at = from + 1;
        // Ends: `at` rises.
        while let Some(eight) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
            let eight = u64::from_le_bytes(*eight);
            let mut white = bytes_equal(eight, b' ') | if self.newline { bytes_equal(eight, b'\n') } else { 0 };
            while white != 0 {
                let found = at + white.trailing_zeros() as usize / 8;
                if self.is_after(text, found) {
                    return found;
                }
                white &= white - 1;
            }
            at += 8;
        }
        let is_white = |byte: u8| byte == b' ' || (byte == b'\n' && self.newline);
        (at..bytes.len()).find(|&at| is_white(bytes[at]) && self.is_after(text, at)).unwrap_or(bytes.len())
    }

    /// Whether the text may be split at byte `at`, where white space is, after what is before it.
    #[inline]
    fn is_after(&self, text: &str, at: usize) -> bool {
        let before = text.as_bytes()[at - 1];
        if before.is_ascii() {
            return self.ascii >> before & 1 == 1;
        }
        text[..at].chars().next_back().is_some_and(|c| self.may_stand_before(c))
    }
}

/// The high bit of each of eight bytes that is `byte`.
#[inline]
fn bytes_equal(eight: u64, byte: u8) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let differing = eight ^ (u64::from(byte) * 0x0101_0101_0101_0101);
    !(((differing & LOW) + LOW) | differing | LOW)
}

fn has_dropout(model: &Model) -> bool {
    matches!(model, Model::Bpe(bpe) if bpe.settings().dropout.is_some_and(|share| share > 0.0))
}

/// Whether the stages split at a character, or within a pretoken: `Some(true)` for that. `None` where they do not
/// split.
fn how_split(stages: &Stages, white: char) -> Option<bool> {
    if stages.pretokenizer.as_ref().is_some_and(|pretokenizer| splits_at(pretokenizer, white)) {
        return Some(false);
    }
    let marked = match &stages.pretokenizer {
        None => white == MARK,
        Some(Pretokenizer::Metaspace(metaspace)) => {
            !metaspace.split && metaspace.replacement == MARK && matches!(white, ' ' | MARK)
        }
        // Gemma's, which finds nothing where all spaces are marks.
        Some(Pretokenizer::Split(split)) => {
            let spaces = Expression::Text(" ".into());
            white == MARK && *split.expression() == spaces && stages.normalizer.as_ref().is_some_and(marks_all_spaces)
        }
        Some(_) => false,
    };
    let in_units = matches!(&stages.model, Model::Bpe(bpe) if bpe.falls_into_units());
    (marked && in_units).then_some(true)
}

/// Whether no space is left in what a normalizer gives.
fn marks_all_spaces(normalizer: &Normalizer) -> bool {
    match normalizer {
        Normalizer::Replace(replace) => {
            *replace.matcher.expression() == Expression::Text(" ".into()) && !replace.content.contains(' ')
        }
        Normalizer::Sequence(all) => all.last().is_some_and(marks_all_spaces),
        _ => false,
    }
}

/// Whether a normalizer does nothing but put marks before texts and in the place of spaces.
fn makes_marks(normalizer: Option<&Normalizer>) -> bool {
    match normalizer {
        None | Some(Normalizer::Prepend(_)) => true,
        Some(Normalizer::Replace(replace)) => *replace.matcher.expression() == Expression::Text(" ".into()),
        Some(Normalizer::Sequence(all)) => all.iter().all(|normalizer| makes_marks(Some(normalizer))),
        Some(_) => false,
    }
}

/// What a run of white space between two letters begins with, where it separates them still.
fn normalized(normalizer: Option<&Normalizer>, run: &str) -> Option<char> {
    let mut text = Aligned::new(&format!("x{run}y"), 0);
    if let Some(normalizer) = normalizer {
        normalizer.inside().normalize(&mut text).ok()?;
    }
    let now = text.text().strip_prefix('x')?.strip_suffix('y')?;
    now.chars().next().filter(|_| now.chars().all(|c| matches!(c, ' ' | '\n' | MARK)))
}

/// Whether a normalizer keeps apart what is on both sides of a space behind what it leaves in place ([`stays`]).
fn is_local(normalizer: &Normalizer) -> bool {
    match normalizer {
        Normalizer::Form(_)
        | Normalizer::Lowercase
        | Normalizer::Strip { .. }
        | Normalizer::Prepend(_)
        | Normalizer::CollapseWhitespace
        | Normalizer::StripAccents
        | Normalizer::Nmt
        | Normalizer::RemoveControls
        | Normalizer::Bert(_) => true,
        Normalizer::SentencePiece(all) => {
            all.escape_whitespaces
                && !all.whitespace_is_suffix
                && !all.kept.strings().any(|kept| kept.contains(&b' '))
                && all.charsmap.as_ref().is_none_or(|rules| !rules.reaches_over_spaces())
        }
        Normalizer::Charsmap(charsmap) => LEADING_SIGNS.iter().all(|&c| charsmap.is_inert(c)),
        Normalizer::Replace(replace) => {
            let holds_words = |text: &str| text.contains(char::is_alphanumeric);
            let local = match replace.matcher.expression() {
                Expression::Text(text) => {
                    text == " " || !text.contains(|c: char| c.is_whitespace() || c.is_alphanumeric())
                }
                // Runs of white space, or of spaces.
                Expression::Regex(regex) | Expression::FancyRegex(regex) => RUNS.contains(&regex.as_str()),
            };
            local && !holds_words(&replace.content)
        }
        Normalizer::Sequence(all) => all.iter().all(is_local),
        Normalizer::ByteLevel | Normalizer::Language(_) => false,
    }
}

/// Expressions for runs of white space, or of spaces.
const RUNS: [&str; 4] = [" {2,}", " +", r"\s+", r"\s{2,}"];

/// Signs that are in one grapheme cluster with what is behind them, of so few bytes that it can have a rule.
const LEADING_SIGNS: [char; 11] = [
    '\u{600}', '\u{601}', '\u{602}', '\u{603}', '\u{604}', '\u{605}', '\u{6dd}', '\u{70f}', '\u{890}', '\u{891}',
    '\u{8e2}',
];

/// What a letter, a number or a symbol of ASCII becomes, where that is one such character, whatever is before it and a space
/// behind it.
fn stays(normalizer: Option<&Normalizer>, c: char) -> Option<char> {
    let now = match normalizer {
        None => c,
        Some(Normalizer::Form(form)) => QuickCheck::of(*form).is_plain(c).then_some(c)?,
        Some(Normalizer::Lowercase) => {
            let mut small = lower(c);
            small.next().filter(|_| small.next().is_none())?
        }
        Some(Normalizer::StripAccents) => (!is_mark(c)).then_some(c)?,
        Some(Normalizer::RemoveControls) => (!is_control(c)).then_some(c)?,
        Some(Normalizer::Bert(bert)) => {
            c.is_ascii().then(|| if bert.lowercase { c.to_ascii_lowercase() } else { c })?
        }
        Some(Normalizer::Charsmap(charsmap)) => in_charsmap(charsmap, c)?,
        Some(Normalizer::SentencePiece(all)) => in_model(all, c)?,
        Some(Normalizer::Replace(replace)) => match replace.matcher.expression() {
            // One that belongs to what is replaced may be gone, or white space.
            Expression::Text(text) if text.contains(c) => {
                replace.content.chars().next_back().filter(char::is_ascii_graphic)?
            }
            _ => c,
        },
        Some(Normalizer::Sequence(all)) => all.iter().try_fold(c, |c, normalizer| stays(Some(normalizer), c))?,
        Some(_) => c,
    };
    (is_word(now) || now.is_ascii_graphic()).then_some(now)
}

fn in_charsmap(charsmap: &Charsmap, c: char) -> Option<char> {
    if c.is_ascii() {
        return match charsmap.rule_of(c) {
            None => Some(c),
            Some(new) => new.chars().next_back().filter(|_| new.chars().all(|c| c.is_ascii_graphic())),
        };
    }
    // Letters of Hangul join with those before them, the sign of Malayalam with what is behind it.
    let joins = matches!(c, '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97f}' | '\u{d7b0}'..='\u{d7ff}' | '\u{d4e}');
    (!joins && charsmap.is_inert(c)).then_some(c)
}

/// A character that no rule has after its first one is what it becomes by itself, whatever is before it.
fn in_model(all: &SentencePieceNormalizer, c: char) -> Option<char> {
    let Some(rules) = &all.charsmap else { return Some(c) };
    let new = match rules.rule_of(c) {
        None => return (!rules.has_inside(c)).then_some(c),
        Some(new) => new,
    };
    new.chars().next_back().filter(|last| !rules.has_inside(c) && !last.is_whitespace())
}

fn is_word(c: char) -> bool {
    Classes::get().of(c) & (LETTER | NUMBER) != 0
}

/// Whether a pretokenizer splits at what white space behind a word became, and looks at each side alone.
fn splits_at(pretokenizer: &Pretokenizer, white: char) -> bool {
    match pretokenizer {
        Pretokenizer::Bert | Pretokenizer::Whitespace | Pretokenizer::WhitespaceSplit => matches!(white, ' ' | '\n'),
        Pretokenizer::Pattern(_) => white == ' ',
        Pretokenizer::ByteLevel(byte_level) => white == ' ' && byte_level.use_regex,
        Pretokenizer::Split(split) => white == ' ' && (split.scanner().is_some() || split.drops_spaces()),
        Pretokenizer::CharDelimiter(delimiter) => white == *delimiter,
        Pretokenizer::Metaspace(metaspace) => metaspace.split && (white == ' ' || white == metaspace.replacement),
        // No match of the third begins inside of white space that follows another character, or holds a space behind one.
        Pretokenizer::Sequence(all) if deepseek::are_splits(all) => {
            white == ' ' && matches!(&all[3..], [] | [Pretokenizer::ByteLevel(_)])
        }
        // Later ones see one pretoken at a time, but for this one, which asks where in the text it is.
        Pretokenizer::Sequence(all) => all.split_first().is_some_and(|(first, later)| {
            let asks = |each: &Pretokenizer| match each {
                Pretokenizer::Metaspace(metaspace) => metaspace.prepend == Prepend::First,
                Pretokenizer::Sequence(_) => true,
                _ => false,
            };
            splits_at(first, white) && !later.iter().any(asks)
        }),
        Pretokenizer::Punctuation(_)
        | Pretokenizer::Digits { .. }
        | Pretokenizer::UnicodeScripts
        | Pretokenizer::FixedLength(_) => false,
    }
}
