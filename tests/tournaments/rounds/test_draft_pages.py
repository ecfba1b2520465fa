"""The page of a draft."""

import re

import pytest
from django.test import Client

from players.models import User
from tests.factories.cuts import LEVEL, make_cut
from tests.factories.tournaments import (
    add_players,
    draft_round,
    enter_result,
    finish_round,
    fresh,
    get_round,
    make_event,
    make_user,
    owner_of,
    play_round,
    player_number,
    table,
    tables_of,
)
from tests.tournaments.cast import OWNER
from tests.tournaments.pages import path, text_of
from tournaments.models import Registration, Round, RoundState, Tournament
from tournaments.registration import roster_changes
from tournaments.rounds import services
from tournaments.rounds.draft_pages import DraftSeat

DRAFT = "rounds/1/draft/"


def publish_and_start(draft: Round) -> Round:
    owner = owner_of(draft.stage.tournament)
    services.publish_round(draft, owner)
    services.start_round(draft, owner)
    return get_round(draft.stage.tournament, draft.number)


def make_scene() -> Tournament:
    return make_event(players=5, owner=make_user(OWNER))


def test_every_table_has_its_reasons(desk: Client, event: Tournament, draft: Round):
    page = text_of(desk.get(path(event, DRAFT)))

    for pairing in tables_of(draft):
        for seat in pairing.match.seats.all():
            assert seat.player.name in page
    assert page.count("Random draw for the first round.") == 2
    assert "has the bye" in page
    assert "player 1" not in page


def test_points_so_far_and_broken_rules_are_shown(desk: Client, owner: User):
    event = make_event(players=2, owner=owner)
    play_round(event)
    draft_round(event)

    page = text_of(desk.get(path(event, "rounds/2/draft/")))

    assert "This could not be avoided" in page
    assert "1 rematch. At 1 table, the players have different points." in page
    assert "they have played before" in page
    assert re.search(r"20\s*points so far", page)


def test_round_1_has_no_cost(desk: Client, event: Tournament, draft: Round):
    first = text_of(desk.get(path(event, DRAFT)))
    finish_round(publish_and_start(draft))
    draft_round(event)

    second = text_of(desk.get(path(event, "rounds/2/draft/")))

    assert "Cost" not in first
    assert "Cost of the round" in second


def test_each_table_is_a_line_with_its_marks(desk: Client, owner: User):
    event = make_event(players=2, owner=owner)
    roster_changes.set_fixed_table(player_number(event, 1), owner_of(event), 7)
    play_round(event)
    draft_round(event)

    page = desk.get(path(event, "rounds/2/draft/"))
    line = text_of(page).partition("Table 7")[2].partition("Lock")[0]

    assert [mark in line for mark in ("Rematch", "points apart", "Fixed")] == [True, True, True]
    assert page.text.count('class="draft-line"') == 1
    assert page.text.count("<summary>Why") == 1


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ([], "Choose two players to swap."),
        (["1"], "Choose two different players to swap, not 1."),
        (["1", "1"], "Choose two different players"),
        (["1", "2", "3"], "Choose two different players to swap, not 3."),
        (["1", "77"], "not in the draft"),
        (["1", "x"], "not in the draft"),
    ],
)
def test_invalid_swap_is_refused(
    desk: Client, event: Tournament, draft: Round, chosen: list[str], words: str
):
    before = [pairing.match_id for pairing in tables_of(draft)]

    answer = desk.post(path(event, f"{DRAFT}swap/"), {"player": chosen}, follow=True)

    assert words in text_of(answer)
    assert [pairing.match_id for pairing in tables_of(draft)] == before
    assert not draft.pairings.filter(made_by_hand=True).exists()


