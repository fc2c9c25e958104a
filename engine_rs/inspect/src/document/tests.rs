//! Every edit of a document against encoding the whole text anew.

use std::ops::Range;

mod part;
mod staged;
use super::{Document, EncodedText};
use token_engine::formats::vocab_merges::{self, File};
use token_engine::formats::vocab_txt::{self, Casing};
use token_engine::internals::byte_alphabet::from_bytes;
use token_engine::internals::testing::Random;
use token_engine::postprocessors::Postprocessor;
use token_engine::postprocessors::trim::Trim;
use token_engine::pretokenizers::Pretokenizer;
use token_engine::pretokenizers::scanners::Pattern;
use token_engine::{AddedToken, EncodeOptions, Span, Specials, Tokenizer, flags};

const PIECES: &[&str] = &[
    "the",
    "The",
    " the",
    "a",
    "b",
    "abab",
    "x",
    "É",
    "e\u{301}",
    "\u{301}",
    "日本",
    "語",
    "、",
    "ー",
    " ",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    "\u{3000}",
    "\u{a0}",
    "'s",
    "'ll",
    "'",
    "l",
    "'ſ",
    ".",
    "/",
    "(",
    "1",
    "12",
    "1234",
    "<|end|>",
    "<|",
    "end",
    "|>",
    "[MASK]",
    "[",
    "MASK",
    "]",
    "👩\u{200D}🔬",
    "\0",
    "ß",
    "İ",
    "don't",
    "\u{AD}",
    "안녕",
    "≠",
    "\u{302E}",
    "ﬁ",
    "ª",
    "AB",
];

fn byte_level(pattern: Pattern) -> Tokenizer {
    byte_level_with(pattern, |end| end, None)
}

fn byte_level_with(
    pattern: Pattern,
    end: impl Fn(AddedToken) -> AddedToken,
    postprocessor: Option<Postprocessor>,
) -> Tokenizer {
    let tokens =
        (0..=255u8).map(|byte| from_bytes(&[byte])).chain(["Ġt", "he", "Ġthe", "ab", "abab", "æĹ"].map(String::from));
    let vocab: Vec<String> = tokens.enumerate().map(|(id, token)| format!("{token:?}: {id}")).collect();
    let vocab = format!("{{{}}}", vocab.join(", "));
    let merges = "#version: 0.2\nĠ t\nh e\na b\nĠt he\nab ab\næ Ĺ\n";
    let (vocab, merges) = (vocab.as_bytes(), merges.as_bytes());
    let [vocab, merges] = [("vocab.json", vocab), ("merges.txt", merges)].map(|(name, content)| File { name, content });
    let mut definition = vocab_merges::read(vocab, merges, Pretokenizer::Pattern(pattern), None).expect("valid files");
    definition.added_tokens.push(end(AddedToken::special("<|end|>", 300)));
    definition.postprocessor = postprocessor;
    definition.build("byte level").expect("valid")
}

/// A token for every byte, and no added ones.
fn bytes_alone() -> Tokenizer {
    let (vocab, _) = token_engine::internals::testing::bytes_alone();
    token_engine::formats::tiktoken::from_ranks(vocab, Pattern::R50k, &[]).build("bytes").expect("complete")
}

fn bert(casing: Casing) -> Tokenizer {
    let content = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\na\nb\n##b\n##ab\n'\ns\n.\n1\n##2\n日\n本\ne\nss\n##34\n##́";
    let definition = vocab_txt::read("vocab.txt", content.as_bytes(), casing).expect("a valid file");
    token_engine::Definition::from(definition).build("BERT").expect("valid")
}

