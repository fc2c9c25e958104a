//! Models made in code, byte by byte.

use super::wire::{put_bytes, put_float, put_number};
use super::{numbers, read, to_bytes};
use crate::error::LoadError;
use crate::formats::definition::{Definition, ModelDefinition};

/// A piece: text, score, number of its type.
fn piece(text: &[u8], score: f32, kind: u64) -> Vec<u8> {
    let mut piece = vec![];
    put_bytes(numbers::PIECE_TEXT, text, &mut piece);
    put_float(numbers::PIECE_SCORE, score, &mut piece);
    put_number(numbers::PIECE_TYPE, kind, &mut piece);
    piece
}

fn with(field: u32, message: &[u8], mut model: Vec<u8>) -> Vec<u8> {
    put_bytes(field, message, &mut model);
    model
}

/// `<unk>`, `▁a`, `b` as a model of this type.
fn small(model_type: u64) -> Vec<u8> {
    let mut model = vec![];
    for (text, score, kind) in [("<unk>", 0.0, 2), ("▁a", -1.0, 1), ("b", -2.0, 1)] {
        model = with(numbers::PIECES, &piece(text.as_bytes(), score, kind), model);
    }
    let mut trainer = vec![];
    put_number(numbers::MODEL_TYPE, model_type, &mut trainer);
    with(numbers::TRAINER, &trainer, model)
}

fn load(bytes: &[u8]) -> Result<Definition, LoadError> {
    let definition = read("x.model", bytes)?;
    definition.clone().build("x.model")?;
    Ok(definition)
}

fn refusal(bytes: &[u8]) -> String {
    load(bytes).expect_err("no model").to_string()
}

#[test]
fn every_type_segments_its_way() {
    let cases: &[(u64, &[u32])] = &[(1, &[1, 2]), (2, &[1, 2]), (3, &[0]), (4, &[0, 2])];
    for &(model_type, ids) in cases {
        let tokenizer = read("x.model", &small(model_type)).and_then(|read| read.build("x.model")).expect("a model");
        assert_eq!(tokenizer.encode_ids("ab", Default::default()).expect("text"), ids, "{model_type}");
    }
}

#[test]
fn fields_that_the_library_skips_are_listed() {
    let read = read("x.model", &with(numbers::NORMALIZER, b"\x38\x01", small(1))).expect("the library reads it");
    let [field] = &read.ignored_fields[..] else { panic!("{:?}", read.ignored_fields) };
    assert_eq!((field.place.as_str(), field.value.as_str()), ("normalizer_spec.7", "1"));
    assert!(read.build("x.model").is_ok());
}

#[test]
fn refuses_what_is_no_model() {
    let unknown_piece = |number: u32, kind: u64| {
        let mut piece = piece(b"x", 0.0, 1);
        put_number(number, kind, &mut piece);
        with(numbers::PIECES, &piece, small(1))
    };
    let pieces = |text: &[u8], score, kind| with(numbers::PIECES, &piece(text, score, kind), small(1));
    let mut huge = small(1);
    huge.extend([0x0a, 0xff, 0xff, 0xff, 0xff, 0x07]);
    let mut group = small(1);
    group.extend(std::iter::repeat_n(0x0b, 100_000));
    let mut fallback = vec![];
    put_number(numbers::BYTE_FALLBACK, 1, &mut fallback);
    let mut odd_switch = vec![];
    put_bytes(numbers::ADD_DUMMY_PREFIX, b"yes", &mut odd_switch);
    let mut rules = vec![];
    put_bytes(numbers::CHARSMAP, b"\xff\0\0\0abc", &mut rules);
    let cases: &[(Vec<u8>, &str)] = &[
        (vec![], "x.model byte 0: pieces: there are none"),
        (huge, "a field of 2147483647 bytes is announced, but 0 are left"),
        (group, "field 1 is a group"),
        (vec![0x0f], "field 1 has the unknown wire type 7"),
        (vec![0x02, 0x00], "0 is no number of a field"),
        (vec![0xff; 20], "the number of a field has more than 10 bytes"),
        (small(1)[..small(1).len() - 1].to_vec(), "a field of 2 bytes is announced, but 1 are left"),
        (pieces(b"", 0.0, 1), "pieces[3]: a piece without text"),
        (pieces(b"a\xff", 0.0, 1), "pieces[3].piece: not UTF-8 from here on"),
        (pieces(b"b", 0.0, 1), "pieces[3]: \"b\" is already pieces[2]"),
        (pieces(b"b", 0.0, 3), "pieces[3]: \"b\" is already pieces[2]"),
        (pieces(b"c", f32::NAN, 1), "pieces[3].score: NaN is no score"),
        (pieces(b"c", f32::INFINITY, 1), "pieces[3].score: inf is no score"),
        (pieces(b"c", 0.0, 7), "pieces[3].type: 7 is no type of a piece"),
        (pieces(b"c", 0.0, 2), "ids 0 and 3 are both the unknown token"),
        (pieces(b"<0x41>", 0.0, 6), "pieces[3] is a byte, but byte_fallback is off"),
        (with(numbers::PIECES, &piece(b"a", 0.0, 1), vec![]), "no token is the unknown one"),
        (unknown_piece(9, 1), "pieces[3].9: it is not known what this field does"),
        (with(9, b"", small(1)), "9: it is not known what this field does"),
        (small(5), "trainer_spec.model_type: 5 is no model type"),
        (with(numbers::TRAINER, &fallback, small(1)), "there is no byte token <0x00>"),
        (with(numbers::NORMALIZER, &odd_switch, small(1)), "normalizer_spec: field 3 has the wrong wire type"),
        (with(numbers::NORMALIZER, &rules, small(1)), "normalizer_spec.precompiled_charsmap: the trie should have"),
    ];
    for (bytes, expected) in cases {
        assert!(refusal(bytes).contains(expected), "{} does not say {expected}", refusal(bytes));
    }
}

#[test]
fn every_beginning_of_a_model_is_refused_or_read() {
    let model = with(numbers::NORMALIZER, b"\x18\x01", small(2));
    for end in 0..model.len() {
        let _ = load(&model[..end]);
        for bit in 0..8 {
            let mut damaged = model.clone();
            damaged[end] ^= 1 << bit;
            let _ = load(&damaged);
        }
    }
}

#[test]
fn what_is_not_needed_is_kept() {
    let mut extended = piece("é".as_bytes(), -3.0, 4);
    put_bytes(201, b"mine", &mut extended);
    let mut model = with(numbers::PIECES, &extended, vec![]);
    model.extend(small(2));
    model = with(numbers::NORMALIZER, b"\x0a\x04nfkc\x18\x00", model);
    model = with(numbers::DENORMALIZER, b"\x18\x00", model);
    model = with(numbers::SELF_TEST, b"\x0a\x03\x0a\x01a", model);
    model = with(300, b"an extension", model);
    let definition = load(&model).expect("a model");
    let ModelDefinition::SentencePiece(parsed) = &definition.model else { panic!("another model") };
    let written = to_bytes(parsed);
    assert_eq!(load(&written).expect("a model"), definition);
    for kept in [&b"mine"[..], b"nfkc", b"an extension", b"\x0a\x03\x0a\x01a"] {
        assert!(written.windows(kept.len()).any(|window| window == kept), "{kept:?}");
    }
}
