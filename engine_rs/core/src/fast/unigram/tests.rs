use super::*;
use crate::added_tokens::{AddedToken, Specials};
use crate::fast::FastPath;
use crate::formats::definition::{Definition, ModelDefinition};
use crate::formats::sentencepiece::{Message, SentencePieceModel, numbers};
use crate::split_points::SplitPoints;
use crate::testing::{Random, stages};
use crate::tokenizer::EncodeOptions;
use crate::vocab::{Kind, Vocab};

/// Words, and what a charsmap, marks, white space and unknown characters do between them.
const PARTS: &[&str] = &[
    "a",
    "b",
    "é",
    "ab",
    " a",
    " ab",
    " a",
    " b",
    " aab",
    " ",
    "  ",
    "   ",
    "\n",
    "\t",
    "▁",
    "▁a",
    " x",
    "x",
    "日本 ",
    "q",
    " q",
    "u s",
    " u",
    "<|end|>",
    " <|end|> ",
    "e\u{301}",
    "\u{3000}",
    " aaaaaaaaaaaaaaaaaaaab",
    " abababababababab",
    "h ",
    "''",
    ".",
    " .",
    "a.",
    "(a.b)",
    "((",
    "。",
    "。\n",
    "」\n「",
    "\n\u{3000}",
    "\n\u{3000}a",
    " \u{3000}\u{3000}",
    "か",
    "か\u{3099}",
    "…",
    "！",
    "（a",
    "qzq",
    "a日本qq",
    " ababababababababababababababababababababababababababababababababababababababababab",
];

/// White space, characters that become others, and letters that do with a mark behind them.
const RULES: &[(&str, &str)] = &[
    ("\n", " "),
    ("\t", " "),
    ("\u{3000}", " "),
    ("…", "..."),
    ("！", "!"),
    ("（", "("),
    ("か\u{3099}", "が"),
    ("e\u{301}", "é"),
    ("u", ""),
];

fn definition(random: &mut Random) -> Definition {
    let mut pieces = vec![("?".to_owned(), 0.0, Kind::Unknown), ("▁".to_owned(), -30.0, Kind::Normal)];
    for _ in 0..random.below(20) {
        let mark = *random.pick(&["", "", "▁", "▁▁"]);
        let rest: String =
            (0..1 + random.below(3)).map(|_| *random.pick(&["a", "b", "é", "b", "u", ".", "("])).collect();
        // Sums that differ by less than what far sums are rounded by.
        let score = -(random.below(60) as f32) - random.below(8) as f32 / 1024.0;
        let kind = *random.pick(&[Kind::Normal, Kind::Normal, Kind::Normal, Kind::Normal, Kind::UserDefined]);
        let piece = format!("{mark}{rest}");
        if pieces.iter().all(|known| known.0 != piece) {
            pieces.push((piece, score, kind));
        }
    }
    definition_of(random, pieces)
}

/// A `.model` of these pieces and any settings.
fn definition_of(random: &mut Random, mut pieces: Vec<(String, f32, Kind)>) -> Definition {
    let byte_fallback = random.below(3) == 0;
    let bytes = (0..=255u8).filter(|_| byte_fallback).map(|byte| (format!("<0x{byte:02X}>"), 0.0, Kind::Byte));
    pieces.extend(bytes);
    let mut model = SentencePieceModel { vocab: Vocab::default(), ..SentencePieceModel::default() };
    for (id, (piece, score, kind)) in pieces.iter().enumerate() {
        model.vocab.insert(id as Id, piece.as_bytes()).expect("ids differ");
        model.scores.push(*score);
        model.kinds.push(*kind);
    }
    model.trainer = Some(Message::default().with_number(numbers::BYTE_FALLBACK, byte_fallback.into()));
    let spec = Message::default().with_number(numbers::REMOVE_EXTRA_WHITESPACES, random.below(2) as u64);
    let spec = spec.with_number(numbers::ADD_DUMMY_PREFIX, random.below(2) as u64);
    model.normalizer = Some(match random.below(4) {
        0 => spec,
        1 => spec.with_bytes(numbers::CHARSMAP, &stages::charsmap_bytes()),
        _ => spec.with_bytes(numbers::CHARSMAP, &stages::charsmap_of_rules(RULES)),
    });
    let mut definition = Definition::new(ModelDefinition::SentencePiece(Box::new(model)));
    let greedy = random.below(2) == 0;
    let end = AddedToken { lstrip: greedy, rstrip: greedy, ..AddedToken::special("<|end|>", 600) };
    definition.added_tokens.push(end);
    definition
}

