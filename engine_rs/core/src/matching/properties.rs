//! Sets of characters by Oniguruma's names. Not here: where patterns name them (`oniguruma`).
//!
//! Source: `doc/UNICODE_PROPERTIES` of Oniguruma 6.9.

/// `\w` in a character class: no joiners, unlike Unicode's own definition.
pub(super) const WORD: &str = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}";
/// `\w` and `\b` outside of classes, where Oniguruma looks Latin-1 up in a table of its own.
pub(super) const WORD_ALONE: &str = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}²³¹¼-¾";

/// The character of a number.
pub(super) fn code_point(digits: &str, radix: u32) -> Result<char, String> {
    let value = u32::from_str_radix(digits.trim(), radix).ok();
    value.and_then(char::from_u32).ok_or_else(|| format!("no character has the number {digits:?}"))
}

/// `\p{name}` for the names of POSIX brackets, and by Unicode's names for all others.
pub(super) fn property(name: &str, mut negated: bool) -> Result<String, String> {
    let mut plain: String = name.chars().filter(|c| !matches!(c, ' ' | '-' | '_')).collect::<String>().to_lowercase();
    if let Some(rest) = plain.strip_prefix('^') {
        negated = !negated;
        plain = rest.to_owned();
    }
    let set = match plain.as_str() {
        "alnum" => r"\p{Alphabetic}\p{Nd}",
        "alpha" => r"\p{Alphabetic}",
        "blank" => r"\p{Zs}\t",
        "cntrl" => r"\p{Cc}",
        "digit" => r"\p{Nd}",
        "graph" => r"[^\s\p{Cc}\p{Cn}\p{Cs}]",
        "lower" => r"\p{Lowercase}",
        "print" => r"[^\p{Cc}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]",
        "punct" => r"\p{P}",
        "space" => r"\s",
        "upper" => r"\p{Uppercase}",
        "xdigit" => "0-9a-fA-F",
        "word" => WORD,
        "ascii" => r"\x{0}-\x{7F}",
        "any" => r"\x{0}-\x{10FFFF}",
        "assigned" => r"\P{Cn}",
        // Halves of characters, which no text has.
        "cs" | "surrogate" => r"\x{0}-\x{10FFFF}",
        other if !other.is_empty() && other.chars().all(|c| c.is_ascii_alphanumeric()) => {
            return if regex_syntax::parse(&format!(r"\p{{{other}}}")).is_ok() {
                Ok(format!(r"\{}{{{other}}}", if negated { 'P' } else { 'p' }))
            } else {
                Err(format!(r"unknown property \p{{{name}}}"))
            };
        }
        _ => return Err(format!(r"unknown property \p{{{name}}}")),
    };
    let is_empty = matches!(plain.as_str(), "cs" | "surrogate");
    Ok(format!("[{}{set}]", if negated != is_empty { "^" } else { "" }))
}
