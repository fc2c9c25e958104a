//! Tokenizers whose vocabulary nobody learned: each byte, or each character, is a token.
//!
//! `bytes` and `characters` are the plain ones, without special tokens. ByT5 and CANINE are theirs with the IDs and the special
//! tokens of their libraries. Nothing merges, so they are byte-pair encoding with an empty list of merges.
//!
//! Source: `ByT5Tokenizer` and `CanineTokenizer` of Hugging Face transformers.

use super::definition::{Definition, ModelDefinition};
use crate::added_tokens::AddedToken;
use crate::byte_alphabet;
use crate::decoders::Decoder;
use crate::ids::Id;
use crate::models::bpe::characters::Settings;
use crate::postprocessors::Postprocessor;
use crate::postprocessors::template::{Part, Template};
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::byte_level::ByteLevel;
use crate::vocab::{InsertError, Vocab};

/// Names of all of them.
pub const NAMES: [&str; 4] = ["bytes", "characters", "byt5", "canine"];

/// ByT5's IDs of bytes start here; the first IDs are those of its special tokens.
const BYT5_FIRST: Id = 3;
/// Tokens of ByT5 that stand for gaps in a text.
const BYT5_GAPS: Id = 125;
/// Where CANINE's text starts and ends: characters for private use.
const CANINE_ENDS: [char; 2] = ['\u{E000}', '\u{E001}'];

/// The tokenizer of this name; `None` for a name that is none of [`NAMES`].
///
/// ```
/// # use token_engine::{Specials, formats::plain};
/// let byt5 = plain::definition("byt5").expect("a name").build("byt5").expect("whole");
/// assert_eq!(byt5.encode("hi", None, Default::default()).unwrap().ids, [107, 108, 1]);
/// let characters = plain::definition("characters").expect("a name").build("characters").expect("whole");
/// assert_eq!(characters.encode_ids("é🙂", Specials::Text).unwrap(), [0xE9, 0x1F642]);
/// ```
pub fn definition(name: &str) -> Option<Definition> {
    let filled = match name {
        "bytes" => bytes(0),
        "characters" => characters(),
        "byt5" => byt5(),
        "canine" => characters().map(canine),
        _ => return None,
    };
    // Each ID and each spelling is there once, whatever the name.
    filled.ok()
}

/// A token for each byte, the IDs from `first` on, as the byte alphabet spells it.
fn bytes(first: Id) -> Result<Definition, InsertError> {
    let mut vocab = Vocab::with_capacity(256);
    let spelled = |byte: u8| byte_alphabet::from_bytes(&[byte]);
    (0..=255u8).try_for_each(|byte| vocab.insert(first + Id::from(byte), spelled(byte).as_bytes()))?;
    Ok(Definition {
        pretokenizer: Some(Pretokenizer::ByteLevel(ByteLevel::ALONE)),
        decoder: Some(Decoder::ByteLevel),
        ..Definition::new(unmerged(vocab))
    })
}

/// Byte-pair encoding of single symbols.
fn unmerged(vocab: Vocab) -> ModelDefinition {
    ModelDefinition::Bpe { vocab, merges: vec![], settings: Settings::default() }
}

/// A token for each character; its ID is the code point.
fn characters() -> Result<Definition, InsertError> {
    let tokens = ('\0'..=char::MAX).map(|character| (Id::from(character), character.to_string()));
    let vocab = Vocab::of(char::MAX as usize, tokens).map_err(|(_, refused)| refused)?;
    Ok(Definition { decoder: Some(Decoder::Fuse), ..Definition::new(unmerged(vocab)) })
}

/// Bytes, special tokens that take white space beside them, tokens for gaps, and an end of the text. All are in the vocabulary:
/// a tokenizer.json has their IDs nowhere else.
fn byt5() -> Result<Definition, InsertError> {
    const END: (&str, Id) = ("</s>", 1);
    let named = [("<pad>", 0), END, ("<unk>", 2)].map(|(text, id)| AddedToken {
        lstrip: true,
        rstrip: true,
        ..AddedToken::special(text, id)
    });
    let gaps = (0..BYT5_GAPS).map(|gap| AddedToken::special(format!("<extra_id_{gap}>"), BYT5_FIRST + 256 + gap));
    let added_tokens: Vec<_> = named.into_iter().chain(gaps).collect();
    let bytes = bytes(BYT5_FIRST)?;
    let mut vocab = bytes.model.vocab().clone();
    added_tokens.iter().try_for_each(|token| vocab.insert(token.id, token.content.as_bytes()))?;
    let ends = |sequence| [text(sequence, 0), special(END.0, END.1, 0)];
    Ok(Definition {
        added_tokens,
        model: unmerged(vocab),
        postprocessor: Some(Postprocessor::Template(Template {
            single: ends(0).into(),
            pair: [ends(0), ends(1)].concat(),
        })),
        ..bytes
    })
}

