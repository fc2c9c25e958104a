//! `tekken.json` of Mistral: ranks in JSON, with the split pattern and the special tokens.
//!
//! Special tokens have the first ids; a rank's id is the rank and their number. The file holds more ranks than are used:
//! `default_vocab_size` says how many ids there are. Special tokens that the file does not name are called `<SPECIAL_20>`
//! and so on. A text gets no tokens around it: the reference leaves that to its caller.
//!
//! Source: `Tekkenizer` of mistral-common.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::definition::Definition;
use super::tokenizer_json::json::{Json, Node};
use super::{patterns, tiktoken};
use crate::error::LoadError;
use crate::ids::Id;
use crate::vocab::Vocab;

/// The special tokens of files that name none.
const SPECIAL: [&str; 20] = [
    "<unk>",
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "[AVAILABLE_TOOLS]",
    "[/AVAILABLE_TOOLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
    "[TOOL_CALLS]",
    "[IMG]",
    "<pad>",
    "[IMG_BREAK]",
    "[IMG_END]",
    "[PREFIX]",
    "[MIDDLE]",
    "[SUFFIX]",
    "[SYSTEM_PROMPT]",
    "[/SYSTEM_PROMPT]",
    "[TOOL_CONTENT]",
];

/// Fields that say nothing about tokens of text.
const HARMLESS: [&str; 6] = ["image", "audio", "multimodal", "version", "type", "model_settings_builder"];

/// No file has as many; more would only take memory.
const MOST_SPECIAL: usize = 100_000;

/// Whether the fields of a document are those of such a file.
pub fn looks_like(fields: &[(String, Json)]) -> bool {
    let has = |wanted: &str, is: fn(&Json) -> bool| fields.iter().any(|(name, value)| name == wanted && is(value));
    has("config", |value| matches!(value, Json::Object(_))) && has("vocab", |value| matches!(value, Json::Array(_)))
}

/// Reads a file.
///
/// Errors: what is not JSON, missing or not right, with its JSON path.
pub fn read(file: &str, content: &[u8]) -> Result<Definition, LoadError> {
    let json = Json::read(file, content)?;
    let mut fields = Node::root(file, &json).fields()?;
    for name in HARMLESS {
        fields.take(name);
    }
    let mut config = fields.required("config")?.fields()?;
    let pattern = config.required("pattern")?;
    let split = patterns::read(pattern.string()?).map_err(|problem| pattern.error(problem.to_string()))?;
    let size_node = config.required("default_vocab_size")?;
    let size: usize = size_node.number()?;
    let special_node = config.required("default_num_special_tokens")?;
    let special: usize = special_node.number()?;
    if special > MOST_SPECIAL {
        return Err(special_node.unexpected(&format!("a number up to {MOST_SPECIAL}")));
    }
    let version = config.required("version")?;
    let version: u32 = version
        .string()?
        .strip_prefix('v')
        .and_then(|number| number.parse().ok())
        .ok_or_else(|| version.unexpected("a version such as \"v3\""))?;
    config.take("num_vocab_tokens");
    config.end()?;
    let vocab = fields.required("vocab")?;
    let ranks = size.checked_sub(special).ok_or_else(|| {
        size_node.error(format!("{size} ids are fewer than the {special} special tokens that are among them"))
    })?;
    let vocab = read_vocab(&vocab, ranks, special)?;
    let named = match fields.take("special_tokens") {
        Some(node) if *node.json != Json::Null => read_special(&node, special)?,
        _ if version > 7 => {
            return Err(fields.node().error("the field \"special_tokens\" is missing, which files after v7 have"));
        }
        _ if special < SPECIAL.len() => {
            return Err(special_node.error(format!("{special} are fewer than the {} there always are", SPECIAL.len())));
        }
        _ => (0..).zip(SPECIAL).map(|(id, token)| (token.to_owned(), id)).collect(),
    };
    fields.end()?;
    let rest = (named.len()..special).map(|id| (format!("<SPECIAL_{id}>"), id as Id));
    let special_tokens: Vec<_> = named.iter().cloned().chain(rest).collect();
    Ok(tiktoken::from_ranks(vocab, split, &special_tokens))
}

