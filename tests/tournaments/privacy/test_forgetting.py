"""Who has been away for a year is forgotten; who has not, or is needed, is not."""

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
from tournaments.models import KeptAnswer, LogAction, Registration, Tournament
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


def a_year_ago(event: Tournament) -> None:
    """The event is over, and was over a year ago; so were its people made."""
    play_round(event)
    settings_services.finish_event(event, owner_of(event))
    then = timezone.now() - LONG_AGO
    Tournament.objects.filter(pk=event.pk).update(starts_on=then.date(), finished_at=then)
    Player.objects.update(created_at=then)
    User.objects.update(date_joined=then, last_login=then)


def long_away() -> User:
    """An account nobody has used for as long."""
    account = make_user("returning")
    User.objects.update(date_joined=timezone.now() - LONG_AGO)
    return account


def make_scene() -> Tournament:
    event = make_event(players=4)
    a_year_ago(event)
    return event


@pytest.fixture
def old(event: Tournament, settings) -> Tournament:
    """An event of a year ago, at a site that forgets people after as long."""
    settings.FORGET_AFTER_MONTHS = 12
    return event


def erased() -> set[str]:
    return set(Player.objects.exclude(erased_at=None).values_list("name", flat=True))


def test_everybody_of_an_event_long_past_is_forgotten(old: Tournament):
    tasks.forget_absent()

    assert erased() == {f"Player {player.pk}" for player in Player.objects.all()}
    owner = owner_of(old).user
    assert (owner.is_active, owner.email) == (False, "")
    assert tasks.forget_absent() is None
    assert old.log.filter(action="person erased").count() == 5


def test_whoever_was_here_since_stays(old: Tournament):
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


def test_the_owner_of_an_event_that_is_not_over_stays(old: Tournament):
    Tournament.objects.filter(pk=old.pk).update(finished_at=None)

    tasks.forget_absent()

    assert owner_of(old).user.is_active
    # Nobody finishes an event of last year any more: its players do not wait for it.
    assert len(erased()) == 4


def test_whoever_comes_back_while_others_are_forgotten_stays(old: Tournament):
    account = long_away()
    gone, logging_in, staying, playing = Player.objects.order_by("pk")
    players.link_guest(logging_in, account)
    later = make_event(players=0, name="Later", starts_on=timezone.localdate())

    def come_back() -> None:
        if not later.registrations.exists():
            later.registrations.create(player=playing, number=9)
            services.extend_stay(staying)
            User.objects.filter(pk=account.pk).update(last_login=timezone.now())

    with after(LOCK, come_back):
        tasks.forget_absent()

    assert erased() == {f"Player {gone.pk}"}
    account.refresh_from_db()
    assert account.is_active


def test_a_guest_who_takes_an_account_meanwhile_is_looked_at_again(old: Tournament):
    account = long_away()
    linking = Player.objects.latest("pk")

    def take_it() -> None:
        if linking.user is None:
            linking.user = players.link_guest(linking, account).user

    with after(LOCK, take_it):
        tasks.forget_absent()

    assert len(erased()) == 3
    assert Player.objects.get(pk=linking.pk).name == linking.name


def test_nobody_is_forgotten_where_the_site_keeps_people_for_ever(old: Tournament, settings):
    settings.FORGET_AFTER_MONTHS = 0

    tasks.forget_absent()

    assert erased() == set()
    assert privacy_queries.erasure_time(None, Player.objects.first()) is None


def test_one_who_cannot_be_forgotten_keeps_nobody_else_here(old: Tournament, caplog):
    first = old.registrations.select_related("player").earliest("player")
    handed_in = submit(first)
    # Somebody else hands in the very deck, which no form allows: it cannot be deleted any more.
    event = make_event(players=0, name="Later", starts_on=timezone.localdate())
    other = event.registrations.create(player=players.create_player("Bo"), number=1)
    other.deck_submissions.create(
        side=handed_in.side, version=handed_in.version, received_at=timezone.now()
    )

    tasks.forget_absent()

    assert first.player.name not in erased()
    assert len(erased()) == 3
    assert Player.objects.get(pk=first.player_id).name == first.player.name
    assert f"Player {first.player_id}" in caplog.text


@pytest.mark.parametrize(
    ("day", "months", "other"),
    [
        ("2026-01-31", 1, "2026-02-28"),
        ("2026-12-05", 12, "2027-12-05"),
        ("2026-01-15", -1, "2025-12-15"),
        ("2028-02-29", 12, "2029-02-28"),
    ],
)
def test_months_are_counted_by_the_calendar(day: str, months: int, other: str):
    moved = privacy_queries.shift_months(datetime.fromisoformat(f"{day}T12:00:00+00:00"), months)

    assert moved.isoformat() == f"{other}T12:00:00+00:00"


