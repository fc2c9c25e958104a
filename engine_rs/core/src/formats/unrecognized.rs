//! What a file looks like that is no known tokenizer, and what to do: the error for files that no reader takes.
//!
//! Not here: files of a known format that are damaged, which its reader explains.

use super::tokenizer_json::json::Json;
use super::vocab_txt;
use crate::error::{LoadError, Place};

/// What is read, for hints.
pub(crate) const KNOWN: &str = "known are tokenizer.json of Hugging Face, SentencePiece models, tiktoken rank files, Mistral's tekken.json, GGUF, vocab.json with merges.txt or of Wav2Vec2's letters, CLIP's merges, RWKV's vocabulary, and vocab.txt of BERT and ESM";

/// As many lines are looked at.
const LINES: usize = 20;

/// Whether a file is what Git has in the place of a large one.
pub(crate) fn is_pointer(content: &[u8]) -> bool {
    content.starts_with(b"version https://git-lfs.github.com/spec/")
}

/// Whether a file is known by its first bytes as one that no reader takes, whatever its lines look like.
pub(crate) fn is_foreign(content: &[u8]) -> bool {
    is_pointer(content) || content.starts_with(b"minbpe v1\n")
}

/// Whether the first lines are tokens with numbers, as fairseq counts them. Merges have a token in the place of the number.
pub(crate) fn are_counts(content: &[u8]) -> bool {
    let mut lines = content.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).take(LINES).peekable();
    lines.peek().is_some() && lines.all(|line| std::str::from_utf8(line).is_ok_and(|line| columns(line, 2)))
}

/// The error for a file. It says what the content looks like.
pub(crate) fn error(file: &str, content: &[u8]) -> LoadError {
    let (place, problem, hint) = look(file, content);
    LoadError::new(file, place, problem).hint(hint.unwrap_or_else(|| KNOWN.to_owned()))
}

fn look(file: &str, content: &[u8]) -> (Place, String, Option<String>) {
    let at = |place, problem: &str, hint: Option<&str>| (place, problem.to_owned(), hint.map(str::to_owned));
    let whole = |problem: &str, hint| at(Place::File, problem, hint);
    if content.trim_ascii().is_empty() {
        return whole(if content.is_empty() { "the file is empty" } else { "the file is blank" }, None);
    }
    if content.starts_with(b"\xef\xbb\xbf") {
        let problem = "the file begins with a byte order mark, which no tokenizer file has";
        return at(Place::Byte(0), problem, Some("save it as UTF-8 without the mark"));
    }
    if is_pointer(content) {
        let problem = "this is a pointer of Git LFS to a file that was not fetched, not the file itself";
        return whole(problem, Some("run git lfs pull in the repository, or download the file from its page"));
    }
    if content.starts_with(b"minbpe v1\n") {
        let problem = "this is a model of minbpe, which is not read";
        return whole(problem, Some("write its vocabulary as a rank file of tiktoken, and name its pattern"));
    }
    if let Some(kind) = vocab_txt::kind(content) {
        return whole(&format!("this is {kind}"), None);
    }
    // The length of a head of JSON, eight bytes.
    if content.len() > 9 && content[8] == b'{' && content[..8].ends_with(b"\0\0\0") {
        let hint = "the tokenizer is in other files of the model";
        return whole("this is a safetensors file, which holds the weights of a model", Some(hint));
    }
    if file.ends_with(".vocab") && (content.contains(&0) || std::str::from_utf8(content).is_err()) {
        return whole("this looks like a vocabulary of TokenMonster, whose search is not read", Some(PLUG_IN));
    }
    let text = match std::str::from_utf8(content) {
        Ok(text) if !content.contains(&0) => text,
        found => {
            let byte = found.map_or_else(|error| error.valid_up_to(), |text| text.find('\0').unwrap_or_default());
            let problem =
                format!("byte 0x{:02X} is not UTF-8 text, and the file does not begin like a known one", content[byte]);
            return at(Place::Byte(byte), &problem, None);
        }
    };
    if file.ends_with(".json") || looks_like_json(text) {
        return json(file, content);
    }
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(LINES).collect();
    let most = |is: fn(&str) -> bool| lines.iter().filter(|line| is(line)).count() * 2 > lines.len();
    if let Some((_, problem, hint)) = LINE_KINDS.iter().find(|(is, ..)| most(*is)) {
        return whole(problem, Some(hint));
    }
    if text.contains(JOINER) {
        let problem =
            "tokens that are joined by \u{FFED} are those of OpenNMT's tokenizer (pyonmttok), which is not read";
        return whole(problem, Some(PLUG_IN));
    }
    let count = match text.lines().count() {
        1 => "one line".to_owned(),
        count => format!("{count} lines"),
    };
    if most(|line| !line.trim().contains(char::is_whitespace)) {
        let problem = format!("the file has {count} of one word each, but none is [UNK], as BERT's vocab.txt has it");
        let hint = "if it is a vocab.txt with other special tokens, put the special_tokens_map.json of the model beside it; a vocab.txt of another class than BERT's is not read: use the model's tokenizer.json";
        return whole(&problem, Some(hint));
    }
    whole(&format!("this is a text of {count}, not a tokenizer"), None)
}

