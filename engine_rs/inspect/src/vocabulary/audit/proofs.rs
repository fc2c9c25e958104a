//! Proofs that no text gives a token.
//!
//! Each rests on a property of one stage that holds for whatever the stages before it make:
//!
//! * Merges: as long as nothing has merged across a token's ends, what happens between them is what happens to its symbols
//!   alone (property 3 of the README). A token whose symbols alone merge into something else is never left.
//! * UTF-8: a text is whole characters, and bytes of tokens are bytes of it.
//! * Patterns and words: what no pretoken can hold, no token of the text can be.
//! * Unigram: a segmentation of the token's text that scores more could take its place on every path. "More" is by at
//!   least [`MARGIN`], beyond what rounding adds up to in any text of less than a gigabyte.

use rustc_hash::FxHashSet;

use super::super::kinds::{self, Kind};
use super::super::origin::{self, Origin};
use super::super::{Index, Row};
use super::pattern::Pretokens;
use super::{Reason, is_added};
use token_engine::decoders::Decoder;
use token_engine::internals::alignment::AlignedText;
use token_engine::internals::stages::Stages;
use token_engine::internals::unicode::{is_ideograph, is_punctuation, is_space};
use token_engine::internals::vocab;
use token_engine::models::bpe::merges::Merges;
use token_engine::models::bpe::{WholeTokens, characters};
use token_engine::models::kinds::Kinds;
use token_engine::models::unigram::Unigram;
use token_engine::models::{Model, Unknown, wordpiece};
use token_engine::normalizers::Normalizer;
use token_engine::normalizers::bert::BertNormalizer;
use token_engine::pretokenizers::Pretokenizer;
use token_engine::pretokenizers::scanners::Pattern;
use token_engine::{Id, Tokenizer};

/// How much better another segmentation must be.
const MARGIN: f64 = 1e-3;

/// What the proofs for one tokenizer need.
pub(crate) struct Proofs<'a> {
    tokenizer: &'a Tokenizer,
    index: &'a Index,
    pretokens: Option<Pretokens>,
    bert: Option<Words>,
    /// Whether merges make of plain characters nothing but their text, so that a token's text says its symbols.
    plain_merges: bool,
}

/// What BERT's normalizer and pretokenizer leave.
struct Words {
    normalizer: BertNormalizer,
    /// Every character that the normalizer leaves of some text: it works character by character.
    left: FxHashSet<char>,
}

impl<'a> Proofs<'a> {
    /// Prepares the proofs that this tokenizer's stages allow.
    pub(crate) fn new(tokenizer: &'a Tokenizer, index: &'a Index) -> Self {
        let stages = tokenizer.as_stages();
        let is_model = stages.model.kinds().is_some();
        let pattern = pattern_of(stages, tokenizer.parts().decoder.as_ref()).filter(|_| !is_model);
        let bert = bert_of(stages).filter(|_| !is_model);
        Self {
            tokenizer,
            index,
            pretokens: pattern.and_then(Pretokens::new),
            bert: bert.map(Words::new),
            plain_merges: matches!(tokenizer.model(), Model::Bpe(bpe) if !is_model && has_plain_merges(tokenizer, bpe)),
        }
    }

    /// Whether encoding is left to chance, so that neither a text nor a proof decides.
    pub(crate) fn left_to_chance(&self) -> bool {
        let dropout = match self.tokenizer.model() {
            Model::Bpe(bpe) => bpe.settings().dropout,
            _ => None,
        };
        dropout.is_some_and(|dropout| dropout > 0.0)
    }

    /// Why no text gives the token; `None` where nothing proves it.
    pub(crate) fn unreachable(&self, row: &Row) -> Option<Reason> {
        let kinds = self.tokenizer.model().kinds();
        match kinds.map(|kinds| (kinds.of(row.id), kinds.bytes())) {
            Some((vocab::Kind::Control, _)) => return Some(Reason::Unspelled),
            Some((vocab::Kind::Unknown, Some(_))) => return Some(Reason::NeverUnknown),
            _ => {}
        }
        if is_added(row) || self.left_to_chance() {
            return None;
        }
        if let Some(kinds) = kinds {
            return self.token_of_model(row, kinds);
        }
        if self.has_capitals_after_lowering(row, self.tokenizer.as_stages()) {
            return Some(Reason::NormalizedAway);
        }
        match self.tokenizer.model() {
            Model::ByteBpe(model) => {
                let may_be_whole = model.bpe().whole_tokens() == WholeTokens::Always;
                self.bytes(row, model.bpe().is_built(row.id), may_be_whole)
            }
            Model::Bpe(bpe) => self.characters(row, bpe),
            Model::Unigram(unigram) => self.unigram(row, unigram),
            Model::WordPiece(model) => self.wordpiece(row, model.settings()),
            Model::WordLevel(_) => self.twin(row),
        }
    }

