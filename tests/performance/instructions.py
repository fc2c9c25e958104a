"""`make bench-instructions`: instructions per byte and per pretoken of the engine, counted by callgrind.

Other programs on the machine do not change the counts. The first pass is what one pass adds to loading; the warm pass is what a
second one adds to the first. A SentencePiece model gets a whole text as one pretoken. Callgrind has no AVX-512, so that the code for AVX2 is counted.
"""

import argparse
import re
import subprocess
import tempfile
from pathlib import Path

from tests.performance.engine.material import Materials
from tests.performance.texts import ROOT, shared_data, workloads

PROGRAM = ROOT / "target" / "release" / "examples" / "encode"
TOKENIZERS = ("cl100k_base", "o200k_base", "bert-base-uncased", "t5.json", "t5.model")
COLLECTED = re.compile(r"Collected : (\d+)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kilobytes", type=int, default=200, help="size of each text (default 200)")
    parser.add_argument("--tokenizers", nargs="+", default=TOKENIZERS, choices=TOKENIZERS, metavar="NAME")
    parser.add_argument("--program", type=Path, default=PROGRAM)
    options = parser.parse_args()
    print("| tokenizer | text | bytes | pretokens | tokens | pass | instructions per byte | per pretoken |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory(prefix="tokenlab-instructions-") as folder:
        materials = Materials(Path(folder), shared_data())
        texts = {}
        for name, text in workloads(options.kilobytes * 1000):
            texts[name] = Path(folder) / f"{name}.txt"
            texts[name].write_bytes(text.encode())
        for tokenizer in options.tokenizers:
            files = materials.get(tokenizer).files
            if files is None:
                print(f"| {tokenizer} | {materials.get(tokenizer).note} | | | | | | |")
                continue
            path = Path(files.file or files.tokenizer_json or "")
            for name, text_path in texts.items():
                for cells in counted(options.program, path, text_path, Path(folder)):
                    print("| " + " | ".join((tokenizer, name, *cells)) + " |", flush=True)


def counted(program: Path, tokenizer: Path, text: Path, folder: Path) -> list[tuple[str, ...]]:
    """The cells of the first and the warm pass."""
    runs = [_run(program, tokenizer, text, folder, passes) for passes in (0, 1, 2)]
    (size, pretokens, _), tokens = runs[0][1], runs[1][1][2]
    # The run without a pass looks at each stage instead, to count the pretokens: loading alone is a run over no text.
    empty = folder / "empty.txt"
    empty.touch()
    loading = _run(program, tokenizer, empty, folder, 1)[0]
    passes = (("first", runs[1][0] - loading), ("warm", runs[2][0] - runs[1][0]))
    return [
        (str(size), str(pretokens), str(tokens), name, f"{count / size:.2f}", f"{count / max(1, pretokens):.1f}")
        for name, count in passes
    ]


def _run(program: Path, tokenizer: Path, text: Path, folder: Path, passes: int) -> tuple[int, list[int]]:
    """Instructions of a run, and what it prints: bytes, pretokens, tokens."""
    tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'callgrind.out'}"]
    command = [*([] if passes == 0 else tool), str(program), str(tokenizer), str(text), str(passes)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    found = COLLECTED.search(done.stderr)
    return int(found[1]) if found else 0, [int(word) for word in done.stdout.split()]


if __name__ == "__main__":
    main()
