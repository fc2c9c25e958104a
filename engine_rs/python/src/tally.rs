//! Documents in one buffer: `Tally` counts over them; their IDs, and the concordance.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};
use token_engine::{EncodeError, RaggedIds};
use token_inspect::corpus::concordance::{self, Place, Segmentation};
use token_inspect::corpus::documents::Documents;
use token_inspect::corpus::errors::CorpusError;
use token_inspect::corpus::measures::{Measure, Measures, Sum, TextSum};
use token_inspect::corpus::tally::{self, DocumentCounts};

use crate::calls;
use crate::convert::{Ids, Items, bytes_of};
use crate::errors;
use crate::options;
use crate::tokenizer::Tokenizer;

/// `EncodeError` for a text that cannot be counted, `ValueError` for arguments that do not fit.
fn error(error: CorpusError) -> PyErr {
    match error {
        CorpusError::Document { error: error @ EncodeError::Cancelled(_), .. } => errors::encode(error),
        CorpusError::NotUtf8 { .. } | CorpusError::Document { .. } => errors::not_encoded(error.to_string()),
        _ => errors::value(error),
    }
}

/// The arrays of documents in a text, which Python keeps alive.
struct Given<'py> {
    text: PyBackedBytes,
    ends: PyReadonlyArray1<'py, u64>,
    groups: Option<PyReadonlyArray1<'py, u16>>,
}

impl<'py> Given<'py> {
    fn read(text: &Bound<'py, PyAny>, ends: &Bound<'py, PyAny>, groups: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        Ok(Self {
            text: bytes_of(text)?,
            ends: array(ends, "ends", "uint64")?,
            groups: groups
                .filter(|groups| !groups.is_none())
                .map(|groups| array(groups, "groups", "uint16"))
                .transpose()?,
        })
    }

    /// Arrays with gaps are copied.
    fn slices(&self) -> (Vec<u64>, Option<Vec<u16>>) {
        (self.ends.as_array().to_vec(), self.groups.as_ref().map(|groups| groups.as_array().to_vec()))
    }
}

fn array<'py, T: numpy::Element>(
    given: &Bound<'py, PyAny>,
    name: &str,
    kind: &str,
) -> PyResult<PyReadonlyArray1<'py, T>> {
    let wrong = |_| PyTypeError::new_err(format!("{name} is no array of {kind} with one dimension; make it one"));
    given.cast::<PyArray1<T>>().map_err(wrong).map(PyArrayMethods::readonly)
}

/// Counts over documents, for several tokenizers. Threads may share it: they count at once, and add to it in turns.
#[pyclass(module = "lab_app.engine", frozen)]
pub struct Tally {
    inner: Mutex<tally::Tally>,
    tokenizers: Vec<Py<Tokenizer>>,
}

impl Tally {
    fn locked(&self) -> MutexGuard<'_, tally::Tally> {
        // A call that panicked merged nothing.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What `read` makes of the tally, while other Python threads run.
    fn read<T: Send>(&self, py: Python<'_>, read: impl FnOnce(&tally::Tally) -> T + Send) -> T {
        py.detach(|| read(&self.locked()))
    }

    fn check(&self, tokenizer: usize) -> PyResult<()> {
        if tokenizer < self.tokenizers.len() {
            return Ok(());
        }
        let count = self.tokenizers.len();
        Err(PyIndexError::new_err(format!("tokenizer is {tokenizer}, but the tally has {count}, numbered from 0")))
    }
}

fn engines(tokenizers: &[Py<Tokenizer>]) -> Vec<&token_engine::Tokenizer> {
    tokenizers.iter().map(|tokenizer| &tokenizer.get().inner).collect()
}

#[pymethods]
impl Tally {
    #[new]
    #[pyo3(signature = (tokenizers, *, groups = 1, measures = None))]
    fn new(
        py: Python<'_>,
        tokenizers: Items<Py<Tokenizer>>,
        groups: i64,
        measures: Option<Items<String>>,
    ) -> PyResult<Self> {
        if !(1..=1 << 16).contains(&groups) {
            return Err(PyValueError::new_err(format!("groups is {groups}, must be 1 to 65536")));
        }
        let measures = match &measures {
            Some(Items(names)) => Measures::named(names.iter().map(String::as_str)).map_err(errors::value)?,
            None => Measures::ALL,
        };
        let inner = py.detach(|| tally::Tally::new(&engines(&tokenizers), groups as usize, measures));
        Ok(Self { inner: Mutex::new(inner), tokenizers: tokenizers.0 })
    }

