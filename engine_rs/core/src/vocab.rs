//! The tokens of a tokenizer by id and by bytes.
//!
//! Tokens are bytes: `Ġhello` in a file of GPT-2 stands for ` hello` here. Ids may have holes.
//! Not here: merge ranks (`models/bpe`), special tokens in texts ([`crate::added_tokens`]).

pub(crate) mod short_tokens;

use std::collections::BTreeMap;
use std::hash::Hasher;
use std::sync::Arc;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::{FxHashMap, FxHasher};

use crate::ids::Id;
use short_tokens::{MAX_ID, ShortKey, ShortTokens};

/// What a token of a SentencePiece model is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    #[default]
    Normal,
    /// Stands for characters that are in no other token. There is one.
    Unknown,
    /// Controls the language model; no text becomes it.
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
    pub(crate) fn is_reserved(self) -> bool {
        matches!(self, Self::Unknown | Self::Control | Self::Byte)
    }
}

/// Tokens by id and by bytes. Clones share their memory: what is put into one of them later, it keeps beside the rest.
#[derive(Clone, Debug, Default)]
pub struct Vocab {
    tokens: Arc<Tokens>,
    /// No bytes of `tokens` are here, and no id.
    later: Arc<Later>,
}

/// A few tokens.
#[derive(Clone, Debug, Default)]
struct Later {
    by_id: BTreeMap<Id, Box<[u8]>>,
    by_bytes: FxHashMap<Box<[u8]>, Id>,
}

#[derive(Clone, Debug, Default)]
struct Tokens {
    /// All tokens' bytes, one after the other.
    bytes: Vec<u8>,
    /// Per id: start and length in `bytes`, or [`HOLE`].
    places: Vec<(u32, u32)>,
    short: ShortTokens,
    /// Ids of longer tokens.
    long: HashTable<Id>,
    count: usize,
}

impl Tokens {
    fn id(&self, token: &[u8]) -> Option<Id> {
        match ShortKey::new(token) {
            Some(key) => self.short.find(key),
            None => self.long.find(hash(token), |&id| slice(&self.bytes, self.places[id as usize]) == token).copied(),
        }
    }

    /// Puts a token in that is found by its bytes from now on, in place of its twin if there is one: the id of that.
    fn put(&mut self, id: Id, token: &[u8]) -> Option<Id> {
        self.place(id, token);
        self.index(id)
    }

    /// Gives a token its place after all others. [`Self::index`] lets it be found by its bytes.
    fn place(&mut self, id: Id, token: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(token);
        self.note(id, start);
    }

    /// Notes that the bytes from `start` on are a token, and asks for the memory that [`Self::index`] writes.
    fn note(&mut self, id: Id, start: usize) {
        let at = id as usize;
        if at >= self.places.len() {
            self.places.resize(at + 1, HOLE);
        }
        self.places[at] = (start as u32, (self.bytes.len() - start) as u32);
        self.count += 1;
        if let Some(key) = ShortKey::new(&self.bytes[start..]) {
            self.short.prefetch(key);
        }
    }

    /// As [`Self::place`], for one that is made of earlier ones.
    fn spell(&mut self, id: Id, made: Made) -> Result<(), InsertError> {
        let start = self.bytes.len();
        match made {
            Made::Byte(byte) => self.bytes.push(byte),
            Made::Joined(pair) => {
                let place_of = |part: Id| match self.places.get(part as usize) {
                    Some(&place) if place != HOLE => Ok(place),
                    _ => Err(InsertError::FarId(part)),
                };
                for (from, len) in [place_of(pair[0])?, place_of(pair[1])?] {
                    self.bytes.extend_from_within(from as usize..from as usize + len as usize);
                }
            }
        }
        self.note(id, start);
        Ok(())
    }

    /// Lets a token that has its place be found by its bytes. Returns the twin that was found by them before.
    fn index(&mut self, id: Id) -> Option<Id> {
        let Self { bytes, places, short, long, count: _ } = self;
        let token = slice(bytes, places[id as usize]);
        if let Some(key) = ShortKey::new(token) {
            return short.put(key, id);
        }
        let is_token = |&id: &Id| slice(bytes, places[id as usize]) == token;
        match long.entry(hash(token), is_token, |&id| hash(slice(bytes, places[id as usize]))) {
            Entry::Occupied(mut before) => Some(std::mem::replace(before.get_mut(), id)),
            Entry::Vacant(free) => {
                free.insert(id);
                None
            }
        }
    }
}

/// What a token is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// A byte.
    Byte(u8),
    /// The bytes of two tokens.
    Joined([Id; 2]),
}

