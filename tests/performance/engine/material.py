"""The files of each tokenizer of the table: from the engine, from the test data beside the checkout, or written from those.

A tokenizer whose files are not to be had has a stand-in: its stages over the vocabulary of another one, so that its algorithm
is measured. Real files are a folder of tokenizer.json files: `NAME/tokenizer.json` in `--vocabularies`.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab_app import paths
from lab_app.engine import BUILTIN, Tokenizer
from lab_app.peers.peer import TokenizerFiles

JSON = "tokenizer.json"
PATTERNS = {
    "pattern.words": r"\p{L}+|\p{N}+|[^\s\p{L}\p{N}]+|\s+",
    "pattern.look_ahead": r"[A-Z][a-z]+|[a-z]+|\d{1,2}|\s+(?!\S)|\s|[^\sA-Za-z\d]+",
}
CL100K = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
"""The pattern of cl100k_base in the form that tokenizer.json files have, which tokenizers 1.0 knows."""
SPACE = "\u2581"


@dataclass(frozen=True)
class Material:
    """The files of one tokenizer of the table."""

    files: TokenizerFiles | None
    note: str | None = None
    """What it is made of; why there are no files if there are none."""


class Materials:
    """Finds or writes files, each once. `folder` is for those that are written."""

    def __init__(self, folder: Path, data: Path | None, vocabularies: Path | None = None) -> None:
        self.folder = folder
        self._vocab = data / "vocab" if data else None
        self._own = vocabularies
        self._found: dict[str, Material] = {}

    def get(self, name: str) -> Material:
        """The material of a tokenizer of `rows`."""
        if name not in self._found:
            self._found[name] = self._made(name)
        return self._found[name]

    def _made(self, name: str) -> Material:
        if name in BUILTIN:
            return Material(self._builtin(name))
        if name == "bert-base-uncased":
            return Material(self._bert())
        if name in PATTERNS:
            return Material(self._json(name, self._over("cl100k_base", _split_by(PATTERNS[name]))))
        if self._own and (own := self._own / name / JSON).is_file():
            return Material(TokenizerFiles(name, file=str(own), tokenizer_json=str(own)))
        try:
            return self._of_data(name)
        except FileNotFoundError as error:
            return Material(None, f"the test data have no {error}")

    def _of_data(self, name: str) -> Material:
        base, _, kind = name.partition(".")
        if kind == "json" or name == "clip":
            path = str(self._path(base, JSON))
            return Material(TokenizerFiles(name, file=path, tokenizer_json=path))
        if kind == "model":
            model = str(self._path(base, "spiece.model" if base == "t5" else "tokenizer.model"))
            path = str(self._path(base, JSON))
            return Material(TokenizerFiles(name, file=model, sentencepiece_model=model, tokenizer_json=path))
        if name == "qwen2":
            tokenizer = Tokenizer.from_file(self._path("qwen2", "vocab.json"), pattern="qwen2")
            return Material(self._written(name, tokenizer))
        if name == "deepseek":
            note = "the stages of DeepSeek over the vocabulary of cl100k_base"
            ranks = self._builtin("cl100k_base").rank_file
            assert ranks is not None
            return Material(self._written(name, Tokenizer.from_file(ranks, pattern="deepseek")), note)
        if name == "gemma":
            note = "the stages of Gemma over the vocabulary of Llama 2"
            return Material(self._json(name, self._edited(self._path("llama2", JSON), _as_gemma)), note)
        assert name == "xlm-r", name
        note = "the stages of XLM-R over the vocabulary of T5"
        return Material(self._json(name, self._edited(self._path("t5", JSON), _as_xlm_r)), note)

    def _builtin(self, name: str) -> TokenizerFiles:
        tokenizer = Tokenizer.builtin(name)
        ranks, json_file = self._new(name, f"{name}.tiktoken"), self._new(name, JSON)
        tokenizer.to_file(ranks, format="tiktoken")
        tokenizer.to_file(json_file)
        if name == "cl100k_base":
            json_file.write_text(json.dumps(self._edited(json_file, _split_by(CL100K))), encoding="utf-8")
        written = (str(ranks), str(json_file))
        return TokenizerFiles(
            name, builtin=name, pattern=name, rank_file=written[0], tokenizer_json=written[1], written=written
        )

    def _bert(self) -> TokenizerFiles:
        vocab = str(paths.packed() / "bert-base-uncased" / "vocab.txt")
        made = self._new("bert-base-uncased", JSON)
        Tokenizer.from_file(vocab).to_file(made)
        return TokenizerFiles(
            "bert-base-uncased", file=vocab, vocab_txt=vocab, tokenizer_json=str(made), written=(str(made),)
        )

    def _path(self, folder: str, name: str) -> Path:
        path = self._vocab / folder / name if self._vocab else Path(folder) / name
        if not path.is_file():
            raise FileNotFoundError(f"{folder}/{name}")
        return path

    def _new(self, folder: str, name: str) -> Path:
        path = self.folder / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def _over(self, builtin: str, edit: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        path = self.get(builtin).files
        assert path is not None and path.tokenizer_json is not None
        return self._edited(Path(path.tokenizer_json), edit)

    def _edited(self, path: Path, edit: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        definition: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        edit(definition)
        return definition

    def _json(self, name: str, definition: dict[str, Any]) -> TokenizerFiles:
        path = self._new(name, JSON)
        path.write_text(json.dumps(definition), encoding="utf-8")
        return TokenizerFiles(name, file=str(path), tokenizer_json=str(path), written=(str(path),))

    def _written(self, name: str, tokenizer: Tokenizer) -> TokenizerFiles:
        path = self._new(name, JSON)
        tokenizer.to_file(path)
        return TokenizerFiles(name, file=str(path), tokenizer_json=str(path), written=(str(path),))


def _split_by(pattern: str) -> Callable[[dict[str, Any]], None]:
    """Splits by this pattern, then byte-level."""

    def edit(definition: dict[str, Any]) -> None:
        split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
        byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
        definition["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [split, byte_level]}

    return edit


def _as_gemma(definition: dict[str, Any]) -> None:
    definition["normalizer"] = {"type": "Replace", "pattern": {"String": " "}, "content": SPACE}
    definition["pre_tokenizer"] = {
        "type": "Split",
        "pattern": {"String": " "},
        "behavior": "MergedWithPrevious",
        "invert": False,
    }


def _as_xlm_r(definition: dict[str, Any]) -> None:
    collapse = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
    definition["normalizer"] = {"type": "Sequence", "normalizers": [definition["normalizer"], collapse]}
    definition["pre_tokenizer"] = {
        "type": "Metaspace",
        "replacement": SPACE,
        "prepend_scheme": "always",
        "split": True,
    }
