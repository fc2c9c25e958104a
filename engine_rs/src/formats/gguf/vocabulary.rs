//! From the values of a file to a definition, by `tokenizer.ggml.model`.

use super::container::{Value, Values};
use super::llama;
use crate::added_tokens::AddedToken;
use crate::byte_alphabet;
use crate::decoders::Decoder;
use crate::error::{LoadError, Place};
use crate::formats::definition::{Definition, ModelDefinition};
use crate::formats::patterns;
use crate::formats::vocab_txt::{self, Casing};
use crate::ids::Id;
use crate::models::bpe::characters::Settings;
use crate::normalizers::Normalizer;
use crate::normalizers::forms::Form;
use crate::postprocessors::Postprocessor;
use crate::postprocessors::template::{Part, Template};
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::byte_level::ByteLevel;
use crate::vocab::Vocab;

/// `tokenizer.ggml.token_type`.
pub(super) const UNKNOWN: i64 = 2;
const CONTROL: i64 = 3;
const USER_DEFINED: i64 = 4;

/// The values of one file, and what is read of them.
pub(super) struct Source<'a> {
    pub file: &'a str,
    values: &'a Values,
    pub tokens: &'a [String],
    pub types: &'a [i64],
}

/// The definition that a file's values stand for.
pub fn definition(file: &str, values: &Values) -> Result<Definition, LoadError> {
    let missing = |name: &str| error(file, name, "the value is missing").hint("does the file hold a tokenizer?");
    let model = match values.get("tokenizer.ggml.model") {
        Some(Value::String(model)) => model.as_str(),
        _ => return Err(missing("model")),
    };
    let Some(Value::Strings(tokens)) = values.get("tokenizer.ggml.tokens") else { return Err(missing("tokens")) };
    let types = match values.get("tokenizer.ggml.token_type") {
        Some(Value::Integers(types)) if types.len() == tokens.len() => types.as_slice(),
        Some(_) => return Err(error(file, "token_type", "is not one number for each token")),
        None => return Err(missing("token_type")),
    };
    let source = Source { file, values, tokens, types };
    match model {
        "gpt2" => source.byte_level(),
        "bert" => source.bert(),
        "llama" => llama::definition(&source),
        _ => Err(error(file, "model", &format!("{model:?} is not known")).hint("known are gpt2, llama and bert")),
    }
}

fn error(file: &str, name: &str, problem: &str) -> LoadError {
    LoadError::new(file, Place::Path(format!("tokenizer.ggml.{name}")), problem)
}

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

