//! `Document`: a text that is edited, with its tokens under several tokenizers.

use std::ops::Range;

use numpy::IntoPyArray;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use token_engine::{EncodeOptions, Span};
use token_inspect::document::packed::{GAP, UNITS, WIDE};
use token_inspect::document::{self, EncodedText, Excerpt, Packed, Part, Replaced};

use crate::convert::{Items, utf8};
use crate::options::specials;
use crate::tokenizer::Tokenizer;
use crate::{calls, divergence, errors};

/// A text and its tokens under several tokenizers; an edit encodes again only what it can change.
#[pyclass(module = "lab_app.engine")]
pub struct Document {
    inner: document::Document,
    tokenizers: Vec<Py<Tokenizer>>,
}

/// First token, number of tokens removed, number inserted, whether the whole text was encoded again.
type Tokens = (usize, usize, usize, bool);

/// Packed tokens by tokenizer, and divergences where they were asked for.
type Snapshot<'py> = (Vec<Bound<'py, PyDict>>, Option<Bound<'py, PyDict>>);

fn as_dicts(py: Python<'_>, packed: Vec<Packed>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    packed.into_iter().map(|packed| packed_as_dict(py, packed)).collect()
}

/// Arrays by name.
fn packed_as_dict(py: Python<'_>, packed: Packed) -> PyResult<Bound<'_, PyDict>> {
    let Packed { ids, flags, lengths, extra, wide } = packed;
    let arrays = PyDict::new(py);
    arrays.set_item("ids", ids.into_pyarray(py))?;
    arrays.set_item("flags", flags.into_pyarray(py))?;
    arrays.set_item("lengths", lengths.into_pyarray(py))?;
    arrays.set_item("extra", extra.into_pyarray(py))?;
    arrays.set_item("wide", wide.into_pyarray(py))?;
    Ok(arrays)
}

/// First byte of an excerpt that is returned, the one behind, the same in UTF-16 units; tokens and divergences.
type PartSnapshot<'py> = (usize, usize, usize, usize, Snapshot<'py>);

#[pyfunction]
#[pyo3(signature = (tokenizers, text, starts, ends, *, add_special_tokens = true, specials = "parse", ignore_spaces = None))]
#[allow(clippy::too_many_arguments)]
pub fn encode_excerpt<'py>(
    py: Python<'py>,
    tokenizers: Items<Py<Tokenizer>>,
    text: &Bound<'py, PyString>,
    starts: bool,
    ends: bool,
    add_special_tokens: bool,
    specials: &str,
    ignore_spaces: Option<bool>,
) -> PyResult<Option<PartSnapshot<'py>>> {
    divergence::check_number(tokenizers.len())?;
    let options = EncodeOptions { add_special_tokens, specials: self::specials(specials)?, ..EncodeOptions::default() };
    let excerpt = Excerpt { text: utf8(text)?, starts, ends };
    let all: Vec<_> = tokenizers.iter().map(|tokenizer| &tokenizer.get().inner).collect();
    let bytes = excerpt.text.len() * all.len();
    let part = calls::run(py, bytes, || Part::new(&all, excerpt, options, ignore_spaces))?.map_err(errors::encode)?;
    let Some(Part { covered, covered_units, packed, divergences }) = part else { return Ok(None) };
    let number = packed.len();
    let found = divergences.map(|found| divergence::as_dict(py, found, number)).transpose()?;
    Ok(Some((covered.start, covered.end, covered_units.start, covered_units.end, (as_dicts(py, packed)?, found))))
}

impl Document {
    fn lane(&self, lane: usize) -> PyResult<&EncodedText> {
        self.inner.encoded().get(lane).ok_or_else(|| {
            PyIndexError::new_err(format!("there is no lane {lane}: there are {}", self.inner.encoded().len()))
        })
    }

