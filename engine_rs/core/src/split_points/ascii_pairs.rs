//! Between two visible characters of ASCII: split points that the two characters tell, for those that are symbols or stand
//! beside one.
//!
//! Words and what follows them, such as ` word` and `,`, are encoded apart from each other. Either both are in one pretoken, and
//! no token holds both characters ([`super::characters`]), or the pretokenizer starts a pretoken between them whatever is around
//! them. That is so
//! * between a symbol and any other character for BERT's pretokenizer;
//! * between a character of words (`\w`) and another one for `Whitespace`;
//! * between letters, digits and symbols, and between two digits, where the matches are CLIP's: some spellings, or else a run of
//!   letters, a number, or a run of symbols. A spelling may reach across such a place if it holds both characters, as `'s` does,
//!   and some normalized added token may.
//!
//! The normalizer makes one visible character of each, whatever is before it, and letters only become small. Marks join with what is
//! before them: behind a split point may be a letter that becomes another one with the mark after it. A rule of a charsmap may do
//! that, whose letter some token may hold, and a normalization form makes ≠, which BERT's pretokenizer does not take for a
//! symbol. So with some characters behind it ([`InAscii::open`]), such a place counts only where no other than ASCII follows.

use super::normalizer::stays;
use crate::added_tokens::AddedTokens;
use crate::alignment::Behavior;
use crate::matching::Expression;
use crate::models::space_mark::MARK;
use crate::normalizers::Normalizer;
use crate::pretokenizers::Pretokenizer;
use crate::stages::Stages;
use crate::vocab::Vocab;

/// By character of ASCII: bit n stands for the character n after it.
pub type AsciiPairs = [u128; 128];

/// Split points between two visible characters of ASCII.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InAscii {
    pairs: Box<[Set; 128]>,
    /// Whether a character that is no ASCII may change what becomes of one before it.
    open: Set,
}

/// A set of characters of ASCII: `c` is bit `c % 32` of word `c / 32`.
type Set = [u32; 4];

fn set(characters: u128) -> Set {
    [0, 32, 64, 96].map(|from| (characters >> from) as u32)
}

/// Whether a set has a character of ASCII, in the lowest bit. The other bits say nothing.
#[inline(always)]
fn has(set: &Set, character: u8) -> u32 {
    set[usize::from(character >> 5 & 3)] >> (character & 31)
}

impl InAscii {
    fn new(pairs: &AsciiPairs, open: u128) -> Self {
        Self { pairs: Box::new(pairs.map(set)), open: set(open) }
    }

    /// Whether there is one between two characters, whatever is around them.
    #[inline]
    pub fn is_between(&self, before: char, behind: char) -> bool {
        before.is_ascii() && behind.is_ascii() && self.is_before(before as u8, behind as u8, 0xff) == 1
    }

    /// 1 if there is one between two characters of ASCII that `after` follows, a byte; 0 if not.
    #[inline(always)]
    pub fn is_before(&self, before: u8, behind: u8, after: u8) -> u64 {
        let is_pair = has(&self.pairs[usize::from(before & 127)], behind);
        (is_pair & (u32::from(after.is_ascii()) | !has(&self.open, behind)) & 1).into()
    }
}

/// Where the pretokenizer of stages starts a pretoken in texts with these added tokens; `None` where nothing is proved.
pub(super) fn between_pretokens(stages: &Stages, added: &AddedTokens) -> Option<InAscii> {
    let normalizer = stages.normalizer.as_ref();
    let in_normalized = || added.tokens().iter().filter(|token| token.normalized);
    if !normalizer.is_none_or(keeps_visible) || in_normalized().any(|token| token.single_word) {
        return None;
    }
    let splitter = Splitter::of(stages.pretokenizer.as_ref()?)?;
    let spellings: Vec<&[u8]> = in_normalized()
        .flat_map(|token| [token.content.as_bytes(), added.sought(token).as_bytes()])
        .chain(splitter.spellings())
        .collect();
    let now = |byte: u8| stays(normalizer, byte.into()).filter(char::is_ascii_graphic).map(|c| c as u8);
    let is_start = |before: u8, behind: u8| {
        let holds_both = |spelling: &&[u8]| spelling.windows(2).any(|two| two == [before, behind]);
        splitter.starts_between(before, behind) && !spellings.iter().any(holds_both)
    };
    let mut pairs = Box::new([0; 128]);
    for before in b'!'..=b'~' {
        let starts = (b'!'..=b'~').filter(|&behind| {
            let (before, behind) = (now(before), now(behind));
            before.zip(behind).is_some_and(|(before, behind)| is_start(before, behind))
        });
        pairs[usize::from(before)] = starts.fold(0, |all, behind| all | 1_u128 << behind);
    }
    let becomes_other = if matches!(splitter, Splitter::Symbols) { "<=>" } else { "" };
    Some(InAscii::new(&pairs, becomes_other.bytes().fold(0, |all, byte| all | 1 << byte)))
}

