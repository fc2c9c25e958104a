//! Texts as bytes of a file, which may not be UTF-8.

use crate::counter::WordCounter;
use crate::error::TrainError;

impl WordCounter {
    /// Adds the words of a text in UTF-8. Invalid sequences become U+FFFD, or their lines are left out if `skips_lines`.
    /// Returns the number of invalid sequences, each as long as the Unicode standard recommends to replace as one.
    ///
    /// Errors: as [`Self::add`].
    ///
    /// ```
    /// # use token_train::{Options, WordCounter};
    /// let options = Options::from_json(r#"{"pre_tokenizer": {"type": "WhitespaceSplit"}}"#)?;
    /// let mut counter = WordCounter::new(&options)?;
    /// assert_eq!((counter.add_bytes(b"one \xff\nthree", false)?, counter.words()), (1, 3));
    /// assert_eq!((counter.add_bytes(b"one \xff\nthree", true)?, counter.words()), (1, 4));
    /// # Ok::<(), token_train::TrainError>(())
    /// ```
    ///
    /// Source: The Unicode Standard, section 3.9, substitution of maximal subparts.
    pub fn add_bytes(&mut self, data: &[u8], skips_lines: bool) -> Result<u64, TrainError> {
        if let Ok(text) = std::str::from_utf8(data) {
            return self.add(text).map(|()| 0);
        }
        let mut text = String::with_capacity(data.len());
        let mut invalid = 0;
        for line in data.split_inclusive(|&byte| byte == b'\n') {
            let length = text.len();
            let mut is_valid = true;
            for chunk in line.utf8_chunks() {
                text.push_str(chunk.valid());
                if !chunk.invalid().is_empty() {
                    text.push(char::REPLACEMENT_CHARACTER);
                    invalid += 1;
                    is_valid = false;
                }
            }
            if skips_lines && !is_valid {
                text.truncate(length);
            }
        }
        self.add(&text).map(|()| invalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;

    #[test]
    fn what_is_left_out_and_what_is_replaced() {
        let options = Options { min_frequency: 1, ..Options::default() };
        let cases: &[(&[u8], u64, &str, &str)] = &[
            (b"", 0, "", ""),
            (b"a\xE6\x97\nb", 1, "a\u{FFFD}\nb", "b"),
            (b"\xff\xfe\n", 2, "\u{FFFD}\u{FFFD}\n", ""),
            (b"a\n\xED\xA0\x80", 3, "a\n\u{FFFD}\u{FFFD}\u{FFFD}", "a\n"),
        ];
        for &(data, invalid, replaced, skipped) in cases {
            for (skips, expected) in [(false, replaced), (true, skipped)] {
                let mut found = WordCounter::new(&options).expect("defaults");
                assert_eq!(found.add_bytes(data, skips), Ok(invalid), "{data:?}");
                let mut counter = WordCounter::new(&options).expect("defaults");
                counter.add(expected).expect("short");
                assert_eq!(found.to_bytes(), counter.to_bytes(), "{data:?}");
            }
        }
    }
}