def test_answers_to_writes_are_forgotten_after_a_day_although_people_are_kept(settings):
    settings.FORGET_AFTER_MONTHS = 0
    for key in ("old", "new"):
        KeptAnswer.objects.create(who="player:1", key=key, digest="d", status=302)
    before_yesterday = timezone.now() - timedelta(hours=25)
    KeptAnswer.objects.filter(key="old").update(made_at=before_yesterday)

    tasks.forget_absent()

    assert KeptAnswer.objects.get().key == "new"


def test_sessions_that_have_run_out_are_forgotten():
    now = timezone.now()
    for key, moment in (("old", now - DAY), ("new", now + DAY)):
        Session.objects.create(session_key=key, session_data="", expire_date=moment)

    tasks.forget_absent()

    assert Session.objects.get() == Session.objects.get(session_key="new")


def merged_event() -> Tournament:
    """Zanna Old was typed twice and is one person now."""
    event = make_event(players=2)
    twice = [NewEntry("Zanna Old"), NewEntry("Zaninka Ol")]
    kept, other = roster_changes.add_entries(event, twice, owner_of(event))
    again = roster_changes.add_entries(event, [NewEntry("Zannissima")], owner_of(event))[0]
    roster_changes.merge_entries(other, again, owner_of(event), "twice")
    roster_changes.merge_entries(kept, other, owner_of(event), "twice")
    return event


def test_all_entries_of_a_merged_person_are_forgotten():
    event = merged_event()
    kept = event.registrations.get(player__name="Zanna Old")
    Player.objects.filter(name="Zaninka Ol").update(name="Zanuschka", name_key="zanuschka")

    services.erase_guest(kept, owner_of(event))

    assert tables_with("zan") == set()
    label = f"Player {kept.player_id}"
    assert Player.objects.filter(name=label).count() == 3


def test_who_was_taken_apart_again_is_somebody_else():
    event = merged_event()
    merge = event.log.filter(action=LogAction.ENTRIES_MERGED).latest("pk")
    undo_services.undo(merge, owner_of(event))
    kept = event.registrations.get(player__name="Zanna Old")
    assert kept.player.former_names == []

    services.erase_guest(kept, owner_of(event))

    assert event.registrations.filter(player__name="Zaninka Ol").exists()


@pytest.mark.parametrize(
    "was_called", [["Bob Smith"], ["Bob Smith", "Zed"], ["Bob", "Smith", "Zed"]]
)
def test_nobody_takes_the_name_of_another_out_of_the_log(was_called: list[str]):
    event = make_event(players=0)
    new = [NewEntry("Bob Smith"), NewEntry("Zed")]
    bob, zed = roster_changes.add_entries(event, new, owner_of(event))
    roster_changes.set_avoids_stream(bob, owner_of(event), avoids=True)
    for name in was_called:
        players.rename_player(zed.player, name)
    roster_changes.set_avoids_stream(fresh_place(zed), owner_of(event), avoids=True)

    services.erase_guest(fresh_place(zed), owner_of(event))

    subjects = event.log.exclude(registration=None).values_list("registration", "subject")
    assert {subject for place, subject in subjects if place == bob.pk} == {"Bob Smith"}
    assert {subject for place, subject in subjects if place == zed.pk} == {
        f"Player {zed.player_id}"
    }


def test_a_namesake_at_one_event_keeps_the_name_at_no_other():
    shared, other = make_event(players=0), make_event(players=0, name="Elsewhere")
    places = roster_changes.add_entries(
        shared, [NewEntry("Anna"), NewEntry("Zed")], owner_of(shared)
    )
    guest = places[0].player
    Registration.objects.create(tournament=other, player=guest, number=1)
    roster_changes.set_avoids_stream(other.registrations.get(), owner_of(other), avoids=True)
    Registration.objects.filter(pk=places[1].pk).update(player=players.create_player("Anna"))
    for event in (shared, other):
        history.record(event, owner_of(event), LogAction.EVENT_CORRECTED, "Anna sits there")

    erasure.erase(erasure.data_subject_of(None, guest))

    kept = {event: event.log.filter(subject__contains="Anna").exists() for event in (shared, other)}
    assert kept == {shared: True, other: False}


def fresh_place(place: Registration) -> Registration:
    return Registration.objects.select_related("player", "tournament").get(pk=place.pk)
