//! The Unicode script of a token's letters, by name.
//!
//! Not here: the scripts that pretokenizers split by ([`token_engine::internals::unicode::script`]), where kana and Han are one.
//!
//! Source: property Script of the Unicode Character Database, as `regex-syntax` has it.

use regex_syntax::hir::{Class, HirKind};

/// Names of the scripts. The last three are not scripts: letters of several scripts, letters of a script that is not in
/// this list, and no letters.
pub const SCRIPTS: [&str; 45] = [
    "Latin",
    "Cyrillic",
    "Greek",
    "Han",
    "Hiragana",
    "Katakana",
    "Hangul",
    "Arabic",
    "Hebrew",
    "Devanagari",
    "Bengali",
    "Gurmukhi",
    "Gujarati",
    "Oriya",
    "Tamil",
    "Telugu",
    "Kannada",
    "Malayalam",
    "Sinhala",
    "Thai",
    "Lao",
    "Tibetan",
    "Myanmar",
    "Georgian",
    "Armenian",
    "Ethiopic",
    "Khmer",
    "Mongolian",
    "Cherokee",
    "Syriac",
    "Thaana",
    "Nko",
    "Bopomofo",
    "Yi",
    "Canadian_Aboriginal",
    "Runic",
    "Tifinagh",
    "Gothic",
    "Coptic",
    "Glagolitic",
    "Javanese",
    "Tagalog",
    "several",
    "other",
    "none",
];

const NAMED: usize = SCRIPTS.len() - 3;
/// Letters of more than one script.
pub(crate) const SEVERAL: u8 = NAMED as u8;
/// Letters of a script that is not in [`SCRIPTS`].
pub(crate) const OTHER: u8 = NAMED as u8 + 1;
/// No letters.
pub(crate) const NONE: u8 = NAMED as u8 + 2;

/// Finds the script of a letter.
pub(crate) struct Scripts {
    /// First and last character of each run, and its script; sorted.
    runs: Vec<(char, char, u8)>,
}

impl Default for Scripts {
    fn default() -> Self {
        let mut runs: Vec<_> = (0..NAMED).flat_map(|script| runs_of(script as u8)).collect();
        runs.sort_unstable();
        Self { runs }
    }
}

fn runs_of(script: u8) -> Vec<(char, char, u8)> {
    let class = format!(r"\p{{Script={}}}", SCRIPTS[usize::from(script)]);
    match regex_syntax::parse(&class).map(regex_syntax::hir::Hir::into_kind) {
        Ok(HirKind::Class(Class::Unicode(class))) => {
            class.ranges().iter().map(|range| (range.start(), range.end(), script)).collect()
        }
        _ => vec![],
    }
}

impl Scripts {
    /// The script of the letters of a text, as an index into [`SCRIPTS`].
    pub(crate) fn of(&self, text: &str) -> u8 {
        let mut found = NONE;
        for c in text.chars().filter(|c| c.is_alphabetic()) {
            let script = self.of_letter(c);
            // Letters that every script uses, such as the mark of long vowels, decide nothing where another does.
            if found == NONE || (found == OTHER && script != OTHER) {
                found = script;
            } else if script != found && script != OTHER {
                return SEVERAL;
            }
        }
        found
    }

    fn of_letter(&self, c: char) -> u8 {
        if c.is_ascii_alphabetic() {
            return 0;
        }
        let at = self.runs.partition_point(|&(_, last, _)| last < c);
        self.runs.get(at).filter(|&&(first, _, _)| first <= c).map_or(OTHER, |&(_, _, script)| script)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_script() {
        for (script, name) in SCRIPTS.iter().enumerate().take(NAMED) {
            assert!(!runs_of(script as u8).is_empty(), "{name}");
        }
    }

    #[test]
    fn shared_letters_decide_nothing() {
        let scripts = Scripts::default();
        for (text, expected) in
            [("カー", "Katakana"), ("ーカ", "Katakana"), ("ー", "other"), ("aж", "several"), ("", "none")]
        {
            assert_eq!(SCRIPTS[usize::from(scripts.of(text))], expected, "{text}");
        }
    }

    #[test]
    fn example_of_scripts_of() {
        use crate::vocabulary::scripts::{SCRIPTS, Scripts};
        let scripts = Scripts::default();
        let of = |text| SCRIPTS[usize::from(scripts.of(text))];
        assert_eq!((of("naïve"), of("日本"), of("日の"), of("42%")), ("Latin", "Han", "several", "none"));
    }
}
