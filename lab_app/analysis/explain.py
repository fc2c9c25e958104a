"""Explains why a text has a boundary at a place, or why not: turns a trace of the engine into facts and two sentences.

`reason` says it to someone who has never seen a tokenizer; `summary` names the mechanism.

Not here: the lattice of a Unigram model (`lab_app.analysis.unigram_lattice`), making the trace (`lab_app.engine`), the edit
that removes the boundary (`lab_app.analysis.edits`).
"""

import math
from typing import Any, Protocol

from lab_app.analysis.unigram_lattice import Facts, around, next_to, segmentation_without


class Vocabulary(Protocol):
    """What an explanation looks up."""

    def spell(self, id: int) -> str:
        """The token in quotes, or its bytes."""

    def joined(self, left: int, right: int) -> tuple[str, bool]:
        """Two tokens as one text, in quotes, and whether the vocabulary has a token of these bytes."""


def explain(trace: dict[str, Any], at: int, vocabulary: Vocabulary) -> Facts:
    """Explains byte `at` of the text that was traced.

    Returns `at`, `boundary` (whether one token ends and another starts there), `stage` ("edge", "added token", "pretokenizer",
    "normalizer", "model"), `rule` (the step in a few words, or null), `details` (the facts of the model, or null),
    `reason`, a plain sentence, and `summary`, which names the mechanism.
    """
    if at in (0, trace["text_bytes"]):
        return _found(at, True, "edge", "the text starts here" if at == 0 else "the text ends here")
    pretokens = trace["pretokens"]
    inside = [one for one in pretokens if one["span"][0] < at < one["span"][1]]
    if not inside:
        return _between(pretokens, at, vocabulary)
    pretoken = inside[0]
    covering = [token for token in pretoken["tokens"] if token["span"][0] < at < token["span"][1]]
    kept = pretoken["user_defined"] if pretoken["steps"]["model"] != "words" else []
    if any(start <= at <= end for start, end in kept):
        return _user_defined(pretoken, at, vocabulary)
    if covering:
        return _covered(pretoken, covering, at, vocabulary)
    return _split_by_model(pretoken, at, vocabulary)


def boundaries(trace: dict[str, Any]) -> list[int]:
    """The bytes between two tokens, in order, without the two ends of the text.

    >>> token = lambda start, end: {"span": [start, end]}
    >>> boundaries({"text_bytes": 5, "pretokens": [{"tokens": [token(0, 2), token(2, 3)]}, {"tokens": [token(4, 5)]}]})
    [2, 3, 4]
    """
    spans = [token["span"] for pretoken in trace["pretokens"] for token in pretoken["tokens"]]
    places = {place for span in spans for place in span}
    covered = {place for start, end in spans for place in range(start + 1, end)}
    return sorted(places - covered - {0, trace["text_bytes"]})


def _found(
    at: int,
    boundary: bool,
    stage: str,
    summary: str,
    rule: str | None = None,
    details: Facts | None = None,
    reason: str | None = None,
) -> Facts:
    """`reason`: a whole sentence; without it the summary is plain enough."""
    return {
        "at": at,
        "boundary": boundary,
        "stage": stage,
        "rule": rule,
        "details": details,
        "reason": reason or f"{summary[:1].upper()}{summary[1:]}.",
        "summary": summary,
    }


def _between(pretokens: list[Facts], at: int, vocabulary: Vocabulary) -> Facts:
    """Between two pretokens, where text may have gone away."""
    before = [one for one in pretokens if one["span"][1] <= at]
    after = [one for one in pretokens if one["span"][0] >= at]
    left, right = (before[-1] if before else None), (after[0] if after else None)
    for one in (left, right):
        if one is not None and one["steps"]["model"] == "added" and at in one["span"]:
            token = vocabulary.spell(one["tokens"][0]["id"])
            summary = f"{token} is an added token, extracted before any other stage"
            reason = f"{token} is an added token: it is found first, and the text around it is tokenized separately."
            return _found(at, True, "added token", summary, "added", reason=reason)
    if left is None or right is None:
        side = "before the first" if left is None else "after the last"
        return _found(at, True, "normalizer", f"the text {side} token here is dropped before the model sees it")
    rule = right["split_by"]
    kinds = [f" ({one['branch']})" if one["branch"] else "" for one in (left, right)]
    parts = f"{_quoted(left['text'])}{kinds[0]} and {_quoted(right['text'])}{kinds[1]}"
    gone = "" if left["span"][1] == right["span"][0] else "; the text between them is dropped"
    if rule is None:
        return _found(at, True, "normalizer", f"the text between {parts} is dropped before the model sees it")
    details = {"left": left["text"], "right": right["text"], "branches": [left["branch"], right["branch"]]}
    summary = f"the pretokenizer ({rule}) splits between {parts}{gone}; no token crosses this boundary"
    reason = (
        f"The text is split into parts before tokens are formed: {_quoted(left['text'])} ends here and"
        f" {_quoted(right['text'])} starts{' after text that is dropped' if gone else ''}. No token crosses such a split."
    )
    return _found(at, True, "pretokenizer", summary, rule, details, reason)


