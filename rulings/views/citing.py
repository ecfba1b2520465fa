"""Cite a ruling: text to copy, and the link back to the page where a ruling was needed."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

from core.site_address import shared_url
from rulings.models import Ruling, RulingVersion


def cite_text(shown: Ruling, version: RulingVersion, request: HttpRequest) -> str:
    """Text for the "Copy" button: ruling, short code and version, citations, short URL."""
    said = "; ".join(map(str, version.citations.all())) or f"as of {shown.document.published_on}"
    source = f"{shown.short_code} v{version.number}, {shown.document}"
    address = shared_url(request, version.short_url)
    return f"{shown.subject}: {version.text}\n({source}: {said})\n{address}"


def is_citing(request: HttpRequest) -> bool:
    """True if the user came from a staff page to choose a ruling."""
    return _table(request) is not None


def citing(request: HttpRequest, code: str) -> dict[str, Any] | None:
    """Return the link back to the staff page, with the ruling filled in."""
    table = _table(request)
    if table is None:
        return None
    address, hash_mark, fragment = str(table["url"]).partition("#")
    joint = "&" if "?" in address else "?"
    query = urlencode({"rulings": code})
    url = f"{address}{joint}{query}{hash_mark}{fragment}"
    return {"label": table["label"], "url": url}


def _table(request: HttpRequest) -> dict[str, Any] | None:
    """Return the link stored in the session by the staff page; external URLs are rejected."""
    kept = request.session.get("citing")
    if not isinstance(kept, dict) or not {"label", "url"} <= kept.keys():
        return None
    return kept if url_has_allowed_host_and_scheme(str(kept["url"]), allowed_hosts=None) else None
