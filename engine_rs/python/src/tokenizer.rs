//! `Tokenizer`: loads and writes files, decodes. Every call that takes time lets other Python threads run.
//! Not here: encoding (`encode`).

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{IntoPyDict, PyBytes, PyDict, PyString, PyTuple};
use token_engine::formats::coverage::Coverage;
use token_engine::formats::published::Published;
use token_engine::formats::{detect, patterns, save, state};
use token_engine::models::bpe::merges::Merges;
use token_engine::pretokenizers::Pretokenizer;
use token_engine::{Definition, LoadError, LoadOptions, PadTo, Side, Strategy};
use token_inspect::vocabulary::merges;
use token_inspect::{describe, trace};

use crate::calls;
use crate::convert::{Items, ids_of, utf8};
use crate::int_table::IntTable;
use crate::{builtin, errors};

/// A tokenizer, ready to encode and decode. Threads may share it.
#[pyclass(module = "lab_app.engine", frozen)]
pub struct Tokenizer {
    pub(crate) inner: token_engine::Tokenizer,
    /// What it was built from, for files.
    pub(crate) definition: Definition,
    /// Its name, of a built-in one.
    builtin: Option<String>,
    pub(crate) ints: IntTable,
}

fn pattern(text: &str) -> PyResult<Pretokenizer> {
    patterns::read(text).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// A GGUF file with the vocabulary of another one and no tensors, as bytes; `None` if `path` is no GGUF.
#[pyfunction]
pub(crate) fn gguf_without_tensors(py: Python<'_>, path: PathBuf) -> PyResult<Option<Bound<'_, PyBytes>>> {
    let bytes = py.detach(|| detect::gguf_without_tensors(&path)).map_err(|error| errors::load(py, error))?;
    Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
}

/// The chat templates in a GGUF file and the tokens that they ask for, both by name; `None` if `path` is no GGUF.
#[pyfunction]
pub(crate) fn gguf_chat(py: Python<'_>, path: PathBuf) -> PyResult<Option<(ByName, ByName)>> {
    let chat = py.detach(|| detect::gguf_chat(&path)).map_err(|error| errors::load(py, error))?;
    Ok(chat.map(|chat| (chat.templates.into_iter().collect(), chat.tokens.into_iter().collect())))
}

/// Texts by their names.
type ByName = std::collections::BTreeMap<String, String>;

/// Name, pattern and special tokens of the published rank file with that sha256 (lower-case hexadecimal digits).
#[pyfunction]
pub(crate) fn published_rank_file<'py>(
    py: Python<'py>,
    sha256: &str,
) -> PyResult<Option<(&'static str, &'static str, Bound<'py, PyDict>)>> {
    let Some(published) = Published::by_sha256(sha256) else { return Ok(None) };
    Ok(Some((published.name, published.pattern, published.special_tokens().into_py_dict(py)?)))
}

/// Says by a `ValueError` what is wrong with a name of a pattern or a regular expression.
#[pyfunction]
pub(crate) fn check_pattern(text: &str) -> PyResult<()> {
    pattern(text).map(|_| ())
}

fn direction(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

impl Tokenizer {
    pub(crate) fn build(
        py: Python<'_>,
        load: impl FnOnce() -> Result<(Definition, String), LoadError> + Send,
    ) -> PyResult<Self> {
        py.detach(|| {
            let (definition, name) = load()?;
            Ok(Self { inner: definition.clone().build(&name)?, definition, builtin: None, ints: IntTable::default() })
        })
        .map_err(|error| errors::load(py, error))
    }

    pub(crate) fn known(&self, id: u32) -> PyResult<Cow<'_, [u8]>> {
        self.inner.token_bytes(id).ok_or_else(|| self.unknown(id))
    }

    fn unknown(&self, id: u32) -> PyErr {
        errors::not_decoded(format!(
            "no token has id {id}; the ids of this vocabulary are below {}",
            self.inner.vocab().id_bound()
        ))
    }
}

/// The id of the special token `text`. Errors: ValueError for an integer that is not an id.
fn id_of(text: &Bound<'_, PyAny>, id: &Bound<'_, PyAny>) -> PyResult<u32> {
    id.extract().map_err(|error: PyErr| {
        let is_number = error.is_instance_of::<PyOverflowError>(id.py());
        let wrong =
            || PyValueError::new_err(format!("the special token {text} has the id {id}; ids are 0 to 2^32 - 1"));
        if is_number { wrong() } else { error }
    })
}

#[pymethods]
impl Tokenizer {
    #[staticmethod]
    #[pyo3(signature = (path, *, pattern = None, special_tokens = None))]
    fn from_file(
        py: Python<'_>,
        path: PathBuf,
        pattern: Option<&str>,
        special_tokens: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let pattern = pattern.map(self::pattern).transpose()?;
        let special_tokens = special_tokens
            .map(|tokens| {
                tokens.iter().map(|(text, id)| Ok((text.extract()?, id_of(&text, &id)?))).collect::<PyResult<_>>()
            })
            .transpose()?;
        let options = LoadOptions { pattern, special_tokens };
        Self::build(py, || detect::load_definition(&path, &options))
    }

    #[staticmethod]
    fn builtin(py: Python<'_>, name: &str) -> PyResult<Self> {
        let (inner, definition) = py.detach(|| builtin::load(name)).map_err(|error| errors::load(py, error))?;
        Ok(Self { inner, definition, builtin: Some(name.to_owned()), ints: IntTable::default() })
    }

    /// The tokenizer that `__reduce__` wrote.
    #[staticmethod]
    fn _from_state(py: Python<'_>, state: PyBackedBytes) -> PyResult<Self> {
        Self::build(py, || Ok((state::read(&state)?, "the state of a tokenizer".to_owned())))
    }

    /// For `pickle`: a built-in tokenizer is its name, any other its definition.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let class = py.get_type::<Self>();
        if let Some(name) = &self.builtin {
            return Ok((class.getattr("builtin")?, PyTuple::new(py, [name])?));
        }
        Ok((class.getattr("_from_state")?, PyTuple::new(py, [self.state(py)])?))
    }

    /// For `copy`: a tokenizer never changes.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (path, format = "tokenizer.json"))]
    fn to_file(&self, py: Python<'_>, path: PathBuf, format: &str) -> PyResult<()> {
        let files = py.detach(|| save::save(&self.definition, format)).ok_or_else(|| {
            PyValueError::new_err(format!("format is {format:?}, must be one of {}", save::NAMES.join(", ")))
        })?;
        let files = files.map_err(errors::save)?;
        Ok(py.detach(|| files.write(&path))?)
    }

    #[pyo3(signature = (ids, *, skip_special_tokens = true))]
    fn decode(&self, ids: &Bound<'_, PyAny>, skip_special_tokens: bool) -> PyResult<String> {
        let (py, ids) = (ids.py(), ids_of(ids)?);
        calls::run(py, ids.len(), || self.inner.decode(&ids, skip_special_tokens))?.map_err(errors::decode)
    }

    #[pyo3(signature = (ids, *, skip_special_tokens = true))]
    fn decode_bytes<'py>(&self, ids: &Bound<'py, PyAny>, skip_special_tokens: bool) -> PyResult<Bound<'py, PyBytes>> {
        let (py, ids) = (ids.py(), ids_of(ids)?);
        let decode = || self.inner.decode_bytes(&ids, skip_special_tokens);
        let bytes = calls::run(py, ids.len(), decode)?.map_err(errors::decode)?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[pyo3(signature = (batch, *, skip_special_tokens = true))]
    fn decode_batch(
        &self,
        py: Python<'_>,
        batch: Items<Bound<'_, PyAny>>,
        skip_special_tokens: bool,
    ) -> PyResult<Vec<String>> {
        let batch = batch.iter().map(ids_of).collect::<PyResult<Vec<_>>>()?;
        let decode = || batch.iter().map(|ids| self.inner.decode(ids, skip_special_tokens)).collect::<Result<_, _>>();
        calls::run(py, batch.iter().map(Vec::len).sum(), decode)?.map_err(errors::decode)
    }

    #[getter]
    fn vocab_size(&self) -> usize {
        self.inner.vocab().id_bound()
    }

    #[getter]
    fn base_vocab_size(&self) -> usize {
        self.inner.base_vocab_size()
    }

    #[getter]
    fn special_tokens<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tokens = PyDict::new(py);
        for token in self.inner.added_tokens().iter().filter(|token| token.special) {
            tokens.set_item(&token.content, token.id)?;
        }
        Ok(tokens)
    }

    #[getter]
    fn unknown_id(&self) -> Option<u32> {
        self.inner.unknown_id()
    }

    #[getter]
    fn lossy(&self) -> Option<&'static str> {
        describe::lossy(&self.inner)
    }

    #[getter]
    fn changing_stages(&self) -> Vec<&'static str> {
        trace::changing_stages(&self.inner)
    }

    /// The `truncation` of the file, as `tokenizers` names its parts.
    #[getter]
    fn truncation<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(own) = self.definition.truncation else { return Ok(None) };
        let dict = PyDict::new(py);
        let strategy = Strategy::NAMES.iter().find(|(_, strategy)| *strategy == own.strategy).map(|(name, _)| *name);
        dict.set_item("max_length", own.max_length)?;
        dict.set_item("stride", own.stride)?;
        dict.set_item("strategy", strategy)?;
        dict.set_item("direction", direction(own.side))?;
        Ok(Some(dict))
    }

    /// The `padding` of the file, likewise.
    #[getter]
    fn padding<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(own) = &self.definition.padding else { return Ok(None) };
        let dict = PyDict::new(py);
        let length = if let PadTo::Length(length) = own.to { Some(length) } else { None };
        dict.set_item("length", length)?;
        dict.set_item("pad_to_multiple_of", own.multiple_of)?;
        dict.set_item("pad_id", own.id)?;
        dict.set_item("pad_type_id", own.type_id)?;
        dict.set_item("pad_token", &own.token)?;
        dict.set_item("direction", direction(own.side))?;
        Ok(Some(dict))
    }

    /// What to know of how the file was read.
    #[getter]
    fn note(&self) -> Option<&str> {
        self.definition.note.as_deref()
    }

    /// Fields of the file that have no effect: place and value.
    #[getter]
    fn ignored_fields(&self) -> Vec<(&str, &str)> {
        self.definition.ignored_fields.iter().map(|field| (field.place.as_str(), field.value.as_str())).collect()
    }

    #[getter]
    fn runs_regex(&self) -> bool {
        self.definition.runs_regex()
    }

    #[getter]
    fn stages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let stages = describe::describe(&self.inner);
        let dict = PyDict::new(py);
        for (name, words) in [
            ("normalizer", stages.normalizer),
            ("pretokenizer", stages.pretokenizer),
            ("model", stages.model),
            ("postprocessor", stages.postprocessor),
            ("decoder", stages.decoder),
        ] {
            dict.set_item(name, words)?;
        }
        Ok(dict)
    }

    fn token_bytes<'py>(&self, py: Python<'py>, id: u32) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.known(id)?))
    }

    fn token_text(&self, id: u32) -> PyResult<Option<String>> {
        Ok(String::from_utf8(self.known(id)?.into_owned()).ok())
    }

    fn id_to_token(&self, id: u32) -> PyResult<Cow<'_, str>> {
        self.inner.id_to_token(id).ok_or_else(|| self.unknown(id))
    }

    fn token_to_id(&self, token: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
        if let Ok(bytes) = token.cast::<PyBytes>() {
            return Ok(self.inner.id_of(bytes.as_bytes()));
        }
        Ok(self.inner.token_to_id(utf8(token.cast::<PyString>()?)?))
    }

    fn rank(&self, id: u32) -> PyResult<Option<u32>> {
        self.known(id)?;
        Ok(self.inner.rank(id))
    }

    #[getter]
    fn merge_count(&self) -> Option<usize> {
        merges(&self.inner).map(Merges::len)
    }

    fn score(&self, id: u32) -> PyResult<Option<f64>> {
        self.known(id)?;
        Ok(self.inner.score(id))
    }

    #[getter]
    fn truncated_sizes(&self) -> Option<(usize, usize)> {
        self.definition.truncated_sizes().ok().map(RangeInclusive::into_inner)
    }

    #[pyo3(signature = (vocab_size, *, text = None))]
    fn truncated(&self, py: Python<'_>, vocab_size: usize, text: Option<&Bound<'_, PyString>>) -> PyResult<Self> {
        let text = text.map(utf8).transpose()?;
        let truncate = || match text {
            Some(text) => self.definition.truncated_for(vocab_size, text),
            None => self.definition.truncated(vocab_size),
        };
        let definition = py.detach(truncate).map_err(errors::value)?;
        Self::build(py, || Ok((definition, "the truncated vocabulary".to_owned())))
    }

    /// With the tokens of texts of these characters alone; None for a `.model` of SentencePiece.
    fn covering(&self, py: Python<'_>, characters: &Bound<'_, PyString>) -> PyResult<Option<Self>> {
        let characters = utf8(characters)?;
        let shrink = || Ok(Coverage::of(&self.inner, characters)?.shrink(&self.definition));
        let shrunk = calls::run(py, calls::LONG, shrink)?.map_err(errors::encode)?;
        shrunk.map(|definition| Self::build(py, || Ok((definition, "the shrunk vocabulary".to_owned())))).transpose()
    }

    /// What `_from_state` reads.
    fn state<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| state::write(&self.definition)))
    }

    fn vocab<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let vocab = PyDict::new(py);
        for (id, _) in self.inner.vocab().iter() {
            let bytes = self.known(id)?;
            // Of tokens that stand for the same bytes the one that these bytes find.
            vocab.set_item(PyBytes::new(py, &bytes), self.inner.id_of(&bytes).unwrap_or(id))?;
        }
        Ok(vocab)
    }

    fn __len__(&self) -> usize {
        self.inner.vocab().len()
    }

    fn __repr__(&self) -> String {
        format!("Tokenizer({}, vocab_size={})", self.inner.model_name(), self.vocab_size())
    }
}
