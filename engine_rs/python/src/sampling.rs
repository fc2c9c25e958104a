//! `Tokenizer.n_best`, `sample` and `dropout`: other segmentations of a text.

use numpy::IntoPyArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use token_inspect::sampling;

use crate::calls;
use crate::convert::{Ids, utf8};
use crate::errors;
use crate::options::{Seed, specials};
use crate::tokenizer::Tokenizer;

/// How many ways there may be: their number times their length is memory.
const MAX_COUNT: usize = 10_000;

/// Errors: a dropout that is no probability.
pub fn check_dropout(dropout: f32) -> PyResult<f32> {
    if (0.0..=1.0).contains(&dropout) {
        return Ok(dropout);
    }
    Err(PyValueError::new_err(format!("dropout is {dropout}, must be a probability: 0 to 1")))
}

#[pymethods]
impl Tokenizer {
    #[getter]
    fn dropout(&self) -> Option<f32> {
        sampling::dropout(&self.inner)
    }

    #[pyo3(signature = (text, n, *, specials = "text"))]
    fn n_best<'py>(&self, text: &Bound<'py, PyString>, n: usize, specials: &str) -> PyResult<Vec<(Ids<'py>, f64)>> {
        let (py, specials) = (text.py(), self::specials(specials)?);
        if n > MAX_COUNT {
            return Err(PyValueError::new_err(format!("n is {n}, must be at most {MAX_COUNT}")));
        }
        let text = utf8(text)?;
        let best = calls::run(py, calls::LONG, || sampling::n_best(&self.inner, text, specials, n))?
            .map_err(errors::encode)?;
        Ok(best.into_iter().map(|one| (one.ids.into_pyarray(py), one.score)).collect())
    }

    #[pyo3(signature = (text, *, temperature = None, alpha = None, seed = Seed(0), specials = "text"))]
    fn sample<'py>(
        &self,
        text: &Bound<'py, PyString>,
        temperature: Option<f64>,
        alpha: Option<f64>,
        seed: Seed,
        specials: &str,
    ) -> PyResult<Ids<'py>> {
        let (py, specials) = (text.py(), self::specials(specials)?);
        let temperature = match (temperature, alpha) {
            (Some(_), Some(_)) => {
                return Err(PyValueError::new_err(
                    "temperature and alpha are one choice, alpha is 1 / temperature; give one",
                ));
            }
            (Some(temperature), None) if temperature >= 0.0 && temperature.is_finite() => temperature,
            (None, Some(alpha)) if alpha > 0.0 && alpha.is_finite() => 1.0 / alpha,
            (None, None) => 1.0,
            (Some(value), None) => {
                return Err(PyValueError::new_err(format!("temperature is {value}, must be 0 or more")));
            }
            (None, Some(value)) => {
                return Err(PyValueError::new_err(format!("alpha is {value}, must be more than 0")));
            }
        };
        let text = utf8(text)?;
        let ids = calls::run(py, text.len(), || sampling::sample(&self.inner, text, specials, temperature, seed.0))?
            .map_err(errors::encode)?;
        Ok(ids.into_pyarray(py))
    }
}