    /// Of a `.model`: only bytes can be proved.
    fn token_of_model(&self, row: &Row, kinds: &Kinds) -> Option<Reason> {
        if kinds.of(row.id) != vocab::Kind::Byte {
            return None;
        }
        let byte = self.byte(row)?;
        let is_text = |id| matches!(kinds.of(id), vocab::Kind::Normal | vocab::Kind::UserDefined);
        let known = |c: char| self.tokenizer.vocab().id(c.to_string().as_bytes()).is_some_and(is_text);
        match is_in_utf8(&[byte]) {
            false => Some(Reason::NotUtf8),
            true => all_characters_with(byte, known).then_some(Reason::ByteHasToken),
        }
    }

    /// Whether it has an ASCII capital, and the last step of the normalizer is lower case, which leaves none. Byte
    /// alphabets spell ASCII letters as they are.
    fn has_capitals_after_lowering(&self, row: &Row, stages: &Stages) -> bool {
        let last = match &stages.normalizer {
            Some(Normalizer::Sequence(all)) => all.last(),
            other => other.as_ref(),
        };
        let stands_for_text = row.kind != Kind::Byte && stages.model.unknown() != Some(row.id);
        let Ok(text) = std::str::from_utf8(self.index.bytes(row)) else { return false };
        last == Some(&Normalizer::Lowercase)
            && stands_for_text
            && self.index.marks().core(text).0.bytes().any(|byte| byte.is_ascii_uppercase())
    }

    /// Byte-level merges.
    fn bytes(&self, row: &Row, built: bool, may_be_whole: bool) -> Option<Reason> {
        let bytes = self.index.bytes(row);
        if !is_in_utf8(bytes) {
            return Some(Reason::NotUtf8);
        }
        let whole = || {
            std::str::from_utf8(bytes).is_ok()
                && self.pretokens.as_ref().is_none_or(|pretokens| pretokens.may_be(bytes))
        };
        if !(built || may_be_whole && whole()) {
            return Some(Reason::NotBuilt);
        }
        self.pretokens.as_ref().filter(|pretokens| !pretokens.may_hold(bytes)).map(|_| Reason::AlwaysSplit)
    }

    /// Merges of characters.
    fn characters(&self, row: &Row, bpe: &characters::Bpe) -> Option<Reason> {
        let settings = bpe.settings();
        if bpe.unknown() == Some(row.id) || !self.plain_merges {
            return None;
        }
        if row.kind == Kind::Byte && settings.byte_fallback {
            return self.fallback_byte(row, settings);
        }
        let built = match origin::origin(self.tokenizer, row.id) {
            Origin::Symbol | Origin::Merged(_) => true,
            Origin::NotMerged(_) | Origin::NotInMerges => false,
            Origin::NoMerges | Origin::TooLong => return None,
        };
        if self.pretokens.is_some() {
            return self.bytes(row, built, settings.ignore_merges);
        }
        (!built && !settings.ignore_merges).then_some(Reason::NotBuilt)
    }

    /// The byte that a token is spelled as.
    fn byte(&self, row: &Row) -> Option<u8> {
        kinds::byte(std::str::from_utf8(self.tokenizer.vocab().token(row.id)?).ok()?)
    }

    /// A byte that stands in for what is unknown.
    fn fallback_byte(&self, row: &Row, settings: &characters::Settings) -> Option<Reason> {
        let byte = self.byte(row)?;
        if !settings.continuing_subword_prefix.is_empty()
            || !settings.end_of_word_suffix.is_empty()
            || matches!(origin::origin(self.tokenizer, row.id), Origin::Merged(_))
        {
            return None;
        }
        if matches!(byte, 0xC0 | 0xC1 | 0xF5..) {
            return Some(Reason::NotUtf8);
        }
        let known = |c: char| self.tokenizer.vocab().id(c.to_string().as_bytes()).is_some();
        all_characters_with(byte, known).then_some(Reason::ByteHasToken)
    }

