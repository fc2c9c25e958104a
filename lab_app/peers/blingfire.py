"""`blingfire` of Microsoft. It has its own copy of the uncased BERT tokenizer."""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from lab_app.peers.peer import Calls, TokenizerFiles

NAME = "blingfire"
TITLE = "blingfire"
PACKAGE = "blingfire"
MODULE = "blingfire"
OWN = "bert-base-uncased"


def misfit(files: TokenizerFiles) -> str | None:
    """See `Engine`."""
    return None if files.tokenizer.lower() == OWN else f"blingfire has its own copy of {OWN} alone"


def load(files: TokenizerFiles, threads: int) -> Calls:
    """See `Engine`."""
    blingfire = import_module(MODULE)

    model = blingfire.load_model(str(Path(blingfire.__file__ or "").parent / "bert_base_tok.bin"))

    def ids(text: str) -> Any:
        # A buffer of fixed size, filled up with 0, which is [PAD] and comes from no text; 100 is [UNK].
        found = blingfire.text_to_ids(model, text, len(text) + 64, 100)
        return found[: np.count_nonzero(found)]

    return Calls(read_from=f"its own copy of {OWN}", ids=ids)
