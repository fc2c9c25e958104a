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
    /// Each digit for itself, then GPT-2's pattern.
    DigitsAndWords,
    /// Runs of punctuation, GPT-2's pattern, numbers, and three digits at a time.
    Falcon,
    /// By these expressions, one after the other.
    Expressions(&'static [&'static str]),
    /// By these expressions, then by GPT-2's pattern.
    ExpressionsAndWords(&'static [&'static str]),
}

/// What a name in `tokenizer.ggml.pre` stands for.
#[derive(Clone, Copy)]
pub(super) struct Pre {
    pub(super) names: &'static [&'static str],
    split: Split,
    /// Whether a pretoken that is a token becomes it without merging.
    ignore_merges: bool,
    /// Whether the text is composed first.
    nfc: bool,
    /// Whether a text begins with a token unless the file says otherwise.
    begins: bool,
    /// Whether it was compared with the tokenizer.json of a model of that name. If not, llama.cpp says it alone.
    pub(super) verified: bool,
}

/// Letters of alphabets with capitals, as the tokenizer.json of DeepSeek-LLM lists them.
const DEEPSEEK_LLM: [&str; 6] = [
    "[\r\n]",
    "\\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿ\u{1c4}-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-\u{3f5}Ϸ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-\u{1f7d}ᾀ-ᾴᾶ-ᾼ\u{1fbe}ῂ-ῄῆ-ῌῐ-\u{1fd3}ῖ-\u{1fdb}ῠ-Ῥῲ-ῴῶ-ῼ\u{2102}\u{2107}\u{210a}-\u{2113}\u{2115}\u{2119}-\u{211d}\u{2124}\u{2126}\u{2128}\u{212a}-\u{212d}\u{212f}-\u{2134}\u{2139}\u{213c}-\u{213f}\u{2145}-\u{2149}ⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿ\u{fb00}-\u{fb06}\u{fb13}-\u{fb17}\u{ff21}-\u{ff3a}\u{ff41}-\u{ff5a}𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃]+",
    "\\s?[!-/:-~！-／：-～‘-‟\u{3000}-。]+",
    "\\s+$",
    "[一-龥\u{800}-一가-\u{d7ff}]+",
    r"\p{N}",
];
const DEEPSEEK_CODER: [&str; 5] = ["[\r\n]", "\\s?\\p{L}+", "\\s?\\p{P}+", "[一-龥\u{800}-一가-\u{d7ff}]+", r"\p{N}"];

/// As Qwen2's, with marks in words.
const QWEN35: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
const QWEN2: &str =
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
/// As Qwen2's, numbers in one piece.
const MINICPM5: &str =
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}+| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
/// As Qwen2's, without the endings of English.
const UFAKZEKA: &str = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
/// As Qwen2's, line ends apart from punctuation.
const SEED_CODER: &str =
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+";
const BAILINGMOE: &str =
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+";
/// As Llama 3's, white space by powers of two.
const JAIS2: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s{512}(?!\S)|\s{256}(?!\S)|\s{128}(?!\S)|\s{64}(?!\S)|\s{32}(?!\S)|\s{16}(?!\S)|\s{8}(?!\S)|\s{4}(?!\S)|\s{1,2}(?!\S)|\s{1}";
/// Several words in a pretoken.
const EXAONE_MOE: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+";
const O200K: &str = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+";
/// As GPT-4o's, each digit for itself.
const YOUTU: [&str; 2] = [
    "[가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏]+|[ㄅ-ㄯ]+|[一-龥぀-ゟ゠-ヿ]+",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
];
const KANA: &str = "[一-龥\u{3040}-ゟ゠-ヿ]+";
/// As DeepSeek-V3's, line ends one by one.
const SPARK: [&str; 4] = [
    r"\p{N}{1,3}",
    KANA,
    r##"[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+|[\r\n]|\s+(?!\S)|\s+"##,
    r"\p{N}",
];
/// Three digits at a time, from the right; scripts without spaces; words as DeepSeek-V3's.
const AFMOE: [&str; 3] = [
    r"\p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N}))",
    "[一-鿿㐀-䶿豈-\u{faff}\u{3040}-ゟ゠-ヿ･-ﾟ⼀-\u{2fdf}เ-\u{e7f}຀-\u{eff}ក-\u{17ff}က-႟ꩠ-ꩿꧠ-\u{a9ff}가-\u{d7af}ᄀ-ᇿ]+",
    r##"[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"##,
];
/// Words end at white space and sentence marks.
const BLOOM: &str = " ?[^(\\s|.,!?…。，、।۔،)]+";
const LINES: &str = r"[^\n]+|\n+";
/// What stands for pictures, white space by two and four, each digit and punctuation mark for itself.
const CHAMELEON: [&str; 5] =
    ["<sentinel:[0-9]+>", "(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z", "([\t\n]|    |  )", r"\p{N}", r"[\p{P}!-/:-@\[-`{-~]"];

