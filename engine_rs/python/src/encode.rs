//! `Tokenizer.encode` and its kin: one text or many, ids alone or all that is known of the tokens.

use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyDict, PyList, PyString};

use crate::sampling::check_dropout;
use token_engine::RaggedIds;
use token_inspect::sampling;

use crate::calls;
use crate::convert::{Ids, Items, utf8};
use crate::encoding::Encoding;
use crate::errors;
use crate::options::{self, Options, Seed};
use crate::tokenizer::Tokenizer;

/// A text of up to so many bytes does not release the interpreter: to take it back would take longer than to encode 40 bytes.
const SHORT_BYTES: usize = 2048;

impl Tokenizer {
    /// Whether a text takes a few microseconds.
    fn is_short(&self, text: &str) -> bool {
        text.len() <= SHORT_BYTES && self.inner.is_one_pass()
    }

    fn rows(
        &self,
        py: Python<'_>,
        texts: &[Bound<'_, PyString>],
        threads: usize,
        specials: &str,
    ) -> PyResult<RaggedIds> {
        let specials = options::specials(specials)?;
        let texts = texts.iter().map(utf8).collect::<PyResult<Vec<_>>>()?;
        let bytes = texts.iter().map(|text| text.len()).sum();
        calls::run(py, bytes, || self.inner.encode_ids_batch(&texts, specials, threads))?.map_err(errors::encode)
    }

    fn list<'py>(&self, py: Python<'py>, ids: &[u32]) -> PyResult<Bound<'py, PyList>> {
        self.ints.list(py, ids, self.inner.vocab().id_bound())
    }
}

#[pymethods]
impl Tokenizer {
    #[pyo3(signature = (text, pair = None, **options))]
    fn encode(
        slf: &Bound<'_, Self>,
        text: Bound<'_, PyString>,
        pair: Option<Bound<'_, PyString>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Encoding> {
        let Self { inner: tokenizer, definition, .. } = slf.get();
        let options = Options::read(options, tokenizer, definition)?;
        let (first, second) = (utf8(&text)?, pair.as_ref().map(utf8).transpose()?);
        let encode = || {
            let mut encoding = [tokenizer.encode(first, second, options.encode)?];
            let overflow = options.pad(&mut encoding)?;
            Ok((encoding, overflow))
        };
        let bytes = first.len() + second.map_or(0, str::len);
        let ([inner], overflow) = calls::run(slf.py(), bytes, encode)?.map_err(errors::encode)?;
        let (text, pair) = (text.unbind(), pair.map(Bound::unbind));
        Ok(Encoding { inner, overflow, tokenizer: slf.clone().unbind(), text, pair })
    }

    #[pyo3(signature = (texts, pairs = None, **options))]
    fn encode_batch(
        slf: &Bound<'_, Self>,
        texts: Items<Bound<'_, PyString>>,
        pairs: Option<Items<Bound<'_, PyString>>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<Encoding>> {
        let Self { inner: tokenizer, definition, .. } = slf.get();
        let options = Options::read(options, tokenizer, definition)?;
        if let Some(Items(pairs)) = &pairs
            && pairs.len() != texts.len()
        {
            let lengths = format!("{} texts and {} pairs: there must be as many", texts.len(), pairs.len());
            return Err(PyValueError::new_err(lengths));
        }
        let pair = |at: usize| pairs.as_ref().map(|Items(pairs)| &pairs[at]);
        let rows = texts
            .iter()
            .enumerate()
            .map(|(at, text)| Ok((utf8(text)?, pair(at).map(utf8).transpose()?)))
            .collect::<PyResult<Vec<_>>>()?;
        let encode = || {
            let mut encodings = tokenizer.encode_batch(&rows, options.encode, options.threads)?;
            let overflow = options.pad(&mut encodings)?;
            Ok((encodings, overflow))
        };
        let bytes = rows.iter().map(|(text, pair)| text.len() + pair.map_or(0, str::len)).sum();
        let (encodings, overflow) = calls::run(slf.py(), bytes, encode)?.map_err(errors::encode)?;
        Ok(encodings
            .into_iter()
            .enumerate()
            .map(|(at, inner)| Encoding {
                inner,
                overflow: overflow.clone(),
                tokenizer: slf.clone().unbind(),
                text: texts[at].clone().unbind(),
                pair: pair(at).map(|pair| pair.clone().unbind()),
            })
            .collect())
    }

