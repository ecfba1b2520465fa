"""The answers on rulings as a text to read: what is said, its code, and who said so."""

from collections.abc import Iterable, Iterator, Mapping
from textwrap import fill, indent
from typing import Any

from rest_framework.renderers import BaseRenderer

WIDTH = 78  # characters
Answer = Mapping[str, Any]


class TextRenderer(BaseRenderer):
    """`?format=txt`: rulings, documents or what is wrong, one after another."""

    media_type = "text/plain"
    format = "txt"
    charset = "utf-8"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Any answer of these addresses in words."""
        return ("\n\n".join(_blocks(data)) + "\n").encode()


def _blocks(data: Answer) -> Iterator[str]:
    if "detail" in data:
        yield from _problem(data)
    elif "rulings" in data and "documents" in data:
        yield _head(data["count"], data["as_of"])
        yield from map(_document, data["documents"])
        yield from map(_ruling, data["rulings"])
    elif "results" in data:
        yield _head(data["count"], None)
        yield from _search(data.get("search"))
        yield from (_ruling(row) if "code" in row else _document(row) for row in data["results"])
        if data["next"]:
            yield f"The next page: {data['next']}"
    else:
        yield _ruling(data)


def _problem(data: Answer) -> Iterator[str]:
    yield data["detail"]
    for name, faults in data["errors"].items():
        yield f"{name}: {' '.join(map(str, faults))}"


def _head(count: int, day: str | None) -> str:
    return f"{count} in all{f', as in force on {day}' if day else ''}"


def _search(asked: Answer | None) -> Iterator[str]:
    """What was searched for, where that is not what was typed or not all of it was found."""
    if asked and asked["is_corrected"]:
        yield f"Showing results for: {asked['words']}"
    if asked and asked["reach"] == "beginnings":
        yield "No exact match. These have words that begin with what you typed."
    if asked and asked["reach"] == "any":
        yield "No ruling has all of the words. These have some of them, most words first."


def _document(row: Answer) -> str:
    name = " ".join(filter(None, (row["title"], row["edition"])))
    lines = [f"{name} ({row['published_on']}): {row['rulings']} rulings", row["page"]]
    return "\n".join([*lines, *([row["notice"]] if row["notice"] else [])])


def _ruling(row: Answer) -> str:
    said = row["current"]
    lines = [f"{row['short_code']} {_subject(row)} [{', '.join(_marks(row))}]"]
    if said is None:
        lines.append("    Nothing of it was in force.")
    else:
        lines += _indented(said["text"].split("\n"))
        lines += _indented(_source(one) for one in said["citations"])
        lines.append(f"    {row['document']}, version {said['number']}")
        lines.append(f"    In force from {said['effective_from']}")
    return "\n".join([*lines, *_relations(row), f"    {row['short_address']}"])


def _subject(row: Answer) -> str:
    section = " ".join(filter(None, (row["place"], row["heading"])))
    return f"{row['subject']}{f', {section}' if section else ''}"


def _marks(row: Answer) -> Iterator[str]:
    yield row["kind"]
    if row["is_local"]:
        yield "local"
    if row["state"] != "in_force":
        yield row["state"].replace("_", " ")
    if row["relation"]:
        yield row["relation"]


def _source(citation: Answer) -> str:
    said = [citation["authority"]]
    said += [f"via {citation['via']}"] if citation["via"] else []
    said += [f"on {citation['about']}"] if citation["about"] else []
    rest = [str(part) for part in (citation["venue"], citation["date"]) if part]
    return ", ".join([" ".join(said), *rest])


def _relations(row: Answer) -> Iterator[str]:
    for words, codes in (("Supersedes", "supersedes"), ("Superseded by", "superseded_by")):
        if row[codes]:
            yield f"    {words} {', '.join(row[codes])}"
    if row["withdrawn_on"]:
        yield f"    Withdrawn on {row['withdrawn_on']}"
    if named := [link["name"] for link in row["links"]]:
        yield f"    See {', '.join(named)}"


def _indented(lines: Iterable[str]) -> list[str]:
    filled = (fill(line, WIDTH - 4, break_long_words=False) for line in lines if line.strip())
    return [indent(line, "    ") for line in filled]
