//! Where a file may be split, so that counting the chunks is counting the whole.
//!
//! Three places are safe, the first two if the stages are known to look no further (for [`Algorithm::Character`] every line
//! end is, since characters have no neighbours):
//! * before a space that follows a word: a split point of the engine ([`token_engine::internals::split_points`]);
//! * after a newline that follows a character other than white space, if one comes after it at once or behind one space: no
//!   known pattern matches across it;
//! * before a special token: the text around it is counted in parts anyway.
//!
//! The first two are not safe if the normalizer puts something before a text or takes something from its start, because each
//! chunk is counted as a text. Where neither of them is, each line of a file is to be counted as a text of its own
//! ([`ChunkEnds::each_line_is_a_text`]), so that long files can be divided at all: `tokenizers` reads files so, whatever the
//! stages are.

use token_engine::internals::added_tokens::AddedTokens;
use token_engine::internals::split_points::SplitPoints;
use token_engine::normalizers::Normalizer;
use token_engine::normalizers::forms::Form;
use token_engine::pretokenizers::Pretokenizer;
use token_engine::pretokenizers::metaspace::Prepend;
use token_engine::pretokenizers::scanners::Pattern;
use token_engine::pretokenizers::split::Split;
use token_engine::{Behavior, Expression, Specials, Tokenizer};

use crate::definition::{self, Model};
use crate::error::TrainError;
use crate::options::Options;
use crate::superwords;

const MOST_CHARACTER_BYTES: usize = 4;

/// Finds safe places to split texts with the stages of some options.
///
/// ```
/// # use token_train::{ChunkEnds, Options};
/// let stage = r#"{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true}"#;
/// let options = Options::from_json(&format!(r#"{{"pre_tokenizer": {stage}}}"#))?;
/// let ends = ChunkEnds::new(&options)?;
/// assert_eq!(ends.last(b"to be, or not", 10), Some(9)); // to be, or| not
/// assert_eq!(ends.last(b"one\ntwo", 7), Some(4));
/// assert_eq!(ends.last(b"one", 3), None);
/// # Ok::<(), token_train::TrainError>(())
/// ```
pub struct ChunkEnds {
    /// The stages, with the special tokens as vocabulary.
    tokenizer: Tokenizer,
    added: AddedTokens,
    special: Vec<String>,
    spaces: bool,
    newlines: Newlines,
    each_line_is_a_text: bool,
}

/// After which newlines a text may be split.
enum Newlines {
    None,
    All,
    Some(LineEnds),
}

/// Newlines that no known pattern matches together with what is after them.
struct LineEnds {
    /// Whether white space may follow.
    before_space: bool,
    /// Whether a carriage return may precede.
    after_return: bool,
    /// Whether what is beside must be ASCII, which no normalizer makes white space of, nor drops.
    beside_ascii: bool,
}

impl ChunkEnds {
    /// The safe places in texts that are counted with these options.
    ///
    /// Errors: options that are wrong, stages that cannot be read.
    pub fn new(options: &Options) -> Result<Self, TrainError> {
        options.check()?;
        let special: Vec<String> = options.all_special_tokens().into_iter().map(str::to_owned).collect();
        // The stages of training, not those of whole texts.
        let splits = Options { whole_text: false, ..options.clone() };
        let tokenizer = definition::tokenizer(&splits, &Model::WordLevel { tokens: special.clone() })?;
        let stages = definition::stages(options)?;
        let normalizer = stages.normalizer.as_ref();
        let begins = normalizer.is_some_and(|normalizer| normalizer.inside() != *normalizer);
        let points = SplitPoints::new(&tokenizer, Specials::Parse);
        // The end of a chunk counts as that of a line, where the counter keeps what follows words.
        let follows = options.follows_words();
        let spaces = !begins && points.exist() && !points.are_in_pretokens() && !follows;
        let pretokenizer = stages.pretokenizer.as_ref();
        let are_counted = options.counts_characters();
        let drops_white_space = pretokenizer.is_some_and(drops_white_space);
        let is_split = !begins
            && normalizer.is_none_or(|normalizer| keeps_newlines(normalizer, drops_white_space))
            && (are_counted || pretokenizer.is_some_and(splits_at_newline));
        let is_always_split = are_counted || drops_white_space || pretokenizer.is_some_and(splits_at_any_newline);
        let newlines = match (is_split, is_always_split) {
            (false, _) => Newlines::None,
            (true, true) => Newlines::All,
            (true, false) => Newlines::Some(LineEnds {
                before_space: !pretokenizer.is_some_and(begins_with_class),
                after_return: pretokenizer.is_some_and(keeps_line_ends_whole),
                beside_ascii: !normalizer.is_none_or(keeps_kinds),
            }),
        };
        let each_line_is_a_text = !spaces && !is_split;
        let added = AddedTokens::new(stages.added_tokens, normalizer);
        Ok(Self { tokenizer, added, special, spaces, newlines, each_line_is_a_text })
    }

