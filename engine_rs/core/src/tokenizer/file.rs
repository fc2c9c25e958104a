//! Encodes a file into a file of ids, or a stream into a stream. Neither the text nor the ids are ever in memory as a whole.
//!
//! The file is read in windows. Each is cut at split points ([`crate::split_points`]) into parts of about
//! [`FileOptions::part_bytes`], which threads encode independently, while another thread writes the ids of the window before
//! and reads the next one. What is behind the last split point of a window starts the next one. So the ids are those of the
//! whole text, and memory is bounded by a few windows. A window grows where the text has no split point for that long, and a
//! tokenizer without split points encodes the text as a whole: it must be shorter than 4 GiB and is in memory.
//!
//! The file is read and not mapped: a mapping of a file that another process shortens ends the process that reads it, and
//! one that another process writes to changes under the checks that its text is UTF-8. Both cannot be ruled out.
//!
//! Not here: how ids are written ([`super::id_file`]).

use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use super::Tokenizer;
use super::id_file::{IdFile, IdFormat, IdWriter, WrittenIds};
use crate::added_tokens::Specials;
use crate::encoding;
use crate::error::EncodeError;
use crate::ids::Id;
use crate::parallel;
use crate::split_points::SplitPoints;
use crate::stages::Start;

/// How to encode a file.
#[derive(Clone, Copy, Debug)]
pub struct FileOptions {
    /// What text that spells a special token is.
    pub specials: Specials,
    /// Whether the tokens that the postprocessor puts around a text are written.
    pub add_special_tokens: bool,
    /// The form of the output.
    pub format: IdFormat,
    /// How many threads encode; 0 means all cores.
    pub threads: usize,
    /// About how many bytes of the text one thread encodes at a time; at least 1.
    pub part_bytes: usize,
}

impl Default for FileOptions {
    fn default() -> Self {
        Self {
            specials: Specials::Text,
            add_special_tokens: false,
            format: IdFormat::Npy,
            threads: 0,
            part_bytes: 256 << 10,
        }
    }
}

/// Why a file is not encoded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The system refused to read, to write or to make a file.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The text cannot be encoded. Places are bytes of the file.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The file is no text.
    #[error("{}: the byte 0x{byte:02X} at {at} is not UTF-8; convert the file to UTF-8 first", path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The first byte that is not UTF-8.
        byte: u8,
        /// Its index in the file.
        at: u64,
    },
    /// The file was written to, or shortened.
    #[error("{} changed while it was read, from {before} bytes to {after}; encode it when nothing writes to it", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// Its size at first.
        before: u64,
        /// Its size at the end, or where that is the same, the bytes that were read.
        after: u64,
    },
    /// The output would take the place of the text.
    #[error("{} is the text itself; write the ids to another file", path.display())]
    SameFile {
        /// The file.
        path: PathBuf,
    },
    /// The output is there and is no file: a pipe, a device, or a link to what is not there.
    #[error("{} is not a file that ids can take the place of; write them to a file", path.display())]
    NotReplaced {
        /// The output.
        path: PathBuf,
    },
    /// The header of numpy says how many ids there are, which a stream does not know when it begins.
    #[error("ids for numpy have their number before them; write them to a file, or in the format \"raw\"")]
    NpyStream,
    /// The postprocessor does more than put tokens before and after a text.
    #[error(
        "the postprocessor of this tokenizer does more than put tokens before and after a text; set `add_special_tokens` to false"
    )]
    NeedsWholeText,
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

