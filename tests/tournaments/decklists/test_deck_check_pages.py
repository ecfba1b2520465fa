"""Deck check pages of a judge."""

import pytest
from django.test import Client

from decks.models import Side
from players.models import User
from tests.factories.decks import legal_corp_list
from tests.factories.library import load_cards
from tests.factories.sessions import logged_in
from tests.factories.submissions import submit_deck
from tests.factories.tournaments import add_staff, make_event, make_user, owner_of, start_round
from tests.tournaments.cast import OWNER
from tests.tournaments.pages import path
from tournaments.decklists import deck_checks
from tournaments.decklists import queries as deck_queries
from tournaments.event.permissions import Actor
from tournaments.models import DeckCheck, Registration, Tournament
from tournaments.settings import services as settings_services


def make_scene() -> Tournament:
    load_cards()
    event = make_event(players=4, owner=make_user(OWNER))
    for registration in event.registrations.select_related("player"):
        submit(registration, legal_corp_list())
    start_round(event)
    return event


def submit(registration: Registration, text: str) -> None:
    submit_deck(registration, Side.CORP, text, Actor(player=registration.player))


@pytest.fixture
def judge(event: Tournament) -> Client:
    return logged_in(add_staff(event, "judge"))


def draw_check(event: Tournament) -> DeckCheck:
    round_ = event.rounds.select_related("stage__tournament").get(number=1)
    deck_checks.draw_tables(round_, owner_of(event), 1)
    return deck_queries.deck_checks(event)[0]


def test_judge_draws_tables_and_sees_their_decks_below(judge: Client, event: Tournament):
    answer = judge.post(path(event, "desk/deck-checks/draw/"), {"count": "1"}, follow=True)

    check = deck_queries.deck_checks(event)[0]
    text = answer.text
    assert f"drawn with seed <code>{check.draw.seed}</code>" in text
    assert path(event, f"desk/deck-checks/{check.pk}/") in text


def test_players_without_a_deck_at_a_drawn_table_are_named(judge: Client, event: Tournament):
    first = event.rounds.get(number=1).pairings.get(table_number=1)
    bare = event.registrations.get(player=first.match.seats.all()[0].player)
    bare.deck_submissions.all().delete()

    answer = judge.post(path(event, "desk/deck-checks/draw/"), {"count": "2"}, follow=True)

    text = answer.text
    assert f"Table 1: {bare.player.name} has not submitted a deck." in text
    assert text.count("has not submitted a deck.") == 1


@pytest.mark.parametrize("sent", [{"count": "many"}, {"count": "0"}, {"table": "-1"}, {}])
def test_invalid_number_of_tables_is_refused(
    judge: Client, event: Tournament, sent: dict[str, str]
):
    answer = judge.post(path(event, "desk/deck-checks/draw/"), sent, follow=True)

    assert "Enter a number of tables" in answer.text
    assert not event.deck_check_draws.exists()


def test_no_table_can_be_checked_before_round_1(owner: User):
    event = make_event(players=4, owner=owner, name="Later")
    desk = logged_in(owner)

    page = desk.get(path(event, "desk/deck-checks/")).text
    answer = desk.post(path(event, "desk/deck-checks/draw/"), {"count": "1"}, follow=True)

    assert "No round is being played" in page
    assert "No round is being played" in answer.text


def test_check_lists_each_title_with_its_copies_in_both_orders(judge: Client, event: Tournament):
    check = draw_check(event)
    copies = {slot.card.title: slot.quantity for slot in check.version.slots.all()}

    for order in ("type", "list"):
        page = judge.get(path(event, f"desk/deck-checks/{check.pk}/?order={order}"))
        text = page.text
        assert text.count("data-tick=") == len(copies)
        assert sum(copies.values()) == 45
        assert "45 cards" in text


def test_outcome_is_shown_on_the_list_of_checks(judge: Client, event: Tournament):
    check = draw_check(event)

    sent = {"outcome": "mended", "note": "A sleeve <b>too</b> many"}
    answer = judge.post(path(event, f"desk/deck-checks/{check.pk}/"), sent, follow=True)

    text = answer.text
    assert "problem fixed on the spot" in text
    assert "A sleeve &lt;b&gt;too&lt;/b&gt; many" in text


def test_check_without_an_outcome_is_refused_with_its_note(judge: Client, event: Tournament):
    check = draw_check(event)

    answer = judge.post(path(event, f"desk/deck-checks/{check.pk}/"), {"note": "Sleeves"})

    assert "Choose what you found" in answer.text
    assert "Sleeves</textarea>" in answer.text


def test_check_links_to_a_new_penalty(judge: Client, event: Tournament):
    check = draw_check(event)
    page = judge.get(path(event, f"desk/deck-checks/{check.pk}/")).text
    number = check.submission.registration.number
    form = path(event, f"desk/penalties/new/?player={number}&amp;table={check.table_number}")

    assert f'href="{form}&amp;round=1"' in page
    assert judge.get(form.replace("&amp;", "&")).status_code == 200


def test_unrecognised_lines_are_shown_to_the_judge(judge: Client, event: Tournament):
    registration = event.registrations.select_related("player").get(number=1)
    submit(registration, "44 Bodyweight Synthetic Blood\n1 Nobody Knows This Card")
    round_ = event.rounds.select_related("stage__tournament").get()
    deck_checks.draw_tables(round_, owner_of(event), 9)
    check = deck_queries.deck_checks(event).get(submission__registration=registration)

    page = judge.get(path(event, f"desk/deck-checks/{check.pk}/")).text

    assert "Line 2: No card is called" in page


def test_list_changed_after_the_draw_is_marked(judge: Client, event: Tournament):
    check, words = draw_check(event), "changed after this table was drawn"
    page = path(event, f"desk/deck-checks/{check.pk}/")
    # Different rules create a new version of an unchanged list.
    settings_services.change_settings(event, owner_of(event), deck_rules={"corp_minimum": 60})
    check.refresh_from_db()
    assert check.submission.version != check.version
    assert words not in judge.get(page).text

    submit(check.submission.registration, legal_corp_list(2))

    assert words in judge.get(page).text


def test_printed_lists_contain_every_deck_twice(judge: Client, event: Tournament):
    check = draw_check(event)
    page = judge.get(path(event, f"desk/deck-checks/{check.draw.number}/print/"))
    decks_drawn = DeckCheck.objects.filter(draw=check.draw)
    boxes = sum(drawn.version.slots.count() for drawn in decks_drawn)

    assert page.text.count("data-tick=") == 2 * boxes
    assert page.text.count("check-sheet__head") == len(decks_drawn) == 2
