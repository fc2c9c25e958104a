"""`wordchipper`. It reads OpenAI's rank files, from a folder that stands for its downloads."""

import os
import shutil
from importlib import import_module

from lab_app.files import temporary_folder
from lab_app.peers.peer import Calls, TokenizerFiles

NAME = "wordchipper"
TITLE = "wordchipper"
PACKAGE = "wordchipper"
MODULE = "wordchipper"
OWN = ("r50k_base", "p50k_base", "cl100k_base", "o200k_base")
JOINED = ", ".join(OWN)


def misfit(files: TokenizerFiles) -> str | None:
    """See `Engine`."""
    return None if files.pattern in OWN and files.rank_file else f"wordchipper reads rank files of {JOINED} alone"


def load(files: TokenizerFiles, threads: int) -> Calls:
    """See `Engine`."""
    wordchipper = import_module(MODULE)

    assert files.rank_file is not None and files.pattern is not None
    with temporary_folder() as folder:
        place = folder / "openai" / files.pattern
        place.mkdir(parents=True)
        shutil.copyfile(files.rank_file, place / f"{files.pattern}.tiktoken")
        os.environ["WORDCHIPPER_CACHE_DIR"] = str(folder)
        options = wordchipper.TokenizerOptions.default()
        options.set_parallel(threads > 1)
        options.set_accelerated_lexers(True)
        tokenizer = wordchipper.Tokenizer.from_pretrained(files.pattern, options)
    return Calls(read_from=files.origin(files.rank_file), ids=tokenizer.encode, batch=tokenizer.encode_batch)
