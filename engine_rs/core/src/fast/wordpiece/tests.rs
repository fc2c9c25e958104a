//! The fused pipeline against the stages, and those against the definition of WordPiece.

use super::*;
use crate::alignment::AlignedText;
use crate::encoding::Encoding;
use crate::fast::blocks::{Classify, Portable};
use crate::models::wordpiece::{Settings, naive};
use crate::pretokenizers::bert::split;
use crate::testing::Random;
use crate::vocab::Vocab;

/// Pieces that texts are made of: what the rules treat specially, and what words of the vocabulary consist of.
const PIECES: &[&str] = &[
    "a",
    "b",
    "ab",
    "abc",
    "A",
    "B",
    "É",
    "é",
    "e\u{301}",
    "ß",
    "ẞ",
    "İ",
    "ı",
    "Σ",
    "ς",
    "Ǆ",
    "ﬁ",
    "1",
    "٣",
    "中",
    "文",
    "\u{f900}",
    "\u{2f80f}",
    "\u{20000}",
    "が",
    "か\u{3099}",
    "각",
    "한",
    "\u{1100}\u{1161}\u{11a8}",
    "ก",
    "ำ",
    "क",
    "ि",
    "्",
    "\u{301}",
    "\u{316}",
    "\u{334}",
    "\u{345}",
    "\u{344}",
    "\u{302e}",
    "\u{302f}",
    "\u{1b44}",
    "\u{a9c0}",
    "\u{1d165}",
    "\u{1d15e}",
    "\u{8d4}",
    "\u{1e944}",
    "!",
    "#",
    "##",
    "'",
    "$",
    "€",
    "。",
    "≮",
    "\u{37e}",
    "«",
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\u{b}",
    "\u{a0}",
    "\u{3000}",
    "\u{2028}",
    "\u{85}",
    "\0",
    "\u{7f}",
    "\u{ad}",
    "\u{200d}",
    "\u{feff}",
    "\u{fffd}",
    "\u{e000}",
    "😀",
    "👨\u{200d}👩",
    "\u{10ffff}",
    "𐐀",
];

const VOCAB: &[&str] = &[
    "[UNK]",
    "a",
    "##a",
    "b",
    "##b",
    "ab",
    "##bc",
    "e",
    "##e",
    "é",
    "##é",
    "i",
    "##i",
    "##i\u{307}",
    "ss",
    "##s",
    "σ",
    "1",
    "##1",
    "中",
    "豈",
    "兔",
    "か",
    "##か",
    "が",
    "\u{1100}",
    "##\u{1161}",
    "##\u{11a8}",
    "한",
    "ก",
    "##ก",
    "क",
    "##क",
    "!",
    "#",
    "'",
    "<",
    "。",
    "«",
    "\u{302e}",
    "##\u{302e}",
    "\u{1d15e}",
    "##\u{1d165}",
    "##\u{334}",
    "##\u{301}",
    "😀",
    "##😀",
    "aaaaaaaaaaaaaaaaaaaa",
    "##aaaaaaaaaaaaaaaa",
];

const KNOWN: &str = "there is an unknown token";

fn vocab() -> Vocab {
    let mut vocab = Vocab::default();
    for (id, token) in VOCAB.iter().enumerate() {
        vocab.insert(id as Id, token.as_bytes()).expect("each once");
    }
    vocab
}

fn stages(normalizer: BertNormalizer, settings: Settings) -> Arc<Stages> {
    Arc::new(Stages {
        normalizer: Some(Normalizer::Bert(normalizer)),
        pretokenizer: Some(Pretokenizer::Bert),
        model: Model::WordPiece(Arc::new(WordPiece::new(&vocab(), settings))),
    })
}

fn bert(normalizer: BertNormalizer, settings: Settings) -> WordPiecePath {
    WordPiecePath::new(&stages(normalizer, settings)).expect("small")
}

fn text(random: &mut Random) -> String {
    let mut text = String::new();
    let ascii = random.below(3) == 0;
    for _ in 0..random.below(60) {
        match random.below(16) {
            0 => text.push(char::from_u32(random.below(0x11_0000) as u32).unwrap_or('x')),
            1 => text.push_str(&random.pick::<&str>(PIECES).repeat(random.below(130))),
            2..5 => text.push(' '),
            5..9 => text.push(*random.pick(&['a', 'b', 'A', 'e', 'é', 'i'])),
            _ => text.push_str(random.pick::<&str>(PIECES)),
        }
    }
    if ascii { text.replace(|c: char| !c.is_ascii(), "b") } else { text }
}

fn normalizers() -> impl Iterator<Item = BertNormalizer> {
    let bit = |n: u32, at: u32| n >> at & 1 == 1;
    (0..16).map(move |n| BertNormalizer::new(bit(n, 0), bit(n, 1), Some(bit(n, 2)), bit(n, 3)))
}

