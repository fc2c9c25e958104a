//! The models of SentencePiece: tokens with 32-bit scores and kinds, and four segmentations of a text by them.
//!
//! They take a whole normalized text, words and all. Not here: the models of a tokenizer.json ([`super::unigram`],
//! [`super::bpe::characters`]), which do the same another way: 64-bit scores, ranks of pairs, words split before.
//!
//! Source: Kudo and Richardson 2018, SentencePiece; behaviour as in `sentencepiece` 0.2.

pub mod bpe;
pub mod unigram;

use std::convert::Infallible;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::bpe::characters::byte_token;
use super::trie::Trie;
use super::units::Units;
use crate::ids::Id;
use crate::matching::prefixes::Prefixes;
use crate::memory::HeapBytes;
use crate::vocab::Vocab;

/// What a token is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    #[default]
    Normal,
    /// Stands for what is in no other token. There is one.
    Unknown,
    /// Controls the model; no text becomes it.
    Control,
    /// Text that is never split and that the normalizer leaves alone.
    UserDefined,
    /// A byte of a character that is in no other token.
    Byte,
    /// Text that was a token; it is split into others.
    Unused,
}

impl Kind {
    /// Whether no text becomes such tokens by being spelled like them.
    pub fn is_reserved(self) -> bool {
        matches!(self, Self::Unknown | Self::Control | Self::Byte)
    }
}

/// How a text is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The largest sum of scores.
    Unigram,
    /// The pair with the largest score merges first.
    Bpe,
    /// Before spaces.
    Word,
    /// Between characters.
    Character,
}

/// Tokens with their kinds and scores, and what is looked up in them.
#[derive(Clone, Debug)]
pub struct Scored {
    algorithm: Algorithm,
    kinds: Vec<Kind>,
    scores: Vec<f32>,
    unknown: Id,
    /// Tokens of all bytes, where the model takes characters apart that it does not know.
    bytes: Option<Box<[Id; 256]>>,
    /// Tokens that text may become.
    tokens: FxHashMap<Box<[u8]>, Id>,
    user_defined: Prefixes,
    falls_into_units: bool,
    unigram: Option<unigram::Tables>,
    bpe: Option<bpe::Tables>,
}

/// Memory to be used again.
#[derive(Default)]
pub struct Scratch {
    unigram: unigram::Scratch,
    bpe: bpe::Scratch,
    units: Units,
}

impl HeapBytes for Scratch {
    fn heap_bytes(&self) -> usize {
        self.unigram.heap_bytes() + self.bpe.heap_bytes() + self.units.heap_bytes()
    }
}

impl Scored {
    /// A model over the tokens in `vocab`; `kinds` and `scores` have one entry per id.
    ///
    /// Errors: in words, what a model cannot do without: one unknown token, all bytes where they are asked for, room.
    pub fn new(
        algorithm: Algorithm,
        vocab: &Vocab,
        kinds: Vec<Kind>,
        scores: Vec<f32>,
        byte_fallback: bool,
    ) -> Result<Self, String> {
        let of = |want: fn(Kind) -> bool| {
            let kinds = &kinds;
            vocab.iter().filter(move |(id, _)| kinds.get(*id as usize).is_some_and(|&kind| want(kind)))
        };
        let mut unknown = of(|kind| kind == Kind::Unknown);
        let Some((unknown_id, _)) = unknown.next() else { return Err("no token is the unknown one".into()) };
        if let Some((second, _)) = unknown.next() {
            return Err(format!("ids {unknown_id} and {second} are both the unknown token; there can be one"));
        }
        let text = |kind: Kind| !kind.is_reserved();
        if !Trie::has_room(of(text).map(|(_, token)| token).collect()) {
            return Err("the tokens are too many or too long: what they do not share of their beginnings is over 4 million bytes".into());
        }
        let user_defined = Prefixes::new(of(|kind| kind == Kind::UserDefined).map(|(_, token)| token))?;
        let boxed = |(id, token): (Id, &[u8])| (Box::from(token), id);
        let tokens: FxHashMap<Box<[u8]>, Id> = of(text).map(boxed).collect();
        let bytes = byte_fallback.then(|| byte_ids(of(|kind| kind == Kind::Byte))).transpose()?;
        let falls_into_units = algorithm != Algorithm::Unigram
            && !kinds.contains(&Kind::Unused)
            && !of(text).any(|(_, token)| has_inner_mark(token))
            // The normalizer leaves these alone, so that a space is one still.
            && !of(|kind| kind == Kind::UserDefined).any(|(_, token)| token.iter().skip(1).any(|&byte| byte == b' '));
        let unigram = (algorithm == Algorithm::Unigram).then(|| unigram::Tables::new(&tokens, &kinds, &scores));
        let bpe = match algorithm {
            Algorithm::Bpe => Some(bpe::Tables::new(&tokens, &kinds, &scores)?),
            _ => None,
        };
        let unknown = unknown_id;
        Ok(Self { algorithm, kinds, scores, unknown, bytes, tokens, user_defined, falls_into_units, unigram, bpe })
    }

