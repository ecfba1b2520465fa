"""Addresses of an event's pages, and the words on them."""

import re
from html import unescape
from typing import Any

from django.urls import reverse

from tournaments.models import Tournament


def url(name: str, event: Tournament, *args: object) -> str:
    """The page of this name below the event."""
    return reverse(f"tournaments:{name}", args=[event.slug, *args])


def text_of(answer: Any) -> str:
    """What is read there: without marks, blanks as one."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())
