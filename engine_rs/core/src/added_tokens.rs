//! Tokens that stand in the text as they are spelled, found before any other stage runs.
//!
//! Of several that match at one place the longest wins; matches never overlap. Tokens marked `normalized` are looked for
//! in the normalized text, by their own normalized spelling; all others in the text as it is, and first.
//! Not here: special tokens that a template puts around the text ([`crate::postprocessors`]).
//!
//! Source: `AddedToken` of the tokenizer.json format.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::alignment::AlignedText;
use crate::error::EncodeError;
use crate::ids::Id;
use crate::normalizers::Normalizer;
use crate::offsets::Span;
use crate::pretokens::{AddedTokenMatch, Pretoken, Pretokens};
use crate::steps;

/// What to do with text that spells a special token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Specials {
    /// It stands for the token.
    #[default]
    Parse,
    /// It is text like any other.
    Text,
    /// It is an error.
    Reject,
}

impl Specials {
    /// Names and what they stand for.
    pub const NAMES: [(&str, Self); 3] = [("parse", Self::Parse), ("text", Self::Text), ("reject", Self::Reject)];
}

/// A token put in beside the model's vocabulary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedToken {
    /// How the text spells it.
    pub content: String,
    /// Its id.
    pub id: Id,
    /// Whether it controls the model rather than stands for text; such tokens can be left out when decoding.
    pub special: bool,
    /// Whether it must not touch letters, digits or underscores.
    pub single_word: bool,
    /// Whether white space before it belongs to it.
    pub lstrip: bool,
    /// Whether white space after it belongs to it.
    pub rstrip: bool,
    /// Whether it is looked for in the normalized text.
    pub normalized: bool,
}

impl AddedToken {
    /// A special token, found as it is spelled.
    pub fn special(content: impl Into<String>, id: Id) -> Self {
        Self {
            content: content.into(),
            id,
            special: true,
            single_word: false,
            lstrip: false,
            rstrip: false,
            normalized: false,
        }
    }
}

/// A stretch of text: ordinary, or one added token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Goes through the pipeline.
    Text(Span),
    /// Is this token.
    Token(AddedTokenMatch, Span),
}

/// The added tokens and the automatons that find them.
#[derive(Clone, Debug, Default)]
pub struct AddedTokens {
    tokens: Vec<AddedToken>,
    ids: FxHashSet<Id>,
    special: FxHashSet<Id>,
    special_spellings: FxHashSet<String>,
    /// Normalized spellings, of tokens that have another.
    respelled: FxHashMap<Id, String>,
    raw: Finder,
    /// Those that are looked for after these, but before the normalizer.
    then: Finder,
    normalized: Finder,
}

/// Finds some of the added tokens.
#[derive(Clone, Debug, Default)]
struct Finder {
    automaton: Option<AhoCorasick>,
    /// Index into the added tokens, by pattern.
    tokens: Vec<usize>,
}

/// Bytes of the longest spelling for which the automaton may be a DFA, which takes time in the square of that to build.
const LONGEST_IN_DFA: usize = 256;

/// A special token where the caller refuses them.
struct SpecialRefused<'a> {
    token: &'a AddedToken,
    /// Where it starts in the text that was searched.
    at: usize,
}

impl SpecialRefused<'_> {
    /// The error for the byte `byte` of the original text.
    fn at(&self, byte: usize) -> EncodeError {
        EncodeError::SpecialInText { token: self.token.content.clone(), byte }
    }
}

impl Finder {
    /// Empty spellings are left out: they would match everywhere.
    fn new(spellings: Vec<(String, usize)>) -> Self {
        let spellings: Vec<_> = spellings.into_iter().filter(|(text, _)| !text.is_empty()).collect();
        let automaton = (!spellings.is_empty()).then(|| {
            let is_long = spellings.iter().any(|(text, _)| text.len() > LONGEST_IN_DFA);
            AhoCorasick::builder()
                .match_kind(MatchKind::LeftmostLongest)
                .kind(is_long.then_some(AhoCorasickKind::ContiguousNFA))
                .build(spellings.iter().map(|(text, _)| text))
                .expect("added tokens are short beside the 2 GiB an automaton holds")
        });
        Self { automaton, tokens: spellings.into_iter().map(|(_, token)| token).collect() }
    }
}

