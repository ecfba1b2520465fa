"""Swaps, locks and re-pairing on the page of a draft."""

import re

import pytest
from django.test import Client

from players.models import User
from tests.elements import Elements
from tests.factories.tournaments import (
    draft_round,
    enter_result,
    games_for,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    sitting,
    start_round,
    table,
    tables_of,
)
from tests.tournaments.pages import HTMX, path, text_of
from tests.tournaments.scenes import four_players
from tournaments.models import Pairing, Round, Tournament
from tournaments.registration import roster_changes
from tournaments.rounds import draft_changes

SECOND = "rounds/2/draft/"


def make_scene() -> Tournament:
    event = four_players()
    play_round(event)
    draft_round(event)
    return event


@pytest.fixture
def second(event: Tournament) -> Round:
    """Return the draft of round 2, after a round with results."""
    return get_round(event, 2)


def numbers_at(pairing: Pairing) -> list[int]:
    return [place.number for place in sitting(pairing)]


def rematch(event: Tournament, draft: Round) -> list[int]:
    """Return two players of the draft whose swap repeats a table of round 1."""
    old = {frozenset(numbers_at(pairing)) for pairing in tables_of(get_round(event, 1))}
    (a, b), (c, d) = (numbers_at(pairing) for pairing in tables_of(draft))
    return [b, c] if frozenset((a, c)) in old else [b, d]


def test_swap_away_from_a_fixed_table_is_a_warning(desk: Client, owner: User):
    event = make_event(players=4, owner=owner)
    ada = player_number(event, 1)
    roster_changes.set_fixed_table(ada, owner_of(event), 7)
    draft = draft_round(event)
    (pairing,) = (table_ for table_ in tables_of(draft) if table_.table_number != 7)
    address = path(event, "rounds/1/draft/swap/preview/")
    fixed_numbers, other_numbers = numbers_at(table(draft, 7)), numbers_at(pairing)

    leaving = text_of(desk.get(address, {"player": [1, other_numbers[0]]}, headers=HTMX))
    staying = text_of(desk.get(address, {"player": fixed_numbers}, headers=HTMX))

    assert f"{ada.player} would leave table 7, their fixed table." in leaving
    assert "fixed table" not in staying


def promised_bye(owner: User) -> Tournament:
    """Return a draft of round 1 with one table and two byes, one of them promised to Ada."""
    event = make_event(players=4, owner=owner)
    roster_changes.set_first_round_bye(player_number(event, 1), owner_of(event), has_bye=True)
    draft_round(event)
    return event


def test_swap_that_restores_a_promised_bye_needs_no_confirmation(desk: Client, owner: User):
    event = promised_bye(owner)
    draft = get_round(event, 1)
    number_at_table = numbers_at(next(pairing for pairing in tables_of(draft) if pairing.match))[0]
    actor = owner_of(event)
    draft_changes.swap_seats(
        draft, player_number(event, 1), player_number(event, number_at_table), actor
    )

    bar = text_of(
        desk.get(
            path(event, "rounds/1/draft/swap/preview/"),
            {"player": [1, number_at_table]},
            headers=HTMX,
        )
    )

    assert "no warnings" in bar
    assert "No longer applies: Ada was promised a bye in round 1." in bar


def test_preview_lists_the_rules_that_a_swap_breaks(desk: Client, event: Tournament, second: Round):
    first, partner = rematch(event, second)

    address = path(event, f"{SECOND}swap/preview/")
    bar = text_of(desk.get(address, {"player": [first, partner]}, headers=HTMX))

    assert "Warning: " in bar
    assert "have already played each other, in round 1." in bar
    assert "Swap anyway" in bar


@pytest.mark.parametrize(
    ("ticked", "words"),
    [
        ([1], "Select another"),
        ([1, 2, 3], "3 players are selected"),
        ([1, 99], "nothing to swap"),
        ([], "Swap selected players"),
    ],
)
def test_invalid_selection_is_explained(
    desk: Client, event: Tournament, second: Round, ticked: list[int], words: str
):
    answer = desk.get(path(event, f"{SECOND}swap/preview/"), {"player": ticked}, headers=HTMX)

    assert words in text_of(answer)


def test_swap_that_breaks_a_rule_requires_confirmation(
    desk: Client, event: Tournament, second: Round
):
    chosen = rematch(event, second)
    before = [numbers_at(pairing) for pairing in tables_of(second)]

    question = desk.post(path(event, f"{SECOND}swap/"), {"player": chosen})

    assert question.status_code == 409
    assert "have already played each other, in round 1." in text_of(question)
    assert [numbers_at(pairing) for pairing in tables_of(second)] == before
    key = re.search(r'name="confirmed" value="([\d-]+)"', question.content.decode())
    assert key is not None
    sent = {"player": chosen, "confirmed": key[1]}
    page = text_of(desk.post(path(event, f"{SECOND}swap/"), sent, follow=True))
    assert [numbers_at(pairing) for pairing in tables_of(second)] != before
    assert "Warning:" in page
    assert "have already played each other, in round 1." in page


def test_confirmation_of_a_different_swap_does_not_count(
    desk: Client, event: Tournament, second: Round
):
    chosen = rematch(event, second)

    answer = desk.post(path(event, f"{SECOND}swap/"), {"player": chosen, "confirmed": "1-1"})

    assert answer.status_code == 409


