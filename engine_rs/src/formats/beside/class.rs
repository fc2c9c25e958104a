//! The stages that a class of tokenizers has beside its vocabulary, which `tokenizer_config.json` names.
//!
//! Not here: the vocabularies themselves ([`crate::formats::vocab_merges`], [`crate::formats::vocab_txt`]).
//!
//! Source: `GPT2Converter`, `RobertaConverter`, `Qwen2Converter` and `BertConverter` of Hugging Face transformers, and
//! `BertTokenizerFast.__init__` for a tokenizer.json.

use super::{Beside, settings};
use crate::error::{LoadError, Place};
use crate::formats::definition::Definition;
use crate::formats::patterns;
use crate::formats::tokenizer_json::json::{Fields, Node};
use crate::formats::vocab_txt::{self, Casing, Names};
use crate::ids::Id;
use crate::normalizers::Normalizer;
use crate::normalizers::bert::BertNormalizer;
use crate::normalizers::forms::Form;
use crate::postprocessors::Postprocessor;
use crate::postprocessors::roberta::RobertaProcessing;
use crate::postprocessors::template::{Part, Template};
use crate::postprocessors::trim::Trim;
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::byte_level::ByteLevel;
use crate::pretokenizers::scanners::Pattern;

/// Classes that do as RoBERTa does.
const ROBERTA: [&str; 5] = ["RobertaTokenizer", "BartTokenizer", "LongformerTokenizer", "LEDTokenizer", "MvpTokenizer"];
/// Classes that do as BERT does.
const BERT: [&str; 9] = [
    "BertTokenizer",
    "ConvBertTokenizer",
    "DPRContextEncoderTokenizer",
    "DPRQuestionEncoderTokenizer",
    "DPRReaderTokenizer",
    "DistilBertTokenizer",
    "ElectraTokenizer",
    "MobileBertTokenizer",
    "SqueezeBertTokenizer",
];

/// A class of tokenizers with a vocabulary and merges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merging {
    /// Also that of files without a configuration.
    Gpt2,
    /// GPT-2 with tokens around a text.
    Roberta,
    /// A pattern of its own, on composed text.
    Qwen2,
}

impl Merging {
    /// Reads the class.
    ///
    /// Errors: one whose stages are not known, with its place.
    pub fn of(beside: &Beside) -> Result<Self, LoadError> {
        let Some(mut config) = beside.config()? else { return Ok(Self::Gpt2) };
        let Some((name, node)) = name(&mut config)? else { return Ok(Self::Gpt2) };
        match name {
            "GPT2Tokenizer" => Ok(Self::Gpt2),
            "Qwen2Tokenizer" => Ok(Self::Qwen2),
            name if ROBERTA.contains(&name) => Ok(Self::Roberta),
            name => Err(node
                .error(format!("the split pattern of {name:?} is not known"))
                .hint(format!("name the pattern, one of {}", patterns::list()))),
        }
    }

    /// How text is split.
    pub fn pattern(self) -> Pattern {
        if self == Self::Qwen2 { Pattern::Qwen2 } else { Pattern::R50k }
    }

    /// Puts the stages and the added tokens into a definition that was read from `file`.
    ///
    /// Errors: fields that are not known, with their places; those of the added tokens; tokens around a text that are not
    /// in the vocabulary.
    pub fn complete(self, beside: &Beside, definition: &mut Definition, file: &str) -> Result<(), LoadError> {
        let (mut add_prefix_space, mut add_bos_token) = (false, false);
        if let Some(mut config) = beside.config()? {
            name(&mut config)?;
            add_prefix_space = config.switch("add_prefix_space")?;
            settings::usual(&mut config, "add_eos_token", false)?;
            if self == Self::Gpt2 {
                add_bos_token = config.switch("add_bos_token")?;
            } else {
                settings::usual(&mut config, "add_bos_token", false)?;
            }
            settings::end(config)?;
        }
        if beside.lists_all()? {
            definition.added_tokens.clear();
        }
        if self == Self::Roberta {
            let mask = beside.role("mask_token")?.unwrap_or_else(|| "<mask>".to_owned());
            definition.added_tokens.iter_mut().filter(|token| token.content == mask).for_each(|it| it.lstrip = true);
        }
        beside.add_tokens(definition, file, true)?;
        if self == Self::Qwen2 {
            definition.normalizer = Some(Normalizer::Form(Form::Nfc));
        }
        if let Some(bytes) = byte_level(definition) {
            bytes.add_prefix_space = add_prefix_space;
        }
        let id = |role: &str, usual: &str| {
            let name = beside.role(role)?.unwrap_or_else(|| usual.to_owned());
            id_of(definition, &name, file).map(|id| (name, id))
        };
        definition.postprocessor = match self {
            Self::Gpt2 if add_bos_token => Some(first(id("bos_token", "<|endoftext|>")?)),
            Self::Roberta => Some(Postprocessor::Roberta(RobertaProcessing {
                cls: id("cls_token", "<s>")?.1,
                sep: id("sep_token", "</s>")?.1,
                trim: Some(Trim { add_prefix_space }),
            })),
            Self::Gpt2 | Self::Qwen2 => None,
        };
        Ok(())
    }
}

