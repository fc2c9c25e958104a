//! Marks of words back to spaces, and a character stripped from the ends of tokens.
//!
//! Source: `Metaspace`, `BPEDecoder` and `Strip` among the decoders of the tokenizer.json format.

/// Spaces for every `replacement`; where one was `prepended` to the text, the first token loses all of its own.
pub(crate) fn metaspace(mut tokens: Vec<String>, replacement: char, prepended: bool) -> Vec<String> {
    for (at, token) in tokens.iter_mut().enumerate() {
        if token.contains(replacement) {
            *token = token.replace(replacement, if at == 0 && prepended { "" } else { " " });
        }
    }
    tokens
}

/// A space for every `suffix`, but none in the last token.
pub(crate) fn suffix(tokens: &[String], suffix: &str) -> Vec<String> {
    let parts = tokens.iter().enumerate();
    parts.map(|(at, token)| token.replace(suffix, if at + 1 == tokens.len() { "" } else { " " })).collect()
}

/// The token without up to `start` times `content` at the start and `stop` times at the end.
///
/// The reference panics where both together would take more than there is; here nothing is left then.
pub(crate) fn strip(token: &str, content: char, start: usize, stop: usize) -> &str {
    let mut rest = token;
    for _ in 0..start {
        let Some(shorter) = rest.strip_prefix(content) else { break };
        rest = shorter;
    }
    for _ in 0..stop {
        let Some(shorter) = rest.strip_suffix(content) else { break };
        rest = shorter;
    }
    rest
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_metaspace() {
        use crate::decoders::simple::metaspace;
        assert_eq!(metaspace(vec!["▁Hey".into(), "▁▁you".into()], '▁', true), ["Hey", "  you"]);
    }

    #[test]
    fn example_of_suffix() {
        use crate::decoders::simple::suffix;
        assert_eq!(suffix(&["a</w>".into(), "b".into(), "c</w>".into()], "</w>"), ["a ", "b", "c"]);
    }

    #[test]
    fn example_of_strip() {
        use crate::decoders::simple::strip;
        assert_eq!(strip("  a ", ' ', 1, 0), " a ");
        assert_eq!(strip("  ", ' ', 5, 5), "");
    }
}
