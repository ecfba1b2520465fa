"""Practice events: the copy, its rounds, its deletion and its pages."""

import pytest
from django.test import Client
from django.utils import timezone

from decks.models import Side
from players.models import Player
from tests.factories.decks import legal_corp_list
from tests.factories.library import load_cards
from tests.factories.submissions import submit_deck
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


def test_two_simultaneous_copies_get_different_slugs(
    event: Tournament, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(TournamentQuerySet, "free_slug", lambda *_: "practice-spring-run")

    first, second = (practice_services.create_practice(event, owner_of(event)) for _ in range(2))

    assert first.slug == "practice-spring-run"
    assert second.slug.startswith("practice-spring-run-")


def test_copy_starts_before_round_1_with_guests_of_the_same_names(event: Tournament):
    ada = player_number(event, 1)
    Player.objects.filter(pk=ada.player_id).update(user=make_user("ada", email="ada@example.org"))
    play_round(event)
    registration_services.drop_player(player_number(event, 2), owner_of(event))

    practice = practice_services.create_practice(event, owner_of(event))

    names = [place.player.name for place in event.registrations.order_by("number")]
    copies = list(practice.registrations.select_related("player").order_by("number"))
    assert [place.player.name for place in copies] == names
    assert {place.player.user for place in copies} == {None}
    assert {place.player_id for place in copies}.isdisjoint(
        event.registrations.values_list("player", flat=True)
    )
    assert copies[1].state == "registered"
    assert not practice.rounds.exists()
    assert practice.round_minutes == event.round_minutes


def test_name_that_is_no_longer_allowed_is_copied(event: Tournament):
    ada = player_number(event, 1)
    Player.objects.filter(pk=ada.player_id).update(name="ada@example.org")

    practice = practice_services.create_practice(event, owner_of(event))

    assert player_number(practice, 1).player.name == "ada@example.org"


def test_only_the_creator_is_staff_and_can_see_the_copy(event: Tournament):
    judge = add_staff(event, StaffRole.JUDGE)

    practice = practice_services.create_practice(event, owner_of(event))

    assert [staff.user for staff in practice.staff.all()] == [owner_of(event).user]
    assert practice not in Tournament.objects.listed()
    assert Tournament.objects.by_join_code(practice.join_code) is None
    for visibility_ in ("private", "public"):
        Tournament.objects.filter(pk=practice.pk).update(visibility=visibility_)
        practice = Tournament.objects.get(pk=practice.pk)
        assert practice not in Tournament.objects.listed()
        assert not visibility.can_see(Actor(user=judge), practice)
        assert not visibility.can_see(NOBODY, practice)


def test_rounds_are_copied_with_their_results(event: Tournament):
    play_round(event)
    open_ = start_round(event)
    pairing = table(open_, 1)
    seat = pairing.match.seats.get(position=1)
    results_services.report_result(pairing, seat, sweep(1, 3), Actor(player=seat.player))

    practice = practice_services.create_practice(event, owner_of(event), with_rounds=True)
    work_off(practice)

    assert tables_of_event(practice) == tables_of_event(event)
    assert order(practice) == order(event)
    copied = table(practice.rounds.latest("number"), 1)
    assert copied.match.state == "proposed"
    report = copied.match.reports.get()
    two = copied.match.seats.get(position=2)
    assert report.seat == copied.match.seats.get(position=1)
    results_services.confirm_report(copied, two, report.pk, Actor(player=two.player))
    pairing.match.refresh_from_db()
    assert pairing.match.state == "proposed"


def test_draft_is_not_copied(event: Tournament):
    play_round(event)
    draft_round(event)

    practice = practice_services.create_practice(event, owner_of(event), with_rounds=True)

    assert practice.rounds.count() == 1


def test_claim_links_and_invitations_are_not_copied(event: Tournament):
    guest = player_number(event, 1)
    guests.issue_claim_link(guest, owner_of(event))
    settings_services.invite_staff(event, owner_of(event), "judge", timezone.now())

    practice = practice_services.create_practice(event, owner_of(event))

    copies = Player.objects.filter(pk__in=practice.registrations.values("player"))
    assert set(copies.values_list("claim_hash", "claim_generation")) == {(None, 0)}
    assert not practice.invitations.exists()


def test_rounds_are_played_at_random(event: Tournament):
    practice = practice_services.create_practice(event, owner_of(event))

    for _ in range(3):
        practice_services.play_round(practice, owner_of(practice))
        work_off(practice)

    assert [round_.is_closed for round_ in practice.rounds] == [True] * 3
    assert len(order(practice)) == 4


def test_only_open_tables_are_played(event: Tournament):
    practice = practice_services.create_practice(event, owner_of(event))
    round_ = start_round(practice)
    pairing = table(round_, 1)
    results_services.decide_result(
        pairing, sweep(1, 0), owner_of(practice), seen_version=pairing.match.version
    )

    assert practice_services.play_open_tables(practice, owner_of(practice)) == 1

    assert [seat.points for seat in table(round_, 1).match.seats.all()] == [20, 0]
    assert not round_.open_tables().exists()
    rounds_services.close_round(round_, owner_of(practice))
    with pytest.raises(practice_services.NothingToPlay):
        practice_services.play_open_tables(practice, owner_of(practice))


def test_real_event_is_neither_played_nor_deleted(event: Tournament):
    start_round(event)
    before = checksums()

    for service in (practice_services.play_open_tables, practice_services.play_round):
        with pytest.raises(practice_services.NotAPractice):
            service(event, owner_of(event))
    with pytest.raises(practice_services.NotAPractice):
        practice_services.delete_practice(event)

    assert checksums() == before


def test_account_has_at_most_three_practice_events(event: Tournament):
    practices = [practice_services.create_practice(event, owner_of(event)) for _ in range(3)]

    with pytest.raises(practice_services.TooManyPractices):
        practice_services.create_practice(practices[0], owner_of(event))
    practice_services.delete_practice(practices[0])

    assert practice_services.create_practice(practices[1], owner_of(event)).practice_of == event


def test_deleted_copy_leaves_no_row_and_the_event_unchanged():
    load_cards()
    event = make_event(players=5)
    submit_deck(player_number(event, 1), Side.CORP, legal_corp_list(), owner_of(event))
    play_round(event)
    start_round(event)
    before = checksums()

    practice = practice_services.create_practice(event, owner_of(event), with_rounds=True)
    work_off(practice)
    assert practice.registrations.get(number=1).deck_submissions.count() == 1
    for tables in tables_of(practice.rounds.latest("number")):
        assert tables.match is not None
    practice_services.play_round(practice, owner_of(practice))
    work_off(practice)
    registration = practice.registrations.select_related("player", "tournament").get(number=2)
    submit_deck(registration, Side.CORP, legal_corp_list(), Actor(player=registration.player))
    practice_services.delete_practice(practice)

    assert checksums() == before


def test_deleting_keeps_players_of_other_events(event: Tournament):
    practice = practice_services.create_practice(event, owner_of(event))
    settings_services.set_registration(practice, owner_of(practice), is_open=True)
    ada = player_number(event, 1)
    registration_services.register_player(practice, ada.player, Actor(player=ada.player))

    practice_services.delete_practice(practice)

    assert player_number(event, 1).player == ada.player
    assert Player.objects.count() == event.registrations.count()


def test_cut_is_played_at_random():
    event = make_event(players=6)
    practice = practice_services.create_practice(event, owner_of(event))
    practice_services.play_round(practice, owner_of(practice))
    work_off(practice)

    best = list(practice.cut_candidates())[:4]
    cuts.make_cut(practice, best, owner_of(practice), system="single_elimination")
    practice_services.play_round(practice, owner_of(practice))
    practice_services.play_round(practice, owner_of(practice))
    practice_services.delete_practice(practice)

    assert not Tournament.objects.filter(practice_of=event).exists()


def test_copy_is_made_played_and_deleted_on_the_pages(event: Tournament, desk: Client):
    desk.post(url("practice", event))
    practice = Tournament.objects.get(practice_of=event)

    refusals = {
        "No round is being played": url("practice_play", practice),
        "This is a real event": url("practice_play", event),
        "This is a real event. Only practice events": url("practice_end", event),
    }
    for refusal, address in refusals.items():
        assert refusal in desk.post(address, follow=True).content.decode()
    answer = desk.post(url("practice_play", practice), {"what": "round"}, follow=True)
    assert "Round 1 was filled with random results" in answer.content.decode()
    desk.post(url("practice_end", practice))

    assert not Tournament.objects.filter(practice_of=event).exists()
    assert Tournament.objects.filter(pk=event.pk).exists()


def test_only_pages_of_the_copy_are_marked(event: Tournament, desk: Client):
    play_round(event)
    desk.post(url("practice", event), {"rounds": "yes"})
    practice = Tournament.objects.get(practice_of=event)
    names = ("desk", "event", "pairings", "standings", "projector", "roster", "log", "settings")

    for name in names:
        assert MARK in desk.get(url(name, practice)).content.decode(), name
        assert MARK not in desk.get(url(name, event)).content.decode(), name
    assert MARK in desk.get(url("round", practice, 1)).content.decode()
