"""The page's types of answers (JSDoc in `lab_ui/js/api`) name the fields that the backend declares, with their types.

The OpenAPI document becomes TypeScript. The compiler then compares it with what the page's functions return: a field that
only one side has, or of another type, is an error. The OpenAPI document does not have the headers of frames; their models do.
"""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from lab_app.api.app import create_app
from lab_app.services.text.compare import ComparisonHead
from lab_app.services.text.documents import EditHead, OpenedHead
from lab_app.services.text.excerpts import ExcerptHead
from lab_app.services.text.results import EncodingSummary
from lab_app.settings import Settings
from tests.rules.sources import ROOT

API = ROOT / "lab_ui" / "js" / "api"
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
    "get /trainings/{id}": "trainings.getTraining",
    "get /trainings/options": "trainings.trainingOptions",
    "post /trainings/estimate": "trainings.estimateTraining",
    "get /trainings/{id}/steps": "trainings.trainingSteps",
    "get /trainings/{id}/figures": "trainings.trainingFigures",
    "post /trainings/{id}/tokenizer": "trainings.takeTokenizer",
}
"""What each function of the page returns is the answer of a route."""
UNWRAPPED = {
    "get /jobs": ("jobs", "jobs.listJobs"),
    "get /sessions": ("sessions", "reports.listSessions"),
    "get /trainings": ("trainings", "trainings.listTrainings"),
    "get /trainings/{id}/log": ("lines", "trainings.trainingLog"),
    "get /trainings/{id}/formats": ("formats", "trainings.trainingFormats"),
}
"""Functions that return one field of the answer."""
HEADERS = {
    EncodingSummary: "types.Result",
    ComparisonHead: "encoding.ComparisonHeader",
    OpenedHead: "documents.DocumentHeader",
    EditHead: "documents.EditHeader",
    ExcerptHead: "documents.ExcerptHeader",
}
"""The page's types of the headers of frames."""

COMPARING = """
type KeysOf<Types> = Types extends unknown ? keyof Types : never; // of all members of a union
type FieldOf<Types, K> = Types extends unknown ? (K extends keyof Types ? Types[K] : never) : never;
type FieldsOf<Sent, Typed> =
  Sent extends readonly (infer S)[] ? (Typed extends readonly (infer T)[] ? FieldsOf<S, NonNullable<T>> : never)
  : Sent extends object ? (
    string extends keyof Sent ? never
    : Exclude<keyof Sent, KeysOf<Typed>> | {
      [K in keyof Sent & KeysOf<Typed>]: FieldsOf<NonNullable<Sent[K]>, NonNullable<FieldOf<Typed, K>>>
    }[keyof Sent & KeysOf<Typed>])
  : never;
type Untyped<Sent, Typed> = [FieldsOf<Sent, Typed>] extends [never] ? 'none' : FieldsOf<Sent, Typed>;
"""


def typescript(schema: dict[str, Any]) -> str:
    """A JSON schema as a TypeScript type.

    >>> typescript({"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]})
    '((number)[] | null)'
    """
    if "$ref" in schema:
        return str(schema["$ref"].rsplit("/", 1)[1])
    if "anyOf" in schema:
        return f"({' | '.join(typescript(one) for one in schema['anyOf'])})"
    if "enum" in schema or "const" in schema:
        return " | ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    match schema.get("type"):
        case "integer" | "number":
            return "number"
        case "string" | "boolean" | "null" as plain:
            return plain
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(typescript(one) for one in schema['prefixItems'])}]"
        case "array":
            return f"({typescript(schema['items'])})[]"
        case "object" if "properties" in schema:
            fields = "; ".join(f"{json.dumps(name)}: {typescript(one)}" for name, one in schema["properties"].items())
            return f"{{ {fields} }}"
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return f"Record<string, {typescript(schema['additionalProperties'])}>"
        case "object":
            return "Record<string, any>"
    return "any"


def answer_of(document: dict[str, Any], route: str) -> str:
    method, path = route.split(" ")
    responses = document["paths"][f"/api/v1{path}"][method]["responses"]
    found = next(responses[status] for status in ("200", "201", "202") if status in responses)
    return typescript(found["content"]["application/json"]["schema"])


def returned_by(function: str) -> str:
    module, name = function.split(".")
    return f"Awaited<ReturnType<typeof import('{API.as_posix()}/{module}.js').{name}>>"


def test_the_page_types_every_field_of_an_answer(tmp_path: Path):
    assert TSC.exists(), "node_modules has no compiler of types: run `npm ci`"
    document = create_app(Settings(data_dir=tmp_path)).openapi()
    pairs = {route: (answer_of(document, route), returned_by(name)) for route, name in RETURNED.items()}
    for route, (field, name) in UNWRAPPED.items():
        pairs[route] = (f"{answer_of(document, route)}[{json.dumps(field)}]", returned_by(name))

    schemas = document["components"]["schemas"]
    for model, name in HEADERS.items():
        schema = TypeAdapter(model).json_schema(mode="serialization")
        schemas |= schema.pop("$defs", {})
        module, type_name = name.split(".")
        pairs[f"header {model.__name__}"] = (typescript(schema), f"import('{API.as_posix()}/{module}.js').{type_name}")

    lines = [COMPARING]
    lines += [f"export type {name} = {typescript(schema)};" for name, schema in schemas.items()]
    for number, (route, (sent, typed)) in enumerate(pairs.items()):
        lines.append(f"export const fits{number} = (sent: {sent}): {typed} => sent; // {route}")
        lines.append(f"export const untyped{number}: Untyped<{sent}, {typed}> = 'none'; // {route}")
    source = tmp_path / "answers.ts"
    source.write_text("\n".join(lines), encoding="utf-8")
    options = {"extends": f"{ROOT.as_posix()}/lab_ui/tsconfig.strict.json", "include": [source.name]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(options), encoding="utf-8")

    ran = subprocess.run([TSC, "--project", tmp_path, "--pretty", "false"], capture_output=True, text=True, timeout=120)
    written = "\n".join(lines).split("\n")
    errors = [
        f"{written[int(match[1]) - 1].rsplit('// ', 1)[-1]}: {match[2]}"
        for match in re.finditer(r"answers\.ts\((\d+),\d+\): error \w+: (.*(?:\n +.*)*)", ran.stdout)
    ]
    assert ran.returncode == 0, "the page's types differ from the answers:\n" + "\n".join(errors or [ran.stdout])
