//! The tests of the public interface, in one program: to link each file alone takes longer than its tests.

mod damaged;
mod scanners;
mod small_files;
mod staged;
mod tokenizer_json;