#[test]
fn words_have_the_tokens_of_the_stages() {
    let mut random = Random::new(17);
    let mut quick = 0;
    for round in 0..40 {
        let definition = definition(&mut random);
        let fast = definition.clone().build("fast").expect("a model");
        let stages = definition.build_without_fast_path("stages").expect("a model");
        quick += usize::from(matches!(fast.parts().fast, Some(FastPath::UnigramByWords(_))));
        assert!(!SplitPoints::new(&fast, Specials::Text).exist());
        // The long ones are so long that sums are made 0 again.
        for len in [0, 1, 2, 3, 5, 9, 50, 200, 9, 3, if round % 8 == 0 { 6000 } else { 20 }] {
            let text: String = (0..len).map(|_| *random.pick(PARTS)).collect();
            for specials in [Specials::Text, Specials::Parse] {
                let options = EncodeOptions { specials, ..EncodeOptions::default() };
                let theirs = stages.encode(&text, None, options);
                // Words for which the sum decides are remembered the second time and known the third.
                for time in 0..3 {
                    let ours = fast.encode(&text, None, options);
                    assert!(
                        ours == theirs,
                        "round {round}, time {time}: {:?}: {ours:?} instead of {theirs:?}",
                        text.chars().take(200).collect::<String>()
                    );
                }
            }
        }
    }
    assert!(quick > 20, "{quick}");
}

#[test]
fn words_that_a_sum_decides_are_remembered_with_it() {
    // A word of which no part is clear, since two ways score the same, and is longer than words that any sum may be before.
    let pieces = [("▁", -2.0), ("a", -1.0), ("aa", -2.0), ("x", -1.0), ("▁x", -3.5)];
    let pieces = pieces.map(|(piece, score)| (piece.to_owned(), score, Kind::Normal));
    let unknown = ("?".to_owned(), 0.0, Kind::Unknown);
    let definition = definition_of(&mut Random::new(3), [unknown].into_iter().chain(pieces).collect());
    let fast = definition.clone().build("fast").expect("a model");
    let stages = definition.build_without_fast_path("stages").expect("a model");
    let parts = fast.parts();
    let Some(FastPath::UnigramByWords(path)) = &parts.fast else { panic!("its text falls into words") };
    let word = format!(" {}", "a".repeat(2 * MAX_BYTES));
    let text = format!("x{word} x{word}");
    let ids = stages.encode_ids(&text, Specials::Parse).expect("nothing is refused");
    let mut cache = WordCache::default();
    for remembered in [0, 2, 2] {
        let run = parts.stages.run(&parts.added, Specials::Parse);
        let (mut found, mut job) = (vec![], Job { path, stages: &parts.stages, run, cache: &mut cache });
        job.encode(&text, 0, Start::OfText, &mut found).expect("nothing is refused");
        assert_eq!(found, ids);
        let exact = cache.entries.iter().filter(|entry| matches!(entry.sums, Sums::Exactly { .. }));
        assert_eq!(exact.count(), remembered);
    }
}

#[test]
fn what_rules_and_symbols_reach_over_is_left_to_the_stages() {
    let tokens = ["▁", "a", "b", "x", "か", "X", ".", "▁a", "。", "é", "!", "は"];
    let white = [("\n", " "), ("\t", " "), ("\u{3000}", " ")];
    let long = format!("x{}{}", "\n".repeat(70_000), "ab".repeat(60));
    type Case<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str], &'a [&'a str]);
    let cases: &[Case<'_>] = &[
        (&[], &[], &[&long]),
        (&[("\u{3000}a", "X")], &[], &["a a a", ",\n\u{3000}a"]),
        (&[("\u{3000}か", "X")], &[], &["a か a か", "a\n\u{3000}か"]),
        (&[], &["\u{3000}か"], &["a か a か", "a\n\u{3000}か"]),
        (&[("！", "!"), ("！a", "X")], &[], &["x x！b", "x x！a"]),
        (&[("éa", "X")], &[], &["x xéb", "x xéa"]),
        (&[("は", "はは")], &[], &["x xは"]),
        (&[("a\n", "X")], &[], &["x x", "xa\nx"]),
        (&[], &["\nx"], &["a x a x", "a\nx", "a \nx", "a\n\nx"]),
    ];
    for (rules, symbols, texts) in cases {
        let mut model = SentencePieceModel { vocab: Vocab::default(), ..SentencePieceModel::default() };
        let kinds = [Kind::Unknown].into_iter().chain(tokens.map(|_| Kind::Normal));
        let kinds = kinds.chain(symbols.iter().map(|_| Kind::UserDefined));
        let pieces = ["?"].into_iter().chain(tokens).chain(symbols.iter().copied());
        for (id, (piece, kind)) in (0..).zip(pieces.zip(kinds)) {
            model.vocab.insert(id, piece.as_bytes()).expect("ids differ");
            model.scores.push(-1.0 - id as f32 / 4.0);
            model.kinds.push(kind);
        }
        let rules = stages::charsmap_of_rules(&[&white[..], rules].concat());
        for extra in 0..2 {
            let spec = Message::default().with_bytes(numbers::CHARSMAP, &rules);
            model.normalizer = Some(spec.with_number(numbers::REMOVE_EXTRA_WHITESPACES, extra));
            let definition = Definition::new(ModelDefinition::SentencePiece(Box::new(model.clone())));
            let fast = definition.clone().build("fast").expect("a model");
            let stages = definition.build_without_fast_path("stages").expect("a model");
            for text in *texts {
                let encode =
                    |tokenizer: &crate::tokenizer::Tokenizer| tokenizer.encode(text, None, EncodeOptions::default());
                assert!(encode(&fast) == encode(&stages), "{rules:?} {symbols:?} {extra} {:?}", text.get(..20));
                assert!(encode(&fast) == encode(&stages), "again: {symbols:?} {extra} {:?}", text.get(..20));
            }
        }
    }
}

