//! Calls of the engine: they let other Python threads run, and an interrupt or a cancelled `Call` ends them.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::prelude::*;
use token_engine::internals::call;

use crate::errors;

/// How often Python is asked for signals.
pub(crate) const SIGNALS: Duration = Duration::from_millis(50);

/// The size of a call that takes long whatever its text: one that searches, or tries many ways.
pub(crate) const LONG: usize = usize::MAX;

/// Calls on more bytes of text than this may take longer than a person waits for an interrupt: a slow pattern splits some
/// megabytes in a second. To start a thread takes a hundredth of the time of the fastest of them.
const WATCHED_BYTES: usize = 1 << 18;

/// Calls of one thread, such as those of one request: they share the limits of one call, and end together.
#[pyclass(module = "lab_app.engine", frozen)]
pub struct Call(Arc<call::Call>);

#[pymethods]
impl Call {
    #[new]
    #[pyo3(signature = (*, added_tokens = call::ADDED_TOKENS))]
    fn new(added_tokens: usize) -> Self {
        Self(Arc::new(call::Call::adding(added_tokens)))
    }

    /// The call that this thread works for.
    #[staticmethod]
    fn current() -> Option<Self> {
        call::current().map(Self)
    }

    /// Calls `work`; every call of the engine that it makes in this thread belongs to this one.
    fn run<'py>(&self, work: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let _entered = call::enter(Some(Arc::clone(&self.0)));
        work.call0()
    }

    /// Ends the calls of the engine that go on, and all later ones, with `CallCancelled`. Any thread may ask for it.
    fn cancel(&self) {
        self.0.cancel();
    }

    #[getter]
    fn cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// The result of work on so many bytes of text, while other Python threads run. It belongs to the call of this thread, or to
/// one of its own.
///
/// Errors: what a signal raises, soon after it.
pub(crate) fn run<T: Send>(py: Python<'_>, bytes: usize, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let call = call::current().unwrap_or_default();
    let work_of_call = {
        let call = Arc::clone(&call);
        move || {
            let _entered = call::enter(Some(call));
            work()
        }
    };
    // Signals reach Python in its main thread alone.
    if bytes > WATCHED_BYTES && is_main_thread(py)? {
        return watch(py, || call.cancel(), None, work_of_call);
    }
    Ok(py.detach(work_of_call))
}

fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    let main = threading.call_method0("main_thread")?.getattr("ident")?;
    threading.call_method0("get_ident")?.eq(main)
}

/// Works in another thread, as signals reach Python only in the one that called. A signal, or what `check` raises, calls
/// `stop`; the work then ends soon.
pub(crate) fn watch<T: Send>(
    py: Python<'_>,
    stop: impl Fn(),
    check: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        let worker = scope.spawn(move || drop(sender.send(work())));
        // A channel is no value that two threads share; this one hands it back.
        let mut receiver = Some(receiver);
        while let Some(channel) = receiver.take() {
            let (channel, answer) = py.detach(move || {
                let answer = channel.recv_timeout(SIGNALS);
                (channel, answer)
            });
            match answer {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => receiver = Some(channel),
            }
            let checked = py.check_signals().and_then(|()| check.map_or(Ok(()), |check| check.call0().map(drop)));
            if let Err(raised) = checked {
                stop();
                // Other Python threads run until the work has ended.
                py.detach(|| drop(worker.join()));
                return Err(raised);
            }
        }
        match worker.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(()) => Err(errors::value("the work has no result")),
        }
    })
}
