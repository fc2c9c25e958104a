//! Fast paths against the stages.

use std::sync::Arc;

use crate::added_tokens::Specials;
use crate::call::{Call, Cancelled, enter};
use crate::encoding::{IdsAndEnds, Sink};
use crate::formats::definition::{Definition, ModelDefinition};
use crate::formats::patterns;
use crate::ids::Id;
use crate::offsets::Span;
use crate::split_points::SplitPoints;
use crate::testing::{Random, scaled, stages};
use crate::tokenizer::{EncodeOptions, MAX_IDLE_BYTES};
use crate::vocab::Vocab;

const PIECES: &[&str] = &[
    "the",
    "The",
    " the",
    "a",
    " ab",
    "ab",
    "x",
    "q",
    "h",
    "é",
    "e\u{301}",
    " e\u{301}\u{323}",
    "\u{301}",
    "日本",
    "、",
    "か\u{3099}",
    " ",
    " ",
    " ",
    "  ",
    "   ",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    "\u{3000}",
    "\u{a0}",
    "'s",
    "''",
    "'",
    ".",
    ",",
    "\"",
    "1",
    "12",
    "<|end|>",
    " <|end|> ",
    "<|END|>",
    "[MASK]",
    "<|",
    "|>",
    "\0",
    "ß",
    "İ",
    "don't",
    "\u{AD}",
    "안녕",
    "\u{1112}\u{1161}",
    "\u{11ab}",
    "ﬁ",
    "\u{958}",
    "\u{915}\u{93c}",
    "①",
    "㈠",
    "㌀",
    "\u{2000}",
    "Å",
    "▁",
    "▁t",
    "ｱﾞ",
    "\u{600}",
    "\u{0e01}\u{0e33}",
    "👩\u{200D}🔬",
    "½",
    "þe",
    "слово",
    "слово ",
    "ии",
    "и\u{306}",
    "и ",
    " ь\u{e33} ",
    "\u{e33}",
    " xh ",
    "\n\u{344}\u{5bc}",
    "½\u{e33}",
    "한 ",
    "。",
    "” ",
    "—",
    "！ ",
    "。\n",
    "日\n",
    "！a",
    "＋ ",
    "～\n",
    " ，",
    "，日",
    "a…",
    " …",
    "｜",
    "ｱx",
    "\n\u{3000}",
    "\n\u{3000}日",
    "\n\u{3000}ab",
    "\n\u{3000}！",
    "\n\u{3000}\u{301}",
    "\n日本",
    "▁日",
];

fn assert_same(definitions: Vec<Definition>, seed: u64) {
    let mut random = Random::new(seed);
    for (n, definition) in definitions.into_iter().enumerate() {
        let short = definition.clone().build("short").expect("valid");
        let staged = definition.build_without_fast_path("staged").expect("valid");
        for round in 0..scaled(500) {
            let text: String = (0..random.below(14)).map(|_| *random.pick(PIECES)).collect();
            let specials = if round % 3 == 0 { Specials::Text } else { Specials::Parse };
            let options = EncodeOptions { specials, ..EncodeOptions::default() };
            let (ours, theirs) = (short.encode(&text, None, options), staged.encode(&text, None, options));
            assert_eq!(ours, theirs, "definition {n}: {text:?}, {specials:?}");
            let ids = staged.encode_ids(&text, specials);
            assert_eq!(short.encode_ids(&text, specials), ids, "definition {n}: {text:?}, {specials:?}");
            assert_eq!(short.with_ids(&text, specials, <[_]>::to_vec), ids, "definition {n}: {text:?}, {specials:?}");
            let mut out = IdsAndEnds::default();
            let with_ends = staged.encode_into(&text, Specials::Text, &mut out).map(|()| out);
            assert_eq!(short.encode_with_ends(&text), with_ends, "definition {n}: {text:?}");
        }
    }
}

