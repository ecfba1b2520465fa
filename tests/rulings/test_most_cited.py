"""How often each ruling is cited, over all events."""

from dataclasses import replace

import pytest
from django.test import Client

from matches.models import Match
from rulings import importer, queries, services
from rulings.models import NoteKind, Ruling, RulingVersion
from tests.queries import queries_of
from tests.rulings.builders import digest_of

pytestmark = pytest.mark.usefixtures("small")
PAGE = "/rulings/cited/"


@pytest.fixture
def match(db: None) -> Match:
    return Match.objects.create(scoring_rule="onr_runner_only")


def version(code: str, number: int = 1) -> RulingVersion:
    return RulingVersion.objects.get(ruling__code=code, number=number)


def cite(match: Match, *codes: str, kind: NoteKind = NoteKind.NOTE, practice: bool = False) -> None:
    cited = [version(code) for code in codes]
    services.write_note(match, None, "", cited, kind, practice=practice)


def counts() -> list[tuple[str, int]]:
    return [(one.ruling.code, one.times) for one in queries.most_cited(queries.citation_counts())]


@pytest.mark.parametrize("kind", NoteKind)
def test_every_kind_of_note_counts(match: Match, kind: NoteKind):
    cite(match, "tracing-1", kind=kind)

    assert counts() == [("tracing-1", 1)]
    assert queries.times_cited(Ruling.objects.get(code="tracing-1")) == 1


def test_the_most_cited_comes_first_whatever_the_version(match: Match):
    cite(match, "dropp-1")
    cite(match, "tracing-1", "dropp-1")
    importer.load_digest([replace(one, text=f"{one.text} Or not.") for one in digest_of()])
    services.write_note(match, None, "", [version("dropp-1", 2)])

    assert counts() == [("dropp-1", 3), ("tracing-1", 1)]


def test_practice_counts_for_nothing(match: Match):
    cite(match, "tracing-1", practice=True)

    assert counts() == []
    assert queries.times_cited(Ruling.objects.get(code="tracing-1")) == 0


def test_local_rulings_are_left_out(match: Match):
    local = services.new_ruling(services.local_document("onr"), subject="Dice", text="No.")
    services.write_note(match, None, "", [local.versions.get()])

    assert counts() == []
    assert queries.times_cited(local) == 1


def test_the_page_tells_numbers_and_nothing_else(client: Client, match: Match):
    services.write_note(match, None, "Mallory cheated.", [version("dropp-1")])
    cite(match, "dropp-1")

    page = client.get(PAGE).content.decode()

    assert '<td class="numeric" data-label="Cited">2</td>' in page
    assert "R-0007" in page
    assert "Mallory" not in page


def test_the_page_says_when_nothing_was_cited(client: Client):
    assert "Nothing was cited yet" in client.get(PAGE).content.decode()
    assert "Nothing was cited yet" in client.get(f"{PAGE}?game=anr").content.decode()
    assert client.get(f"{PAGE}?game=chess").status_code == 404
    assert client.get(f"{PAGE}?page=x").status_code == 200


def test_queries_do_not_grow_with_the_citations(client: Client, match: Match):
    def asked() -> int:
        return queries_of(client.get, PAGE)

    cite(match, "dropp-1")
    few = asked()

    cite(match, "tracing-1", "tracing-2", "public-looks-1", "dropp-1")

    assert asked() == few
