//! The stages of each class of tokenizers. `tokenizer_config.json` names the class.
//!
//! Not here: the vocabularies themselves ([`crate::formats::vocab_merges`], [`crate::formats::vocab_txt`]).
//!
//! Source: `GPT2Converter`, `RobertaConverter`, `Qwen2Converter`, `WhisperConverter`, `CLIPConverter`, `OpenAIGPTConverter`
//! and `BertConverter` of Hugging Face transformers, and `BertTokenizerFast.__init__` for a tokenizer.json.

use super::{FolderFiles, letters, settings};
use crate::added_tokens::AddedToken;
use crate::decoders::Decoder;
use crate::error::{LoadError, Place};
use crate::formats::clip;
use crate::formats::definition::{Definition, ModelDefinition};
use crate::formats::tokenizer_json::json::{Fields, Node};
use crate::formats::vocab_merges::{Pair, Spelling};
use crate::formats::vocab_txt::{self, Casing, Names};
use crate::ids::Id;
use crate::models::Unknown;
use crate::models::bpe::characters::Settings;
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
use crate::vocab::Vocab;

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

/// Classes that merge parts of words whether the result is a token or not, and look for tokens by name at the end.
const AFTER_MERGING: [&str; 7] = [
    "BertweetTokenizer",
    "BiogptTokenizer",
    "CTRLTokenizer",
    "FSMTTokenizer",
    "FlaubertTokenizer",
    "PhobertTokenizer",
    "XLMTokenizer",
];

/// Classes that number the pieces of a SentencePiece model in their own way, after the special tokens of fairseq.
pub(crate) const FAIRSEQ: [&str; 10] = [
    "BarthezTokenizer",
    "CamembertTokenizer",
    "M2M100Tokenizer",
    "MBart50Tokenizer",
    "MBartTokenizer",
    "NllbTokenizer",
    "PLBartTokenizer",
    "Speech2TextTokenizer",
    "XGLMTokenizer",
    "XLMRobertaTokenizer",
];

/// The class that the configuration names.
///
/// Errors: a configuration that cannot be read.
pub(crate) fn name_in(folder: &FolderFiles) -> Result<Option<String>, LoadError> {
    let Some(mut config) = folder.config()? else { return Ok(None) };
    Ok(name(&mut config)?.map(|(name, _)| name.to_owned()))
}

fn after_merging(node: &Node<'_>, name: &str) -> LoadError {
    let problem =
        format!("{name} looks tokens up by name after merging, so that merges make what is no token; that is not read");
    node.error(problem).hint("make a plug-in of its own library: see the guide, Plug-ins")
}

/// The first token of a text for Whisper's decoder.
const TRANSCRIPT: &str = "<|startoftranscript|>";
const NO_TIMESTAMPS: &str = "<|notimestamps|>";

/// A class of tokenizers with a vocabulary and merges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merging {
    /// Byte-level BPE with GPT-2's pattern.
    Gpt2,
    /// GPT-2 with tokens around a text.
    Roberta,
    /// A pattern of its own, on composed text.
    Qwen2,
    /// GPT-2 with Whisper's tokens around a text.
    Whisper,
    /// Lower-cased words, each of bytes, that end in `</w>`.
    Clip,
    /// GPT-1: BERT's words without accents and capitals, that end in `</w>`.
    OpenAiGpt,
}

impl Merging {
    /// The class that the configuration names, or else the one that the vocabulary shows. `file` is the vocabulary's.
    ///
    /// Errors: a class whose stages are not known, with its place; a vocabulary of no such class.
    pub(crate) fn of(folder: &FolderFiles, pair: &Pair, file: &str) -> Result<Self, LoadError> {
        let Some(mut config) = folder.config()? else { return Self::of_vocabulary(folder, pair, file) };
        let Some((name, node)) = name(&mut config)? else { return Self::of_vocabulary(folder, pair, file) };
        match name {
            "GPT2Tokenizer" => Ok(Self::Gpt2),
            "Qwen2Tokenizer" => Ok(Self::Qwen2),
            "WhisperTokenizer" => Ok(Self::Whisper),
            "CLIPTokenizer" => Ok(Self::Clip),
            "OpenAIGPTTokenizer" => Ok(Self::OpenAiGpt),
            name if ROBERTA.contains(&name) => Ok(Self::Roberta),
            name if AFTER_MERGING.contains(&name) => Err(after_merging(&node, name)),
            name => Err(node
                .error(format!("the class {name:?} is not known, so its split pattern is not either"))
                .hint("look for a tokenizer.json of the same model, which has every stage; if the tokenizer is byte-level BPE with a known pattern, name the pattern")),
        }
    }