fn json(file: &str, content: &[u8]) -> (Place, String, Option<String>) {
    match Json::read(file, content) {
        Err(error) => (error.place, error.problem, Some(error.hint)),
        Ok(Json::Object(fields)) => {
            let has = |name: &str| fields.iter().any(|(field, _)| field == name);
            let shown: Vec<_> = fields.iter().take(5).map(|(name, _)| format!("{name:?}")).collect();
            let more = if fields.len() > shown.len() { ", ..." } else { "" };
            let problem = if has("tokenizer_class") || has("added_tokens_decoder") {
                "this is a tokenizer_config.json, which says how a tokenizer is used".to_owned()
            } else if has("architectures") || has("hidden_size") {
                "this is the config.json of a model".to_owned()
            } else if has("bpe_ranks") && has("pat_str") {
                "this is a vocabulary of js-tiktoken (pat_str, bpe_ranks), which is not read; the .tiktoken file of the same name is"
                    .to_owned()
            } else if fields.is_empty() {
                "this is an empty JSON object".to_owned()
            } else {
                format!("this is JSON with the fields {}{more}, which are those of no known file", shown.join(", "))
            };
            let hint = "a tokenizer.json has the field \"model\", a tekken.json \"config\" and \"vocab\", a vocab.json tokens with their ids";
            (Place::File, problem, Some(hint.to_owned()))
        }
        Ok(_) => (Place::File, "this is JSON, but not an object".to_owned(), None),
    }
}

/// Whether a text begins as JSON does: a bracket, then what may follow it there. Prose may begin with a bracket, too.
fn looks_like_json(text: &str) -> bool {
    let mut rest = text.chars().filter(|character| !character.is_whitespace());
    match (rest.next(), rest.next()) {
        (Some('{'), next) => next.is_none_or(|next| matches!(next, '"' | '}')),
        (Some('['), next) => next.is_none_or(|next| matches!(next, '"' | '{' | '[' | ']' | '-' | '0'..='9')),
        _ => false,
    }
}

/// What OpenNMT puts where two tokens are joined.
const JOINER: char = '\u{FFED}';

const PLUG_IN: &str = "make a plug-in of its own library: see the guide, Plug-ins";

/// How a line is known, what the file is, and what to do.
type LineKind = (fn(&str) -> bool, &'static str, &'static str);

/// What lines of files look like that are no tokenizers.
const LINE_KINDS: [LineKind; 3] = [
    (
        is_piece_and_score,
        "the lines are tokens with scores, as SentencePiece writes them beside a model for people to read",
        "use the .model of the same name",
    ),
    (
        |line| columns(line, 3),
        "the lines are merges with counts (bpe.codes of fastBPE, PhoBERT and BERTweet), which are not read: what they make need not be a token",
        PLUG_IN,
    ),
    (
        |line| columns(line, 2),
        "the lines are tokens with counts (dict.txt of fairseq, vocab.txt of PhoBERT and BERTweet), which say nothing of how texts are split",
        "use the SentencePiece model or tokenizer.json of the model; for merges in bpe.codes make a plug-in of its own library",
    ),
];

