"""What a model makes of one spelling, merge by merge, as edits need it: few and short spellings, and merges that are added.

Not here: encoding texts (`lab_app.engine`).
"""

from itertools import pairwise

from lab_app.editing.tables import Merge, Tables


class Merging:
    """Byte-pair encoding by a list of merges that grows.

    >>> model = {"type": "BPE", "vocab": {"l": 0, "o": 1, "w": 2, "lo": 3}, "merges": ["l o"]}
    >>> merging = Merging(Tables.of({"model": model}))
    >>> merging.tokens("low")
    ['lo', 'w']
    >>> merging.append(("lo", "w"))
    >>> merging.tokens("low"), merging.last("low")
    (['low'], ('lo', 'w'))
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._suffix = tables.model.get("end_of_word_suffix") or ""
        self._ranks: dict[Merge, int] = {merge: rank for rank, merge in enumerate(tables.merges)}

    def append(self, merge: Merge) -> None:
        """Adds a merge after all others; one that is there keeps its place."""
        self._ranks.setdefault(merge, len(self._ranks))

    def symbols(self, spelling: str) -> list[str]:
        """The symbols that a spelling is merged from."""
        prefix, suffix = self._tables.prefix, self._suffix
        inside = prefix != "" and spelling.startswith(prefix)
        ends = suffix != "" and spelling.endswith(suffix)
        body = spelling.removeprefix(prefix) if inside else spelling
        characters = list(body.removesuffix(suffix) if ends else body)
        return [
            (prefix if at or inside else "") + character + (suffix if ends and at == len(characters) - 1 else "")
            for at, character in enumerate(characters)
        ]

    def tokens(self, spelling: str) -> list[str]:
        """The tokens of a spelling: the merge of the lowest rank first, the leftmost of several."""
        return self.merged(self.symbols(spelling))[0]

    def last(self, spelling: str) -> Merge | None:
        """The merge that makes the whole spelling one token; None if none does."""
        tokens, last = self.merged(self.symbols(spelling))
        return last if len(tokens) == 1 else None

    def merged(self, tokens: list[str]) -> tuple[list[str], Merge | None]:
        """The tokens, changed in place, after all merges that apply to them, and the last of these."""
        last, none = None, len(self._ranks)
        # Ends: every round joins two tokens.
        while len(tokens) > 1:
            ranks = [self._ranks.get(pair, none) for pair in pairwise(tokens)]
            best = min(ranks)
            if best == none:
                break
            at = ranks.index(best)
            last = (tokens[at], tokens[at + 1])
            tokens[at : at + 2] = [self._tables.product(last)]
        return tokens, last


def longest_matches(tables: Tables, spelling: str) -> list[str] | None:
    """The longest token at the start, again and again, as WordPiece does; None where no token fits.

    >>> model = {"type": "WordPiece", "vocab": {"un": 0, "##do": 1}, "continuing_subword_prefix": "##"}
    >>> longest_matches(Tables.of({"model": model}), "undo")
    ['un', '##do']
    """
    prefix, tokens, start = tables.prefix, [], 0
    mark = prefix if spelling.startswith(prefix) else ""
    body = spelling.removeprefix(prefix)
    while start < len(body):
        ends = range(len(body), start, -1)
        token = next((mark + body[start:end] for end in ends if mark + body[start:end] in tables.ids), None)
        if token is None:
            return None
        tokens.append(token)
        start, mark = start + len(token) - len(mark), prefix
    return tokens


def best_score(tables: Tables, spelling: str) -> tuple[float, list[str]] | None:
    """The segmentation of the highest sum of scores without the spelling itself; None where tokens do not spell it.

    >>> tables = Tables.of({"model": {"vocab": [["a", -1.0], ["b", -2.0], ["ab", -9.0]]}})
    >>> best_score(tables, "ab")
    (-3.0, ['a', 'b'])
    """
    # For each end: the best score up to it, and where its last token starts.
    best: list[tuple[float, int] | None] = [(0.0, 0)] + [None] * len(spelling)
    for end in range(1, len(spelling) + 1):
        for start in range(end):
            before, token = best[start], spelling[start:end]
            if before is None or token == spelling or token not in tables.scores:
                continue
            score = before[0] + tables.scores[token]
            known = best[end]
            if known is None or score > known[0]:
                best[end] = (score, start)
    if (whole := best[-1]) is None:
        return None
    tokens, end = [], len(spelling)
    # Ends: a token starts before its end.
    while end and (found := best[end]) is not None:
        tokens.append(spelling[found[1] : end])
        end = found[1]
    return whole[0], tokens[::-1]
