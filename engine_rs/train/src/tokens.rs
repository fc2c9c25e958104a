//! The vocabulary while it grows: special tokens, then the alphabet, then what merges make.
//!
//! A token is its bytes; of byte-level tokenizers those of the text, of others its spelling with prefix and suffix. Every
//! token has bytes of its own: a pair that would spell a token that is there is never merged.

use rustc_hash::{FxHashMap, FxHashSet};
use token_engine::internals::byte_alphabet;

use crate::alphabet;
use crate::error::TrainError;
use crate::options::Options;
use crate::stop::Stop;
use crate::words::WordCounts;

/// Tokens by id.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// Characters (bytes of byte-level tokens) without prefix and suffix.
    lengths: Vec<u32>,
    /// Slots that each takes in lists of words ([`crate::bpe::slots`]).
    widths: Vec<u32>,
    ids: FxHashMap<Box<[u8]>, u32>,
    /// Spellings that no merge may make: those of special tokens.
    taken: FxHashSet<Vec<u8>>,
    special: usize,
    is_bytes: bool,
    prefix: String,
    suffix: String,
}

impl Tokens {
    /// Special tokens and the alphabet of `counts`.
    ///
    /// Errors: a special token that is spelled like an entry of the alphabet; a vocabulary too small for both.
    pub(crate) fn new(options: &Options, counts: &WordCounts, stop: Stop<'_>) -> Result<Self, TrainError> {
        let mut tokens = Self::special_alone(options);
        let entries = alphabet::entries(options, counts, stop)?;
        for entry in &entries {
            if tokens.taken.contains(&entry[..]) {
                let token = tokens.spell(entry);
                return Err(TrainError::SpecialInAlphabet { token });
            }
            // A prefix or suffix may spell one entry like another.
            if tokens.id(entry).is_none() {
                tokens.push(entry, 1);
            }
        }
        if tokens.len() > options.vocab_size {
            let alphabet = tokens.len() - tokens.special;
            return Err(TrainError::VocabTooSmall {
                asked: options.vocab_size,
                special: tokens.special,
                alphabet,
                is_bytes: options.is_bytes(),
            });
        }
        Ok(tokens)
    }

    /// The special tokens alone.
    pub(crate) fn special_alone(options: &Options) -> Self {
        let special = options.all_special_tokens();
        let mut tokens = Self {
            is_bytes: options.is_bytes(),
            prefix: options.prefix().to_owned(),
            suffix: options.suffix().to_owned(),
            special: special.len(),
            ..Self::default()
        };
        for token in special {
            // In the file, tokens of bytes and special tokens are spelled in one vocabulary.
            let taken = if tokens.is_bytes { byte_alphabet::to_bytes(token) } else { Some(token.into()) };
            tokens.taken.extend(taken);
            tokens.bytes.extend_from_slice(token.as_bytes());
            tokens.ends.push(tokens.bytes.len());
            tokens.lengths.push(0);
            tokens.widths.push(0);
        }
        tokens
    }

    /// Whether a special token is spelled so.
    pub(crate) fn is_taken(&self, token: &[u8]) -> bool {
        self.taken.contains(token)
    }

    /// Adds a token and returns its id.
    pub(crate) fn push(&mut self, token: &[u8], length: u32) -> u32 {
        let id = self.ends.len() as u32;
        self.bytes.extend_from_slice(token);
        self.ends.push(self.bytes.len());
        self.lengths.push(length);
        self.widths.push(length);
        self.ids.insert(token.into(), id);
        id
    }

    /// Adds the token that a pair makes. Returns `None` if a token with this spelling is there.
    pub(crate) fn merge(&mut self, left: u32, right: u32) -> Option<u32> {
        let product = self.product(left, right);
        self.is_new(&product).then(|| {
            let new = self.push(&product, self.length(left) + self.length(right));
            self.widths[new as usize] = self.width(left) + self.width(right);
            new
        })
    }

    /// From now on each token takes one slot, and what merges make of it the sum of its parts.
    pub(crate) fn narrow(&mut self) {
        self.widths.fill(1);
    }

