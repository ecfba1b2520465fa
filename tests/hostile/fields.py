"""Every field of every form on a page, and every text parameter of the API."""

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
    """A field of a form, and a browser whose page has that form."""

    browser: Client
    form: Form
    name: str

    @property
    def label(self) -> str:
        """Address and name of the field without numbers, because rows of a table are alike."""
        name = re.sub(r"\d+", "n", self.name)
        return f"{self.form.method} {resolve(_path(self.form)).view_name} {name}"

    def send(self, text: str) -> Any:
        """Send the form as a browser would, with this text in the field."""
        fields, path = self.form.filled(**{self.name: text}), _path(self.form)
        return (
            self.browser.post(path, fields)
            if self.form.method == "post"
            else self.browser.get(path, fields)
        )


def _path(form: Form) -> str:
    return form.action.partition("?")[0].partition("#")[0]


def fields_of_pages(pages: Iterable[tuple[Client, str]]) -> dict[str, Field]:
    """Each field once, by label, with the first browser that is shown it."""
    fields_by_label: dict[str, Field] = {}
    for browser, path in pages:
        answer = browser.get(path)
        if not answer.headers.get("Content-Type", "").startswith("text/html"):
            continue
        for form in forms_in(answer.content.decode()):
            sent_to = replace(form, action=urljoin(path, form.action))
            for field in (Field(browser, sent_to, name) for name in form.names):
                fields_by_label.setdefault(field.label, field)
    return fields_by_label


@dataclass(frozen=True)
class TextField:
    """A text of an operation: a query parameter, or a place in the body."""

    operation: str
    location: Path
    is_parameter: bool = False

    def body(self, body_: Any, text: str) -> Any:
        """The usual body, with this text in its place."""
        return _put_text(body_, self.location, text)


def _put_text(container: Any, location: Path, text: str) -> Any:
    if not location:
        return text
    first, *other_keys = location
    if isinstance(first, int):
        return [_put_text(None, tuple(other_keys), text)]
    mapping = container if isinstance(container, dict) else {}
    return {**mapping, first: _put_text(mapping.get(first), tuple(other_keys), text)}


def texts_of_the_api() -> list[TextField]:
    """Text fields according to the description, which a test compares with real responses."""
    described = SchemaGenerator().get_schema(public=True)
    fields = []
    for operation in DECLARED:
        method, name = parts(operation)
        path = re.sub(r"<\w+:(\w+)>", r"{\1}", template_of(name)).replace("{pk}", "{id}")
        # The root address, which lists all addresses, is not described.
        description = described["paths"].get(f"/api/v1/{path}", {}).get(method.lower(), {})
        for parameter in description.get("parameters", ()):
            if parameter["in"] == "query":
                fields.append(TextField(operation, (parameter["name"],), is_parameter=True))
        content = description.get("requestBody", {}).get("content", {}).get("application/json", {})
        schemas = described["components"]["schemas"]
        fields += [
            TextField(operation, location)
            for location in _texts(content.get("schema", {}), schemas, ())
        ]
    return fields


def _texts(schema: dict[str, Any], schemas: dict[str, Any], location: Path) -> Iterator[Path]:
    """Paths of texts in a body of this schema."""
    if "$ref" in schema:
        yield from _texts(schemas[schema["$ref"].rpartition("/")[2]], schemas, location)
    for kind in ("allOf", "oneOf", "anyOf"):
        for subschema in schema.get(kind, ()):
            yield from _texts(subschema, schemas, location)
    if schema.get("type") == "string":
        yield location
    if "items" in schema:
        yield from _texts(schema["items"], schemas, (*location, 0))
    for name, subschema in schema.get("properties", {}).items():
        yield from _texts(subschema, schemas, (*location, name))