    /// Whether special tokens are the only safe places that the stages have. Each line of a file is counted as a text then,
    /// so that every line end is a safe place, too.
    pub fn each_line_is_a_text(&self) -> bool {
        self.each_line_is_a_text
    }

    /// Returns the last safe place to split `data` in bytes 1 to `at`, if any.
    ///
    /// `data` starts where a chunk starts. It may go on in any way, so its end is not a safe place.
    pub fn last(&self, data: &[u8], at: usize) -> Option<usize> {
        // Of a special token across a safe place, or behind a space there, the end must be seen.
        let unseen = match self.added.longest(Specials::Parse) {
            0 => 0,
            longest => MOST_CHARACTER_BYTES + longest - 1,
        };
        let end = at.min(data.len().saturating_sub(unseen));
        (1..=end).rev().find(|&place| self.is_safe(data, place))
    }

    fn is_safe(&self, data: &[u8], at: usize) -> bool {
        let space = self.spaces && data.get(at) == Some(&b' ');
        let newline = data[at - 1] == b'\n';
        let special = self.special.iter().any(|token| data[at..].starts_with(token.as_bytes()));
        if !space && !newline && !special {
            return false;
        }
        let Some((text, at)) = self.around(data, at) else { return false };
        if space && SplitPoints::new(&self.tokenizer, Specials::Parse).is_split_point(text, at) {
            return true;
        }
        let is_line_end = || match &self.newlines {
            Newlines::None => self.each_line_is_a_text,
            Newlines::All => true,
            Newlines::Some(ends) => ends.is_one(text, at, &self.special),
        };
        (special || (newline && is_line_end())) && !self.added.reaches_across(text, at, Specials::Parse)
    }

    /// The text around a place, as far as it decides, and the place in it. `None` if there is no text on one side.
    fn around<'a>(&self, data: &'a [u8], at: usize) -> Option<(&'a str, usize)> {
        // A character before the line end; a character after the place, and another one or a special token.
        let reach = MOST_CHARACTER_BYTES + 2 + self.added.longest(Specials::Parse).max(MOST_CHARACTER_BYTES);
        let end = match std::str::from_utf8(&data[at..data.len().min(at + reach)]) {
            Ok(after) => at + after.len(),
            Err(error) => at + error.valid_up_to(),
        };
        let text = |start: usize| Some((std::str::from_utf8(&data[start..end]).ok()?, at - start));
        let (text, at) = (at.saturating_sub(reach)..at).find_map(text)?;
        (text.is_char_boundary(at) && at < text.len()).then_some((text, at))
    }
}