    #[pyo3(signature = (text, *, specials = "text", dropout = None, seed = Seed(0)))]
    fn encode_ids<'py>(
        &self,
        text: &Bound<'py, PyString>,
        specials: &str,
        dropout: Option<f32>,
        seed: Seed,
    ) -> PyResult<Ids<'py>> {
        let (py, specials) = (text.py(), options::specials(specials)?);
        let text = utf8(text)?;
        let dropout = dropout.map(check_dropout).transpose()?;
        if self.is_short(text) && dropout.is_none() {
            return self.inner.with_ids(text, specials, |ids| PyArray1::from_slice(py, ids)).map_err(errors::encode);
        }
        let ids = calls::run(py, text.len(), || match dropout {
            Some(dropout) => sampling::encode_ids_with_dropout(&self.inner, text, specials, dropout, seed.0),
            None => self.inner.encode_ids(text, specials),
        })?;
        Ok(ids.map_err(errors::encode)?.into_pyarray(py))
    }

    #[pyo3(signature = (text, *, specials = "text"))]
    fn encode_list<'py>(&self, text: &Bound<'py, PyString>, specials: &str) -> PyResult<Bound<'py, PyList>> {
        let (py, specials) = (text.py(), options::specials(specials)?);
        let text = utf8(text)?;
        if self.is_short(text) {
            return self.inner.with_ids(text, specials, |ids| self.list(py, ids)).map_err(errors::encode)?;
        }
        self.list(py, &calls::run(py, text.len(), || self.inner.encode_ids(text, specials))?.map_err(errors::encode)?)
    }

    fn encode_bytes<'py>(&self, py: Python<'py>, data: PyBackedBytes) -> PyResult<Ids<'py>> {
        let ids = calls::run(py, data.len(), || self.inner.encode_bytes(&data))?.map_err(errors::encode)?;
        Ok(ids.into_pyarray(py))
    }

    #[pyo3(signature = (texts, *, threads = 0, specials = "text"))]
    fn encode_ids_batch<'py>(
        &self,
        py: Python<'py>,
        texts: Items<Bound<'py, PyString>>,
        threads: usize,
        specials: &str,
    ) -> PyResult<(Ids<'py>, Bound<'py, PyArray1<u64>>)> {
        let rows = self.rows(py, &texts, threads, specials)?;
        Ok((rows.ids.into_pyarray(py), rows.row_starts.into_pyarray(py)))
    }

    #[pyo3(signature = (texts, *, threads = 0, specials = "text"))]
    fn encode_list_batch<'py>(
        &self,
        py: Python<'py>,
        texts: Items<Bound<'py, PyString>>,
        threads: usize,
        specials: &str,
    ) -> PyResult<Vec<Bound<'py, PyList>>> {
        let rows = self.rows(py, &texts, threads, specials)?;
        let row = |of: &[u64]| self.list(py, &rows.ids[of[0] as usize..of[1] as usize]);
        rows.row_starts.windows(2).map(row).collect()
    }

    fn encode_with_ends<'py>(&self, text: &Bound<'py, PyString>) -> PyResult<(Ids<'py>, Ids<'py>)> {
        let py = text.py();
        let text = utf8(text)?;
        let out = calls::run(py, text.len(), || self.inner.encode_with_ends(text))?.map_err(errors::encode)?;
        Ok((out.ids.into_pyarray(py), out.ends.into_pyarray(py)))
    }
}