#[test]
fn lists_of_ids_have_no_room_left() {
    // The caller may keep them for long.
    for (n, definition) in stages::with_fast_paths().into_iter().enumerate() {
        let tokenizer = definition.build("any").expect("valid");
        // Less and more tokens than are foreseen, in texts beyond those whose ids are copied (`COPIED_BYTES`): 78 000 and 81 000
        // bytes are more than 65 536.
        for text in ["the abababab ".repeat(6_000), "a 1 . é ".repeat(9_000)] {
            let ids = tokenizer.encode_ids(&text, Specials::Text).expect("short");
            assert_eq!(ids.capacity(), ids.len(), "definition {n}");
            let with_ends = tokenizer.encode_with_ends(&text).expect("short");
            assert_eq!((with_ends.ids.capacity(), with_ends.ends.capacity()), (ids.len(), ids.len()), "definition {n}");
            for threads in [1, 2] {
                let rows = tokenizer.encode_ids_batch(&[&text, "", &text], Specials::Text, threads).expect("short");
                assert_eq!((rows.ids.len(), rows.ids.capacity()), (2 * ids.len(), 2 * ids.len()), "definition {n}");
            }
            if let Ok(ids) = tokenizer.encode_bytes(&[text.as_bytes(), b"\xff"].concat()) {
                assert_eq!(ids.capacity(), ids.len(), "definition {n}");
            }
        }
    }
}

#[test]
fn long_words_equal_the_stages() {
    const PARTS: &[&str] = &["a", "ab", "日本", "，", "…", "x", "！a", "the", ".", "1/", "ｱ", "слово"];
    let mut random = Random::new(29);
    for (n, definition) in stages::with_fast_paths().into_iter().enumerate() {
        let short = definition.clone().build("short").expect("valid");
        let staged = definition.build_without_fast_path("staged").expect("valid");
        for round in 0..20 {
            let mut word = || (0..random.below(200)).map(|_| *random.pick(PARTS)).collect::<String>();
            let text = format!("a {}\n{}\n\u{3000}{}  {}\n   {}", word(), word(), word(), word(), word());
            let options = EncodeOptions::default();
            let (ours, theirs) = (short.encode(&text, None, options), staged.encode(&text, None, options));
            assert_eq!(ours, theirs, "definition {n}, round {round}: {text:?}");
        }
    }
}

#[test]
fn fast_paths_equal_the_stages() {
    assert_same(stages::with_fast_paths(), 3);
    assert_same(stages::split_or_not(), 4);
    assert_same(stages::without_spaces(), 5);
}

#[test]
fn rank_files_with_any_pattern_equal_the_stages() {
    let mut vocab = Vocab::default();
    let bytes = (0..=255u8).map(|byte| vec![byte]);
    let tokens = [" t", "he", " the", "ab", " ab", "é", "日本", "  "].map(|token| token.as_bytes().to_vec());
    for (id, token) in bytes.chain(tokens).enumerate() {
        vocab.insert(id as Id, &token).expect("all differ");
    }
    let patterns = [r"\p{L}+|\P{L}", r"\s+(?!\S)|\S+|\s", r"\p{L}+", "kimi", r" ?\p{L}{1,2}|\d"];
    let definitions = patterns.map(|pattern| {
        let mut definition = Definition::new(ModelDefinition::Ranks { vocab: vocab.clone() });
        definition.pretokenizer = Some(patterns::read(pattern).expect("a pattern"));
        assert!(definition.clone().build("short").expect("valid").parts().fast.is_some(), "{pattern}");
        definition
    });
    assert_same(definitions.into(), 6);
}

#[test]
fn every_definition_of_the_kind_has_a_fast_path() {
    for (n, definition) in stages::with_fast_paths().into_iter().enumerate() {
        let tokenizer = definition.build("short").expect("valid");
        assert!(tokenizer.parts().fast.is_some(), "{n}");
    }
}

#[test]
fn memory_is_bounded_and_what_is_forgotten_is_found_anew() {
    let definition = stages::split_or_not().remove(0);
    let (short, staged) = (
        definition.clone().build("short").expect("valid"),
        definition.build_without_fast_path("staged").expect("valid"),
    );
    let text: String = (0..70_000).map(|n| format!("a{n}{} ", "-b".repeat(n % 50))).collect();
    for text in [&text, &text[..text.len() / 2]] {
        let ids = |tokenizer: &crate::tokenizer::Tokenizer| tokenizer.encode_ids(text, Specials::Parse).expect("short");
        assert_eq!(ids(&short), ids(&staged));
        let bytes = short.idle_bytes();
        assert!((5 << 20..MAX_IDLE_BYTES).contains(&bytes), "what one thread has is kept: {bytes} bytes");
    }
}

