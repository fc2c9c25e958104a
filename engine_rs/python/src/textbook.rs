//! The textbook encoders and the trainer of integer sequences, as functions.

use numpy::IntoPyArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use token_inspect::textbook::{self, Algorithm, TextbookError, integers};

use crate::calls;
use crate::convert::{Ids, ids_of, utf8};
use crate::errors;
use crate::options::specials;
use crate::tokenizer::Tokenizer;

/// Ids, ends in UTF-8 bytes, and the steps it took by name.
#[pyfunction]
#[pyo3(signature = (tokenizer, text, algorithm, *, specials = "text"))]
pub fn textbook_encode<'py>(
    tokenizer: &Bound<'py, Tokenizer>,
    text: &Bound<'py, PyString>,
    algorithm: &str,
    specials: &str,
) -> PyResult<(Ids<'py>, Ids<'py>, Bound<'py, PyDict>)> {
    let (py, specials) = (text.py(), self::specials(specials)?);
    let algorithm = Algorithm::by_name(algorithm).ok_or_else(|| {
        let known = Algorithm::ALL.map(Algorithm::name).join(", ");
        PyValueError::new_err(format!("algorithm is {algorithm:?}, must be one of {known}"))
    })?;
    let (inner, text) = (&tokenizer.get().inner, utf8(text)?);
    let encoded = calls::run(py, calls::LONG, || textbook::encode(inner, text, specials, algorithm))?;
    let (tokens, steps) = encoded.map_err(|error| match error {
        TextbookError::Encode(error) => errors::encode(error),
        other => errors::not_encoded(other.to_string()),
    })?;
    let named = PyDict::new(py);
    for (name, count) in steps.named() {
        named.set_item(name, count)?;
    }
    Ok((tokens.ids.into_pyarray(py), tokens.ends.into_pyarray(py), named))
}

/// Left, right, the id they become and the count at that time, of each merge learnt.
#[pyfunction]
#[pyo3(signature = (symbols, merges, *, first_id = 256))]
pub fn textbook_train(symbols: &Bound<'_, PyAny>, merges: usize, first_id: u32) -> PyResult<Vec<(u32, u32, u32, u64)>> {
    let (py, symbols) = (symbols.py(), ids_of(symbols)?);
    if let Some(symbol) = symbols.iter().find(|&&symbol| symbol >= first_id) {
        return Err(PyValueError::new_err(format!("symbol {symbol} is not below first_id, which is {first_id}")));
    }
    let learnt = calls::run(py, calls::LONG, || integers::train(symbols, merges, first_id))?;
    let learnt = learnt.map_err(|cancelled| errors::encode(cancelled.into()))?;
    Ok(learnt.into_iter().map(|it| (it.pair[0], it.pair[1], it.id, it.count)).collect())
}
