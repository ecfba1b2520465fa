"""The rulings of an event on paper: its own for everybody, what was cited for judges alone."""

import re

import pytest
from django.test import Client

from rulings import services as ruling_services
from rulings.models import RulingVersion
from tests.factories.library import load_cards, load_few_rulings
from tests.factories.tournaments import owner_of, table
from tests.queries import queries_of
from tests.tournaments.views.staff.conftest import path
from tournaments.models import Round, Tournament
from tournaments.services import local_rulings
from tournaments.services.local_rulings import Wording

PUBLIC = "rulings/booklet/"
JUDGES = "desk/booklet/"
LOCAL = "A turn takes three minutes at most."


@pytest.fixture(autouse=True)
def library(db: None) -> None:
    load_cards()
    load_few_rulings()


def rule(event: Tournament, subject: str = "Slow play", text: str = LOCAL) -> None:
    local_rulings.make(event, owner_of(event), subject, Wording(text))


def cite(event: Tournament, round_: Round, code: str = "tracing-1") -> str:
    version = RulingVersion.objects.get(ruling__code=code)
    match = table(round_, 1).match
    ruling_services.write_note(match, owner_of(event).user, "As told.", [version])
    return version.text


def html(client: Client, event: Tournament, page: str) -> str:
    response = client.get(path(event, page))
    assert response.status_code == 200
    return response.content.decode()


def test_everybody_prints_the_local_rulings_alone(event: Tournament, round_: Round, desk: Client):
    rule(event)
    cited = cite(event, round_)

    for client in (Client(), desk):
        page = html(client, event, PUBLIC)
        assert LOCAL in page
        assert re.search(r"L-[2-9A-HJ-NP-Z]{8}", page)
        assert cited not in page
        assert "data:image/svg+xml" in page


def test_judges_print_what_was_cited_as_well(event: Tournament, round_: Round, desk: Client):
    rule(event)
    cited = cite(event, round_)

    page = html(desk, event, JUDGES)

    assert LOCAL in page
    assert cited in page
    assert "Cited 1 time in version 1" in page


def test_nothing_to_print_is_said(event: Tournament, desk: Client):
    assert "Nothing to print yet" in html(Client(), event, PUBLIC)
    assert "Nothing to print yet" in html(desk, event, JUDGES)


def test_queries_do_not_grow_with_the_rulings(event: Tournament, round_: Round, desk: Client):
    def queries(client: Client, page: str) -> int:
        return queries_of(html, client, event, page)

    rule(event)
    cite(event, round_)
    few = [queries(Client(), PUBLIC), queries(desk, JUDGES)]
    for number in range(4):
        rule(event, f"Slow play {number}", f"{LOCAL} {number}")
    for code in ("dropp-1", "dr-dreff-1", "tracing-2"):
        cite(event, round_, code)

    assert [queries(Client(), PUBLIC), queries(desk, JUDGES)] == few


def test_no_cache_gives_the_paper_of_a_private_event_to_others(event: Tournament, desk: Client):
    rule(event)
    Tournament.objects.filter(pk=event.pk).update(visibility="private")

    answer = desk.get(path(event, PUBLIC))

    assert answer["Cache-Control"] == "private, no-cache"
    assert Client().get(path(event, PUBLIC)).status_code == 404
