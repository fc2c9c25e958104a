//! The blocks against the scanners.

use super::*;
use crate::pipelines::blocks::{BLOCK, Classify};
use crate::pretokenizers::characters::Classes;
use crate::testing::Random;

const PATTERNS: [Pattern; 3] = [Pattern::R50k, Pattern::Cl100k, Pattern::O200k];

/// What the patterns treat specially, and what only looks as if it were.
const PIECES: &[&str] = &[
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
];

fn random_text(random: &mut Random, pieces: &[&str], len: usize) -> String {
    let mut text = String::new();
    while text.len() < len {
        text += *random.pick::<&str>(pieces);
    }
    text
}

fn ends_by_blocks<C: Classify>(classify: C, pattern: Pattern, text: &str) -> Vec<usize> {
    let (sets, classes) = (boundaries::sets(), Classes::get());
    let (mut at, mut ends) = (0, vec![]);
    while at < text.len() {
        let block = std::array::from_fn(|n| text.as_bytes().get(at + n).copied().unwrap_or(0xff));
        let known = boundaries::starts(pattern, text, at, classify.masks(&sets, &block));
        ends.extend((1..BLOCK).filter(|n| known.starts >> n & 1 == 1).map(|n| at + n));
        at = ends.last().copied().unwrap_or(0).max(at);
        if known.starts <= 1 {
            at = pattern.next(classes, text, at);
            ends.push(at);
        }
    }
    ends
}

fn assert_same(pattern: Pattern, text: &str) {
    let mut expected = vec![];
    pattern.split(text, |end| expected.push(end));
    assert_eq!(ends_by_blocks(Portable, pattern, text), expected, "{pattern:?}, {text:?}");
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = blocks::Avx2::new() {
        assert_eq!(ends_by_blocks(avx2, pattern, text), expected, "AVX2, {pattern:?}, {text:?}");
    }
}

#[test]
fn blocks_start_pretokens_where_scanners_do() {
    let mut random = Random::new(11);
    for round in 0..30_000 {
        // Few kinds of pieces per text, so that runs and edges between the same two are frequent.
        let kinds: Vec<&str> = (0..1 + random.below(6)).map(|_| *random.pick(PIECES)).collect();
        let len = random.below(if round % 2 == 0 { 30 } else { 200 });
        let text = random_text(&mut random, &kinds, len);
        PATTERNS.iter().for_each(|&pattern| assert_same(pattern, &text));
    }
}

#[test]
fn every_piece_at_every_place_of_a_block() {
    for filler in ["a", " ", ".", "1", "\n", "ab "] {
        for len in 0..BLOCK + 4 {
            let front: String = filler.chars().cycle().take(len).collect();
            for piece in PIECES {
                for after in ["", "b", " b", "\n", "é"] {
                    let text = format!("{front}{piece}{after}");
                    PATTERNS.iter().for_each(|&pattern| assert_same(pattern, &text));
                }
            }
        }
    }
}
