//! `Tokenizer`: loads files, encodes, decodes. Every call that takes time lets other Python threads run.

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBytes, PyDict, PyString};
use token_engine::error::LoadError;
use token_engine::formats::definition::Definition;
use token_engine::formats::detect::{self, Unsaid};
use token_engine::formats::{patterns, save};
use token_engine::pretokenizers::Pretokenizer;

use crate::chance::check_dropout;
use crate::encoding::Encoding;
use crate::options::{self, Options};
use crate::{builtin, errors};

/// A tokenizer, ready to encode and decode. Threads may share it.
#[pyclass(module = "lab_app.engine", frozen)]
pub struct Tokenizer {
    pub(crate) inner: token_engine::tokenizer::Tokenizer,
    /// What it was built from, for files.
    pub(crate) definition: Definition,
}

/// Shape (n,).
pub(crate) type Ids<'py> = Bound<'py, PyArray1<u32>>;

/// The string as UTF-8, which Python keeps with it.
pub(crate) fn utf8<'a>(text: &'a Bound<'_, PyString>) -> PyResult<&'a str> {
    text.to_str().map_err(|error| errors::surrogate(text.py(), &error))
}

fn pattern(text: &str) -> PyResult<Pretokenizer> {
    patterns::read(text).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Says by a `ValueError` what is wrong with a name of a pattern or a regular expression.
#[pyfunction]
pub(crate) fn check_pattern(text: &str) -> PyResult<()> {
    pattern(text).map(|_| ())
}

/// Ids from an array or any sequence of integers; numbers that are no ids are a `DecodeError`.
pub(crate) fn ids_of(ids: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    if let Ok(array) = ids.extract::<PyReadonlyArray1<'_, u32>>() {
        return Ok(array.as_array().to_vec());
    }
    let mut out = Vec::with_capacity(ids.len().unwrap_or(0));
    for (position, id) in ids.try_iter()?.enumerate() {
        let id = id?;
        match id.extract::<i64>().map(u32::try_from) {
            Ok(Ok(id)) => out.push(id),
            Ok(Err(_)) => {
                return Err(errors::DecodeError::new_err(format!(
                    "{id} at position {position} is not an id: ids are 0 to 2^32 - 1"
                )));
            }
            Err(error) if error.is_instance_of::<PyTypeError>(id.py()) => return Err(error),
            Err(_) => {
                return Err(errors::DecodeError::new_err(format!(
                    "{id} at position {position} is not an id: ids are 0 to 2^32 - 1"
                )));
            }
        }
    }
    Ok(out)
}

impl Tokenizer {
    pub(crate) fn build(
        py: Python<'_>,
        load: impl FnOnce() -> Result<(Definition, String), LoadError> + Send,
    ) -> PyResult<Self> {
        py.detach(|| {
            let (definition, name) = load()?;
            Ok(Self { inner: definition.clone().build(&name)?, definition })
        })
        .map_err(|error| errors::load(py, error))
    }