impl Source<'_> {
    pub fn error(&self, name: &str, problem: &str) -> LoadError {
        error(self.file, name, problem)
    }

    pub fn value(&self, name: &str) -> Option<&Value> {
        self.values.get(&format!("tokenizer.ggml.{name}"))
    }

    /// A switch, or `otherwise`.
    pub fn switch(&self, name: &str, otherwise: bool) -> Result<bool, LoadError> {
        match self.value(name) {
            None => Ok(otherwise),
            Some(Value::Bool(value)) => Ok(*value),
            Some(_) => Err(self.error(name, "is not true or false")),
        }
    }

    /// The id of a token, where the file says it.
    pub fn id(&self, name: &str) -> Result<Option<Id>, LoadError> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Integer(id)) if (0..self.tokens.len() as i128).contains(id) => Ok(Some(*id as Id)),
            Some(_) => Err(self.error(name, &format!("is not the id of one of the {} tokens", self.tokens.len()))),
        }
    }

    /// The vocabulary as the file spells it.
    pub fn vocab(&self) -> Result<Vocab, LoadError> {
        let mut vocab = Vocab::with_capacity(self.tokens.len());
        for (id, token) in self.tokens.iter().enumerate() {
            vocab
                .insert(id as Id, token.as_bytes())
                .map_err(|refused| self.error(&format!("tokens[{id}]"), &refused.to_string()))?;
        }
        Ok(vocab)
    }

    /// Control tokens are special, those of a user are added.
    pub fn added_tokens(&self) -> Vec<AddedToken> {
        let added =
            self.types.iter().enumerate().filter(|&(_, kind)| matches!(*kind, UNKNOWN | CONTROL | USER_DEFINED));
        added
            .map(|(id, &kind)| AddedToken {
                special: kind != USER_DEFINED,
                ..AddedToken::special(self.tokens[id].clone(), id as Id)
            })
            .collect()
    }

    /// The tokens that begin and end a text, as a template; nothing where neither does.
    pub fn template(&self, begins: bool) -> Result<Option<Postprocessor>, LoadError> {
        let begins = self.switch("add_bos_token", begins)?;
        let ends = self.switch("add_eos_token", false)?;
        let special = |wanted: bool, name: &str, type_id| -> Result<Option<Part>, LoadError> {
            if !wanted {
                return Ok(None);
            }
            let id =
                self.id(name)?.ok_or_else(|| self.error(name, "the value is missing, but the token is to be added"))?;
            Ok(Some(Part::Special { name: self.tokens[id as usize].clone(), ids: vec![id], type_id }))
        };
        let around = |sequence: u8| -> Result<Vec<Part>, LoadError> {
            let text = Some(Part::Sequence { sequence, type_id: sequence });
            let parts = [special(begins, "bos_token_id", sequence)?, text, special(ends, "eos_token_id", sequence)?];
            Ok(parts.into_iter().flatten().collect())
        };
        if !begins && !ends {
            return Ok(None);
        }
        let single = around(0)?;
        let pair = [single.clone(), around(1)?].concat();
        Ok(Some(Postprocessor::Template(Template { single, pair })))
    }

    fn byte_level(&self) -> Result<Definition, LoadError> {
        let name = match self.value("pre") {
            Some(Value::String(name)) => name.as_str(),
            _ => {
                return Err(self
                    .error("pre", "the value is missing; it says how text is split")
                    .hint("convert the file anew"));
            }
        };
        let pre = Pre::by_name(name).ok_or_else(|| {
            self.error("pre", &format!("{name:?} is not known, so how text is split is not either")).hint(
                "known are gpt-2, roberta-bpe, llama-bpe, qwen2, deepseek-v3, gpt-4o, tekken, starcoder, refact, smollm",
            )
        })?;
        let vocab = self.vocab()?;
        if let Some(byte) = (0..=255u8).find(|&byte| vocab.id(byte_alphabet::from_bytes(&[byte]).as_bytes()).is_none())
        {
            return Err(self.error("tokens", &format!("no token for the single byte 0x{byte:02X}")));
        }
        let merges = self.merges(&vocab)?;
        let pattern = patterns::read(pre.pattern).map_err(|problem| self.error("pre", &problem.to_string()))?;
        let use_regex = pre.pattern == "gpt2";
        let bytes = Pretokenizer::ByteLevel(ByteLevel { add_prefix_space: false, trim_offsets: false, use_regex });
        let mut stages = vec![];
        stages.extend(pre.digits.then_some(Pretokenizer::Digits { individual: true }));
        stages.extend((!use_regex).then_some(pattern));
        stages.push(bytes);
        let pretokenizer = if stages.len() == 1 { stages.remove(0) } else { Pretokenizer::Sequence(stages) };
        let settings = Settings { ignore_merges: pre.ignore_merges, ..Settings::default() };
        Ok(Definition {
            added_tokens: self.added_tokens(),
            normalizer: pre.nfc.then_some(Normalizer::Form(Form::Nfc)),
            pretokenizer: Some(pretokenizer),
            postprocessor: self.template(pre.begins)?,
            decoder: Some(Decoder::ByteLevel),
            ..Definition::new(ModelDefinition::Bpe { vocab, merges, settings })
        })
    }

    fn merges(&self, vocab: &Vocab) -> Result<Vec<[Id; 3]>, LoadError> {
        let lines = match self.value("merges") {
            Some(Value::Strings(lines)) => lines,
            _ => return Err(self.error("merges", "the value is missing")),
        };
        let mut merges = Vec::with_capacity(lines.len());
        for (at, line) in lines.iter().enumerate() {
            let wrong = |problem: String| self.error(&format!("merges[{at}]"), &problem);
            // A token may start with a space here, a merge has its first one after that.
            let cut = line.char_indices().skip(1).find(|(_, c)| *c == ' ').map(|(at, _)| at);
            let (left, right) = cut
                .map(|cut| (&line[..cut], &line[cut + 1..]))
                .ok_or_else(|| wrong(format!("{line:?} is not two tokens")))?;
            let find = |token: &str| {
                vocab.id(token.as_bytes()).ok_or_else(|| wrong(format!("{token:?} is not among the tokens")))
            };
            merges.push([find(left)?, find(right)?, find(&[left, right].concat())?]);
        }
        Ok(merges)
    }

    /// The words of a vocab.txt: in the file those that start a word are marked, not those that continue one.
    fn bert(&self) -> Result<Definition, LoadError> {
        let mut lines = String::new();
        for (id, token) in self.tokens.iter().enumerate() {
            let bracketed = token.starts_with('[') && token.ends_with(']');
            let special = matches!(self.types[id], UNKNOWN | CONTROL) || bracketed;
            let line = match token.strip_prefix('▁') {
                Some(word) => word.to_owned(),
                None if special => token.clone(),
                None => format!("##{token}"),
            };
            if line.is_empty() || line.trim_end().len() != line.len() || line.contains(['\n', '\r']) {
                return Err(self.error(&format!("tokens[{id}]"), &format!("{token:?} is no token of a word")));
            }
            lines += &line;
            lines.push('\n');
        }
        let read = vocab_txt::read(self.file, lines.as_bytes(), Casing::Guess)?;
        for (name, expected) in
            [("unknown_token_id", read.unknown), ("cls_token_id", read.cls), ("seperator_token_id", read.sep)]
        {
            if self.id(name)?.is_some_and(|id| id != expected) {
                return Err(self.error(name, &format!("is not {expected}, as the tokens say")));
            }
        }
        if read.vocab.len() != self.tokens.len() {
            return Err(self.error("tokens", "a token stands there twice"));
        }
        Ok(read.into())
    }
}