#[test]
fn a_space_in_a_token_is_no_mark() {
    let pieces = [("▁", -2.0), ("▁▁", -3.0), ("a", -2.5), (" a", -0.5), (" ", -0.1), ("b", -1.0), ("▁b", -1.5)];
    let pieces = pieces.map(|(piece, score)| (piece.to_owned(), score, Kind::Normal));
    let unknown = ("?".to_owned(), 0.0, Kind::Unknown);
    let mut random = Random::new(2);
    for _ in 0..16 {
        let definition = definition_of(&mut random, [unknown.clone()].into_iter().chain(pieces.clone()).collect());
        let fast = definition.clone().build("fast").expect("a model");
        let stages = definition.build_without_fast_path("stages").expect("a model");
        for text in ["b  a", "b  ", "a  a b", " a", "b   a a  b"] {
            let ids = |tokenizer: &crate::tokenizer::Tokenizer| tokenizer.encode_ids(text, Specials::Parse);
            assert_eq!(ids(&fast), ids(&stages), "{text:?}");
        }
    }
}

#[test]
fn a_mark_may_join_a_letter_behind_a_symbol_with_the_symbol() {
    let pieces = [("▁", -2.0), ("(", -1.0), ("e", -1.0), ("é", -1.0), ("(é", -0.5), ("x", -1.0)];
    let mut model = SentencePieceModel { vocab: Vocab::default(), ..SentencePieceModel::default() };
    let unknown = ("?", 0.0, Kind::Unknown);
    let pieces = [unknown].into_iter().chain(pieces.map(|(piece, score)| (piece, score, Kind::Normal)));
    for (id, (piece, score, kind)) in (0..).zip(pieces) {
        model.vocab.insert(id, piece.as_bytes()).expect("ids differ");
        model.scores.push(score);
        model.kinds.push(kind);
    }
    let rule = stages::charsmap_of_rule("e\u{301}".as_bytes(), "é");
    model.normalizer = Some(Message::default().with_bytes(numbers::CHARSMAP, &rule));
    let definition = Definition::new(ModelDefinition::SentencePiece(Box::new(model)));
    let fast = definition.clone().build("fast").expect("a model");
    assert!(matches!(fast.parts().fast, Some(FastPath::UnigramByWords(_))));
    let stages = definition.build_without_fast_path("stages").expect("a model");
    for text in ["x x(e\u{301}", "x x(ex", "x x(é", "x x(e", &format!("x{}(e\u{301}x", " x".repeat(31))] {
        let ids = |tokenizer: &crate::tokenizer::Tokenizer| tokenizer.encode_ids(text, Specials::Parse);
        assert_eq!(ids(&fast), ids(&stages), "{text:?}");
        assert_eq!(ids(&fast), ids(&stages), "{text:?} again");
    }
}

#[test]
fn memory_is_bounded_and_what_is_forgotten_is_found_anew() {
    let definition = definition(&mut Random::new(4));
    let fast = definition.clone().build("fast").expect("a model");
    let stages = definition.build_without_fast_path("stages").expect("a model");
    let text: String = (0..70_000).map(|n| format!("ab{n} ")).collect();
    for text in [&text, &text[..text.len() / 2]] {
        let ids = |tokenizer: &crate::tokenizer::Tokenizer| tokenizer.encode_ids(text, Specials::Parse);
        assert!(ids(&fast) == ids(&stages));
    }
}
