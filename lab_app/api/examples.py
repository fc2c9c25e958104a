"""An example of the body of each call, for the interface's description (`/docs`) and the guide, whose tests send them all.

Bodies that another call returns have none: they name that call.
"""

from typing import Any

TEXT = {"tokenizer": "gpt2", "text": "Hello, world"}
TWO = ["gpt2", "bert-base-uncased"]
MESSAGES = [{"role": "user", "content": "Hello, world"}]
SUBJECTS = [{"tokenizer": "gpt2", "engine": "tokenlab"}]
SOURCE = {"kind": "text", "name": "greeting", "text": "Hello, world. " * 9}
COST = {"max_bytes": 20_000, "rounds": 3, "limit_s": 0.2}
TRAINING = {
    "sources": [{"kind": "practice", "name": "topics"}],
    "options": {"algorithm": "bpe", "vocab_size": 300},
    "name": "my first",
}
PLAYLIST = {
    "kind": "playlist of the Tokenization Laboratory",
    "version": 1,
    "name": "Ten minutes",
    "parts": [{"title": "Bytes", "minutes": 10, "show": "utf8", "text": "héllo"}],
}
EDITS = {"base": "gpt2", "edits": [{"kind": "add_words", "words": ["regolith"]}, {"kind": "shrink", "size": 40_000}]}
ANSWERS = {"tokenizer": "gpt2", "kind": "boundaries", "count": 3, "answers": [[5], [], None]}

