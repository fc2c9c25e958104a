//! Where tokenizers split a text differently: `divergences`, for tokens that somebody has in arrays.

use numpy::{IntoPyArray, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use token_engine::Span;
use token_inspect::document::divergence::{Comparison, Divergences, MAX_TOKENIZERS};

use crate::convert::{Items, utf8};
use crate::{calls, errors};

/// More tokenizers than can be compared are refused.
pub fn check_number(lanes: usize) -> PyResult<()> {
    if lanes > MAX_TOKENIZERS {
        return Err(PyValueError::new_err(format!(
            "{lanes} tokenizers cannot be compared; at most {MAX_TOKENIZERS} can"
        )));
    }
    Ok(())
}

/// Arrays by name; pairs have shape (k, k), counts (d, k).
pub fn as_dict(py: Python<'_>, found: Divergences, lanes: usize) -> PyResult<Bound<'_, PyDict>> {
    let count = found.kind.len();
    let arrays = PyDict::new(py);
    arrays.set_item("start_utf8", found.start_utf8.into_pyarray(py))?;
    arrays.set_item("end_utf8", found.end_utf8.into_pyarray(py))?;
    arrays.set_item("start_utf16", found.start_utf16.into_pyarray(py))?;
    arrays.set_item("end_utf16", found.end_utf16.into_pyarray(py))?;
    arrays.set_item("kind", found.kind.into_pyarray(py))?;
    arrays.set_item("counts", found.counts.into_pyarray(py).reshape([count, lanes])?)?;
    arrays.set_item("shared", found.shared.into_pyarray(py).reshape([lanes, lanes])?)?;
    arrays.set_item("either", found.either.into_pyarray(py).reshape([lanes, lanes])?)?;
    arrays.set_item("marks", found.marks.into_pyarray(py))?;
    Ok(arrays)
}

#[pyfunction]
pub fn divergences<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyString>,
    spans: Items<PyReadonlyArray2<'py, u32>>,
    ignore_spaces: bool,
) -> PyResult<Bound<'py, PyDict>> {
    check_number(spans.len())?;
    let text = utf8(text)?;
    if text.len() > u32::MAX as usize {
        return Err(PyValueError::new_err(format!(
            "the text has {} bytes, must be below 4 GiB; compare parts",
            text.len()
        )));
    }
    let lanes = spans.iter().map(|spans| lane(spans, text)).collect::<PyResult<Vec<_>>>()?;
    let lanes: Vec<&[Span]> = lanes.iter().map(Vec::as_slice).collect();
    let bytes = text.len() * lanes.len();
    let compare = || Comparison { text, spans: &lanes, ignore_spaces }.divergences(0..text.len());
    let found = calls::run(py, bytes, compare)?.map_err(|cancelled| errors::encode(cancelled.into()))?;
    as_dict(py, found, lanes.len())
}

/// The spans of an array of shape (n, 2).
fn lane(spans: &PyReadonlyArray2<'_, u32>, text: &str) -> PyResult<Vec<Span>> {
    let array = spans.as_array();
    if spans.shape()[1] != 2 {
        return Err(PyValueError::new_err(format!("spans have a start and an end, not {} numbers", spans.shape()[1])));
    }
    let lane: Vec<Span> = array.rows().into_iter().map(|row| Span { start: row[0], end: row[1] }).collect();
    match lane.iter().find(|span| span.start > span.end || span.end as usize > text.len()) {
        None => Ok(lane),
        Some(Span { start, end }) => {
            Err(PyValueError::new_err(format!("bytes {start} to {end} are no span of a text of {} bytes", text.len())))
        }
    }
}
