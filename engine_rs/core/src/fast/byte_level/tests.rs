//! The blocks against the scanners, and the whole pass against their pretokens merged as the definition does.

use super::*;
use crate::encoding::{Encoding, IdsAndEnds};
#[cfg(target_arch = "x86_64")]
use crate::fast::blocks::{Avx2, Avx512};
use crate::fast::blocks::{BLOCK, Baseline, Classify, Portable, Sets};
use crate::fast::texts;
use crate::models::bpe::merges::Merges;
use crate::models::bpe::{WholeTokens, naive};
use crate::offsets::Span;
use crate::pretokenizers::characters::Classes;
use crate::pretokenizers::scanners::Pattern;
use crate::testing::{Random, bytes_alone, scaled};

const PATTERNS: [Pattern; 6] = Pattern::ALL;

fn all_rules() -> impl Iterator<Item = Rules> {
    PATTERNS.into_iter().map(Rules::from).chain([Rules::Deepseek])
}

/// What the patterns treat specially, and what only looks as if it were.
pub(super) const PIECES: &[&str] = &[
    "a",
    "word",
    "The",
    "HTTPServer",
    "x",
    "s",
    "t",
    "l",
    "ll",
    "v",
    "re",
    "R",
    "'",
    "''",
    "'s",
    "'T",
    "'ll",
    "'LL",
    "'Ve",
    "don't",
    "I'll",
    "'ſ",
    "1",
    "12",
    "1234567",
    " ",
    "  ",
    "    ",
    "\t",
    "\n",
    "\r\n",
    "\n\n",
    "\n \n",
    "\u{b}",
    "\x1c",
    "\0",
    ".",
    ",",
    "...",
    "!\n",
    ";\n//",
    "/",
    "//",
    "\n/",
    "-",
    "_",
    "{}",
    "();",
    "\"",
    "\x7f",
    "é",
    "日本",
    "\u{a0}",
    "\u{3000}",
    "\u{301}",
    "½",
    "👍",
    "Éa",
    "Йю",
    "ǅ",
    "한",
    "ก็",
    "नि",
    "、",
    "“",
    "٣",
    "\u{2028}",
    "𐐀",
    "𠀀",
];

fn random_text(random: &mut Random, pieces: &[&str], len: usize) -> String {
    let mut text = String::new();
    while text.len() < len {
        text += *random.pick::<&str>(pieces);
    }
    text
}

fn ends_by_blocks<C: Classify>(classify: C, rules: Rules, text: &str) -> Vec<usize> {
    let (boundaries, classes) = (Boundaries::new(rules), Classes::get());
    let (mut at, mut ends) = (0, vec![]);
    while at < text.len() {
        let found = boundaries.find(classify, text, at);
        ends.extend((1..BLOCK).filter(|n| found.starts >> n & 1 == 1).map(|n| at + n));
        if found.end > at {
            ends.push(found.end);
        }
        at = found.end;
        if !found.goes_on && at < text.len() {
            at = rules.next(classes, text, at);
            ends.push(at);
        }
    }
    ends
}

/// Finds characters beyond ASCII in blocks on any processor, one by one.
#[derive(Clone, Copy)]
struct OneByOne;

impl Classify for OneByOne {
    const HAS_NUMBERS: bool = true;

    fn masks<const N: usize>(self, sets: &Sets<N>, block: &[u8; BLOCK]) -> [u64; N] {
        Portable.masks(sets, block)
    }
}