BODIES: dict[str, Any] = {
    "POST /tokenize": TEXT,
    "POST /tokenize_batch": {"tokenizer": "gpt2", "texts": ["Hello", "Hello, world"]},
    "POST /decode": {"tokenizer": "gpt2", "ids": [15496, 11, 995]},
    "POST /decode_batch": {"tokenizer": "gpt2", "batch": [[15496], [15496, 11, 995]]},
    "POST /compare": {"tokenizers": TWO, "text": "Tokenization is not trivial"},
    "POST /textbook_encoders": {"tokenizer": "gpt2", "text": "low lower lowest"},
    "POST /chat": {"tokenizer": "o200k_harmony", "messages": MESSAGES, "context": 100, "reserve": 20},
    "POST /chat/checks": {"tokenizer": "gpt2", "messages": MESSAGES, "template": "chatml"},
    "POST /drift": {"tokenizer": "gpt2", "ids": [71, 695, 78, 995]},
    "POST /prompt_end": {"tokenizer": "gpt2", "text": "The total is "},
    "POST /chat/count": {"tokenizer": "o200k_base", "messages": MESSAGES},
    "POST /export": {"tokenizers": ["gpt2"], "text": "Hello, world", "format": "csv"},
    "POST /handouts": {
        "tokenizers": ["gpt2"],
        "text": "lower newest",
        "lesson": {"name": "bpe-encode", "way": "do"},
    },
    "POST /citation": {"tokenizers": ["gpt2"], "text": "Hello, world"},
    "POST /tokenizers": {"path": "/data/tokenizer.json", "id": "mine"},
    "PATCH /tokenizers/{id}": {"name": "My tokenizer"},
    "POST /compose": {"recipe": {"base": "gpt2", "normalizers": ["NFKC", "Lowercase"]}, "text": "Hello, world"},
    "POST /edits": {**EDITS, "text": "Mars has regolith."},
    "POST /edits/checks": EDITS,
    "POST /diff/corpus": {"a": "gpt2", "b": "cl100k_base", "corpus": "udhr"},
    "POST /edits/corpus": {**EDITS, "corpus": "udhr"},
    "POST /edits/rows": {**EDITS, "format": "json"},
    "POST /edits/recipe": {"edits": EDITS["edits"]},
    "POST /edits/recipe/read": {"toml": '[[edit]]\nkind = "shrink"\nsize = 40000\n'},
    "POST /edits/tokenizer": {**EDITS, "id": "gpt2-mars"},
    "POST /vocabulary/{id}/truncate": {"size": 10_000, "text": "Hello, world"},
    "POST /documents": {"tokenizers": ["gpt2"], "text": "Hello"},
    "POST /documents/excerpt": {"tokenizers": ["gpt2"], "text": "Hello, world", "starts": True, "ends": False},
    "POST /documents/{id}/edits": {"version": 1, "start_utf16": 5, "end_utf16": 5, "text": ", world"},
    "POST /explain": {"tokenizer": "gpt2", "text": "Tokenization is not trivial", "at": 5},
    "POST /trace": TEXT,
    "POST /normalization_changes": {"tokenizer": "bert-base-uncased", "text": "Crème Brûlée"},
    "POST /retokenize": {"source": "gpt2", "target": "o200k_base", "text": "Hello, world"},
    "POST /vocabulary_overlap": {"a": "gpt2", "b": "o200k_base"},
    "POST /diff": {"a": "gpt2", "b": "o200k_base"},
    "POST /analyses": {"corpus": "udhr", "tokenizers": TWO, "measures": ["tokens"], "sample_bytes": 100_000},
    "POST /analyses/robustness": {"tokenizers": ["gpt2"], "corpus": "udhr", "sentences": 20, "sample_bytes": 100_000},
    "POST /concordance": {"tokenizer": "gpt2", "corpus": "udhr", "word": "freedom", "limit": 5},
    "POST /concordance/segmentations": {"tokenizer": "gpt2", "corpus": "udhr", "word": "freedom"},
    "POST /conformance": {"tokenizer": "gpt2", "texts": 100},
    "POST /benchmarks": {"source": SOURCE, "subjects": SUBJECTS, "rounds": 5, "time_limit_s": 5},
    "POST /benchmarks/stages": {"tokenizers": ["gpt2"], "source": SOURCE, "rounds": 3},
    "POST /benchmarks/growth": {"subjects": SUBJECTS, **COST},
    "POST /benchmarks/pathological": {"subjects": SUBJECTS, "bytes": 1_000, "rounds": 3, "limit_s": 0.2},
    "POST /benchmarks/race": {"tokenizer": "gpt2", **COST},
    "POST /benchmarks/trainers": {"merges": 20, **COST},
    "POST /benchmarks/profile": TEXT,
    "POST /trainings": TRAINING,
    "POST /trainings/estimate": TRAINING,
    "POST /trainings/{id}/tokenizer": {"name": "my-first"},
    "POST /corpora": {"paths": ["/data/books"], "title": "Books"},
    "POST /corpora/preview": {"corpus": "udhr", "cleaning": ["urls", "white_space"]},
    "POST /corpora/examples": {"corpus": "udhr", "language": "French", "tokenizers": ["gpt2"], "limit": 2},
    "POST /window/files": {"paths": ["/data/books/a.txt"]},
    "PUT /labels/{kind}/{id}": {"name": "Baseline", "note": "Before the change of the pretokenizer"},
    "POST /lessons/boundaries": {**TEXT, "guess": [5, 6]},
    "POST /exercises/marks": ANSWERS,
    "POST /exercises/file": {**ANSWERS, "name": "student"},
    "POST /playlists": PLAYLIST,
    "POST /playlists/check": PLAYLIST,
    "POST /lessons/{name}": {"tokenizer": "gpt2", "text": "low lower"},
    "POST /sessions": {"name": "Greeting", "tokenizers": ["gpt2"], "text": "Hello, world"},
    "PUT /preferences": {"theme": "dark"},
    "PATCH /preferences": {"theme": "light"},
}

RETURNED = {
    "POST /benchmarks/cost/figures": "the `report` of `GET /benchmarks/costs/{id}`",
    "POST /benchmarks/profile/figures": "the answer of `POST /benchmarks/profile`",
    "POST /exercises/check": "the file that `POST /exercises/file` returns",
    "POST /sessions/file": "the file that `GET /sessions/{id}/file` returns",
}
"""Calls whose body is the answer of another one."""
