//! Any text, any split point: the halves are encoded to the tokens of the whole.

use super::SplitPoints;
use crate::added_tokens::{AddedToken, Specials};
use crate::byte_alphabet::from_bytes;
use crate::formats::definition::Definition;
use crate::formats::vocab_merges::{self, File};
use crate::formats::vocab_txt::{self, Casing};
use crate::offsets::Span;
use crate::postprocessors::Postprocessor;
use crate::postprocessors::trim::Trim;
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::scanners::Pattern;
use crate::testing::{Random, stages};
use crate::tokenizer::{EncodeOptions, Tokenizer};

/// What the proofs treat specially, and what only looks as if it were.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "the", "The", " the", "a", "b", "abab", "x", "É", "e\u{301}", "\u{301}", "日本", "語", "、", "ー", " ", " ", "  ", "\n",
    "\n\n", "\r\n", "\t", "\u{3000}", "\u{a0}", "'s", "'ll", "'", "l", "'ſ", ".", "/", "(", "1", "12", "1234", "<|end|>",
    "<|", "end", "|>", "[MASK]", "[", "MASK", "]", "👩\u{200D}🔬", "\0", "ß", "İ", "don't", "\u{AD}", "안녕", "≠",
    "\u{302E}", "ﬁ", "ª", "AB", "▁", "▁t", "か\u{3099}", "ᄒ\u{1161}", "\u{11ab}", "\u{600}", "q", "h", "слово ",
    "か", "日", "本", "字", "。", "ａ", "”", "— ", "！", "「", "a.", "((", "(a\u{301}", "x=\u{338}", "؟ ", "；", "｜", "…", "‼\n", "〜 ", "日\n", "▁日",
];

fn byte_level(pattern: Pattern, end: AddedToken, trim: Option<Trim>) -> Definition {
    let tokens =
        (0..=255u8).map(|byte| from_bytes(&[byte])).chain(["Ġt", "he", "Ġthe", "ab", "abab", "æĹ"].map(String::from));
    let vocab: Vec<String> = tokens.enumerate().map(|(id, token)| format!("{token:?}: {id}")).collect();
    let vocab = format!("{{{}}}", vocab.join(", "));
    let merges = "#version: 0.2\nĠ t\nh e\na b\nĠt he\nab ab\næ Ĺ\n";
    let file = |name, content: &'static str| File { name, content: content.as_bytes() };
    let vocab = File { name: "vocab.json", content: vocab.as_bytes() };
    let pretokenizer = Pretokenizer::Pattern(pattern);
    let mut definition =
        vocab_merges::read(vocab, file("merges.txt", merges), pretokenizer, None).expect("valid files");
    definition.added_tokens.push(end);
    definition.postprocessor = trim.map(|trim| Postprocessor::ByteLevel(Some(trim)));
    definition
}

fn bert(casing: Casing) -> Definition {
    let content =
        "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\na\nb\n##b\n##ab\n'\ns\n.\n1\n##2\n日\n本\ne\nss\n##34\n##\u{301}";
    vocab_txt::read("vocab.txt", content.as_bytes(), casing).expect("a valid file").into()
}

fn definitions() -> Vec<Definition> {
    let end = AddedToken::special("<|end|>", 300);
    let greedy = AddedToken { lstrip: true, rstrip: true, ..end.clone() };
    let plain = AddedToken { special: false, ..end.clone() };
    let trim = |add_prefix_space| Some(Trim { add_prefix_space });
    let patterns = Pattern::ALL.map(|pattern| byte_level(pattern, end.clone(), None));
    let others = [
        byte_level(Pattern::R50k, greedy, None),
        byte_level(Pattern::R50k, end.clone(), trim(true)),
        byte_level(Pattern::O200k, plain, trim(false)),
        bert(Casing::Uncased),
        bert(Casing::Cased),
    ];
    patterns
        .into_iter()
        .chain(others)
        .chain(stages::split_or_not())
        .chain(stages::with_fast_paths())
        .chain(stages::without_spaces())
        .collect()
}