#[test]
fn segments_of_any_length_equal_the_stages() {
    let mut random = Random::new(12);
    let long = |random: &mut Random, len: usize| -> String {
        let pieces = std::iter::repeat_with(|| *random.pick(PIECES));
        let mut text = "x".to_owned();
        pieces
            .filter(|piece| !piece.contains([' ', '\n', '\t', '\u{3000}']))
            .take_while(|piece| {
                text += piece;
                text.len() < len
            })
            .for_each(drop);
        text
    };
    for (n, definition) in stages::with_fast_paths().into_iter().chain(stages::without_spaces()).enumerate() {
        let short = definition.clone().build("short").expect("valid");
        let staged = definition.build_without_fast_path("staged").expect("valid");
        let mut lengths = vec![14, 17, 30, 33, 65, 500, 520, 2200, 4090, 4110];
        // Each at every second definition; when more is tried, both at all.
        lengths.extend([65_500, 65_600].iter().cycle().skip(n % 2).take(scaled(1).min(2)));
        let segments: Vec<String> = lengths.iter().map(|&len| long(&mut random, len)).collect();
        let text = ["the", &segments.join(" "), &segments[7..10].join("\n"), "end"].join(" ");
        let expected = staged.encode(&text, None, EncodeOptions::default());
        for visit in ["first", "second", "third"] {
            assert!(short.encode(&text, None, EncodeOptions::default()) == expected, "definition {n}, {visit}");
        }
    }
}

#[test]
fn any_number_of_pretokens_without_tokens_is_counted() {
    let punctuation = "!".repeat(70_000);
    let definition = stages::from_json(&serde_json::json!({
        "normalizer": {"type": "Replace", "pattern": {"String": "!"}, "content": punctuation},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "WhitespaceSplit"}, {"type": "Punctuation", "behavior": "Isolated"}]},
        "model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []}}));
    let (short, staged) =
        (definition.clone().build("x").expect("valid"), definition.build_without_fast_path("x").expect("valid"));
    let count = |tokenizer: &crate::tokenizer::Tokenizer| {
        tokenizer.encode("a b! b", None, EncodeOptions::default()).expect("no token is unknown").pretoken_count()
    };
    assert_eq!((count(&short), count(&staged)), (70_003, 70_003));
}

/// Cancels its call when it gets the first token, and counts the others.
struct Cancels(Arc<Call>, usize);

impl Sink for Cancels {
    fn push(&mut self, _: Id, _: Span) {
        self.0.cancel();
        self.1 += 1;
    }
}

#[test]
fn a_call_that_is_cancelled_ends_long_before_its_text() {
    for definition in stages::with_fast_paths() {
        let build = |definition: Definition| [definition.clone().build("x"), definition.build_without_fast_path("x")];
        for tokenizer in build(definition).map(|built| built.expect("valid")) {
            // Stages without a pretokenizer have all tokens of a text before they push the first, fast paths those of a stretch
            // without split points.
            let is_fast = tokenizer.parts().fast.is_some();
            let points = SplitPoints::new(&tokenizer, Specials::Text);
            for piece in ["the ab 12, ", "日本、é ", "\u{301}é語 ", "ab<|end|> "] {
                let text = piece.repeat(if is_fast { scaled(100_000) } else { 2_000 });
                let mut places = text.char_indices().take(100).map(|(at, _)| at).filter(|&at| at > 0);
                let has_parts = is_fast && places.any(|at| points.is_split_point(&text, at));
                let mut sink = Cancels(Arc::default(), 0);
                let _entered = enter(Some(Arc::clone(&sink.0)));
                let encoded = tokenizer.encode_into(&text, Specials::Text, &mut sink);
                assert_eq!(encoded, Err(Cancelled.into()), "{} {piece:?}", tokenizer.model_name());
                assert!(
                    sink.1 < 150_000 || !has_parts,
                    "{} pushed {} tokens of {piece:?}",
                    tokenizer.model_name(),
                    sink.1
                );
            }
        }
    }
}

#[test]
fn no_later_call_uses_what_a_cancelled_one_left_unfinished() {
    let mut random = Random::new(5);
    let word: String = (0..20_000).map(|_| *random.pick(&['t', 'h', 'e', 'a', 'b'])).collect();
    let text = format!("the ab {word} the ab {word}");
    for definition in stages::with_fast_paths() {
        let build = || definition.clone().build("x").expect("valid");
        let expected = build().encode_ids(&text, Specials::Text);
        let tokenizer = build();
        let mut sink = Cancels(Arc::default(), 0);
        {
            let _entered = enter(Some(Arc::clone(&sink.0)));
            let encoded = tokenizer.encode_into(&text, Specials::Text, &mut sink);
            assert_eq!(encoded, Err(Cancelled.into()), "{}", tokenizer.model_name());
        }
        assert_eq!(tokenizer.encode_ids(&text, Specials::Text), expected, "{}", tokenizer.model_name());
    }
}