impl LineEnds {
    /// Whether the place follows such a newline.
    ///
    /// White space that ends at a newline is a match of its own, or part of one that ends there, if a character other than white
    /// space is before it. A pattern that takes all but the last white space of a run would take more than the newline if two
    /// or more followed. One takes slashes after a newline.
    fn is_one(&self, text: &str, at: usize, special: &[String]) -> bool {
        let Some(line) = text[..at].strip_suffix('\n') else { return false };
        let line = line.strip_suffix('\r').filter(|_| self.after_return).unwrap_or(line);
        let is_other = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace() && (c.is_ascii() || !self.beside_ascii));
        let mut after = text[at..].chars();
        let is_begun = match after.next() {
            Some('\r' | '\n' | '/') | None => false,
            Some(c) if c.is_whitespace() => {
                // A special token would end the white space.
                let is_special = special.iter().any(|token| after.as_str().starts_with(token));
                let is_kept = c.is_ascii() || !self.beside_ascii;
                self.before_space && is_kept && !is_special && is_other(after.next())
            }
            first => is_other(first),
        };
        is_begun && is_other(line.chars().next_back())
    }
}

/// Whether a newline stays, or becomes white space that `drops_white_space` anyway, and keeps what is on both sides apart.
fn keeps_newlines(normalizer: &Normalizer, drops_white_space: bool) -> bool {
    match normalizer {
        Normalizer::Form(_) | Normalizer::Lowercase | Normalizer::StripAccents => true,
        Normalizer::Bert(_) => drops_white_space,
        Normalizer::Sequence(all) => all.iter().all(|each| keeps_newlines(each, drops_white_space)),
        _ => false,
    }
}

/// Whether words end after a newline as [`LineEnds`] finds it, and both sides are looked at alone.
fn splits_at_newline(pretokenizer: &Pretokenizer) -> bool {
    match pretokenizer {
        Pretokenizer::Bert | Pretokenizer::Whitespace | Pretokenizer::WhitespaceSplit | Pretokenizer::Pattern(_) => {
            true
        }
        Pretokenizer::ByteLevel(byte_level) => byte_level.use_regex && !byte_level.add_prefix_space,
        Pretokenizer::Split(split) => {
            split.scanner().is_some() || is_line_end(split) || superwords::are_phrases(split.expression())
        }
        // Later ones see one word at a time, but for this one, which asks where in the text it is.
        Pretokenizer::Sequence(all) => after_classes(all).split_first().is_some_and(|(first, later)| {
            let asks = |each: &Pretokenizer| match each {
                Pretokenizer::Metaspace(metaspace) => metaspace.prepend == Prepend::First,
                Pretokenizer::Sequence(_) => true,
                _ => false,
            };
            splits_at_newline(first) && !later.iter().any(asks)
        }),
        _ => false,
    }
}

/// Whether a carriage return and a newline at the end of a text stay together as they do inside of one. In the pattern of
/// GPT-2 they do not: the last white space before a word is a match of its own.
fn keeps_line_ends_whole(pretokenizer: &Pretokenizer) -> bool {
    let keeps = |pattern: Pattern| pattern.oniguruma().contains(r"\s*[\r\n]+");
    match pretokenizer {
        Pretokenizer::Pattern(pattern) => keeps(*pattern),
        Pretokenizer::Split(split) => split.scanner().is_some_and(keeps),
        Pretokenizer::Sequence(all) => all.first().is_some_and(keeps_line_ends_whole),
        other => drops_white_space(other),
    }
}

/// Whether a text may be split after every newline.
fn splits_at_any_newline(pretokenizer: &Pretokenizer) -> bool {
    match pretokenizer {
        Pretokenizer::Split(split) => is_line_end(split),
        Pretokenizer::Sequence(all) => after_classes(all).first().is_some_and(splits_at_any_newline),
        _ => false,
    }
}

/// Whether each newline is a match of its own, after which a word begins.
fn is_line_end(split: &Split) -> bool {
    matches!(split.expression(), Expression::Text(text) if text == "\n")
        && matches!(split.behavior(), Behavior::Isolated | Behavior::Removed | Behavior::MergedWithPrevious)
        && !split.is_inverted()
}

/// Whether one of the first steps splits around single characters of a class, also in a sequence of its own.
fn begins_with_class(pretokenizer: &Pretokenizer) -> bool {
    let Pretokenizer::Sequence(all) = pretokenizer else { return false };
    after_classes(all).len() < all.len() || all.first().is_some_and(begins_with_class)
}

