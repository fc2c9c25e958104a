//! The Python extension `lab_app._engine`: the list of what it exports.
//!
//! Holds no algorithm: convert, release the interpreter, convert back. `lab_app/engine.py` is its public face.

mod build;
mod builtin;
mod calls;
mod convert;
mod divergence;
mod document;
mod encode;
mod encode_file;
mod encoding;
mod errors;
mod int_table;
mod lesson;
mod new_tokens;
mod options;
mod sampling;
mod tally;
mod textbook;
mod timing;
mod tokenizer;
mod trace;
mod train;
mod train_counter;
mod train_trainer;
mod vocabulary;

use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyTuple};
use token_engine::flags;
use token_engine::formats::{patterns, plain, save};
use token_engine::internals::call::LIMITS;
use token_inspect::corpus::measures::NAMES;
use token_inspect::document::divergence::kinds::KINDS;
use token_inspect::document::packed::{ENDS_INSIDE, GAP, STARTS_INSIDE, UNITS, WIDE};
use token_inspect::lesson::Name;
use token_inspect::textbook::Algorithm;
use token_inspect::vocabulary::audit::Verdict;
use token_inspect::vocabulary::kinds::Kind;
use token_inspect::vocabulary::scripts::SCRIPTS;
use token_train::bpe::race::Racer;

#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add_class::<tokenizer::Tokenizer>()?;
    module.add_class::<encoding::Encoding>()?;
    module.add_class::<calls::Call>()?;
    module.add_class::<vocabulary::VocabularyIndex>()?;
    module.add_class::<document::Document>()?;
    module.add_class::<trace::Trace>()?;
    module.add_class::<lesson::Lesson>()?;
    module.add_class::<tally::Tally>()?;
    module.add_class::<train_counter::WordCounter>()?;
    module.add_class::<train_trainer::Trainer>()?;
    module.add_function(wrap_pyfunction!(train::safe_chunk_end, module)?)?;
    module.add_function(wrap_pyfunction!(train::train_race, module)?)?;
    module.add("MAX_WORD_BYTES", token_train::MAX_WORD_BYTES)?;
    module.add("TRAIN_RACERS", Racer::ALL.map(Racer::name))?;
    module.add_function(wrap_pyfunction!(tally::encode_documents, module)?)?;
    module.add_function(wrap_pyfunction!(tally::occurrences, module)?)?;
    module.add_function(wrap_pyfunction!(tally::word_places, module)?)?;
    module.add_function(wrap_pyfunction!(tally::segmentations, module)?)?;
    module.add("LIMITS", LIMITS.to_vec())?;
    module.add("TALLY_MEASURES", PyTuple::new(py, NAMES)?)?;
    module.add("EngineError", py.get_type::<errors::EngineError>())?;
    module.add("LoadError", py.get_type::<errors::LoadError>())?;
    module.add("SaveError", py.get_type::<errors::SaveError>())?;
    module.add("CallCancelled", py.get_type::<errors::CallCancelled>())?;
    module.add("EncodeError", py.get_type::<errors::EncodeError>())?;
    module.add("DecodeError", py.get_type::<errors::DecodeError>())?;
    module.add("TrainError", py.get_type::<errors::TrainError>())?;
    module.add_function(wrap_pyfunction!(textbook::textbook_encode, module)?)?;
    module.add_function(wrap_pyfunction!(textbook::textbook_train, module)?)?;
    module.add("TEXTBOOK", Algorithm::ALL.map(|algorithm| (algorithm.name(), algorithm.describe())).to_vec())?;
    module.add("LESSONS", Name::ALL.map(|(_, name, model)| (name, model)).into_py_dict(py)?)?;
    module.add_function(wrap_pyfunction!(divergence::divergences, module)?)?;
    module.add_function(wrap_pyfunction!(document::encode_excerpt, module)?)?;
    module.add("DIVERGENCE_KINDS", PyTuple::new(py, KINDS)?)?;
    module.add("KINDS", Kind::ALL.map(Kind::name))?;
    module.add("SCRIPTS", SCRIPTS)?;
    module.add("VERDICTS", Verdict::ALL.map(Verdict::name))?;
    module.add("SPECIAL", flags::SPECIAL)?;
    module.add("TEMPLATE", flags::TEMPLATE)?;
    module.add("UNKNOWN", flags::UNKNOWN)?;
    module.add("PADDING", flags::PADDING)?;
    module.add("UNITS", UNITS)?;
    module.add("GAP", GAP)?;
    module.add("WIDE", WIDE)?;
    module.add("STARTS_INSIDE", STARTS_INSIDE)?;
    module.add("ENDS_INSIDE", ENDS_INSIDE)?;
    module.add("PATTERNS", PyTuple::new(py, patterns::names().collect::<Vec<_>>())?)?;
    module.add("FORMATS", PyTuple::new(py, save::NAMES)?)?;
    module.add("BUILD", build::facts(py)?)?;
    module.add("BUILTIN", builtin::TABLES.each_ref().map(|table| table.name))?;
    module.add("PLAIN", plain::NAMES)?;
    module.add_function(wrap_pyfunction!(tokenizer::check_pattern, module)?)?;
    module.add_function(wrap_pyfunction!(tokenizer::gguf_without_tensors, module)?)?;
    module.add_function(wrap_pyfunction!(tokenizer::gguf_chat, module)?)?;
    module.add_function(wrap_pyfunction!(tokenizer::published_rank_file, module)?)?;
    Ok(())
}
