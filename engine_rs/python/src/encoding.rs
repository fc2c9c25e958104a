//! `Encoding`: what `Tokenizer.encode` returns. Arrays are made when they are asked for.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use token_engine::internals::call;
use token_engine::internals::offsets::Converter;
use token_engine::{DecodeError, NO_SEQUENCE, NO_WORD, Span, flags};
use token_inspect::document::packed::{ENDS_INSIDE, STARTS_INSIDE};
use token_inspect::encoding_json;

use crate::calls;
use crate::convert::utf8;
use crate::errors;
use crate::options::Overflow;
use crate::tokenizer::Tokenizer;

/// All that is known of the tokens of a text, one entry per token.
#[pyclass(module = "lab_app.engine", frozen)]
pub struct Encoding {
    pub(crate) inner: token_engine::Encoding,
    /// How to find the parts that truncation left over, if it was asked for.
    pub(crate) overflow: Option<Arc<Overflow>>,
    pub(crate) tokenizer: Py<Tokenizer>,
    pub(crate) text: Py<PyString>,
    pub(crate) pair: Option<Py<PyString>>,
}

impl Encoding {
    /// The spans in another unit, each in its own text.
    fn converted(&self, py: Python<'_>, convert: impl Fn(&Converter<'_>, Span) -> Span) -> PyResult<Vec<Span>> {
        let first = Converter::new(utf8(self.text.bind(py))?);
        let second = self.pair.as_ref().map(|pair| utf8(pair.bind(py)).map(Converter::new)).transpose()?;
        let spans = self.inner.spans.iter().zip(&self.inner.sequence_ids);
        Ok(spans
            .map(|(&span, &sequence)| match (sequence, &second) {
                (NO_SEQUENCE, _) => span,
                (1, Some(second)) => convert(second, span),
                _ => convert(&first, span),
            })
            .collect())
    }

    /// As `flags` of the class.
    fn all_flags(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        let inside = self.converted(py, |text, span| Span {
            start: u32::from(text.is_inside(span.start)),
            end: u32::from(text.is_inside(span.end)),
        })?;
        let known = self.inner.flags.iter().map(|flags| flags & !flags::ADDED);
        Ok(known
            .zip(inside)
            .zip(&self.inner.sequence_ids)
            .map(|((flags, inside), &sequence)| match sequence {
                NO_SEQUENCE => flags,
                _ => flags | (inside.start as u8 * STARTS_INSIDE) | (inside.end as u8 * ENDS_INSIDE),
            })
            .collect())
    }

    /// The tokenizer, to spell some tokens.
    ///
    /// Errors: DecodeError for tokens that a call may not spell, being so long; CallCancelled.
    fn spells(&self, tokens: Range<usize>) -> PyResult<&token_engine::Tokenizer> {
        let tokenizer = &self.tokenizer.get().inner;
        tokenizer.check_spelling(&self.inner.ids[tokens]).map_err(errors::decode)?;
        Ok(tokenizer)
    }

    /// Whether the tokens of a text, those that satisfy `is_own`, decode to it.
    fn decodes_to(&self, text: &str, is_own: impl Fn(usize) -> bool) -> Result<bool, DecodeError> {
        let ids: Vec<u32> = (0..self.inner.len()).filter(|&at| is_own(at)).map(|at| self.inner.ids[at]).collect();
        let _entered = call::enter_to_compare(text.len());
        match self.tokenizer.get().inner.decode_bytes(&ids, false) {
            // It would be far longer than the text.
            Err(DecodeError::TooLong { .. }) => Ok(false),
            decoded => Ok(decoded? == text.as_bytes()),
        }
    }
}

/// Shape (n, 2).
pub(crate) fn span_array<'py>(py: Python<'py>, spans: &[Span]) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let flat: Vec<u32> = spans.iter().flat_map(|span| [span.start, span.end]).collect();
    flat.into_pyarray(py).reshape([spans.len(), 2])
}

#[pymethods]
impl Encoding {
    fn __len__(&self) -> usize {
        self.inner.len()
    }

