//! `Tokenizer.encode_file`: other Python threads run meanwhile, and an interrupt ends it.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use token_engine::tokenizer::file::{FileOptions, IdFormat, WrittenIds};

use crate::calls::SIGNALS;
use crate::errors;
use crate::options;
use crate::tokenizer::Tokenizer;

/// How long an interrupt waits for the threads to end. Their temporary file goes when they do, and stays if the program ends
/// before.
const LAST_PARTS: Duration = Duration::from_millis(100);

#[pymethods]
impl Tokenizer {
    #[pyo3(signature = (
        path, output, *, specials = "text", add_special_tokens = false, format = "npy", threads = 0, part_bytes = 256 << 10
    ))]
    #[allow(clippy::too_many_arguments, reason = "keywords of Python")]
    fn encode_file(
        slf: &Bound<'_, Self>,
        path: PathBuf,
        output: PathBuf,
        specials: &str,
        add_special_tokens: bool,
        format: &str,
        threads: usize,
        part_bytes: usize,
    ) -> PyResult<u64> {
        let py = slf.py();
        let format = IdFormat::NAMES.iter().find(|(name, _)| *name == format).map(|&(_, format)| format);
        let format = format.ok_or_else(|| PyValueError::new_err("format must be \"npy\" or \"raw\""))?;
        if part_bytes == 0 {
            return Err(PyValueError::new_err("part_bytes must be at least 1"));
        }
        let specials = options::specials(specials)?;
        let options = FileOptions { specials, add_special_tokens, format, threads, part_bytes };
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, mut receiver) = channel();
        let (tokenizer, stop_of_thread) = (slf.clone().unbind(), stop.clone());
        // Signals reach Python only in the thread that called, so another one does the work.
        std::thread::Builder::new().spawn(move || {
            let ids = tokenizer.get().inner.encode_file(&path, &output, options, &stop_of_thread);
            // Without a receiver the ids go with the message.
            let _ = sender.send(ids);
        })?;
        loop {
            let wait = |time| {
                move || {
                    let answer = receiver.recv_timeout(time);
                    (receiver, answer)
                }
            };
            let answer;
            (receiver, answer) = py.detach(wait(SIGNALS));
            match answer {
                Ok(ids) => return py.detach(|| ids.and_then(WrittenIds::keep)).map_err(errors::file),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the thread that encodes ended without a result"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(signal) = py.check_signals() {
                stop.store(true, Ordering::Relaxed);
                py.detach(move || receiver.recv_timeout(LAST_PARTS).map(drop).unwrap_or_default());
                return Err(signal);
            }
        }
    }
}