/// Reads BERT's `vocab.txt` with what the files beside it say.
///
/// Errors: those of the vocabulary and of the added tokens; a class that is not BERT's, fields that are not known.
pub fn vocab_txt(beside: &Beside, file: &str, content: &[u8]) -> Result<Definition, LoadError> {
    let role = |role: &str, usual: &str| Ok(beside.role(role)?.unwrap_or_else(|| usual.to_owned()));
    let names = Names {
        unknown: role("unk_token", "[UNK]")?,
        cls: role("cls_token", "[CLS]")?,
        sep: role("sep_token", "[SEP]")?,
        pad: role("pad_token", "[PAD]")?,
        mask: role("mask_token", "[MASK]")?,
    };
    let mut definition = Definition::from(vocab_txt::read_named(file, content, Casing::Guess, &names)?);
    if let Some(mut config) = beside.config()? {
        if let Some((name, node)) = name(&mut config)?
            && !BERT.contains(&name)
        {
            let problem = format!("what {name:?} makes of a vocab.txt is not known");
            return Err(node.error(problem).hint("known is BERT's; a tokenizer.json says it for any class"));
        }
        if let Some(Normalizer::Bert(rules)) = &mut definition.normalizer {
            bert_rules(&mut config, rules)?;
        }
        settings::usual(&mut config, "do_basic_tokenize", true)?;
        settings::empty(&mut config, "never_split")?;
        settings::end(config)?;
    }
    if beside.lists_all()? {
        definition.added_tokens.clear();
    }
    beside.add_tokens(&mut definition, file, true)?;
    Ok(definition)
}

/// Puts into a `tokenizer.json` what the files beside it add to it: tokens, and of BERT's classes the rules for texts.
///
/// Errors: those of the added tokens; fields with a value of another type.
pub fn refine(beside: &Beside, definition: &mut Definition, file: &str) -> Result<(), LoadError> {
    beside.add_tokens(definition, file, false)?;
    let Some(mut config) = beside.config()? else { return Ok(()) };
    if let (Some((name, _)), Some(Normalizer::Bert(rules))) = (name(&mut config)?, &mut definition.normalizer)
        && BERT.contains(&name)
    {
        bert_rules(&mut config, rules)?;
    }
    Ok(())
}

/// The rules that a configuration of BERT names; the others stay.
fn bert_rules(config: &mut Fields<'_>, rules: &mut BertNormalizer) -> Result<(), LoadError> {
    if let Some(lowercase) = config.optional("do_lower_case", Node::boolean)? {
        rules.lowercase = lowercase;
    }
    if let Some(node) = config.take("strip_accents") {
        rules.strip_accents = node.optional(Node::boolean)?;
    }
    if let Some(chinese) = config.optional("tokenize_chinese_chars", Node::boolean)? {
        rules.handle_chinese_chars = chinese;
    }
    Ok(())
}

/// The name of the class, without the ending that says which of two programs runs it.
fn name<'a>(config: &mut Fields<'a>) -> Result<Option<(&'a str, Node<'a>)>, LoadError> {
    let Some(node) = config.take("tokenizer_class") else { return Ok(None) };
    let name = node.optional(Node::string)?.map(|name| name.trim_end_matches("Fast"));
    Ok(name.filter(|name| !name.is_empty()).map(|name| (name, node)))
}

fn byte_level(definition: &mut Definition) -> Option<&mut ByteLevel> {
    match definition.pretokenizer.as_mut()? {
        Pretokenizer::ByteLevel(bytes) => Some(bytes),
        Pretokenizer::Sequence(all) => all.iter_mut().find_map(|one| match one {
            Pretokenizer::ByteLevel(bytes) => Some(bytes),
            _ => None,
        }),
        _ => None,
    }
}

fn id_of(definition: &Definition, token: &str, file: &str) -> Result<Id, LoadError> {
    let added = definition.added_tokens.iter().find(|added| added.content == token).map(|added| added.id);
    added.or_else(|| definition.model.vocab().id(token.as_bytes())).ok_or_else(|| {
        LoadError::new(
            file,
            Place::File,
            format!("{token:?}, which stands beside every text, is not in the vocabulary"),
        )
        .hint("do the files belong to one tokenizer?")
    })
}

/// One token before the first text.
fn first((name, id): (String, Id)) -> Postprocessor {
    let bos = Part::Special { name, ids: vec![id], type_id: 0 };
    let text = |sequence| Part::Sequence { sequence, type_id: sequence };
    Postprocessor::Template(Template { single: vec![bos.clone(), text(0)], pair: vec![bos, text(0), text(1)] })
}
