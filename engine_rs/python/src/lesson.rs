//! `Lesson`: the steps of an algorithm on a text, and `Tokenizer.lesson`.

use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use token_inspect::lesson::{self, LessonError, Name, Options};

use crate::calls;
use crate::convert::utf8;
use crate::errors;
use crate::options::{Seed, specials};
use crate::tokenizer::Tokenizer;

/// The steps of an algorithm on a text.
#[pyclass(module = "lab_app.engine", frozen)]
pub struct Lesson {
    inner: lesson::Lesson,
}

#[pymethods]
impl Lesson {
    /// What is known before the first step, as JSON text.
    #[getter]
    fn facts(&self) -> PyResult<String> {
        serde_json::to_string(&self.inner.facts).map_err(|error| errors::EngineError::new_err(error.to_string()))
    }

    /// The frames: JSON objects, one after the other without anything between them.
    #[getter]
    fn frames<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.inner.frames.json)
    }

    /// Where each frame ends, in bytes.
    #[getter]
    fn ends<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        PyArray1::from_slice(py, &self.inner.frames.ends)
    }

    fn __len__(&self) -> usize {
        self.inner.frames.ends.len()
    }

    fn __repr__(&self) -> String {
        format!("Lesson({} frames)", self.inner.frames.ends.len())
    }
}

#[pymethods]
impl Tokenizer {
    #[pyo3(signature = (name, text, *, specials = "parse", learn = 30, seed = Seed(0), add_special_tokens = true))]
    fn lesson(
        &self,
        name: &str,
        text: &Bound<'_, PyString>,
        specials: &str,
        learn: usize,
        seed: Seed,
        add_special_tokens: bool,
    ) -> PyResult<Lesson> {
        let py = text.py();
        let options = Options { specials: self::specials(specials)?, learn, seed: seed.0, add_special_tokens };
        let name = Name::by_name(name).ok_or_else(|| {
            let known = Name::ALL.map(|(_, name, _)| name).join(", ");
            PyValueError::new_err(format!("lesson is {name:?}, must be one of {known}"))
        })?;
        let text = utf8(text)?;
        let made = calls::run(py, calls::LONG, || lesson::of_text(&self.inner, name, text, options))?;
        let inner = made.map_err(|error| match error {
            LessonError::Encode(error) => errors::encode(error),
            other => errors::not_encoded(other.to_string()),
        })?;
        Ok(Lesson { inner })
    }
}
