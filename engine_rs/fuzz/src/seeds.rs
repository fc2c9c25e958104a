//! Writes the small files as first inputs, one folder per target: `seeds target/corpus`.

use std::path::Path;

use token_engine_fuzz::small_files::FORMATS;

const TEXTS: [&str; 4] = ["The cats, 12 of them.\n", "<s>[MASK] <|endoftext|>", "日本語 e\u{301}ß", " \u{0}\u{FEFF}\t\r\n"];

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).expect("the folder to write into");
    let write = |target: &str, inputs: Vec<Vec<u8>>| {
        let folder = Path::new(&folder).join(target);
        std::fs::create_dir_all(&folder)?;
        inputs.iter().enumerate().try_for_each(|(at, input)| std::fs::write(folder.join(format!("seed-{at}")), input))
    };
    FORMATS.iter().try_for_each(|format| write(format.name, (format.files)()))?;
    write("encode", TEXTS.map(Vec::from).into())
}