impl AddedTokens {
    /// The tokens, with their spelling after `normalizer` where they are looked for in normalized text.
    pub fn new(tokens: Vec<AddedToken>, normalizer: Option<&Normalizer>) -> Self {
        let spelled = |normalized| {
            let tokens = tokens.iter().enumerate().filter(|(_, token)| token.normalized == normalized);
            Finder::new(tokens.map(|(at, token)| (spelling(token, normalizer), at)).collect())
        };
        let special = tokens.iter().filter(|token| token.special).map(|token| token.id).collect();
        let specials = tokens.iter().filter(|token| token.special);
        let special_spellings = specials.map(|token| token.content.clone()).collect();
        let respelled = tokens
            .iter()
            .map(|token| (token.id, spelling(token, normalizer), &token.content))
            .filter(|(_, spelling, content)| spelling != *content)
            .map(|(id, spelling, _)| (id, spelling))
            .collect();
        let ids = tokens.iter().map(|token| token.id).collect();
        let (raw, normalized) = (spelled(false), spelled(true));
        Self { ids, raw, then: Finder::default(), normalized, special, special_spellings, respelled, tokens }
    }

    /// The same with all tokens looked for in the original text, those marked `normalized` last.
    #[must_use]
    pub(crate) fn before_normalizer(mut self) -> Self {
        self.then = std::mem::take(&mut self.normalized);
        self
    }

    /// The same with special tokens that are never looked for in texts.
    #[must_use]
    pub(crate) fn with_unspelled(mut self, tokens: Vec<AddedToken>) -> Self {
        self.ids.extend(tokens.iter().map(|token| token.id));
        self.special.extend(tokens.iter().map(|token| token.id));
        self.special_spellings.extend(tokens.iter().map(|token| token.content.clone()));
        self.tokens.extend(tokens);
        self
    }

    /// The tokens, as given.
    pub(crate) fn tokens(&self) -> &[AddedToken] {
        &self.tokens
    }

    /// Whether `id` is an added token.
    pub(crate) fn has(&self, id: Id) -> bool {
        self.ids.contains(&id)
    }

    /// Whether `id` is a special token.
    pub(crate) fn is_special(&self, id: Id) -> bool {
        self.special.contains(&id)
    }

    /// Whether decoding may leave `id` out: it is a special token. As in the reference one that the normalizer spells
    /// anew is not left out.
    pub(crate) fn is_left_out(&self, id: Id) -> bool {
        self.special.contains(&id) && !self.respelled.contains_key(&id)
    }

    /// Whether a token that is spelled so in decoding may be left out: a special token is, or its twin in the vocabulary.
    pub(crate) fn spells_special(&self, spelling: &str) -> bool {
        self.special_spellings.contains(spelling)
    }

    /// How a token that the normalizer spells anew is spelled in decoding.
    pub(crate) fn respelled(&self, id: Id) -> Option<&str> {
        self.respelled.get(&id).map(String::as_str)
    }

    /// Whether all that are looked for are found by their spelling alone and take nothing of the text around it.
    pub fn is_plain(&self, specials: Specials) -> bool {
        self.wanted(specials).all(|token| !(token.single_word || token.lstrip || token.rstrip))
    }

    /// Whether one of them takes the white space beside it, which its spelling lacks.
    pub fn takes_spaces(&self) -> bool {
        self.wanted(Specials::Parse).any(|token| token.lstrip || token.rstrip)
    }

    /// The spelling that is looked for: the normalized one if the token is looked for in normalized text.
    pub(crate) fn sought<'a>(&'a self, token: &'a AddedToken) -> &'a str {
        let normalized = self.respelled.get(&token.id).filter(|_| token.normalized);
        normalized.map_or(token.content.as_str(), String::as_str)
    }

    /// Those that a text may spell; as text, special tokens are not looked for where they are alone.
    pub(crate) fn wanted(&self, specials: Specials) -> impl Iterator<Item = &AddedToken> {
        let none = self.are_all_text(specials);
        self.tokens.iter().filter(move |_| !none)
    }