    #[pyo3(signature = (text, ends, groups = None, *, threads = 1, per_document = false))]
    fn add<'py>(
        &self,
        py: Python<'py>,
        text: &Bound<'py, PyAny>,
        ends: &Bound<'py, PyAny>,
        groups: Option<&Bound<'py, PyAny>>,
        threads: usize,
        per_document: bool,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let given = Given::read(text, ends, groups)?;
        let (ends, groups) = given.slices();
        let text: &[u8] = &given.text;
        let (rows, measures) = calls::run(py, text.len(), || {
            let (counter, group_count, measures) = {
                let mut tally = self.locked();
                (tally.counter(threads), tally.groups(), tally.measures())
            };
            // Other threads count into the same tally meanwhile.
            let documents = Documents::new(text, &ends, groups.as_deref(), group_count)?;
            let counted = counter.count(&engines(&self.tokenizers), &documents, threads);
            Ok((self.locked().take(counted)?, measures))
        })?
        .map_err(error)?;
        per_document.then(|| rows_as_dict(py, rows, measures, [self.tokenizers.len(), ends.len()])).transpose()
    }

    fn merge(&self, py: Python<'_>, other: &Self) -> PyResult<()> {
        if std::ptr::eq(self, other) {
            return Err(PyValueError::new_err("a tally cannot be merged into itself; copy it with to_bytes first"));
        }
        // Copied first: two threads that merge two tallies into each other would wait for ever.
        let merged = py.detach(|| {
            let other = other.locked().snapshot();
            self.locked().merge(&other)
        });
        merged.map_err(error)
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.read(py, tally::Tally::to_bytes))
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, tokenizers: Items<Py<Tokenizer>>, data: PyBackedBytes) -> PyResult<Self> {
        let inner = py.detach(|| tally::Tally::from_bytes(&engines(&tokenizers), &data)).map_err(error)?;
        Ok(Self { inner: Mutex::new(inner), tokenizers: tokenizers.0 })
    }

    #[getter]
    fn documents(&self, py: Python<'_>) -> u64 {
        self.read(py, |tally| (0..tally.groups()).map(|group| tally.text_sum(group, TextSum::Documents)).sum())
    }

    #[getter]
    fn text_bytes(&self, py: Python<'_>) -> u64 {
        self.read(py, |tally| (0..tally.groups()).map(|group| tally.text_sum(group, TextSum::Bytes)).sum())
    }

    #[getter]
    fn groups(&self, py: Python<'_>) -> usize {
        self.read(py, tally::Tally::groups)
    }

    #[getter]
    fn measures(&self, py: Python<'_>) -> Vec<&'static str> {
        self.read(py, |tally| tally.measures().names().collect())
    }

    fn text_sums<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let sums = PyDict::new(py);
        let has = self.read(py, tally::Tally::measures);
        for &sum in TextSum::ALL.iter().filter(|sum| has.has(sum.measure())) {
            let by_group = self.read(py, |tally| (0..tally.groups()).map(|group| tally.text_sum(group, sum)).collect());
            let by_group: Vec<u64> = by_group;
            sums.set_item(sum.key(), by_group.into_pyarray(py))?;
        }
        Ok(sums)
    }

    fn sums<'py>(&self, py: Python<'py>, tokenizer: usize) -> PyResult<Bound<'py, PyDict>> {
        self.check(tokenizer)?;
        let sums = PyDict::new(py);
        let has = self.read(py, tally::Tally::measures);
        for &sum in Sum::ALL.iter().filter(|sum| has.has(sum.measure())) {
            let by_group: Vec<u64> =
                self.read(py, |tally| (0..tally.groups()).map(|group| tally.sum(tokenizer, group, sum)).collect());
            sums.set_item(sum.key(), by_group.into_pyarray(py))?;
        }
        Ok(sums)
    }

    fn counts<'py>(&self, py: Python<'py>, tokenizer: usize) -> PyResult<Bound<'py, PyArray1<u64>>> {
        self.check(tokenizer)?;
        Ok(self.read(py, |tally| tally.ids(tokenizer).to_vec()).into_pyarray(py))
    }

    #[allow(clippy::type_complexity, reason = "two arrays")]
    fn lengths<'py>(
        &self,
        py: Python<'py>,
        tokenizer: usize,
    ) -> PyResult<(Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u64>>)> {
        self.check(tokenizer)?;
        let (lengths, documents): (Vec<u32>, Vec<u64>) =
            self.read(py, |tally| tally.lengths(tokenizer).into_iter().unzip());
        Ok((lengths.into_pyarray(py), documents.into_pyarray(py)))
    }

    fn boundary_pairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let count = self.tokenizers.len();
        let (has, pairs) = self.read(py, |tally| {
            let pairs = (0..count * count).map(|at| tally.pair(at / count, at % count));
            (tally.measures(), pairs.collect::<Vec<_>>())
        });
        if !has.has(Measure::Agreement) {
            return Err(PyValueError::new_err("the tally does not measure agreement; make it with that measure"));
        }
        let (shared, either): (Vec<u64>, Vec<u64>) = pairs.into_iter().unzip();
        let dict = PyDict::new(py);
        dict.set_item("shared", shared.into_pyarray(py).reshape([count, count])?)?;
        dict.set_item("either", either.into_pyarray(py).reshape([count, count])?)?;
        Ok(dict)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("Tally({} tokenizers, {} documents)", self.tokenizers.len(), self.documents(py))
    }
}

fn rows_as_dict(
    py: Python<'_>,
    rows: DocumentCounts,
    measures: Measures,
    shape: [usize; 2],
) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("tokens", rows.tokens.into_pyarray(py).reshape(shape)?)?;
    if measures.has(Measure::Unknown) {
        dict.set_item("unknown_characters", rows.unknown_characters.into_pyarray(py).reshape(shape)?)?;
    }
    dict.set_item("characters", rows.characters.into_pyarray(py))?;
    Ok(dict)
}

