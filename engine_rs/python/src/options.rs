//! The options of `encode` and `encode_batch`, by name: one list of them for both, and the checks that need no text.

use std::sync::Arc;

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use token_engine::{
    Definition, EncodeError, EncodeOptions, Encoding, PadTo, Padding, Side, Specials, Strategy, Tokenizer, Truncation,
};

use crate::errors;

/// What `specials` says.
pub fn specials(name: &str) -> PyResult<Specials> {
    choice("specials", name, &Specials::NAMES)
}

/// A number that random ones follow from.
pub struct Seed(pub u64);

impl FromPyObject<'_, '_> for Seed {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let wrong = |error: PyErr| {
            if error.is_instance_of::<PyOverflowError>(value.py()) {
                return PyValueError::new_err(format!("seed is {value:?}, must be from 0 to {}", u64::MAX));
            }
            error
        };
        value.extract().map(Self).map_err(wrong)
    }
}

/// The options, and the padding that follows.
pub struct Options {
    pub encode: EncodeOptions,
    pub padding: Option<Padding>,
    /// How many threads encode a batch; 0 means all cores.
    pub threads: usize,
}

/// Truncates or pads as the file of the tokenizer says, which may be not at all.
const FILE: &str = "file";

/// As given; what was not given is as the defaults of `_engine.pyi` say.
#[derive(Default)]
struct Given {
    add_special_tokens: Option<bool>,
    specials: Option<String>,
    truncation: Option<String>,
    max_length: Option<usize>,
    stride: Option<usize>,
    truncation_side: Option<String>,
    padding: Option<String>,
    pad_to_multiple_of: Option<usize>,
    threads: Option<usize>,
}

impl Options {
    /// Reads keyword arguments. If truncation or padding is asked for, the file's length and side are the defaults.
    ///
    /// Errors: TypeError for an unknown name or a value of another kind, ValueError for values that do not go together,
    /// EncodeError where there is no padding token.
    pub fn read(
        keywords: Option<&Bound<'_, PyDict>>,
        tokenizer: &Tokenizer,
        definition: &Definition,
    ) -> PyResult<Self> {
        let mut given = Given::default();
        for (name, value) in keywords.into_iter().flatten() {
            given.set(&name.extract::<String>()?, &value)?;
        }
        given.check()?;
        let encode = EncodeOptions {
            add_special_tokens: given.add_special_tokens.unwrap_or(true),
            specials: given.specials.as_deref().map_or(Ok(Specials::Parse), specials)?,
            truncation: given.truncation(definition)?,
            // `Encoding.overflowing` encodes again: most callers never ask for it.
            keep_overflow: false,
        };
        let padding = given.padding(tokenizer, definition)?;
        Ok(Self { encode, padding, threads: given.threads.unwrap_or(0) })
    }
}

/// How to encode a text again for the parts that truncation leaves over.
pub struct Overflow {
    pub encode: EncodeOptions,
    pub padding: Option<Padding>,
}

impl Options {
    /// Pads encodings made with these options; `None` where truncation leaves nothing over.
    ///
    /// Errors: as [`Padding::pad`].
    pub fn pad(&self, encodings: &mut [Encoding]) -> Result<Option<Arc<Overflow>>, EncodeError> {
        let padding = self.padding.as_ref().map(|padding| padding.settled(encodings));
        self.padding.iter().try_for_each(|padding| padding.pad(encodings))?;
        let encode = EncodeOptions { keep_overflow: true, ..self.encode };
        Ok(encode.truncation.map(|_| Arc::new(Overflow { encode, padding })))
    }
}

impl Given {
    fn set(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        match name {
            "add_special_tokens" => self.add_special_tokens = Some(value.extract()?),
            "specials" => self.specials = Some(value.extract()?),
            "truncation" => self.truncation = value.extract()?,
            "max_length" => self.max_length = number(name, value)?,
            "stride" => self.stride = number(name, value)?.filter(|&stride| stride > 0),
            "truncation_side" => self.truncation_side = value.extract()?,
            "padding" => self.padding = value.extract()?,
            "pad_to_multiple_of" => self.pad_to_multiple_of = number(name, value)?,
            "threads" => self.threads = number(name, value)?,
            _ => return Err(PyTypeError::new_err(format!("there is no option {name:?}"))),
        }
        Ok(())
    }