    fn __repr__(&self) -> String {
        format!("Encoding(ids={:?})", self.inner.ids)
    }

    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        PyArray1::from_slice(py, &self.inner.ids)
    }

    #[getter]
    fn span_utf8<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        span_array(py, &self.inner.spans)
    }

    #[getter]
    fn span_char<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        span_array(py, &self.converted(py, |text, span| text.char_span(span))?)
    }

    #[getter]
    fn span_utf16<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        span_array(py, &self.converted(py, |text, span| text.utf16_span(span))?)
    }

    #[getter]
    fn flags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        Ok(self.all_flags(py)?.into_pyarray(py))
    }

    #[getter]
    fn tokens(&self) -> PyResult<Vec<Cow<'_, str>>> {
        let tokenizer = self.spells(0..self.inner.len())?;
        Ok(self.inner.ids.iter().map(|&id| tokenizer.id_to_token(id).unwrap_or_default()).collect())
    }

    #[getter]
    fn texts(&self) -> PyResult<Vec<Option<String>>> {
        let tokenizer = self.spells(0..self.inner.len())?;
        let text = |&id: &u32| String::from_utf8(tokenizer.token_bytes(id)?.into_owned()).ok();
        Ok(self.inner.ids.iter().map(text).collect())
    }

    #[getter]
    fn token_bytes<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let tokenizer = self.spells(0..self.inner.len())?;
        let bytes = |&id: &u32| PyBytes::new(py, &tokenizer.token_bytes(id).unwrap_or_default());
        Ok(self.inner.ids.iter().map(bytes).collect())
    }

    #[getter]
    fn type_ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_slice(py, &self.inner.type_ids)
    }

    #[getter]
    fn sequence_ids(&self) -> Vec<Option<u8>> {
        self.inner.sequence_ids.iter().map(|&sequence| (sequence != NO_SEQUENCE).then_some(sequence)).collect()
    }

    #[getter]
    fn word_ids(&self) -> Vec<Option<u32>> {
        self.inner.word_ids.iter().map(|&word| (word != NO_WORD).then_some(word)).collect()
    }

    #[getter]
    fn attention_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let mask: Vec<u8> = self.inner.flags.iter().map(|flags| u8::from(flags & flags::PADDING == 0)).collect();
        mask.into_pyarray(py)
    }

    #[getter]
    fn special_tokens_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let mask: Vec<u8> =
            self.inner.flags.iter().map(|flags| u8::from(flags & (flags::TEMPLATE | flags::PADDING) != 0)).collect();
        mask.into_pyarray(py)
    }

    /// Each with the same texts: spans of a part are those of its tokens in the whole. Found by encoding again.
    #[getter]
    fn overflowing(&self, py: Python<'_>) -> PyResult<Vec<Self>> {
        let Some(Overflow { encode, padding }) = self.overflow.as_deref() else { return Ok(vec![]) };
        let tokenizer = &self.tokenizer.get().inner;
        let text = utf8(self.text.bind(py))?;
        let pair = self.pair.as_ref().map(|pair| utf8(pair.bind(py))).transpose()?;
        let bytes = text.len() + pair.map_or(0, str::len);
        let parts = calls::run(py, bytes, || {
            let mut whole = [tokenizer.encode(text, pair, *encode)?];
            padding.iter().try_for_each(|padding| padding.pad(&mut whole))?;
            let [whole] = whole;
            Ok(whole.overflowing)
        })?;
        let part = |inner| Self {
            inner,
            overflow: None,
            tokenizer: self.tokenizer.clone_ref(py),
            text: self.text.clone_ref(py),
            pair: self.pair.as_ref().map(|pair| pair.clone_ref(py)),
        };
        Ok(parts.map_err(errors::encode)?.into_iter().map(part).collect())
    }

    /// Checks that `json_items` can write all tokens, so many at a time.
    fn check_spelling(&self, py: Python<'_>, count: usize) -> PyResult<()> {
        let tokenizer = &self.tokenizer.get().inner;
        let mut chunks = self.inner.ids.chunks(count.max(1));
        let checked = calls::run(py, self.inner.len(), || chunks.try_for_each(|ids| tokenizer.check_spelling(ids)))?;
        checked.map_err(errors::decode)
    }

    /// Whether truncation dropped tokens: whether `overflowing` has parts.
    #[getter]
    fn is_truncated(&self) -> bool {
        self.inner.is_truncated
    }

    /// The items `start..end` of a field as JSON, separated by commas; none if the range is empty or reversed.
    fn json_items<'py>(&self, py: Python<'py>, field: &str, start: usize, end: usize) -> PyResult<Bound<'py, PyBytes>> {
        let end = end.min(self.inner.len());
        let range = start.min(end)..end;
        let mut out = Vec::new();
        match field {
            "ids" => encoding_json::numbers(self.inner.ids[range].iter().copied(), &mut out),
            "type_ids" => encoding_json::numbers(self.inner.type_ids[range].iter().map(|&id| u32::from(id)), &mut out),
            "attention_mask" => {
                let mask = self.inner.flags[range].iter().map(|flags| u32::from(flags & flags::PADDING == 0));
                encoding_json::numbers(mask, &mut out);
            }
            "tokens" => {
                let text = utf8(self.text.bind(py))?;
                let pair = self.pair.as_ref().map(|pair| utf8(pair.bind(py))).transpose()?;
                let tokenizer = self.spells(range.clone())?;
                py.detach(|| {
                    let texts = encoding_json::Texts::new(text, pair);
                    encoding_json::tokens(&self.inner, tokenizer, &texts, range, &mut out);
                });
            }
            _ => return Err(PyValueError::new_err(format!("an encoding has no JSON field {field:?}"))),
        }
        Ok(PyBytes::new(py, &out))
    }

    /// The arrays of a frame as name, type and bytes: no numpy array, so that the first answer need not wait for numpy.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Vec<(&'static str, &'static str, Bound<'py, PyBytes>)>> {
        let utf16 = self.converted(py, |text, span| text.utf16_span(span))?;
        let numbers = |name, numbers: &mut dyn Iterator<Item = u32>| {
            (name, "u4", PyBytes::new(py, &numbers.flat_map(u32::to_le_bytes).collect::<Vec<u8>>()))
        };
        Ok(vec![
            numbers("ids", &mut self.inner.ids.iter().copied()),
            numbers("start_utf8", &mut self.inner.spans.iter().map(|span| span.start)),
            numbers("end_utf8", &mut self.inner.spans.iter().map(|span| span.end)),
            numbers("start_utf16", &mut utf16.iter().map(|span| span.start)),
            numbers("end_utf16", &mut utf16.iter().map(|span| span.end)),
            ("flags", "u1", PyBytes::new(py, &self.all_flags(py)?)),
        ])
    }

    /// The number of tokens that have `flag` and none of the flags `but`.
    #[pyo3(signature = (flag, but = 0))]
    fn count(&self, flag: u8, but: u8) -> usize {
        self.inner.flags.iter().filter(|&flags| flags & (flag | but) == flag).count()
    }

    fn round_trip(&self, py: Python<'_>) -> PyResult<bool> {
        let first = utf8(self.text.bind(py))?;
        let second = self.pair.as_ref().map(|pair| utf8(pair.bind(py))).transpose()?;
        let (flags, sequences) = (&self.inner.flags, &self.inner.sequence_ids);
        let is_kept =
            calls::run(py, flags.len(), || match second {
                None => self.decodes_to(first, |at| flags[at] & (flags::TEMPLATE | flags::PADDING) == 0),
                Some(second) => Ok(self.decodes_to(first, |at| sequences[at] == 0)?
                    && self.decodes_to(second, |at| sequences[at] == 1)?),
            })?;
        is_kept.map_err(errors::decode)
    }

    #[getter]
    fn pretoken_count(&self) -> usize {
        self.inner.pretoken_count()
    }

    #[getter]
    fn split_character_count(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.inner.split_character_count(utf8(self.text.bind(py))?))
    }
}
