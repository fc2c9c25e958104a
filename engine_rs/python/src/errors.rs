//! The only map from the engine's errors to Python exceptions.

use std::io::ErrorKind;

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError, PyValueError};
use pyo3::prelude::*;
use token_engine::Place;
use token_engine::internals::error;
use token_engine::internals::tokenizer::file::FileError;

create_exception!(lab_app._engine, EngineError, PyException, "Base of all errors of the engine.");
create_exception!(lab_app._engine, LoadError, EngineError, "A file that is no tokenizer, or not the one asked for.");
create_exception!(lab_app._engine, SaveError, EngineError, "A tokenizer that a format cannot hold.");
create_exception!(lab_app._engine, EncodeError, EngineError, "A text that cannot be encoded as asked.");
create_exception!(lab_app._engine, DecodeError, EngineError, "Ids that cannot be decoded.");
create_exception!(lab_app._engine, CallCancelled, EngineError, "A call that was cancelled before it had finished.");
create_exception!(lab_app._engine, TrainError, EngineError, "A training that cannot start or go on.");

/// `LoadError` with `file`, `line`, `byte`, `path`, `problem` and `hint`.
pub fn load(py: Python<'_>, error: error::LoadError) -> PyErr {
    let exception = LoadError::new_err(error.to_string());
    let (line, byte, path) = match error.place {
        Place::File => (None, None, None),
        Place::Line(line) => (Some(line), None, None),
        Place::Byte(byte) => (None, Some(byte), None),
        Place::Path(path) => (None, None, Some(path)),
    };
    let value = exception.value(py);
    let set = || -> PyResult<()> {
        value.setattr("file", error.file)?;
        value.setattr("line", line)?;
        value.setattr("byte", byte)?;
        value.setattr("path", path)?;
        value.setattr("problem", error.problem)?;
        value.setattr("hint", error.hint)
    };
    match set() {
        Ok(()) => exception,
        Err(other) => other,
    }
}

/// `SaveError`.
#[allow(clippy::needless_pass_by_value, reason = "goes into map_err as it is")]
pub fn save(error: error::SaveError) -> PyErr {
    SaveError::new_err(error.to_string())
}

/// `EncodeError` with `problem` and `hint`, or `CallCancelled`.
#[allow(clippy::needless_pass_by_value, reason = "goes into map_err as it is")]
pub fn encode(error: error::EncodeError) -> PyErr {
    if let error::EncodeError::Cancelled(cancelled) = error {
        return CallCancelled::new_err(cancelled.to_string());
    }
    not_encoded(error.to_string())
}

/// `OSError` with its number and the file, `ValueError` for a path with a NUL, or `EncodeError`.
pub fn file(error: FileError) -> PyErr {
    let FileError::Io { path, error } = error else { return not_encoded(error.to_string()) };
    if path.as_os_str().as_encoded_bytes().contains(&0) {
        return value(format!("the path {path:?} holds a NUL, which no path can; give the path of a file"));
    }
    let raise = |py: Python<'_>| -> PyResult<PyErr> {
        let number = match error.raw_os_error() {
            Some(number) => number,
            None => {
                let is_folder = error.kind() == ErrorKind::IsADirectory;
                py.import("errno")?.getattr(if is_folder { "EISDIR" } else { "EIO" })?.extract()?
            }
        };
        // Python says it in words, and chooses the class.
        let words = py.import("os")?.call_method1("strerror", (number,))?;
        let arguments = (number, words, path.into_os_string());
        Ok(PyErr::from_value(py.get_type::<PyOSError>().call1(arguments)?))
    };
    Python::attach(raise).unwrap_or_else(|other| other)
}

/// `EncodeError` with the parts of `message`.
pub fn not_encoded(message: String) -> PyErr {
    with_parts(EncodeError::new_err(message.clone()), &message)
}

/// `DecodeError` with `problem` and `hint`, or `CallCancelled`.
#[allow(clippy::needless_pass_by_value, reason = "goes into map_err as it is")]
pub fn decode(error: error::DecodeError) -> PyErr {
    if let error::DecodeError::Cancelled(cancelled) = error {
        return CallCancelled::new_err(cancelled.to_string());
    }
    not_decoded(error.to_string())
}

/// `DecodeError` with the parts of `message`.
pub fn not_decoded(message: String) -> PyErr {
    with_parts(DecodeError::new_err(message.clone()), &message)
}

/// `TrainError` with `problem` and `hint`, or `CallCancelled`.
#[allow(clippy::needless_pass_by_value, reason = "goes into map_err as it is")]
pub fn train(error: token_train::TrainError) -> PyErr {
    if let token_train::TrainError::Text(error @ error::EncodeError::Cancelled(_)) = error {
        return encode(error);
    }
    let message = error.to_string();
    with_parts(TrainError::new_err(message.clone()), &message)
}

/// The exception with the two parts of its message as attributes.
fn with_parts(exception: PyErr, message: &str) -> PyErr {
    let (problem, hint) = error::parts(message);
    let set = |py: Python<'_>| -> PyResult<()> {
        exception.value(py).setattr("problem", problem)?;
        exception.value(py).setattr("hint", hint)
    };
    match Python::attach(set) {
        Ok(()) => exception,
        Err(other) => other,
    }
}

/// `ValueError` for a size or a pattern that is none: the caller's to mend.
pub fn value(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// `EncodeError` for a Python string that has no UTF-8 form.
pub fn surrogate(py: Python<'_>, error: &PyErr) -> PyErr {
    let value = error.value(py);
    let found = || -> PyResult<(usize, u32, u32)> {
        let at: usize = value.getattr("start")?.extract()?;
        let text = value.getattr("object")?;
        let code = |at: usize| -> PyResult<u32> {
            let bytes = text.get_item(at)?.call_method1("encode", ("utf-32-le", "surrogatepass"))?;
            Ok(u32::from_le_bytes(bytes.extract()?))
        };
        Ok((at, code(at)?, code(at + 1).unwrap_or_default()))
    };
    match found() {
        Ok((at, 0xd800..=0xdbff, 0xdc00..=0xdfff)) => not_encoded(format!(
            "the text has two surrogates at character {at}, which together are one character; join them to that character, as decoding UTF-16 does"
        )),
        Ok((at, code, _)) => not_encoded(format!(
            "the text has the lone surrogate U+{code:04X} at character {at}, which is half a character and has no bytes; remove it or put U+FFFD in its place"
        )),
        Err(_) => not_encoded(format!("the text cannot be read as UTF-8: {error}")),
    }
}
