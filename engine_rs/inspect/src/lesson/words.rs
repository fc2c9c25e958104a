//! The words of a text, from which tokens are learnt: the pretokens of its tokenizer, with what each byte stands for.

use rustc_hash::{FxHashMap, FxHashSet};

use super::LessonError;
use crate::trace::{Bytes, Pretoken, Steps, Token, Trace, covering};
use token_engine::internals::byte_alphabet;
use token_engine::models::Model;
use token_engine::{Id, Tokenizer};
use token_train::WordCounts;

/// The space mark of SentencePiece: where nothing else splits, a word begins with it.
const MARK: char = '▁';

/// What words are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    /// The bytes of the text.
    Bytes,
    /// The same, each spelled as a character of the byte alphabet.
    SpelledBytes,
    /// Characters.
    Characters,
}

/// A word of the text.
#[derive(Debug)]
struct Word {
    /// Index of the equal words.
    number: usize,
    /// For each byte, what it stands for.
    spans: Vec<Bytes>,
}

/// The words of a text.
#[derive(Debug)]
pub(super) struct Words {
    /// The same, each once.
    pub(super) counts: WordCounts,
    pub(super) made: Made,
    /// In the order of the text.
    words: Vec<Word>,
}

impl Words {
    pub(super) fn of(tokenizer: &Tokenizer, trace: &Trace) -> Result<Self, LessonError> {
        let stages = tokenizer.as_stages();
        let seen = || trace.pretokens.iter().filter(|pretoken| pretoken.steps != Steps::Added);
        let are_spelled = || seen().all(|pretoken| byte_alphabet::to_bytes(&pretoken.text).is_some());
        let made = match &stages.model {
            Model::ByteBpe(_) => Made::Bytes,
            Model::Bpe(_) if tokenizer.model_name() == "byte-level BPE" && are_spelled() => Made::SpelledBytes,
            _ => Made::Characters,
        };
        let splits = stages.pretokenizer.is_none();
        let words: Vec<(Vec<u8>, Vec<Bytes>)> = seen().flat_map(|pretoken| words_of(pretoken, made, splits)).collect();
        let counts = WordCounts::new(words.iter().map(|(word, _)| (&word[..], 1)), trace.text_bytes as u64);
        let counts = counts.map_err(LessonError::of_training)?;
        let numbers: FxHashMap<&[u8], usize> = counts.iter().enumerate().map(|(at, (word, _))| (word, at)).collect();
        let word = |(bytes, spans): (Vec<u8>, Vec<Bytes>)| Some(Word { number: *numbers.get(&bytes[..])?, spans });
        let words = words.into_iter().filter_map(word).collect();
        Ok(Self { words, made, counts })
    }

    /// How many different characters they have.
    pub(super) fn characters(&self) -> usize {
        let texts: Vec<String> = self.texts().collect();
        texts.iter().flat_map(|text| text.chars()).collect::<FxHashSet<char>>().len()
    }

    /// Each word as a tokenizer.json spells it.
    pub(super) fn texts(&self) -> impl Iterator<Item = String> {
        self.counts.iter().map(|(word, _)| match self.made {
            Made::Characters => String::from_utf8_lossy(word).into_owned(),
            Made::Bytes | Made::SpelledBytes => byte_alphabet::from_bytes(word),
        })
    }

    /// The tokens of the text, from those of each of the equal words with their lengths in bytes.
    pub(super) fn tokens(&self, of: impl Fn(usize) -> Vec<(Id, usize)>) -> Vec<Token> {
        let mut tokens = vec![];
        for Word { number, spans } in &self.words {
            let mut rest = &spans[..];
            for (id, len) in of(*number) {
                let (here, after) = rest.split_at(len);
                rest = after;
                tokens.push(Token { id, span: covering(here.iter().copied()) });
            }
        }
        tokens
    }
}

/// The words of a pretoken: bytes, and what each of them stands for.
fn words_of(pretoken: &Pretoken, made: Made, splits: bool) -> Vec<(Vec<u8>, Vec<Bytes>)> {
    let mut words: Vec<(Vec<u8>, Vec<Bytes>)> = vec![];
    for (c, &span) in pretoken.text.chars().zip(&pretoken.alignment) {
        if words.is_empty() || (splits && made == Made::Characters && c == MARK) {
            words.push((vec![], vec![]));
        }
        let Some((bytes, spans)) = words.last_mut() else { continue };
        if let Some(byte) = byte_alphabet::byte_of(c).filter(|_| made == Made::SpelledBytes) {
            bytes.push(byte);
            spans.push(span);
            continue;
        }
        let encoded = c.len_utf8();
        bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        // A character that stands for as many bytes stands for them one by one.
        let is_same = (span[1] - span[0]) as usize == encoded;
        spans.extend((0..encoded as u32).map(|at| if is_same { [span[0] + at, span[0] + at + 1] } else { span }));
    }
    words
}
