import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from players.models import Player
from rulings.guide import PenaltyKind
from tests.factories.cuts import make_cut
from tests.factories.penalties import penalise
from tests.factories.series import (
    evening,
    make_players,
    make_series,
    open_evening,
    owner_of_series,
    registered,
)
from tests.factories.sessions import logged_in
from tests.factories.tournaments import add_staff, make_event, owner_of, play_round
from tests.queries import queries_asked
from tests.tournaments.pages import text_of
from tournaments.desk import timers
from tournaments.event import permissions as event_permissions
from tournaments.event.permissions import Actor
from tournaments.models import (
    DroppedBy,
    EveningPlan,
    LogAction,
    PlannedEvening,
    Series,
    Tournament,
)
from tournaments.models.event_lists import TournamentQuerySet
from tournaments.registration import services as registration_services
from tournaments.series import recurring, services
from tournaments.series.recurring import EventCopyOptions
from tournaments.settings import services as settings_services

TUESDAY = date(2026, 5, 5)
NOW = datetime(2026, 5, 6, 9, tzinfo=UTC)


def make_scene() -> Tournament:
    with time_machine.travel(NOW, tick=False):
        names = make_players("Ada", "Bo", "Cy", "Di")
        return evening(make_series(), names, start_time=time(19), time_zone="Europe/Berlin")


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


def copy_event(event: Tournament, **options: Any) -> Tournament:
    usual: dict[str, Any] = {"name": "Evening 2", "starts_on": event.starts_on + timedelta(days=7)}
    return recurring.copy_event(
        event, owner_of(event), EventCopyOptions(**{**usual, **options}), series=None
    )


def test_copy_has_settings_and_staff_but_no_players(new_players: list[Player]):
    event = evening(
        None,
        new_players,
        entry_fee="5 euros",
        language="de",
        start_time=time(19),
        round_minutes=50,
        planned_rounds=1,
    )
    judge = add_staff(event, "judge")
    copy = copy_event(event)

    texts = ("entry_fee", "language", "scoring_rule", "game")
    for name in (*texts, "start_time", "round_minutes", "deck_rules"):
        assert getattr(copy, name) == getattr(event, name)
    assert (copy.registration_is_open, copy.finished_at) == (True, None)
    assert not copy.registrations.exists()
    assert copy.join_code != event.join_code
    assert copy.role_of(judge) == "judge"
    assert copy.stages.get().system == event.stages.get(number=1).system
    assert copy.log.get().action == LogAction.EVENT_COPIED


