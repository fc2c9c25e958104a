//! `WordCounter`: counts the words of texts. Every call that takes time lets other Python threads run.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyString};
use token_train::{ChunkEnds, Estimate, Options, TrainError, WordCounts};

use crate::calls;
use crate::convert::{Items, bytes_of, utf8};
use crate::errors;
use crate::train::{self, locked};

/// Word counts of a corpus. Threads may share it: they count one after the other.
#[pyclass(module = "lab_app.engine", frozen)]
pub struct WordCounter {
    options: Options,
    inner: Mutex<token_train::WordCounter>,
    /// Made when first asked for.
    ends: OnceLock<ChunkEnds>,
}

impl WordCounter {
    fn with(options: Options, inner: token_train::WordCounter) -> Self {
        Self { options, inner: Mutex::new(inner), ends: OnceLock::new() }
    }

    fn ends(&self) -> Result<&ChunkEnds, TrainError> {
        match self.ends.get() {
            Some(ends) => Ok(ends),
            None => {
                let ends = ChunkEnds::new(&self.options)?;
                Ok(self.ends.get_or_init(|| ends))
            }
        }
    }

    /// What `read` makes of the counter, while other Python threads run.
    fn read<T: Send>(&self, py: Python<'_>, read: impl FnOnce(&mut token_train::WordCounter) -> T + Send) -> T {
        py.detach(|| read(&mut locked(&self.inner)))
    }

    /// The counts so far, for a training with these options.
    pub(crate) fn counts_for(&self, py: Python<'_>, options: &Options) -> PyResult<WordCounts> {
        py.detach(|| self.counts_until(options, &AtomicBool::new(false))).map_err(errors::train)
    }

    /// The same, until `stop` is set.
    pub(crate) fn counts_until(&self, options: &Options, stop: &AtomicBool) -> Result<WordCounts, TrainError> {
        let mut counter = locked(&self.inner);
        counter.check(options)?;
        counter.counts_until(stop)
    }
}

#[pymethods]
impl WordCounter {
    #[new]
    fn new(py: Python<'_>, options: &str) -> PyResult<Self> {
        let options = train::options(options)?;
        let inner = py.detach(|| token_train::WordCounter::new(&options)).map_err(errors::train)?;
        Ok(Self::with(options, inner))
    }

    #[pyo3(signature = (texts, threads = 1))]
    fn add(&self, py: Python<'_>, texts: Items<Bound<'_, PyString>>, threads: usize) -> PyResult<()> {
        let texts = texts.iter().map(utf8).collect::<PyResult<Vec<&str>>>()?;
        let bytes = texts.iter().map(|text| text.len()).sum();
        calls::run(py, bytes, || locked(&self.inner).add_many(&texts, threads))?.map_err(errors::train)
    }

    #[pyo3(signature = (data, invalid = "replace"))]
    fn add_bytes(&self, data: &Bound<'_, PyAny>, invalid: &str) -> PyResult<u64> {
        let skips = match invalid {
            "replace" => false,
            "skip" => true,
            _ => return Err(PyValueError::new_err(format!("invalid is {invalid:?}, must be replace or skip"))),
        };
        let (py, data) = (data.py(), bytes_of(data)?);
        let data: &[u8] = &data;
        calls::run(py, data.len(), || locked(&self.inner).add_bytes(data, skips))?.map_err(errors::train)
    }

    fn merge(&self, py: Python<'_>, other: &Self) -> PyResult<()> {
        if std::ptr::eq(self, other) {
            return Err(PyValueError::new_err("a counter cannot be merged into itself; copy it with to_bytes first"));
        }
        py.detach(|| {
            // Always locked in the same order: two threads that merge two counters into each other would wait for ever.
            let is_first = std::ptr::from_ref(self) < std::ptr::from_ref(other);
            let (first, second) = if is_first { (self, other) } else { (other, self) };
            let (mut first, mut second) = (locked(&first.inner), locked(&second.inner));
            if is_first { first.merge(&mut second) } else { second.merge(&mut first) }
        })
        .map_err(errors::train)
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.read(py, token_train::WordCounter::to_bytes).map_err(errors::train)?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, options: &str, data: PyBackedBytes) -> PyResult<Self> {
        let options = train::options(options)?;
        let data: &[u8] = &data;
        let inner = py.detach(|| token_train::WordCounter::from_bytes(&options, data)).map_err(errors::train)?;
        Ok(Self::with(options, inner))
    }

    #[getter]
    fn counts_characters(&self, py: Python<'_>) -> bool {
        self.read(py, |counter| counter.counts_characters())
    }

    #[getter]
    fn bytes(&self, py: Python<'_>) -> u64 {
        self.read(py, |counter| counter.bytes())
    }

    #[getter]
    fn words(&self, py: Python<'_>) -> u64 {
        self.read(py, token_train::WordCounter::words)
    }

    #[getter]
    fn split_words(&self, py: Python<'_>) -> u64 {
        self.read(py, |counter| counter.split_words())
    }

    #[getter]
    fn unique(&self, py: Python<'_>) -> usize {
        self.read(py, token_train::WordCounter::unique)
    }

    fn most_common<'py>(&self, py: Python<'py>, limit: usize) -> PyResult<Vec<(Bound<'py, PyBytes>, u64)>> {
        let counts = self.read(py, token_train::WordCounter::counts).map_err(errors::train)?;
        Ok(counts.iter().take(limit).map(|(word, count)| (PyBytes::new(py, word), count)).collect())
    }

    #[pyo3(signature = (growth = 1.0))]
    fn estimate<'py>(&self, py: Python<'py>, growth: f64) -> PyResult<Bound<'py, PyDict>> {
        let counts = self.read(py, token_train::WordCounter::counts).map_err(errors::train)?;
        let estimate = py.detach(|| Estimate::new(&self.options, &counts, growth));
        let dict = PyDict::new(py);
        dict.set_item("memory_bytes", estimate.memory_bytes)?;
        dict.set_item("steps", estimate.steps)?;
        Ok(dict)
    }

    fn safe_chunk_end(&self, data: &Bound<'_, PyAny>, at: usize) -> PyResult<Option<usize>> {
        let (py, data) = (data.py(), bytes_of(data)?);
        let data: &[u8] = &data;
        py.detach(|| self.ends().map(|ends| ends.last(data, at))).map_err(errors::train)
    }

    #[getter]
    fn each_line_is_a_text(&self, py: Python<'_>) -> PyResult<bool> {
        py.detach(|| self.ends().map(ChunkEnds::each_line_is_a_text)).map_err(errors::train)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (bytes, words, unique) = self.read(py, |counter| (counter.bytes(), counter.words(), counter.unique()));
        format!("WordCounter({bytes} bytes, {words} words, {unique} unique)")
    }
}
