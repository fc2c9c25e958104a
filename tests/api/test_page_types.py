"""The page's types of answers (`lab_ui/js/api/schema.d.ts`) are those of the HTTP interface, and its functions return them."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

from lab_app.api.app import create_app
from lab_app.settings import Settings
from tests.rules.sources import ROOT
from tools.page_types import COMMAND, TARGET, declarations, typescript

TSC = ROOT / "node_modules" / ".bin" / "tsc"

RETURNED = {
    "get /tokenizers": "tokenizers.listTokenizers",
    "post /tokenizers": "compose.keepRecipe",
    "post /tokenizers/files": "tokenizers.addFiles",
    "get /compose": "compose.listBlocks",
    "post /compose": "compose.tryRecipe",
    "get /vocabulary/{id}/search": "vocabulary.searchVocabulary",
    "get /vocabulary/{id}/token/{token_id}": "vocabulary.vocabularyToken",
    "get /vocabulary/{id}/audit": "vocabulary.auditVocabulary",
    "post /vocabulary/{id}/truncate": "vocabulary.truncateVocabulary",
    "post /decode": "encoding.decode",
    "post /explain": "explain.explain",
    "post /trace": "explain.trace",
    "post /normalization_changes": "explain.changes",
    "post /vocabulary_overlap": "relations.vocabularyOverlap",
    "post /diff": "relations.tokenizerDiff",
    "post /retokenize": "relations.retokenize",
    "delete /jobs/{id}": "jobs.stopJob",
    "get /sessions/{id}": "reports.openSession",
    "post /sessions": "reports.saveSession",
    "post /sessions/file": "reports.openSessionFile",
    "post /sessions/{id}/run": "reports.runSession",
    "post /citation": "export.cite",
    "get /trainings/options": "trainings.trainingOptions",
    "post /trainings/estimate": "trainings.estimateTraining",
    "get /trainings/{id}/figures": "trainings.trainingFigures",
    "post /trainings/{id}/tokenizer": "trainings.takeTokenizer",
}
"""What each function of the page returns is the answer of a route. Not here: trainings, whose options the document leaves open."""
UNWRAPPED = {
    "get /jobs": ("jobs", "jobs.listJobs"),
    "get /sessions": ("sessions", "reports.listSessions"),
    "get /trainings/{id}/log": ("lines", "trainings.trainingLog"),
    "get /trainings/{id}/formats": ("formats", "trainings.trainingFormats"),
}
"""Functions that return one field of the answer."""


def test_the_types_of_the_page_are_current():
    assert TARGET.read_text("utf-8") == declarations(), f"lab_app answers otherwise now: run `{COMMAND}`"


def answer_of(document: dict[str, Any], route: str) -> str:
    """The type of a route's answer, with `schema` before the names."""
    method, path = route.split(" ")
    responses = document["paths"][f"/api/v1{path}"][method]["responses"]
    found = next(responses[status] for status in ("200", "201", "202") if status in responses)
    return re.sub(r"\b([A-Z]\w+)", r"schema.\1", typescript(found["content"]["application/json"]["schema"]))


def test_functions_of_the_page_return_what_their_route_answers(tmp_path: Path):
    assert TSC.exists(), "node_modules has no compiler of types: run `npm ci`"
    document = create_app(Settings(data_dir=tmp_path)).openapi()
    pairs = [(route, answer_of(document, route), name) for route, name in RETURNED.items()]
    pairs += [
        (route, f"{answer_of(document, route)}[{json.dumps(field)}]", name)
        for route, (field, name) in UNWRAPPED.items()
    ]
    lines = [f"import type * as schema from '{TARGET.as_posix()}';"]
    for number, (route, sent, name) in enumerate(pairs):
        module, function = name.split(".")
        typed = f"Awaited<ReturnType<typeof import('{TARGET.parent.as_posix()}/{module}.js').{function}>>"
        lines.append(f"export const fits{number} = (sent: {sent}): {typed} => sent; // {route}")
    tmp_path.joinpath("answers.ts").write_text("\n".join(lines), encoding="utf-8")
    options = {
        "extends": f"{ROOT.as_posix()}/lab_ui/tsconfig.json",
        "compilerOptions": {"allowImportingTsExtensions": True},
        "include": ["answers.ts"],
    }
    tmp_path.joinpath("tsconfig.json").write_text(json.dumps(options), encoding="utf-8")

    ran = subprocess.run([TSC, "--project", tmp_path, "--pretty", "false"], capture_output=True, text=True, timeout=120)
    errors = [
        f"{lines[int(match[1]) - 1].rsplit('// ', 1)[-1]}: {match[2]}"
        for match in re.finditer(r"answers\.ts\((\d+),\d+\): error \w+: (.*(?:\n +.*)*)", ran.stdout)
    ]
    assert ran.returncode == 0, "functions return another type than their route:\n" + "\n".join(errors or [ran.stdout])