fn tokenizers() -> Vec<Tokenizer> {
    let trim = |add_prefix_space| Some(Postprocessor::ByteLevel(Some(Trim { add_prefix_space })));
    let greedy = |end| AddedToken { lstrip: true, rstrip: true, ..end };
    let staged = vocab_txt::read("vocab.txt", b"[UNK]\n[CLS]\n[SEP]\nthe\na\nb\n##b", Casing::Cased).expect("valid");
    vec![
        byte_level(Pattern::R50k),
        byte_level(Pattern::Cl100k),
        byte_level(Pattern::O200k),
        byte_level(Pattern::Llama3),
        byte_level(Pattern::Qwen2),
        byte_level(Pattern::Tekken),
        byte_level_with(Pattern::R50k, greedy, None),
        byte_level_with(Pattern::R50k, |end| end, trim(true)),
        byte_level_with(Pattern::O200k, |end| AddedToken { special: false, ..end }, trim(false)),
        bert(Casing::Uncased),
        bert(Casing::Cased),
        token_engine::Definition::from(staged).build_without_fast_path("staged").expect("valid"),
    ]
    .into_iter()
    .chain(staged::tokenizers())
    .collect()
}

fn text(random: &mut Random, most: usize) -> String {
    (0..random.below(most + 1)).map(|_| *random.pick(PIECES)).collect()
}