def test_concurrent_copies_with_the_same_name_are_both_created(
    event: Tournament, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(TournamentQuerySet, "free_slug", lambda *_: "evening-2")

    first, second = copy_event(event), copy_event(event)

    assert first.slug == "evening-2"
    assert second.slug.startswith("evening-2-")


def test_copying_organiser_owns_the_copy(event: Tournament):
    organiser = add_staff(event, "organiser")
    options = EventCopyOptions("Evening 2", TUESDAY)
    copy = recurring.copy_event(event, Actor(user=organiser), options, series=None)

    assert copy.role_of(organiser) == "owner"
    assert event_permissions.can_run(owner_of(event), copy)
    assert not event_permissions.can_own(owner_of(event), copy)


def test_deadlines_keep_their_days_and_hours_when_the_clocks_change():
    event = make_event(
        0,
        starts_on=date(2026, 3, 27),
        time_zone="Europe/Berlin",
        decks_close_at=datetime(2026, 3, 26, 19, tzinfo=UTC),
    )
    copy = copy_event(event)

    # 20:00 in Berlin, where summer time began on the 29th.
    assert copy.decks_close_at == datetime(2026, 4, 2, 18, tzinfo=UTC)


def test_day_two_keeps_its_distance_and_its_check_in_is_closed():
    event = make_event(players=2, day_two_on=date(2026, 5, 3), day_two_round=2)
    event.day_two_opened_at = datetime(2026, 5, 3, 9, tzinfo=UTC)
    event.save()
    event.registrations.update(paid_at=event.day_two_opened_at)

    copy = copy_event(event, with_roster=True)

    assert (copy.day_two_on, copy.day_two_round) == (date(2026, 5, 10), 2)
    assert copy.day_two_opened_at is None
    assert list(copy.registrations.values_list("paid_at", flat=True)) == [None, None]


def test_copy_with_players_includes_players_who_left(new_players: list[Player]):
    event = open_evening(None, new_players)
    by_staff, by_player = event.registrations.filter(player__in=new_players[:2])
    registration_services.drop_player(by_staff, owner_of(event))
    registration_services.drop_player(by_player, Actor(player=by_player.player))
    copy = copy_event(event, with_roster=True)

    assert registered(copy) == ["Ada", "Bo", "Cy", "Di"]
    assert list(copy.registrations.values_list("number", flat=True)) == [1, 2, 3, 4]


def test_copy_with_players_leaves_out_no_shows_and_disqualified_players(
    new_players: list[Player],
):
    event = open_evening(None, new_players)
    ada, bo, cy, _ = event.registrations.order_by("number")
    penalise(ada, PenaltyKind.DISQUALIFICATION)
    event.registrations.filter(pk=bo.pk).update(state="dropped", dropped_by=DroppedBy.NO_SHOW)
    event.registrations.filter(pk=cy.pk).update(state="dropped", dropped_by=DroppedBy.ABSENT)

    page = logged_in(owner_of(event).user).get(f"/events/{event.slug}/desk/again/")
    copy = copy_event(event, with_roster=True)

    assert registered(copy) == ["Di"]
    assert "Copy 1 player" in text_of(page)


def test_copy_leaves_out_players_who_never_checked_in(new_players: list[Player]):
    event = evening(None, new_players[:3])
    event.registrations.create(player=new_players[3], number=4)

    assert registered(copy_event(event, with_roster=True)) == ["Ada", "Bo", "Cy"]


def test_copy_plans_the_cut_as_it_was_played():
    event = make_event(players=4, planned_rounds=1, planned_cut=2)
    play_round(event)
    cut_stage = make_cut(event, 2, system="single_elimination")

    assert event.planned_cut_system == "double_elimination"
    assert copy_event(event).planned_cut_system == cut_stage.system == "single_elimination"


def test_event_of_next_week_is_created_once(series: Series, event: Tournament):
    desk = logged_in(owner_of(event).user)
    assert f"/events/{event.slug}/desk/again/" in desk.get("/my-events/").content.decode()
    form = desk.get(f"/events/{event.slug}/desk/again/").context["form"]
    sent = {name: form[name].value() or "" for name in ("name", "starts_on", "start_time")}
    sent["idempotency_key"] = "k" * 22
    for _ in range(2):
        answer = desk.post(f"/events/{event.slug}/desk/again/", sent)

    copy = Tournament.objects.get(name="Spring Evening 2")
    assert answer["Location"] == f"/events/{copy.slug}/desk/created/"
    assert copy.join_code in desk.get(answer["Location"]).text
    assert copy.starts_on == date(2026, 5, 12)
    assert copy.series == series


def test_copy_by_invitation_warns_about_missing_invitations(event: Tournament):
    desk, address = logged_in(owner_of(event).user), f"/events/{event.slug}/desk/again/"
    assert "invitations are not copied" not in desk.get(address).content.decode()
    Tournament.objects.filter(pk=event.pk).update(invitation_only=True)

    assert "invitations are not copied" in desk.get(address).content.decode()
    sent = {"name": "Evening 2", "starts_on": "2026-06-01"}
    opened_events = desk.post(address, sent, follow=True).content.decode()
    assert "Only invited players can join, and nobody has been invited yet." in opened_events


def test_copy_belongs_to_a_series_only_if_its_maker_runs_the_series(event: Tournament):
    organiser = add_staff(event, "organiser")
    logged_in(organiser).post(
        f"/events/{event.slug}/desk/again/", {"name": "Mine", "starts_on": "2026-06-01"}
    )

    assert Tournament.objects.get(name="Mine").series is None


# Recurring events


@pytest.fixture
def series(clock: Any, event: Tournament) -> Series:
    assert event.series is not None
    return event.series


def plan(series: Series, **settings: Any) -> EveningPlan:
    usual: dict[str, Any] = {
        "first_on": date(2026, 5, 12),
        "rhythm": "weekly",
        "starts_at": time(19),
        "time_zone": "Europe/Berlin",
        "days_before": 5,
        "opens_at": time(12),
    }
    template = series.events.get()
    return recurring.plan_evenings(
        series, owner_of_series(series), template, **{**usual, **settings}
    )


def opened_events(series: Series) -> list[tuple[str, str]]:
    rows = series.events.exclude(starts_on=TUESDAY).order_by("starts_on")
    return [(event.name, event.starts_on.isoformat()) for event in rows]


def run_timers_at(clock: Any, moment: str) -> None:
    clock.move_to(datetime.fromisoformat(moment).replace(tzinfo=UTC))
    timers.apply_due_changes()


def test_planned_event_opens_once_at_its_time(series: Series, clock: Any):
    plan(series)
    run_timers_at(clock, "2026-05-07T09:59")
    assert opened_events(series) == []
    for moment in ("2026-05-07T10:00", "2026-05-07T10:00", "2026-05-08T10:00"):
        run_timers_at(clock, moment)

    assert opened_events(series) == [("Spring Evening 2", "2026-05-12")]
    event = series.events.latest("pk")
    assert (event.registration_is_open, event.start_time) == (True, time(19))
    assert owner_of(event) == owner_of_series(series)
    entry = event.log.get(action=LogAction.EVENT_COPIED)
    assert (entry.user, entry.subject) == (None, "Spring Evening 1")
    opened = series.log.get(action="evening opened")
    assert (opened.user, opened.subject) == (None, "Spring Evening 2")


def test_each_event_copies_the_previous_event(series: Series, clock: Any):
    plan(series)
    run_timers_at(clock, "2026-05-07T10:00")
    second = series.events.latest("pk")
    settings_services.change_settings(second, owner_of(second), round_minutes=35)
    run_timers_at(clock, "2026-05-14T10:00")

    assert opened_events(series)[1:] == [("Spring Evening 3", "2026-05-19")]
    assert series.events.latest("pk").round_minutes == 35


def test_site_that_was_down_opens_future_events_only(series: Series, clock: Any):
    plan(series)
    run_timers_at(clock, "2026-05-20T09:00")

    assert opened_events(series) == []
    run_timers_at(clock, "2026-05-25T09:00")
    assert opened_events(series) == [("Spring Evening 2", "2026-05-26")]


def delete(event: Tournament) -> None:
    settings_services.delete_event(event, owner_of(event))


def test_deleted_event_is_not_opened_again(series: Series, clock: Any):
    weekly, owner = plan(series), owner_of_series(series)
    run_timers_at(clock, "2026-05-07T10:00")
    delete(series.events.latest("pk"))
    run_timers_at(clock, "2026-05-08T10:00")
    recurring.skip_evening(weekly, owner, date(2026, 5, 12))
    assert opened_events(series) == []
    run_timers_at(clock, "2026-05-14T10:00")

    assert opened_events(series) == [("Spring Evening 2", "2026-05-19")]
    delete(series.events.latest("pk"))
    run_timers_at(clock, "2026-05-21T10:00")
    assert opened_events(series) == [("Spring Evening 2", "2026-05-26")]


def locked_tables(action: Callable[[], object]) -> list[str]:
    # Tables that can be locked, in the order of their first read.
    with queries_asked() as statements:
        action()
    selects = (re.match(r'SELECT .* FROM "(\w+)"', sql) for sql in statements)
    tables = [select[1] for select in selects if select]
    locked = ("tournaments_tournament", "tournaments_series", "tournaments_eveningplan")
    return [table for table in dict.fromkeys(tables) if table in locked]


def test_event_is_locked_before_its_series(series: Series):
    weekly, event, owner = plan(series), series.events.get(), owner_of_series(series)
    own = EveningPlan.objects.select_related("series").get(pk=weekly.pk)

    in_order = ["tournaments_tournament", "tournaments_series", "tournaments_eveningplan"]
    assert (
        locked_tables(lambda: services.change_series(series, owner, target=event)) == in_order[:2]
    )
    assert (
        locked_tables(lambda: recurring.change_plan(own, owner, event, rhythm="monthly"))
        == in_order
    )


def test_plan_without_upcoming_events_is_refused(series: Series):
    weekly, owner = plan(series), owner_of_series(series)

    with pytest.raises(recurring.NotPlanned, match="There would be no upcoming events"):
        recurring.change_plan(weekly, owner, series.events.get(), last_on=TUESDAY)
    with pytest.raises(recurring.NotPlanned, match="There would be no upcoming events"):
        plan(series, first_on=date(2026, 4, 7), last_on=date(2026, 4, 30))
    with pytest.raises(recurring.NotPlanned, match="no upcoming event on 13 May 2026"):
        recurring.skip_evening(weekly, owner, date(2026, 5, 13))

    weekly.refresh_from_db()
    assert weekly.last_on is None


def test_plan_without_an_event_to_copy_stops(series: Series, clock: Any):
    weekly = plan(series)
    run_timers_at(clock, "2026-05-07T10:00")
    delete(series.events.latest("pk"))
    Tournament.objects.filter(series=series).update(series=None)
    run_timers_at(clock, "2026-05-14T10:00")

    weekly.refresh_from_db()
    assert weekly.shown_stop_reason == "The event to copy was deleted."


def test_skipped_event_opens_only_once_unskipped(series: Series, clock: Any):
    weekly, owner = plan(series), owner_of_series(series)
    recurring.skip_evening(weekly, owner, date(2026, 5, 12))
    run_timers_at(clock, "2026-05-07T10:00")
    assert opened_events(series) == []
    recurring.unskip_evening(weekly, owner, date(2026, 5, 12))
    run_timers_at(clock, "2026-05-07T10:01")

    assert opened_events(series) == [("Spring Evening 2", "2026-05-12")]
    with pytest.raises(recurring.NotPlanned, match="is already open"):
        recurring.skip_evening(weekly, owner, date(2026, 5, 12))


def test_stopped_plan_opens_no_events(series: Series, clock: Any):
    weekly = plan(series)
    desk = logged_in(owner_of_series(series).user)
    desk.post(f"/series/{series.slug}/desk/evenings/{weekly.pk}/stop/")
    run_timers_at(clock, "2026-05-07T10:00")

    assert opened_events(series) == []
    assert "Stopped on 6 May 2026" in desk.get(f"/series/{series.slug}/desk/").content.decode()


def test_plan_stops_after_its_last_event(series: Series, clock: Any):
    weekly = plan(series, last_on=date(2026, 5, 12))
    run_timers_at(clock, "2026-05-07T10:00")
    run_timers_at(clock, "2026-05-12T17:00")

    weekly.refresh_from_db()
    assert weekly.shown_stop_reason == "The last event has begun."


def test_failing_plan_does_not_block_other_plans(series: Series, clock: Any):
    broken, _ = plan(series), plan(series)
    template = broken.template
    assert template is not None
    second_series = open_evening(series, make_players("Em"), number=1, name="Other 1")
    EveningPlan.objects.filter(pk=broken.pk).update(template=second_series)
    second_series.stages.all().delete()
    run_timers_at(clock, "2026-05-07T10:00")

    assert ("Spring Evening 2", "2026-05-12") in opened_events(series)
    assert not PlannedEvening.objects.filter(plan=broken).exists()


def test_organiser_plans_skips_and_changes_events_on_the_pages(series: Series, clock: Any):
    desk = logged_in(owner_of_series(series).user)
    address = f"/series/{series.slug}/desk/"
    form = desk.get(f"{address}evenings/new/").context["form"]
    sent = {field.name: field.value() or "" for field in form}
    sent["template"] = series.events.get().pk
    assert desk.post(f"{address}evenings/new/", sent).status_code == 302
    weekly = series.plans.get()
    assert (weekly.first_on, weekly.starts_at) == (date(2026, 5, 12), time(19))
    desk.post(f"{address}evenings/{weekly.pk}/day/", {"day": "2026-05-19", "skip": "yes"})
    assert weekly.evenings.get(is_skipped=True).day == date(2026, 5, 19)
    changed = desk.post(f"{address}evenings/{weekly.pk}/", {**sent, "rhythm": "monthly"})
    assert changed.status_code == 302

    shown = desk.get(address).content.decode()
    assert "invitations are not copied" not in shown
    series.events.update(invitation_only=True)
    assert "invitations are not copied" in desk.get(address).content.decode()
    assert "The second Tuesday of each month, 19:00 (Europe/Berlin)" in shown


def test_plan_of_a_series_without_an_owner_stops(series: Series, clock: Any):
    weekly = plan(series)
    series.staff.all().delete()
    run_timers_at(clock, "2026-05-07T10:00")

    weekly.refresh_from_db()
    assert weekly.shown_stop_reason == "The series has no owner."
    assert Client().get(series.get_absolute_url()).status_code == 200