def test_pairing_again_makes_another_draft(
    desk: Client, event: Tournament, draft: Round, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        desk.post(path(event, f"{DRAFT}discard/"), {"again": "yes"})

    fresh = get_round(event, 1)
    assert fresh.is_draft
    assert fresh.pk != draft.pk
    assert fresh.seed != draft.seed


def test_draft_can_be_discarded_twice(desk: Client, event: Tournament, draft: Round):
    for _ in range(2):
        assert desk.post(path(event, f"{DRAFT}discard/"))["Location"] == path(event)

    assert not event.rounds.exists()


def test_publishing_round_1_reports_that_registration_is_closed(
    desk: Client, event: Tournament, draft: Round
):
    answer = desk.post(path(event, "rounds/1/publish/"), follow=True)

    shown = text_of(answer)
    assert "Registration is closed now. You can still add late players on the roster." in shown
    late = text_of(desk.get(path(event, "desk/sections/players/")))
    assert "Add a late player" in late


def test_published_round_has_no_draft_page(desk: Client, event: Tournament, draft: Round):
    desk.post(path(event, "rounds/1/publish/"))

    answer = desk.get(path(event, DRAFT))

    assert answer["Location"] == path(event, "rounds/1/")


def test_outdated_draft_can_be_published_without_latecomers(
    desk: Client, event: Tournament, draft: Round
):
    add_players(event, 1)
    page = desk.get(path(event, DRAFT))
    assert "Checked in: Flo ." in text_of(page)
    assert "Publish without them" in text_of(page)

    refused = desk.post(path(event, "rounds/1/publish/"), follow=True)
    assert "Flo checked in after this draft was made" in text_of(refused)
    assert get_round(event, 1).is_draft
    desk.post(path(event, "rounds/1/publish/"), {"without_latecomers": "yes"})

    assert get_round(event, 1).state == RoundState.PUBLISHED


def test_draft_page_warns_of_a_changed_result(desk: Client, owner: User):
    event = make_event(players=4, owner=owner)
    first = play_round(event)
    draft_round(event)
    second_page = path(event, "rounds/2/draft/")
    assert path(event, "rounds/2/publish/") in desk.get(second_page).content.decode()

    enter_result(table(first, 1), LEVEL)

    assert "A result has changed since the draft was made." in text_of(
        desk.get(path(event, "desk/"))
    )
    page = desk.get(second_page)
    assert "The round must be paired again." in text_of(page)
    assert path(event, "rounds/2/publish/") not in page.content.decode()


def test_fixed_schedule_is_published_despite_a_changed_result(desk: Client, owner: User):
    event = make_event(players=4, owner=owner, system="round_robin")
    first = play_round(event)
    draft_round(event)
    enter_result(table(first, 1), LEVEL)

    desk.post(path(event, "rounds/2/publish/"))

    assert get_round(event, 2).state == RoundState.PUBLISHED


def test_draft_page_has_one_button_to_publish(desk: Client, event: Tournament, draft: Round):
    page = desk.get(path(event, DRAFT)).content.decode()

    assert page.count(f'action="{path(event, "rounds/1/publish/")}"') == 1


def test_draft_of_a_cut_shows_seeds_and_no_swiss_facts(desk: Client, owner: User):
    event = make_event(players=8, owner=owner)
    play_round(event)
    make_cut(event, 4, system="single_elimination")
    draft_round(fresh(event))

    page = text_of(desk.get(path(event, "rounds/2/draft/")))

    assert "seed 1" in page
    for words in (
        "points apart",
        "rematch",
        "Rematch",
        "points so far",
        "met before",
        "Cost of the round",
    ):
        assert words not in page, words


def test_balance_has_its_sign():
    seat = DraftSeat(Registration(), match_points=3, byes=1, balance=1)
    even = DraftSeat(Registration(), match_points=3, byes=0, floats="down", balance=0)

    assert seat.notes == ["had a bye", "+1 Corp minus Runner games"]
    assert even.notes == ["plays down", "0 Corp minus Runner games"]


def test_lock_is_offered_only_if_the_rest_can_be_re_paired(desk: Client, owner: User):
    drawn, fixed = make_event(owner=owner), make_event(owner=owner, system="round_robin")
    for event in (drawn, fixed):
        draft_round(event)

    assert "Lock table 1" in text_of(desk.get(path(drawn, DRAFT)))
    assert "Lock table 1" not in text_of(desk.get(path(fixed, DRAFT)))


def test_names_and_groups_in_reasons_are_escaped(desk: Client, owner: User):
    event = make_event(players=2, owner=owner)
    event.registrations.update(avoid_group="<b>{0}</b>")
    player = player_number(event, 1).player
    player.name = "<i>نور</i>"
    player.save(update_fields=["name"])
    draft_round(event)

    page = desk.get(path(event, DRAFT)).content.decode()

    assert "<bdi>&lt;i&gt;نور&lt;/i&gt;</bdi>" in page
    assert "&lt;b&gt;{0}&lt;/b&gt;" in page
    assert "<b>{0}" not in page