fn boundary(random: &mut Random, text: &str, from: usize) -> usize {
    let mut at = from + random.below(text.len() - from + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Asserts that the document is what encoding its text gives, in all that it tells.
fn assert_whole(document: &Document, tokenizers: &[&Tokenizer], options: EncodeOptions, what: &str) {
    let fresh = Document::new(tokenizers, document.text().to_owned(), options).expect("it was encoded before");
    assert_eq!(document.units(), document.text().encode_utf16().count());
    assert_eq!(document.characters(), document.text().chars().count());
    for (n, (encoded, tokenizer)) in document.encoded().iter().zip(tokenizers).enumerate() {
        let text = document.text();
        let encoding = tokenizer.encode(text, None, options).expect("it was encoded before");
        let ids: Vec<_> = [encoded.leading(), encoded.ids(), encoded.trailing()].concat();
        assert_eq!(ids, encoding.ids, "tokenizer {n} {what} {text:?}");
        let own = encoded.leading().len()..ids.len() - encoded.trailing().len();
        assert_eq!(encoded.spans(), &encoding.spans[own.clone()], "tokenizer {n} {what} {text:?}");
        assert!(encoded.flags(0..encoded.ids().len()).eq(encoding.flags[own].iter().copied()), "tokenizer {n} {what}");
        assert_eq!(encoded.pretoken_count(), encoding.pretoken_count(), "tokenizer {n} {what} {text:?}");
        assert_eq!(encoded, &fresh.encoded()[n], "tokenizer {n} {what} {text:?}");
    }
}

#[test]
fn edits_equal_encoding_the_whole() {
    let tokenizers = tokenizers();
    let tokenizers: Vec<&Tokenizer> = tokenizers.iter().collect();
    let mut random = Random::new(11);
    for specials in [Specials::Text, Specials::Parse] {
        let options = EncodeOptions { specials, ..EncodeOptions::default() };
        for _ in 0..60 {
            let mut document = Document::new(&tokenizers, text(&mut random, 40), options).expect("fits");
            for _ in 0..12 {
                let start = boundary(&mut random, document.text(), 0);
                let end =
                    if random.below(2) == 0 { start } else { boundary(&mut random, document.text(), start).max(start) };
                let (old, new) = (document.clone(), text(&mut random, 3));
                let edit = document.edit(&tokenizers, start..end, &new).expect("fits");
                let what = format!("{:?} {start}..{end} {new:?}", old.text());
                assert_whole(&document, &tokenizers, options, &what);
                assert_replaced(&old, &document, &edit, &what);
            }
        }
    }
}

/// Asserts that what the edit reports of the tokens is true: who applies it to the old ones gets the new ones.
fn assert_replaced(old: &Document, new: &Document, edit: &super::Edit, what: &str) {
    let shift = edit.new_end as isize - edit.old.end as isize;
    let units = new.units() as isize - old.units() as isize;
    for (n, replaced) in edit.replaced.iter().enumerate() {
        let (before, now) = (&old.encoded()[n], &new.encoded()[n]);
        let (head, tail) = (replaced.first, replaced.first + replaced.removed);
        let new_tail = replaced.first + replaced.inserted;
        assert_eq!(before.ids()[..head], now.ids()[..head], "{what}");
        assert_eq!(before.ids()[tail..], now.ids()[new_tail..], "{what}");
        assert_eq!(before.spans()[..head], now.spans()[..head], "{what}");
        let places =
            |document: &Document, encoded: &EncodedText| document.packed(n, Some(0..encoded.ids().len())).places();
        let (old_places, new_places) = (places(old, before), places(new, now));
        assert_eq!(old_places[..head], new_places[..head], "{what}");
        for (a, b) in (tail..before.ids().len()).zip(new_tail..) {
            assert_eq!(before.spans()[a].start as isize + shift, now.spans()[b].start as isize, "{what}");
            assert_eq!(before.spans()[a].end as isize + shift, now.spans()[b].end as isize, "{what}");
            for unit in [2, 3] {
                assert_eq!(old_places[a][unit] as isize + units, new_places[b][unit] as isize, "{what}");
            }
        }
    }
}

#[test]
fn one_word_of_many_is_encoded_again() {
    let tokenizers = [byte_level(Pattern::O200k), bert(Casing::Uncased)];
    let tokenizers: Vec<&Tokenizer> = tokenizers.iter().collect();
    let text = "the ab 1234, ".repeat(1000);
    let mut document = Document::new(&tokenizers, text, EncodeOptions::default()).expect("fits");
    assert!(document.reach(&tokenizers, 6500..6500).len() < 20);
    let edit = document.edit(&tokenizers, 6500..6501, "a").expect("fits");
    assert!(edit.replaced.iter().all(|replaced| !replaced.whole && replaced.removed < 8), "{edit:?}");
}

#[test]
fn the_first_token_keeps_its_space_where_one_is_put_there() {
    let tokenizer = byte_level_with(
        Pattern::R50k,
        |end| end,
        Some(Postprocessor::ByteLevel(Some(Trim { add_prefix_space: true }))),
    );
    let mut document = Document::new(&[&tokenizer], "x the".into(), EncodeOptions::default()).expect("fits");
    assert_eq!(document.encoded()[0].spans()[1].range(), 2..5);
    document.edit(&[&tokenizer], 0..1, "").expect("fits");
    assert_eq!(document.encoded()[0].spans()[0].range(), 0..4);
}

#[test]
fn a_refused_special_token_is_named_with_its_place() {
    let tokenizer = byte_level(Pattern::R50k);
    let options = EncodeOptions { specials: Specials::Reject, ..EncodeOptions::default() };
    let mut document = Document::new(&[&tokenizer], "the <|end| the".into(), options).expect("spells none");
    let error = document.edit(&[&tokenizer], 10..10, ">").expect_err("spells one now");
    assert_eq!(error, token_engine::EncodeError::SpecialInText { token: "<|end|>".into(), byte: 4 });
}

#[test]
fn a_refused_edit_leaves_the_document_as_it_was() {
    // Only the second tokenizer knows the token: the first has encoded the edit when the second refuses it.
    let with_token = byte_level(Pattern::R50k);
    let without = bytes_alone();
    let tokenizers = [&without, &with_token];
    let options = EncodeOptions { specials: Specials::Reject, ..EncodeOptions::default() };
    let mut document = Document::new(&tokenizers, "the ab, the ab".into(), options).expect("spells none");
    let (before, packed) = (document.clone(), document.snapshot(Some(true)));
    for range in [0..14, 3..10, 14..14] {
        document.edit(&tokenizers, range, "<|end|>").expect_err("spells one");
        assert_eq!(document.snapshot(Some(true)), packed);
        assert_whole(&document, &tokenizers, options, "refused");
        assert_eq!((document.text(), document.encoded()), (before.text(), before.encoded()));
    }
    document.edit(&tokenizers, 3..14, " x").expect("spells none");
    assert_eq!(document.text(), "the x");
    assert_whole(&document, &tokenizers, options, "edited after it was refused");
}

#[test]
fn places_in_both_units() {
    let document = Document::new(&[], format!("{}é👩x", "語".repeat(5000)), EncodeOptions::default()).expect("fits");
    let text = document.text();
    let mut unit = 0;
    for (byte, c) in text.char_indices() {
        assert_eq!(document.byte_of_unit(unit), Some(byte));
        assert_eq!(document.unit_of_byte(byte), Some(unit));
        unit += c.len_utf16();
    }
    assert_eq!(document.byte_of_unit(unit), Some(text.len()));
    assert_eq!(document.byte_of_unit(unit + 1), None);
    assert_eq!(document.unit_of_byte(1), None, "inside of 語");
    assert_eq!(document.byte_of_unit(5002), None, "inside the pair of 👩");
}

/// [`Document::shared_around`] with every boundary looked at by itself.
fn shared_around_by_definition(document: &Document, part: &Range<usize>, ignore_spaces: bool) -> Range<usize> {
    let text = document.text();
    let start_of_space = |at: usize| {
        if ignore_spaces && text.is_char_boundary(at) { text[..at].trim_end().len() } else { at }
    };
    let is_shared = |at: usize| {
        if !text.is_char_boundary(at) || text[..at].ends_with(char::is_whitespace) {
            return false;
        }
        let until = text.len() - text[at..].trim_start().len();
        let reaches = at < part.start && until >= part.start;
        let until = if ignore_spaces { until } else { at };
        !reaches && document.encoded().iter().all(|encoded| encoded.has_boundary(at..=until))
    };
    let spans = document.encoded()[0].spans();
    let ends = |spans: &[Span]| spans.iter().flat_map(|span| [span.start, span.end]).collect::<Vec<_>>();
    let first = spans.partition_point(|span| (span.start as usize) < part.start);
    let before = ends(&spans[..first]).into_iter().rev().map(|at| start_of_space(at as usize));
    let start = before.into_iter().find(|&at| at < part.start && is_shared(at));
    let last = spans.partition_point(|span| (span.end as usize) <= part.end);
    let behind = ends(&spans[last..]).into_iter().map(|at| start_of_space(at as usize));
    let end = behind.into_iter().find(|&at| at > part.end && is_shared(at));
    start.unwrap_or(0)..end.unwrap_or(text.len())
}

#[test]
fn shared_boundaries_are_those_of_the_definition() {
    let all = tokenizers();
    let mut random = Random::new(31);
    for _ in 0..400 {
        let some: Vec<&Tokenizer> = (0..1 + random.below(3)).map(|_| random.pick(&all)).collect();
        let options = EncodeOptions { specials: Specials::Text, ..EncodeOptions::default() };
        let document = Document::new(&some, text(&mut random, 30), options).expect("fits");
        for _ in 0..8 {
            let start = boundary(&mut random, document.text(), 0);
            let part = start..boundary(&mut random, document.text(), start).max(start);
            for ignore in [true, false] {
                let expected = shared_around_by_definition(&document, &part, ignore);
                let found = document.shared_around(part.clone(), ignore);
                assert_eq!(found, expected, "{part:?} of {:?}, {ignore}", document.text());
            }
        }
    }
}

#[test]
fn a_run_of_white_space_is_read_once_at_a_keystroke() {
    let tokenizer = bytes_alone();
    let tokenizers = [&tokenizer, &tokenizer];
    for (before, behind) in [(20_000, 0), (0, 20_000), (10_000, 10_000)] {
        let text = format!("a{}x{}b", "\n".repeat(before), "\n".repeat(behind));
        let document = Document::new(&tokenizers, text, EncodeOptions::default()).expect("fits");
        for ignore in [true, false] {
            let key = 1 + before..2 + before;
            let steps = token_engine::internals::steps::of(|| document.shared_around(key.clone(), ignore));
            assert!(steps <= 4 * 20_000, "{before} and {behind} line ends, {ignore}: {steps} bytes are read");
        }
    }
}

#[test]
fn boundaries_that_all_share_surround_an_edit() {
    let tokenizers = [byte_level(Pattern::R50k), bert(Casing::Uncased)];
    let tokenizers: Vec<&Tokenizer> = tokenizers.iter().collect();
    let document = Document::new(&tokenizers, "a b  the a b".into(), EncodeOptions::default()).expect("fits");
    // Boundaries: a| b| | the| a| b and a| |b|  |the| |a| |b.
    assert_eq!(document.shared_around(6..7, true), 3..8);
    assert_eq!(document.shared_around(1..2, true), 0..3);
    let flags_of_template = document.encoded()[1].flags(0..1).any(|flags| flags & flags::TEMPLATE != 0);
    assert!(!flags_of_template);
}