/// Whether no character becomes white space or a slash, and none is dropped.
fn keeps_kinds(normalizer: &Normalizer) -> bool {
    match normalizer {
        Normalizer::Form(Form::Nfc | Form::Nfd) | Normalizer::Lowercase => true,
        Normalizer::Sequence(all) => all.iter().all(keeps_kinds),
        _ => false,
    }
}

/// The steps after those that split around single digits or punctuation marks. A newline is neither, so these steps find the
/// same on one side of it whether the other is there or not.
fn after_classes(all: &[Pretokenizer]) -> &[Pretokenizer] {
    let of_class = |step: &&Pretokenizer| {
        matches!(step, Pretokenizer::Digits { .. } | Pretokenizer::Punctuation(Behavior::Isolated | Behavior::Removed))
    };
    &all[all.iter().take_while(of_class).count()..]
}

/// Whether words lie between white space, which is dropped before anything else happens.
fn drops_white_space(pretokenizer: &Pretokenizer) -> bool {
    match pretokenizer {
        Pretokenizer::Bert | Pretokenizer::Whitespace | Pretokenizer::WhitespaceSplit => true,
        Pretokenizer::Sequence(all) => all.first().is_some_and(drops_white_space),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use token_engine::formats::patterns;
    use token_engine::internals::random::Random;

    use super::*;
    use crate::counter::WordCounter;
    use crate::options::{Algorithm, Alphabet, Variant};

    fn split(pattern: &str) -> Value {
        json!({"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": false})
    }

    /// Stages, and whether places other than special tokens are expected.
    fn stages() -> Vec<(Option<Value>, Option<Value>, bool)> {
        let byte_level = |prefix: bool| json!({"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": true, "use_regex": true});
        let metaspace = |scheme: &str, split: bool| json!({"type": "Metaspace", "replacement": "\u{2581}", "prepend_scheme": scheme, "split": split});
        let sequence = |all: Vec<Value>| json!({"type": "Sequence", "pretokenizers": all});
        let whitespace = || json!({"type": "WhitespaceSplit"});
        let bert = || json!({"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true});
        let digits = || json!({"type": "Digits", "individual_digits": true});
        let line_ends = |behavior: &str| json!({"type": "Split", "pattern": {"String": "\n"}, "behavior": behavior, "invert": false});
        let mut all = vec![
            (None, None, false),
            (None, Some(byte_level(false)), true),
            (None, Some(byte_level(true)), true),
            (None, Some(metaspace("always", true)), true),
            (None, Some(metaspace("first", true)), true),
            (None, Some(metaspace("never", true)), true),
            (None, Some(metaspace("always", false)), false),
            (None, Some(sequence(vec![whitespace(), metaspace("always", true)])), true),
            (None, Some(sequence(vec![whitespace(), metaspace("first", true)])), false),
            (None, Some(sequence(vec![whitespace(), json!({"type": "Digits", "individual_digits": true})])), true),
            (None, Some(json!({"type": "BertPreTokenizer"})), true),
            (None, Some(json!({"type": "Whitespace"})), true),
            (None, Some(json!({"type": "Punctuation", "behavior": "Isolated"})), false),
            (None, Some(sequence(vec![digits(), byte_level(false)])), true),
            (
                None,
                Some(sequence(vec![
                    digits(),
                    json!({"type": "Punctuation", "behavior": "Removed"}),
                    byte_level(false),
                ])),
                true,
            ),
            (
                None,
                Some(sequence(vec![json!({"type": "Punctuation", "behavior": "MergedWithNext"}), byte_level(false)])),
                false,
            ),
            (None, Some(sequence(vec![digits(), split(Pattern::R50k.oniguruma())])), true),
            (None, Some(sequence(vec![sequence(vec![digits(), byte_level(false)])])), true),
            (Some(json!({"type": "NFKC"})), Some(byte_level(false)), true),
            (Some(json!({"type": "NFKC"})), Some(split(Pattern::O200k.oniguruma())), true),
            (Some(json!({"type": "StripAccents"})), Some(byte_level(false)), true),
            (Some(json!({"type": "StripAccents"})), Some(split(Pattern::Cl100k.oniguruma())), true),
            (None, Some(sequence(vec![line_ends("Isolated"), metaspace("never", true), digits()])), true),
            (None, Some(sequence(vec![line_ends("Removed"), metaspace("always", true)])), true),
            (None, Some(sequence(vec![line_ends("MergedWithPrevious"), byte_level(false)])), true),
            (None, Some(sequence(vec![line_ends("MergedWithNext"), byte_level(false)])), false),
            (None, Some(sequence(vec![line_ends("Contiguous"), byte_level(false)])), false),
            (None, Some(sequence(vec![line_ends("Isolated"), metaspace("first", true)])), false),
            (Some(json!({"type": "NFC"})), Some(line_ends("Isolated")), true),
            (None, Some(split("[a-z\n]+")), false),
            (Some(json!({"type": "NFKC"})), Some(whitespace()), true),
            (Some(bert()), Some(json!({"type": "BertPreTokenizer"})), true),
            (Some(bert()), Some(sequence(vec![whitespace(), metaspace("always", true)])), true),
            (
                Some(json!({"type": "Strip", "strip_left": true, "strip_right": true})),
                Some(metaspace("always", true)),
                false,
            ),
            (Some(json!({"type": "Prepend", "prepend": "\u{2581}"})), Some(metaspace("always", true)), false),
            (
                Some(json!({"type": "Replace", "pattern": {"String": "\n"}, "content": " "})),
                Some(byte_level(false)),
                false,
            ),
        ];
        all.push((None, superwords::split(&Options::default()), true));
        for name in patterns::names() {
            if let Ok(Pretokenizer::Pattern(pattern)) = patterns::read(name) {
                all.push((None, Some(split(pattern.oniguruma())), true));
            }
        }
        all
    }

    #[test]
    fn counting_chunks_is_counting_the_whole() {
        let mut random = Random::new(11);
        let parts = [
            "a", "b", "7", " ", " ", "  ", "\n", "\n", "\r\n", "\t", "'s", "!", "/", "é", "e\u{301}", "字", "<s>", "<",
            "s>", "<s> <", "🙂", "\u{2028}", "。", "\u{3000}", "´", "／", "\u{301}",
        ];
        for (normalizer, pre_tokenizer, expected) in stages() {
            let what = format!("{normalizer:?} {pre_tokenizer:?}");
            let special_tokens = vec!["<s>".to_owned(), "<s> <".to_owned()];
            let options = Options { normalizer, pre_tokenizer, special_tokens, ..Options::default() };
            let ends = ChunkEnds { each_line_is_a_text: false, ..ChunkEnds::new(&options).expect("good stages") };
            let empty = WordCounter::new(&options).expect("good stages");
            let (mut splits, mut others) = (0, 0);
            for _ in 0..600 {
                let length = (random.next_unit() * 30.0) as usize;
                let text: String =
                    (0..length).map(|_| parts[(random.next_unit() * parts.len() as f64) as usize]).collect();
                // The rest of the file is seen in part.
                let at = (random.next_unit() * text.len() as f64) as usize;
                let seen = at + (random.next_unit() * (text.len() - at) as f64) as usize;
                let Some(end) = ends.last(&text.as_bytes()[..seen], at) else { continue };
                splits += 1;
                others += usize::from(!text[end..].starts_with("<s>"));
                let count = |texts: &[&str]| {
                    let mut counter = empty.clone();
                    texts.iter().try_for_each(|text| counter.add(text)).expect("short texts");
                    counter.into_counts().expect("few words")
                };
                assert!(end > 0 && end <= at);
                assert_eq!(count(&[&text[..end], &text[end..]]), count(&[&text]), "{what}: {text:?} at {end}");
            }
            assert!(splits > 10 && (others > 5) == expected, "{what}: {splits} splits, {others} not at special tokens");
        }
    }

    #[test]
    fn chunks_end_at_line_ends_where_what_follows_words_is_kept() {
        let mut random = Random::new(12);
        let parts = [
            "a", "b.", " ", "\n", " \n", "\n ", "\r\n", "!", "é", "e\u{301}", "<s>", "\u{2028}", "\u{a0}", "。",
            "\u{3000}",
        ];
        let mut others = 0;
        for (normalizer, pre_tokenizer, _) in stages() {
            let what = format!("{normalizer:?} {pre_tokenizer:?}");
            let options = Options {
                algorithm: Algorithm::Unigram,
                variant: Variant::SentencePiece,
                special_tokens: vec!["<s>".to_owned()],
                normalizer,
                pre_tokenizer,
                ..Options::default()
            };
            let ends = ChunkEnds { each_line_is_a_text: false, ..ChunkEnds::new(&options).expect("good stages") };
            let empty = WordCounter::new(&options).expect("good stages");
            for _ in 0..200 {
                let length = (random.next_unit() * 30.0) as usize;
                let text: String =
                    (0..length).map(|_| parts[(random.next_unit() * parts.len() as f64) as usize]).collect();
                let at = (random.next_unit() * text.len() as f64) as usize;
                let Some(end) = ends.last(text.as_bytes(), at) else { continue };
                others += usize::from(!text[end..].starts_with("<s>"));
                let count = |texts: &[&str]| {
                    let mut counter = empty.clone();
                    texts.iter().try_for_each(|text| counter.add(text)).expect("short texts");
                    counter.into_counts().expect("few words")
                };
                assert_eq!(count(&[&text[..end], &text[end..]]), count(&[&text]), "{what}: {text:?} at {end}");
            }
        }
        assert!(others > 300, "{others} places not at special tokens");
        let options = Options {
            algorithm: Algorithm::Unigram,
            variant: Variant::SentencePiece,
            pre_tokenizer: Some(json!({"type": "WhitespaceSplit"})),
            ..Options::default()
        };
        let ends = ChunkEnds::new(&options).expect("good stages");
        assert_eq!(ends.last(b"one.\n\"two", 8), Some(5));
        assert_eq!(ends.last(b"one two", 6), None);
    }

    #[test]
    fn lines_are_texts_where_no_other_place_is_safe() {
        let special_tokens = vec!["<s>\n<s>".to_owned()];
        let options = |pre_tokenizer: Option<Value>| Options {
            pre_tokenizer,
            special_tokens: special_tokens.clone(),
            alphabet: Some(Alphabet::Characters),
            ..Options::default()
        };
        let none = ChunkEnds::new(&options(None)).expect("good stages");
        assert!(none.each_line_is_a_text());
        assert_eq!(none.last(b"one! two\n (three and four", 14), Some(9));
        assert_eq!(none.last(b"a\n <s>\n<s> b and c", 9), Some(3), "before the special token, not in it");
        let whitespace = json!({"type": "WhitespaceSplit"});
        assert!(!ChunkEnds::new(&options(Some(whitespace))).expect("good stages").each_line_is_a_text());
        let characters = Options { algorithm: Algorithm::Character, ..options(None) };
        let characters = ChunkEnds::new(&characters).expect("good stages");
        assert!(!characters.each_line_is_a_text());
        assert_eq!(characters.last(b"one!\n (two three four", 10), Some(5));
    }

    #[test]
    fn bytes_that_are_not_utf8_are_no_place() {
        let options = Options { pre_tokenizer: Some(json!({"type": "WhitespaceSplit"})), ..Options::default() };
        let ends = ChunkEnds::new(&options).expect("good stages");
        assert_eq!(ends.last(b"a b\xff c", 6), Some(1));
        assert_eq!(ends.last("字 字".as_bytes(), 5), Some(3));
        assert_eq!(ends.last(b"", 0), None);
    }
}