/// The first `count` ranks, each with its id.
fn read_vocab(node: &Node<'_>, count: usize, first: usize) -> Result<Vocab, LoadError> {
    let items = node.items()?;
    if items.len() < count {
        let problem = format!("{} ranks, but config says that {count} are used", items.len());
        return Err(node.error(problem).hint("is the file complete?"));
    }
    let mut vocab = Vocab::with_capacity(count);
    for (rank, item) in items.iter().take(count).enumerate() {
        let mut fields = item.fields()?;
        let rank_node = fields.required("rank")?;
        if rank_node.number::<usize>()? != rank {
            return Err(rank_node.unexpected(&format!("{rank}, the place in the list")));
        }
        let bytes_node = fields.required("token_bytes")?;
        let bytes = STANDARD.decode(bytes_node.string()?).map_err(|_| bytes_node.unexpected("base64"))?;
        // For people: the same as text, where it is some.
        fields.take("token_str");
        fields.end()?;
        vocab.insert((rank + first) as Id, &bytes).map_err(|refused| bytes_node.error(refused.to_string()))?;
    }
    Ok(vocab)
}

fn read_special(node: &Node<'_>, count: usize) -> Result<Vec<(String, Id)>, LoadError> {
    let items = node.items()?;
    if items.len() > count {
        return Err(node.error(format!("{} special tokens, but config says {count}", items.len())));
    }
    let mut tokens = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let mut fields = item.fields()?;
        let rank = fields.required("rank")?;
        if rank.number::<usize>()? != at {
            return Err(rank.unexpected(&format!("{at}, the place in the list")));
        }
        tokens.push((fields.required("token_str")?.string()?.to_owned(), at as Id));
        fields.take("is_control");
        fields.end()?;
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::added_tokens::Specials;

    /// All bytes, then ` a`, and a rank beyond those that are used.
    fn small(config: &str, rest: &str) -> String {
        let token = |(rank, bytes): (usize, Vec<u8>)| {
            format!("{{\"rank\": {rank}, \"token_bytes\": {:?}, \"token_str\": null}}", STANDARD.encode(bytes))
        };
        let tokens = (0..=255u8).map(|byte| vec![byte]).chain([b" a".to_vec(), b"beyond".to_vec()]);
        let vocab: Vec<_> = tokens.enumerate().map(token).collect();
        format!("{{\"config\": {{{config}}}, \"vocab\": [{}]{rest}}}", vocab.join(", "))
    }

    const CONFIG: &str = r#""pattern": " ?\\p{L}+|[^\\p{L}]", "default_vocab_size": 279, "default_num_special_tokens": 22, "version": "v3", "num_vocab_tokens": 258"#;

    #[test]
    fn special_tokens_have_the_first_ids() {
        let definition = read("tekken.json", small(CONFIG, "").as_bytes()).expect("valid");
        let tokenizer = definition.build("tekken.json").expect("valid");
        assert_eq!((tokenizer.vocab().len(), tokenizer.base_vocab_size()), (279, 257));
        let ids = tokenizer.encode_ids("<s>! a<SPECIAL_21>", Specials::Parse).expect("short");
        assert_eq!(ids, [1, 22 + u32::from(b'!'), 22 + 256, 21]);
        assert_eq!(tokenizer.decode(&ids, false).expect("its own ids"), "<s>! a<SPECIAL_21>");
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let other = |from: &str, to: &str| small(&CONFIG.replace(from, to), "");
        let cases = [
            (other("\"v3\"", "\"v13\""), "tekken.json at the top: the field \"special_tokens\" is missing"),
            (other("279", "21"), "tekken.json at config.default_vocab_size: 21 ids are fewer than the 22"),
            (other("279", "300"), "tekken.json at vocab: 258 ranks, but config says that 278 are used"),
            (
                other("_tokens\": 22", "_tokens\": 4294967295"),
                "tekken.json at config.default_num_special_tokens: 4294967295",
            ),
            (other(" ?\\\\p{L}+", "(a"), "tekken.json at config.pattern: "),
            (other("\"num_", "\"number_"), "tekken.json at config.number_vocab_tokens: the field is not known"),
            (small(CONFIG, "").replace("\"rank\": 7,", "\"rank\": 8,"), "tekken.json at vocab[7].rank: 8 is not 7"),
            (
                small(CONFIG, "").replace("\"CA==\"", "\"CA=\""),
                "tekken.json at vocab[8].token_bytes: \"CA=\" is not base64",
            ),
            (
                small(CONFIG, "").replace("\"CA==\"", "\"CQ==\""),
                "tekken.json at vocab[9].token_bytes: the token stands",
            ),
            (
                small(CONFIG, ", \"special_tokens\": [{}]"),
                "tekken.json at special_tokens[0]: the field \"rank\" is missing",
            ),
        ];
        for (content, expected) in cases {
            let error = read("tekken.json", content.as_bytes()).expect_err(expected).to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
