//! `Tokenizer.add_tokens` and `add_special_tokens`.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use token_engine::AddedToken;

use crate::convert::{Items, utf8};
use crate::tokenizer::Tokenizer;

/// A token from its spelling, a dict of its flags, or an object that has them, as `tokenizers.AddedToken` does.
fn token(given: &Bound<'_, PyAny>, special: bool) -> PyResult<AddedToken> {
    let plain = |content: String| AddedToken { special, normalized: !special, ..AddedToken::special(content, 0) };
    if let Ok(content) = given.cast::<PyString>() {
        return Ok(plain(utf8(content)?.to_owned()));
    }
    let dict = given.cast::<PyDict>().ok();
    let field = |name: &str| match dict {
        Some(dict) => dict.get_item(name),
        None => given.getattr_opt(name),
    };
    let Some(content) = field("content")? else {
        return Err(PyTypeError::new_err(format!(
            "{} is no token; give a string, a dict with \"content\", or an AddedToken",
            given.repr()?
        )));
    };
    if let Some(dict) = dict {
        let known = ["content", "special", "normalized", "single_word", "lstrip", "rstrip"];
        for name in dict.keys() {
            let name: String = name.extract()?;
            if !known.contains(&name.as_str()) {
                return Err(PyTypeError::new_err(format!("a token has no {name:?}; it has {}", known.join(", "))));
            }
        }
    }
    let flag = |name: &str| field(name)?.map(|flag| flag.extract::<bool>()).transpose();
    let said_special = flag("special")?;
    let is_special = special || said_special.unwrap_or(false);
    // An object always has the flag: what it says for one that was not special is the default for such.
    let normalized = if dict.is_some() || said_special == Some(is_special) { flag("normalized")? } else { None };
    Ok(AddedToken {
        special: is_special,
        normalized: normalized.unwrap_or(!is_special),
        single_word: flag("single_word")?.unwrap_or(false),
        lstrip: flag("lstrip")?.unwrap_or(false),
        rstrip: flag("rstrip")?.unwrap_or(false),
        ..plain(content.extract()?)
    })
}

#[pymethods]
impl Tokenizer {
    fn add_tokens(&self, py: Python<'_>, tokens: Items<Bound<'_, PyAny>>) -> PyResult<Self> {
        let tokens = tokens.iter().map(|given| token(given, false)).collect::<PyResult<Vec<_>>>()?;
        self.with_tokens(py, tokens)
    }

    fn add_special_tokens(&self, py: Python<'_>, tokens: Items<Bound<'_, PyAny>>) -> PyResult<Self> {
        let tokens = tokens.iter().map(|given| token(given, true)).collect::<PyResult<Vec<_>>>()?;
        self.with_tokens(py, tokens)
    }
}

impl Tokenizer {
    fn with_tokens(&self, py: Python<'_>, tokens: Vec<AddedToken>) -> PyResult<Self> {
        Self::build(py, || {
            Ok((self.definition.clone().with_tokens(tokens), "the tokenizer with new tokens".to_owned()))
        })
    }
}
