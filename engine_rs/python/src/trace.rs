//! `Trace`: what every stage did with a text, and `Tokenizer.trace`.

use pyo3::prelude::*;
use pyo3::types::PyString;

use token_inspect::trace;

use crate::calls;
use crate::convert::utf8;
use crate::errors;
use crate::options::specials;
use crate::tokenizer::Tokenizer;

/// What every stage did with a text.
#[pyclass(module = "lab_app.engine", frozen)]
pub struct Trace {
    json: String,
}

#[pymethods]
impl Trace {
    /// As JSON text.
    fn to_json(&self) -> &str {
        &self.json
    }

    /// As dicts and lists.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (&self.json,))
    }

    fn __repr__(&self) -> String {
        format!("Trace({} bytes of JSON)", self.json.len())
    }
}

#[pymethods]
impl Tokenizer {
    #[pyo3(signature = (text, *, add_special_tokens = true, specials = "parse"))]
    fn trace(&self, text: &Bound<'_, PyString>, add_special_tokens: bool, specials: &str) -> PyResult<Trace> {
        let (py, specials) = (text.py(), self::specials(specials)?);
        let text = utf8(text)?;
        let json = calls::run(py, calls::LONG, || {
            let trace = trace::trace(&self.inner, text, specials, add_special_tokens).map_err(errors::encode)?;
            serde_json::to_string(&trace).map_err(|error| errors::EngineError::new_err(error.to_string()))
        })??;
        Ok(Trace { json })
    }

    /// What the stages before the model put in, change and drop: start and end in bytes, and what stands there.
    #[pyo3(signature = (text, *, specials = "parse"))]
    fn changes(&self, text: &Bound<'_, PyString>, specials: &str) -> PyResult<Vec<(u32, u32, String)>> {
        let (py, specials) = (text.py(), self::specials(specials)?);
        let text = utf8(text)?;
        let changes =
            calls::run(py, text.len(), || trace::changes(&self.inner, text, specials))?.map_err(errors::encode)?;
        Ok(changes.into_iter().map(|change| (change.span[0], change.span[1], change.text)).collect())
    }
}