impl Tokenizer {
    /// Writes the ids of the text in the file `input` to a file beside `output`; [`WrittenIds::keep`] puts it there. Those
    /// are the ids of the whole text, whatever the number of threads and the size of the parts. Ends soon after `stop` is
    /// set, when the parts in work are done.
    ///
    /// Errors: see [`FileError`].
    pub fn encode_file(
        &self,
        input: &Path,
        output: &Path,
        options: FileOptions,
        stop: &AtomicBool,
    ) -> Result<WrittenIds, FileError> {
        let mut source = Source::open(input)?;
        // A link stays a link: the file it names is replaced.
        let output = match output.canonicalize() {
            Ok(output) if output.is_file() || output.is_dir() => output,
            Err(_) if !output.is_symlink() => output.to_owned(),
            _ => return Err(FileError::NotReplaced { path: output.to_owned() }),
        };
        if input.canonicalize().is_ok_and(|input| input == output) {
            return Err(FileError::SameFile { path: output });
        }
        let around = self.around(options)?;
        let mut ids = IdFile::create(&output, options.format)?;
        self.encode_around(around, &mut source, &mut ids.writer, options, stop)?;
        source.check_unchanged()?;
        ids.finish()
    }

    /// Writes the ids of the text that `input` gives to `output`, and returns how many there are. `from` and `to` are what errors
    /// call them. Ends soon after `stop` is set, but not while `input` gives nothing.
    ///
    /// Errors: see [`FileError`]. What was encoded before stays written.
    pub fn encode_stream(
        &self,
        (from, input): (&Path, impl Read + Send),
        (to, output): (&Path, impl Write + Send),
        options: FileOptions,
        stop: &AtomicBool,
    ) -> Result<u64, FileError> {
        if options.format == IdFormat::Npy {
            return Err(FileError::NpyStream);
        }
        let around = self.around(options)?;
        let mut source = Source { path: from, input, metadata: None, read: 0, is_at_end: false };
        let mut ids = IdWriter::new(to, output, options.format);
        self.encode_around(around, &mut source, &mut ids, options, stop)?;
        ids.end()?;
        Ok(ids.count)
    }

    /// The ids before and after those of the text.
    fn around(&self, options: FileOptions) -> Result<(Vec<Id>, Vec<Id>), FileError> {
        if options.add_special_tokens {
            self.around_text(true).ok_or(FileError::NeedsWholeText)
        } else {
            Ok((vec![], vec![]))
        }
    }

    fn encode_around<R: Read + Send, W: Write + Send>(
        &self,
        (before, after): (Vec<Id>, Vec<Id>),
        source: &mut Source<'_, R>,
        ids: &mut IdWriter<'_, W>,
        options: FileOptions,
        stop: &AtomicBool,
    ) -> Result<(), FileError> {
        ids.write(&before)?;
        self.encode_windows(source, ids, options, stop)?;
        ids.write(&after)
    }

    fn encode_windows<R: Read + Send, W: Write + Send>(
        &self,
        source: &mut Source<'_, R>,
        file: &mut IdWriter<'_, W>,
        options: FileOptions,
        stop: &AtomicBool,
    ) -> Result<(), FileError> {
        let points = SplitPoints::new(self, options.specials);
        let part_bytes = options.part_bytes.max(1);
        // Several parts for each thread, so that none waits long for the last.
        let parts = 8 * parallel::workers(options.threads);
        let window = if points.exist() { part_bytes.saturating_mul(parts) } else { usize::MAX };
        let beyond = self.parts.added.longest(options.specials).max(4);
        let mut bytes = vec![];
        let mut wanted = window;
        let mut start = 0; // of `bytes` in the file
        source.fill(&mut bytes, wanted, stop)?;
        let mut done: Vec<Vec<Id>> = vec![];
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(FileError::Stopped);
            }
            let text = source.text(&bytes, start)?;
            let cuts = cuts(text, source.is_at_end, part_bytes, beyond, points);
            let end = cuts.last().copied().unwrap_or(0);
            if end == 0 && !source.is_at_end {
                // Twice as much: all growing together costs no more than reading the last window twice.
                wanted = wanted.saturating_mul(2);
                source.fill(&mut bytes, wanted, stop)?;
                continue;
            }
            wanted = window;
            let part = |number: usize| {
                if stop.load(Ordering::Relaxed) {
                    return Err(FileError::Stopped);
                }
                let from = if number == 0 { 0 } else { cuts[number - 1] };
                let (text, at) = (&text[from..cuts[number]], start + from as u64);
                let start = if at == 0 { Start::OfText } else { Start::Inside };
                let mut ids = Vec::with_capacity(encoding::room_for(text.len()));
                let moved = |error: EncodeError| error.moved(usize::try_from(at).unwrap_or(usize::MAX));
                self.encode_from(text, start, options.specials, &mut ids).map_err(moved)?;
                Ok(ids)
            };
            let encode = || parallel::map(cuts.len(), options.threads, part);
            let mut next = bytes[end..].to_vec();
            let mut write_and_read = || {
                done.iter().try_for_each(|ids| file.write(ids))?;
                source.fill(&mut next, wanted, stop)
            };
            // No part ends where a window does but the last one.
            let is_last = end == bytes.len();
            let (encoded, moved) = if parallel::workers(options.threads) > 1 {
                parallel::join(encode, write_and_read)
            } else {
                (encode(), write_and_read())
            };
            done = encoded?;
            moved?;
            if is_last {
                return done.iter().try_for_each(|ids| file.write(ids));
            }
            start += end as u64;
            bytes = next;
        }
    }
}

