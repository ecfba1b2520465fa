"""AlwaysBeRunning: what is sent there, and what its answers mean."""

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass
from secrets import token_hex
from urllib.parse import urlsplit

from django.conf import settings

from core.json_guard import Json, NotJson, parse
from core.other_sites import Answered, Policy
from tournaments.models import UploadState

PATH = "/api/nrtm"
PART = "jsonresults"
CODE = re.compile(r"[1-9][0-9]{5}", re.ASCII)
TIME_OUT = 30.0
"""Seconds; less than the lease of a job, so that nobody takes it for dead meanwhile."""
BEHIND = (502, 504)
"""A machine in between did not get an answer: what is behind it may have done the work."""


@dataclass(frozen=True)
class Outcome:
    """What came of an upload; `code` and `page` as the organiser needs them."""

    state: UploadState
    code: str = ""
    page: str = ""
    error: str = ""


def policy() -> Policy:
    """The one host that is asked."""
    host = urlsplit(settings.ABR_URL).netloc.lower()
    return Policy(hosts=frozenset({host}), time_out=TIME_OUT, most_bytes=64 * 1024)


def multipart(document: bytes) -> tuple[bytes, dict[str, str]]:
    """The document as the one file of a form, and the headers it is sent with."""
    boundary = token_hex(16)
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="{PART}"; filename="results.json"'
        "\r\nContent-Type: application/json\r\n\r\n"
    )
    body = head.encode() + document + f"\r\n--{boundary}--\r\n".encode()
    kind = f"multipart/form-data; boundary={boundary}"
    return body, {"Content-Type": kind, "Accept": "application/json", **_account()}


def _account() -> dict[str, str]:
    if not settings.ABR_USER:
        return {}
    pair = f"{settings.ABR_USER}:{settings.ABR_PASSWORD}".encode()
    return {"Authorization": f"Basic {base64.b64encode(pair).decode()}"}


def outcome_of(answered: Answered, abr_event: int | None) -> Outcome:
    """What an answer says: a code, a page, or why nothing came of it."""
    if answered.status in BEHIND:
        return Outcome(UploadState.UNKNOWN, error=f"It answered with status {answered.status}.")
    told = _object_of(answered.body)
    if error := told.get("error"):
        return _failed(f"It says: {_in_words(error)}")
    if answered.status != 200:
        return _failed(f"It answered with status {answered.status}.")
    if abr_event is not None and isinstance(told.get("url"), str):
        return Outcome(UploadState.CONCLUDED, page=_page(told["url"], abr_event))
    code = str(told.get("code", ""))
    if CODE.fullmatch(code):
        return Outcome(UploadState.CODE, code=code)
    return _failed("It answered without a code.")


def _failed(error: str) -> Outcome:
    return Outcome(UploadState.FAILED, error=error[:500])


def _object_of(body: bytes) -> Mapping[str, Json]:
    try:
        told = parse(body)
    except NotJson:
        return {}
    return told if isinstance(told, dict) else {}


def _in_words(error: Json) -> str:
    return " ".join(str(error).replace("\0", "").split())[:300]


def _page(url: str, abr_event: int) -> str:
    """Where it says the event is, when that is at the same site; else where it must be."""
    is_there = url.startswith(f"{settings.ABR_URL}/") and url.isascii() and url.isprintable()
    return url if is_there and len(url) <= 300 else f"{settings.ABR_URL}/tournaments/{abr_event}"
