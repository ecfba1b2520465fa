"""A sandbox: like the event, apart from it, gone without a trace; and its pages at the desk."""

import pytest
from django.test import Client
from django.utils import timezone

from decks.models import Side
from players.models import Player
from tests.factories.decks import legal_corp_list
from tests.factories.library import load_cards
from tests.factories.tournaments import (
    add_staff,
    draft_round,
    make_event,
    make_user,
    owner_of,
    play_round,
    player_number,
    start_round,
    sweep,
    table,
    tables_of,
    work_off,
)
from tests.tournaments.matrix.scene import checksums
from tests.tournaments.pages import url
from tournaments.decklists import services as decklists_services
from tournaments.event import visibility
from tournaments.event.permissions import NOBODY, Actor
from tournaments.models import StaffRole, Tournament
from tournaments.models.event_lists import TournamentQuerySet
from tournaments.practice import services as practice_services
from tournaments.registration import guests
from tournaments.registration import services as registration_services
from tournaments.results import cuts
from tournaments.results import services as results_services
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services

MARK = "PRACTICE"


def tables_of_event(event: Tournament) -> list[list[tuple[str, object]]]:
    """Names and points of all tables, round by round."""
    return [
        [
            (seat.player.name, seat.points)
            for pairing in tables_of(round_)
            for seat in pairing.match.seats.order_by("position")
        ]
        for round_ in event.rounds
    ]


def order(event: Tournament) -> list[tuple[int, str]]:
    snapshot = event.snapshots.newest()
    assert snapshot is not None
    rows = snapshot.rows.ranked()
    return [(row.rank, row.registration.player.name) for row in rows]


