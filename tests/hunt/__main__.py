"""`make hunt`: a million generated texts per vocabulary, ours beside the library that defines its format; and every normalizer
with every pretokenizer scheme.

Writes a summary as JSON and ends with status 1 where something differs. The vocabularies are those of ../shared.
"""

import argparse
import json
import platform
import sys
import zlib
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from tests.hunt.compare import Found, hunt
from tests.hunt.pairs import pairs
from tests.hunt.subjects import VOCAB, Subject, subjects


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=1_000_000, help="texts per vocabulary (default 1000000)")
    parser.add_argument("--seed", type=int, default=0, help="where the texts start from (default 0)")
    parser.add_argument("--only", action="append", metavar="NAME", help="hunt only names with NAME in them")
    parser.add_argument("--processes", type=int, default=None, help="vocabularies at once (default: one per core)")
    parser.add_argument("--summary", type=Path, default=Path("hunt.json"), help="the summary file (default hunt.json)")
    options = parser.parse_args()
    if not VOCAB.is_dir():
        print("the vocabularies are not here: a folder ../shared/data beside the checkout", file=sys.stderr)
        return 1
    names = [name for name in everything() if not options.only or any(part in name for part in options.only)]
    found = []
    with ProcessPoolExecutor(options.processes) as pool:
        work = [pool.submit(hunt_one, name, options.texts, options.seed) for name in names]
        for done in as_completed(work):
            found.append(done.result())
            print(line(found[-1]), flush=True)
            write(options.summary, options.seed, found)
    print(f"\n{options.summary}: {sum(each.clean for each in found)} of {len(found)} without a difference")
    return 0 if all(each.clean for each in found) else 1


def everything() -> dict[str, Callable[[], Subject]]:
    """The vocabularies, then the pairs of stages, by name."""
    return {**subjects(), **dict(pairs())}


def hunt_one(name: str, count: int, seed: int) -> Found:
    """In a process of its own. Every vocabulary gets texts of its own."""
    return hunt(name, everything()[name], count, seed + zlib.crc32(name.encode()), lambda found: None)


def line(found: Found) -> str:
    """One result for people."""
    words = [f"{found.name:40} {found.reference:18} {found.texts:9,} texts, {found.characters:12,} characters:"]
    words.append(f"{found.ids_differ} ids, {found.spans_differ if found.spans_compared else '—'} spans,")
    words.append(f"{found.decoding_differs} decodings differ; {found.documented} spans as documented")
    if found.problem:
        words.append(f"ENDED EARLY: {found.problem}")
    return " ".join(words)


def write(path: Path, seed: int, found: list[Found]) -> None:
    """The summary so far."""
    ordered = sorted(found, key=lambda each: each.name)
    summary = {
        "seed": seed,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "clean": all(each.clean for each in found),
        "vocabularies": [each.as_json() for each in ordered],
    }
    path.write_text(json.dumps(summary, ensure_ascii=True, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