fn check_against_stages(normalizer: BertNormalizer, max_chars: usize, random: &mut Random) {
    let bert = bert(normalizer, Settings { max_chars, ..Settings::bert(0) });
    let (mut cache, mut portable) = (WordCache::default(), Memory::default());
    for _ in 0..200 {
        let text = text(random);
        let mut expected = Encoding::default();
        bert.encode_stages(&text, 5, &mut expected).expect(KNOWN);
        let mut found = Encoding::default();
        bert.encode(&text, 5, &mut cache, &mut found).expect(KNOWN);
        assert_eq!(found, expected, "{normalizer:?} {max_chars} {text:?}");
        let mut ids: Vec<Id> = vec![];
        Portable
            .run(fused::Encode { bert: &bert, text: &text, base: 5, memory: &mut portable, sink: &mut ids })
            .expect(KNOWN);
        assert_eq!(ids, expected.ids, "{normalizer:?} {max_chars} {text:?}");
    }
}

#[test]
fn equals_the_stages() {
    let mut random = Random::new(11);
    normalizers().for_each(|normalizer| check_against_stages(normalizer, 100, &mut random));
}

#[test]
fn equals_the_stages_with_other_limits() {
    let mut random = Random::new(12);
    for max_chars in [0, 1, 3, 16, queue::MAX_CHARS] {
        check_against_stages(BertNormalizer::UNCASED, max_chars, &mut random);
    }
}

#[test]
fn words_longer_than_the_queue_holds_have_no_fast_path() {
    let longest = |max_chars| stages(BertNormalizer::UNCASED, Settings { max_chars, ..Settings::bert(0) });
    assert!(WordPiecePath::new(&longest(queue::MAX_CHARS)).is_some());
    assert!(WordPiecePath::new(&longest(queue::MAX_CHARS + 1)).is_none());
}

#[test]
fn stages_equal_the_definition() {
    let (vocab, mut random) = (vocab(), Random::new(13));
    let settings = Settings::bert(0);
    for normalizer in [BertNormalizer::UNCASED, BertNormalizer::CASED] {
        let bert = bert(normalizer, settings.clone());
        for _ in 0..300 {
            let text = text(&mut random);
            let mut found = Encoding::default();
            bert.encode_stages(&text, 0, &mut found).expect(KNOWN);
            let mut aligned = AlignedText::new(&text, 0);
            normalizer.normalize(&mut aligned);
            let mut words = vec![];
            split(aligned.text(), &mut words);
            let expected = words.iter().flat_map(|word| {
                let tokens = naive(&vocab, &settings, &aligned.text()[word.clone()]);
                tokens
                    .into_iter()
                    .map(|(id, range)| (id, aligned.span(word.start + range.start..word.start + range.end)))
            });
            let found: Vec<_> = found.ids.iter().copied().zip(found.spans.iter().copied()).collect();
            assert_eq!(found, expected.collect::<Vec<_>>(), "{text:?}");
        }
    }
}

#[test]
fn words_at_every_place_of_a_block() {
    let mut cache = WordCache::default();
    let bert = bert(BertNormalizer::UNCASED, Settings::bert(0));
    for end in ["", "!", " ", "é", "\0", "中", "\u{301}"] {
        for len in 0..140 {
            for lead in ["", "a", " ", "!", "ab "] {
                let text = format!("{lead}{}{end}", "a".repeat(len));
                let (mut found, mut expected) = (Encoding::default(), Encoding::default());
                bert.encode(&text, 0, &mut cache, &mut found).expect(KNOWN);
                bert.encode_stages(&text, 0, &mut expected).expect(KNOWN);
                assert_eq!(found, expected, "{text:?}");
            }
        }
    }
}

#[test]
fn example_of_bert_encode() -> Result<(), crate::error::EncodeError> {
    use crate::fast::wordpiece::{WordCache, WordPiecePath};
    use crate::{
        encoding::Encoding,
        normalizers::{Normalizer, bert::BertNormalizer},
        stages::Stages,
        vocab::Vocab,
    };
    use crate::{
        models::{
            Model,
            wordpiece::{Settings, WordPiece},
        },
        pretokenizers::Pretokenizer,
    };
    use std::sync::Arc;
    let mut vocab = Vocab::default();
    for (id, token) in ["[UNK]", "cafe", "##s", "!"].iter().enumerate() {
        vocab.insert(id as u32, token.as_bytes()).unwrap();
    }
    let stages = Arc::new(Stages {
        normalizer: Some(Normalizer::Bert(BertNormalizer::UNCASED)),
        pretokenizer: Some(Pretokenizer::Bert),
        model: Model::WordPiece(Arc::new(WordPiece::new(&vocab, Settings::bert(0)))),
    });
    let bert = WordPiecePath::new(&stages).unwrap();
    let mut encoding = Encoding::default();
    bert.encode("Cafés in 中!", 0, &mut WordCache::default(), &mut encoding)?;
    assert_eq!(encoding.ids, [1, 2, 0, 0, 3]);
    assert_eq!(encoding.spans[..2].iter().map(|span| span.range()).collect::<Vec<_>>(), [0..5, 5..6]);
    Ok(())
}