/// Whether a line has so many columns between spaces, the last of which is a number.
fn columns(line: &str, count: usize) -> bool {
    let columns: Vec<_> = line.split(' ').collect();
    columns.len() == count
        && columns.iter().all(|column| !column.is_empty())
        && columns.last().is_some_and(|number| number.trim_end().bytes().all(|byte| byte.is_ascii_digit()))
}

/// `▁the<tab>-3.2`
fn is_piece_and_score(line: &str) -> bool {
    line.split_once('\t').is_some_and(|(piece, score)| !piece.is_empty() && score.trim().parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_a_file_looks_like() {
        let cases: &[(&str, &[u8], &str)] = &[
            ("x", b"", "x: the file is empty; known are "),
            ("x", b" \n", "x: the file is blank; known are "),
            ("x.json", b"\xef\xbb\xbf{\"model\": {}}", "x.json byte 0: the file begins with a byte order mark"),
            ("x", b"\x89PNG\r\n\x1a\n", "x: this is a PNG image; known are "),
            ("x", b"\x40\0\0\0\0\0\0\0{\"a\": 1}", "x: this is a safetensors file, which holds the weights"),
            ("x", b"ab\xff\xfe\x00", "x byte 2: byte 0xFF is not UTF-8 text, and the file does not begin like"),
            ("x", b"a\0b", "x byte 1: byte 0x00 is not UTF-8 text"),
            (
                "tokenizer.json",
                b"version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 9\n",
                "tokenizer.json: this is a pointer of Git LFS to a file that was not fetched, not the file itself; run git",
            ),
            ("x.model", b"minbpe v1\n\n0\n97 97\n", "x.model: this is a model of minbpe, which is not read; "),
            (
                "x.json",
                b"{\"pat_str\": \"a\", \"special_tokens\": {}, \"bpe_ranks\": \"! 0 IQ==\"}",
                "x.json: this is a vocabulary of js-tiktoken",
            ),
            ("x.json", b"not json", "x.json line 1: not JSON: "),
            ("x", b"{\"a\": ", "x line 1: not JSON: "),
            (
                "x",
                b"{\"a\": {}, \"b\": 1}",
                "x: this is JSON with the fields \"a\", \"b\", which are those of no known file",
            ),
            ("x", b"{}", "x: this is an empty JSON object; a tokenizer.json has the field \"model\""),
            ("x", b"[1]", "x: this is JSON, but not an object; known are "),
            ("x", b"{\"tokenizer_class\": \"A\"}", "x: this is a tokenizer_config.json, which says how"),
            ("x", b"{\"architectures\": []}", "x: this is the config.json of a model; "),
            ("x", "<unk>\t0\n▁the\t-3.5\n".as_bytes(), "x: the lines are tokens with scores, as SentencePiece"),
            ("x", "a b</w> 9\nb c 8\n".as_bytes(), "x: the lines are merges with counts (bpe.codes of"),
            ("x", "của 9\nab@@ 8\n".as_bytes(), "x: the lines are tokens with counts (dict.txt of fairseq"),
            ("x", "the\n\u{FFED}s\n".as_bytes(), "x: tokens that are joined by \u{FFED} are those of OpenNMT's"),
            ("x.vocab", b"\x01\x02\0\xff", "x.vocab: this looks like a vocabulary of TokenMonster"),
            ("x", b"<cls>\n<pad>\nL\nA\n", "x: the file has 4 lines of one word each, but none is [UNK]"),
            ("x", b"Some text of\nwords and lines\n", "x: this is a text of 2 lines, not a tokenizer"),
            ("x.txt", b"[Chapter 1] It was night.\n", "x.txt: this is a text of one line, not a tokenizer"),
            ("x.txt", b"{{citation}} says so\n", "x.txt: this is a text of one line, not a tokenizer"),
        ];
        for (file, content, expected) in cases {
            let found = error(file, content).to_string();
            assert!(found.starts_with(expected), "{found}");
        }
    }
}