    /// The class of a vocabulary without a configuration.
    ///
    /// Errors: a vocabulary of a class that is not read.
    fn of_vocabulary(folder: &FolderFiles, pair: &Pair, file: &str) -> Result<Self, LoadError> {
        let has = |token: &str| pair.vocab.id(token.as_bytes()).is_some();
        let error = |problem: &str, hint: &str| Err(LoadError::new(file, Place::File, problem).hint(hint));
        match pair.spelling() {
            Spelling::Bytes if has(TRANSCRIPT) || folder.numbers(TRANSCRIPT) => Ok(Self::Whisper),
            Spelling::Bytes => Ok(Self::Gpt2),
            Spelling::WordEnds if has(clip::START) && has(clip::END) => Ok(Self::Clip),
            Spelling::WordEnds if has("<unk>") && !has("<s>") && !has("</s>") && !has("<pad>") => Ok(Self::OpenAiGpt),
            Spelling::WordEnds => error(
                "the tokens end words with </w>, but neither CLIP's special tokens nor GPT-1's are among them, so how text is split is not known",
                "put the tokenizer_config.json of the model beside it, or use its tokenizer.json",
            ),
            Spelling::Continued => error(
                "tokens that end in @@ are those of CTRL and its like, which are not read",
                "no tokenizer.json holds them either: CTRL looks tokens up by name after merging",
            ),
            Spelling::WordPiece => error(
                "tokens that start with ## are those of WordPiece, which has no merges",
                "use the model's vocab.txt or tokenizer.json",
            ),
            Spelling::Marks => error(
                "tokens that start with \u{2581} are those of SentencePiece, whose file is a .model or .spm",
                "use that file, or the model's tokenizer.json",
            ),
            Spelling::Other => error(
                "no token has a space or another byte as GPT-2 spells it (\u{120}the), so this is no byte-level vocabulary",
                "put the tokenizer_config.json of the model beside it, or use its tokenizer.json",
            ),
        }
    }

    /// The tokenizer of a pair of files, which `complete` completes.
    ///
    /// Errors: tokens around a text that are not in the vocabulary.
    pub(crate) fn definition(
        self,
        folder: &FolderFiles,
        pair: Pair,
        special_tokens: Option<&[(String, Id)]>,
        file: &str,
    ) -> Result<Definition, LoadError> {
        let role = |role: &str, usual: &str| Ok(folder.role(role)?.unwrap_or_else(|| usual.to_owned()));
        match self {
            Self::Qwen2 => Ok(pair.byte_level(Pattern::Qwen2.into(), special_tokens)),
            Self::Gpt2 | Self::Roberta | Self::Whisper => Ok(pair.byte_level(Pattern::R50k.into(), special_tokens)),
            Self::Clip => {
                let (start, end) = (role("bos_token", clip::START)?, role("eos_token", clip::END)?);
                let id = |token: &str| id_in(&[], &pair.vocab, token, file);
                let (start, end) = ((id(&start)?, start), (id(&end)?, end));
                let unknown = unknown(&pair.vocab, role("unk_token", clip::END)?);
                let added_tokens = match special_tokens {
                    Some(given) => given.iter().map(|(text, id)| AddedToken::special(text, *id)).collect(),
                    None => vec![
                        // As in CLIP's tokenizer.json; with a configuration as its class adds them.
                        AddedToken { normalized: folder.config.is_none(), ..AddedToken::special(&start.1, start.0) },
                        AddedToken::special(&end.1, end.0),
                    ],
                };
                let special = clip::Special { start: start.0, end: end.0, unknown, added_tokens };
                clip::definition(file, pair.vocab, pair.merges, special)
            }
            Self::OpenAiGpt => {
                let name = role("unk_token", "<unk>")?;
                let unknown = unknown(&pair.vocab, name.clone());
                let added_tokens = match special_tokens {
                    Some(given) => given.iter().map(|(text, id)| AddedToken::special(text, *id)).collect(),
                    None => unknown.id().into_iter().map(|id| AddedToken::special(&name, id)).collect(),
                };
                let suffix = clip::WORD_END.to_owned();
                let settings =
                    Settings { unknown: Some(unknown), end_of_word_suffix: suffix.clone(), ..Settings::default() };
                Ok(Definition {
                    added_tokens,
                    normalizer: Some(Normalizer::Bert(BertNormalizer::UNCASED)),
                    pretokenizer: Some(Pretokenizer::Bert),
                    decoder: Some(Decoder::Bpe { suffix }),
                    ..Definition::new(ModelDefinition::Bpe { vocab: pair.vocab, merges: pair.merges, settings })
                })
            }
        }
    }

