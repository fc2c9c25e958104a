//! Joins tokens to words: a token that continues a word is glued to the one before, any other follows a space.
//!
//! With clean-up, the space before `.`, `?`, `!`, `,` and in front of English contractions is dropped again. That is all
//! that can be done: white space, case and accents of the text are lost in encoding.
//!
//! Source: `WordPiece` among the decoders of `tokenizers`, which cleans up token by token.

/// The decoder `WordPiece`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordPieceDecoder {
    /// What tokens that continue a word start with.
    pub(crate) prefix: String,
    /// Whether to take out the spaces that English does not write.
    pub(crate) cleanup: bool,
}

/// What clean-up replaces within one token and the space in front of it, in this order.
const CLEANUP: [(&str, &str); 11] = [
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" do not", " don't"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
];

impl WordPieceDecoder {
    /// A decoder for this prefix.
    pub(crate) fn new(prefix: impl Into<String>, cleanup: bool) -> Self {
        Self { prefix: prefix.into(), cleanup }
    }

    /// The decoder of BERT: `##`, with clean-up.
    pub(crate) fn bert() -> Self {
        Self::new("##", true)
    }

    /// The text that tokens stand for.
    #[cfg(test)]
    pub(crate) fn decode<'a>(&self, tokens: impl IntoIterator<Item = &'a str>) -> String {
        let mut text = String::new();
        for (at, token) in tokens.into_iter().enumerate() {
            self.push(&mut text, token, at == 0);
        }
        text
    }

    /// The text of every token, with the space before it.
    pub(crate) fn parts(&self, tokens: &[String]) -> Vec<String> {
        let mut parts = vec![String::new(); tokens.len()];
        for (at, (part, token)) in parts.iter_mut().zip(tokens).enumerate() {
            self.push(part, token, at == 0);
        }
        parts
    }

    /// Appends one token to the text; `first` says whether it is the first one.
    pub(crate) fn push(&self, text: &mut String, token: &str, first: bool) {
        let start = text.len();
        match token.strip_prefix(&self.prefix) {
            Some(rest) if !first => text.push_str(rest),
            _ if first => text.push_str(token),
            _ => {
                text.push(' ');
                text.push_str(token);
            }
        }
        // All patterns start with a space.
        if self.cleanup && text[start..].contains(' ') {
            let clean = clean_up(&text[start..]);
            text.truncate(start);
            text.push_str(&clean);
        }
    }
}

/// The text without the spaces that English does not write.
pub(crate) fn clean_up(text: &str) -> String {
    CLEANUP.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_as_the_reference_does() {
        let cases: &[(bool, &[&str], &str)] = &[
            (true, &[], ""),
            (true, &["##a", "##b"], "##ab"), // the first token keeps its prefix
            (false, &["Ara", "##új", "##o", "."], "Araújo ."),
            (true, &["a", "...", "b", "?!"], "a... b?!"),
            (true, &["do", "n't", "'s", "'re", "'", "##s"], "don't's're 's"),
            (true, &["x", "do not"], "x don't"), // no token of BERT, but of a vocabulary with spaces
        ];
        for &(cleanup, tokens, expected) in cases {
            let decoder = WordPieceDecoder { cleanup, ..WordPieceDecoder::bert() };
            assert_eq!(decoder.decode(tokens.iter().copied()), expected, "{tokens:?}");
        }
    }

    #[test]
    fn example_of_wordpiecedecoder_decode() {
        use crate::decoders::wordpiece::WordPieceDecoder;
        assert_eq!(
            WordPieceDecoder::bert().decode(["it", "'", "s", "un", "##aff", "##able", "!"]),
            "it ' s unaffable!"
        );
    }
}