/// The same rows with `end` after each.
fn ended(rows: &RaggedIds, end: u32) -> RaggedIds {
    let mut ids = Vec::with_capacity(rows.ids.len() + rows.row_starts.len());
    for row in rows.row_starts.windows(2) {
        ids.extend_from_slice(&rows.ids[row[0] as usize..row[1] as usize]);
        ids.push(end);
    }
    let row_starts = rows.row_starts.iter().enumerate().map(|(before, start)| start + before as u64).collect();
    RaggedIds { ids, row_starts }
}

/// Document, start and end in bytes of the document: arrays of shape (n,).
#[pyfunction]
pub fn occurrences<'py>(
    py: Python<'py>,
    tokenizer: &Tokenizer,
    text: &Bound<'py, PyAny>,
    ends: &Bound<'py, PyAny>,
    id: u32,
    limit: usize,
) -> PyResult<Columns<'py>> {
    tokenizer.known(id)?;
    let given = Given::read(text, ends, None)?;
    let (ends, _) = given.slices();
    let text: &[u8] = &given.text;
    let found = calls::run(py, text.len(), || {
        concordance::occurrences(&tokenizer.inner, &Documents::new(text, &ends, None, 1)?, id, limit)
    })?;
    Ok(columns(py, &found.map_err(error)?))
}

/// IDs of all documents, each followed by `end`, and where those of each start, and the end of all.
#[pyfunction]
#[pyo3(signature = (tokenizer, text, ends, *, end = None, threads = 0, specials = "text"))]
pub fn encode_documents<'py>(
    py: Python<'py>,
    tokenizer: &Tokenizer,
    text: &Bound<'py, PyAny>,
    ends: &Bound<'py, PyAny>,
    end: Option<u32>,
    threads: usize,
    specials: &str,
) -> PyResult<(Ids<'py>, Bound<'py, PyArray1<u64>>)> {
    let specials = options::specials(specials)?;
    let given = Given::read(text, ends, None)?;
    let (ends, _) = given.slices();
    let text: &[u8] = &given.text;
    let rows = calls::run(py, text.len(), || {
        let documents = Documents::new(text, &ends, None, 1)?;
        let texts: Vec<&str> = (0..documents.len()).map(|at| documents.text(at)).collect();
        let rows = tokenizer.inner.encode_ids_batch(&texts, specials, threads);
        Ok(rows.map(|rows| match end {
            Some(end) => ended(&rows, end),
            None => rows,
        }))
    })?;
    let rows = rows.map_err(error)?.map_err(errors::encode)?;
    Ok((rows.ids.into_pyarray(py), rows.row_starts.into_pyarray(py)))
}

/// Document, start and end in bytes of the document: arrays of shape (n,).
#[pyfunction]
pub fn word_places<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
    ends: &Bound<'py, PyAny>,
    word: PyBackedBytes,
    limit: usize,
) -> PyResult<Columns<'py>> {
    let word = utf8(&word)?;
    let given = Given::read(text, ends, None)?;
    let (ends, _) = given.slices();
    let text: &[u8] = &given.text;
    let found = py.detach(|| Ok(concordance::word_places(&Documents::new(text, &ends, None, 1)?, word, limit)));
    Ok(columns(py, &found.map_err(error)?))
}

type Columns<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u32>>);

fn columns<'py>(py: Python<'py>, places: &[Place]) -> Columns<'py> {
    let documents: Vec<u64> = places.iter().map(|place| place.document as u64).collect();
    let starts: Vec<u32> = places.iter().map(|place| place.span.start).collect();
    let ends: Vec<u32> = places.iter().map(|place| place.span.end).collect();
    (documents.into_pyarray(py), starts.into_pyarray(py), ends.into_pyarray(py))
}

fn utf8(word: &[u8]) -> PyResult<&str> {
    std::str::from_utf8(word).map_err(|_| PyValueError::new_err("word is not UTF-8; give all bytes of its characters"))
}

/// Ids, how often, document and first byte of the first.
#[pyfunction]
#[allow(clippy::type_complexity, reason = "rows of four")]
pub fn segmentations<'py>(
    py: Python<'py>,
    tokenizer: &Tokenizer,
    text: &Bound<'py, PyAny>,
    ends: &Bound<'py, PyAny>,
    word: PyBackedBytes,
    limit: usize,
) -> PyResult<Vec<(Vec<u32>, u64, usize, u32)>> {
    let word = utf8(&word)?;
    let given = Given::read(text, ends, None)?;
    let (ends, _) = given.slices();
    let text: &[u8] = &given.text;
    let ways = calls::run(py, text.len(), || {
        concordance::segmentations(&tokenizer.inner, &Documents::new(text, &ends, None, 1)?, word, limit)
    })?;
    let row = |way: Segmentation| (way.ids, way.count, way.first.document, way.first.span.start);
    Ok(ways.map_err(error)?.into_iter().map(row).collect())
}
