"""The directive `http-calls`: every call of some tags of the HTTP interface, with its fields, curl and Python.

All of it comes from the OpenAPI document of the lab. tests/api/test_guide_examples.py runs each command.
"""

import json
import shlex
from dataclasses import dataclass
from functools import cache
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

PREFIX = "/api/v1"
VALUES = {"{token_id}": "995", "{kind}": "analysis"}
"""What path parameters are in examples; an `{id}` that a call returned is a variable."""
NAMES = {"lessons": "bpe-encode", "analyses": "coverage", "benchmarks": "speed"}
TOKENIZER_IDS = {"tokenizers": "mine", "vocabulary": "gpt2", "chat": "gpt2", "conformance": "gpt2", "metrics": "gpt2"}
TEXT = "Hello, world"
QUERIES = {"tokenizer": "gpt2", "ids": "995,1917"}
FILES = {"/tokenizers/files": "/data/tokenizer.json", "/corpora/files": "/data/books/a.txt"}


@dataclass(frozen=True)
class HttpCall:
    """A method and a path of the interface, and its part of the OpenAPI document."""

    method: str
    path: str
    spec: dict[str, Any]
    schemas: dict[str, Any]

    @property
    def address(self) -> str:
        """The path of the example, with `{id}` and `{other}` for variables, and the query that the call needs."""
        path = self.path.replace("{name}", NAMES.get(self._resource, "")).replace(
            "{id}", TOKENIZER_IDS.get(self._resource, "{id}")
        )
        for name, value in VALUES.items():
            path = path.replace(name, value)
        needed = [each["name"] for each in self._parameters("query") if each["required"]]
        return path + ("?" + "&".join(f"{name}={QUERIES[name]}" for name in needed) if needed else "")

    @property
    def example(self) -> Any:
        """The body of the example; None for a call without one."""
        return self._body("application/json").get("example")

    @property
    def curl(self) -> str:
        """The example as a command."""
        address = self.address.removeprefix(PREFIX).replace("{id}", "$ID").replace("{other}", "$OTHER")
        base = "$LAB" if self.path.startswith(PREFIX) else "${LAB%" + PREFIX + "}"
        words = [f'curl "{base}{address}" -H "$AUTH"']
        if self.method != "GET" and (self.method != "POST" or not self._content):
            words.append(f"-X {self.method}")
        if self._body("multipart/form-data"):
            words.append(f"-F files=@{FILES[self.path.removeprefix(PREFIX)]}")
        elif self.example is not None:
            words.append(f"--json {shlex.quote(json.dumps(self.example))}")
        elif "text/plain" in self._content:
            words.append(f'-H "Content-Type: text/plain" --data "{TEXT}"')
        elif self._content:
            words.append("--json @body.json")
        return " ".join(words)

    @property
    def python(self) -> str:
        """The example with httpx2."""
        address = self.address.removeprefix(PREFIX)
        quoted = f'{"f" if "{" in address else ""}"{address}"'
        if not self.path.startswith(PREFIX):
            quoted = f"lab.base_url.join({quoted})"
        call = f"lab.{self.method.lower()}({quoted}"
        if self._body("multipart/form-data"):
            file = FILES[self.path.removeprefix(PREFIX)]
            call += f', files={{"files": open("{file}", "rb")}}'
        elif self.example is not None:
            call += f", json={self.example!r}"
        elif "text/plain" in self._content:
            call += f', content="{TEXT}", headers={{"Content-Type": "text/plain"}}'
        elif self._content:
            call += ', json=json.load(open("body.json"))'
        content = next(iter(self.spec["responses"].values())).get("content", {})
        return f"{call})" + (".json()" if "application/json" in content and not self._is_text else ".text")

    @property
    def fields(self) -> list[tuple[str, dict[str, Any], str]]:
        """Name, schema and place of each parameter and field, those that are required first."""
        found = [(each["name"], {**each["schema"], **each}, each["in"]) for each in self.spec.get("parameters", [])]
        for media in self._content.values():
            schema = self._resolved(media.get("schema", {}))
            needed = schema.get("required", [])
            for name, each in schema.get("properties", {}).items():
                found.append((name, {**each, "required": name in needed}, "body"))
        return sorted(found, key=lambda each: not each[1].get("required"))

    @property
    def _resource(self) -> str:
        return self.path.removeprefix(PREFIX).split("/")[1]

    @property
    def _content(self) -> dict[str, Any]:
        return self.spec.get("requestBody", {}).get("content", {})

    @property
    def _is_text(self) -> bool:
        return self.path.endswith(("/export", "/events", "/handouts", "/report")) or (
            self.method == "GET" and self.path.endswith(("/file", "/metrics"))
        )

    def _body(self, media: str) -> dict[str, Any]:
        return self._content.get(media, {})

    def _parameters(self, place: str) -> list[dict[str, Any]]:
        return [each for each in self.spec.get("parameters", []) if each["in"] == place]

    def _resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        return self.schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


@cache
def calls() -> tuple[HttpCall, ...]:
    """Every call that the lab's OpenAPI document has."""
    from lab_app.api.app import create_app
    from lab_app.settings import Settings

    document = create_app(Settings(token="not used: no request")).openapi()
    schemas = document["components"]["schemas"]
    return tuple(
        HttpCall(method.upper(), path, spec, schemas)
        for path, methods in document["paths"].items()
        for method, spec in methods.items()
    )


def type_words(schema: dict[str, Any]) -> str:
    """The type of a field in a few words: `"csv" or "json"`, `list of text`."""
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(type_words(each) for each in schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(each)}`" for each in schema["enum"])
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    kind = schema.get("type", "object")
    if kind == "array":
        return f"list of {type_words(schema.get('items', {}))}"
    return {"string": "text", "null": "null", "number": "number", "integer": "integer", "boolean": "true or false"}.get(
        kind, "object"
    )


def words_of(call: HttpCall, returned: dict[str, str]) -> str:
    """The section of a call, in Markdown."""
    path = call.path.removeprefix(PREFIX)
    lines = [f"### {call.spec['summary']}", "", f"`{call.method} {path}`", "", call.spec.get("description", ""), ""]
    if call.fields:
        lines += ["| field | in | type | |", "| --- | --- | --- | --- |"]
        for name, schema, place in call.fields:
            default = json.dumps(schema["default"], ensure_ascii=False) if schema.get("default") is not None else ""
            note = " ".join(
                part
                for part in (
                    schema.get("description", "").replace("\n", " ").replace("|", "\\|"),
                    f"Default: `{default}`." if default else "",
                    "Required." if schema.get("required") else "",
                )
                if part
            )
            lines.append(f"| `{name}` | {place} | {type_words(schema)} | {note} |")
        lines.append("")
    name = f"{call.method} {path}"
    if name in returned:
        lines += [f"The body is {returned[name]}.", ""]
    return "\n".join([*lines, "```sh", call.curl, "```", "", "```python", call.python, "```", ""])


class HttpCalls(SphinxDirective):
    """`{http-calls} TAG ...`"""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        from lab_app.api.examples import RETURNED

        self.env.note_reread()  # the sources of the interface are elsewhere
        tags = self.arguments[0].split()
        found = [each for tag in tags for each in calls() if tag in each.spec["tags"]]
        text = "\n".join(words_of(each, RETURNED) for each in found)
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_directive("http-calls", HttpCalls)
    return {"parallel_read_safe": True}
