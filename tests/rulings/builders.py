"""A small list of rulings in the format of the original."""

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import groupby
from typing import Any, NamedTuple

import pytest
from django.test import Client

from rulings import services
from rulings.models import Citation, Ruling, RulingDocument, RulingLink, RulingVersion, SearchEntry
from rulings.parsing.digest import DocumentFacts, fingerprint
from rulings.parsing.records import DigestRuling, RulingSource
from tools.left_out import SEEDS, requires_documents

RULE = "=" * 66
HEADINGS = {"general": "General", "corp": "Corporation", "runner": "Runner"}
PREAMBLE = (
    "Netrunner Rulings, v1.62 A small list for tests. Write to judge@example.org with doubts."
)
CLOSING = "All names belong to their owners."
TABLES = (RulingDocument, Ruling, RulingVersion, Citation, RulingLink, SearchEntry)
SPARKY = "Marc Schmalz (Sparky)"


class Row(NamedTuple):
    """A ruling; `wording` has the style of the document, `text` our style."""

    code: str
    section: str
    subject: str
    wording: str
    text: str
    kind: str = "ruling"
    see_also: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()


ROWS = [
    Row(
        "tracing-1",
        "general",
        "Tracing",
        "A trace of nothing may well succeed. (Sparky, Netrunner-L, 4/24/96)",
        "A trace with no bits in it can be successful.",
        mentions=("Pattel Antibody",),
    ),
    Row(
        "tracing-2",
        "general",
        "Tracing",
        "Both may count the bits (see Public Looks). (Wendy Wallace, NR-L, 5/1/96)",
        "Everyone may count bits at all times.",
        see_also=("Public Looks",),
    ),
    Row(
        "public-looks-1",
        "general",
        "Public Looks",
        "Hands are secret. (Netrunner FAQ v.1.0, 5/22/96) Piles are not. (Tom Wylie, 8/26/97)",
        "The number of cards in a hand is known; its cards are not.",
    ),
    Row(
        "ball-and-chain-1",
        "corp",
        "Ball and Chain",
        'ERRATA Should say, "pay twice". (Tom Wylie via JD Wiker, Pacificon, 9/1/96)',
        "Read the card as: the Runner pays twice.",
        "errata",
    ),
    Row(
        "dr-dreff-1",
        "corp",
        "Dr. Dreff",
        "For more on chains, see Ball and Chain.",
        "Look under Ball and Chain.",
        "cross-reference",
        ("Ball and Chain",),
    ),
    Row(
        "armadillo-armored-road-home-1",
        "runner",
        '"Armadillo" Armored Road Home',
        "It rolls. (Sparky on Vienna 22, Netrunner-L, 9/9/96)",
        "The car keeps rolling while you are running.",
    ),
    Row(
        "dropp-1",
        "runner",
        "Dropp [TM]",
        "It breaks all (REVERSEs a previous ruling). (Skipper Pickle,Netrunner-L, 9/29/98)",
        "All subroutines break, and the run is over.",
        mentions=("Ball and Chain",),
    ),
]


def digest_of(rows: Sequence[Row] = ROWS) -> list[DigestRuling]:
    """Return the rows as the digest reader does."""
    return [
        DigestRuling(
            code=row.code,
            number=number,
            section=row.section,
            subject=row.subject,
            kind=row.kind,
            reverses="REVERSE" in row.wording,
            text=row.text,
            sources=(RulingSource(SPARKY, venue="Netrunner-L", date=date(1996, 4, 24)),),
            see_also=row.see_also,
            mentions=row.mentions,
        )
        for number, row in enumerate(rows, start=1)
    ]


def document_of(rows: Sequence[Row] = ROWS, *, broken: bool = False) -> str:
    """Print the rows as the original does: on one line each, or with line breaks."""
    parts = [PREAMBLE]
    for section, heading in HEADINGS.items():
        parts += [RULE, heading, RULE]
        parts += _subjects(row for row in rows if row.section == section)
    parts += [RULE, CLOSING]
    return ("\n" if broken else " ").join(parts)


def facts_of(rows: Sequence[Row] = ROWS) -> DocumentFacts:
    return DocumentFacts(
        title="Netrunner Rulings",
        edition="v1.62",
        published_on=date(1998, 12, 14),
        preamble=fingerprint(PREAMBLE),
        closing=fingerprint(CLOSING),
        rulings={row.code: fingerprint(row.wording) for row in rows},
    )


def original_bytes() -> bytes:
    """Return the original list from beside the project; skip the test without it."""
    paths = sorted(SEEDS.glob("002_*.txt"))
    if not paths:
        assert not requires_documents(), f"the original list is not in {SEEDS}"
        pytest.skip("the original list does not lie beside the project")
    return paths[0].read_bytes()


def write(ruling: Ruling, text: str = "A trace always fails.", **fields: Any) -> RulingVersion:
    """Write a new version of this ruling, based on the newest."""
    defaults = {
        "seen": ruling.versions.count(),
        "sources": [],
        "in_force_from": None,
        "by": None,
        "reason": "Corrected.",
    }
    return services.write_version(ruling, text=text, **{**defaults, **fields})


def contents() -> list[Any]:
    """Return every row that an import of rulings writes."""
    return [list(table.objects.order_by("pk").values()) for table in TABLES]


def set_citing(client: Client, **citing: str) -> None:
    """Store the page of a judge who is looking for a ruling."""
    session = client.session
    session["citing"] = {"label": "table 4", "url": "/events/x/", **citing}
    session.save()


def page(client: Client, url: str, status: int = 200) -> str:
    response = client.get(url)
    assert response.status_code == status, url
    return response.content.decode()


def _subjects(rows: Iterable[Row]) -> list[str]:
    parts = []
    for subject, group in groupby(rows, key=lambda row: row.subject):
        parts += [subject, *(f"@{row.wording}" for row in group)]
    return parts
