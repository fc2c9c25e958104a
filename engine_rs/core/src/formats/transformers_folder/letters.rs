//! Vocabularies of letters: of proteins and genes, a `vocab.txt` (ESM), and of speech, a `vocab.json` without merges (Wav2Vec2).
//!
//! Source: `EsmTokenizer` and `Wav2Vec2CTCTokenizer` of Hugging Face transformers.

use rustc_hash::FxHashSet;

use super::class::{id_in, name};
use super::{FolderFiles, settings};
use crate::added_tokens::AddedToken;
use crate::alignment::Behavior;
use crate::decoders::Decoder;
use crate::decoders::ctc::Ctc;
use crate::error::{LoadError, Place};
use crate::formats::definition::{Definition, ModelDefinition};
use crate::formats::tokenizer_json::json::Node;
use crate::ids::Id;
use crate::matching::{Expression, Matcher, Replace};
use crate::models::Unknown;
use crate::models::bpe::characters::Settings;
use crate::normalizers::Normalizer;
use crate::postprocessors::Postprocessor;
use crate::postprocessors::template::{Part, Template};
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::split::Split;
use crate::vocab::Vocab;

/// ESM's class, and the roles and usual names of its special tokens.
pub(super) const ESM: &str = "EsmTokenizer";
const ESM_ROLES: [(&str, &str); 5] = [
    ("cls_token", "<cls>"),
    ("pad_token", "<pad>"),
    ("eos_token", "<eos>"),
    ("unk_token", "<unk>"),
    ("mask_token", "<mask>"),
];
/// Wav2Vec2's class, and the roles and usual names of its special tokens.
const WAV2VEC2: &str = "Wav2Vec2CTCTokenizer";
const WAV2VEC2_ROLES: [(&str, &str); 4] =
    [("bos_token", "<s>"), ("eos_token", "</s>"), ("unk_token", "<unk>"), ("pad_token", "<pad>")];
/// What spaces are in Wav2Vec2's vocabulary.
const DELIMITER: &str = "|";
/// More tokens than ESM's and its descendants' have: they become one expression.
const MOST: usize = 10_000;

/// Whether the lines of a `vocab.txt` without a configuration are ESM's.
pub(super) fn is_esm(content: &[u8]) -> bool {
    let has = |token: &str| content.split(|&byte| byte == b'\n').any(|line| line.trim_ascii() == token.as_bytes());
    ["<cls>", "<eos>", "<unk>"].into_iter().all(has)
}

/// Reads ESM's `vocab.txt`: each place where a token is spelled is that token, the longest first; what is between them is
/// unknown.
///
/// Errors: not UTF-8, a token twice, too many tokens, no start, end or unknown token, settings that are not known.
pub(super) fn esm(folder: &FolderFiles, file: &str, content: &[u8]) -> Result<Definition, LoadError> {
    let problem = |place, problem: String| LoadError::new(file, place, problem);
    let text = std::str::from_utf8(content)
        .map_err(|wrong| problem(Place::Byte(wrong.valid_up_to()), "not UTF-8".to_owned()))?;
    let mut vocab = Vocab::default();
    for (line, token) in text.lines().map(str::trim).enumerate().filter(|(_, token)| !token.is_empty()) {
        vocab
            .insert(line as Id, token.as_bytes())
            .map_err(|refused| problem(Place::Line(line + 1), refused.to_string()))?;
    }
    if vocab.len() > MOST {
        return Err(problem(Place::File, format!("{} tokens, ESM's vocabularies have {MOST} at most", vocab.len())));
    }
    let special = special(folder, &ESM_ROLES, &vocab)?;
    let of = |role: usize| {
        let (_, usual) = ESM_ROLES[role];
        let name = folder.role(ESM_ROLES[role].0)?.unwrap_or_else(|| usual.to_owned());
        id_in(&[], &vocab, &name, file).map(|id| (name, id))
    };
    let (start, end, (_, unknown)) = (of(0)?, of(2)?, of(3)?);
    let part = |(name, id): &(String, Id)| Part::Special { name: name.clone(), ids: vec![*id], type_id: 0 };
    let sequence = |sequence| Part::Sequence { sequence, type_id: 0 };
    let single = vec![part(&start), sequence(0), part(&end)];
    let pair = [single.clone(), vec![sequence(1), part(&end)]].concat();
    if let Some(mut config) = folder.config()? {
        name(&mut config)?;
        config.take("is_folding_model");
        config.take("vocab_list");
        settings::end(config)?;
    }
    let mut definition = Definition {
        added_tokens: special,
        pretokenizer: Some(Pretokenizer::Sequence(vec![spelled(file, &vocab)?, Pretokenizer::WhitespaceSplit])),
        postprocessor: Some(Postprocessor::Template(Template { single, pair })),
        ..Definition::new(ModelDefinition::WordLevel { vocab, unknown: Unknown::Token(unknown) })
    };
    if folder.lists_all()? {
        definition.added_tokens.clear();
    }
    folder.add_tokens(&mut definition, file, true)?;
    Ok(definition)
}

