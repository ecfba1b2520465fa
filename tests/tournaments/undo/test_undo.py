import pytest

from tests.factories.tournaments import (
    add_staff,
    enter_result,
    fresh,
    games_for,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tournaments.event import history
from tournaments.event.permissions import Actor
from tournaments.models import (
    LateEntry,
    LogAction,
    LogEntry,
    Pairing,
    Registration,
    StaffRole,
    Tournament,
)
from tournaments.registration import roster_changes
from tournaments.registration import services as registration_services
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services
from tournaments.undo import services as undo_services
from tournaments.undo.undo_rules import CannotUndo


def last_entry(event: Tournament, action: str) -> LogEntry:
    return event.log.filter(action=action).latest("pk")


def undo_last(event: Tournament, action: str) -> LogEntry:
    return undo_services.undo(last_entry(event, action), owner_of(event))


def state_of(registration: Registration) -> str:
    return Registration.objects.get(pk=registration.pk).state


def test_undo_adds_an_entry_that_names_the_undone_entry(event: Tournament):
    ada = player_number(event, 1)
    registration_services.drop_player(ada, owner_of(event))
    dropped, before = last_entry(event, "player dropped"), event.log.count()

    done = undo_services.undo(dropped, owner_of(event))

    assert (done.undoes, done.action) == (dropped, "player returned")
    assert LogEntry.objects.get(pk=dropped.pk).undone_by == done
    assert event.log.count() == before + 1
    assert state_of(ada) == "checked_in"


def test_undone_return_removes_the_credit_for_missed_rounds():
    event = make_event(players=5, late_entry=LateEntry.HALF)
    ed = player_number(event, 5)
    registration_services.drop_player(ed, owner_of(event))
    play_round(event)
    byes = Pairing.objects.filter(bye=ed)

    returned = undo_last(event, "player dropped")
    brought = list(byes.values_list("round__number", "bye_points"))
    undo_services.undo(returned, owner_of(event))
    has_byes = byes.exists()
    undo_last(event, "player dropped")

    assert (returned.action, brought, has_byes) == ("player returned", [(1, 10)], False)
    assert last_entry(event, "missed rounds taken back").before == {"rounds": [1]}
    assert list(byes.values_list("round__number", "bye_points")) == brought


def test_undone_check_in_and_drop_of_a_registered_player():
    event = make_event(players=4, checked_in=False)
    ada = player_number(event, 1)

    registration_services.check_in([ada], owner_of(event))
    undo_last(event, "player checked in")
    assert state_of(ada) == "registered"
    registration_services.drop_player(player_number(event, 1), owner_of(event))
    undo_last(event, "player dropped")

    assert state_of(ada) == "registered"


def test_check_in_of_a_paired_player_is_not_undone(event: Tournament):
    start_round(event)

    entry = event.log.filter(action="player checked in").latest("pk")
    with pytest.raises(CannotUndo, match="has been paired"):
        undo_services.undo(entry, owner_of(event))


def test_settings_are_restored_with_their_types(event: Tournament):
    before = (event.starts_on, event.round_minutes, event.planned_rounds, event.tie_breakers)
    settings_services.change_settings(
        event,
        owner_of(event),
        starts_on=before[0].replace(day=9),
        round_minutes=40,
        planned_rounds=5,
        tie_breakers=["match_points", "lot"],
    )

    preview = undo_services.preview_undo(last_entry(event, "settings changed"), owner_of(event))
    undo_last(event, "settings changed")

    after = fresh(event)
    restored = (after.starts_on, after.round_minutes, after.planned_rounds, after.tie_breakers)
    assert restored == before
    assert "round minutes: 65" in preview.sentence
    assert "planned rounds: nothing" in preview.sentence


def test_only_a_later_change_of_the_same_setting_blocks(event: Tournament):
    settings_services.change_settings(event, owner_of(event), round_minutes=40)
    first = last_entry(event, "settings changed")
    settings_services.change_settings(event, owner_of(event), location="The shop")

    undo_services.undo(first, owner_of(event))
    assert (fresh(event).round_minutes, fresh(event).location) == (65, "The shop")

    settings_services.change_settings(event, owner_of(event), round_minutes=50)
    second = last_entry(event, "settings changed")
    settings_services.change_settings(event, owner_of(event), round_minutes=55)
    with pytest.raises(CannotUndo, match="came later"):
        undo_services.undo(second, owner_of(event))


def test_table_preference_is_restored(event: Tournament, ada: Registration):
    roster_changes.set_fixed_table(ada, owner_of(event), 3)
    roster_changes.set_avoids_stream(ada, owner_of(event), avoids=True)

    undo_services.undo(event.log.filter(action="table wish set").earliest("pk"), owner_of(event))

    ada.refresh_from_db()
    assert (ada.fixed_table, ada.avoids_stream) == (None, True)


def test_roles_are_restored(event: Tournament):
    judge = add_staff(event, StaffRole.JUDGE)
    settings_services.give_role(event, owner_of(event), judge, StaffRole.HEAD_JUDGE)

    undo_last(event, "role given")
    assert event.staff.get(user=judge).role == StaffRole.JUDGE
    settings_services.remove_role(event, owner_of(event), event.staff.get(user=judge))
    undo_last(event, "role taken")

    assert event.staff.get(user=judge).role == StaffRole.JUDGE


def test_preview_changes_nothing(event: Tournament):
    registration_services.drop_player(player_number(event, 1), owner_of(event))
    before, version = event.log.count(), fresh(event).version

    undo_services.preview_undo(last_entry(event, "player dropped"), owner_of(event))

    assert (event.log.count(), fresh(event).version) == (before, version)
    assert state_of(player_number(event, 1)) == "dropped"


def test_undo_depends_on_action_and_permission(event: Tournament):
    judge = Actor(user=add_staff(event, StaffRole.JUDGE))
    registration_services.drop_player(player_number(event, 1), owner_of(event))
    dropped, made = last_entry(event, "player dropped"), last_entry(event, "event created")

    assert undo_services.can_undo(dropped, owner_of(event), event)
    assert not undo_services.can_undo(dropped, judge, event)
    assert not undo_services.can_undo(made, owner_of(event), event)
    with pytest.raises(CannotUndo, match="of this kind"):
        undo_services.undo(made, owner_of(event))
    undo_last(event, "player dropped")
    with pytest.raises(CannotUndo, match="already"):
        undo_services.undo(dropped, owner_of(event))


def test_dropped_waiting_player_waits_or_gets_a_free_place():
    event = make_event(players=2, max_players=2, has_waiting_list=True, registration_is_open=True)
    waiting = [registration_services.register_guest(event, name) for name in ("Mia", "Noor")]
    for entry in waiting:
        registration_services.drop_player(entry, owner_of(event))
    mia, noor = (entry for entry in event.log.filter(action="player dropped").order_by("pk"))

    undo_services.undo(mia, owner_of(event))
    assert state_of(waiting[0]) == "waiting"
    registration_services.drop_player(player_number(event, 1), owner_of(event))
    assert state_of(waiting[0]) == "registered"
    registration_services.drop_player(player_number(event, 2), owner_of(event))
    undo_services.undo(noor, owner_of(event))

    assert state_of(waiting[1]) == "registered"
    assert last_entry(event, "player on the waiting list").undoes == noor


def test_entry_of_a_table_has_its_round(event: Tournament, pairing: Pairing):
    enter_result(pairing, games_for(pairing))

    entry = event.log.get(action="result entered")

    assert (entry.pairing, entry.round) == (pairing, pairing.round)
    assert entry.subject == "round 1, table 1"
    assert entry.after["seats"] == [seat.player.name for seat in pairing.match.seats.all()]


def test_entry_of_a_bye_has_its_player():
    event = make_event(players=3)
    bye = Pairing.objects.get(round=start_round(event), match=None)

    entry = history.record(event, owner_of(event), LogAction.FIRST_ROUND_BYE_GIVEN, bye)

    assert (entry.registration, entry.subject) == (bye.bye, f"round 1, bye of {bye.bye.player}")


def test_subject_can_be_text_with_a_registration(event: Tournament, ada: Registration):
    entry = history.record(event, owner_of(event), LogAction.LET_IN_LATE, "the door", about=ada)

    assert (entry.subject, entry.registration) == ("the door", ada)


def test_only_the_first_entry_of_an_undo_refers_to_the_undone_entry(event: Tournament):
    round_ = play_round(event)
    closed = event.log.get(action="round closed")

    with history.record_as_undo(closed):
        rounds_services.reopen_round(round_, owner_of(event), "Too early")
        later = history.record(event, owner_of(event), LogAction.NEWS_SET)
    after = history.record(event, owner_of(event), LogAction.NEWS_SET)

    assert closed.undone_by.action == "round reopened"
    assert (later.undoes, after.undoes) == (None, None)