    /// Refuses tokens that there are not.
    fn range(&self, lane: usize, first: usize, last: usize) -> PyResult<()> {
        let count = self.lane(lane)?.ids().len();
        if first > last || last > count {
            return Err(PyIndexError::new_err(format!("no tokens {first} to {last}: there are {count}")));
        }
        Ok(())
    }

    /// A range of UTF-16 units as one of bytes.
    fn bytes(&self, start: usize, end: usize) -> PyResult<Range<usize>> {
        let byte = |unit| {
            self.inner.byte_of_unit(unit).ok_or_else(|| {
                let units = self.inner.units();
                PyValueError::new_err(format!(
                    "no character starts at UTF-16 unit {unit}: the text has {units} units, and pairs are not split"
                ))
            })
        };
        let range = byte(start)?..byte(end)?;
        if start > end {
            return Err(PyValueError::new_err(format!("the range {start} to {end} ends before it starts")));
        }
        Ok(range)
    }
}

#[pymethods]
impl Document {
    #[new]
    #[pyo3(signature = (tokenizers, text, *, add_special_tokens = true, specials = "parse"))]
    fn new(
        py: Python<'_>,
        tokenizers: Items<Py<Tokenizer>>,
        text: &Bound<'_, PyString>,
        add_special_tokens: bool,
        specials: &str,
    ) -> PyResult<Self> {
        let options =
            EncodeOptions { add_special_tokens, specials: self::specials(specials)?, ..EncodeOptions::default() };
        let text = utf8(text)?.to_owned();
        let all: Vec<_> = tokenizers.iter().map(|tokenizer| &tokenizer.get().inner).collect();
        let bytes = text.len() * all.len();
        let inner = calls::run(py, bytes, || document::Document::new(&all, text, options))?.map_err(errors::encode)?;
        Ok(Self { inner, tokenizers: tokenizers.0 })
    }

    fn edit(
        &mut self,
        py: Python<'_>,
        start_utf16: usize,
        end_utf16: usize,
        text: &Bound<'_, PyString>,
    ) -> PyResult<((usize, usize, usize), Vec<Tokens>)> {
        let old = self.bytes(start_utf16, end_utf16)?;
        let text = utf8(text)?;
        let Self { inner, tokenizers } = self;
        let all: Vec<_> = tokenizers.iter().map(|tokenizer| &tokenizer.get().inner).collect();
        let bytes = (inner.text().len() + text.len()) * all.len();
        let edit = calls::run(py, bytes, || inner.edit(&all, old, text))?.map_err(errors::encode)?;
        let replaced = edit.replaced.iter();
        let replaced = replaced.map(|&Replaced { first, removed, inserted, whole }| (first, removed, inserted, whole));
        Ok(((edit.old.start, edit.old.end, edit.new_end), replaced.collect()))
    }

    fn reach(&self, start_utf16: usize, end_utf16: usize) -> PyResult<(usize, usize)> {
        let all: Vec<_> = self.tokenizers.iter().map(|tokenizer| &tokenizer.get().inner).collect();
        let reach = self.inner.reach(&all, self.bytes(start_utf16, end_utf16)?);
        Ok((reach.start, reach.end))
    }

    fn shared_around(&self, start: usize, end: usize, ignore_spaces: bool) -> (usize, usize) {
        let around = self.inner.shared_around(start..end, ignore_spaces);
        (around.start, around.end)
    }

    fn units_before(&self, byte: usize) -> PyResult<usize> {
        self.inner
            .unit_of_byte(byte)
            .ok_or_else(|| PyValueError::new_err(format!("no character of the text starts at byte {byte}")))
    }

    fn extent(&self, lane: usize, first: usize, last: usize) -> PyResult<Option<(u32, u32)>> {
        self.range(lane, first, last)?;
        Ok(self.lane(lane)?.extent(first..last).map(|Span { start, end }| (start, end)))
    }