    /// Appends the tokens of a normalized text, with the bytes of it they stand for: unknown ones as they come, bytes not
    /// yet in their place.
    pub fn encode(&self, text: &str, scratch: &mut Scratch, out: &mut Vec<(Id, Range<usize>)>) {
        match (&self.unigram, &self.bpe) {
            (Some(tables), _) => tables.encode(self, text, &mut scratch.unigram, out),
            (_, Some(tables)) => tables.encode(self, text, &mut scratch.bpe, out),
            _ if self.algorithm == Algorithm::Word => {
                words(text, |range| out.push((self.id_of(&text[range.clone()]), range)))
            }
            _ => self.symbols(text, |range, _| out.push((self.id_of(&text[range.clone()]), range))),
        }
    }

    /// The same, unit by unit if the text falls into them; each is remembered. `looked_up` is told of each whether it was
    /// known.
    pub fn encode_units(
        &self,
        text: &str,
        scratch: &mut Scratch,
        out: &mut Vec<(Id, Range<usize>)>,
        looked_up: impl FnMut(bool),
    ) {
        if !self.falls_into_units {
            return self.encode(text, scratch, out);
        }
        let mut units = std::mem::take(&mut scratch.units);
        let Ok(()) = units.encode(
            text,
            out,
            |range, out| {
                self.encode(&text[range], scratch, out);
                Ok::<_, Infallible>(())
            },
            looked_up,
        );
        scratch.units = units;
    }

    /// The token that a text is as a whole, or the unknown one.
    fn id_of(&self, text: &str) -> Id {
        self.tokens.get(text.as_bytes()).copied().unwrap_or(self.unknown)
    }

    /// Characters and user-defined tokens of a text, in order; for each whether it is one of the latter.
    fn symbols(&self, text: &str, mut found: impl FnMut(Range<usize>, bool)) {
        let mut at = 0;
        while at < text.len() {
            let kept = self.user_defined.longest(&text.as_bytes()[at..]);
            let len = if kept > 0 { kept } else { text[at..].chars().next().map_or(1, char::len_utf8) };
            found(at..at + len, kept > 0);
            at += len;
        }
    }

    /// Whether what is between a character and a space mark after it can be looked at alone: no token reaches across.
    pub fn falls_into_units(&self) -> bool {
        self.falls_into_units
    }

    /// How the text is split.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// What a token is for; the default where there is none.
    pub fn kind(&self, id: Id) -> Kind {
        self.kinds.get(id as usize).copied().unwrap_or_default()
    }

    /// The token's score.
    pub fn score(&self, id: Id) -> Option<f32> {
        self.scores.get(id as usize).copied()
    }

    /// The token for what is in no other.
    pub fn unknown(&self) -> Id {
        self.unknown
    }

    /// The tokens of the bytes that take the place of what is unknown, if they do.
    pub fn bytes(&self) -> Option<&[Id; 256]> {
        self.bytes.as_deref()
    }

