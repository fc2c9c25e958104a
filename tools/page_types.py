"""Writes `lab_ui/js/api/schema.d.ts`: the answers and bodies of the HTTP interface as types of the page.

Answers come from the OpenAPI document; what it does not name (headers of frames, results of jobs) from its models.
The usual generator needs a second compiler of TypeScript and writes six times as many lines.
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import TypeAdapter

from lab_app.api.app import create_app
from lab_app.services.analyses.robustness import Robustness
from lab_app.services.text.compare import ComparisonHead
from lab_app.services.text.documents import EditHead, OpenedHead
from lab_app.services.text.excerpts import ExcerptHead
from lab_app.services.text.results import EncodingSummary
from lab_app.settings import Settings
from lab_app.training.options import TrainingOptions

TARGET = Path(__file__).parents[1] / "lab_ui" / "js" / "api" / "schema.d.ts"
COMMAND = "make page-types"
OTHER_MODELS = [EncodingSummary, ComparisonHead, OpenedHead, EditHead, ExcerptHead, Robustness, TrainingOptions]


def declarations() -> str:
    """The text of the file."""
    with TemporaryDirectory() as folder:
        document = create_app(Settings(data_dir=Path(folder))).openapi()
    answers = dict(document["components"]["schemas"])
    for model in OTHER_MODELS:
        schema = TypeAdapter(model).json_schema(mode="serialization")
        answers |= schema.pop("$defs", {}) | {model.__name__: schema}
    calls = [call for path in document["paths"].values() for call in path.values()]
    contents = [call.get("requestBody", {}).get("content", {}).get("application/json") for call in calls]
    bodies = {each["schema"]["title"]: each["schema"] for each in contents if each and "title" in each["schema"]}
    head = f"/** Answers and bodies of the HTTP interface. Made by `{COMMAND}` from the models in lab_app. */\n"
    lines = [declaration(name, schema, is_answer=True) for name, schema in sorted(answers.items())]
    lines += [declaration(name, schema, is_answer=False) for name, schema in sorted(bodies.items())]
    return "\n".join([head, *lines])


def declaration(name: str, schema: dict[str, Any], *, is_answer: bool) -> str:
    """One exported type with the first line of its description. Answers have all fields, bodies those they need.

    >>> print(declaration("Found", {"type": "object", "properties": {"id": {"type": "integer"}}}, is_answer=True))
    export type Found = {
      id: number;
    };
    <BLANKLINE>
    """
    comment = schema.get("description", "").split("\n")[0]
    lines = [f"/** {comment} */"] if comment else []
    if "properties" not in schema:
        return "\n".join([*lines, f"export type {name} = {typescript(schema)};\n"])
    fields = fields_of(schema, is_answer=is_answer)
    return "\n".join([*lines, f"export type {name} = {{", *(f"  {field};" for field in fields), "};\n"])


def fields_of(schema: dict[str, Any], *, is_answer: bool) -> list[str]:
    needed = schema["properties"] if is_answer else schema.get("required", [])
    return [
        f"{name}{'' if name in needed else '?'}: {typescript(field, is_answer=is_answer)}"
        for name, field in schema["properties"].items()
    ]


def typescript(schema: dict[str, Any], *, is_answer: bool = True) -> str:
    """A JSON schema as a TypeScript type.

    >>> typescript({"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]})
    'number[] | null'
    """

    def nested(inner: dict[str, Any]) -> str:
        return typescript(inner, is_answer=is_answer)

    if "$ref" in schema:
        return str(schema["$ref"].rsplit("/", 1)[1])
    if "anyOf" in schema or "oneOf" in schema:
        return " | ".join(dict.fromkeys(nested(one) for one in schema.get("anyOf", schema.get("oneOf"))))
    if "enum" in schema or "const" in schema:
        return " | ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    match schema.get("type"):
        case "integer" | "number":
            return "number"
        case "string" | "boolean" | "null" as plain:
            return plain
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(nested(one) for one in schema['prefixItems'])}]"
        case "array":
            item = nested(schema["items"])
            return f"({item})[]" if " | " in item else f"{item}[]"
        case "object" if "properties" in schema:
            return f"{{ {'; '.join(fields_of(schema, is_answer=is_answer))} }}"
        case "object":
            values = schema.get("additionalProperties")
            return f"Record<string, {nested(values) if isinstance(values, dict) else 'unknown'}>"
    return "unknown"


if __name__ == "__main__":
    TARGET.write_text(declarations(), encoding="utf-8")
