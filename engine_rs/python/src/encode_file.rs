//! `Tokenizer.encode_file` and `encode_to_stdout`: other Python threads run meanwhile, and an interrupt ends them.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use token_engine::internals::tokenizer::file::{FileError, FileOptions};
use token_engine::internals::tokenizer::id_file::IdFormat;

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
        let options = file_options(specials, add_special_tokens, format, threads, part_bytes)?;
        let ids = interruptible(slf, move |tokenizer, stop| tokenizer.encode_file(&path, &output, options, stop))?;
        slf.py().detach(|| ids.keep()).map_err(errors::file)
    }

    /// As `encode_file`, from a file or stdin to stdout.
    #[pyo3(signature = (
        path = None, *, head = vec![], specials = "text", add_special_tokens = false, format = "text", threads = 0,
        part_bytes = 256 << 10
    ))]
    #[allow(clippy::too_many_arguments, reason = "keywords of Python")]
    fn encode_to_stdout(
        slf: &Bound<'_, Self>,
        path: Option<PathBuf>,
        head: Vec<u8>,
        specials: &str,
        add_special_tokens: bool,
        format: &str,
        threads: usize,
        part_bytes: usize,
    ) -> PyResult<u64> {
        let options = file_options(specials, add_special_tokens, format, threads, part_bytes)?;
        let name = path.clone().unwrap_or_else(|| "stdin".into());
        let input: Box<dyn Read + Send> = match path {
            None => Box::new(Cursor::new(head).chain(io::stdin())),
            Some(path) => Box::new(File::open(&path).map_err(|error| errors::file(FileError::Io { path, error }))?),
        };
        interruptible(slf, move |tokenizer, stop| {
            tokenizer.encode_stream((&name, input), (Path::new("stdout"), io::stdout()), options, stop)
        })
    }
}

fn file_options(
    specials: &str,
    add_special_tokens: bool,
    format: &str,
    threads: usize,
    part_bytes: usize,
) -> PyResult<FileOptions> {
    let format = IdFormat::NAMES.iter().find(|(name, _)| *name == format).map(|&(_, format)| format);
    let format = format.ok_or_else(|| PyValueError::new_err("format must be \"npy\", \"raw\" or \"text\""))?;
    if part_bytes == 0 {
        return Err(PyValueError::new_err("part_bytes must be at least 1"));
    }
    Ok(FileOptions { specials: options::specials(specials)?, add_special_tokens, format, threads, part_bytes })
}

/// The result of `work` in a thread of its own: signals reach Python only in the thread that called. Other Python threads run
/// meanwhile.
fn interruptible<T: Send + 'static>(
    tokenizer: &Bound<'_, Tokenizer>,
    work: impl FnOnce(&token_engine::Tokenizer, &AtomicBool) -> Result<T, FileError> + Send + 'static,
) -> PyResult<T> {
    let py = tokenizer.py();
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, mut receiver) = channel();
    let (tokenizer, stop_of_thread) = (tokenizer.clone().unbind(), stop.clone());
    std::thread::Builder::new().spawn(move || {
        let done = work(&tokenizer.get().inner, &stop_of_thread);
        // Without a receiver what was written goes with the message.
        let _ = sender.send(done);
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
            Ok(done) => return done.map_err(errors::file),
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