/// Ends of the parts of `text`, which starts at a split point of the whole text: split points about `part_bytes` apart, and
/// the end of the text if it is that of the whole. What is less than `beyond` bytes before another end is not looked at,
/// since it depends on what follows.
fn cuts(text: &str, is_at_end: bool, part_bytes: usize, beyond: usize, points: SplitPoints<'_>) -> Vec<usize> {
    let limit = if is_at_end { text.len() } else { text.len().saturating_sub(beyond) };
    let is_cut = |&at: &usize| text.is_char_boundary(at) && points.is_split_point(text, at);
    let (mut cuts, mut at) = (vec![], 0);
    while points.exist() && limit - at > part_bytes {
        let target = at + part_bytes;
        let Some(found) = (at + 1..=target).rev().find(is_cut).or_else(|| (target + 1..limit).find(is_cut)) else {
            break;
        };
        cuts.push(found);
        at = found;
    }
    if is_at_end && at < text.len() {
        cuts.push(text.len());
    }
    cuts
}

/// The text that is read.
struct Source<'a, R> {
    path: &'a Path,
    input: R,
    /// What the system said of it when it was opened; `None` for what is no file, such as a pipe.
    metadata: Option<Metadata>,
    read: u64,
    is_at_end: bool,
}

impl<'a> Source<'a, File> {
    fn open(path: &'a Path) -> Result<Self, FileError> {
        let refused = |error| FileError::Io { path: path.to_owned(), error };
        let file = File::open(path).map_err(refused)?;
        let metadata = file.metadata().map_err(refused)?;
        if metadata.is_dir() {
            return Err(refused(io::ErrorKind::IsADirectory.into()));
        }
        let metadata = metadata.is_file().then_some(metadata);
        Ok(Self { path, input: file, metadata, read: 0, is_at_end: false })
    }

    fn check_unchanged(&self) -> Result<(), FileError> {
        let Some(old) = &self.metadata else { return Ok(()) };
        let now = self.input.metadata().map_err(|error| FileError::Io { path: self.path.to_owned(), error })?;
        let before = old.len();
        let same = now.len() == before && now.modified().ok() == old.modified().ok();
        // Files of the system that say they are empty are not.
        if same && (self.read == before || before == 0) {
            return Ok(());
        }
        let after = if now.len() == before { self.read } else { now.len() };
        Err(FileError::Changed { path: self.path.to_owned(), before, after })
    }
}