    /// Adds the tokens of `initial_merges` that are not there. Returns for each merge left, right and what it makes.
    ///
    /// Errors: a part that is no token when its merge comes.
    pub(crate) fn add_initial(&mut self, merges: &[(String, String)]) -> Result<Vec<[u32; 3]>, TrainError> {
        let mut made = Vec::with_capacity(merges.len());
        for (rank, (left, right)) in merges.iter().enumerate() {
            let part = |spelling: &String| {
                let bytes = self.spelled_bytes(spelling);
                bytes.and_then(|bytes| self.id(&bytes)).ok_or_else(|| {
                    let problem = format!("whose part {spelling:?} at {rank} no merge before it makes");
                    let hint = "put the merges that make its parts before it";
                    TrainError::option("initial_merges", format!("{left:?} {right:?}"), problem, hint)
                })
            };
            let (left, right) = (part(left)?, part(right)?);
            let product = self.product(left, right);
            let length = self.length(left) + self.length(right);
            let new = self.id(&product).unwrap_or_else(|| self.push(&product, length));
            made.push([left, right, new]);
        }
        Ok(made)
    }

    /// The bytes of a token that a tokenizer.json spells so.
    fn spelled_bytes(&self, spelling: &str) -> Option<Vec<u8>> {
        if self.is_bytes { byte_alphabet::to_bytes(spelling) } else { Some(spelling.as_bytes().to_vec()) }
    }

    /// Whether no token is spelled so.
    pub(crate) fn is_new(&self, token: &[u8]) -> bool {
        !self.ids.contains_key(token) && !self.is_taken(token)
    }

    /// Bytes of the token that a pair makes: the right part loses its prefix.
    pub(crate) fn product(&self, left: u32, right: u32) -> Vec<u8> {
        let right = self.get(right);
        [self.get(left), right.strip_prefix(self.prefix.as_bytes()).unwrap_or(right)].concat()
    }

    /// Bytes of a token.
    pub(crate) fn get(&self, id: u32) -> &[u8] {
        let at = id as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.bytes[start..self.ends[at]]
    }

    /// Id of a token that is not special.
    pub(crate) fn id(&self, token: &[u8]) -> Option<u32> {
        self.ids.get(token).copied()
    }

    /// Characters (bytes of byte-level tokens) of a token without prefix and suffix; 0 of a special one.
    pub(crate) fn length(&self, id: u32) -> u32 {
        self.lengths[id as usize]
    }

    /// Slots that a token takes in lists of words: its length, unless they were narrowed.
    pub(crate) fn width(&self, id: u32) -> u32 {
        self.widths[id as usize]
    }

    /// Number of tokens.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Memory of the tokens and of the table that finds them, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        // A spelling takes a block of the allocator, which has a few bytes more.
        let spelled: usize = self.bytes.len() + 16 * self.ids.len();
        let entries = self.ids.capacity() * (size_of::<(Box<[u8]>, u32)>() + 1);
        self.bytes.capacity() + 8 * (self.ends.capacity() + self.lengths.capacity()) + spelled + entries
    }

    /// Whether tokens are bytes of the text.
    pub(crate) fn is_bytes(&self) -> bool {
        self.is_bytes
    }

    /// What is put before tokens inside of words.
    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// What is put after the last token of a word.
    pub(crate) fn suffix(&self) -> &str {
        &self.suffix
    }

    /// The token as people read it: its text, with U+FFFD for bytes that are not UTF-8.
    pub(crate) fn text(&self, id: u32) -> String {
        String::from_utf8_lossy(self.get(id)).into_owned()
    }

    /// The tokens as a tokenizer.json spells them, by id.
    pub(crate) fn spelled(&self) -> Vec<String> {
        let spelled = |id: usize| {
            if id < self.special { self.text(id as u32) } else { self.spell(self.get(id as u32)) }
        };
        (0..self.len()).map(spelled).collect()
    }

    /// The token as a tokenizer.json spells it.
    pub(crate) fn spell(&self, token: &[u8]) -> String {
        if self.is_bytes { byte_alphabet::from_bytes(token) } else { String::from_utf8_lossy(token).into_owned() }
    }
}
