//! `Tokenizer.encode_timed`: brings the clock that the engine does not have.

use std::hint::black_box;
use std::time::Instant;

use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use token_engine::internals::encoding::Stage;
use token_engine::internals::timing::{Layout, Observed, Path};

use crate::calls;
use crate::convert::{Ids, Items, utf8};
use crate::errors;
use crate::options;
use crate::tokenizer::Tokenizer;

const STAGES: [(&str, Stage); 4] = [
    ("normalizer", Stage::Normalizer),
    ("pretokenizer", Stage::Pretokenizer),
    ("model", Stage::Model),
    ("postprocessor", Stage::Postprocessor),
];

/// Ids and nanoseconds per text, and the observations by name.
type Timed<'py> = (Vec<Ids<'py>>, Bound<'py, PyArray1<u64>>, Bound<'py, PyDict>);

/// Nanoseconds of one reading of the clock: the shortest of several averages.
fn reading_ns(clock: &dyn Fn() -> u64) -> f64 {
    const READINGS: u32 = 64;
    let average = |_| {
        let start = clock();
        (0..READINGS).for_each(|_| {
            black_box(clock());
        });
        (clock() - start) as f64 / f64::from(READINGS + 1)
    };
    (0..16).map(average).fold(f64::INFINITY, f64::min)
}

/// `elapsed_ns` without the cost of readings of the clock.
fn without(elapsed_ns: u64, readings: u64, reading_ns: f64) -> u64 {
    elapsed_ns.saturating_sub((readings as f64 * reading_ns).round() as u64)
}

/// The observations by name. The time of a stage that has none of its own goes to the next stage.
fn named<'py>(
    py: Python<'py>,
    observed: &Observed,
    layout: &Layout,
    output_ns: u64,
    reading_ns: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let times = PyDict::new(py);
    let mut carried = 0;
    for (name, stage) in STAGES {
        let (elapsed, readings) = (observed.elapsed_ns[stage as usize], observed.readings[stage as usize]);
        let own = without(elapsed, readings, reading_ns) + carried;
        let is_told = !layout.fused.contains(&stage) && !layout.absent.contains(&stage);
        carried = if is_told { 0 } else { own };
        times.set_item(name, is_told.then_some(own))?;
    }
    times.set_item("output", output_ns + carried)?;
    let names = |stages: &[Stage]| {
        let of = STAGES.iter().filter(|(_, stage)| stages.contains(stage));
        of.map(|(name, _)| *name).collect::<Vec<_>>()
    };
    let dict = PyDict::new(py);
    dict.set_item("stages_ns", times)?;
    dict.set_item("fused", names(&layout.fused))?;
    dict.set_item("absent", names(&layout.absent))?;
    let has_looked_up = observed.hits + observed.misses > 0;
    dict.set_item("cache", has_looked_up.then_some((observed.hits, observed.misses)))?;
    dict.set_item("reading_ns", reading_ns)?;
    Ok(dict)
}

#[pymethods]
impl Tokenizer {
    #[pyo3(signature = (texts, *, path = "fast", spans = false, specials = "text", add_special_tokens = true))]
    fn encode_timed<'py>(
        &self,
        py: Python<'py>,
        texts: Items<Bound<'py, PyString>>,
        path: &str,
        spans: bool,
        specials: &str,
        add_special_tokens: bool,
    ) -> PyResult<Timed<'py>> {
        let path = Path::NAMES.iter().find(|(name, _)| *name == path).map(|&(_, path)| path).ok_or_else(|| {
            let known = Path::NAMES.map(|(name, _)| format!("{name:?}")).join(" or ");
            PyValueError::new_err(format!("path is {path:?}, must be {known}"))
        })?;
        let specials = options::specials(specials)?;
        let texts = texts.iter().map(utf8).collect::<PyResult<Vec<_>>>()?;
        let origin = Instant::now();
        let clock = || origin.elapsed().as_nanos() as u64;
        let reading = reading_ns(&clock);
        let mut all = Observed::default();
        let (mut ids, mut text_ns) = (Vec::with_capacity(texts.len()), Vec::with_capacity(texts.len()));
        let mut output_ns = 0;
        for text in texts {
            let observed;
            let encoded;
            if spans {
                let encode = || self.inner.encode_timed(text, specials, add_special_tokens, path, &clock);
                let encoding;
                (encoding, observed) = calls::run(py, text.len(), encode)?.map_err(errors::encode)?;
                encoded = clock();
                let flat: Vec<u32> = encoding.spans.iter().flat_map(|span| [span.start, span.end]).collect();
                black_box(flat.into_pyarray(py));
                ids.push(encoding.ids.into_pyarray(py));
            } else {
                let encode = || self.inner.encode_ids_timed(text, specials, path, &clock);
                let of_text;
                (of_text, observed) = calls::run(py, text.len(), encode)?.map_err(errors::encode)?;
                encoded = clock();
                ids.push(of_text.into_pyarray(py));
            }
            let output = without(clock() - encoded, 1, reading);
            let stages = without(observed.elapsed_ns.iter().sum(), observed.readings.iter().sum(), reading);
            output_ns += output;
            text_ns.push(stages + output);
            all.add(&observed);
        }
        let mut layout = self.inner.timing_layout(path);
        if !spans && !layout.absent.contains(&Stage::Postprocessor) {
            layout.absent.push(Stage::Postprocessor);
        }
        Ok((ids, text_ns.into_pyarray(py), named(py, &all, &layout, output_ns, reading)?))
    }
}