/// Where two characters in one pretoken, both in `plain` by bits, are in no token side by side. With what follows them, those
/// in `open` may become others.
pub(super) fn within_pretokens(plain: u128, open: u128, vocab: &Vocab) -> InAscii {
    let graphic = plain & GRAPHIC;
    let mut pairs = joined(vocab);
    for (before, behind) in pairs.iter_mut().enumerate() {
        let sides = if SYMBOLS >> before & 1 == 1 { graphic } else { graphic & SYMBOLS };
        *behind = if graphic >> before & 1 == 1 { sides & !*behind } else { 0 };
    }
    InAscii::new(&pairs, open)
}

/// Whether a normalizer makes one visible character of each of ASCII, whatever other one is beside it.
fn keeps_visible(normalizer: &Normalizer) -> bool {
    match normalizer {
        Normalizer::Form(_) | Normalizer::Lowercase | Normalizer::StripAccents | Normalizer::Strip { .. } => true,
        Normalizer::Replace(replace) => {
            let is_white = match replace.matcher.expression() {
                Expression::Text(text) => text.chars().all(char::is_whitespace),
                // Those with split points look for white space alone.
                Expression::Regex(_) | Expression::FancyRegex(_) => true,
            };
            is_white && replace.content.chars().all(char::is_whitespace)
        }
        Normalizer::Sequence(all) => all.iter().all(keeps_visible),
        _ => false,
    }
}

/// What is known of a pretokenizer.
enum Splitter {
    Symbols,
    Words,
    /// Runs of one class, but for these spellings.
    Classes(Vec<Vec<u8>>),
}

impl Splitter {
    fn of(pretokenizer: &Pretokenizer) -> Option<Self> {
        match pretokenizer {
            Pretokenizer::Bert => Some(Self::Symbols),
            Pretokenizer::Whitespace => Some(Self::Words),
            Pretokenizer::Split(split) if split.is_inverted() && split.behavior() == Behavior::Removed => {
                let (Expression::Regex(regex) | Expression::FancyRegex(regex)) = split.expression() else {
                    return None;
                };
                spellings_before_classes(regex).map(Self::Classes)
            }
            // Later ones see one pretoken at a time.
            Pretokenizer::Sequence(all) => Self::of(all.first()?),
            _ => None,
        }
    }

    fn spellings(&self) -> impl Iterator<Item = &[u8]> {
        let spellings = match self {
            Self::Classes(spellings) => spellings.as_slice(),
            _ => &[],
        };
        spellings.iter().map(Vec::as_slice)
    }

    /// Between two visible characters.
    fn starts_between(&self, before: u8, behind: u8) -> bool {
        match self {
            Self::Symbols => before.is_ascii_punctuation() || behind.is_ascii_punctuation(),
            Self::Words => {
                let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
                is_word(before) != is_word(behind)
            }
            Self::Classes(_) => {
                let class = |byte: u8| (byte.is_ascii_alphabetic(), byte.is_ascii_digit());
                class(before) != class(behind) || behind.is_ascii_digit()
            }
        }
    }
}

/// The spellings of an expression that matches one of them, or else a run of letters, a number or a run of symbols.
fn spellings_before_classes(regex: &str) -> Option<Vec<Vec<u8>>> {
    const CLASSES: &str = r"[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+";
    let mut spellings = vec![vec![]];
    let mut characters = regex.strip_suffix(CLASSES)?.bytes();
    while let Some(byte) = characters.next() {
        let byte = match byte {
            b'|' => {
                spellings.push(vec![]);
                continue;
            }
            b'\\' => characters.next().filter(u8::is_ascii_punctuation)?,
            byte => Some(byte).filter(|byte| byte.is_ascii_alphanumeric() || b"'<>".contains(byte))?,
        };
        spellings.last_mut()?.push(byte);
    }
    // What the last bar begins are the classes.
    spellings.pop()?.is_empty().then_some(spellings)
}

/// The characters of ASCII that are seen.
const GRAPHIC: u128 = ((1 << 94) - 1) << b'!';
/// Those of them that are neither letters nor digits.
const SYMBOLS: u128 = {
    let (digits, capitals, letters) = (((1 << 10) - 1) << b'0', ((1 << 26) - 1) << b'A', ((1 << 26) - 1) << b'a');
    GRAPHIC & !(digits | capitals | letters)
};

/// Characters of ASCII that stand side by side in a token. The mark is the space.
pub(crate) fn joined(vocab: &Vocab) -> Box<AsciiPairs> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_an_expression_are_read_or_the_expression_is_unknown() {
        let classes = r"[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+";
        let read = |before: &str| spellings_before_classes(&format!("{before}{classes}"));
        assert_eq!(read(""), Some(vec![]));
        assert_eq!(read(r"<\|end\|>|'s|"), Some(vec![b"<|end|>".to_vec(), b"'s".to_vec()]));
        for unknown in ["a", "a+|", "a?|", "(a)|", r"\s|", r"\d|", ".|", "[a]|", "^a|", "é|", r"a{2}|", "\\"] {
            assert_eq!(read(unknown), None, "{unknown}");
        }
        assert_eq!(spellings_before_classes("a|b"), None);
    }
}
