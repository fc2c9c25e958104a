//! Every hand-written scanner against its pattern in a regular-expression engine.

use fancy_regex::Regex;
use token_engine::pretokenizers::scanners::Pattern;

/// Characters of every class the patterns tell apart, and those that only look as if they were one.
const CHARACTERS: &[&str] = &[
    "a",
    "z",
    "A",
    "Z",
    "é",
    "É",
    "ǅ",
    "ʰ",
    "語",
    "ا",
    "ſ",
    "s",
    "S",
    "t",
    "l",
    "L",
    "v",
    "e",
    "r",
    "d",
    "m",
    "\u{301}",
    "\u{0903}",
    "\u{20DD}",
    "1",
    "9",
    "½",
    "٣",
    "Ⅷ",
    " ",
    "  ",
    "\t",
    "\u{A0}",
    "\u{3000}",
    "\n",
    "\r",
    "\r\n",
    "'",
    "''",
    "’",
    "!",
    "/",
    "//",
    "-",
    "_",
    "€",
    "👍",
    "\u{200D}",
    "\0",
    "\u{E000}",
    "\u{10FFFF}",
    "\u{85}",
    "\u{2028}",
    "\u{FEFF}",
];

fn expected(regex: &Regex, text: &str) -> Vec<usize> {
    regex.find_iter(text).map(|found| found.expect("within the step limit").end()).collect()
}

fn ends(pattern: Pattern, text: &str) -> Vec<usize> {
    let mut ends = vec![];
    pattern.split(text, |end| ends.push(end));
    ends
}

/// xorshift64: the same texts on every machine.
fn random(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 20) as usize
}

#[test]
fn scanners_split_where_their_patterns_do() {
    for pattern in Pattern::ALL {
        let regex = Regex::new(pattern.regex()).expect("a valid pattern");
        let mut state = 88_172_645_463_325_252;
        for round in 0..40_000 {
            // Few kinds of characters per text, so that runs and edges between the same two classes are frequent.
            let kinds: Vec<&str> =
                (0..2 + random(&mut state) % 5).map(|_| CHARACTERS[random(&mut state) % CHARACTERS.len()]).collect();
            let text: String = (0..random(&mut state) % 14).map(|_| kinds[random(&mut state) % kinds.len()]).collect();
            assert_eq!(ends(pattern, &text), expected(&regex, &text), "{pattern:?}, round {round}, {text:?}");
        }
    }
}

#[test]
fn all_pairs_of_characters() {
    for pattern in Pattern::ALL {
        let regex = Regex::new(pattern.regex()).expect("a valid pattern");
        for first in CHARACTERS {
            for second in CHARACTERS {
                for frame in ["{}", "a{}", "{}a", " {}", "{} ", "!{}!", "1{}1"] {
                    let text = frame.replace("{}", &format!("{first}{second}"));
                    assert_eq!(ends(pattern, &text), expected(&regex, &text), "{pattern:?}, {text:?}");
                }
            }
        }
    }
}