/// Splits where a token is spelled.
fn spelled(file: &str, vocab: &Vocab) -> Result<Pretokenizer, LoadError> {
    let mut tokens: Vec<_> = vocab.iter().map(|(_, token)| String::from_utf8_lossy(token).into_owned()).collect();
    tokens.sort_by_key(|token| std::cmp::Reverse(token.len()));
    let escaped = |token: &String| {
        let one = |c: char| if c.is_ascii_punctuation() { format!("\\{c}") } else { c.to_string() };
        token.chars().map(one).collect::<String>()
    };
    let any = tokens.iter().map(escaped).collect::<Vec<_>>().join("|");
    Split::new(Expression::Regex(any), Behavior::Isolated, false)
        .map(Pretokenizer::Split)
        .map_err(|problem| LoadError::new(file, Place::File, problem.to_string()))
}

/// Whether a `vocab.json` without merges is one of letters: its class says so, or without one every token is a character or in
/// brackets, and one is what spaces become.
///
/// Errors: a configuration that cannot be read.
pub(crate) fn is_letters<'a>(
    folder: &FolderFiles,
    mut tokens: impl Iterator<Item = &'a str> + Clone,
) -> Result<bool, LoadError> {
    if let Some(mut config) = folder.config()?
        && let Some((class, _)) = name(&mut config)?
    {
        return Ok(class == WAV2VEC2);
    }
    let bracketed = |token: &str| token.starts_with(['<', '[']) && token.ends_with(['>', ']']);
    let is_letter = |token: &str| token.chars().nth(1).is_none() || bracketed(token);
    Ok(tokens.clone().any(|token| token == DELIMITER) && tokens.all(is_letter))
}

/// The tokenizer of Wav2Vec2's letters. Longer tokens take the white space beside them.
///
/// Errors: settings that are not known, an ID of two tokens.
pub(crate) fn letters(folder: &FolderFiles, file: &str, vocab: Vocab) -> Result<Definition, LoadError> {
    let mut delimiter = DELIMITER.to_owned();
    if let Some(mut config) = folder.config()? {
        name(&mut config)?;
        if let Some(given) = config.optional("word_delimiter_token", Node::string)? {
            given.clone_into(&mut delimiter);
        }
        settings::usual(&mut config, "do_lower_case", false)?;
        settings::empty(&mut config, "target_lang")?;
        for name in ["replace_word_delimiter_char", "do_normalize", "return_attention_mask"] {
            config.take(name);
        }
        settings::end(config)?;
    }
    let role = |place: usize| {
        let (role, usual) = WAV2VEC2_ROLES[place];
        Ok(folder.role(role)?.unwrap_or_else(|| usual.to_owned()))
    };
    let (unknown, pad_token): (String, String) = (role(2)?, role(3)?);
    let unknown = vocab.id(unknown.as_bytes()).map_or(Unknown::Missing(unknown), Unknown::Token);
    let mut definition = Definition {
        normalizer: Some(Normalizer::Replace(Replace {
            matcher: Matcher::new(Expression::Text(" ".to_owned()))
                .map_err(|problem| LoadError::new(file, Place::File, problem.to_string()))?,
            content: delimiter.clone(),
        })),
        decoder: Some(Decoder::Ctc(Ctc { pad_token, word_delimiter_token: delimiter, cleanup: true })),
        added_tokens: special(folder, &WAV2VEC2_ROLES, &vocab)?,
        ..Definition::new(ModelDefinition::Bpe {
            vocab: vocab.clone(),
            merges: vec![],
            settings: Settings { unknown: Some(unknown), ..Settings::default() },
        })
    };
    if folder.lists_all()? {
        definition.added_tokens.clear();
    }
    folder.add_tokens(&mut definition, file, true)?;
    let special: FxHashSet<Id> =
        definition.added_tokens.iter().filter(|added| added.special).map(|added| added.id).collect();
    let is_long = |token: &[u8]| String::from_utf8_lossy(token).chars().nth(1).is_some();
    let long: Vec<(Id, &[u8])> = vocab.iter().filter(|(_, token)| is_long(token)).collect();
    let replaced: FxHashSet<Id> = long.iter().map(|(id, _)| *id).collect();
    definition.added_tokens.retain(|added| !replaced.contains(&added.id));
    definition.added_tokens.extend(long.into_iter().map(|(id, token)| AddedToken {
        special: special.contains(&id),
        lstrip: true,
        rstrip: true,
        ..AddedToken::special(String::from_utf8_lossy(token), id)
    }));
    definition.added_tokens.sort_by_key(|token| token.id);
    Ok(definition)
}