/// A name that nothing here was compared with.
const PLAIN: Pre =
    Pre { names: &[], split: Split::Named("gpt2"), ignore_merges: false, nfc: false, begins: false, verified: false };
/// One that was.
const VERIFIED: Pre = Pre { verified: true, ..PLAIN };

/// All names. A name whose texts are not spelled in the byte alphabet is in [`super::llama::MERGING`].
#[rustfmt::skip]
pub(super) const ALL: [Pre; 38] = [
    Pre { names: &["gpt-2", "phi-2", "roberta-bpe"], ..VERIFIED },
    Pre { names: &["mpt", "olmo"], nfc: true, ..VERIFIED },
    Pre { names: &["llama-bpe", "llama3", "llama-v3"], split: Split::Named("llama3"), ignore_merges: true, begins: true, ..VERIFIED },
    Pre { names: &["qwen2", "deepseek-r1-qwen"], split: Split::Named("qwen2"), nfc: true, ..VERIFIED },
    Pre { names: &["qwen35"], split: Split::Expressions(&[QWEN35]), nfc: true, ..VERIFIED },
    Pre { names: &["deepseek-llm"], split: Split::Expressions(&DEEPSEEK_LLM), ..VERIFIED },
    Pre { names: &["deepseek-coder"], split: Split::Expressions(&DEEPSEEK_CODER), ..VERIFIED },
    Pre { names: &["deepseek-v3"], split: Split::Named("deepseek"), ..VERIFIED },
    Pre { names: &["gpt-4o", "llama4"], split: Split::Named("o200k_base"), ignore_merges: true, ..VERIFIED },
    Pre { names: &["tekken"], split: Split::Named("tekken"), ignore_merges: true, begins: true, ..VERIFIED },
    Pre { names: &["falcon"], split: Split::Falcon, ..VERIFIED },
    Pre { names: &["starcoder", "refact", "smollm"], split: Split::DigitsAndWords, ..VERIFIED },
    Pre { names: &["command-r"], split: Split::DigitsAndWords, nfc: true, ..VERIFIED },
    Pre { names: &["kimi-k2"], split: Split::Named("kimi"), ..VERIFIED },
    Pre { names: &["jina-v1-en", "jina-v2-code", "jina-es", "jina-de", "jina-v2-es", "jina-v2-de", "gigachat", "a.x-4.0", "mellum", "jais", "trillion", "granite-docling", "exaone4"], ..PLAIN },
    Pre { names: &["modern-bert"], nfc: true, ..PLAIN },
    Pre { names: &["falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2", "jina-v5-nano"], split: Split::Named("llama3"), ignore_merges: true, begins: true, ..PLAIN },
    Pre { names: &["dbrx", "smaug-bpe", "chatglm-bpe", "glm4"], split: Split::Named("llama3"), ..PLAIN },
    Pre { names: &["minicpm5"], split: Split::Expressions(&[r"\p{N}{1,3}", MINICPM5]), ignore_merges: true, ..PLAIN },
    Pre { names: &["jais-2"], split: Split::Expressions(&[JAIS2]), ..PLAIN },
    Pre { names: &["hunyuan-dense", "joyai-llm", "hy_v4"], split: Split::Named("deepseek"), ..PLAIN },
    Pre { names: &["spark2_5"], split: Split::Expressions(&SPARK), ..PLAIN },
    Pre { names: &["youtu"], split: Split::Expressions(&YOUTU), ignore_merges: true, ..PLAIN },
    Pre { names: &["codeshell", "exaone", "minerva-7b", "mellum2"], split: Split::DigitsAndWords, ..PLAIN },
    Pre { names: &["stablelm2", "hunyuan", "solar-open", "kormo", "f2llmv2", "megrez", "grok-2"], split: Split::Named("qwen2"), ..PLAIN },
    Pre { names: &["laguna"], split: Split::Expressions(&[LINES, QWEN2]), ..PLAIN },
    Pre { names: &["ufakzeka"], split: Split::Expressions(&[UFAKZEKA]), ..PLAIN },
    Pre { names: &["seed-coder"], split: Split::Expressions(&[SEED_CODER]), ..PLAIN },
    Pre { names: &["bailingmoe", "bailingmoe2", "llada-moe"], split: Split::Expressions(&[BAILINGMOE]), ..PLAIN },
    Pre { names: &["exaone-moe"], split: Split::Expressions(&[EXAONE_MOE]), ..PLAIN },
    Pre { names: &["bloom", "poro-chat", "gpt3-finnish"], split: Split::Expressions(&[BLOOM]), ..PLAIN },
    Pre { names: &["viking"], split: Split::Expressions(&[BLOOM, r"\p{N}"]), ..PLAIN },
    Pre { names: &["chameleon"], split: Split::ExpressionsAndWords(&CHAMELEON), begins: true, ..PLAIN },
    Pre { names: &["kanana2", "talkie", "minimax-m2"], split: Split::Named("o200k_base"), ..PLAIN },
    Pre { names: &["granite-embed-multi-97m"], split: Split::Named("o200k_base"), ignore_merges: true, ..PLAIN },
    Pre { names: &["tiny_aya", "cohere2moe"], split: Split::Expressions(&[r"\d{1,3}(?=(?:\d{3})*\b)", O200K]), ..PLAIN },
    Pre { names: &["superbpe"], split: Split::Expressions(&[r"\p{N}+", r"(?=(\d{3})+(?!\d))"]), ..PLAIN },
    Pre { names: &["afmoe"], split: Split::Expressions(&AFMOE), ..PLAIN },
];

