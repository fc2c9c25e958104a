//! Fused pipelines against the stages they fuse, run one after the other.

use token_engine::formats::vocab_merges::{self, File};
use token_engine::formats::vocab_txt::{self, Casing};
use token_engine::internals::byte_alphabet::from_bytes;
use token_engine::pretokenizers::Pretokenizer;
use token_engine::pretokenizers::scanners::Pattern;
use token_engine::{AddedToken, Definition, EncodeOptions, IdsAndEnds, Specials};

const PIECES: &[&str] = &[
    "the",
    "The",
    " the",
    "a",
    "b",
    "ab",
    "abab",
    "x",
    "É",
    "e\u{301}",
    "日本",
    "語",
    " ",
    "  ",
    "\n",
    "\t",
    "'s",
    "'",
    ".",
    "1",
    "12",
    "1234",
    "<|end|>",
    "[MASK]",
    "[mask]",
    "👩\u{200D}🔬",
    "\0",
    "ß",
    "İ",
    "don't",
    "\u{AD}",
    "안녕",
];

fn byte_level(pattern: Pattern) -> Definition {
    let tokens = (0..=255u8)
        .map(|byte| from_bytes(&[byte]))
        .chain(["Ġt", "he", "Ġthe", "ab", "abab", "æĹ", "<|end|>"].map(String::from));
    let vocab: Vec<String> = tokens.enumerate().map(|(id, token)| format!("{token:?}: {id}")).collect();
    let vocab = format!("{{{}}}", vocab.join(", "));
    let merges = "#version: 0.2\nĠ t\nh e\na b\nĠt he\nab ab\næ Ĺ\n";
    vocab_merges::read(
        File { name: "vocab.json", content: vocab.as_bytes() },
        File { name: "merges.txt", content: merges.as_bytes() },
        Pretokenizer::Pattern(pattern),
        None,
    )
    .expect("valid files")
}

fn bert() -> Definition {
    let content = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\na\nb\n##b\n##ab\n'\ns\n.\n1\n##2\n日\n本\ne\nss\n##34";
    vocab_txt::read("vocab.txt", content.as_bytes(), Casing::Uncased).expect("a valid file").into()
}

#[test]
fn fused_pipelines_equal_their_stages() {
    let mut with_added = byte_level(Pattern::R50k);
    with_added.added_tokens = vec![AddedToken { special: false, ..AddedToken::special("12", 263) }];
    let definitions = Pattern::ALL.map(byte_level).into_iter().chain([with_added, bert()]);
    for definition in definitions {
        let fused = definition.clone().build("fused").expect("valid");
        let staged = definition.build_without_fast_path("staged").expect("valid");
        let mut state = 0x2545_F491_4F6C_DD1D_u64;
        for _ in 0..3000 {
            let mut text = String::new();
            for _ in 0..1 + state % 12 {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                text += PIECES[(state >> 32) as usize % PIECES.len()];
            }
            for specials in [Specials::Parse, Specials::Text, Specials::Reject] {
                let options =
                    EncodeOptions { add_special_tokens: state.is_multiple_of(2), specials, ..EncodeOptions::default() };
                let (ours, theirs) = (fused.encode(&text, None, options), staged.encode(&text, None, options));
                assert_eq!(ours, theirs, "{text:?}, {specials:?}");
                let ids = staged.encode_ids(&text, specials);
                assert_eq!(fused.encode_ids(&text, specials), ids, "{text:?}, {specials:?}");
                assert_eq!(fused.with_ids(&text, specials, <[_]>::to_vec), ids, "{text:?}, {specials:?}");
                if let Ok(encoding) = ours {
                    assert_eq!(fused.decode(&encoding.ids, false), staged.decode(&encoding.ids, false), "{text:?}");
                }
            }
            let mut with_ends = IdsAndEnds::default();
            staged.encode_into(&text, Specials::Text, &mut with_ends).expect("short");
            assert_eq!(fused.encode_with_ends(&text), Ok(with_ends), "{text:?}");
        }
    }
}

#[test]
fn tokens_are_the_same_bytes_on_both_pipelines() {
    let (fused, staged) = (
        byte_level(Pattern::R50k).build("fused").unwrap(),
        byte_level(Pattern::R50k).build_without_fast_path("staged").unwrap(),
    );
    for id in 0..263 {
        assert_eq!(fused.token_bytes(id), staged.token_bytes(id), "{id}");
        assert_eq!(staged.id_of(&staged.token_bytes(id).unwrap()), Some(id));
        assert_eq!(fused.rank(id), staged.rank(id));
    }
}

#[test]
fn an_added_token_with_conditions_takes_the_stages() {
    let mut definition = byte_level(Pattern::R50k);
    definition.added_tokens = vec![AddedToken { single_word: true, ..AddedToken::special("end", 262) }];
    let error = definition.clone().build("vocab.json").err().expect("262 is <|end|>").to_string();
    assert!(error.contains("\"end\"") && error.contains("262"), "{error}");
    definition.added_tokens[0].id = 263;
    let tokenizer = definition.build("vocab.json").expect("a free id");
    let ids = |text| tokenizer.encode_ids(text, Specials::Parse).expect("short");
    assert_eq!(ids("end ending").iter().filter(|&&id| id == 263).count(), 1);
}