    /// Whether no text has any of them, as far as the original text goes if a normalizer changes it.
    pub(crate) fn finds_none(&self, specials: Specials) -> bool {
        let Self { raw, then, normalized, .. } = self;
        self.are_all_text(specials) || [raw, then, normalized].iter().all(|finder| finder.automaton.is_none())
    }

    /// Whether there is nothing to look for since all are special, and special tokens are text.
    fn are_all_text(&self, specials: Specials) -> bool {
        specials == Specials::Text && self.special.len() == self.tokens.len()
    }

    /// The segments of `text` in order, without empty ones, if no normalizer changes it.
    ///
    /// Errors: a special token under [`Specials::Reject`].
    pub(crate) fn segments(&self, text: &str, specials: Specials) -> Result<Vec<Segment>, EncodeError> {
        let segments = self.raw_segments(text, specials)?;
        self.segments_in(&self.normalized, text, segments, specials)
    }

    /// The segments with the tokens of `finder` found in those that are text.
    fn segments_in(
        &self,
        finder: &Finder,
        text: &str,
        segments: Vec<Segment>,
        specials: Specials,
    ) -> Result<Vec<Segment>, EncodeError> {
        if finder.automaton.is_none() {
            return Ok(segments);
        }
        let mut all = vec![];
        for segment in segments {
            let Segment::Text(span) = segment else {
                all.push(segment);
                continue;
            };
            let shift = |inner: Span| Span { start: span.start + inner.start, end: span.start + inner.end };
            let inside = self.matches(finder, &text[span.range()], specials);
            let inside = inside.map_err(|refused| refused.at(span.start as usize + refused.at))?;
            all.extend(inside.into_iter().map(|segment| match segment {
                Segment::Text(inner) => Segment::Text(shift(inner)),
                Segment::Token(found, inner) => Segment::Token(found, shift(inner)),
            }));
        }
        Ok(all)
    }

    /// The same, looking only for the tokens that are looked for in the original text, not in normalized text.
    ///
    /// Errors: as [`Self::segments`].
    pub fn raw_segments(&self, text: &str, specials: Specials) -> Result<Vec<Segment>, EncodeError> {
        let segments = self.matches(&self.raw, text, specials).map_err(|refused| refused.at(refused.at))?;
        self.segments_in(&self.then, text, segments, specials)
    }

    /// Whether there are tokens that are looked for in normalized text.
    pub(crate) fn has_normalized(&self) -> bool {
        self.normalized.automaton.is_some()
    }

    /// Extracts the added tokens that are looked for in the original text, or those looked for in the normalized text.
    ///
    /// Errors: a special token under [`Specials::Reject`].
    pub(crate) fn extract(
        &self,
        pretokens: &mut Pretokens,
        normalized: bool,
        specials: Specials,
    ) -> Result<(), EncodeError> {
        let finders = if normalized { [Some(&self.normalized), None] } else { [Some(&self.raw), Some(&self.then)] };
        finders.into_iter().flatten().filter(|finder| normalized || finder.automaton.is_some()).try_for_each(|finder| {
            pretokens.try_replace(|pretoken, out| self.extract_from(finder, pretoken, specials, out))
        })
    }

    fn extract_from(
        &self,
        finder: &Finder,
        pretoken: AlignedText,
        specials: Specials,
        out: &mut Vec<Pretoken>,
    ) -> Result<(), EncodeError> {
        if finder.automaton.is_none() {
            out.push(Pretoken { text: pretoken.taken_out(), token: None });
            return Ok(());
        }
        let segments = self.matches(finder, pretoken.text(), specials);
        let segments = segments.map_err(|refused| {
            let first = refused.at..refused.at + pretoken.text()[refused.at..].chars().next().map_or(0, char::len_utf8);
            refused.at(pretoken.span(first).start as usize)
        })?;
        out.extend(segments.into_iter().map(|segment| match segment {
            Segment::Text(span) => Pretoken { text: pretoken.slice(span.range()), token: None },
            Segment::Token(found, span) => Pretoken { text: pretoken.slice(span.range()), token: Some(found) },
        }));
        Ok(())
    }

