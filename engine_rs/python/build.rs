//! Writes the embedded rank tables: for each encoding one file of tokens by rank, each as one byte of length and its bytes.
//!
//! Plain enough to be read in milliseconds, and smaller than base64. The tests write the official rank files from them
//! again and compare their sha256.

use std::path::Path;

/// Encodings and their number of ranks.
const TABLES: [(&str, u32); 3] = [("r50k_base", 50_256), ("cl100k_base", 100_256), ("o200k_base", 199_998)];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    for (name, ranks) in TABLES {
        let encoding = tiktoken::get_encoding(name).expect("the feature of this table is on");
        let mut table = vec![];
        for rank in 0..ranks {
            let token = encoding.decode(&[rank]);
            table.push(u8::try_from(token.len()).expect("tokens are shorter than 256 bytes"));
            table.extend(token);
        }
        std::fs::write(Path::new(&out).join(name), table).expect("OUT_DIR can be written");
    }
}
