"""Addresses and text of an event's pages."""

import re
from html import unescape
from typing import Any

from django.test import Client
from django.urls import reverse

from tournaments.desk.navigation import DeskSection
from tournaments.models import Tournament

HTMX = {"HX-Request": "true"}
"""Header that htmx sends; without it the server returns the whole page."""
FRAGMENT = {"X-Fragment": "1"}
"""Header that a page sends to refresh its fragment."""


def url(name: str, event: Tournament, *args: object) -> str:
    return reverse(f"tournaments:{name}", args=[event.slug, *args])


def path(event: Tournament, rest: str = "desk/") -> str:
    return f"/events/{event.slug}/{rest}"


def section_of(desk: Any, id_: str) -> DeskSection:
    """Return a section of the desk navigation from the response's context."""
    sections: list[DeskSection] = desk.context["sections"]
    return next(section for section in sections if section.id == id_)


def text_of(answer: Any) -> str:
    """Return the text of the response without tags, with single spaces."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def preview_answers(preview: Any) -> dict[str, str]:
    """Return the form data of an unchanged preview; similar names are added."""
    lines = preview.context["lines"]
    ticks = {f"take-{row.entry.line.line}": "on" for row in lines if row.is_ticked}
    similar = (row.entry.line.line for row in lines if row.entry.action == "similar name")
    return {
        "kind": preview.context["kind"],
        "text": preview.context["text"],
        "layout": preview.context["layout"],
        "seen": str(preview.context["seen"]),
        **ticks,
        **{f"similar-{line}": "add" for line in similar},
        **{f"name-{row.entry.line.line}": row.entry.line.name for row in lines if row.known_name},
    }


def page(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def overlay(event: Tournament, name: str) -> Any:
    return Client().get(f"/api/v1/events/{event.slug}/overlay/{name}").json()
