"""Addresses of an event's pages, and the words on them."""

import re
from html import unescape
from typing import Any

from django.test import Client
from django.urls import reverse

from tournaments.desk.navigation import DeskSection
from tournaments.models import Tournament

HTMX = {"HX-Request": "true"}
"""What htmx says of itself; without it a page answers whole."""
FRAGMENT = {"X-Fragment": "1"}
"""What a page sends that asks for the part of it that refreshes."""


def url(name: str, event: Tournament, *args: object) -> str:
    """The page of this name below the event."""
    return reverse(f"tournaments:{name}", args=[event.slug, *args])


def path(event: Tournament, rest: str = "desk/") -> str:
    """An address below the event."""
    return f"/events/{event.slug}/{rest}"


def section_at(desk: Any, id_: str) -> DeskSection:
    """One of the five sections of the desk, as this answer shows it."""
    sections: list[DeskSection] = desk.context["sections"]
    return next(section for section in sections if section.id == id_)


def text_of(answer: Any) -> str:
    """What is read there: without marks, blanks as one."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def preview_answers(preview: Any) -> dict[str, str]:
    """Return the form data of an untouched preview; similar names are added as they are."""
    lines = preview.context["lines"]
    ticks = {f"take-{one.entry.line.line}": "on" for one in lines if one.is_ticked}
    similar = (one.entry.line.line for one in lines if one.entry.action == "similar name")
    return {
        "kind": preview.context["kind"],
        "text": preview.context["text"],
        "layout": preview.context["layout"],
        "seen": str(preview.context["seen"]),
        **ticks,
        **{f"similar-{line}": "add" for line in similar},
        **{f"name-{one.entry.line.line}": one.entry.line.name for one in lines if one.known_name},
    }


def page(client: Client, address: str) -> str:
    """What is answered there."""
    return client.get(address).content.decode()


def overlay(event: Tournament, what: str) -> Any:
    """What the API tells a picture over a stream."""
    return Client().get(f"/api/v1/events/{event.slug}/overlay/{what}").json()
