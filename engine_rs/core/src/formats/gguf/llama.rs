//! `tokenizer.ggml.model` = `llama`: SentencePiece BPE with its scores, as the tokenizer.json of Llama 2 has it; and `gemma4`,
//! which has a list of merges.
//!
//! Merges follow from the scores: of a token every split into two tokens may merge, in the order of the scores of what
//! they make; of one token those with the lower ids first.
//!
//! Source: `SentencePieceExtractor` and `LlamaConverter` of Hugging Face transformers.

use super::byte_level;
use super::source::{Source, UNKNOWN};
use crate::decoders::Decoder;
use crate::error::LoadError;
use crate::formats::definition::{Definition, ModelDefinition};
use crate::ids::Id;
use crate::matching::{Expression, Matcher, Replace};
use crate::models::Unknown;
use crate::models::bpe::characters::{Settings, byte_token};
use crate::normalizers::Normalizer;
use crate::vocab::Vocab;

/// The longest token, in bytes: finding its merges takes time by the square of that.
const LONGEST: usize = 4096;

/// The definition of such a file.
pub(crate) fn definition(source: &Source<'_>) -> Result<Definition, LoadError> {
    let scores = source.scores()?;
    if let Some(at) = source.tokens.iter().position(|token| token.len() > LONGEST) {
        let problem = format!("has {} bytes, tokens may have {LONGEST}", source.tokens[at].len());
        return Err(source.error(&format!("tokens[{at}]"), &problem));
    }
    let vocab = source.vocab()?;
    let merges = merges(&vocab, scores);
    marked(source, vocab, merges, source.switch("add_space_prefix", true)?, true)
}

/// Values of `tokenizer.ggml.pre` whose tokens are spelled as those of SentencePiece and whose merges are a list.
pub(super) const MERGING: [&str; 3] = ["gemma4", "granite-embed-multi-311m", "sarvam-moe"];

/// The definition of a file with such merges. `name` is the pattern's.
pub(super) fn merging(source: &Source<'_>, name: &str) -> Result<Definition, LoadError> {
    let vocab = source.vocab()?;
    let merges = byte_level::merges(source, &vocab)?;
    let read = marked(source, vocab, merges, source.switch("add_space_prefix", false)?, false)?;
    let note = Some(byte_level::unverified(name));
    Ok(Definition { note, ..read })
}

/// BPE over characters, with marks for spaces and bytes for characters that are no tokens.
fn marked(
    source: &Source<'_>,
    vocab: Vocab,
    merges: Vec<[Id; 3]>,
    prefix: bool,
    begins: bool,
) -> Result<Definition, LoadError> {
    let unknown = source.types.iter().position(|kind| *kind == UNKNOWN).map(|id| Unknown::Token(id as Id));
    let settings = Settings {
        unknown,
        fuse_unk: true,
        byte_fallback: (0..=255).all(|byte| vocab.id(byte_token(byte).as_bytes()).is_some()),
        ..Settings::default()
    };
    let prepend = prefix.then(|| Normalizer::Prepend("▁".into()));
    let marked = Normalizer::Replace(replace(source, " ", "▁")?);
    let decoders = [
        Some(Decoder::Replace(replace(source, "▁", " ")?)),
        Some(Decoder::ByteFallback),
        Some(Decoder::Fuse),
        prefix.then_some(Decoder::Strip { content: ' ', start: 1, stop: 0 }),
    ];
    Ok(Definition {
        added_tokens: source.added_tokens(),
        normalizer: Some(Normalizer::Sequence(prepend.into_iter().chain([marked]).collect())),
        postprocessor: source.template(begins, false)?,
        decoder: Some(Decoder::Sequence(decoders.into_iter().flatten().collect())),
        ..Definition::new(ModelDefinition::Bpe { merges, vocab, settings })
    })
}

fn replace(source: &Source<'_>, text: &str, content: &str) -> Result<Replace, LoadError> {
    let matcher =
        Matcher::new(Expression::Text(text.into())).map_err(|error| source.error("model", &error.to_string()))?;
    Ok(Replace { matcher, content: content.into() })
}

/// Left, right and what they make, best first.
fn merges(vocab: &Vocab, scores: &[f64]) -> Vec<[Id; 3]> {
    let mut merges: Vec<[Id; 3]> = vec![];
    for (id, token) in vocab.iter() {
        let first = merges.len();
        let text = std::str::from_utf8(token).unwrap_or_default();
        let places = text.char_indices().skip(1).map(|(at, _)| at);
        merges.extend(places.filter_map(|at| Some([vocab.id(&token[..at])?, vocab.id(&token[at..])?, id])));
        merges[first..].sort_unstable();
    }
    // Stable: of equal scores the lower id comes first.
    merges.sort_by(|a, b| scores[b[2] as usize].total_cmp(&scores[a[2] as usize]));
    merges
}