    fn known(&self, id: u32) -> PyResult<Cow<'_, [u8]>> {
        self.inner.token_bytes(id).ok_or_else(|| {
            errors::DecodeError::new_err(format!(
                "no token has id {id}: the ids of this vocabulary are below {}",
                self.inner.vocab().id_bound()
            ))
        })
    }
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
            .map(|tokens| tokens.iter().map(|(text, id)| Ok((text.extract()?, id.extract()?))).collect::<PyResult<_>>())
            .transpose()?;
        let unsaid = Unsaid { pattern, special_tokens };
        Self::build(py, || detect::load_definition(&path, &unsaid))
    }

    #[staticmethod]
    fn builtin(py: Python<'_>, name: &str) -> PyResult<Self> {
        Self::build(py, || Ok((builtin::definition(name)?, name.to_owned())))
    }

    #[pyo3(signature = (path, format = "tokenizer.json"))]
    fn to_file(&self, py: Python<'_>, path: PathBuf, format: &str) -> PyResult<()> {
        let files = py.detach(|| save::save(&self.definition, format)).ok_or_else(|| {
            PyValueError::new_err(format!("format is {format:?}, must be one of {}", save::NAMES.join(", ")))
        })?;
        let files = files.map_err(errors::save)?;
        Ok(py.detach(|| files.write(&path))?)
    }

    #[pyo3(signature = (text, pair = None, **options))]
    fn encode(
        slf: &Bound<'_, Self>,
        text: Bound<'_, PyString>,
        pair: Option<Bound<'_, PyString>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Encoding> {
        let Self { inner: tokenizer, definition } = slf.get();
        let options = Options::read(options, tokenizer, definition)?;
        let (first, second) = (utf8(&text)?, pair.as_ref().map(utf8).transpose()?);
        let encode = || {
            let mut encoding = [tokenizer.encode(first, second, options.encode)?];
            options.padding.iter().try_for_each(|padding| padding.pad(&mut encoding))?;
            Ok(encoding)
        };
        let [inner] = slf.py().detach(encode).map_err(errors::encode)?;
        Ok(Encoding { inner, tokenizer: slf.clone().unbind(), text: text.unbind(), pair: pair.map(Bound::unbind) })
    }

    #[pyo3(signature = (texts, pairs = None, **options))]
    fn encode_batch(
        slf: &Bound<'_, Self>,
        texts: Vec<Bound<'_, PyString>>,
        pairs: Option<Vec<Bound<'_, PyString>>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<Encoding>> {
        let Self { inner: tokenizer, definition } = slf.get();
        let options = Options::read(options, tokenizer, definition)?;
        if let Some(pairs) = &pairs
            && pairs.len() != texts.len()
        {
            let lengths = format!("{} texts and {} pairs: there must be as many", texts.len(), pairs.len());
            return Err(PyValueError::new_err(lengths));
        }
        let pair = |at: usize| pairs.as_ref().map(|pairs| &pairs[at]);
        let rows = texts
            .iter()
            .enumerate()
            .map(|(at, text)| Ok((utf8(text)?, pair(at).map(utf8).transpose()?)))
            .collect::<PyResult<Vec<_>>>()?;
        let encode = || {
            let mut encodings = tokenizer.encode_batch(&rows, options.encode, options.threads)?;
            options.padding.iter().try_for_each(|padding| padding.pad(&mut encodings))?;
            Ok(encodings)
        };
        let encodings = slf.py().detach(encode).map_err(errors::encode)?;
        Ok(encodings
            .into_iter()
            .enumerate()
            .map(|(at, inner)| Encoding {
                inner,
                tokenizer: slf.clone().unbind(),
                text: texts[at].clone().unbind(),
                pair: pair(at).map(|pair| pair.clone().unbind()),
            })
            .collect())
    }

    #[pyo3(signature = (text, *, specials = "text", dropout = None, seed = 0))]
    fn encode_ids<'py>(
        &self,
        text: &Bound<'py, PyString>,
        specials: &str,
        dropout: Option<f32>,
        seed: u64,
    ) -> PyResult<Ids<'py>> {
        let (py, specials) = (text.py(), options::specials(specials)?);
        let text = utf8(text)?;
        let dropout = dropout.map(check_dropout).transpose()?;
        let ids = py.detach(|| match dropout {
            Some(dropout) => self.inner.encode_ids_with_dropout(text, specials, dropout, seed),
            None => self.inner.encode_ids(text, specials),
        });
        Ok(ids.map_err(errors::encode)?.into_pyarray(py))
    }

    #[pyo3(signature = (texts, *, threads = 0, specials = "text"))]
    fn encode_ids_batch<'py>(
        &self,
        py: Python<'py>,
        texts: Vec<Bound<'py, PyString>>,
        threads: usize,
        specials: &str,
    ) -> PyResult<(Ids<'py>, Bound<'py, PyArray1<u64>>)> {
        let specials = options::specials(specials)?;
        let texts = texts.iter().map(utf8).collect::<PyResult<Vec<_>>>()?;
        let rows = py.detach(|| self.inner.encode_ids_batch(&texts, specials, threads)).map_err(errors::encode)?;
        Ok((rows.ids.into_pyarray(py), rows.row_starts.into_pyarray(py)))
    }

    fn encode_with_spans<'py>(&self, text: &Bound<'py, PyString>) -> PyResult<(Ids<'py>, Ids<'py>)> {
        let py = text.py();
        let text = utf8(text)?;
        let out = py.detach(|| self.inner.encode_with_ends(text)).map_err(errors::encode)?;
        Ok((out.ids.into_pyarray(py), out.ends.into_pyarray(py)))
    }

    #[pyo3(signature = (ids, *, skip_special_tokens = true))]
    fn decode(&self, ids: &Bound<'_, PyAny>, skip_special_tokens: bool) -> PyResult<String> {
        let (py, ids) = (ids.py(), ids_of(ids)?);
        py.detach(|| self.inner.decode(&ids, skip_special_tokens)).map_err(errors::decode)
    }

    #[pyo3(signature = (ids, *, skip_special_tokens = true))]
    fn decode_bytes<'py>(&self, ids: &Bound<'py, PyAny>, skip_special_tokens: bool) -> PyResult<Bound<'py, PyBytes>> {
        let (py, ids) = (ids.py(), ids_of(ids)?);
        let bytes = py.detach(|| self.inner.decode_bytes(&ids, skip_special_tokens)).map_err(errors::decode)?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[pyo3(signature = (batch, *, skip_special_tokens = true))]
    fn decode_batch(
        &self,
        py: Python<'_>,
        batch: Vec<Bound<'_, PyAny>>,
        skip_special_tokens: bool,
    ) -> PyResult<Vec<String>> {
        let batch = batch.iter().map(ids_of).collect::<PyResult<Vec<_>>>()?;
        py.detach(|| batch.iter().map(|ids| self.inner.decode(ids, skip_special_tokens)).collect::<Result<_, _>>())
            .map_err(errors::decode)
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
        self.inner.lossy()
    }

    #[getter]
    fn changing_stages(&self) -> Vec<&'static str> {
        self.inner.changing_stages()
    }

    #[getter]
    fn stages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let stages = self.inner.stages();
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

    fn token_spelling(&self, id: u32) -> PyResult<String> {
        let token = self.known(id)?;
        let spelled = self.definition.model.vocab().token(id).unwrap_or(&token);
        Ok(String::from_utf8_lossy(spelled).into_owned())
    }

    fn id_to_token(&self, id: u32) -> PyResult<Option<String>> {
        Ok(String::from_utf8(self.known(id)?.into_owned()).ok())
    }

    fn token_to_id(&self, token: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
        if let Ok(bytes) = token.cast::<PyBytes>() {
            return Ok(self.inner.id_of(bytes.as_bytes()));
        }
        Ok(self.inner.id_of(token.extract::<PyBackedStr>()?.as_bytes()))
    }

    fn rank(&self, id: u32) -> PyResult<Option<u32>> {
        self.known(id)?;
        Ok(self.inner.rank(id))
    }

    fn score(&self, id: u32) -> PyResult<Option<f64>> {
        self.known(id)?;
        Ok(self.inner.score(id))
    }

    #[getter]
    fn cut_sizes(&self) -> Option<(usize, usize)> {
        self.definition.cut_sizes().ok().map(RangeInclusive::into_inner)
    }

    #[pyo3(signature = (vocab_size, *, text = None))]
    fn truncated(&self, py: Python<'_>, vocab_size: usize, text: Option<&Bound<'_, PyString>>) -> PyResult<Self> {
        let text = text.map(utf8).transpose()?;
        let cut = || match text {
            Some(text) => self.definition.truncated_for(vocab_size, text),
            None => self.definition.truncated(vocab_size),
        };
        let definition = py.detach(cut).map_err(errors::value)?;
        Self::build(py, || Ok((definition, "the vocabulary that was cut".to_owned())))
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
        format!("Tokenizer({}, vocab_size={})", self.inner.stages().model, self.vocab_size())
    }
}
