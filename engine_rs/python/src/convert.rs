//! Texts and ids on their way between Python and the engine.

use std::ops::Deref;

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyMapping, PyMemoryView, PyString};

use crate::errors;

/// Shape (n,).
pub(crate) type Ids<'py> = Bound<'py, PyArray1<u32>>;

/// The string as UTF-8, which Python keeps with it.
pub(crate) fn utf8<'a>(text: &'a Bound<'_, PyString>) -> PyResult<&'a str> {
    text.to_str().map_err(|error| errors::surrogate(text.py(), &error))
}

/// Items that memory is reserved for before they arrive.
const RESERVED: usize = 1 << 16;

/// The items of a sequence. Unlike `Vec`, it does not trust `__len__`, which may return any number.
pub(crate) struct Items<T>(pub(crate) Vec<T>);

impl<'a, 'py, T: FromPyObjectOwned<'py>> FromPyObject<'a, 'py> for Items<T> {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        check_sequence(&given)?;
        let mut items = Vec::with_capacity(given.len().unwrap_or(0).min(RESERVED));
        for item in given.try_iter()? {
            items.push(item?.extract().map_err(Into::into)?);
        }
        Ok(Self(items))
    }
}

impl<T> Deref for Items<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

/// Errors: TypeError for what has no order, and for a text.
fn check_sequence(given: &Bound<'_, PyAny>) -> PyResult<()> {
    let is_other = given.is_instance_of::<PyString>() || given.cast::<PyMapping>().is_ok();
    if is_other || !given.hasattr("__getitem__")? {
        let kind = given.get_type();
        return Err(PyTypeError::new_err(format!("{kind} is no sequence of items; give a list")));
    }
    Ok(())
}

/// Ids from an array or any sequence of integers; numbers that are no ids are a `DecodeError`.
pub(crate) fn ids_of(ids: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    if let Ok(array) = ids.extract::<PyReadonlyArray1<'_, u32>>() {
        return Ok(array.as_array().to_vec());
    }
    check_sequence(ids)?;
    let mut out = Vec::with_capacity(ids.len().unwrap_or(0).min(RESERVED));
    for (position, id) in ids.try_iter()?.enumerate() {
        let id = id?;
        match id.extract::<i64>().map(u32::try_from) {
            Ok(Ok(id)) => out.push(id),
            Err(error) if error.is_instance_of::<PyTypeError>(id.py()) => return Err(error),
            Ok(Err(_)) | Err(_) => {
                return Err(errors::not_decoded(format!(
                    "{id} at position {position} is not an id; ids are 0 to 2^32 - 1"
                )));
            }
        }
    }
    Ok(out)
}

/// Bytes as they are; any other buffer is copied, so that nobody changes it meanwhile.
pub(crate) fn bytes_of(data: &Bound<'_, PyAny>) -> PyResult<PyBackedBytes> {
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(bytes.clone().into());
    }
    let wrong = |_| {
        let kind = data.get_type();
        PyTypeError::new_err(format!("text is {kind}; give bytes, or a buffer of them"))
    };
    Ok(PyMemoryView::from(data).map_err(wrong)?.call_method0("tobytes")?.cast_into::<PyBytes>()?.into())
}
