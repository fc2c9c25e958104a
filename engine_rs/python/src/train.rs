//! What the classes of training share, and functions around it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;
use token_train::bpe::race::{Racer, race};
use token_train::{ChunkEnds, Options};

use crate::convert::bytes_of;
use crate::errors;
use crate::train_counter::WordCounter;

/// The options of a JSON text.
pub(crate) fn options(json: &str) -> PyResult<Options> {
    Options::from_json(json).map_err(errors::train)
}

/// What a lock guards. A counter refuses to go on after a call that panicked; a trainer changes whole steps alone.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A value as JSON, in UTF-8.
pub(crate) fn json<'py, T: Serialize>(py: Python<'py>, value: &T) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = serde_json::to_vec(value).map_err(errors::value)?;
    Ok(PyBytes::new(py, &bytes))
}

/// The last place at or before byte `at` where the data may be split.
#[pyfunction]
pub(crate) fn safe_chunk_end(options: &str, data: &Bound<'_, PyAny>, at: usize) -> PyResult<Option<usize>> {
    let (py, options) = (data.py(), self::options(options)?);
    let data = bytes_of(data)?;
    let data: &[u8] = &data;
    py.detach(|| Ok(ChunkEnds::new(&options)?.last(data, at))).map_err(errors::train)
}

/// The merges that one of the BPE trainers makes, and its steps by name, as JSON.
#[pyfunction]
pub(crate) fn train_race<'py>(
    py: Python<'py>,
    options: &str,
    counter: &Bound<'py, WordCounter>,
    algorithm: &str,
    merges: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let options = self::options(options)?;
    let racer = Racer::by_name(algorithm).ok_or_else(|| {
        let known = Racer::ALL.map(Racer::name).join(", ");
        PyValueError::new_err(format!("algorithm is {algorithm:?}, must be one of {known}"))
    })?;
    let counts = counter.get().counts_for(py, &options)?;
    let made = py.detach(|| race(&options, &counts, racer, merges)).map_err(errors::train)?;
    json(py, &made)
}
