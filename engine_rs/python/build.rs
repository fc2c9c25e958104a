//! Writes the embedded rank tables: for each encoding one file of tokens by rank, each as the ids of the two tokens that its last
//! merge joins, three bytes each. In place of a pair, [`BYTE`] and the byte are a token of one byte.
//!
//! So the engine need not encode all tokens to find their merges, nor look their parts up. Reading a table takes milliseconds,
//! and it is smaller than the tokens. The tests write the official rank files from the tables again and compare their sha256, and hold the merges to
//! those that the engine finds in a rank file.
//!
//! Also passes on how it is compiled, which only a build script is told, for `_engine.BUILD`.

use std::collections::HashMap;
use std::path::Path;

/// Encodings and their number of ranks. p50k_base is r50k_base with [`SPACES`], which have a table of their own.
const TABLES: [(&str, u32); 3] = [("r50k_base", 50_256), ("cl100k_base", 100_256), ("o200k_base", 199_998)];

/// The ranks that p50k_base has beyond r50k_base: runs of 2 to 25 spaces, from this rank on. No rank has the id of the
/// special token before them.
const SPACES: (usize, std::ops::RangeInclusive<usize>) = (50_257, 2..=25);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    tell_how_it_is_built();
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    for (name, ranks) in TABLES {
        let encoding = tiktoken::get_encoding(name).expect("the feature of this table is on");
        let tokens: Vec<Vec<u8>> = (0..ranks).map(|rank| encoding.decode(&[rank])).collect();
        let mut ranks: HashMap<&[u8], usize> =
            tokens.iter().enumerate().map(|(rank, token)| (&token[..], rank)).collect();
        let write = |name: &str, table: Vec<u8>| {
            std::fs::write(Path::new(&out).join(name), table).expect("OUT_DIR can be written");
        };
        write(name, table(tokens.iter().zip(0..), &ranks));
        if name == "r50k_base" {
            let spaces: Vec<_> = SPACES.1.map(|count| vec![b' '; count]).collect();
            ranks.extend(spaces.iter().map(Vec::as_slice).zip(SPACES.0..));
            write("p50k_base", table(spaces.iter().zip(SPACES.0..), &ranks));
        }
    }
}

/// Sets variables for `env!`.
fn tell_how_it_is_built() {
    let of = |name: &str| std::env::var(name).unwrap_or_default();
    let told = std::process::Command::new(of("RUSTC")).arg("--version").output();
    let compiler = told.map(|told| String::from_utf8_lossy(&told.stdout).trim().to_owned()).unwrap_or_default();
    println!("cargo::rustc-env=BUILD_COMPILER={compiler}");
    for (ours, cargos) in [
        ("PROFILE", "PROFILE"),
        ("OPT_LEVEL", "OPT_LEVEL"),
        ("TARGET", "TARGET"),
        ("TARGET_FEATURES", "CARGO_CFG_TARGET_FEATURE"),
    ] {
        println!("cargo::rustc-env=BUILD_{ours}={}", of(cargos));
    }
}

/// Where the first id of a pair would be.
const BYTE: u32 = 0xff_ffff;

/// The entries of some tokens.
///
/// # Panics
/// Where no pair makes a token of several bytes: these vocabularies have none.
fn table<'a>(tokens: impl Iterator<Item = (&'a Vec<u8>, usize)>, ranks: &HashMap<&[u8], usize>) -> Vec<u8> {
    let mut table = vec![];
    for (token, rank) in tokens {
        let entry = match token[..] {
            [byte] => [BYTE, byte.into()],
            _ => last_pair(ranks, token, rank).expect("a pair makes it").map(|part| ranks[part] as u32),
        };
        table.extend(entry.iter().flat_map(|number| number.to_le_bytes().into_iter().take(3)));
    }
    table
}

/// The last two parts that merges of lower rank leave of a token of several bytes; `None` where they leave more.
fn last_pair<'a>(ranks: &HashMap<&[u8], usize>, token: &'a [u8], rank: usize) -> Option<[&'a [u8]; 2]> {
    let mut starts: Vec<usize> = (0..=token.len()).collect();
    // Ends as each step takes one start away.
    while starts.len() > 3 {
        let joined = starts.windows(3).map(|two| ranks.get(&token[two[0]..two[2]])).enumerate();
        let lowest = joined.filter_map(|(at, joined)| Some((*joined?, at))).min();
        match lowest.filter(|&(lower, _)| lower < rank) {
            Some((_, at)) => starts.remove(at + 1),
            None => return None,
        };
    }
    Some([&token[..starts[1]], &token[starts[1]..]])
}
