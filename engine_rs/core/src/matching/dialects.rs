//! Which patterns mean the same to tiktoken's engine (`fancy-regex`) and to that of a tokenizer.json (Oniguruma).
//!
//! Only what is known to be the same passes: characters, `\p{..}`, `\s`, `\S`, `\r`, `\n`, `\t`, escaped signs, classes with `^`,
//! ranges and `&&`, groups without names, look-around, `(?i:..)`, and quantifiers, of which possessive intervals are
//! not the same. Not here: rewriting one into the other ([`super::oniguruma`]).

/// Whether the pattern, known to be one, means the same in both.
pub(crate) fn means_the_same(pattern: &str) -> bool {
    let mut rest = pattern;
    let mut in_class = 0_usize;
    // How many groups are open, and how many of them are around the outermost one that ignores case.
    let (mut depth, mut ignores_case) = (0_usize, None);
    while let Some(c) = rest.chars().next() {
        if in_class == 0 {
            match c {
                '(' => {
                    if rest.starts_with("(?i:") {
                        ignores_case.get_or_insert(depth);
                    }
                    depth += 1;
                }
                ')' => {
                    depth = depth.saturating_sub(1);
                    ignores_case = ignores_case.filter(|&outside| outside < depth);
                }
                // Oniguruma ignores case in classes alone.
                '\\' if ignores_case.is_some() && rest[1..].starts_with(['p', 'P']) => return false,
                _ => {}
            }
        }
        let Some(len) = (if in_class > 0 { class_part(rest, c, &mut in_class) } else { part(rest, c, &mut in_class) })
        else {
            return false;
        };
        rest = &rest[len..];
    }
    true
}

/// Length of what stands at the start of `rest` outside of classes, if it is the same in both.
fn part(rest: &str, c: char, in_class: &mut usize) -> Option<usize> {
    match c {
        '\\' => escape(rest),
        '[' => {
            *in_class = 1;
            // A bracket or hyphen at once is read in more than one way.
            let start = 1 + usize::from(rest[1..].starts_with('^'));
            (!rest[start..].starts_with([']', '-'])).then_some(start)
        }
        '(' if rest.starts_with("(?") => ["(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i:"]
            .into_iter()
            .find(|it| rest.starts_with(it))
            .map(str::len),
        '{' => {
            let end = rest.find('}')?;
            let (low, high) = rest[1..end].split_once(',').unwrap_or((&rest[1..end], "0"));
            let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            let is_exact = !rest[..end].contains(',');
            let follows = rest[end + 1..].chars().next();
            let same = follows != Some('+') && !(is_exact && follows == Some('?'));
            (!low.is_empty() && digits(low) && digits(high) && same).then_some(end + 1)
        }
        '^' | '$' | '.' | '#' | '}' | ']' => None,
        c => Some(c.len_utf8()),
    }
}

/// The same in a class.
fn class_part(rest: &str, c: char, in_class: &mut usize) -> Option<usize> {
    match c {
        '\\' => escape(rest),
        '[' if rest.starts_with("[:") => None,
        '[' => {
            *in_class += 1;
            let start = 1 + usize::from(rest[1..].starts_with('^'));
            (!rest[start..].starts_with([']', '-'])).then_some(start)
        }
        ']' => {
            *in_class -= 1;
            Some(1)
        }
        '&' if rest.starts_with("&&") => Some(2),
        '-' if rest.starts_with("--") || rest.starts_with("-[") || rest.starts_with("-\\") => None,
        '~' if rest.starts_with("~~") => None,
        c => Some(c.len_utf8()),
    }
}

fn escape(rest: &str) -> Option<usize> {
    match rest[1..].chars().next()? {
        'p' | 'P' => {
            let name = rest[2..].strip_prefix('{')?;
            let end = name.find('}')?;
            // POSIX names are other sets in Oniguruma; general categories and scripts are the same.
            let is_category = end <= 2 || matches!(&name[..end], "Han" | "Latin" | "Hiragana" | "Katakana" | "Hangul");
            (is_category && name[..end].bytes().all(|byte| byte.is_ascii_alphabetic())).then_some(end + 4)
        }
        's' | 'S' | 'r' | 'n' | 't' => Some(2),
        c if c.is_ascii_punctuation() && c != '<' && c != '>' => Some(2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pretokenizers::scanners::Pattern;

    #[test]
    fn known_patterns() {
        for pattern in Pattern::ALL {
            let same = !matches!(pattern, Pattern::R50k | Pattern::Cl100k);
            assert_eq!(means_the_same(pattern.regex()), same, "{pattern:?}");
        }
    }

    #[test]
    fn what_differs_is_refused() {
        let same = [
            r"a{1,3}b{2}",
            r"(?i:'s)|[a-z&&[^b]]+?",
            r"(?i:(?:a)[\p{Lu}])\p{Ll}",
            r"\p{Han}\p{Lu}",
            r"(?<!\S)\+",
            "é+",
        ];
        let different = [
            r"(?i:a|(?:b|\p{Lu}))",
            "^a",
            "a$",
            ".",
            "(?s:a)",
            "(?m)a",
            "(?x: a)",
            r"\w",
            r"\d",
            r"\b",
            r"\h",
            r"\z",
            r"\Z",
            r"\A",
            r"\1",
            "a{2}?",
            "a{1,2}+",
            "a{,3}",
            "[[:alpha:]]",
            "[]a]",
            "[-a]",
            "[a--b]",
            r"\p{Alpha}",
            r"\pL",
            "(?<name>a)",
            r"\x41",
        ];
        for pattern in same {
            assert!(means_the_same(pattern), "{pattern}");
        }
        for pattern in different {
            assert!(!means_the_same(pattern), "{pattern}");
        }
    }
}
