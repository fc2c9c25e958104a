//! Texts that may give a token: its own, and its own between others.

use std::borrow::Cow;

use super::super::kinds::Kind;
use super::super::{Index, Row};
use super::is_added;
use token_engine::Tokenizer;

/// What is put before and after a token's text. Private characters are in hardly any vocabulary, so that nothing merges
/// with them; the rest starts and ends words, numbers and lines.
const AROUND: [&str; 8] = ["", "\u{E000}", "a", "1", ".", " ", "\n", "中"];

/// The texts that a token is most likely to come from: what it decodes to, and how it is spelled.
pub(crate) fn own(tokenizer: &Tokenizer, index: &Index, row: &Row) -> Vec<String> {
    if is_added(row) {
        let content = tokenizer.added_tokens().iter().find(|token| token.id == row.id);
        return content.map(|token| token.content.clone()).into_iter().collect();
    }
    let mut texts = vec![];
    if let Ok(text) = std::str::from_utf8(index.bytes(row)) {
        texts.push(text.replace('▁', " "));
        texts.push(text.to_owned());
    }
    if row.kind != Kind::Part
        && let Ok(bytes) = tokenizer.decode_bytes(&[row.id], false)
        && let Ok(text) = String::from_utf8(bytes)
    {
        texts.push(text);
    }
    texts.dedup();
    texts
}

/// Some characters of the planes hardly used, whose bytes stand in no others, and all of the planes in use.
pub(crate) fn characters() -> impl Iterator<Item = char> {
    (0x32400..=0x10_FFFF).step_by(61).chain(0x80..0x32400).filter_map(char::from_u32)
}

/// What a token's text is put between.
pub(crate) struct Contexts<'a> {
    tokenizer: &'a Tokenizer,
    index: &'a Index,
    /// The shortest entries that start a word, for those that continue one.
    beginnings: Vec<String>,
}

/// How many beginnings are tried.
const BEGINNINGS: usize = 400;

impl<'a> Contexts<'a> {
    /// The contexts that this vocabulary allows.
    pub(crate) fn new(tokenizer: &'a Tokenizer, index: &'a Index) -> Self {
        let starts = |row: &&Row| matches!(row.kind, Kind::WordStart | Kind::WordInside | Kind::Digits);
        let mut beginnings: Vec<(u32, String)> = index
            .rows()
            .iter()
            .filter(|_| !index.marks().prefix.is_empty())
            .filter(starts)
            .map(|row| (row.characters.unwrap_or(u32::MAX), String::from_utf8_lossy(index.bytes(row)).into_owned()))
            .filter(|(_, text)| !text.starts_with(&index.marks().prefix))
            .collect();
        beginnings.sort_by_key(|&(characters, _)| characters);
        beginnings.truncate(BEGINNINGS);
        Self { tokenizer, index, beginnings: beginnings.into_iter().map(|(_, text)| text).collect() }
    }

    /// Texts with the token's text in them.
    pub(crate) fn around(&self, row: &Row) -> Vec<String> {
        if is_added(row) || row.kind == Kind::Byte {
            return vec![];
        }
        let bytes = self.index.bytes(row);
        if row.kind == Kind::Part {
            return completions(bytes);
        }
        let Ok(text) = std::str::from_utf8(bytes) else { return vec![] };
        let (core, place) = self.index.marks().core(text);
        if place == Some(Kind::Continuation) {
            return self.beginnings.iter().map(|beginning| format!("{beginning}{core}")).collect();
        }
        let core: Cow<'_, str> =
            if place == Some(Kind::WordEnd) { core.into() } else { text.replace('▁', " ").into() };
        let mut texts: Vec<String> =
            AROUND.iter().flat_map(|before| AROUND.map(|after| format!("{before}{core}{after}"))).collect();
        if core.ends_with('\'') {
            texts.extend(["s", "t", "d", "m", "re", "ve", "ll"].map(|rest| format!("{core}{rest}")));
        }
        // What it decodes to may be spelled otherwise.
        if let Ok(bytes) = self.tokenizer.decode_bytes(&[row.id], false)
            && let Ok(decoded) = String::from_utf8(bytes)
            && decoded != core
        {
            texts.extend(AROUND.iter().flat_map(|before| AROUND.map(|after| format!("{before}{decoded}{after}"))));
        }
        texts
    }
}

/// Valid texts that have these bytes inside them: the characters at both ends completed in several ways.
fn completions(bytes: &[u8]) -> Vec<String> {
    let continues = bytes.iter().take_while(|&&byte| byte & 0xC0 == 0x80).count();
    let befores: Vec<Vec<u8>> = match continues {
        0 => vec![vec![], b" ".to_vec(), b"a".to_vec()],
        1 => [&[0xC2][..], &[0xC3], &[0xC4], &[0xC8], &[0xCE], &[0xD0], &[0xD7], &[0xD9], &[0xDF]]
            .into_iter()
            .map(<[u8]>::to_vec)
            .chain(leads_of_three().flat_map(|lead| second_bytes(lead).map(move |second| vec![lead, second])))
            .collect(),
        2 => leads_of_three().map(|lead| vec![lead]).chain(four().map(|(lead, second)| vec![lead, second])).collect(),
        3 => (0xF0..=0xF4).map(|lead| vec![lead]).collect(),
        _ => vec![],
    };
    let missing = missing_at_end(bytes);
    let afters: Vec<Vec<u8>> = (0..if missing == 0 { 1 } else { 64 })
        .map(|last: u8| {
            let mut after = vec![0x80 | last.wrapping_mul(37) & 0x3F; missing];
            if let Some(end) = after.last_mut() {
                *end = 0x80 | last;
            }
            after
        })
        .collect();
    let join = |before: &Vec<u8>, after: &Vec<u8>| String::from_utf8([before, bytes, after].concat()).ok();
    befores
        .iter()
        .flat_map(|before| afters.iter().filter_map(|after| join(before, after)).collect::<Vec<_>>())
        .collect()
}

fn leads_of_three() -> impl Iterator<Item = u8> {
    0xE0..=0xEF
}

/// Some of the bytes that may follow a lead byte; which of them do, decoding says.
fn second_bytes(lead: u8) -> impl Iterator<Item = u8> {
    (0x80..=0xBF).step_by(5).map(move |second: u8| if lead == 0xE0 { second | 0x20 } else { second })
}

fn four() -> impl Iterator<Item = (u8, u8)> {
    [(0xF0, 0x90), (0xF0, 0x9F), (0xF0, 0xA0), (0xF1, 0x80), (0xF3, 0xA0), (0xF4, 0x80)].into_iter()
}

/// How many bytes the last character lacks.
fn missing_at_end(bytes: &[u8]) -> usize {
    let tail = bytes.iter().rev().take(3).take_while(|&&byte| byte & 0xC0 == 0x80).count();
    let Some(&lead) = bytes.len().checked_sub(tail + 1).and_then(|at| bytes.get(at)) else { return 0 };
    let length = match lead {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xFF => 4,
        _ => 1,
    };
    usize::saturating_sub(length, tail + 1)
}
