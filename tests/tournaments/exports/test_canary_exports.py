"""A deck, a draft and a note full of canaries: they sing in no file of who may not see them."""

import pytest

from tests.factories.penalties import penalise
from tests.factories.submissions import identity_card, plain_card, submit
from tests.factories.tournaments import draft_round, make_event, play_round, player_number
from tests.tournaments.views.cast import browser_of
from tournaments.models import Registration, Tournament
from tournaments.services.exporting import FORMATS

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.check(5, 7),
    pytest.mark.goal("G8"),
]

CARD, PERSON, NOTE, GROUP = "Canary Protocol", "Canary Consortium", "Canary note", "Canary nest"


@pytest.fixture
def event() -> Tournament:
    """One round is played, the second one is drafted; number 1 has the canaries."""
    tournament = make_event(players=6, game="anr", identities_shown="with_decks")
    submit(player_number(tournament, 1), identity=identity_card(PERSON), cards=_cards())
    play_round(tournament)
    first = player_number(tournament, 1)
    Registration.objects.filter(pk=first.pk).update(avoid_group=GROUP)
    penalise(player_number(tournament, 1), text=NOTE)
    draft_round(tournament)
    return tournament


def _cards():
    return (plain_card(CARD, "anr"),)


def songs(actor: str, event: Tournament) -> dict[str, set[str]]:
    """Which canaries sing in which file, of the page and of the API, private ones asked for."""
    browser = browser_of(actor, event, player_number(event, 2))
    found: dict[str, set[str]] = {}
    for form in FORMATS:
        for address in (
            f"/events/{event.slug}/exports/{form}/",
            f"/events/{event.slug}/exports/{form}/?private=1",
            f"/api/v1/events/{event.slug}/exports/{form}/?private=true",
        ):
            text = browser.get(address).content.decode()
            for canary in (CARD, PERSON, NOTE, GROUP, event.join_code):
                if canary in text:
                    found.setdefault(form, set()).add(canary)
    return found


@pytest.mark.parametrize("actor", ["anonymous", "player", "scorekeeper"])
def test_no_canary_sings_in_a_file_of_those_who_may_not_see_it(actor, event):
    assert songs(actor, event) == {}


def test_a_judge_finds_the_note_alone(event):
    found = songs("judge", event)

    assert found.pop("csv-penalties") == {NOTE}
    assert found.pop("csv-log", set()) <= {NOTE}
    assert found == {}


def test_the_organiser_finds_them_in_the_private_document(event):
    found = songs("organiser", event)

    assert found["datafort"] >= {CARD, GROUP}
    assert found["csv-judges"] == {NOTE}
    assert "nrtm" not in found


@pytest.mark.parametrize("actor", ["anonymous", "player", "organiser"])
def test_the_draft_is_in_no_file_but_the_private_one_and_the_log(actor, event):
    browser = browser_of(actor, event, player_number(event, 2))
    forms = [form for form in FORMATS if form != "csv-log"]
    read = [browser.get(f"/events/{event.slug}/exports/{form}/").content for form in forms]

    event.stages.get().rounds.get(number=2).delete()

    again = [browser.get(f"/events/{event.slug}/exports/{form}/").content for form in forms]
    assert dict(zip(forms, again, strict=True)) == dict(zip(forms, read, strict=True))
