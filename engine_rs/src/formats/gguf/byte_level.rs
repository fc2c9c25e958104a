//! `tokenizer.ggml.model` = `gpt2`: byte-level BPE, whose split pattern the file names.

use super::container::Value;
use super::source::Source;
use crate::byte_alphabet;
use crate::decoders::Decoder;
use crate::error::LoadError;
use crate::formats::definition::{Definition, ModelDefinition};
use crate::formats::patterns;
use crate::ids::Id;
use crate::models::bpe::characters::Settings;
use crate::normalizers::Normalizer;
use crate::normalizers::forms::Form;
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::byte_level::ByteLevel;
use crate::vocab::Vocab;

/// What `tokenizer.ggml.pre` stands for: a pattern, whether a pretoken that is a token becomes it without merging, whether
/// the text is composed first, whether digits are cut one by one before, and whether a text begins with a token.
struct Pre {
    pattern: &'static str,
    ignore_merges: bool,
    nfc: bool,
    digits: bool,
    begins: bool,
}

impl Pre {
    fn by_name(name: &str) -> Option<Self> {
        let plain = |pattern| Self { pattern, ignore_merges: false, nfc: false, digits: false, begins: false };
        Some(match name {
            "gpt-2" | "roberta-bpe" => plain("gpt2"),
            "llama3" | "llama-v3" | "llama-bpe" => Self { ignore_merges: true, begins: true, ..plain("llama3") },
            "qwen2" | "deepseek-r1-qwen" => Self { nfc: true, ..plain("qwen2") },
            "deepseek-v3" => plain("deepseek"),
            "gpt-4o" => Self { ignore_merges: true, ..plain("o200k_base") },
            "tekken" => Self { ignore_merges: true, begins: true, ..plain("tekken") },
            "starcoder" | "refact" | "smollm" => Self { digits: true, ..plain("gpt2") },
            _ => return None,
        })
    }
}

/// The definition of such a file.
pub fn definition(source: &Source<'_>) -> Result<Definition, LoadError> {
    let name = match source.value("pre") {
        Some(Value::String(name)) => name.as_str(),
        _ => {
            return Err(source
                .error("pre", "the value is missing; it says how text is split")
                .hint("convert the file anew"));
        }
    };
    let pre = Pre::by_name(name).ok_or_else(|| {
        source.error("pre", &format!("{name:?} is not known, so how text is split is not either")).hint(
            "known are gpt-2, roberta-bpe, llama-bpe, qwen2, deepseek-v3, gpt-4o, tekken, starcoder, refact, smollm",
        )
    })?;
    let vocab = source.vocab()?;
    if let Some(byte) = (0..=255u8).find(|&byte| vocab.id(byte_alphabet::from_bytes(&[byte]).as_bytes()).is_none()) {
        return Err(source.error("tokens", &format!("no token for the single byte 0x{byte:02X}")));
    }
    let merges = merges(source, &vocab)?;
    let pattern = patterns::read(pre.pattern).map_err(|problem| source.error("pre", &problem.to_string()))?;
    let use_regex = pre.pattern == "gpt2";
    let bytes = Pretokenizer::ByteLevel(ByteLevel { add_prefix_space: false, trim_offsets: false, use_regex });
    let mut stages = vec![];
    stages.extend(pre.digits.then_some(Pretokenizer::Digits { individual: true }));
    stages.extend((!use_regex).then_some(pattern));
    stages.push(bytes);
    let pretokenizer = if stages.len() == 1 { stages.remove(0) } else { Pretokenizer::Sequence(stages) };
    let settings = Settings { ignore_merges: pre.ignore_merges, ..Settings::default() };
    Ok(Definition {
        added_tokens: source.added_tokens(),
        normalizer: pre.nfc.then_some(Normalizer::Form(Form::Nfc)),
        pretokenizer: Some(pretokenizer),
        postprocessor: source.template(pre.begins)?,
        decoder: Some(Decoder::ByteLevel),
        ..Definition::new(ModelDefinition::Bpe { vocab, merges, settings })
    })
}

fn merges(source: &Source<'_>, vocab: &Vocab) -> Result<Vec<[Id; 3]>, LoadError> {
    let lines = match source.value("merges") {
        Some(Value::Strings(lines)) => lines,
        _ => return Err(source.error("merges", "the value is missing")),
    };
    let mut merges = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let wrong = |problem: String| source.error(&format!("merges[{at}]"), &problem);
        // A token may start with a space here, a merge has its first one after that.
        let cut = line.char_indices().skip(1).find(|(_, c)| *c == ' ').map(|(at, _)| at);
        let (left, right) = cut
            .map(|cut| (&line[..cut], &line[cut + 1..]))
            .ok_or_else(|| wrong(format!("{line:?} is not two tokens")))?;
        let find =
            |token: &str| vocab.id(token.as_bytes()).ok_or_else(|| wrong(format!("{token:?} is not among the tokens")));
        merges.push([find(left)?, find(right)?, find(&[left, right].concat())?]);
    }
    Ok(merges)
}
