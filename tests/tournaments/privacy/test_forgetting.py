"""Automatic erasure of inactive people, and erasure of merged players and namesakes."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from players import services as players
from players.models import Player, Session, User
from tests.factories.submissions import submit
from tests.factories.tournaments import make_event, make_user, owner_of, play_round
from tests.moments import after
from tests.tournaments.privacy.dumping import tables_with
from tournaments import tasks
from tournaments.event import history
from tournaments.models import IdempotencyRecord, LogAction, Registration, Tournament
from tournaments.privacy import erasure, services
from tournaments.privacy import queries as privacy_queries
from tournaments.registration import roster_changes
from tournaments.registration.roster_changes import NewEntry
from tournaments.settings import services as settings_services
from tournaments.undo import services as undo_services

pytestmark = [pytest.mark.django_db, pytest.mark.check(40)]

LONG_AGO = timedelta(days=380)
DAY = timedelta(days=1)
LOCK = "tournaments.privacy.erasure.lock_data_subject"


def finish_a_year_ago(event: Tournament) -> None:
    play_round(event)
    settings_services.finish_event(event, owner_of(event))
    then = timezone.now() - LONG_AGO
    Tournament.objects.filter(pk=event.pk).update(starts_on=then.date(), finished_at=then)
    Player.objects.update(created_at=then)
    User.objects.update(date_joined=then, last_login=then)


def inactive_account() -> User:
    account = make_user("returning")
    User.objects.update(date_joined=timezone.now() - LONG_AGO)
    return account


def make_scene() -> Tournament:
    event = make_event(players=4)
    finish_a_year_ago(event)
    return event


@pytest.fixture
def old(event: Tournament, settings) -> Tournament:
    settings.FORGET_AFTER_MONTHS = 12
    return event


def erased() -> set[str]:
    return set(Player.objects.exclude(erased_at=None).values_list("name", flat=True))


def test_everyone_of_an_old_event_is_erased(old: Tournament):
    tasks.forget_absent()

    assert erased() == {f"Player {player.pk}" for player in Player.objects.all()}
    owner = owner_of(old).user
    assert (owner.is_active, owner.email) == (False, "")
    assert tasks.forget_absent() is None
    assert old.log.filter(action="person erased").count() == 5


def test_recently_active_people_and_administrators_stay(old: Tournament):
    playing, staying, logging_in, leaving = Player.objects.order_by("pk")
    later = make_event(players=0, name="Later", starts_on=timezone.localdate())
    later.registrations.create(player=playing, number=9)
    Player.objects.filter(pk=staying.pk).update(stays_from=timezone.now())
    players.link_guest(logging_in, make_user(last_login=timezone.now()))
    keeper = make_user("keeper", is_superuser=True)
    User.objects.filter(pk=keeper.pk).update(date_joined=timezone.now() - LONG_AGO)

    tasks.forget_absent()

    assert erased() == {f"Player {leaving.pk}"}
    keeper.refresh_from_db()
    assert keeper.is_active


def test_owner_of_an_unfinished_event_stays(old: Tournament):
    Tournament.objects.filter(pk=old.pk).update(finished_at=None)

    tasks.forget_absent()

    assert owner_of(old).user.is_active
    # The players of an abandoned event are erased all the same.
    assert len(erased()) == 4


def test_person_who_returns_during_the_run_stays(old: Tournament):
    account = inactive_account()
    inactive, logging_in, staying, playing = Player.objects.order_by("pk")
    players.link_guest(logging_in, account)
    later = make_event(players=0, name="Later", starts_on=timezone.localdate())

    def come_back() -> None:
        if not later.registrations.exists():
            later.registrations.create(player=playing, number=9)
            services.extend_stay(staying)
            User.objects.filter(pk=account.pk).update(last_login=timezone.now())

    with after(LOCK, come_back):
        tasks.forget_absent()

    assert erased() == {f"Player {inactive.pk}"}
    account.refresh_from_db()
    assert account.is_active


def test_guest_who_gets_an_account_during_the_run_is_checked_again(old: Tournament):
    account = inactive_account()
    linking = Player.objects.latest("pk")

    def link_account() -> None:
        if linking.user is None:
            linking.user = players.link_guest(linking, account).user

    with after(LOCK, link_account):
        tasks.forget_absent()

    assert len(erased()) == 3
    assert Player.objects.get(pk=linking.pk).name == linking.name


def test_nothing_is_erased_if_the_site_sets_no_limit(old: Tournament, settings):
    settings.FORGET_AFTER_MONTHS = 0

    tasks.forget_absent()

    assert erased() == set()
    assert privacy_queries.erasure_time(None, Player.objects.first()) is None


def test_failure_for_one_person_does_not_stop_the_run(old: Tournament, caplog):
    first = old.registrations.select_related("player").earliest("player")
    submission = submit(first)
    # No form allows a second player with the same deck, so the deck cannot be deleted.
    event = make_event(players=0, name="Later", starts_on=timezone.localdate())
    place = event.registrations.create(player=players.create_player("Bo"), number=1)
    place.deck_submissions.create(
        side=submission.side, version=submission.version, received_at=timezone.now()
    )

    tasks.forget_absent()

    assert first.player.name not in erased()
    assert len(erased()) == 3
    assert Player.objects.get(pk=first.player_id).name == first.player.name
    assert f"Player {first.player_id}" in caplog.text


@pytest.mark.parametrize(
    ("day", "months", "shifted"),
    [
        ("2026-01-31", 1, "2026-02-28"),
        ("2026-12-05", 12, "2027-12-05"),
        ("2026-01-15", -1, "2025-12-15"),
        ("2028-02-29", 12, "2029-02-28"),
    ],
)
def test_months_are_calendar_months(day: str, months: int, shifted: str):
    moment = privacy_queries.shift_months(datetime.fromisoformat(f"{day}T12:00:00+00:00"), months)

    assert moment.isoformat() == f"{shifted}T12:00:00+00:00"


def test_expired_answers_and_sessions_are_deleted_even_without_a_limit(settings):
    settings.FORGET_AFTER_MONTHS = 0
    now = timezone.now()
    for key, age in (("old", 25), ("new", 0)):
        IdempotencyRecord.objects.create(who="player:1", key=key, digest="d", status=302)
        IdempotencyRecord.objects.filter(key=key).update(made_at=now - timedelta(hours=age))
    for key, moment in (("old", now - DAY), ("new", now + DAY)):
        Session.objects.create(session_key=key, session_data="", expire_date=moment)

    tasks.forget_absent()

    assert IdempotencyRecord.objects.get().key == "new"
    assert Session.objects.get() == Session.objects.get(session_key="new")


def merged_event() -> Tournament:
    event = make_event(players=2)
    twice = [NewEntry("Zanna Old"), NewEntry("Zaninka Ol")]
    remaining, duplicate = roster_changes.add_entries(event, twice, owner_of(event))
    second = roster_changes.add_entries(event, [NewEntry("Zannissima")], owner_of(event))[0]
    roster_changes.merge_entries(duplicate, second, owner_of(event), "twice")
    roster_changes.merge_entries(remaining, duplicate, owner_of(event), "twice")
    return event


def test_all_merged_players_are_erased():
    event = merged_event()
    registration = event.registrations.get(player__name="Zanna Old")
    Player.objects.filter(name="Zaninka Ol").update(name="Zanuschka", name_key="zanuschka")

    services.erase_guest(registration, owner_of(event))

    assert tables_with("zan") == set()
    label = f"Player {registration.player_id}"
    assert Player.objects.filter(name=label).count() == 3


def test_player_of_an_undone_merge_stays():
    event = merged_event()
    merge = event.log.filter(action=LogAction.ENTRIES_MERGED).latest("pk")
    undo_services.undo(merge, owner_of(event))
    registration = event.registrations.get(player__name="Zanna Old")
    assert registration.player.former_names == []

    services.erase_guest(registration, owner_of(event))

    assert event.registrations.filter(player__name="Zaninka Ol").exists()


@pytest.mark.parametrize("names", [["Bob Smith"], ["Bob Smith", "Zed"], ["Bob", "Smith", "Zed"]])
def test_renaming_to_a_namesake_keeps_their_log_entries(names: list[str]):
    event = make_event(players=0)
    new = [NewEntry("Bob Smith"), NewEntry("Zed")]
    bob, zed = roster_changes.add_entries(event, new, owner_of(event))
    roster_changes.set_avoids_stream(bob, owner_of(event), avoids=True)
    for name in names:
        players.rename_player(zed.player, name)
    roster_changes.set_avoids_stream(fresh_place(zed), owner_of(event), avoids=True)

    services.erase_guest(fresh_place(zed), owner_of(event))

    subjects = event.log.exclude(registration=None).values_list("registration", "subject")
    assert {subject for place, subject in subjects if place == bob.pk} == {"Bob Smith"}
    assert {subject for place, subject in subjects if place == zed.pk} == {
        f"Player {zed.player_id}"
    }


def test_namesake_keeps_the_name_only_at_shared_events():
    shared, second_event = make_event(players=0), make_event(players=0, name="Elsewhere")
    places = roster_changes.add_entries(
        shared, [NewEntry("Anna"), NewEntry("Zed")], owner_of(shared)
    )
    guest = places[0].player
    Registration.objects.create(tournament=second_event, player=guest, number=1)
    roster_changes.set_avoids_stream(
        second_event.registrations.get(), owner_of(second_event), avoids=True
    )
    Registration.objects.filter(pk=places[1].pk).update(player=players.create_player("Anna"))
    for event in (shared, second_event):
        history.record(event, owner_of(event), LogAction.EVENT_CORRECTED, "Anna sits there")

    erasure.erase(erasure.data_subject_of(None, guest))

    with_name = {
        event: event.log.filter(subject__contains="Anna").exists()
        for event in (shared, second_event)
    }
    assert with_name == {shared: True, second_event: False}


def fresh_place(place: Registration) -> Registration:
    return Registration.objects.select_related("player", "tournament").get(pk=place.pk)