fn check(tokenizer: &Tokenizer, name: usize, text: &str, specials: Specials) -> usize {
    let points = SplitPoints::new(tokenizer, specials);
    let options = EncodeOptions { specials, add_special_tokens: false, ..EncodeOptions::default() };
    let inner = (1..text.len()).filter(|&at| text.is_char_boundary(at) && points.is_split_point(text, at));
    inner
        .map(|at| {
            let part = |start, end| tokenizer.encode_part(text, Span::new(start, end), specials).expect("fits");
            let (left, right) = (part(0, at), part(at, text.len()));
            let whole = tokenizer.encode(text, None, options).expect("fits");
            assert_eq!([left.ids, right.ids].concat(), whole.ids, "tokenizer {name}, {text:?} at {at}");
            assert_eq!([left.spans, right.spans].concat(), whole.spans, "tokenizer {name}, {text:?} at {at}");
        })
        .count()
}

#[test]
fn halves_have_the_tokens_of_the_whole() {
    let mut random = Random::new(7);
    for (name, definition) in definitions().into_iter().enumerate() {
        let fast = definition.clone().build("fast").expect("valid");
        let stages = definition.build_without_fast_path("stages").expect("valid");
        let mut found = 0;
        for round in 0..400 {
            let text: String = (0..random.below(9)).map(|_| *random.pick(PARTS)).collect();
            let specials = if round % 2 == 0 { Specials::Text } else { Specials::Parse };
            found += check(&fast, name, &text, specials) + check(&stages, name, &text, specials);
        }
        let exist = SplitPoints::new(&fast, Specials::Text).exist();
        assert_eq!(found > 50, exist, "tokenizer {name}: {found} split points");
    }
}

/// The split points of a text as `|`.
fn split(definition: Definition, text: &str) -> String {
    let tokenizer = definition.build("x.json").expect("valid");
    let points = SplitPoints::new(&tokenizer, Specials::Text);
    let bar = |at: usize| if at > 0 && points.is_split_point(text, at) { "|" } else { "" };
    text.char_indices().flat_map(|(at, c)| [bar(at).to_owned(), c.to_string()]).collect()
}

#[test]
fn characters_that_no_token_joins_are_apart() {
    let text = "日本か、本字字。a日本 日\na本>\n\nb";
    let all = stages::without_spaces().into_iter().map(|definition| split(definition, text).replace('\n', "$"));
    let most = "日本|か、|本|字|字|。a|日本| 日|$a|本>|$$b";
    // What is in no token fuses with what is beside it, and a mark with what follows it.
    let some = "日本|か、|本字字。a|日本| 日|$a|本>$$b";
    assert_eq!(
        all.collect::<Vec<_>>(),
        [
            most,
            some,
            most,
            some,
            // Bytes merge.
            some,
            // Line ends merge.
            "日本|か、|本|字|字|。a|日本| 日|$a|本>|$$b",
            // Text looks like the end of an added token that is looked for in normalized text.
            "日本|か、|本|字|字|。a|日本| 日|$a|本>$$b",
            // It takes line ends.
            "日本|か、|本|字|字|。a|日本| 日$a|本>$$b",
            "日本|か、|本|字|字|。a|日本| 日$a|本>$$b",
            // A line end in a symbol; a rule for `a` and for line ends; one for `a` and a mark; one for `か` and a mark.
            "日本|か|、|本|字|字|。a|日本| 日$a|本>|$$b",
            "日本|か|、|本|字|字|。a日本| 日$a本>$$b",
            "日本|か|、|本|字|字|。a|日本| 日$a|本>|$$b",
            "日本か|、|本|字|字|。a|日本| 日$a|本>|$$b",
        ]
    );
}

#[test]
fn symbols_of_ascii_that_no_token_joins_with_what_is_beside_them_are_apart() {
    let all = stages::without_spaces();
    let found = [0, 1, 6, 10, 11].map(|n| split(all[n].clone(), "a.(a)((d.aé.a12 (日(本"));
    assert_eq!(
        found,
        [
            "a.|(|a|)|((|d|.|aé.|a12| (|日(|本",
            // What is in no token fuses with what is beside it.
            "a.|(|a)((d.|aé.|a12| (|日(|本",
            // An added token ends with `d` in normalized text.
            "a.|(|a|)|((d.|aé.|a12| (|日(|本",
            // A rule for `a`.
            "a.|(a)|(|(|d|.aé.a12| (|日(|本",
            // A mark may make another letter of `a`.
            "a|.|(a|)|(|(|d|.aé.a12| (|日(|本",
        ]
    );
}
