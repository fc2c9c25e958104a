//! The engine for pages: tokenizers from bytes, encodings, traces and lessons, as JSON.
//!
//! A page writes a request, and the bytes of a tokenizer where it loads one, into buffers that live here, calls [`answer`]
//! and reads what it wrote: `{"ok": ...}` or `{"error": {"message", "hint"}}`. The forms of the answers are those of the
//! HTTP interface. Holds no algorithm; `lab_ui/js/handout/engine.js` is its other half.

use std::cell::RefCell;

use serde::Deserialize;
use token_engine::formats::coverage::Coverage;
use token_engine::formats::state;
use token_engine::internals::error::parts;
use token_engine::{EncodeOptions, Specials, Tokenizer};
use token_inspect::lesson::{self, Name};
use token_inspect::{encoding_json, trace};

/// A tokenizer, and what it is shrunk to.
struct Loaded {
    tokenizer: Tokenizer,
    coverage: Option<Coverage>,
}

#[derive(Default)]
struct Page {
    request: Vec<u8>,
    data: Vec<u8>,
    answer: Vec<u8>,
    loaded: Vec<Loaded>,
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::default();
}

/// What a page asks for.
#[derive(Deserialize)]
#[serde(tag = "call", rename_all = "snake_case")]
enum Request {
    /// Loads the tokenizer whose state is in the data; `covered` are the characters that it is shrunk to. Answers with its number.
    Load { covered: Option<String> },
    /// The tokens of a text.
    Encode(OfText),
    /// What each stage did.
    Trace(OfText),
    /// The steps of an algorithm.
    Lesson(OfLesson),
}

/// A tokenizer by its number, and a text.
#[derive(Deserialize)]
struct OfText {
    tokenizer: usize,
    text: String,
    specials: String,
    add_special_tokens: bool,
}

#[derive(Deserialize)]
struct OfLesson {
    name: String,
    learn: usize,
    seed: u64,
    #[serde(flatten)]
    of: OfText,
}

/// What is wrong, and what to do where it is known, separated as the engine's errors have it.
type Refusal = String;

/// Makes the buffer of the request so long and says where it is. It is good until the next call of this function.
#[unsafe(no_mangle)]
pub extern "C" fn request(bytes: usize) -> *mut u8 {
    PAGE.with_borrow_mut(|page| buffer(&mut page.request, bytes))
}

/// The same for the data of a request.
#[unsafe(no_mangle)]
pub extern "C" fn data(bytes: usize) -> *mut u8 {
    PAGE.with_borrow_mut(|page| buffer(&mut page.data, bytes))
}

fn buffer(of: &mut Vec<u8>, bytes: usize) -> *mut u8 {
    of.clear();
    of.resize(bytes, 0);
    of.as_mut_ptr()
}

/// Answers the request and says where the answer is, until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    PAGE.with_borrow_mut(|page| {
        let answer = match page.made() {
            Ok(made) => format!("{{\"ok\":{made}}}"),
            Err(refusal) => {
                let (message, hint) = parts(&refusal);
                serde_json::json!({"error": {"message": message, "hint": hint}}).to_string()
            }
        };
        page.answer = answer.into_bytes();
        page.answer.as_ptr()
    })
}

/// The length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_bytes() -> usize {
    PAGE.with_borrow(|page| page.answer.len())
}

impl Page {
    /// The answer as JSON.
    fn made(&mut self) -> Result<String, Refusal> {
        match serde_json::from_slice(&self.request).map_err(refused)? {
            Request::Load { covered } => {
                let data = std::mem::take(&mut self.data);
                let definition = state::read(&data).map_err(refused)?;
                let tokenizer = definition.build("the tokenizer of this page").map_err(refused)?;
                let coverage = covered.map(|of| Coverage::of(&tokenizer, &of)).transpose().map_err(refused)?;
                self.loaded.push(Loaded { tokenizer, coverage });
                Ok((self.loaded.len() - 1).to_string())
            }
            Request::Encode(of) => self.encode(&of),
            Request::Trace(of) => {
                let (tokenizer, specials) = self.covering(&of)?;
                let trace = trace::trace(tokenizer, &of.text, specials, of.add_special_tokens).map_err(refused)?;
                serde_json::to_string(&trace).map_err(refused)
            }
            Request::Lesson(OfLesson { name, learn, seed, of }) => {
                let (tokenizer, specials) = self.covering(&of)?;
                let name = Name::by_name(&name).ok_or_else(|| format!("{name:?} is no lesson of the engine"))?;
                let options = lesson::Options { specials, learn, seed, add_special_tokens: of.add_special_tokens };
                lesson::of_text(tokenizer, name, &of.text, options).map_err(refused)?.json().map_err(refused)
            }
        }
    }

    fn encode(&self, of: &OfText) -> Result<String, Refusal> {
        let (tokenizer, specials) = self.covering(of)?;
        let options = EncodeOptions { add_special_tokens: of.add_special_tokens, specials, ..EncodeOptions::default() };
        let encoding = tokenizer.encode(&of.text, None, options).map_err(refused)?;
        tokenizer.check_spelling(&encoding.ids).map_err(refused)?;
        let mut out = format!("{{\"count\":{},\"ids\":[", encoding.len()).into_bytes();
        encoding_json::numbers(encoding.ids.iter().copied(), &mut out);
        out.extend_from_slice(b"],\"tokens\":[");
        let texts = encoding_json::Texts::new(&of.text, None);
        encoding_json::tokens(&encoding, tokenizer, &texts, 0..encoding.len(), &mut out);
        out.extend_from_slice(b"]}");
        String::from_utf8(out).map_err(refused)
    }

    /// The tokenizer of a request, which has all tokens of its text.
    fn covering(&self, of: &OfText) -> Result<(&Tokenizer, Specials), Refusal> {
        let named = Specials::NAMES.iter().find(|(name, _)| *name == of.specials);
        let (_, specials) =
            named.ok_or_else(|| format!("specials is {:?}; give parse, text or reject", of.specials))?;
        let Loaded { tokenizer, coverage } =
            self.loaded.get(of.tokenizer).ok_or_else(|| format!("no tokenizer has the number {}", of.tokenizer))?;
        if let Some(coverage) = coverage {
            coverage.check(tokenizer, &of.text, *specials).map_err(refused)?;
        }
        Ok((tokenizer, *specials))
    }
}

#[allow(clippy::needless_pass_by_value, reason = "goes into map_err as it is")]
fn refused(error: impl std::fmt::Display) -> Refusal {
    error.to_string()
}