def test_swap_at_a_locked_table_requires_confirmation(desk: Client, owner: User):
    event = make_event(players=4, owner=owner)
    draft = draft_round(event)
    draft.pairings.filter(table_number=2).update(is_locked=True)
    chosen = [numbers_at(pairing)[0] for pairing in tables_of(draft)]

    bar = text_of(
        desk.get(path(event, "rounds/1/draft/swap/preview/"), {"player": chosen}, headers=HTMX)
    )
    question = desk.post(path(event, "rounds/1/draft/swap/"), {"player": chosen})

    assert "Locked: Table 2 is locked; it stays locked with the new player." in bar
    assert "Swap anyway" in bar
    assert question.status_code == 409
    assert not draft.pairings.filter(made_by_hand=True).exists()


def test_publishing_from_an_outdated_page_is_refused(
    desk: Client, event: Tournament, second: Round
):
    page = desk.get(path(event, SECOND)).content.decode()
    seen = re.search(r'publish/">.*?name="seen" value="(\d+)"', page, re.DOTALL)
    assert seen is not None
    (first, _), (second_player, _) = (numbers_at(pairing) for pairing in tables_of(second))
    draft_changes.swap_seats(
        second, player_number(event, first), player_number(event, second_player), owner_of(event)
    )

    answer = desk.post(path(event, "rounds/2/publish/"), {"seen": seen[1]}, follow=True)

    assert "This draft was changed while you had it open: Seats swapped" in text_of(answer)
    assert answer.redirect_chain[-1][0] == path(event, SECOND)
    assert get_round(event, 2).is_draft


def test_point_gap_is_shown_before_and_after(desk: Client, owner: User):
    event = make_event(players=8, owner=owner)
    play_round(event)
    draft = draft_round(event)
    best, last = tables_of(draft)[0], tables_of(draft)[-1]
    chosen = [numbers_at(best)[0], numbers_at(last)[0]]

    bar = text_of(desk.get(path(event, f"{SECOND}swap/preview/"), {"player": chosen}, headers=HTMX))

    assert re.search(r"Table 1: the point gap goes from \d+ to \d+\.", bar)


def test_table_is_locked_and_unlocked(desk: Client, event: Tournament, second: Round):
    pairing = table(second, 1)

    for locked in ("yes", "no"):
        sent = {"pairing": pairing.pk, "locked": locked}
        answer = desk.post(path(event, f"{SECOND}lock/"), sent)
        pairing.refresh_from_db()
        assert pairing.is_locked == (locked == "yes")
        assert answer["Location"] == path(event, f"{SECOND}#pairing-{pairing.pk}")


@pytest.mark.parametrize("key", ["", "x", "999999", "-1"])
def test_lock_of_an_unknown_table_is_refused(
    desk: Client, event: Tournament, second: Round, key: str
):
    answer = desk.post(path(event, f"{SECOND}lock/"), {"pairing": key}, follow=True)

    assert "no longer in the draft" in text_of(answer)


def test_open_tables_of_a_published_round_are_re_paired_with_a_reason(
    desk: Client, owner: User, django_capture_on_commit_callbacks
):
    event = make_event(players=4, owner=owner)
    round_ = start_round(event)
    enter_result(table(round_, 1), games_for(table(round_, 1)))
    done = table(round_, 1)
    page = text_of(desk.get(path(event, "rounds/1/change/")))
    assert "Tables with a result or a report stay as they are: 1 of 2." in page

    with django_capture_on_commit_callbacks(execute=True):
        refused = desk.post(path(event, "rounds/1/rest/"), follow=True)
        desk.post(path(event, "rounds/1/rest/"), {"reason": "They sat down wrongly"})

    assert "Give the reason for re-pairing published tables." in text_of(refused)
    assert table(get_round(event, 1), 1).pk == done.pk
    assert event.log.get(action="rest paired anew").after["kept_tables"] == [1]


def test_byes_are_not_counted_as_tables_that_stay(desk: Client, owner: User):
    event = make_event(players=5, owner=owner)
    start_round(event)

    page = text_of(desk.get(path(event, "rounds/1/change/")))

    assert "Tables with a result or a report stay as they are: 0 of 2." in page


def test_reasons_to_change_a_published_round_have_different_ids(desk: Client, owner: User):
    event = make_event(players=4, owner=owner)
    start_round(event)

    page = Elements(desk.get(path(event, "rounds/1/change/")).text)

    reasons = [field["id"] for field in page.all("input") if field.get("name") == "reason"]
    assert len(set(reasons)) == len(reasons) == 2


def test_unpublishing_requires_a_reason(desk: Client, owner: User):
    event = make_event(players=4, owner=owner)
    start_round(event)

    refused = desk.post(path(event, "rounds/1/unpublish/"), follow=True)
    desk.post(path(event, "rounds/1/unpublish/"), {"reason": "Wrong list"})

    assert "Give the reason for unpublishing the round." in text_of(refused)
    assert get_round(event, 1).is_draft


def test_draft_shows_cost_floats_and_certificate(desk: Client, owner: User):
    event = make_event(players=6, owner=owner)
    play_round(event)
    draft = draft_round(event)

    page = text_of(desk.get(path(event, SECOND)))

    assert "Cost of the round squared point gap" in page
    assert "plays down" in page
    assert "plays up" in page
    assert str(draft.certificate["digest"]) in page
    assert f"Seed {draft.seed}" in page


def test_draft_of_single_games_shows_the_sides(desk: Client, owner: User):
    event = make_event(players=4, owner=owner, game="anr", scoring_rule="anr_single")
    draft_round(event)

    page = text_of(desk.get(path(event, "rounds/1/draft/")))

    assert page.count(": 0 Corp minus Runner games") == 4