    fn unigram(&self, row: &Row, unigram: &Unigram) -> Option<Reason> {
        let settings = unigram.settings();
        if settings.unknown == Some(row.id) {
            return (settings.byte_fallback && has_all_bytes(self.tokenizer)).then_some(Reason::NeverUnknown);
        }
        if let Some(reason) = self.twin(row) {
            return Some(reason);
        }
        if row.kind == Kind::Byte && settings.byte_fallback {
            // Its own spelling may be in a text, too, and then counts like any other entry.
            return None;
        }
        let (path, score) = origin::without(self.tokenizer, row.id)?;
        let known = settings.unknown.is_some() || path.iter().all(Option::is_some);
        (known && score > unigram.score(row.id)? + MARGIN).then_some(Reason::BetterSegmentation)
    }

    fn twin(&self, row: &Row) -> Option<Reason> {
        let found = self.tokenizer.vocab().id(self.tokenizer.vocab().token(row.id)?);
        (found != Some(row.id) && self.tokenizer.unknown_id() != Some(row.id)).then_some(Reason::Twin)
    }

    fn wordpiece(&self, row: &Row, settings: &wordpiece::Settings) -> Option<Reason> {
        if settings.unknown == row.id && settings.missing_unknown.is_none() {
            return None;
        }
        if let Some(reason) = self.twin(row) {
            return Some(reason);
        }
        let text = std::str::from_utf8(self.tokenizer.vocab().token(row.id)?).ok()?;
        let rest = text.strip_prefix(settings.prefix.as_str()).filter(|_| !settings.prefix.is_empty());
        // An entry that is spelled like a continuation may also start a word that is spelled so.
        if rest.is_some() && self.bert.is_none() {
            return None;
        }
        let (core, before) = rest.map_or((text, 0), |rest| (rest, 1));
        let length = core.chars().count();
        if length + before > settings.max_chars {
            return Some(Reason::TooLong);
        }
        let words = self.bert.as_ref()?;
        if rest.is_some() && !settings.prefix.chars().any(is_punctuation) {
            return None;
        }
        words.exclude(core, length + before > 1)
    }
}

impl Words {
    fn new(normalizer: BertNormalizer) -> Self {
        let all: String = ('\0'..=char::MAX).collect();
        let mut aligned = AlignedText::new(&all, 0);
        normalizer.normalize(&mut aligned);
        Self { normalizer, left: aligned.text().chars().collect() }
    }

    /// Why no word holds this text; `shared` where the word has other characters, too.
    fn exclude(&self, text: &str, shared: bool) -> Option<Reason> {
        if text.chars().any(|c| !self.left.contains(&c)) {
            return Some(Reason::NormalizedAway);
        }
        let stands_alone = |c: char| is_punctuation(c) || (self.normalizer.handle_chinese_chars && is_ideograph(c));
        (text.chars().any(is_space) || (shared && text.chars().any(stands_alone))).then_some(Reason::AlwaysSplit)
    }
}

/// The known pattern that splits the text before its bytes are spelled, where it sees the text and nothing changes the
/// pretokens afterwards.
fn pattern_of(stages: &Stages, decoder: Option<&Decoder>) -> Option<Pattern> {
    let splits = |pretokenizer: &Pretokenizer| match pretokenizer {
        Pretokenizer::Pattern(pattern) => Some(*pattern),
        Pretokenizer::Split(split) => split.scanner(),
        _ => None,
    };
    if let (Model::ByteBpe(_), Some(Pretokenizer::Pattern(pattern))) = (&stages.model, &stages.pretokenizer) {
        return Some(*pattern);
    }
    match stages.pretokenizer.as_ref().filter(|_| decoder == Some(&Decoder::ByteLevel))? {
        Pretokenizer::ByteLevel(bytes) if bytes.use_regex => Some(Pattern::R50k),
        Pretokenizer::Sequence(all) => match &all[..] {
            [first, Pretokenizer::ByteLevel(bytes)] if !bytes.use_regex && !bytes.add_prefix_space => splits(first),
            _ => None,
        },
        _ => None,
    }
}

