//! `Trainer`: a training, some steps at a time. Other Python threads run meanwhile, and an interrupt ends a step.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use token_engine::Definition;
use token_train::{Batch, Row, State, TrainError, definition};

use crate::calls;
use crate::errors;
use crate::tokenizer::Tokenizer;
use crate::train::{self, json, locked};
use crate::train_counter::WordCounter;

/// A training. Threads may share it: one runs it, any may stop it or ask for its state.
#[pyclass(module = "lab_app.engine", frozen)]
pub struct Trainer {
    inner: Mutex<Inner>,
    /// The state before the call of `run` that goes on.
    state: Mutex<State>,
    stop: AtomicBool,
}

struct Inner {
    trainer: token_train::Trainer,
    /// Rows of a call that an exception ended; the next call returns them.
    rows: Vec<Row>,
}

impl Trainer {
    fn with(trainer: token_train::Trainer) -> Self {
        let state = Mutex::new(trainer.state());
        Self { inner: Mutex::new(Inner { trainer, rows: vec![] }), state, stop: AtomicBool::new(false) }
    }

    /// Makes steps until there are `steps` rows, the time is over, `stop` is set or none is left.
    fn work(&self, steps: usize, time: Duration) -> Result<(), TrainError> {
        let start = Instant::now();
        let mut inner = locked(&self.inner);
        let Inner { trainer, rows } = &mut *inner;
        let mut result = Ok(());
        while rows.len() < steps && !self.stop.load(Ordering::Relaxed) && !trainer.is_finished() {
            match trainer.run(1, &self.stop) {
                Ok(batch) => rows.extend(batch.rows),
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
            if start.elapsed() >= time {
                break;
            }
        }
        *locked(&self.state) = trainer.state();
        result
    }
}

#[pymethods]
impl Trainer {
    #[new]
    #[pyo3(signature = (options, counter, held_out = None, check = None))]
    fn new(
        py: Python<'_>,
        options: &str,
        counter: &Bound<'_, WordCounter>,
        held_out: Option<&Bound<'_, WordCounter>>,
        check: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let options = train::options(options)?;
        let (counter, held_out) = (counter.get(), held_out.map(|held_out| held_out.get()));
        let prepare = |stop: &AtomicBool| {
            let counts = counter.counts_until(&options, stop)?;
            let held_out = held_out.map(|held_out| held_out.counts_until(&options, stop)).transpose()?;
            token_train::Trainer::start(options, counts, held_out, stop)
        };
        watched(py, check, prepare)?.map(Self::with).map_err(errors::train)
    }

    fn run<'py>(&self, py: Python<'py>, steps: usize, milliseconds: u64) -> PyResult<Bound<'py, PyBytes>> {
        let time = Duration::from_millis(milliseconds);
        let result = calls::watch(py, || self.stop.store(true, Ordering::Relaxed), None, || self.work(steps, time));
        self.stop.store(false, Ordering::Relaxed);
        result?.map_err(errors::train)?;
        let batch = py.detach(|| {
            let mut inner = locked(&self.inner);
            Batch { rows: std::mem::take(&mut inner.rows), finished: inner.trainer.is_finished() }
        });
        json(py, &batch)
    }

    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        json(py, &*locked(&self.state))
    }

    fn tokenizer(&self, py: Python<'_>) -> PyResult<Tokenizer> {
        let made: Result<Definition, TrainError> = py.detach(|| {
            let inner = locked(&self.inner);
            definition::definition(inner.trainer.options(), &inner.trainer.model())
        });
        let made = made.map_err(errors::train)?;
        Tokenizer::build(py, || Ok((made, "the trained tokenizer".to_owned())))
    }

    fn checkpoint<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| locked(&self.inner).trainer.checkpoint()).map_err(errors::train)?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[staticmethod]
    #[pyo3(signature = (data, check = None))]
    fn resume(py: Python<'_>, data: PyBackedBytes, check: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let data: &[u8] = &data;
        let resumed = watched(py, check, |stop| token_train::Trainer::resume_until(data, stop))?;
        resumed.map(Self::with).map_err(errors::train)
    }
}

/// The result of work that ends soon after its flag is set. The function `check` is called before it and every 50 ms; what it
/// raises ends the work.
fn watched<T: Send>(
    py: Python<'_>,
    check: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    if let Some(check) = check {
        check.call0()?;
    }
    let stop = AtomicBool::new(false);
    calls::watch(py, || stop.store(true, Ordering::Relaxed), check, || work(&stop))
}