    /// Finds the tokens in `text`. Every added token of a result comes from here, and so does every refusal.
    fn matches(&self, finder: &Finder, text: &str, specials: Specials) -> Result<Vec<Segment>, SpecialRefused<'_>> {
        let mut segments = vec![];
        let mut done = 0;
        // End of the white space that the last token with `rstrip` took. A match within it takes up to the same end.
        let mut white_until = 0;
        let automaton = finder.automaton.as_ref().filter(|_| !self.are_all_text(specials));
        for found in automaton.iter().flat_map(|automaton| automaton.find_iter(text)) {
            let token = &self.tokens[finder.tokens[found.pattern()]];
            let (mut start, mut end) = (found.start(), found.end());
            if (token.special && specials == Specials::Text)
                || (token.single_word && (ends_with_word(&text[..start]) || starts_with_word(&text[end..])))
            {
                continue;
            }
            if token.special && specials == Specials::Reject {
                return Err(SpecialRefused { token, at: start });
            }
            if token.lstrip {
                // The match before keeps the white space that it took.
                start = text.get(done..start).map_or(done, |between| done + between.trim_end().len());
            }
            if token.rstrip {
                if end >= white_until {
                    let rest = text[end..].trim_start();
                    steps::count(text.len() - rest.len() - end);
                    white_until = text.len() - rest.len();
                }
                end = white_until;
            }
            if start >= end {
                // The match before took all of it.
                continue;
            }
            if done < start {
                segments.push(Segment::Text(Span::new(done, start)));
            }
            segments
                .push(Segment::Token(AddedTokenMatch { id: token.id, special: token.special }, Span::new(start, end)));
            done = end;
        }
        if done < text.len() {
            segments.push(Segment::Text(Span::new(done, text.len())));
        }
        Ok(segments)
    }
}

/// How a token is spelled where it is looked for.
fn spelling(token: &AddedToken, normalizer: Option<&Normalizer>) -> String {
    match normalizer {
        Some(normalizer) if token.normalized => {
            let mut text = AlignedText::new(&token.content, 0);
            // A pattern that gives up on the spelling will do so on the text that spells it, and say so there.
            if normalizer.normalize(&mut text).is_err() {
                return token.content.clone();
            }
            text.text().to_owned()
        }
        _ => token.content.clone(),
    }
}

fn ends_with_word(text: &str) -> bool {
    text.chars().next_back().is_some_and(is_word)
}

fn starts_with_word(text: &str) -> bool {
    text.chars().next().is_some_and(is_word)
}