/// BERT's normalizer, where its pretokenizer comes next.
fn bert_of(stages: &Stages) -> Option<BertNormalizer> {
    match (&stages.normalizer, &stages.pretokenizer) {
        (Some(Normalizer::Bert(normalizer)), Some(Pretokenizer::Bert)) => Some(*normalizer),
        _ => None,
    }
}

/// Whether every merge makes the token that is spelled like its parts, and none takes a byte that stands in for the
/// unknown or the unknown token.
fn has_plain_merges(tokenizer: &Tokenizer, bpe: &characters::Bpe) -> bool {
    let (vocab, settings) = (tokenizer.vocab(), bpe.settings());
    let merges: &Merges = bpe.merges();
    let stands_in = |id: Id| {
        let byte = settings.byte_fallback
            && vocab.token(id).and_then(|token| std::str::from_utf8(token).ok()).is_some_and(kinds::is_byte);
        byte || bpe.unknown() == Some(id)
    };
    let spelled = |left: Id, right: Id, made: Id| {
        let (Some(left), Some(right), Some(made)) = (vocab.token(left), vocab.token(right), vocab.token(made)) else {
            return false;
        };
        let right = right.strip_prefix(settings.continuing_subword_prefix.as_bytes()).unwrap_or(right);
        made.strip_prefix(left) == Some(right)
    };
    !matches!(settings.unknown, Some(Unknown::Missing(_)))
        && merges.iter().all(|(left, right, rank)| {
            !stands_in(left) && !stands_in(right) && spelled(left, right, merges.result(rank))
        })
}

fn has_all_bytes(tokenizer: &Tokenizer) -> bool {
    (0..=255u8).all(|byte| tokenizer.vocab().id(characters::byte_token(byte).as_bytes()).is_some())
}

/// Whether this holds for every character whose UTF-8 has the byte in it. Bytes that are in too many say no.
fn all_characters_with(byte: u8, holds: impl Fn(char) -> bool) -> bool {
    match byte {
        ..0x80 => holds(char::from(byte)),
        0xC2..=0xDF => (0..64).all(|low| char::from_u32(u32::from(byte & 0x1F) << 6 | low).is_some_and(&holds)),
        _ => false,
    }
}

/// Whether some UTF-8 text has these bytes in it.
fn is_in_utf8(bytes: &[u8]) -> bool {
    let continues = bytes.iter().take_while(|&&byte| byte & 0xC0 == 0x80).count();
    let rest = &bytes[continues..];
    let starts_well = match &bytes[..continues] {
        [] | [_] | [_, _] => true,
        // The bytes after F0 and F4 are few; all leads together allow any three.
        [_, _, _] => true,
        _ => false,
    };
    let ends_well = match std::str::from_utf8(rest) {
        Ok(_) => true,
        // `None`: the text ends inside a character that could be completed.
        Err(error) => error.error_len().is_none(),
    };
    starts_well && ends_well
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_in_utf8_are_those_of_parts_of_texts() {
        let text = "aé日😀\u{10FFFF}\u{0}ß";
        for from in 0..text.len() {
            for to in from + 1..=text.len() {
                assert!(is_in_utf8(&text.as_bytes()[from..to]), "{from}..{to}");
            }
        }
        for bytes in [&b"\xFF"[..], b"\xC0", b"\xC3a", b"\xE6\x97a", b"\x80\x80\x80\x80", b"\xED\xA0\x80", b"\xF5"] {
            assert!(!is_in_utf8(bytes), "{bytes:?}");
        }
    }

    #[test]
    fn no_ideograph_comes_from_another_character() {
        // Otherwise it could touch other characters of a word, for spaces are put around ideographs before accents go.
        for c in ('\0'..=char::MAX).filter(|&c| !is_ideograph(c)) {
            let made = token_engine::internals::unicode::decompose(c).flat_map(token_engine::internals::unicode::lower);
            assert!(!made.clone().any(is_ideograph), "{c:?}");
        }
    }

    #[test]
    fn no_lower_case_splits_a_word() {
        // A character made by the normalizer is classed as the pretokenizer sees it, so nothing is to prove but that the
        // set of what is left is complete: every step works character by character.
        let words = Words::new(BertNormalizer::UNCASED);
        for (c, expected) in
            [('a', true), ('A', false), ('é', false), ('\u{301}', false), ('中', true), ('\u{0}', false)]
        {
            assert_eq!(words.left.contains(&c), expected, "{c:?}");
        }
    }
}
