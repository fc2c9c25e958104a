"""A plug-in as a tokenizer of the lab, with the methods of `lab_app.engine.Tokenizer` that `lab_app.library.tokenizer` asks for.

All its answers are checked: an id outside its vocabulary or a span outside the text is an error. If it reports no spans,
they are derived only if that is exact: the bytes of its tokens, or the decoded single tokens, concatenate to the text.
Otherwise the encoding has no spans, and says so.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab_app.analysis.positions import Positions
from lab_app.engine import DecodeError, EncodeError, Specials
from lab_app.errors import LoadFailed
from lab_app.library.plugins.discovery import Plugin
from lab_app.library.plugins.encoding import PluginEncoding
from lab_app.library.plugins.process import PluginFailed, PluginProcess

STAGES = ("normalizer", "pretokenizer", "model", "postprocessor", "decoder")
INSIDE = "inside the plug-in"
LOSSY = "not known in advance for a plug-in; every result reports whether it round-trips"
Ids = Sequence[int] | NDArray[np.uint32]


class PluginTokenizer:
    """One plug-in, loaded. Raises LoadFailed if it cannot be loaded or its vocabulary is invalid."""

    def __init__(self, plugin: Plugin, timeout_s: float) -> None:
        self._process = PluginProcess(plugin, timeout_s)
        self._name = plugin.name
        try:
            loaded = self._process.load()
        except PluginFailed as error:
            raise LoadFailed(str(error), f"correct or update {plugin.package}, then start the lab again") from error
        self._tokens = {int(id): bytes.fromhex(token) for token, id in loaded["vocab"]}
        self.special_tokens: dict[str, int] = loaded["special_tokens"]
        self.unknown_id: int | None = loaded["unknown_id"]
        self.stages = {stage: loaded["family"] or "plug-in" if stage == "model" else INSIDE for stage in STAGES}
        self.changing_stages: list[str] | None = None  # what is inside it does not say
        self.lossy: str | None = LOSSY
        self.merge_count: int | None = None
        self.truncation: dict[str, Any] | None = None
        self.padding: dict[str, Any] | None = None
        self.ignored_fields: list[tuple[str, str]] = []
        self.note: str | None = None
        self._check(loaded["vocab"], plugin)
        for text, id in self.special_tokens.items():
            self._tokens.setdefault(id, text.encode())
        self.vocab_size = max(self._tokens) + 1
        self.base_vocab_size = len(self._tokens.keys() - set(self.special_tokens.values()))

    def encode(
        self,
        text: str,
        pair: str | None = None,
        *,
        add_special_tokens: bool = True,
        specials: Specials = "parse",
        **lengths: Any,
    ) -> PluginEncoding:
        """One text. The plug-in itself decides what it adds and what text that spells a special token becomes.

        Raises EncodeError if it fails or its answer is invalid, for a pair and for length limits.
        """
        if pair is not None:
            raise EncodeError(f"the plug-in {self._name} takes one text; leave the pair out")
        if any(value not in (None, 0, "file") for value in lengths.values()):
            raise EncodeError(f"the plug-in {self._name} does not truncate or pad; leave truncation and padding out")
        if specials == "reject":
            spelled = next((each for each in self.special_tokens if each and each in text), None)
            if spelled is not None:
                raise EncodeError(f'the text spells the special token "{spelled}"; allow it, or change the text')
        try:
            answer = self._process.ask(do="encode", text=text)
        except PluginFailed as error:
            raise EncodeError(f"{error}; correct the plug-in, or use another tokenizer") from error
        ids = np.array(answer["ids"], np.int64)
        self._check_ids(ids, EncodeError)
        spans = self._spans(text, ids, answer["spans"])
        special = set(self.special_tokens.values())
        return PluginEncoding(Positions(text), ids.astype(np.uint32), spans, special, self.unknown_id)

    def encode_batch(
        self,
        texts: Sequence[str],
        pairs: Sequence[str] | None = None,
        *,
        add_special_tokens: bool = True,
        specials: Specials = "parse",
        **lengths: Any,
    ) -> list[PluginEncoding]:
        """One encoding per text. Raises as `encode` does."""
        given = [None] * len(texts) if pairs is None else pairs
        return [self.encode(text, pair, specials=specials, **lengths) for text, pair in zip(texts, given, strict=True)]

    def encode_ids_batch(
        self, texts: Sequence[str], *, specials: Specials = "text"
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
        """All ids in one array, and where each row starts. Raises as `encode` does."""
        rows = [encoding.ids for encoding in self.encode_batch(texts, specials=specials)]
        starts = np.zeros(len(rows) + 1, np.uint64)
        np.cumsum([row.size for row in rows], out=starts[1:])
        return np.concatenate([np.zeros(0, np.uint32), *rows]), starts

    def decode_bytes(self, ids: Ids, *, skip_special_tokens: bool = True) -> bytes:
        """What the plug-in decodes `ids` to. Raises DecodeError if it fails or an id is not in its vocabulary."""
        return self._decoded([ids], skip_special_tokens)[0]

    def decode_batch(self, batch: Sequence[Sequence[int]], *, skip_special_tokens: bool = True) -> list[str]:
        """One text per row; bytes that are not UTF-8 become U+FFFD. Raises as `decode_bytes` does."""
        return [data.decode("utf-8", "replace") for data in self._decoded(batch, skip_special_tokens)]

    def token_bytes(self, id: int) -> bytes:
        """The bytes of a token as its vocabulary has them. Raises DecodeError for an id it lacks."""
        try:
            return self._tokens[id]
        except KeyError:
            raise DecodeError(f"no token has id {id}") from None

    def token_text(self, id: int) -> str | None:
        """The token as text, None if its bytes are not UTF-8."""
        try:
            return self.token_bytes(id).decode()
        except UnicodeDecodeError:
            return None

    def rank(self, id: int) -> int | None:
        """None: a plug-in does not report merges."""
        self.token_bytes(id)
        return None

    def _decoded(self, batch: Sequence[Ids], skip_special_tokens: bool) -> list[bytes]:
        special = set(self.special_tokens.values()) if skip_special_tokens else set()
        rows = []
        for ids in batch:
            numbers = np.asarray(ids, np.int64)
            self._check_ids(numbers, DecodeError)
            rows.append([id for id in numbers.tolist() if id not in special])
        try:
            answer = self._process.ask(do="decode", batch=rows)
        except PluginFailed as error:
            raise DecodeError(f"{error}; correct the plug-in") from error
        return [bytes.fromhex(data) for data in answer["bytes"]]

    def _check(self, vocab: list[tuple[str, int]], plugin: Plugin) -> None:
        hint = f"correct or update {plugin.package}, then start the lab again"
        if not vocab:
            raise LoadFailed(f"the vocabulary of the plug-in {self._name} is empty", hint)
        if len(self._tokens) != len(vocab):
            raise LoadFailed(f"two tokens in the vocabulary of the plug-in {self._name} have the same id", hint)

    def _check_ids(self, ids: NDArray[np.int64], error: type[Exception]) -> None:
        for at, id in enumerate(ids.tolist()):
            if id not in self._tokens:
                raise error(f"id {id} at {at} is not in the vocabulary of the plug-in {self._name}")

    def _spans(self, text: str, ids: NDArray[np.int64], reported: list[list[int]] | None) -> NDArray[np.uint32] | None:
        """Spans in bytes of `text`, shape (n, 2): those it reported, checked; else those derived; else None."""
        if reported is not None:
            return self._checked(text, ids, reported)
        pieces = [self._tokens[id] for id in ids.tolist()]
        data = text.encode()
        if b"".join(pieces) != data:
            try:
                answer = self._process.ask(do="decode", batch=[[id] for id in ids.tolist()])
            except PluginFailed:
                return None
            pieces = [bytes.fromhex(piece) for piece in answer["bytes"]]
            if b"".join(pieces) != data:
                return None
        sizes = np.array([len(piece) for piece in pieces], np.int64)
        ends = np.cumsum(sizes)
        return np.stack([ends - sizes, ends], axis=1).astype(np.uint32)

    def _checked(self, text: str, ids: NDArray[np.int64], reported: list[list[int]]) -> NDArray[np.uint32]:
        """The reported spans, which are in characters, in bytes."""
        if len(reported) != ids.size:
            raise EncodeError(
                f"the plug-in {self._name} gave {ids.size} IDs but {len(reported)} spans; correct the plug-in"
            )
        before = 0
        for at, (start, end) in enumerate(reported):
            if not 0 <= start <= end <= len(text) or (start < end and start < before):
                raise EncodeError(
                    f"span {at} of the plug-in {self._name} is [{start}, {end}], the text has {len(text)} characters and "
                    f"the span before it starts at {before}; spans are half-open, in characters, and in order"
                )
            before = start if start < end else before
        starts = np.flatnonzero(~Positions(text).inside)
        return starts[np.array(reported, np.int64).reshape(-1, 2)].astype(np.uint32)
