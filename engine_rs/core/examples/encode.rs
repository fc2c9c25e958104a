//! Encodes a file so many times: `cargo run --release -p token-engine --example encode -- TOKENIZER TEXT PASSES`.
//!
//! Prints bytes, pretokens and tokens of the text. `make bench-instructions` runs it under callgrind: the instructions of one
//! pass are the difference between two runs, so that loading does not count.

use token_engine::internals::alignment::Part;
use token_engine::internals::stages::Observe;
use token_engine::{EncodeError, Specials, load};

struct Pretokens(usize);

impl Observe for Pretokens {
    fn pretoken(&mut self, _pretoken: &Part<'_>) -> Result<(), EncodeError> {
        self.0 += 1;
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, tokenizer, text, passes] = &arguments[..] else { return Err("TOKENIZER TEXT PASSES".into()) };
    let tokenizer = load(tokenizer)?;
    let text = std::fs::read_to_string(text)?;
    let passes: usize = passes.parse()?;
    let mut pretokens = Pretokens(0);
    if passes == 0 {
        tokenizer.observe(&text, Specials::Text, &mut pretokens)?;
    }
    let mut tokens = 0;
    for _ in 0..passes {
        tokens = std::hint::black_box(tokenizer.encode_ids(&text, Specials::Text)?).len();
    }
    println!("{} {} {tokens}", text.len(), pretokens.0);
    Ok(())
}