fn assert_same(rules: Rules, text: &str) {
    let (mut expected, mut end, classes) = (vec![], 0, Classes::get());
    while end < text.len() {
        end = rules.next(classes, text, end);
        expected.push(end);
    }
    assert_eq!(ends_by_blocks(Portable, rules, text), expected, "{rules:?}, {text:?}");
    assert_eq!(ends_by_blocks(Baseline, rules, text), expected, "baseline, {rules:?}, {text:?}");
    assert_eq!(ends_by_blocks(OneByOne, rules, text), expected, "one by one, {rules:?}, {text:?}");
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = Avx2::new() {
        assert_eq!(ends_by_blocks(avx2, rules, text), expected, "AVX2, {rules:?}, {text:?}");
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(avx512) = Avx512::new() {
        assert_eq!(ends_by_blocks(avx512, rules, text), expected, "AVX-512, {rules:?}, {text:?}");
    }
}

#[test]
fn blocks_start_pretokens_where_scanners_do() {
    let mut random = Random::new(11);
    for round in 0..scaled(10_000) {
        // Few kinds of pieces per text, so that runs and edges between the same two are frequent.
        let kinds: Vec<&str> = (0..1 + random.below(6)).map(|_| *random.pick(PIECES)).collect();
        let len = random.below(if round % 2 == 0 { 30 } else { 200 });
        let text = random_text(&mut random, &kinds, len);
        all_rules().for_each(|rules| assert_same(rules, &text));
    }
}

#[test]
fn every_piece_at_every_place_of_a_block() {
    // Each after each piece at each place, behind one filler or two; the more texts are tried, the more fillers.
    let afters = ["", "b", " b", "\n", "é"];
    let tried = scaled(1).min(afters.len());
    for (n, filler) in ["a", " ", ".", "1", "\n", "ab "].into_iter().enumerate() {
        for len in 0..BLOCK + 4 {
            let front: String = filler.chars().cycle().take(len).collect();
            for (m, piece) in PIECES.iter().enumerate() {
                for after in afters.iter().cycle().skip(n + m + len).take(tried) {
                    let text = format!("{front}{piece}{after}");
                    all_rules().for_each(|rules| assert_same(rules, &text));
                }
            }
        }
    }
}

/// A vocabulary of all bytes, tokens that merges make, bytes of characters split in two among them, and some that no
/// merge makes.
fn random_bpe(random: &mut Random, pieces: &[&str], whole_tokens: WholeTokens) -> (Vocab, Bpe) {
    let mut vocab = Vocab::default();
    for byte in 0..=255u8 {
        vocab.insert(Id::from(byte), &[byte]).expect("all bytes differ");
    }
    let (mut pairs, mut results) = (vec![], vec![]);
    let table = |pairs: &[(Id, Id)], results: &[Id]| {
        let mut merges = Merges::new(results.to_vec());
        for (rank, &(left, right)) in pairs.iter().enumerate() {
            merges.insert(left, right, rank as u32);
        }
        merges
    };
    for _ in 0..60 {
        let text = random_text(random, pieces, 40);
        let symbols = naive::encode(&table(&pairs, &results), text.bytes().map(Id::from).collect());
        let at = random.below(symbols.len().max(2) - 1);
        let Some(&[left, right]) = symbols.get(at..at + 2) else { continue };
        let token = [vocab.token(left).expect("known"), vocab.token(right).expect("known")].concat();
        if vocab.id(&token).is_none() {
            let id = vocab.id_bound() as Id;
            vocab.insert(id, &token).expect("new");
            pairs.push((left, right));
            results.push(id);
        }
    }
    for _ in 0..6 {
        let len = 1 + random.below(40);
        let token = random_text(random, pieces, len);
        if vocab.id(token.as_bytes()).is_none() {
            vocab.insert(vocab.id_bound() as Id, token.as_bytes()).expect("new");
        }
    }
    let bpe = Bpe::new(&vocab, std::array::from_fn(|byte| byte as Id), table(&pairs, &results), whole_tokens);
    (vocab, bpe)
}

#[test]
fn the_pass_equals_the_split_and_naive_merges() {
    const WIDE: &[&str] =
        &["日", "本", "語", "日本", "の", "、", "ก", "한", "é", "жж", " ", "a", "ab", "\n", "👍", "1"];
    let mut random = Random::new(5);
    for round in 0..120 {
        let pattern = *random.pick(&PATTERNS);
        let all = if round % 2 == 0 { WIDE } else { PIECES };
        let kinds: Vec<&str> = (0..1 + random.below(6)).map(|_| *random.pick::<&str>(all)).collect();
        let whole_tokens = *random.pick(&[WholeTokens::Always, WholeTokens::IfMerged]);
        let (vocab, bpe) = random_bpe(&mut random, &kinds, whole_tokens);
        let fused = ByteLevelBpe::new(bpe, pattern);
        let mut cache = WordCache::default();
        for len in [1, 20, 63, 64, 65, 200, 200, 3000] {
            let text = random_text(&mut random, &kinds, len);
            let (mut expected, mut start, base) = (Encoding::default(), 0, 7);
            pattern.split(&text, |end| {
                let word = &text.as_bytes()[start..end];
                let whole = vocab.id(word).filter(|_| whole_tokens == WholeTokens::Always);
                let merge = || naive::encode(fused.bpe.merges(), word.iter().map(|&byte| Id::from(byte)).collect());
                expected.begin_pretoken();
                for id in whole.map_or_else(merge, |id| vec![id]) {
                    let end = start + vocab.token(id).expect("known").len();
                    expected.push(id, Span::new(base + start, base + end));
                    start = end;
                }
            });
            for visit in ["first", "again"] {
                let (mut encoding, mut ids, mut with_ends) = (Encoding::default(), vec![], IdsAndEnds::default());
                fused.encode(&vocab, &text, base, &mut cache, &mut encoding);
                assert_eq!(encoding, expected, "{visit}, {pattern:?}, {whole_tokens:?}, {text:?}");
                fused.encode(&vocab, &text, base, &mut cache, &mut ids);
                fused.encode(&vocab, &text, base, &mut cache, &mut with_ends);
                assert!(ids == expected.ids && with_ends.ids == expected.ids, "{text:?}");
                assert!(with_ends.ends.iter().eq(expected.spans.iter().map(|span| &span.end)), "{text:?}");
                let mut portable = Encoding::default();
                let memory = cache.0.get_or_insert_default();
                let encode =
                    fused::Encode { fused: &fused, vocab: &vocab, text: &text, base, memory, sink: &mut portable };
                Portable.run(encode);
                assert_eq!(portable, expected, "portable, {pattern:?}, {text:?}");
                #[cfg(target_arch = "x86_64")]
                if let Some(avx2) = Avx2::new() {
                    let (mut by_avx2, memory) = (Encoding::default(), cache.0.get_or_insert_default());
                    let sink = &mut by_avx2;
                    avx2.run(fused::Encode { fused: &fused, vocab: &vocab, text: &text, base, memory, sink });
                    assert_eq!(by_avx2, expected, "AVX2, {pattern:?}, {text:?}");
                }
            }
        }
    }
}

#[test]
fn a_long_token_that_no_merge_makes_is_one_as_a_pretoken_alone() {
    let token = "日本語".repeat(4);
    let mut vocab = Vocab::default();
    for byte in 0..=255u8 {
        vocab.insert(Id::from(byte), &[byte]).expect("all bytes differ");
    }
    vocab.insert(256, token.as_bytes()).expect("new");
    let bpe = Bpe::new(&vocab, std::array::from_fn(|byte| byte as Id), Merges::new(vec![]), WholeTokens::Always);
    let fused = ByteLevelBpe::new(bpe, Pattern::Cl100k);
    // Its pretoken and its part come again, the one or the other first.
    for pretokens in [[&token, &format!("{token}の")], [&format!("の{token}"), &token]] {
        let (mut cache, text) =
            (WordCache::default(), pretokens.map(|pretoken| format!("{pretoken}\n")).concat().repeat(3));
        let mut ids = vec![];
        fused.encode(&vocab, &text, 0, &mut cache, &mut ids);
        assert_eq!(ids, by_naive_merges(&fused, &vocab, &text));
        assert_eq!(ids.iter().filter(|&&id| id == 256).count(), 3);
    }
}

#[test]
fn runs_are_right_while_new_words_take_their_places() {
    let mut random = Random::new(8);
    let (vocab, bpe) = random_bpe(&mut random, &["日", "本", "語", "の", "a", "b"], WholeTokens::Always);
    let fused = ByteLevelBpe::new(bpe, Pattern::Cl100k);
    let runs: Vec<String> = (0..900).map(|_| random_text(&mut random, &["日", "本", "語", "の"], 30)).collect();
    let again = runs.join("、");
    let mixed = |number: usize| {
        // Nine in ten words of letters are new to each text.
        let mut word =
            |_| random_text(&mut Random::new((number % 10 * 1000 + random.below(1000)) as u64), &["a", "b"], 50);
        runs.iter().map(|run| format!("{run} {} ", word(()))).collect::<String>()
    };
    let mut cache = WordCache::default();
    for text in [again.clone(), again.clone(), again.clone()].into_iter().chain((0..12).map(mixed)) {
        let mut ids = vec![];
        fused.encode(&vocab, &text, 0, &mut cache, &mut ids);
        assert_eq!(ids, by_naive_merges(&fused, &vocab, &text), "{text:?}");
    }
}

#[test]
fn runs_that_are_remembered_and_new_ones_come_in_turns() {
    let mut random = Random::new(21);
    let (vocab, bpe) = random_bpe(&mut random, &["日", "本", "語", "の"], WholeTokens::Always);
    let fused = ByteLevelBpe::new(bpe, Pattern::Cl100k);
    let run = |number: usize| {
        // Some are too long to be remembered.
        let len = if number.is_multiple_of(50) { 200 } else { 6 + number % 40 };
        random_text(&mut Random::new(number as u64), &["日", "本", "語", "の"], len)
    };
    let mut cache = WordCache::default();
    let mut new = 1000;
    // Of a hundred runs so many are new: each stretch, longer than a queue, begins with others than the one before ended with.
    for of_hundred in [100, 0, 3, 50, 0, 97, 100, 1] {
        let mut text = String::new();
        for _ in 0..700 {
            let is_new = random.below(100) < of_hundred;
            new += usize::from(is_new);
            text += &run(if is_new { new } else { random.below(300) });
            text += ["、", "。", "、語、", ", ab "][random.below(4)];
        }
        for visit in ["first", "again"] {
            let mut ids = vec![];
            fused.encode(&vocab, &text, 0, &mut cache, &mut ids);
            assert!(ids == by_naive_merges(&fused, &vocab, &text), "{visit}, {of_hundred} of 100 are new");
        }
    }
}

/// The ids of a text split by the pattern of cl100k, whose tokens are looked up as a whole first.
fn by_naive_merges(fused: &ByteLevelBpe, vocab: &Vocab, text: &str) -> Vec<Id> {
    let (mut ids, mut start) = (vec![], 0);
    Pattern::Cl100k.split(text, |end| {
        let word = &text.as_bytes()[start..end];
        let merge = || naive::encode(fused.bpe.merges(), word.iter().map(|&byte| Id::from(byte)).collect());
        ids.extend(vocab.id(word).map_or_else(merge, |id| vec![id]));
        start = end;
    });
    ids
}

#[test]
fn thousands_of_new_words_fill_queues_and_batches() {
    let mut random = Random::new(11);
    let letters = ["a", "b", "c", "d", "e"];
    let (vocab, bpe) = random_bpe(&mut random, &letters, WholeTokens::Always);
    let fused = ByteLevelBpe::new(bpe, Pattern::Cl100k);
    // Nearly all are new to a queue, then half, then few.
    for kinds in [20_000, 700, 60] {
        let mut word = || random_text(&mut Random::new(random.below(kinds) as u64), &letters, 14);
        let text = (0..5_000).map(|_| word() + " ").collect::<String>();
        let (mut cache, expected) = (WordCache::default(), by_naive_merges(&fused, &vocab, &text));
        for visit in ["first", "again"] {
            let mut ids = vec![];
            fused.encode(&vocab, &text, 0, &mut cache, &mut ids);
            assert!(ids == expected, "{visit}, {kinds} kinds of words");
        }
    }
}

#[derive(Default)]
struct LookUps {
    known: Vec<bool>,
}

impl Sink for LookUps {
    fn looked_up(&mut self, is_known: bool) {
        self.known.push(is_known);
    }

    fn push(&mut self, _: Id, _: Span) {}
}

#[test]
fn pretokens_encoded_together_are_new_the_first_time_only() {
    let (vocab, bpe) = random_bpe(&mut Random::new(3), PIECES, WholeTokens::Always);
    let fused = ByteLevelBpe::new(bpe, Pattern::Cl100k);
    let words: Vec<String> =
        (0..500).map(|n: usize| format!("n{}", "abcdefgh".repeat(2)[n % 9..][..1 + n % 7].to_owned())).collect();
    let text = words.join(" ");
    let mut expected = vec![];
    Pattern::Cl100k.split(&text, {
        let (mut start, mut seen, expected) = (0, std::collections::BTreeSet::new(), &mut expected);
        let text = &text;
        move |end| {
            expected.push(!seen.insert(&text[start..end]));
            start = end;
        }
    });
    let mut cache = WordCache::default();
    for visit in ["first", "again"] {
        let mut sink = LookUps::default();
        fused.encode(&vocab, &text, 0, &mut cache, &mut sink);
        assert_eq!(sink.known, expected, "{visit}");
        expected.fill(true);
    }
}

#[test]
fn runs_with_the_same_hash_are_both_remembered() {
    let runs = ["儅簆优側僋妘", "超橆遍俺劏霋"];
    let [one, other] = runs.map(|run| texts::hash(run.as_bytes()));
    assert_eq!(one, other);
    let (vocab, fused) = bytes_alone();
    let mut cache = WordCache::default();
    let text = format!("{}\n{}\n", runs[0], runs[1]).repeat(3);
    let mut ids = vec![];
    fused.encode(&vocab, &text, 0, &mut cache, &mut ids);
    assert_eq!(ids, text.bytes().map(Id::from).collect::<Vec<_>>());
    let mut sink = LookUps::default();
    fused.encode(&vocab, &text, 0, &mut cache, &mut sink);
    assert_eq!(sink.known, [true; 12]);
}
