"""Every field of every form that a page shows, and every text that the API takes."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urljoin

from django.test import Client
from django.urls import resolve
from drf_spectacular.generators import SchemaGenerator

from tests.api.matrix.table import DECLARED, parts, template_of
from tests.faults.forms import Form, forms_in

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Field:
    """A field of a form, and somebody whose page has that form."""

    who: Client
    form: Form
    name: str

    @property
    def label(self) -> str:
        """The address it is sent to and its name, without numbers: rows of a table are alike."""
        name = re.sub(r"\d+", "n", self.name)
        return f"{self.form.method} {resolve(_path(self.form)).view_name} {name}"

    def sent(self, text: str) -> Any:
        """The form with this text in the field, sent as a browser would."""
        fields, path = self.form.filled(**{self.name: text}), _path(self.form)
        return (
            self.who.post(path, fields)
            if self.form.method == "post"
            else self.who.get(path, fields)
        )


def _path(form: Form) -> str:
    return form.action.partition("?")[0].partition("#")[0]


def fields_of_pages(pages: Iterable[tuple[Client, str]]) -> dict[str, Field]:
    """By label, each once, whoever is shown it first."""
    found: dict[str, Field] = {}
    for who, path in pages:
        answer = who.get(path)
        if not answer.headers.get("Content-Type", "").startswith("text/html"):
            continue
        for form in forms_in(answer.content.decode()):
            sent_to = replace(form, action=urljoin(path, form.action))
            for field in (Field(who, sent_to, name) for name in form.names):
                found.setdefault(field.label, field)
    return found


@dataclass(frozen=True)
class TextField:
    """A text that an operation takes: a parameter of the address, or a place within the body."""

    operation: str
    where: Path
    is_parameter: bool = False

    def body(self, whole: Any, text: str) -> Any:
        """The usual body, with this text in its place."""
        return _placed(whole, self.where, text)


def _placed(whole: Any, where: Path, text: str) -> Any:
    if not where:
        return text
    first, *rest = where
    if isinstance(first, int):
        return [_placed(None, tuple(rest), text)]
    known = whole if isinstance(whole, dict) else {}
    return {**known, first: _placed(known.get(first), tuple(rest), text)}


def texts_of_the_api() -> list[TextField]:
    """By the description, which a test compares with what is answered."""
    described = SchemaGenerator().get_schema(public=True)
    found = []
    for operation in DECLARED:
        method, name = parts(operation)
        path = re.sub(r"<\w+:(\w+)>", r"{\1}", template_of(name)).replace("{pk}", "{id}")
        # The address that lists the others describes itself.
        one = described["paths"].get(f"/api/v1/{path}", {}).get(method.lower(), {})
        for parameter in one.get("parameters", ()):
            if parameter["in"] == "query":
                found.append(TextField(operation, (parameter["name"],), is_parameter=True))
        content = one.get("requestBody", {}).get("content", {}).get("application/json", {})
        schemas = described["components"]["schemas"]
        found += [TextField(operation, at) for at in _texts(content.get("schema", {}), schemas, ())]
    return found


def _texts(schema: dict[str, Any], schemas: dict[str, Any], at: Path) -> Iterator[Path]:
    """Where in a body of this shape a text may stand."""
    if "$ref" in schema:
        yield from _texts(schemas[schema["$ref"].rpartition("/")[2]], schemas, at)
    for kind in ("allOf", "oneOf", "anyOf"):
        for one in schema.get(kind, ()):
            yield from _texts(one, schemas, at)
    if schema.get("type") == "string":
        yield at
    if "items" in schema:
        yield from _texts(schema["items"], schemas, (*at, 0))
    for name, one in schema.get("properties", {}).items():
        yield from _texts(one, schemas, (*at, name))