    /// An option that would do nothing is a mistake of whoever gives it.
    fn check(&self) -> PyResult<()> {
        let wrong = |message: String| Err(PyValueError::new_err(message));
        match *self {
            Self { max_length: Some(length), truncation: None, padding: None, .. } => wrong(format!(
                "max_length is {length}, but nothing is truncated or padded; set `truncation` to \"longest_first\", or `padding` to \"max_length\""
            )),
            Self { max_length: Some(length), .. } if !self.takes_length() => wrong(format!(
                "max_length is {length}, but truncation and padding take the length of the file; leave `max_length` out"
            )),
            Self { stride: Some(stride), truncation: Some(ref name), .. } if name == FILE => {
                wrong(format!("stride is {stride}, but truncation takes that of the file; leave `stride` out"))
            }
            Self { pad_to_multiple_of: Some(multiple), padding: Some(ref name), .. } if name == FILE => wrong(format!(
                "pad_to_multiple_of is {multiple}, but padding takes that of the file; leave `pad_to_multiple_of` out"
            )),
            Self { stride: Some(stride), truncation: None, .. } => {
                wrong(format!("stride is {stride}, but nothing is truncated; set `truncation` to \"longest_first\""))
            }
            Self { truncation_side: Some(ref side), truncation: None, .. } => wrong(format!(
                "truncation_side is {side:?}, but nothing is truncated; set `truncation` to \"longest_first\""
            )),
            Self { truncation_side: Some(ref side), truncation: Some(ref name), .. } if name == FILE => wrong(format!(
                "truncation_side is {side:?}, but truncation takes that of the file; leave `truncation_side` out"
            )),
            Self { pad_to_multiple_of: Some(multiple), padding: None, .. } => wrong(format!(
                "pad_to_multiple_of is {multiple}, but nothing is padded; set `padding` to \"longest\" or \"max_length\""
            )),
            Self { pad_to_multiple_of: Some(0), .. } => wrong("pad_to_multiple_of is 0, must be 1 or more".to_owned()),
            _ => Ok(()),
        }
    }

    /// Whether an option is there that needs a length, and not that of the file.
    fn takes_length(&self) -> bool {
        [&self.truncation, &self.padding].into_iter().flatten().any(|name| name != FILE)
    }

    fn truncation(&self, definition: &Definition) -> PyResult<Option<Truncation>> {
        let Some(name) = &self.truncation else { return Ok(None) };
        let own = definition.truncation;
        if name == FILE {
            return Ok(own);
        }
        let strategy = choice("truncation", name, &Strategy::NAMES)?;
        let max_length = self.max_length.or(own.map(|own| own.max_length)).ok_or_else(|| {
            PyValueError::new_err(format!(
                "truncation is {name:?}, but the length to truncate to is missing; give `max_length`"
            ))
        })?;
        let side = match &self.truncation_side {
            Some(side) => choice("truncation_side", side, &Side::NAMES)?,
            None => own.map_or(Side::Right, |own| own.side),
        };
        Ok(Some(Truncation { max_length, strategy, stride: self.stride.unwrap_or(0), side }))
    }

    fn padding(&self, tokenizer: &Tokenizer, definition: &Definition) -> PyResult<Option<Padding>> {
        let Some(name) = &self.padding else { return Ok(None) };
        let own = definition.padding.as_ref();
        let special = tokenizer.added_tokens().iter().filter(|token| token.special);
        let special = special.map(|token| (token.content.as_str(), token.id));
        if name == FILE {
            let own = own.map(|own| Padding::of(Some(own), special, tokenizer.vocab(), own.to, own.multiple_of));
            return own.transpose().map_err(errors::encode);
        }
        let fixed = match own.map(|own| own.to) {
            Some(PadTo::Length(length)) => Some(length),
            _ => definition.truncation.map(|own| own.max_length),
        };
        let to = match name.as_str() {
            "longest" => PadTo::Longest,
            "max_length" => PadTo::Length(self.max_length.or(fixed).ok_or_else(|| {
                PyValueError::new_err("padding is \"max_length\", but there is no such length; give `max_length`")
            })?),
            _ => {
                return Err(PyValueError::new_err(format!(
                    "padding is {name:?}, must be \"longest\", \"max_length\" or \"file\""
                )));
            }
        };
        Padding::of(own, special, tokenizer.vocab(), to, self.pad_to_multiple_of).map(Some).map_err(errors::encode)
    }
}

/// A number of tokens or threads; None is none.
fn number(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    if value.is_none() {
        return Ok(None);
    }
    let number: i64 = value.extract().map_err(|error: PyErr| {
        let is_number = error.is_instance_of::<PyOverflowError>(value.py());
        if is_number { PyValueError::new_err(format!("{name} is {value}, must be below 2^63")) } else { error }
    })?;
    let number =
        usize::try_from(number).map_err(|_| PyValueError::new_err(format!("{name} is {number}, must not be negative")));
    number.map(Some)
}

fn choice<T: Copy>(option: &str, name: &str, choices: &[(&str, T)]) -> PyResult<T> {
    choices.iter().find(|(known, _)| *known == name).map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<String> = choices.iter().map(|(known, _)| format!("{known:?}")).collect();
        PyValueError::new_err(format!("{option} is {name:?}, must be one of {}", names.join(", ")))
    })
}