def test_two_sandboxes_at_the_same_moment_both_find_a_place(
    event: Tournament, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(TournamentQuerySet, "free_slug", lambda *_: "practice-spring-run")

    first, second = (practice_services.create_practice(event, owner_of(event)) for _ in range(2))

    assert first.slug == "practice-spring-run"
    assert second.slug.startswith("practice-spring-run-")


def test_a_sandbox_begins_before_round_one_with_guests_of_the_same_names(event: Tournament):
    ada = player_number(event, 1)
    Player.objects.filter(pk=ada.player_id).update(user=make_user("ada", email="ada@example.org"))
    play_round(event)
    registration_services.drop_player(player_number(event, 2), owner_of(event))

    made = practice_services.create_practice(event, owner_of(event))

    names = [one.player.name for one in event.registrations.order_by("number")]
    copies = list(made.registrations.select_related("player").order_by("number"))
    assert [one.player.name for one in copies] == names
    assert {one.player.user for one in copies} == {None}
    assert {one.player_id for one in copies}.isdisjoint(
        event.registrations.values_list("player", flat=True)
    )
    assert copies[1].state == "registered"
    assert not made.rounds.exists()
    assert made.round_minutes == event.round_minutes


def test_name_that_is_no_longer_allowed_is_copied(event: Tournament):
    ada = player_number(event, 1)
    Player.objects.filter(pk=ada.player_id).update(name="ada@example.org")

    made = practice_services.create_practice(event, owner_of(event))

    assert player_number(made, 1).player.name == "ada@example.org"


def test_only_who_asks_is_staff_and_nobody_else_finds_it(event: Tournament):
    judge = add_staff(event, StaffRole.JUDGE)

    made = practice_services.create_practice(event, owner_of(event))

    assert [one.user for one in made.staff.all()] == [owner_of(event).user]
    assert made not in Tournament.objects.listed()
    assert Tournament.objects.by_join_code(made.join_code) is None
    for visibility_ in ("private", "public"):
        Tournament.objects.filter(pk=made.pk).update(visibility=visibility_)
        made = Tournament.objects.get(pk=made.pk)
        assert made not in Tournament.objects.listed()
        assert not visibility.can_see(Actor(user=judge), made)
        assert not visibility.can_see(NOBODY, made)


def test_rounds_so_far_come_along_with_their_results(event: Tournament):
    play_round(event)
    open_ = start_round(event)
    pairing = table(open_, 1)
    seat = pairing.match.seats.get(position=1)
    results_services.report_result(pairing, seat, sweep(1, 3), Actor(player=seat.player))

    made = practice_services.create_practice(event, owner_of(event), with_rounds=True)
    work_off(made)

    assert tables_of_event(made) == tables_of_event(event)
    assert order(made) == order(event)
    copied = table(made.rounds.latest("number"), 1)
    assert copied.match.state == "proposed"
    report = copied.match.reports.get()
    two = copied.match.seats.get(position=2)
    assert report.seat == copied.match.seats.get(position=1)
    results_services.confirm_report(copied, two, report.pk, Actor(player=two.player))
    pairing.match.refresh_from_db()
    assert pairing.match.state == "proposed"


def test_a_draft_is_left_out(event: Tournament):
    play_round(event)
    draft_round(event)

    made = practice_services.create_practice(event, owner_of(event), with_rounds=True)

    assert made.rounds.count() == 1


def test_links_and_sessions_of_the_players_stay_behind(event: Tournament):
    guest = player_number(event, 1)
    guests.issue_claim_link(guest, owner_of(event))
    settings_services.invite_staff(event, owner_of(event), "judge", timezone.now())

    made = practice_services.create_practice(event, owner_of(event))

    copies = Player.objects.filter(pk__in=made.registrations.values("player"))
    assert set(copies.values_list("claim_hash", "claim_generation")) == {(None, 0)}
    assert not made.invitations.exists()


def test_a_whole_evening_is_played_by_lot(event: Tournament):
    made = practice_services.create_practice(event, owner_of(event))

    for _ in range(3):
        practice_services.play_round(made, owner_of(made))
        work_off(made)

    assert [round_.is_closed for round_ in made.rounds] == [True] * 3
    assert len(order(made)) == 4


def test_only_open_tables_are_filled(event: Tournament):
    made = practice_services.create_practice(event, owner_of(event))
    round_ = start_round(made)
    pairing = table(round_, 1)
    results_services.decide_result(
        pairing, sweep(1, 0), owner_of(made), seen_version=pairing.match.version
    )

    assert practice_services.play_open_tables(made, owner_of(made)) == 1

    assert [seat.points for seat in table(round_, 1).match.seats.all()] == [20, 0]
    assert not round_.open_tables().exists()
    rounds_services.close_round(round_, owner_of(made))
    with pytest.raises(practice_services.NothingToPlay):
        practice_services.play_open_tables(made, owner_of(made))


def test_chance_plays_no_real_event_and_throws_none_away(event: Tournament):
    start_round(event)
    before = checksums()

    for act in (practice_services.play_open_tables, practice_services.play_round):
        with pytest.raises(practice_services.NotAPractice):
            act(event, owner_of(event))
    with pytest.raises(practice_services.NotAPractice):
        practice_services.delete_practice(event)

    assert checksums() == before


def test_nobody_has_more_than_three(event: Tournament):
    made = [practice_services.create_practice(event, owner_of(event)) for _ in range(3)]

    with pytest.raises(practice_services.TooManyPractices):
        practice_services.create_practice(made[0], owner_of(event))
    practice_services.delete_practice(made[0])

    assert practice_services.create_practice(made[1], owner_of(event)).practice_of == event


def test_thrown_away_it_leaves_nothing_and_the_event_is_byte_equal():
    load_cards()
    event = make_event(players=5)
    decklists_services.hand_in_deck(
        player_number(event, 1), Side.CORP, legal_corp_list(), owner_of(event)
    )
    play_round(event)
    start_round(event)
    before = checksums()

    made = practice_services.create_practice(event, owner_of(event), with_rounds=True)
    work_off(made)
    assert made.registrations.get(number=1).deck_submissions.count() == 1
    for tables in tables_of(made.rounds.latest("number")):
        assert tables.match is not None
    practice_services.play_round(made, owner_of(made))
    work_off(made)
    mine = made.registrations.select_related("player", "tournament").get(number=2)
    decklists_services.hand_in_deck(mine, Side.CORP, legal_corp_list(), Actor(player=mine.player))
    practice_services.delete_practice(made)

    assert checksums() == before


def test_who_came_in_from_another_event_stays_a_player(event: Tournament):
    made = practice_services.create_practice(event, owner_of(event))
    settings_services.set_registration(made, owner_of(made), is_open=True)
    ada = player_number(event, 1)
    registration_services.register_player(made, ada.player, Actor(player=ada.player))

    practice_services.delete_practice(made)

    assert player_number(event, 1).player == ada.player
    assert Player.objects.count() == event.registrations.count()


def test_a_cut_is_rehearsed_too():
    event = make_event(players=6)
    made = practice_services.create_practice(event, owner_of(event))
    practice_services.play_round(made, owner_of(made))
    work_off(made)

    best = list(made.cut_candidates())[:4]
    cuts.make_cut(made, best, owner_of(made), system="single_elimination")
    practice_services.play_round(made, owner_of(made))
    practice_services.play_round(made, owner_of(made))
    practice_services.delete_practice(made)

    assert not Tournament.objects.filter(practice_of=event).exists()


def test_an_organiser_makes_a_copy_and_plays_an_evening_in_it(event: Tournament, desk: Client):
    desk.post(url("practice", event))
    made = Tournament.objects.get(practice_of=event)

    for number in (1, 2):
        answer = desk.post(url("practice_play", made), {"what": "round"}, follow=True)
        assert f"Round {number} was played at random" in answer.content.decode()
    desk.post(url("practice_end", made))

    assert not Tournament.objects.filter(practice_of=event).exists()
    assert Tournament.objects.filter(pk=event.pk).exists()


def test_each_page_of_a_sandbox_is_marked_and_none_of_the_event(event: Tournament, desk: Client):
    play_round(event)
    made = practice_services.create_practice(event, owner_of(event), with_rounds=True)
    names = ("desk", "event", "pairings", "standings", "projector", "roster", "log", "settings")

    for name in names:
        assert MARK in desk.get(url(name, made)).content.decode(), name
        assert MARK not in desk.get(url(name, event)).content.decode(), name
    assert MARK in desk.get(url("round", made, 1)).content.decode()


def test_the_rounds_so_far_come_along_when_the_box_is_ticked(event: Tournament, desk: Client):
    play_round(event)

    desk.post(url("practice", event), {"rounds": "yes"})

    assert Tournament.objects.get(practice_of=event).rounds.count() == 1


def test_what_cannot_be_played_is_said(event: Tournament, desk: Client):
    made = practice_services.create_practice(event, owner_of(event))

    answer = desk.post(url("practice_play", made), follow=True).content.decode()
    real = desk.post(url("practice_play", event), follow=True).content.decode()
    kept = desk.post(url("practice_end", event), follow=True).content.decode()

    assert "No round is under way" in answer
    assert "This is a real event" in real
    assert "This is a real event" in kept
