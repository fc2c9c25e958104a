//! What the tokens of a SentencePiece model are for: which ones text may become, which ones stand for bytes.
//!
//! Shared by the models that follow `sentencepiece`: [`super::unigram`] and [`super::bpe::characters`].
//!
//! Source: `ModelProto::SentencePiece::Type` in `sentencepiece_model.proto`.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::bpe::characters::byte_token;
use super::trie::Trie;
use crate::ids::Id;
use crate::matching::prefixes::Prefixes;
use crate::vocab::{Kind, Vocab};

/// The kinds of all tokens, and what follows from them.
#[derive(Clone, Debug)]
pub struct Kinds {
    kinds: Vec<Kind>,
    unknown: Id,
    /// Tokens of all bytes, if the model replaces unknown characters by their bytes.
    bytes: Option<Box<[Id; 256]>>,
    user_defined: Prefixes,
}

impl Kinds {
    /// The kinds of the tokens in `vocab`, one per id.
    ///
    /// Errors, in words: no unknown token or several, a byte without a token although `byte_fallback` asks for all.
    pub(crate) fn new(vocab: &Vocab, kinds: Vec<Kind>, byte_fallback: bool) -> Result<Self, String> {
        let of = |want: fn(Kind) -> bool| {
            let kinds = &kinds;
            vocab.iter().filter(move |(id, _)| kinds.get(*id as usize).is_some_and(|&kind| want(kind)))
        };
        let mut all_unknown = of(|kind| kind == Kind::Unknown);
        let Some((unknown, _)) = all_unknown.next() else { return Err("no token is the unknown one".into()) };
        if let Some((second, _)) = all_unknown.next() {
            return Err(format!("ids {unknown} and {second} are both the unknown token; there can be one"));
        }
        if !Trie::has_room(of(|kind| !kind.is_reserved()).map(|(_, token)| token).collect()) {
            return Err("the tokens are too many or too long: what they do not share of their beginnings is over 4 million bytes".into());
        }
        let user_defined = Prefixes::new(of(|kind| kind == Kind::UserDefined).map(|(_, token)| token))?;
        let bytes = byte_fallback.then(|| byte_ids(of(|kind| kind == Kind::Byte))).transpose()?;
        drop(all_unknown);
        Ok(Self { unknown, bytes, user_defined, kinds })
    }

    /// What a token is for; the default for an id without a token.
    pub fn of(&self, id: Id) -> Kind {
        self.kinds.get(id as usize).copied().unwrap_or_default()
    }

    /// One kind per id.
    pub(crate) fn all(&self) -> &[Kind] {
        &self.kinds
    }

    /// The token for characters that are in no other.
    pub(crate) fn unknown(&self) -> Id {
        self.unknown
    }

    /// The tokens of the bytes that replace unknown characters, if they do.
    pub fn bytes(&self) -> Option<&[Id; 256]> {
        self.bytes.as_deref()
    }

    /// The user-defined tokens.
    pub(crate) fn user_defined(&self) -> &Prefixes {
        &self.user_defined
    }

    /// Calls `each` with the tokens of a segmentation: bytes in the place of each unknown character, or one unknown token for
    /// a run of them. Bytes of `text` that are one character each have a range of one byte each.
    pub(crate) fn push(
        &self,
        text: &str,
        tokens: impl Iterator<Item = (Id, Range<usize>)>,
        each: &mut impl FnMut(Id, Range<usize>),
    ) {
        let mut pusher = self.pusher(text, each);
        tokens.for_each(|(id, range)| pusher.push(id, range));
        pusher.finish();
    }

    /// The same for tokens that come one by one.
    pub(crate) fn pusher<'a, F: FnMut(Id, Range<usize>)>(&'a self, text: &'a str, each: F) -> Pusher<'a, F> {
        Pusher { kinds: self, text, each, waiting: None }
    }
}

/// Replaces unknown characters in a segmentation: see [`Kinds::push`].
pub(crate) struct Pusher<'a, F> {
    kinds: &'a Kinds,
    text: &'a str,
    each: F,
    /// A run of unknown characters.
    waiting: Option<Range<usize>>,
}

impl<F: FnMut(Id, Range<usize>)> Pusher<'_, F> {
    /// The next token and its bytes in the text.
    #[inline]
    pub(crate) fn push(&mut self, id: Id, range: Range<usize>) {
        match (id == self.kinds.unknown, &self.kinds.bytes) {
            (true, Some(bytes)) => {
                for at in range {
                    (self.each)(bytes[usize::from(self.text.as_bytes()[at])], at..at + 1);
                }
            }
            (true, None) => {
                let start = self.waiting.take().map_or(range.start, |before| before.start);
                self.waiting = Some(start..range.end);
            }
            (false, _) => {
                self.push_waiting();
                (self.each)(id, range);
            }
        }
    }

    /// To be called after the last token.
    pub(crate) fn finish(mut self) {
        self.push_waiting();
    }

    fn push_waiting(&mut self) {
        if let Some(range) = self.waiting.take() {
            (self.each)(self.kinds.unknown, range);
        }
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
