//! The three splits of DeepSeek-V3, one after the other, in one walk: numbers, Chinese and Japanese, the rest.
//!
//! The first two take runs of their characters out; the third expression sees what is left and the second kind of runs, each
//! by itself, so that the end of a run is to it the end of the text. What it does not match stays as a pretoken.
//! Not here: the stages it stands for ([`crate::pretokenizers::split`]), which the tests hold it to.
//!
//! Source: tokenizer.json of deepseek-ai/DeepSeek-V3.

use std::sync::LazyLock;

use crate::alignment::Behavior;
use crate::matching::Expression;
use crate::pretokenizers::Pretokenizer;
use crate::pretokenizers::characters::{self, Mask, Table, UNCASED};

/// The expressions, each isolated.
pub(crate) const REGEXES: [&str; 3] = [
    r"\p{N}{1,3}",
    "[一-龥\u{3040}-ゟ゠-ヿ]+",
    concat!(
        r##"[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"##,
        r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
];

/// Whether pretokenizers begin with these three, in this order.
pub(crate) fn are_splits(all: &[&Pretokenizer]) -> bool {
    let is_split = |(pretokenizer, regex): (&&Pretokenizer, &str)| match pretokenizer {
        Pretokenizer::Split(split) => {
            *split.expression() == Expression::Regex(regex.into())
                && split.behavior() == Behavior::Isolated
                && !split.is_inverted()
        }
        _ => false,
    };
    all.len() >= REGEXES.len() && all.iter().zip(REGEXES).all(is_split)
}

/// What the expressions tell apart; a character has one class.
type Class = u8;
/// `[\p{L}\p{M}]`.
const WORD: Class = 1;
/// `[\p{P}\p{S}]`.
const SYMBOL: Class = 2;
/// `\s` without the next one.
const BLANK: Class = 3;
/// `[\r\n]`.
const NEWLINE: Class = 4;
/// All others but numbers.
const OTHER: Class = 5;
/// The same classes in Chinese and Japanese.
const EAST: Class = 8;
const NUMBER: Class = 16;

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let east = "[\u{4e00}-\u{9fa5}\u{3040}-\u{30ff}]";
    let in_east = |class: &str| format!("[{east}&&{class}]");
    let [all, word, symbol] = [east.to_owned(), in_east(r"[\p{L}\p{M}]"), in_east(r"[\p{P}\p{S}]")];
    Table::new(
        OTHER,
        &[
            (r"[\p{L}\p{M}]", WORD),
            (r"[\p{P}\p{S}]", SYMBOL),
            (r"\s", BLANK),
            (r"[\r\n]", NEWLINE),
            (&all, EAST | OTHER),
            (&word, EAST | WORD),
            (&symbol, EAST | SYMBOL),
            (r"\p{N}", NUMBER),
        ],
    )
});

/// What a character beyond ASCII is to the third expression, as a class of the other patterns: a letter, or a symbol; else, or
/// where it is Chinese or Japanese, that of a number.
pub(crate) fn class_beyond_ascii(c: char) -> Mask {
    match TABLE.of(c) {
        WORD => UNCASED,
        SYMBOL => characters::OTHER,
        _ => characters::NUMBER,
    }
}

/// A text, and whether the run that is looked at is Chinese or Japanese.
#[derive(Clone, Copy)]
struct Run<'a> {
    table: &'static Table,
    text: &'a str,
    east: Class,
}

/// End of the pretoken that starts at byte `at`, which is not the end of `text`.
pub(crate) fn next(text: &str, at: usize) -> usize {
    let table: &'static Table = &TABLE;
    let mut run = Run { table, text, east: 0 };
    let (class, _) = run.raw(at);
    if class == NUMBER {
        return (0..3).fold(at, |at, _| match run.raw(at) {
            (NUMBER, len) => at + len,
            _ => at,
        });
    }
    run.east = class & EAST;
    // Ends: what is not matched goes on by a character at a time, to the end of the run at most.
    let mut end = at;
    loop {
        match run.matched(end) {
            Some(matched) => return if end == at { matched } else { end },
            None => end += run.raw(end).1,
        }
        if run.class(end).0 == 0 {
            return end;
        }
    }
}