/// The tokens with a role that the vocabulary has.
fn special(folder: &FolderFiles, roles: &[(&str, &str)], vocab: &Vocab) -> Result<Vec<AddedToken>, LoadError> {
    let mut found = vec![];
    for (role, usual) in roles {
        let token = folder.role(role)?.unwrap_or_else(|| (*usual).to_owned());
        found.extend(vocab.id(token.as_bytes()).map(|id| AddedToken::special(token, id)));
    }
    found.sort_by_key(|token| token.id);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::EncodeError;

    type Golden = (&'static str, &'static [Id]);

    fn ids(definition: Definition, texts: &[Golden]) -> Result<(), EncodeError> {
        let tokenizer = definition.build("x").expect("whole");
        for (text, ids) in texts {
            assert_eq!(&tokenizer.encode(text, None, Default::default())?.ids, ids, "{text:?}");
        }
        Ok(())
    }

    #[test]
    fn proteins_are_split_as_by_the_library() {
        // `EsmTokenizer` of transformers 4.57.1 with this file.
        let content = b"<cls>\n<pad>\n<eos>\n<unk>\nL\nA\nAC\n.\n-\n<null_1>\n<mask>";
        assert!(is_esm(content) && !is_esm(b"[UNK]\n<cls>\n<eos>"));
        let read = esm(&FolderFiles::default(), "vocab.txt", content).expect("valid");
        let golden: [Golden; 9] = [
            ("LACA", &[0, 4, 6, 5, 2]),
            ("L A<mask>.x yAz", &[0, 4, 5, 10, 7, 3, 3, 5, 3, 2]),
            ("ALq L", &[0, 5, 4, 3, 4, 2]),
            ("<null_1>A", &[0, 9, 5, 2]),
            ("", &[0, 2]),
            (" <cls>A", &[0, 0, 5, 2]),
            ("A\n\tL", &[0, 5, 4, 2]),
            ("\u{e9}A", &[0, 3, 5, 2]),
            ("AACCA", &[0, 5, 6, 3, 5, 2]),
        ];
        let tokenizer = read.clone().build("x").expect("whole");
        let pair = tokenizer.encode("A", Some("L"), Default::default()).expect("short");
        assert_eq!(pair.ids, [0, 5, 2, 4, 2]);
        assert_eq!(tokenizer.decode(&[0, 4, 6, 2], false).expect("known"), "<cls> L AC <eos>");
        assert_eq!(ids(read, &golden), Ok(()));
    }

    #[test]
    fn letters_of_speech_are_split_as_by_the_library() {
        // `Wav2Vec2CTCTokenizer` of transformers 4.57.1 with these tokens.
        let tokens = ["<pad>", "<s>", "</s>", "<unk>", "|", "E", "T", "ab", "'"];
        let vocab = Vocab::of(tokens.len(), (0..).zip(tokens)).expect("unlike");
        let files = FolderFiles::default();
        assert_eq!(is_letters(&files, tokens.into_iter()), Ok(false));
        assert_eq!(is_letters(&files, ["<pad>", "|", "E"].into_iter()), Ok(true));
        let read = letters(&files, "vocab.json", vocab).expect("valid");
        let golden: [Golden; 8] = [
            ("TE E'T", &[6, 5, 4, 5, 8, 6]),
            ("tE  T", &[3, 5, 4, 4, 6]),
            ("T|E", &[6, 4, 5]),
            ("Eab T", &[5, 7, 6]),
            ("E ab T", &[5, 7, 6]),
            ("<s> T </s>E", &[1, 6, 2, 5]),
            ("E<pad>E", &[5, 0, 5]),
            ("EETT <pad>T", &[5, 5, 6, 6, 0, 6]),
        ];
        let tokenizer = read.clone().build("x").expect("whole");
        let text = |ids: &[Id], skip| tokenizer.decode(ids, skip).expect("known");
        assert_eq!((text(&[6, 5, 4, 5, 8, 6], false), text(&[5, 5, 6, 6, 0, 6], true)), ("TE E'T".into(), "ET".into()));
        assert_eq!(ids(read, &golden), Ok(()));
    }
}