/// The same tokens by id, and the same ids by bytes.
impl PartialEq for Vocab {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.tokens, &other.tokens) && Arc::ptr_eq(&self.later, &other.later)
            || self.len() == other.len()
                && self.iter().eq(other.iter())
                && self.iter().all(|(_, token)| self.id(token) == other.id(token))
    }
}

/// No token has this id.
const HOLE: (u32, u32) = (u32::MAX, 0);

/// Why a token cannot be put into a [`Vocab`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InsertError {
    /// A token without bytes.
    Empty,
    /// The id is another token's.
    IdTaken(Id),
    /// The bytes are the token of this id.
    TokenTaken(Id),
    /// The id is too far above the number of tokens for a list by id, or above 2^28.
    FarId(Id),
}

impl std::fmt::Display for InsertError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => write!(f, "a token is empty"),
            Self::IdTaken(id) => write!(f, "id {id} is used twice"),
            Self::TokenTaken(id) => write!(f, "the token stands there already, with id {id}"),
            Self::FarId(id) => write!(f, "id {id} is far beyond the number of tokens"),
        }
    }
}

/// Ids up to this are always taken; above, they may be at most 16 times the number of tokens, so that a
/// damaged file cannot claim memory that its size does not justify.
const NEAR: usize = 1 << 20;

/// When many tokens are put in, the memory by which each is found is asked for this many tokens ahead.
const LATER: usize = 16;

impl Vocab {
    /// About `count` tokens, one of which may be empty.
    ///
    /// Errors: what [`Self::insert_or_empty`] refuses, with the id of the token. Of several it need not be the first.
    pub(crate) fn of<T: AsRef<[u8]>>(
        count: usize,
        tokens: impl IntoIterator<Item = (Id, T)>,
    ) -> Result<Self, (Id, InsertError)> {
        Self::filled(count, tokens, |twin| Err(InsertError::TokenTaken(twin)))
    }

    /// The same where tokens may be twins, as [`Self::insert_any`] puts them in.
    pub(crate) fn with_twins<T: AsRef<[u8]>>(
        count: usize,
        tokens: impl IntoIterator<Item = (Id, T)>,
    ) -> Result<Self, (Id, InsertError)> {
        Self::filled(count, tokens, |_| Ok(()))
    }

    fn filled<T: AsRef<[u8]>>(
        count: usize,
        tokens: impl IntoIterator<Item = (Id, T)>,
        meets_twin: impl Fn(Id) -> Result<(), InsertError>,
    ) -> Result<Self, (Id, InsertError)> {
        let (mut vocab, mut left) = (Self::with_capacity(count), tokens.into_iter());
        let mut waiting = Vec::with_capacity(LATER);
        // Ends: so do the tokens.
        loop {
            for (id, token) in left.by_ref().take(LATER) {
                vocab.check_id(id).map_err(|refused| (id, refused))?;
                Arc::make_mut(&mut vocab.tokens).place(id, token.as_ref());
                waiting.push(id);
            }
            if waiting.is_empty() {
                return Ok(vocab);
            }
            let tokens = Arc::make_mut(&mut vocab.tokens);
            for id in waiting.drain(..) {
                tokens.index(id).map_or(Ok(()), &meets_twin).map_err(|refused| (id, refused))?;
            }
        }
    }

    /// Room for `tokens` tokens.
    pub fn with_capacity(tokens: usize) -> Self {
        let tokens = Tokens {
            bytes: Vec::with_capacity(tokens * 8),
            places: Vec::with_capacity(tokens),
            short: ShortTokens::with_capacity(tokens),
            long: HashTable::with_capacity(tokens / 16),
            count: 0,
        };
        Self { tokens: Arc::new(tokens), later: Arc::default() }
    }

    /// Puts a token in.
    ///
    /// ```
    /// # use token_engine::internals::vocab::InsertError;
    /// # use token_engine::Vocab;
    /// let mut vocab = Vocab::default();
    /// vocab.insert(7, b"the").unwrap();
    /// assert_eq!(vocab.id(b"the"), Some(7));
    /// assert_eq!(vocab.token(7), Some(&b"the"[..]));
    /// assert_eq!(vocab.token(3), None);
    /// assert_eq!(vocab.insert(8, b"the"), Err(InsertError::TokenTaken(7)));
    /// ```
    pub fn insert(&mut self, id: Id, token: &[u8]) -> Result<(), InsertError> {
        if token.is_empty() { Err(InsertError::Empty) } else { self.insert_or_empty(id, token) }
    }