impl Run<'_> {
    /// The class of the character at byte `at` and its length; class 0 at the end of the text.
    #[inline(always)]
    fn raw(self, at: usize) -> (Class, usize) {
        self.table.at(self.text, at)
    }

    /// The same within the run: class 0 where it ends.
    #[inline(always)]
    fn class(self, at: usize) -> (Class, usize) {
        let (class, len) = self.raw(at);
        if class != NUMBER && class & EAST == self.east { (class & !EAST, len) } else { (0, 0) }
    }

    /// Where characters of a class, from byte `at` on, end.
    #[inline(always)]
    fn skip(self, mut at: usize, holds: impl Fn(Class) -> bool) -> usize {
        loop {
            let (class, len) = self.class(at);
            if !holds(class) {
                return at;
            }
            at += len;
        }
    }

    /// End of what the third expression matches at byte `at`, if it does: its alternatives in their order.
    #[inline(always)]
    fn matched(self, at: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let (class, len) = self.class(at);
        let word = |at| self.skip(at, |class| class == WORD);
        match class {
            WORD => return Some(word(at)),
            SYMBOL => {
                let letters = bytes[at + len..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
                if bytes[at].is_ascii() && letters > 0 {
                    return Some(at + len + letters);
                }
                return Some(self.symbols(at));
            }
            BLANK | OTHER if self.class(at + len).0 == WORD => return Some(word(at + len)),
            BLANK if bytes[at] == b' ' && self.class(at + 1).0 == SYMBOL => return Some(self.symbols(at + 1)),
            BLANK | NEWLINE => {}
            _ => return None,
        }
        let end = self.skip(at, |class| matches!(class, BLANK | NEWLINE));
        if let Some(last) = bytes[at..end].iter().rposition(|byte| matches!(byte, b'\r' | b'\n')) {
            return Some(at + last + 1);
        }
        let last = self.text[..end].chars().next_back().map_or(1, char::len_utf8);
        // All of it at the end of the run; else the last one is left, unless it is the only one.
        Some(if self.class(end).0 == 0 || end - last == at { end } else { end - last })
    }

    /// End of the symbols at byte `at` with the line ends behind them.
    #[inline(always)]
    fn symbols(self, at: usize) -> usize {
        let end = self.skip(at, |class| class == SYMBOL);
        self.skip(end, |class| class == NEWLINE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pretokenizers::split::Split;
    use crate::pretokens::Pretokens;
    use crate::testing::Random;

    fn stages() -> Pretokenizer {
        let split = |regex: &str| Split::new(Expression::Regex(regex.into()), Behavior::Isolated, false);
        let all = REGEXES.map(|regex| Pretokenizer::Split(split(regex).expect("valid")));
        let sequence = Pretokenizer::Sequence(all.into());
        assert!(are_splits(&sequence.steps()) && !are_splits(&sequence.steps()[..2]));
        sequence
    }

    fn assert_same(stages: &Pretokenizer, text: &str) {
        let mut pretokens = Pretokens::new(text, 0);
        stages.pretokenize(&mut pretokens).expect("few ways to match");
        let expected: Vec<String> = pretokens.iter().map(|pretoken| pretoken.text.text().to_owned()).collect();
        let (mut found, mut at) = (vec![], 0);
        while at < text.len() {
            let end = next(text, at);
            found.push(text[at..end].to_owned());
            at = end;
        }
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn equals_its_stages() {
        let stages = stages();
        let pieces = [
            "a",
            "B",
            "é",
            "e\u{301}",
            "\u{301}",
            "1",
            "23",
            "4567",
            "½",
            "〇",
            "٣",
            "漢",
            "字かな",
            "カ・ナ",
            "ー",
            "゛",
            "\u{3040}",
            "龥",
            "龦",
            " ",
            "  ",
            "\t",
            "\n",
            "\r\n",
            "\n\n",
            "\u{3000}",
            "\u{a0}",
            "\u{85}",
            "\0",
            "\u{200d}",
            "\u{e000}",
            ".",
            "!",
            "'s",
            "//",
            "、",
            "。",
            "€",
            "😀",
            "한",
            "ab",
            "\u{2028}",
            "_",
            "\u{b}",
            "ｱ",
        ];
        let mut random = Random::new(17);
        for _ in 0..2000 {
            let text: String = (0..1 + random.below(9)).map(|_| *random.pick(&pieces)).collect();
            assert_same(&stages, &text);
        }
    }

    #[test]
    fn every_character_has_the_class_of_the_expressions() {
        let stages = stages();
        let blocks =
            [0..0x250, 0x300..0x310, 0x660..0x66a, 0x2000..0x2070, 0x2ff0..0x3130, 0x31f0..0x3210, 0x4df0..0x4e10];
        let blocks = blocks.into_iter().chain([0x9f90..0x9fc0, 0xabf0..0xac10, 0xff00..0xfff0]);
        let characters: Vec<char> = blocks.flatten().filter_map(char::from_u32).collect();
        for some in characters.chunks(40) {
            assert_same(
                &stages,
                &some.iter().flat_map(|&c| [c, 'a', ' ', c, '.', c, '漢', c, ' ']).collect::<String>(),
            );
        }
    }
}