    /// Puts the stages and the added tokens into a definition that was read from `file`.
    ///
    /// Errors: fields that are not known, with their places; those of the added tokens; tokens around a text that are not
    /// in the vocabulary.
    pub(crate) fn complete(
        self,
        folder: &FolderFiles,
        definition: &mut Definition,
        file: &str,
    ) -> Result<(), LoadError> {
        let (mut add_prefix_space, mut add_bos_token) = (false, false);
        if let Some(mut config) = folder.config()? {
            name(&mut config)?;
            add_prefix_space = config.switch("add_prefix_space")?;
            settings::usual(&mut config, "add_eos_token", false)?;
            match self {
                Self::Gpt2 => add_bos_token = config.switch("add_bos_token")?,
                // What CLIP's and GPT-1's classes do whatever the configuration says.
                Self::Clip | Self::OpenAiGpt => {
                    config.take("add_bos_token");
                    config.take("do_lower_case");
                }
                Self::Whisper => {
                    for name in ["language", "task"] {
                        settings::empty(&mut config, name)?;
                    }
                    settings::usual(&mut config, "predict_timestamps", false)?;
                    config.take("normalizer_file");
                    settings::usual(&mut config, "add_bos_token", false)?;
                }
                Self::Roberta | Self::Qwen2 => settings::usual(&mut config, "add_bos_token", false)?,
            }
            settings::end(config)?;
        }
        if folder.lists_all()? {
            definition.added_tokens.clear();
        }
        if self == Self::Roberta {
            let mask = folder.role("mask_token")?.unwrap_or_else(|| "<mask>".to_owned());
            definition.added_tokens.iter_mut().filter(|token| token.content == mask).for_each(|it| it.lstrip = true);
        }
        folder.add_tokens(definition, file, true)?;
        if self == Self::Qwen2 {
            definition.normalizer = Some(Normalizer::Form(Form::Nfc));
        }
        if let Some(bytes) = byte_level(definition).filter(|_| self != Self::Clip) {
            bytes.add_prefix_space = add_prefix_space;
        }
        let id = |role: &str, usual: &str| {
            let name = folder.role(role)?.unwrap_or_else(|| usual.to_owned());
            id_of(definition, &name, file).map(|id| (name, id))
        };
        definition.postprocessor = match self {
            Self::Gpt2 if add_bos_token => Some(first(id("bos_token", "<|endoftext|>")?)),
            Self::Roberta => Some(Postprocessor::Roberta(RobertaProcessing {
                cls: id("cls_token", "<s>")?.1,
                sep: id("sep_token", "</s>")?.1,
                trim: Some(Trim { add_prefix_space }),
            })),
            Self::Whisper => Some(whisper(
                [TRANSCRIPT, NO_TIMESTAMPS].map(|name| id_of(definition, name, file).map(|id| (name.to_owned(), id))),
                id("eos_token", "<|endoftext|>"),
            )?),
            Self::Clip => return Ok(()),
            Self::Gpt2 | Self::Qwen2 | Self::OpenAiGpt => None,
        };
        Ok(())
    }
}

/// Whether a line of `content` is the unknown token that the folder's files name.
pub(crate) fn is_vocab_txt(folder: &FolderFiles, content: &[u8]) -> Result<bool, LoadError> {
    let Some(unknown) = folder.role("unk_token")? else { return Ok(false) };
    Ok(content.split(|&byte| byte == b'\n').any(|line| line.trim_ascii_end() == unknown.as_bytes()))
}

