//! Published rank files, known by the sha256 of their content: the split pattern and the special tokens that a file does not say.
//!
//! Source: `openai_public.py` of tiktoken, `tokenizer.py` of Llama 3, `tokenizer_config.json` of Kimi-K2, and the tokenizer.json
//! of gpt-oss. In tiktoken `<|reserved_200018|>` has the id of `<|endofprompt|>`; here it is ordinary text, as in that file.

use std::ops::Range;

use sha2::{Digest as _, Sha256};

use crate::ids::Id;

/// What a rank file does not say of its tokenizer.
pub struct Published {
    /// The name that it was published by.
    pub name: &'static str,
    /// Of the file, in lower-case hexadecimal digits.
    pub sha256: &'static str,
    /// One of [`super::patterns::names`].
    pub pattern: &'static str,
    named: &'static [(&'static str, Id)],
    reserved: Reserved,
}

/// Special tokens without a use: all ids of a range that no other token has.
struct Reserved {
    ids: Range<Id>,
    /// The text of one, by its place among them and its id.
    text: fn(usize, Id) -> String,
}

const NONE: Reserved = Reserved { ids: 0..0, text: |_, _| String::new() };
const END_OF_TEXT: &str = "<|endoftext|>";
const O200K: &str = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d";

/// All that are known. Of two with one file the first is meant, unless it is asked for by name.
static ALL: [Published; 7] = [
    Published {
        name: "r50k_base",
        sha256: "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
        pattern: "r50k_base",
        named: &[(END_OF_TEXT, 50_256)],
        reserved: NONE,
    },
    Published {
        name: "p50k_base",
        sha256: "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
        pattern: "p50k_base",
        named: &[(END_OF_TEXT, 50_256)],
        reserved: NONE,
    },
    Published {
        name: "cl100k_base",
        sha256: "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        pattern: "cl100k_base",
        named: &[
            (END_OF_TEXT, 100_257),
            ("<|fim_prefix|>", 100_258),
            ("<|fim_middle|>", 100_259),
            ("<|fim_suffix|>", 100_260),
            ("<|endofprompt|>", 100_276),
        ],
        reserved: NONE,
    },
    Published {
        name: "o200k_base",
        sha256: O200K,
        pattern: "o200k_base",
        named: &[(END_OF_TEXT, 199_999), ("<|endofprompt|>", 200_018)],
        reserved: NONE,
    },
    Published {
        name: "o200k_harmony",
        sha256: O200K,
        pattern: "o200k_base",
        named: &[
            ("<|startoftext|>", 199_998),
            (END_OF_TEXT, 199_999),
            ("<|return|>", 200_002),
            ("<|constrain|>", 200_003),
            ("<|channel|>", 200_005),
            ("<|start|>", 200_006),
            ("<|end|>", 200_007),
            ("<|message|>", 200_008),
            ("<|call|>", 200_012),
            ("<|endofprompt|>", 200_018),
        ],
        reserved: Reserved { ids: 200_000..201_088, text: |_, id| format!("<|reserved_{id}|>") },
    },
    Published {
        name: "llama3",
        sha256: "82e9d31979e92ab929cd544440f129d9ecd797b69e327f80f17e1c50d5551b55",
        pattern: "llama3",
        named: &[
            ("<|begin_of_text|>", 128_000),
            ("<|end_of_text|>", 128_001),
            ("<|start_header_id|>", 128_006),
            ("<|end_header_id|>", 128_007),
            ("<|eot_id|>", 128_009),
        ],
        reserved: Reserved { ids: 128_000..128_256, text: |place, _| format!("<|reserved_special_token_{place}|>") },
    },
    Published {
        name: "kimi-k2",
        sha256: "b6c497a7469b33ced9c38afb1ad6e47f03f5e5dc05f15930799210ec050c5103",
        pattern: "kimi",
        named: &[
            ("[BOS]", 163_584),
            ("[EOS]", 163_585),
            ("<|im_end|>", 163_586),
            ("<|im_user|>", 163_587),
            ("<|im_assistant|>", 163_588),
            ("<|start_header_id|>", 163_590),
            ("<|end_header_id|>", 163_591),
            ("[EOT]", 163_593),
            ("<|im_system|>", 163_594),
            ("<|tool_calls_section_begin|>", 163_595),
            ("<|tool_calls_section_end|>", 163_596),
            ("<|tool_call_begin|>", 163_597),
            ("<|tool_call_argument_begin|>", 163_598),
            ("<|tool_call_end|>", 163_599),
            ("<|im_middle|>", 163_601),
            ("[UNK]", 163_838),
            ("[PAD]", 163_839),
        ],
        reserved: Reserved { ids: 163_584..163_840, text: |_, id| format!("<|reserved_token_{id}|>") },
    },
];

impl Published {
    /// The one with a file of this content.
    pub fn of(content: &[u8]) -> Option<&'static Self> {
        let sha256: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
        Self::by_sha256(&sha256)
    }

    /// The one whose file has this sum, in lower-case hexadecimal digits.
    ///
    /// ```
    /// # use token_engine::formats::published::Published;
    /// let sha256 = "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069";
    /// let p50k = Published::by_sha256(sha256).expect("published");
    /// assert_eq!((p50k.name, p50k.special_tokens()), ("p50k_base", vec![("<|endoftext|>".to_owned(), 50_256)]));
    /// ```
    pub fn by_sha256(sha256: &str) -> Option<&'static Self> {
        ALL.iter().find(|published| published.sha256 == sha256)
    }

    /// The one of this name.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|published| published.name == name)
    }

    /// Spelling and id of each special token.
    pub fn special_tokens(&self) -> Vec<(String, Id)> {
        let named = self.named.iter().map(|&(text, id)| (text.to_owned(), id));
        let is_named = |id: &Id| self.named.iter().any(|(_, named)| named == id);
        let reserved = self.reserved.ids.clone().filter(|id| !is_named(id)).enumerate();
        named.chain(reserved.map(|(place, id)| ((self.reserved.text)(place, id), id))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::patterns;

    #[test]
    fn each_has_a_known_pattern_and_no_text_or_id_twice() {
        for published in &ALL {
            assert!(patterns::names().any(|name| name == published.pattern), "{}", published.name);
            let tokens = published.special_tokens();
            let ids: std::collections::HashSet<_> = tokens.iter().map(|(_, id)| id).collect();
            let texts: std::collections::HashSet<_> = tokens.iter().map(|(text, _)| text).collect();
            assert_eq!((ids.len(), texts.len()), (tokens.len(), tokens.len()), "{}", published.name);
        }
    }

    #[test]
    fn of_two_with_one_file_the_first_is_meant() {
        assert_eq!(Published::by_sha256(O200K).map(|published| published.name), Some("o200k_base"));
        assert_eq!(Published::by_name("o200k_harmony").map(|published| published.sha256), Some(O200K));
        assert!(Published::of(b"YQ== 0").is_none());
    }
}
