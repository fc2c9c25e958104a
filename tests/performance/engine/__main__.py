"""`make bench`: the whole table of the engine's speed beside every library that is installed.

In each row all libraries encode the same texts in turns in one process, on one thread, after their ids were compared. Writes
`engine.json` and `engine.md` into the folder of `--out`. A floor that is missed is shown, and is no error.
"""

import argparse
from pathlib import Path

from tests.performance.engine.page import lines
from tests.performance.engine.rows import TITLES, cases
from tests.performance.engine.run import Options, run

ROOT = Path(__file__).resolve().parents[3]
LEFT_OUT = {"linear"}
"""Of a quick run."""
QUICK_MODELS = {"cl100k_base", "bert-base-uncased", "t5.model", "llama2.model"}
"""Of a quick run, for inputs that break encoders."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, help="rounds per case (default 9; 5 in a quick run)")
    parser.add_argument("--megabytes", type=float, help="size of each text (default 2; 1 in a quick run)")
    parser.add_argument("--rows", nargs="+", choices=TITLES, metavar="NAME", help="only these: " + " ".join(TITLES))
    parser.add_argument(
        "--quick", action="store_true", help="about 5 minutes: fewer rounds, only the libraries of floors"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "target" / "bench", help="folder (default target/bench)")
    parser.add_argument("--peers", nargs="*", default=[str(ROOT / ".venv" / "peers")], help="folders of libraries")
    parser.add_argument("--next", default=str(ROOT / ".venv" / "peers-next"), help="folder of tokenizers 1.0")
    parser.add_argument("--vocabularies", type=Path, help="folder with NAME/tokenizer.json for deepseek, gemma, xlm-r")
    asked = parser.parse_args()
    options = Options(
        rounds=asked.rounds or (5 if asked.quick else 9),
        megabytes=asked.megabytes or (1.0 if asked.quick else 2.0),
        quick=asked.quick,
        folders=asked.peers,
        next_release=asked.next if Path(asked.next).is_dir() else None,
        vocabularies=asked.vocabularies,
    )
    chosen = [
        case
        for case in cases()
        if (asked.rows is None or case.row in asked.rows)
        and not (asked.quick and asked.rows is None and case.row in LEFT_OUT)
        and not (asked.quick and case.row == "worst" and case.tokenizer not in QUICK_MODELS)
    ]
    out = asked.out / "engine.json"
    result = run(options, chosen, out)
    page = "\n".join(lines(result.as_json())) + "\n"
    out.with_suffix(".md").write_text(page, encoding="utf-8")
    print(page)
    print(f"Written: {out} and {out.with_suffix('.md')}")


if __name__ == "__main__":
    main()