impl Split {
    /// The pretokenizer, which ends with spelling the bytes.
    fn pretokenizer(self) -> Result<Pretokenizer, PatternError> {
        let bytes =
            |use_regex| Pretokenizer::ByteLevel(ByteLevel { add_prefix_space: false, trim_offsets: false, use_regex });
        let digits = |individual| Pretokenizer::Digits { individual };
        let isolated = |regex: &str| {
            split::Split::new(Expression::Regex(regex.to_owned()), Behavior::Isolated, false).map(Pretokenizer::Split)
        };
        let all = |regexes: &[&str], end| {
            regexes.iter().map(|regex| isolated(regex)).chain([Ok(end)]).collect::<Result<Vec<_>, _>>()
        };
        Ok(Pretokenizer::Sequence(match self {
            Self::Named(name) => return Ok(patterns::read(name)?.then_bytes()),
            Self::DigitsAndWords => vec![digits(true), bytes(true)],
            Self::Falcon => {
                vec![
                    Pretokenizer::Punctuation(Behavior::Contiguous),
                    bytes(true),
                    digits(false),
                    isolated("[0-9][0-9][0-9]")?,
                ]
            }
            Self::Expressions(regexes) => all(regexes, bytes(false))?,
            Self::ExpressionsAndWords(regexes) => all(regexes, bytes(true))?,
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
    if super::llama::MERGING.contains(&name) {
        return super::llama::merging(source, name);
    }
    let pre = ALL.iter().find(|pre| pre.names.contains(&name)).ok_or_else(|| {
        let problem = format!("{name:?} is not known, so how text is split is not either");
        let hint = "known names are listed in the reference, Formats, GGUF; a tokenizer.json of the same model says it";
        source.error("pre", &problem).hint(hint)
    })?;
    let vocab = source.vocab()?;
    let merges = merges(source, &vocab)?;
    let pretokenizer = pre.split.pretokenizer().map_err(|problem| source.error("pre", &problem.to_string()))?;
    let settings = Settings { ignore_merges: pre.ignore_merges, ..Settings::default() };
    Ok(Definition {
        added_tokens: source.added_tokens(),
        normalizer: pre.nfc.then_some(Normalizer::Form(Form::Nfc)),
        pretokenizer: Some(pretokenizer),
        postprocessor: source.template(pre.begins, false)?,
        decoder: Some(Decoder::ByteLevel),
        note: (!pre.verified).then(|| unverified(name)),
        ..Definition::new(ModelDefinition::Bpe { vocab, merges, settings })
    })
}

/// What is said of a name that nothing was compared with.
pub(super) fn unverified(name: &str) -> String {
    format!(
        "what the split pattern {name} stands for follows llama.cpp and was not compared with a tokenizer.json of the model: compare some texts before you rely on the IDs"
    )
}

/// The merges of the file.
///
/// Errors: none, or one of or into what is not among the tokens.
pub(super) fn merges(source: &Source<'_>, vocab: &Vocab) -> Result<Vec<[Id; 3]>, LoadError> {
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