    /// Puts a token in that may be empty, which no text becomes: Whisper's rank file has one.
    pub(crate) fn insert_or_empty(&mut self, id: Id, token: &[u8]) -> Result<(), InsertError> {
        self.check_id(id)?;
        if let Some(taken) = self.id(token) {
            return Err(InsertError::TokenTaken(taken));
        }
        if let Some(tokens) = Arc::get_mut(&mut self.tokens) {
            tokens.put(id, token);
        } else {
            let later = Arc::make_mut(&mut self.later);
            later.by_id.insert(id, token.into());
            later.by_bytes.insert(token.into(), id);
        }
        Ok(())
    }

    /// Puts a token in that may be empty or another's twin: the one put in last is found by its bytes.
    pub(crate) fn insert_any(&mut self, id: Id, token: &[u8]) -> Result<(), InsertError> {
        debug_assert!(self.later.by_id.is_empty(), "its twin would stay");
        self.check_id(id)?;
        Arc::make_mut(&mut self.tokens).put(id, token);
        Ok(())
    }

    /// Puts tokens in with ids from `first` on, which is after all others, each made of earlier ones. That no two have the same
    /// bytes is for the caller to know.
    ///
    /// Errors: an id that is taken or too large, or a part that is not there, as an id too far. The tokens before it stay.
    ///
    /// ```
    /// # use token_engine::internals::vocab::Made;
    /// # use token_engine::Vocab;
    /// let mut vocab = Vocab::default();
    /// vocab.extend(0, [Made::Byte(b'a'), Made::Byte(b'b'), Made::Joined([0, 1]), Made::Joined([2, 0])]).unwrap();
    /// assert_eq!((vocab.token(3), vocab.id(b"ab")), (Some(&b"aba"[..]), Some(2)));
    /// assert!(vocab.extend(4, [Made::Joined([0, 9])]).is_err());
    /// ```
    pub fn extend(&mut self, first: Id, made: impl IntoIterator<Item = Made>) -> Result<(), InsertError> {
        if (first as usize) < self.id_bound() {
            return Err(InsertError::IdTaken(first));
        }
        let mut next = first;
        let added = (first..).zip(made).try_for_each(|(id, made)| {
            self.check_id(id)?;
            let tokens = Arc::make_mut(&mut self.tokens);
            tokens.spell(id, made)?;
            if (id - next) as usize == LATER {
                tokens.index(next);
                next += 1;
            }
            Ok(())
        });
        let tokens = Arc::make_mut(&mut self.tokens);
        (next..tokens.places.len() as Id).for_each(|id| _ = tokens.index(id));
        added
    }

    fn check_id(&self, id: Id) -> Result<(), InsertError> {
        if id > MAX_ID || id as usize >= NEAR && id as usize / 16 > self.len() {
            return Err(InsertError::FarId(id));
        }
        if self.token(id).is_some() { Err(InsertError::IdTaken(id)) } else { Ok(()) }
    }

    /// The token's bytes, or `None` where no token has this id.
    #[inline]
    pub fn token(&self, id: Id) -> Option<&[u8]> {
        let Tokens { bytes, places, .. } = &*self.tokens;
        match places.get(id as usize) {
            Some(&place) if place != HOLE => Some(slice(bytes, place)),
            _ => self.later.by_id.get(&id).map(|token| &**token),
        }
    }

    /// The token's id, or `None` where these bytes are no token.
    #[inline]
    pub fn id(&self, token: &[u8]) -> Option<Id> {
        self.tokens.id(token).or_else(|| self.later.by_bytes.get(token).copied())
    }

    /// Asks for the memory that [`Self::short_id`] reads.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: ShortKey) {
        self.tokens.short.prefetch(key);
    }

    /// As [`Self::id`], for a short token of a model. One put in later, a special token, may not be found.
    #[inline(always)]
    pub(crate) fn short_id(&self, key: ShortKey) -> Option<Id> {
        self.tokens.short.find(key)
    }

    /// Number of tokens.
    pub fn len(&self) -> usize {
        self.tokens.count + self.later.by_id.len()
    }

    /// Whether there is no token.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One more than the largest id.
    pub fn id_bound(&self) -> usize {
        let last = self.later.by_id.last_key_value().map_or(0, |(&id, _)| id as usize + 1);
        last.max(self.tokens.places.len())
    }

    /// All tokens, by rising id.
    pub fn iter(&self) -> impl Iterator<Item = (Id, &[u8])> + Clone {
        (0..self.id_bound() as Id).filter_map(|id| Some((id, self.token(id)?)))
    }
}

#[inline]
fn slice(bytes: &[u8], (start, len): (u32, u32)) -> &[u8] {
    &bytes[start as usize..start as usize + len as usize]
}

