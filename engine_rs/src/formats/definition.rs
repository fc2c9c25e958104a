//! What a tokenizer is built from: plain data that every format maps to.
//!
//! Not here: the stages themselves, which carry no trace of the file they came from.

use super::vocab_txt::VocabTxt;
use crate::decoders::wordpiece::WordPieceDecoder;
use crate::error::{LoadError, Place};
use crate::ids::Id;
use crate::models::bpe::merges::{LIMIT, Merges};
use crate::models::bpe::{Bpe, WholeTokens, merges_from_ranks};
use crate::models::wordpiece::Settings;
use crate::normalizers::bert::BertNormalizer;
use crate::pipelines;
use crate::postprocessors::bert::BertProcessing;
use crate::pretokenizers::scanners::Pattern;
use crate::tokenizer::{Pipeline, Tokenizer};
use crate::vocab::{Refused, Vocab};

/// A tokenizer as data.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The tokens of the files.
    pub vocab: Vocab,
    /// Spelling and id of the special tokens, whether they are in `vocab` or not.
    pub special_tokens: Vec<(String, Id)>,
    /// The model and the stages that belong to it.
    pub model: ModelDefinition,
}

/// The model and the stages before it.
#[derive(Clone, Debug)]
pub enum ModelDefinition {
    /// Byte-level BPE.
    ByteLevelBpe(ByteLevelBpe),
    /// BERT's WordPiece.
    Bert(Bert),
}

/// Byte-level BPE: a split pattern, then merges of bytes.
#[derive(Clone, Debug)]
pub struct ByteLevelBpe {
    /// What merges.
    pub merges: MergeRule,
    /// How the text is split.
    pub pattern: Pattern,
}

/// BERT: clean-up, words, greedy longest match, `[CLS]` and `[SEP]` around.
#[derive(Clone, Debug)]
pub struct Bert {
    /// The rules for texts.
    pub normalizer: BertNormalizer,
    /// `[UNK]`.
    pub unknown: Id,
    /// What is put around the tokens.
    pub postprocessor: BertProcessing,
}

/// Where the merges come from.
#[derive(Clone, Debug)]
pub enum MergeRule {
    /// Ids are ranks: neighbours merge where their joined bytes are a token.
    ByRank,
    /// Left, right and what they make, by rank.
    Pairs(Vec<[Id; 3]>),
}

impl Definition {
    /// Builds the tokenizer. `file` is named in errors.
    ///
    /// Errors: bytes that are no token (byte-level models need all 256), ids too large for the merge table, special tokens
    /// whose id or spelling is another token's.
    pub fn build(self, file: &str) -> Result<Tokenizer, LoadError> {
        let Self { mut vocab, special_tokens, model } = self;
        let pipeline = match model {
            ModelDefinition::ByteLevelBpe(model) => model.build(file, &vocab)?,
            ModelDefinition::Bert(model) => model.build(&vocab),
        };
        for (text, id) in &special_tokens {
            add_special_token(file, &mut vocab, text, *id)?;
        }
        Ok(Tokenizer::new(vocab, special_tokens, pipeline))
    }
}

impl ByteLevelBpe {
    fn build(self, file: &str, vocab: &Vocab) -> Result<Pipeline, LoadError> {
        let error = |problem| LoadError::new(file, Place::File, problem);
        if vocab.id_bound() >= LIMIT {
            return Err(error(format!("the largest id is {}, ids must be below {LIMIT}", vocab.id_bound() - 1)));
        }
        let mut byte_ids = [0; 256];
        for (byte, id) in byte_ids.iter_mut().enumerate() {
            *id = vocab.id(&[byte as u8]).ok_or_else(|| {
                error(format!("no token for the single byte 0x{byte:02X}"))
                    .hint("a byte-level vocabulary holds all 256 bytes; is the file complete?")
            })?;
        }
        let (merges, whole_tokens) = match self.merges {
            MergeRule::ByRank => (merges_from_ranks(vocab, &byte_ids), WholeTokens::Always),
            MergeRule::Pairs(pairs) => {
                if pairs.len() >= LIMIT {
                    return Err(error(format!("{} merges, must be fewer than {LIMIT}", pairs.len())));
                }
                let mut merges = Merges::new(pairs.iter().map(|pair| pair[2]).collect());
                for (rank, &[left, right, _]) in pairs.iter().enumerate() {
                    merges.insert(left, right, rank as u32);
                }
                (merges, WholeTokens::IfMerged)
            }
        };
        Ok(Pipeline::ByteLevelBpe { bpe: Bpe::new(vocab, byte_ids, merges, whole_tokens), pattern: self.pattern })
    }
}

impl Bert {
    fn build(self, vocab: &Vocab) -> Pipeline {
        let Self { normalizer, unknown, postprocessor } = self;
        let bert = pipelines::bert::Bert::new(normalizer, vocab, Settings::bert(unknown));
        Pipeline::Bert { bert, decoder: WordPieceDecoder::bert(), postprocessor }
    }
}

impl From<VocabTxt> for Definition {
    fn from(read: VocabTxt) -> Self {
        let VocabTxt { vocab, normalizer, unknown, cls, sep, special_tokens } = read;
        let postprocessor = BertProcessing::new(cls, sep);
        Self { vocab, special_tokens, model: ModelDefinition::Bert(Bert { normalizer, unknown, postprocessor }) }
    }
}

fn add_special_token(file: &str, vocab: &mut Vocab, text: &str, id: Id) -> Result<(), LoadError> {
    match vocab.insert(id, text.as_bytes()) {
        Ok(()) => Ok(()),
        // In the vocabulary already, under this very id.
        Err(Refused::IdTaken(_)) if vocab.token(id) == Some(text.as_bytes()) => Ok(()),
        Err(refused) => Err(LoadError::new(file, Place::File, format!("special token {text:?} with id {id}: {refused}"))
            .hint("do the special tokens belong to this file?")),
    }
}
