//! Tokens of a speech recognizer: repetitions and the token for nothing are dropped, a mark between words becomes a space.
//!
//! Source: Graves et al. 2006, Connectionist Temporal Classification; `CTC` among the decoders of the tokenizer.json
//! format, where the mark becomes a space only with clean-up.

use super::wordpiece::clean_up;

/// The decoder `CTC`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ctc {
    /// The token for nothing.
    pub(crate) pad_token: String,
    /// The token between words.
    pub(crate) word_delimiter_token: String,
    /// Whether to take out the spaces that English does not write, and to put in those between words.
    pub(crate) cleanup: bool,
}

impl Ctc {
    /// What is left of the tokens.
    pub(crate) fn parts(&self, mut tokens: Vec<String>) -> Vec<String> {
        tokens.dedup();
        let parts = tokens.into_iter().map(|token| {
            let rest = token.replace(&self.pad_token, "");
            if self.cleanup { clean_up(&rest).replace(&self.word_delimiter_token, " ") } else { rest }
        });
        parts.filter(|part| !part.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_ctc_parts() {
        use crate::decoders::ctc::Ctc;
        let ctc = Ctc { pad_token: "<pad>".into(), word_delimiter_token: "|".into(), cleanup: true };
        let tokens = "<pad> h h e e l <pad> l o | | y o u".split(' ').map(String::from).collect();
        assert_eq!(ctc.parts(tokens).concat(), "hello you");
    }
}
