//! Which part of a known pattern matched a pretoken.

use super::Bytes;
use token_engine::pretokenizers::Pretokenizer;
use token_engine::pretokenizers::characters::{Classes, LETTER, MARK, NEWLINE, NUMBER, SPACE};
use token_engine::pretokenizers::scanners::Pattern;

/// The part of the pattern that matched all of `pretoken`, in a word.
pub(crate) fn branch(pattern: Pattern, pretoken: &str) -> &'static str {
    let classes = Classes::get();
    let all: Vec<u8> = pretoken.chars().map(|c| classes.of(c)).collect();
    let any = |mask: u8| all.iter().any(|class| class & mask != 0);
    if pretoken.starts_with('\'') && pattern.contraction(pretoken, 0) == pretoken.len() {
        "contraction"
    } else if any(LETTER) {
        "letters"
    } else if any(NUMBER) {
        "number"
    } else if all.iter().all(|class| class & SPACE != 0) {
        if any(NEWLINE) { "line ends" } else { "white space" }
    } else if any(MARK) && pattern == Pattern::O200k {
        "letters"
    } else {
        "punctuation"
    }
}

/// The same for a pretoken of this pretokenizer, where it has one known pattern.
pub(crate) fn of(pretokenizer: Option<&Pretokenizer>, text: &str, span: Bytes) -> Option<&'static str> {
    let pattern = known(pretokenizer?)?;
    text.get(span[0] as usize..span[1] as usize).filter(|text| !text.is_empty()).map(|text| branch(pattern, text))
}

fn known(pretokenizer: &Pretokenizer) -> Option<Pattern> {
    match pretokenizer {
        Pretokenizer::Pattern(pattern) => Some(*pattern),
        Pretokenizer::ByteLevel(bytes) => bytes.use_regex.then_some(Pattern::R50k),
        Pretokenizer::Split(split) => split.scanner(),
        Pretokenizer::Sequence(all) => all.iter().find_map(known),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_branch() {
        use super::branch;
        use token_engine::pretokenizers::scanners::Pattern;
        let all = ["'s", " it", "42", "\n\n", "  ", "!?"].map(|pretoken| branch(Pattern::Cl100k, pretoken));
        assert_eq!(all, ["contraction", "letters", "number", "line ends", "white space", "punctuation"]);
    }
}
