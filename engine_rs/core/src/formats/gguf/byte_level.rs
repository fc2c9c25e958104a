//! `tokenizer.ggml.model` = `gpt2`: byte-level BPE, whose split pattern the file names.
//!
//! A name stands for the stages of the tokenizer.json of the model that it is called after.

use super::container::Value;
use super::source::Source;
use crate::alignment::Behavior;
use crate::decoders::Decoder;
use crate::error::{LoadError, PatternError};
use crate::formats::definition::{Definition, ModelDefinition};
use crate::formats::patterns;
use crate::ids::Id;
use crate::matching::Expression;
use crate::models::bpe::characters::Settings;
use crate::normalizers::Normalizer;
use crate::normalizers::forms::Form;
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::byte_level::ByteLevel;
use crate::pretokenizers::split;
use crate::vocab::Vocab;

/// How text is split before its bytes are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Split {
    /// By a pattern with a name ([`patterns`]).
    Named(&'static str),
    /// By one expression.
    Expression(&'static str),
    /// Each digit for itself, then GPT-2's pattern.
    DigitsAndWords,
    /// Runs of punctuation, GPT-2's pattern, numbers, and three digits at a time.
    Falcon,
    /// By these expressions, one after the other, then each digit for itself.
    Expressions(&'static [&'static str]),
}

/// What `tokenizer.ggml.pre` stands for.
struct Pre {
    split: Split,
    /// Whether a pretoken that is a token becomes it without merging.
    ignore_merges: bool,
    /// Whether the text is composed first.
    nfc: bool,
    /// Whether a text begins with a token unless the file says otherwise.
    begins: bool,
}

/// Letters of alphabets with capitals, as the tokenizer.json of DeepSeek-LLM lists them.
const DEEPSEEK_LLM: [&str; 5] = [
    "[\r\n]",
    "\\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿ\u{1c4}-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-\u{3f5}Ϸ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-\u{1f7d}ᾀ-ᾴᾶ-ᾼ\u{1fbe}ῂ-ῄῆ-ῌῐ-\u{1fd3}ῖ-\u{1fdb}ῠ-Ῥῲ-ῴῶ-ῼ\u{2102}\u{2107}\u{210a}-\u{2113}\u{2115}\u{2119}-\u{211d}\u{2124}\u{2126}\u{2128}\u{212a}-\u{212d}\u{212f}-\u{2134}\u{2139}\u{213c}-\u{213f}\u{2145}-\u{2149}ⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿ\u{fb00}-\u{fb06}\u{fb13}-\u{fb17}\u{ff21}-\u{ff3a}\u{ff41}-\u{ff5a}𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃]+",
    "\\s?[!-/:-~！-／：-～‘-‟\u{3000}-。]+",
    "\\s+$",
    "[一-龥\u{800}-一가-\u{d7ff}]+",
];
const DEEPSEEK_CODER: [&str; 4] = ["[\r\n]", "\\s?\\p{L}+", "\\s?\\p{P}+", "[一-龥\u{800}-一가-\u{d7ff}]+"];

/// As Qwen2's, with marks in words.
const QWEN35: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// The names that are read, as a list for messages.
pub(super) const KNOWN: &str = "gpt-2, phi-2, roberta-bpe, mpt, olmo, llama-bpe, qwen2, qwen35, deepseek-llm, deepseek-coder, deepseek-v3, gpt-4o, llama4, tekken, falcon, starcoder, refact, smollm, command-r";

impl Pre {
    fn by_name(name: &str) -> Option<Self> {
        let plain = |split| Self { split, ignore_merges: false, nfc: false, begins: false };
        Some(match name {
            "gpt-2" | "phi-2" | "roberta-bpe" => plain(Split::Named("gpt2")),
            "mpt" | "olmo" => Self { nfc: true, ..plain(Split::Named("gpt2")) },
            "llama3" | "llama-v3" | "llama-bpe" => {
                Self { ignore_merges: true, begins: true, ..plain(Split::Named("llama3")) }
            }
            "qwen2" | "deepseek-r1-qwen" => Self { nfc: true, ..plain(Split::Named("qwen2")) },
            "qwen35" => Self { nfc: true, ..plain(Split::Expression(QWEN35)) },
            "deepseek-llm" => plain(Split::Expressions(&DEEPSEEK_LLM)),
            "deepseek-coder" => plain(Split::Expressions(&DEEPSEEK_CODER)),
            "deepseek-v3" => plain(Split::Named("deepseek")),
            "gpt-4o" | "llama4" => Self { ignore_merges: true, ..plain(Split::Named("o200k_base")) },
            "tekken" => Self { ignore_merges: true, begins: true, ..plain(Split::Named("tekken")) },
            "falcon" => plain(Split::Falcon),
            "starcoder" | "refact" | "smollm" => plain(Split::DigitsAndWords),
            "command-r" => Self { nfc: true, ..plain(Split::DigitsAndWords) },
            _ => return None,
        })
    }
}

impl Split {
    /// The pretokenizer, which ends with spelling the bytes.
    fn pretokenizer(self) -> Result<Pretokenizer, PatternError> {
        let bytes =
            |use_regex| Pretokenizer::ByteLevel(ByteLevel { add_prefix_space: false, trim_offsets: false, use_regex });
        let digits = |individual| Pretokenizer::Digits { individual };
        let isolated = |regex: &str| {
            split::Split::new(Expression::Regex(regex.to_owned()), Behavior::Isolated, false).map(Pretokenizer::Split)
        };
        Ok(Pretokenizer::Sequence(match self {
            Self::Named(name) => return Ok(patterns::read(name)?.then_bytes()),
            Self::Expression(regex) => vec![isolated(regex)?, bytes(false)],
            Self::DigitsAndWords => vec![digits(true), bytes(true)],
            Self::Falcon => {
                vec![
                    Pretokenizer::Punctuation(Behavior::Contiguous),
                    bytes(true),
                    digits(false),
                    isolated("[0-9][0-9][0-9]")?,
                ]
            }
            Self::Expressions(all) => {
                let all = all.iter().map(|regex| isolated(regex)).chain([Ok(digits(true)), Ok(bytes(false))]);
                all.collect::<Result<_, _>>()?
            }
        }))
    }
}

/// The definition of such a file.
pub(crate) fn definition(source: &Source<'_>) -> Result<Definition, LoadError> {
    let name = match source.value("pre") {
        Some(Value::String(name)) => name.as_str(),
        _ => {
            return Err(source
                .error("pre", "the value is missing; it says how text is split")
                .hint("files made before May 2024 lack it; convert the model anew, or use its tokenizer.json"));
        }
    };
    let pre = Pre::by_name(name).ok_or_else(|| {
        source
            .error("pre", &format!("{name:?} is not known, so how text is split is not either"))
            .hint(format!("known are {KNOWN}; a tokenizer.json of the same model says it"))
    })?;
    let vocab = source.vocab()?;
    let merges = merges(source, &vocab)?;
    let pretokenizer = pre.split.pretokenizer().map_err(|problem| source.error("pre", &problem.to_string()))?;
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
        let space = line.char_indices().skip(1).find(|(_, c)| *c == ' ').map(|(at, _)| at);
        let (left, right) = space
            .map(|at| (&line[..at], &line[at + 1..]))
            .ok_or_else(|| wrong(format!("{line:?} is not two tokens")))?;
        let find =
            |token: &str| vocab.id(token.as_bytes()).ok_or_else(|| wrong(format!("{token:?} is not among the tokens")));
        merges.push([find(left)?, find(right)?, find(&[left, right].concat())?]);
    }
    Ok(merges)
}