#[inline]
fn hash(token: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(token);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_would_make_ids_ambiguous() {
        let mut vocab = Vocab::default();
        vocab.insert(5, b"a").unwrap();
        let cases: &[(Id, &[u8], InsertError)] = &[
            (6, b"", InsertError::Empty),
            (5, b"b", InsertError::IdTaken(5)),
            (6, b"a", InsertError::TokenTaken(5)),
            (4_000_000_000, b"b", InsertError::FarId(4_000_000_000)),
        ];
        for (id, token, expected) in cases {
            assert_eq!(vocab.insert(*id, token), Err(expected.clone()), "{id} {token:?}");
        }
        assert_eq!((vocab.len(), vocab.id_bound()), (1, 6), "a refused token leaves nothing behind");
        assert_eq!(vocab.iter().collect::<Vec<_>>(), [(5, &b"a"[..])]);
    }

    #[test]
    fn clones_share_their_tokens_and_differ_in_later_ones() {
        let mut first = Vocab::default();
        first.insert(5, b"a").unwrap();
        let mut second = first.clone();
        second.insert(2, b"b").unwrap();
        second.insert(9, b"longer than a short token").unwrap();
        assert!(Arc::ptr_eq(&first.tokens, &second.tokens));
        assert_eq!((first.len(), first.id_bound(), first.token(2), first.id(b"b")), (1, 6, None, None));
        assert_eq!((second.len(), second.id_bound()), (3, 10));
        assert_eq!(
            second.iter().collect::<Vec<_>>(),
            [(2, &b"b"[..]), (5, &b"a"[..]), (9, &b"longer than a short token"[..])]
        );
        for (id, token) in second.iter() {
            assert_eq!((second.id(token), second.token(id)), (Some(id), Some(token)));
        }
        assert_eq!(second.insert(2, b"c"), Err(InsertError::IdTaken(2)));
        assert_eq!(second.insert(3, b"b"), Err(InsertError::TokenTaken(2)));
        assert_ne!(first, second);
        first.insert(2, b"b").unwrap();
        first.insert(9, b"longer than a short token").unwrap();
        assert_eq!(first, second, "where a token is kept makes no difference");
    }

    #[test]
    fn tokens_made_of_others_are_those_put_in_one_by_one() {
        let (mut random, mut expected, mut made) = (crate::testing::Random::new(8), Vocab::default(), vec![]);
        for _ in 0..40_000 {
            let id = 3 + made.len() as Id;
            let next = if random.below(200) == 0 || id < 5 {
                Made::Byte(random.below(256) as u8)
            } else {
                Made::Joined([0; 2].map(|_| 3 + random.below(made.len()) as Id))
            };
            let token = match next {
                Made::Byte(byte) => vec![byte],
                Made::Joined(pair) => pair.map(|part| expected.token(part).unwrap()).concat(),
            };
            if token.len() < 40 && expected.insert(id, &token).is_ok() {
                made.push(next);
            }
        }
        assert!(made.len() > 2000, "{}", made.len());
        let mut vocab = Vocab::default();
        vocab.extend(3, made.iter().copied()).unwrap();
        assert_eq!(vocab, expected);
        let bound = vocab.id_bound() as Id;
        let refused = vocab.extend(bound, [Made::Joined([3, 4]), Made::Joined([3, bound + 9]), Made::Byte(0)]);
        assert_eq!(refused, Err(InsertError::FarId(bound + 9)));
        assert_eq!(vocab.len(), expected.len() + 1, "what comes before it stays");
        let joined = vocab.token(bound).unwrap();
        assert_eq!(vocab.id(joined), Some(bound));
        assert_eq!(vocab.extend(2, []), Err(InsertError::IdTaken(2)));
    }

    #[test]
    fn example_of_vocab_insert_or_empty() {
        use crate::vocab::{InsertError, Vocab};
        let mut vocab = Vocab::default();
        vocab.insert_or_empty(7, b"").unwrap();
        assert_eq!(vocab.token(7), Some(&b""[..]));
        assert_eq!(vocab.insert_or_empty(8, b""), Err(InsertError::TokenTaken(7)));
    }

    #[test]
    fn example_of_vocab_insert_any() {
        use crate::vocab::Vocab;
        let mut vocab = Vocab::default();
        vocab.insert_any(0, b"the").unwrap();
        vocab.insert_any(1, b"the").unwrap();
        vocab.insert_any(2, b"").unwrap();
        assert_eq!((vocab.id(b"the"), vocab.token(0), vocab.token(2)), (Some(1), Some(&b"the"[..]), Some(&b""[..])));
    }
}
