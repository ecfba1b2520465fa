from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.errors import Refusal
from players.services import NameNotUsable, create_player
from tests.factories.tournaments import (
    add_players,
    draft_round,
    finish_round,
    fresh,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tournaments.event.history import EventIsFinished, PlayerRemoved
from tournaments.event.permissions import NOBODY, Actor
from tournaments.judging import penalties
from tournaments.models import DroppedBy, Registration, RegistrationState, Tournament, event_log
from tournaments.registration import guests, roster_changes, services
from tournaments.registration.roster_changes import NewEntry
from tournaments.rounds import late_entries
from tournaments.settings import services as settings_services


def names_in(tournament: Tournament) -> list[str]:
    return [entry.player.name for entry in tournament.registrations.order_by("number")]


def test_entries_are_numbered_in_order():
    event = make_event(players=0)

    roster_changes.add_entries(
        event, [NewEntry("  Zoë "), NewEntry("Ada", "she/her", seed=2)], owner_of(event)
    )

    first, second = event.registrations.order_by("number")
    assert (first.number, first.player.name, first.player.name_key) == (1, "Zoë", "zoë")
    assert (second.number, second.player.pronouns, second.seed) == (2, "she/her", 2)
    assert event.log.filter(action="player registered").count() == 2


def test_unusable_name_adds_no_entries():
    event = make_event(players=1)

    with pytest.raises(NameNotUsable):
        roster_changes.add_entries(event, [NewEntry("Eve"), NewEntry(" ")], owner_of(event))

    assert names_in(event) == ["Ada"]


def test_number_of_queries_does_not_grow_with_entries():
    event = make_event(players=0)
    owner = owner_of(event)

    with CaptureQueriesContext(connection) as adding:
        added = roster_changes.add_entries(
            event, [NewEntry(f"Player {number}") for number in range(200)], owner
        )
    with CaptureQueriesContext(connection) as checking_in:
        services.check_in(added, owner)

    assert len(adding) < 30  # SQLite takes some 50 rows in one statement
    assert len(checking_in) < 20
    assert event.registrations.active().count() == 200


def test_number_of_a_removed_player_is_not_reused():
    event = make_event(players=3)
    roster_changes.remove_player(player_number(event, 3), owner_of(event))

    (late,) = add_players(event, 1)

    assert late.number == 4


def test_checking_in_twice_counts_once():
    event = make_event(players=3, checked_in=False)
    registrations = list(event.registrations.all())

    assert services.check_in(registrations, owner_of(event)) == 3
    assert services.check_in(registrations, owner_of(event)) == 0
    assert event.log.filter(action="player checked in").count() == 3


def test_check_in_is_timed_and_undone():
    event = make_event(players=2, checked_in=False)
    player = player_number(event, 1)

    services.check_in([player], owner_of(event))
    assert player_number(event, 1).checked_in_at is not None

    services.undo_check_in(player_number(event, 1), owner_of(event))
    assert player_number(event, 1).state == RegistrationState.REGISTERED
    assert player_number(event, 1).checked_in_at is None


def test_paired_player_can_be_dropped_but_not_removed(event: Tournament):
    start_round(event)
    player = player_number(event, 2)

    with pytest.raises(services.AlreadyPlayed, match="Drop the player instead"):
        roster_changes.remove_player(player, owner_of(event))
    with pytest.raises(services.AlreadyPlayed):
        services.undo_check_in(player, owner_of(event))
    services.drop_player(player, owner_of(event))

    assert player_number(event, 2).state == RegistrationState.DROPPED
    assert player_number(event, 2).dropped_at is not None


def test_dropped_player_is_paired_after_returning():
    event = make_event(players=5)
    play_round(event)
    services.drop_player(player_number(event, 1), owner_of(event))
    second = draft_round(event)
    assert second.pairing_of(player_number(event, 1).player) is None

    services.return_player(player_number(event, 1), owner_of(event))

    assert [entry.number for entry in second.changes_since_draft()[1]] == [1]


def test_first_round_bye_is_set_before_round_one():
    event = make_event(players=5)
    roster_changes.set_first_round_bye(player_number(event, 3), owner_of(event), has_bye=True)

    round_ = draft_round(event)

    bye = round_.pairings.get(match=None)
    assert bye.bye.number == 3
    with pytest.raises(services.AlreadyPlayed):
        roster_changes.set_first_round_bye(player_number(event, 1), owner_of(event), has_bye=True)
    roster_changes.set_first_round_bye(player_number(event, 3), owner_of(event), has_bye=True)
    assert event.log.filter(action="first-round bye given").count() == 1


def test_player_joins_once():
    event = make_event(players=0)
    player = create_player("Mia")

    first = services.register_player(event, player, Actor(player=player))
    second = services.register_player(event, player, Actor(player=player))

    assert first == second
    assert event.registrations.count() == 1


def test_only_staff_add_players_while_registration_is_closed():
    event = make_event(players=0)
    settings_services.set_registration(event, owner_of(event), is_open=False)

    with pytest.raises(late_entries.RegistrationClosed, match="Ask the organiser"):
        services.register_guest(event, "Mia")
    add_players(event, 1)

    assert names_in(event) == ["Ada"]


def test_guest_confirms_a_name_on_the_list():
    event = make_event(players=1, registration_is_open=True)

    with pytest.raises(services.NameTaken, match="already registered"):
        services.register_guest(event, "ADA")
    services.register_guest(event, "ADA", is_another=True)

    assert names_in(event) == ["Ada", "ADA"]


def test_joining_guest_is_the_actor_of_the_log():
    event = make_event(players=0)

    registration = services.register_guest(event, "Mia", "she/her")

    entry = event.log.get(action="player registered")
    assert (entry.player, entry.user) == (registration.player, None)


def test_finished_event_refuses_players():
    event = make_event(players=2)
    play_round(event)
    settings_services.finish_event(event, owner_of(event))

    with pytest.raises(EventIsFinished):
        add_players(fresh(event), 1)

    assert Registration.objects.filter(tournament=event).count() == 2


def test_repeated_list_is_refused():
    event = make_event(players=0)
    seen = event.log.newest_id(event_log.ROSTER_CHANGES)
    entries = [NewEntry("Ada"), NewEntry("Bo")]

    roster_changes.add_entries(event, entries, NOBODY, seen=seen)
    with pytest.raises(roster_changes.RosterHasChanged):
        roster_changes.add_entries(event, entries, NOBODY, seen=seen)

    assert event.registrations.count() == 2


def test_registration_closes_with_round_1_only_once(event: Tournament):
    actor = owner_of(event)
    start_round(event)
    assert not fresh(event).registration_is_open
    entry = event.log.filter(action="registration closed").get()
    assert (entry.reason, entry.shown_reason) == ("round_1_published", "Round 1 was published.")

    settings_services.set_registration(event, actor, is_open=True)
    finish_round(get_round(event, 1))
    start_round(event)

    assert fresh(event).registration_is_open


def check_in_self(entry: Registration, owner: Actor) -> None:
    services.check_in_self(entry, Actor(player=entry.player))


def return_self(entry: Registration, owner: Actor) -> None:
    services.return_self(entry, Actor(player=entry.player))


@pytest.mark.parametrize(
    "change",
    [
        check_in_self,
        return_self,
        roster_changes.remove_player,
        services.give_place_to_waiting,
        partial(guests.rename_guest, name="Eve"),
        partial(roster_changes.set_first_round_bye, has_bye=True),
        partial(roster_changes.set_fixed_table, table=3),
        partial(roster_changes.set_avoids_stream, avoids=True),
        partial(roster_changes.set_seed_and_group, seed=1, avoid_group=""),
        lambda entry, owner: penalties.give(entry.tournament, entry, owner, infraction="late"),
        lambda entry, owner: roster_changes.merge_entries(
            player_number(entry.tournament, 2), entry, owner, "typed twice"
        ),
    ],
)
def test_removed_player_is_not_changed(
    event: Tournament, change: Callable[[Registration, Actor], object]
):
    owner, entry = owner_of(event), player_number(event, 1)
    roster_changes.remove_player(player_number(event, 1), owner)
    logged = event.log.count()

    with pytest.raises(PlayerRemoved, match="removed from the roster"):
        change(entry, owner)

    assert event.log.count() == logged


def test_removed_player_is_not_checked_in(event: Tournament):
    removed = player_number(event, 1)
    roster_changes.remove_player(player_number(event, 1), owner_of(event))

    arrival = services.check_in_at_door(event, removed, owner_of(event))

    assert arrival.outcome == services.DoorOutcome.NO
    assert "removed from the roster" in arrival.words


def test_drop_records_its_author():
    event = make_event(3)
    ada, bo = player_number(event, 1), player_number(event, 2)

    services.drop_player(ada, Actor(player=ada.player))
    services.drop_player(bo, owner_of(event))

    assert player_number(event, 1).dropped_by == DroppedBy.PLAYER
    assert player_number(event, 2).dropped_by == DroppedBy.STAFF
    with pytest.raises(Refusal, match="Ask the staff"):
        services.return_self(player_number(event, 2), Actor(player=bo.player))
    services.return_self(player_number(event, 1), Actor(player=ada.player))
    returned = player_number(event, 1)
    assert (returned.state, returned.dropped_by, returned.dropped_at) == ("checked_in", "", None)


def test_dropped_player_returns_until_a_round_is_published():
    event = make_event(players=4)
    start_round(event)
    add_players(event, 1)
    ada = player_number(event, 1)
    me = Actor(player=ada.player)
    services.drop_player(ada, me)
    services.return_self(player_number(event, 1), me)
    assert player_number(event, 1).is_active

    services.drop_player(player_number(event, 1), me)
    event.stages.get().rounds.create(
        number=2, seed=1, state="published", published_at="2099-01-01T00:00Z"
    )
    with pytest.raises(services.CannotReturn):
        services.return_self(player_number(event, 1), me)
