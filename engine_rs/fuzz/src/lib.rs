//! What the fuzz targets have in common. The same checks on damaged files of fixed seeds: `tests/all/damaged.rs`.

#[path = "../../core/tests/all/small_files.rs"]
pub mod small_files;

use small_files::{FILE, FORMATS};
use token_engine::Tokenizer;

/// Reads any bytes as a format. Panics where an error names another file.
pub fn read(name: &str, content: &[u8]) {
    let format = FORMATS.iter().find(|format| format.name == name).expect("a format");
    if let Err(error) = small_files::reads(format, content) {
        assert_eq!(error.file, FILE, "{error}");
        assert!(!error.problem.is_empty());
    }
}

/// The tokenizers of all small files.
pub fn tokenizers() -> Vec<Tokenizer> {
    let files = FORMATS.iter().flat_map(|format| (format.files)().into_iter().map(|file| (format.read)(&file)));
    files.map(|read| read.and_then(|definition| definition.build(FILE)).expect("a valid file")).collect()
}