def _user_defined(pretoken: Facts, at: int, vocabulary: Vocabulary) -> Facts:
    """In or beside a token that the user of a SentencePiece model defined."""
    spans = [span for span in pretoken["user_defined"] if span[0] <= at <= span[1]]
    found = [token for token in pretoken["tokens"] if token["span"] in spans]
    boundary = not any(start < at < end for start, end in spans)
    names = " and ".join(dict.fromkeys(vocabulary.spell(token["id"]) for token in found))
    are = "are user-defined tokens" if len(found) > 1 else "is a user-defined token"
    details: Facts = {"tokens": found}
    reason = f"{names} {are}, which the model always keeps whole."
    if pretoken["steps"]["model"] == "unigram":
        summary = f"{names} {are} of the model, with a score above those of other tokens"
        if boundary:
            more, why, _ = _unigram(pretoken["steps"], at, vocabulary)
            details, summary = details | more, f"{summary}: {why}"
    else:
        summary = f"{names} {are} of the model, found as spelled and never merged"
    return _found(at, boundary, "added token", summary, "user-defined", details, reason)


def _covered(pretoken: Facts, covering: list[Facts], at: int, vocabulary: Vocabulary) -> Facts:
    """Inside of a token: which one, and how it came to be."""
    token, steps = covering[0], pretoken["steps"]
    spell = vocabulary.spell
    name, span = spell(token["id"]), token["span"]
    details: Facts = {"token": token}
    reason = f"There is no boundary here: {name} is one token."
    if len(covering) > 1:
        names = " ".join(spell(one["id"]) for one in covering)
        summary = f"{names} cover one character together: its bytes, because it has no token of its own"
        reason = f"There is no boundary here: one character has no token of its own and is written as {len(covering)}."
        return _found(at, False, "model", summary, steps["model"], {"tokens": covering}, reason)
    match steps["model"]:
        case "added":
            summary = f"{name} is an added token, matched literally"
            return _found(at, False, "added token", summary, "added", details, reason)
        case "bpe" if steps["whole"]:
            summary = f"{name} is in the vocabulary, and a pretoken that is a token needs no merges"
        case "bpe":
            merges = [one for one in steps["merges"] if span[0] <= one["span"][0] and one["span"][1] <= span[1]]
            details["merges"] = merges
            built = ", ".join(f"{spell(one['pair'][0])} + {spell(one['pair'][1])} ({_order(one)})" for one in merges)
            summary = f"{name} was merged: {built}" if merges else f"{name} is one symbol, which is never split"
        case "unigram":
            # Of twins of a span the one with this id.
            score = next(
                (one["score"] for one in steps["nodes"] if (one["id"], one["span"]) == (token["id"], span)), None
            )
            details |= {"score": score, **around(steps, at, spell)}
            summary = f"{name} is on the best path" + (f", with score {score:.2f}" if score is not None else "")
        case "word_piece":
            summary = f"{name} is the longest entry that matches here" if _known(steps) else _unknown(pretoken, name)
            if not _known(steps):
                reason = f"The vocabulary cannot spell {_quoted(pretoken['text'])}, so {name} replaces the whole word."
        case "words" | "characters":
            summary = f"{name} is one of the {steps['model']} that the model splits the text into"
        case _:
            summary = f"{name} is the vocabulary's entry for the whole of {_quoted(pretoken['text'])}"
    return _found(at, False, "model", summary, steps["model"], details, reason)


def _split_by_model(pretoken: Facts, at: int, vocabulary: Vocabulary) -> Facts:
    """A boundary inside of a pretoken, which the model made."""
    steps = pretoken["steps"]
    details: Facts = {}
    summary = f"the model splits {_quoted(pretoken['text'])} here"
    reason = None
    spell = vocabulary.spell
    match steps["model"]:
        case "bpe":
            boundary = next((one for one in steps["boundaries"] if one["byte"] == at), None)
            if boundary is not None:
                details, summary, reason = _bpe(steps, boundary, vocabulary)
        case "unigram":
            details, summary, reason = _unigram(steps, at, vocabulary)
        case "words":
            summary = "the model's tokens are words, and one starts at each ▁"
        case "characters":
            summary = "each character is a token of its own"
        case "word_piece":
            step = next((one for one in steps["tries"] if one["byte"] == at), None)
            before = [one for one in steps["tries"] if one["byte"] < at]
            if step is not None and before and before[-1]["found"] is not None:
                details = {"before": before[-1], "after": step}
                summary = (
                    f"{spell(before[-1]['found'])} is the longest entry that matches before it"
                    f" ({before[-1]['tried'] - 1} longer ones are not in the vocabulary)"
                )
                summary += f"; then comes {spell(step['found'])}" if step["found"] is not None else ""
                reason = _longest_match(pretoken, before, spell(before[-1]["found"]))
    return _found(at, True, "model", summary, steps["model"], details, reason)