impl<R: Read> Source<'_, R> {
    /// Reads until there are `wanted` bytes in `bytes`, or all.
    fn fill(&mut self, bytes: &mut Vec<u8>, wanted: usize, stop: &AtomicBool) -> Result<(), FileError> {
        while !self.is_at_end && bytes.len() < wanted {
            if stop.load(Ordering::Relaxed) {
                return Err(FileError::Stopped);
            }
            let most = (wanted - bytes.len()).min(4 << 20);
            let read = (&mut self.input).take(most as u64).read_to_end(bytes);
            let read = read.map_err(|error| FileError::Io { path: self.path.to_owned(), error })?;
            self.read += read as u64;
            self.is_at_end = read < most;
        }
        Ok(())
    }

    /// The whole characters of `bytes`, which start at byte `start` of the file.
    fn text<'b>(&self, bytes: &'b [u8], start: u64) -> Result<&'b str, FileError> {
        let error = match std::str::from_utf8(bytes) {
            Ok(text) => return Ok(text),
            Err(error) => error,
        };
        let valid = error.valid_up_to();
        match std::str::from_utf8(&bytes[..valid]) {
            Ok(text) if error.error_len().is_none() && !self.is_at_end => Ok(text),
            _ => Err(FileError::NotUtf8 { path: self.path.to_owned(), byte: bytes[valid], at: start + valid as u64 }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;

    use super::*;
    use crate::testing::{Random, stages};

    /// A folder of its own for each test, which goes with the value.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("tokenlab-ids-{}-{name}", std::process::id()));
            std::fs::create_dir_all(&path).expect("a folder");
            Self(path)
        }

        fn file(&self, name: &str, content: &[u8]) -> PathBuf {
            let path = self.0.join(name);
            std::fs::write(&path, content).expect("written");
            path
        }

        fn names(&self) -> usize {
            std::fs::read_dir(&self.0).expect("a folder").count()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    const PARTS: &[&str] = &[
        "the",
        " the",
        "a",
        "abab",
        "É",
        "e\u{301}",
        "日本",
        "、",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\u{3000}",
        "'s",
        ".",
        "1",
        "1234",
        "<|end|>",
        "<|",
        "[MASK]",
        "👩\u{200D}🔬",
        "\0",
        "ß",
        "안녕",
        "▁",
        "か\u{3099}",
        "слово ",
        " word",
    ];

    fn raw(bytes: &[u8]) -> Vec<Id> {
        bytes.chunks_exact(4).map(|id| Id::from_le_bytes(id.try_into().expect("four"))).collect()
    }

    /// Gives at most three bytes at a time, as a pipe may.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let most = into.len().min(3);
            self.0.read(&mut into[..most])
        }
    }

    fn stream(tokenizer: &Tokenizer, text: &str, options: FileOptions) -> Result<Vec<u8>, FileError> {
        let mut written = vec![];
        let (input, go_on) = (Slow(text.as_bytes()), AtomicBool::new(false));
        tokenizer.encode_stream((Path::new("in"), input), (Path::new("out"), &mut written), options, &go_on)?;
        Ok(written)
    }

    #[test]
    fn a_stream_refuses_what_it_cannot_write() {
        let tokenizer = stages::split_or_not().remove(0).build("example").expect("valid");
        let options = FileOptions { format: IdFormat::Npy, ..FileOptions::default() };
        assert!(matches!(stream(&tokenizer, "a", options), Err(FileError::NpyStream)));
        let (input, go_on) = (&b"a b"[..], AtomicBool::new(false));
        let options = FileOptions { format: IdFormat::Raw, ..options };
        let result =
            tokenizer.encode_stream((Path::new("in"), input), (Path::new("out"), &mut [0_u8; 3][..]), options, &go_on);
        assert!(matches!(result, Err(FileError::Io { path, .. }) if path == Path::new("out")));
        let bytes = &b"a b\xff"[..];
        let result = tokenizer.encode_stream((Path::new("stdin"), bytes), (Path::new("out"), vec![]), options, &go_on);
        assert!(result.expect_err("refused").to_string().starts_with("stdin: the byte 0xFF at 3"));
    }

    #[test]
    fn a_file_has_the_ids_of_its_text_whatever_the_parts() {
        let folder = Folder::new("same");
        let output = folder.0.join("out");
        let mut random = Random::new(11);
        let go_on = AtomicBool::new(false);
        for (name, definition) in
            stages::split_or_not().into_iter().chain(stages::with_fast_paths()).enumerate().step_by(2)
        {
            let tokenizer = definition.build("example").expect("valid");
            for round in 0..12 {
                let text: String = (0..random.below(60)).map(|_| *random.pick(PARTS)).collect();
                let input = folder.file("in", text.as_bytes());
                let specials = if round % 2 == 0 { Specials::Text } else { Specials::Parse };
                let options = FileOptions {
                    specials,
                    threads: round % 3,
                    part_bytes: 1 + random.below(20),
                    format: IdFormat::Raw,
                    ..FileOptions::default()
                };
                let expected = tokenizer.encode_ids(&text, specials);
                let found = tokenizer.encode_file(&input, &output, options, &go_on).and_then(WrittenIds::keep);
                match (expected, found) {
                    (Ok(ids), Ok(count)) => {
                        let found = raw(&std::fs::read(&output).expect("there"));
                        assert_eq!(found, ids, "tokenizer {name}, {text:?}, {options:?}");
                        assert_eq!(count, ids.len() as u64);
                        let streamed = stream(&tokenizer, &text, options).expect("encoded");
                        assert_eq!(raw(&streamed), ids, "tokenizer {name}, {text:?}, {options:?}");
                        let words: Vec<String> = ids.iter().map(Id::to_string).collect();
                        let streamed = stream(&tokenizer, &text, FileOptions { format: IdFormat::Text, ..options });
                        assert_eq!(String::from_utf8(streamed.expect("encoded")), Ok(words.join(" ") + "\n"));
                    }
                    (Err(expected), Err(FileError::Encode(found))) => assert_eq!(found, expected),
                    (expected, found) => panic!("tokenizer {name}, {text:?}: {expected:?} and {found:?}"),
                }
            }
        }
    }

    #[test]
    fn nothing_is_left_of_a_file_that_is_not_encoded() {
        let folder = Folder::new("refused");
        let tokenizer = stages::split_or_not().remove(0).build("example").expect("valid");
        let (options, go_on) = (FileOptions { part_bytes: 2, ..FileOptions::default() }, AtomicBool::new(false));
        let text = folder.file("in", b"a b c d e f");
        let refused = |input: &Path, output: &Path| {
            let result = tokenizer.encode_file(input, output, options, &go_on);
            result.map(|ids| ids.count).expect_err("refused").to_string()
        };
        let output = folder.0.join("out.npy");
        for (bytes, byte, at) in [(&b"a b c d \xff f"[..], "FF", 8), (b"a b\xe6\x97", "E6", 3)] {
            let input = folder.file("broken", bytes);
            let expected = format!("the byte 0x{byte} at {at} is not UTF-8");
            assert!(refused(&input, &output).contains(&expected), "{}", refused(&input, &output));
        }
        assert!(refused(&text, &text).contains("is the text itself"));
        assert!(refused(&folder.0.join("absent"), &output).contains("absent"));
        assert!(refused(&text, &folder.0.join("no/out")).contains("no/out"));
        let stop = AtomicBool::new(true);
        assert!(matches!(tokenizer.encode_file(&text, &output, options, &stop), Err(FileError::Stopped)));
        drop(tokenizer.encode_file(&text, &output, options, &go_on).expect("encoded"));
        assert_eq!(folder.names(), 2, "in and broken");
    }

    #[test]
    fn a_file_that_changes_is_refused() {
        let folder = Folder::new("changed");
        let path = folder.file("in", &[b'x'; 100]);
        let mut source = Source::open(&path).expect("there");
        let (mut bytes, stop) = (vec![], AtomicBool::new(false));
        source.fill(&mut bytes, 50, &stop).expect("read");
        OpenOptions::new().write(true).open(&path).and_then(|file| file.set_len(60)).expect("shortened");
        source.fill(&mut bytes, 1000, &stop).expect("read");
        let error = source.check_unchanged().expect_err("changed").to_string();
        assert!(error.contains("from 100 bytes to 60"), "{error}");
    }
}