    fn tokens<'py>(&self, py: Python<'py>, lane: usize) -> PyResult<Bound<'py, PyDict>> {
        let all = 0..self.lane(lane)?.ids().len();
        let packed = py.detach(|| self.inner.packed(lane, Some(all)));
        let places = packed.places();
        let column = |n: usize| places.iter().map(|place| place[n]).collect::<Vec<u32>>().into_pyarray(py);
        let flags: Vec<u8> = packed.flags.iter().map(|flags| flags & !(UNITS | GAP | WIDE)).collect();
        let arrays = PyDict::new(py);
        for (n, name) in ["start_utf8", "end_utf8", "start_utf16", "end_utf16"].into_iter().enumerate() {
            arrays.set_item(name, column(n))?;
        }
        arrays.set_item("ids", packed.ids.into_pyarray(py))?;
        arrays.set_item("flags", flags.into_pyarray(py))?;
        Ok(arrays)
    }

    #[pyo3(signature = (lane, tokens = None))]
    fn packed<'py>(
        &self,
        py: Python<'py>,
        lane: usize,
        tokens: Option<(usize, usize)>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let count = self.lane(lane)?.ids().len();
        let (first, last) = tokens.unwrap_or((0, count));
        self.range(lane, first, last)?;
        let range = tokens.map(|_| first..last);
        packed_as_dict(py, py.detach(|| self.inner.packed(lane, range)))
    }

    fn told<'py>(&self, py: Python<'py>, ignore_spaces: Option<bool>) -> PyResult<Snapshot<'py>> {
        let lanes = self.inner.encoded().len();
        divergence::check_number(lanes)?;
        let bytes = self.inner.text().len() * lanes;
        let snapshot = calls::run(py, bytes, || self.inner.snapshot(ignore_spaces))?;
        let (packed, found) = snapshot.map_err(|cancelled| errors::encode(cancelled.into()))?;
        Ok((as_dicts(py, packed)?, found.map(|found| divergence::as_dict(py, found, lanes)).transpose()?))
    }

    fn divergences<'py>(
        &self,
        py: Python<'py>,
        start: usize,
        end: usize,
        ignore_spaces: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        if self.inner.text().get(start..end).is_none() {
            return Err(PyValueError::new_err(format!("bytes {start} to {end} are no whole characters of the text")));
        }
        divergence::check_number(self.inner.encoded().len())?;
        let lanes = self.inner.encoded().len();
        let found = calls::run(py, (end - start) * lanes, || self.inner.divergences(start..end, ignore_spaces))?;
        divergence::as_dict(py, found.map_err(|cancelled| errors::encode(cancelled.into()))?, lanes)
    }

    fn counts<'py>(&self, py: Python<'py>, lane: usize) -> PyResult<Bound<'py, PyDict>> {
        let lane = self.lane(lane)?;
        let template = lane.leading().len() + lane.trailing().len();
        let counts = PyDict::new(py);
        counts.set_item("count", lane.ids().len() + template)?;
        counts.set_item("template_count", template)?;
        counts.set_item("unknown_count", lane.unknown_count())?;
        counts.set_item("pretoken_count", lane.pretoken_count())?;
        counts.set_item("split_character_count", lane.split_character_count())?;
        Ok(counts)
    }

    fn template(&self, lane: usize) -> PyResult<(Vec<u32>, Vec<u32>)> {
        let lane = self.lane(lane)?;
        Ok((lane.leading().to_vec(), lane.trailing().to_vec()))
    }

    #[getter]
    fn text(&self) -> &str {
        self.inner.text()
    }

    #[getter]
    fn text_bytes(&self) -> usize {
        self.inner.text().len()
    }

    #[getter]
    fn text_characters(&self) -> usize {
        self.inner.characters()
    }

    #[getter]
    fn text_units(&self) -> usize {
        self.inner.units()
    }

    #[getter]
    fn size_bytes(&self) -> usize {
        self.inner.size_bytes()
    }
}