    /// The user-defined tokens.
    pub fn user_defined(&self) -> &Prefixes {
        &self.user_defined
    }
}

/// The ids of `<0x00>` to `<0xFF>`.
fn byte_ids<'a>(tokens: impl Iterator<Item = (Id, &'a [u8])>) -> Result<Box<[Id; 256]>, String> {
    let tokens: FxHashMap<&[u8], Id> = tokens.map(|(id, token)| (token, id)).collect();
    let mut ids = Box::new([0; 256]);
    for (byte, id) in ids.iter_mut().enumerate() {
        let spelling = byte_token(byte as u8);
        let found = tokens.get(spelling.as_bytes());
        *id = *found.ok_or_else(|| format!("byte_fallback is on, but there is no byte token {spelling}"))?;
    }
    Ok(ids)
}

/// Whether a token has a space mark after another character.
fn has_inner_mark(token: &[u8]) -> bool {
    String::from_utf8_lossy(token).trim_start_matches('\u{2581}').contains('\u{2581}')
}

/// The words of a text: each starts at a space mark.
fn words(text: &str, mut found: impl FnMut(Range<usize>)) {
    let mut start = 0;
    for (at, c) in text.char_indices() {
        if c == '\u{2581}' && at > start {
            found(start..at);
            start = at;
        }
    }
    if start < text.len() {
        found(start..text.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use crate::vocab::Vocab;

    fn model(algorithm: Algorithm, tokens: &[(&str, f32, Kind)]) -> Scored {
        let mut vocab = Vocab::default();
        for (id, (token, ..)) in tokens.iter().enumerate() {
            vocab.insert(id as Id, token.as_bytes()).expect("each once");
        }
        let (kinds, scores) = tokens.iter().map(|&(_, score, kind)| (kind, score)).unzip();
        Scored::new(algorithm, &vocab, kinds, scores, false).expect("a model")
    }

    #[test]
    fn the_same_tokens_as_without_units() {
        let normal = Kind::Normal;
        let tokens = [
            ("<unk>", 0.0, Kind::Unknown),
            ("▁", -9.0, normal),
            ("a", -9.0, normal),
            ("▁a", -1.0, normal),
            ("ab", -2.0, normal),
            ("▁▁", -2.0, normal),
            ("ba", -3.0, normal),
            ("▁▁a", -3.5, normal),
            ("aa", -4.0, normal),
            ("▁aa", -5.0, normal),
            ("cb", 0.0, Kind::UserDefined),
        ];
        let model = model(Algorithm::Bpe, &tokens);
        assert!(model.falls_into_units());
        let mut random = Random::new(11);
        let mut scratch = Scratch::default();
        for _ in 0..3000 {
            let text: String = (0..random.below(40)).map(|_| *random.pick(&["▁", "a", "b", "c", "▁a"])).collect();
            let (mut whole, mut parts) = (vec![], vec![]);
            model.encode(&text, &mut scratch, &mut whole);
            model.encode_units(&text, &mut scratch, &mut parts, |_| {});
            assert_eq!(whole, parts, "{text}");
        }
    }

    #[test]
    fn tokens_across_marks_and_unused_ones_keep_a_text_whole() {
        let unknown = ("<unk>", 0.0, Kind::Unknown);
        let falls = |algorithm, token, kind| model(algorithm, &[unknown, (token, -1.0, kind)]).falls_into_units();
        assert!(falls(Algorithm::Bpe, "▁▁a", Kind::Normal));
        assert!(!falls(Algorithm::Bpe, "a▁", Kind::Normal));
        assert!(!falls(Algorithm::Bpe, "a▁b", Kind::UserDefined));
        assert!(!falls(Algorithm::Bpe, "ab", Kind::Unused));
        assert!(!falls(Algorithm::Unigram, "ab", Kind::Normal));
        assert!(falls(Algorithm::Bpe, "a▁", Kind::Control));
    }
}