/// Special tokens that are characters themselves, and those of both ends around the text.
fn canine(characters: Definition) -> Definition {
    let [start, end] = CANINE_ENDS;
    let added = |character: char| AddedToken::special(character, character.into());
    let mask = AddedToken { lstrip: true, ..added('\u{E003}') };
    let ends = |character: char, name: &str, type_id| special(name, character.into(), type_id);
    let single = vec![ends(start, "[CLS]", 0), text(0, 0), ends(end, "[SEP]", 0)];
    let pair = [single.clone(), vec![text(1, 1), ends(end, "[SEP]", 1)]].concat();
    Definition {
        added_tokens: vec![added('\0'), added(start), added(end), mask],
        postprocessor: Some(Postprocessor::Template(Template { single, pair })),
        ..characters
    }
}

fn text(sequence: u8, type_id: u8) -> Part {
    Part::Sequence { sequence, type_id }
}

fn special(name: &str, id: Id, type_id: u8) -> Part {
    Part::Special { name: name.to_owned(), ids: vec![id], type_id }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::added_tokens::Specials;

    #[test]
    fn each_name_is_a_whole_tokenizer() {
        for (name, tokens) in NAMES.into_iter().zip([256, 0x10_F800, 384, 0x10_F800]) {
            let tokenizer = definition(name).expect(name).build(name).expect("whole");
            assert_eq!(tokenizer.vocab().len(), tokens, "{name}");
            let text = "a\0 é\u{301}\n日🙂\u{10FFFF}\u{E002}";
            let ids = tokenizer.encode_ids(text, Specials::Text).expect("short");
            assert_eq!(tokenizer.decode(&ids, false).expect("known"), text, "{name}");
            let count = if name.starts_with("by") { text.len() } else { text.chars().count() };
            assert_eq!(ids.len(), count, "{name}");
        }
        assert_eq!(definition("words"), None);
    }

    #[test]
    fn a_tokenizer_json_has_the_same_ids() {
        for name in ["bytes", "byt5", "canine"] {
            let definition = definition(name).expect(name);
            let written = crate::formats::tokenizer_json::write(&definition).expect("it holds all stages");
            let read = crate::formats::tokenizer_json::read("x", written.as_bytes())
                .and_then(|read| read.build("x"))
                .expect("whole");
            let tokenizer = definition.build(name).expect("whole");
            for text in ["<extra_id_6>", "a</s> é\u{E000}", ""] {
                for specials in [Specials::Parse, Specials::Text] {
                    assert_eq!(
                        read.encode_ids(text, specials),
                        tokenizer.encode_ids(text, specials),
                        "{name} {text:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn ids_are_those_of_the_libraries() {
        // Of transformers 4.57.1: the class without files, called with the text.
        let cases: [(&str, &str, &[Id]); 7] = [
            ("byt5", "hé</s>x", &[107, 198, 172, 1, 123, 1]),
            ("byt5", "hi </s> x", &[107, 108, 1, 123, 1]),
            ("byt5", "a <extra_id_124> b", &[100, 35, 383, 35, 101, 1]),
            ("byt5", "\0🙂", &[3, 243, 162, 156, 133, 1]),
            ("canine", "hé", &[57344, 104, 233, 57345]),
            ("canine", "\u{E000}a", &[57344, 57344, 97, 57345]),
            ("canine", "[CLS] \0\u{10FFFF}", &[57344, 91, 67, 76, 83, 93, 32, 0, 1_114_111, 57345]),
        ];
        for (name, text, ids) in cases {
            let tokenizer = definition(name).expect(name).build(name).expect("whole");
            assert_eq!(tokenizer.encode(text, None, Default::default()).expect("short").ids, ids, "{text:?}");
        }
        let canine = definition("canine").expect("a name").build("canine").expect("whole");
        let pair = canine.encode("a", Some("b"), Default::default()).expect("short");
        assert_eq!((pair.ids, pair.type_ids), (vec![57344, 97, 57345, 98, 57345], vec![0, 0, 0, 1, 1]));
    }
}