/// Reads BERT's `vocab.txt` with the settings of the folder's files.
///
/// Errors: those of the vocabulary and of the added tokens; a class that is not BERT's, fields that are not known.
pub(crate) fn vocab_txt(folder: &FolderFiles, file: &str, content: &[u8]) -> Result<Definition, LoadError> {
    let class = folder.config()?.map(|mut config| name(&mut config)).transpose()?.flatten();
    match &class {
        Some((letters::ESM, _)) => return letters::esm(folder, file, content),
        None if letters::is_esm(content) => return letters::esm(folder, file, content),
        Some((name, node)) if AFTER_MERGING.contains(name) => return Err(after_merging(node, name)),
        Some((name, node)) if !BERT.contains(name) => {
            let problem = format!("what {name:?} makes of a vocab.txt is not known");
            return Err(node.error(problem).hint("known are BERT's and ESM's; a tokenizer.json says it for any class"));
        }
        _ => {}
    }
    let role = |role: &str, usual: &str| Ok(folder.role(role)?.unwrap_or_else(|| usual.to_owned()));
    let names = Names {
        unknown: role("unk_token", "[UNK]")?,
        cls: role("cls_token", "[CLS]")?,
        sep: role("sep_token", "[SEP]")?,
        pad: role("pad_token", "[PAD]")?,
        mask: role("mask_token", "[MASK]")?,
    };
    let mut definition = Definition::from(vocab_txt::read_named(file, content, Casing::Guess, &names)?);
    if let Some(mut config) = folder.config()? {
        name(&mut config)?;
        if let Some(Normalizer::Bert(rules)) = &mut definition.normalizer {
            bert_rules(&mut config, rules)?;
        }
        settings::usual(&mut config, "do_basic_tokenize", true)?;
        settings::empty(&mut config, "never_split")?;
        settings::end(config)?;
    }
    if folder.lists_all()? {
        definition.added_tokens.clear();
    }
    folder.add_tokens(&mut definition, file, true)?;
    Ok(definition)
}

/// Adds the folder's files to a `tokenizer.json`: their tokens, and for BERT's classes the settings of the normalizer.
///
/// Errors: those of the added tokens; fields with a value of another type.
pub(crate) fn refine(folder: &FolderFiles, definition: &mut Definition, file: &str) -> Result<(), LoadError> {
    folder.add_tokens(definition, file, false)?;
    let Some(mut config) = folder.config()? else { return Ok(()) };
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
pub(super) fn name<'a>(config: &mut Fields<'a>) -> Result<Option<(&'a str, Node<'a>)>, LoadError> {
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

/// The unknown token, which need not be in the vocabulary.
fn unknown(vocab: &Vocab, token: String) -> Unknown {
    vocab.id(token.as_bytes()).map_or(Unknown::Missing(token), Unknown::Token)
}

fn id_of(definition: &Definition, token: &str, file: &str) -> Result<Id, LoadError> {
    id_in(&definition.added_tokens, definition.model.vocab(), token, file)
}

/// The ID of a token that is put around every text.
pub(super) fn id_in(added_tokens: &[AddedToken], vocab: &Vocab, token: &str, file: &str) -> Result<Id, LoadError> {
    let added = added_tokens.iter().find(|added| added.content == token).map(|added| added.id);
    added.or_else(|| vocab.id(token.as_bytes())).ok_or_else(|| {
        LoadError::new(
            file,
            Place::File,
            format!("{token:?}, which is put around every text, is not in the vocabulary"),
        )
        .hint("do the files belong to one tokenizer?")
    })
}

/// What Whisper's decoder begins and ends a text with.
fn whisper(
    before: [Result<(String, Id), LoadError>; 2],
    after: Result<(String, Id), LoadError>,
) -> Result<Postprocessor, LoadError> {
    let part = |type_id, (name, id): (String, Id)| Part::Special { name, ids: vec![id], type_id };
    let before = before.into_iter().map(|token| Ok(part(0, token?))).collect::<Result<Vec<_>, LoadError>>()?;
    let after = after?;
    let text = |sequence| Part::Sequence { sequence, type_id: sequence };
    let around = |texts: &[u8], type_id| {
        let texts = texts.iter().map(|&sequence| text(sequence));
        before.iter().cloned().chain(texts).chain([part(type_id, after.clone())]).collect()
    };
    Ok(Postprocessor::Template(Template { single: around(&[0], 0), pair: around(&[0, 1], 1) }))
}

/// One token before the first text.
fn first((name, id): (String, Id)) -> Postprocessor {
    let bos = Part::Special { name, ids: vec![id], type_id: 0 };
    let text = |sequence| Part::Sequence { sequence, type_id: sequence };
    Postprocessor::Template(Template { single: vec![bos.clone(), text(0)], pair: vec![bos, text(0), text(1)] })
}