def _longest_match(pretoken: Facts, before: list[Facts], longest: str) -> str:
    word, rest = pretoken["text"], before[-1]["candidates"][0]
    if len(before) == 1:
        return f"{_quoted(word)} is not in the vocabulary; the longest entry that starts it is {longest}."
    # The first candidate is the whole rest, behind the prefix of a continuation ("##").
    done = next((word[: len(word) - len(rest[n:])] for n in range(len(rest)) if word.endswith(rest[n:])), "")
    return f"{_quoted(word)} is not in the vocabulary; the longest entry that continues it after {_quoted(done)} is {longest}."


def _bpe(steps: Facts, boundary: Facts, vocabulary: Vocabulary) -> tuple[Facts, str, str]:
    left, right = boundary["pair"]
    spell = vocabulary.spell
    summary = f"no merge joins {spell(left)} and {spell(right)}"
    whole, is_token = vocabulary.joined(left, right)
    stay = f"so {spell(left)} and {spell(right)} stay two tokens."
    reason = f"{whole} is not in the vocabulary, {stay}"
    if is_token:
        reason = f"{whole} is in the vocabulary, but no merge makes it from these two tokens, {stay}"
    blocked = [{**one, "by": steps["merges"][one["by"]]} for one in boundary["blocked"]]
    if blocked:
        one = blocked[0]
        pair, by = [spell(id) for id in one["pair"]], [spell(id) for id in one["by"]["pair"]]
        # Of equal ranks the leftmost pair is first.
        better = "lower" if one["by"]["score"] is None else "higher"
        why = f"{better}, so it came first" if one["by"]["rank"] < one["rank"] else "the same, further left"
        summary += (
            f"; {pair[0]} + {pair[1]} would have merged across this boundary ({_order(one)}),"
            f" but {by[0]} + {by[1]} took one of them ({_order(one['by'])}, {why})"
        )
    return {"pair": boundary["pair"], "missing": [left, right], "blocked": blocked}, summary, reason


def _order(merge: Facts) -> str:
    """What decides when a merge is done: the score of what it makes, or its rank."""
    return f"rank {merge['rank']}" if merge["score"] is None else f"score {merge['score']:.6g}"


def _unigram(steps: Facts, at: int, vocabulary: Vocabulary) -> tuple[Facts, str, str]:
    spell = vocabulary.spell
    best, lattice = steps["best"], around(steps, at, spell)
    segment = lattice["segment"]
    other = segmentation_without(steps, at, segment["span"] if segment else [at, at])
    details = {
        "score": best["score"],
        "segmentation_without": other,
        "runner_up": next_to(steps["runner_up"], at),
        **lattice,
    }
    if other is None:
        summary = "no token of the vocabulary crosses this boundary"
        return details, summary, f"{summary[:1].upper()}{summary[1:]}."
    names = " ".join(spell(token["id"]) for token in other["tokens"])
    if segment and segment["excerpt_of"]:
        names = f"here {names}"
    worse = best["score"] - other["score"]
    details["worse_by"] = worse
    summary = (
        f"the best path has the score {best['score']:.2f}; the best one without this boundary, {names}, has"
        f" {other['score']:.2f}, {worse:.2f} less"
    )
    return details, summary, f"Without this boundary, the best segmentation is {names}, {_less_probable(worse)}."


def _less_probable(worse: float) -> str:
    """A difference of natural logarithms as a ratio that people say."""
    ratio = math.exp(min(worse, 20.0))
    if ratio < 1.005:
        return "which is just as probable"
    return f"which is {f'{ratio:,.2g}' if ratio < 10 else f'{ratio:,.0f}' if ratio < 1e6 else 'over a million'} times less probable"


def _known(steps: Facts) -> bool:
    return bool(steps["tries"]) and steps["tries"][-1]["found"] is not None


def _unknown(pretoken: Facts, name: str) -> str:
    if pretoken["steps"]["too_long"]:
        return f"{name} replaces the whole word: it is longer than the limit"
    return f"{name} replaces the whole word: no entry matches the rest from {_rest(pretoken)} on"


def _rest(pretoken: Facts) -> str:
    last = pretoken["steps"]["tries"][-1]
    return _quoted(last["candidates"][-1])


def _quoted(text: str) -> str:
    return f"“{text}”"
