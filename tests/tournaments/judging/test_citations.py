"""Rulings cited at an event, and booklets."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.db import DatabaseError, transaction
from django.db.models import ProtectedError
from django.test import Client

from matches.models import MatchState
from rulings import importer
from rulings import queries as rulings_queries
from rulings import services as rulings_services
from rulings.models import JudgeNote, NoteKind, Ruling, RulingVersion
from tests.factories.library import load_cards, load_few_rulings
from tests.factories.penalties import penalise, take_back
from tests.factories.sessions import logged_in
from tests.factories.tournaments import add_staff, make_event, owner_of, player_number, sweep, table
from tests.rulings.builders import digest_of
from tests.tournaments.cast import desk_of
from tests.tournaments.pages import path, text_of
from tests.tournaments.results.reporting import points, result_fields
from tests.tournaments.scenes import at_tables
from tournaments.judging import calls, local_rulings
from tournaments.judging.calls import CallAnswer
from tournaments.judging.local_rulings import Wording
from tournaments.models import Round, StaffRole, Tournament
from tournaments.results import services as results_services

make_scene = at_tables

PAGE = "desk/cited/"
DECIDE = "rounds/1/tables/1/decide/"


@pytest.fixture(autouse=True)
def library(db: None) -> None:
    load_cards()
    load_few_rulings()


def version(code: str = "tracing-1", number: int = 1) -> RulingVersion:
    return RulingVersion.objects.get(ruling__code=code, number=number)


def by_note(event: Tournament, round_: Round) -> None:
    match = table(round_, 1).match
    rulings_services.write_note(match, owner_of(event).user, "As told.", [version()])


def by_answer(event: Tournament, round_: Round) -> None:
    call = calls.raise_call(table(round_, 1), owner_of(event), "a trace")
    calls.take(event, call, owner_of(event))
    calls.answer(event, call, owner_of(event), CallAnswer("Yes.", [version()]))


def by_result(event: Tournament, round_: Round) -> None:
    pairing = table(round_, 1)
    results_services.decide_result(
        pairing,
        sweep(1, 3),
        owner_of(event),
        seen_version=pairing.match.version,
        note="The trace counted.",
        cited=[version()],
    )


def by_penalty(event: Tournament, round_: Round) -> None:
    penalise(player_number(event, 1), cited=[version()])


def by_withdrawn_penalty(event: Tournament, round_: Round) -> None:
    take_back(penalise(player_number(event, 1), cited=[version()]))


CITATIONS = [by_note, by_answer, by_result, by_penalty, by_withdrawn_penalty]
Citation = Callable[[Tournament, Round], None]


@pytest.mark.parametrize("cite", CITATIONS)
def test_page_lists_cited_rulings_with_their_places(
    desk: Client, event: Tournament, round_: Round, cite: Citation
):
    cite(event, round_)
    second_event = make_event(players=0, name="Other", owner=owner_of(event).user)

    page = text_of(desk.get(path(event, PAGE)))

    assert "No rulings cited yet" in text_of(desk.get(path(second_event, PAGE)))
    assert "R-0001 Tracing , version 1: cited 1 time" in page
    assert version().text in page
    assert "Round 1, table" in page
    assert "has replaced it" not in page
    assert ("withdrawn" in page) == (cite is by_withdrawn_penalty)


def by_import() -> None:
    importer.load_digest([replace(ruling, text=f"{ruling.text} Or not.") for ruling in digest_of()])


def by_hand() -> None:
    rulings_services.write_version(
        Ruling.objects.get(code="tracing-1"),
        seen=1,
        text="A trace needs a bit.",
        sources=[],
        in_force_from=None,
        by=None,
        reason="The list was wrong.",
    )


@pytest.mark.parametrize("edit", [by_import, by_hand])
def test_edited_ruling_does_not_change_earlier_citations(
    desk: Client, event: Tournament, round_: Round, edit: Callable[[], None]
):
    read = version().text
    by_note(event, round_)

    edit()

    note = JudgeNote.objects.get(citations__isnull=False)
    assert [version.text for version in note.cited.all()] == [read]
    page = text_of(desk.get(path(event, PAGE)))
    assert read in page
    assert version(number=2).text not in page.replace(read, "")
    assert "Version 2 has replaced it" in page
    cited = text_of(Client().get("/r/R-0001/1/", follow=True))
    assert read in cited
    assert "There is a newer version" in cited
    notes = text_of(desk.get(path(event, DECIDE)))
    assert "R-0001 Tracing, version 1 ; version 2 has been written since" in notes


def test_cited_version_cannot_be_deleted(desk: Client, event: Tournament, round_: Round):
    by_note(event, round_)

    rulings_services.set_superseded(
        Ruling.objects.get(code="tracing-2"), [Ruling.objects.get(code="tracing-1")]
    )

    assert "R-0001 Tracing , version 1: cited 1 time" in text_of(desk.get(path(event, PAGE)))
    for row in (version(), version().ruling):
        with pytest.raises(ProtectedError):
            row.delete()
    with pytest.raises(DatabaseError), transaction.atomic():
        RulingVersion.objects.filter(pk=version().pk).update(text="Something else.")


def test_decision_of_a_judge_cites_rulings_in_the_same_request(
    desk: Client, event: Tournament, round_: Round
):
    pairing = table(round_, 1)

    desk.post(
        path(event, DECIDE),
        result_fields(pairing, note="The trace counted.", cited="R-0001, tracing-2"),
    )

    assert pairing.match is not None
    pairing.match.refresh_from_db()
    assert pairing.match.state == MatchState.DECIDED
    note = rulings_queries.notes_of(pairing.match).get()
    assert (note.kind, note.text) == (NoteKind.RESULT, "The trace counted.")
    assert [str(citation.version) for citation in note.citations.all()] == [
        "tracing-1 v1",
        "tracing-2 v1",
    ]
    page = text_of(desk.get(path(event, DECIDE)))
    assert "Decision on a result by" in page
    assert "cites: R-0001 Tracing, version 1" in page


def test_decision_without_a_ruling_writes_no_note(desk: Client, event: Tournament, round_: Round):
    desk.post(path(event, DECIDE), result_fields(table(round_, 1), note="They agreed."))

    assert not JudgeNote.objects.exists()
    assert event.log.get(action="result entered").reason == "They agreed."


def test_result_with_an_unknown_ruling_is_refused(desk: Client, event: Tournament, round_: Round):
    pairing = table(round_, 1)

    answer = desk.post(path(event, DECIDE), result_fields(pairing, cited="tracign-1"))

    assert answer.status_code == 422
    assert "Did you mean tracing-1" in text_of(answer)
    assert points(pairing) == [None, None]


def test_refused_result_cites_nothing(desk: Client, event: Tournament, round_: Round):
    pairing = table(round_, 1)
    old = result_fields(pairing, cited="R-0001")
    by_result(event, round_)

    answer = desk.post(path(event, DECIDE), old)

    assert answer.status_code == 409
    assert 'value="R-0001"' in answer.text
    assert JudgeNote.objects.count() == 1


def test_scorekeeper_decides_without_citations(event: Tournament, round_: Round):
    keeper = logged_in(add_staff(event, StaffRole.SCOREKEEPER))
    pairing = table(round_, 1)
    by_note(event, round_)

    keeper.post(path(event, DECIDE), result_fields(pairing, note="They agreed.", cited="R-0001"))

    assert points(pairing) == [20, 3]
    assert JudgeNote.objects.count() == 1
    page = text_of(keeper.get(path(event, DECIDE)))
    assert "Cited rulings" not in page
    assert "R-0001" not in page
    assert keeper.get(path(event, PAGE)).status_code == 403


def test_basis_of_a_local_ruling_is_listed(desk: Client, event: Tournament, round_: Round):
    wording = Wording("Take the dice away.", [version()])
    local = local_rulings.make(event, owner_of(event), "Dice", wording)

    page = text_of(desk.get(path(event, PAGE)))

    assert f"For {local.ruling.short_code} Dice : local ruling" in page


def by_form(event: Tournament, round_: Round) -> None:
    desk_of(event).post(path(event, "rounds/1/tables/1/note/"), {"rulings": "R-0001"})


@pytest.mark.parametrize("cite", [by_form, by_answer, by_result, by_penalty])
def test_citations_of_a_practice_event_do_not_count(
    event: Tournament, round_: Round, cite: Citation
):
    real = make_event(players=0, name="The real one")
    Tournament.objects.filter(pk=event.pk).update(practice_of=real)
    event.refresh_from_db()

    cite(event, round_)

    assert JudgeNote.objects.get(citations__isnull=False).is_practice
    assert list(rulings_queries.citation_counts()) == []
    assert rulings_queries.times_cited(version().ruling) == 0


PUBLIC = "rulings/booklet/"
JUDGES = "desk/booklet/"
LOCAL = "A turn takes three minutes at most."


def rule(event: Tournament, subject: str = "Slow play", text: str = LOCAL) -> None:
    local_rulings.make(event, owner_of(event), subject, Wording(text))


def html(client: Client, event: Tournament, page: str) -> str:
    response = client.get(path(event, page))
    assert response.status_code == 200
    return response.text


def test_booklets_for_players_and_for_judges(event: Tournament, round_: Round, desk: Client):
    for address in (PUBLIC, JUDGES):
        assert "Nothing to print yet" in html(desk, event, address)
    rule(event)
    by_note(event, round_)
    cited = version().text

    for client in (Client(), desk):
        page = html(client, event, PUBLIC)
        assert LOCAL in page
        assert re.search(r"L-[2-9A-HJ-NP-Z]{8}", page)
        assert cited not in page
        assert "data:image/svg+xml" in page
    page = html(desk, event, JUDGES)
    for words in (LOCAL, cited, "Cited 1 time in version 1"):
        assert words in page


def test_booklet_of_a_private_event_is_private(event: Tournament, desk: Client):
    rule(event)
    Tournament.objects.filter(pk=event.pk).update(visibility="private")

    answer = desk.get(path(event, PUBLIC))

    assert answer["Cache-Control"] == "private, no-cache"
    assert Client().get(path(event, PUBLIC)).status_code == 404