/// `\w`.
fn is_word(c: char) -> bool {
    regex_syntax::is_word_character(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(added: &AddedTokens, text: &str, specials: Specials) -> String {
        let segments = added.segments(text, specials).expect("nothing is refused");
        let segments = segments.into_iter().map(|segment| match segment {
            Segment::Text(span) => format!("{:?}", &text[span.range()]),
            Segment::Token(found, span) => format!("{}{:?}", found.id, &text[span.range()]),
        });
        segments.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn splits_at_the_longest_token() {
        let tokens = [("<a>", 1), ("<a><b>", 2), ("", 3)].map(|(content, id)| AddedToken::special(content, id));
        let added = AddedTokens::new(tokens.to_vec(), None);
        let cases = [
            ("", ""),
            ("x", "\"x\""),
            ("<a>", "1\"<a>\""),
            ("<a><b>", "2\"<a><b>\""),
            ("<a><a>é<a>", "1\"<a>\" 1\"<a>\" \"é\" 1\"<a>\""),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(&added, text, Specials::Parse), expected, "{text:?}");
        }
        assert_eq!(shown(&added, "x<a>", Specials::Text), "\"x<a>\"");
        let refused = EncodeError::SpecialInText { token: "<a><b>".into(), byte: 2 };
        assert_eq!(added.segments("é<a><b>", Specials::Reject), Err(refused));
    }

    #[test]
    fn tokens_found_in_normalized_text_come_second() {
        let tokens = [("b", 1, false), ("abc", 2, true), ("c", 3, true)];
        let token = |(content, id, normalized)| AddedToken { normalized, ..AddedToken::special(content, id) };
        let added = AddedTokens::new(tokens.map(token).to_vec(), None);
        assert_eq!(shown(&added, "abcac", Specials::Parse), "\"a\" 1\"b\" 3\"c\" \"a\" 3\"c\"");
    }

    #[test]
    fn flags_decide_what_a_token_takes() {
        let plain = AddedToken { special: false, ..AddedToken::special("mask", 1) };
        let line_end = AddedToken { content: "\n".into(), ..plain.clone() };
        let cases = [
            (
                AddedToken { single_word: true, ..plain.clone() },
                "unmask mask_ mask!",
                "\"unmask mask_ \" 1\"mask\" \"!\"",
            ),
            (AddedToken { lstrip: true, ..plain.clone() }, "a \t mask mask", "\"a\" 1\" \\t mask\" 1\" mask\""),
            (AddedToken { rstrip: true, ..plain.clone() }, "mask  maskb", "1\"mask  \" 1\"mask\" \"b\""),
            (AddedToken { lstrip: true, rstrip: true, ..plain }, " mask mask ", "1\" mask \" 1\"mask \""),
            // As the reference has it: matches in white space that is taken already take the rest of it again.
            (
                AddedToken { rstrip: true, ..line_end.clone() },
                "a\n\n\na",
                "\"a\" 1\"\\n\\n\\n\" 1\"\\n\\n\" 1\"\\n\" \"a\"",
            ),
            (AddedToken { lstrip: true, ..line_end.clone() }, " \n\n", "1\" \\n\" 1\"\\n\""),
            (AddedToken { lstrip: true, rstrip: true, ..line_end.clone() }, " \n\n ", "1\" \\n\\n \""),
        ];
        for (token, text, expected) in cases {
            let added = AddedTokens::new(vec![token], None);
            assert_eq!(shown(&added, text, Specials::Parse), expected, "{text:?}");
            assert_eq!(
                shown(&added, text, Specials::Text),
                expected,
                "not special, so text or not makes no difference"
            );
        }
    }

    #[test]
    fn white_space_that_tokens_take_is_read_once() {
        for (lstrip, rstrip) in [(true, false), (false, true), (true, true)] {
            let token = AddedToken { lstrip, rstrip, special: false, ..AddedToken::special("\n", 1) };
            let added = AddedTokens::new(vec![token], None);
            let work = |len: usize| steps::of(|| added.segments(&"\n".repeat(len), Specials::Parse).map(drop));
            assert!(work(20_000) <= 20_000, "{} bytes were read", work(20_000));
        }
    }

    #[test]
    fn a_very_long_token_is_found() {
        let long = "ab".repeat(50_000);
        let tokens = [("abc", 1), (long.as_str(), 2)].map(|(content, id)| AddedToken::special(content, id));
        let added = AddedTokens::new(tokens.to_vec(), None);
        let found = added.segments(&format!("abc{long}"), Specials::Parse).expect("nothing is refused");
        let token = |id, start, end| Segment::Token(AddedTokenMatch { id, special: true }, Span::new(start, end));
        assert_eq!(found, [token(1, 0, 3), token(2, 3, 100_003)]);
        assert_eq!(added.raw.automaton.as_ref().map(AhoCorasick::kind), Some(AhoCorasickKind::ContiguousNFA));
    }

    #[test]
    fn example_of_addedtokens_segments() {
        use crate::added_tokens::{AddedToken, AddedTokens, Segment, Specials};
        use crate::{offsets::Span, pretokens::AddedTokenMatch};
        let added = AddedTokens::new(vec![AddedToken::special("<|end|>", 9)], None);
        let end = Segment::Token(AddedTokenMatch { id: 9, special: true }, Span::new(2, 9));
        assert_eq!(added.segments("hi<|end|>", Specials::Parse).unwrap(), [Segment::Text(Span::new(0, 2)), end]);
        assert!(added.segments("hi<|end|>", Specials::Reject).is_err());
    }
}
