from datetime import date, timedelta

import pytest
from django.utils import timezone

from core.errors import StaleVersion
from tests.factories.tournaments import (
    draft_round,
    fresh,
    make_event,
    make_user,
    owner_of,
    play_round,
    start_round,
)
from tournaments.event.history import EventIsFinished
from tournaments.event.permissions import NOBODY
from tournaments.models import StaffRole, Tournament
from tournaments.models.event_lists import TournamentQuerySet
from tournaments.settings import services


def test_new_event_has_defaults():
    owner = make_user("olga")

    event = services.create_event(owner, name="Spring Run", starts_on=date(2026, 5, 2))

    assert (event.slug, event.game, event.bye_points) == ("spring-run", "onr", 20)
    assert (event.scoring_rule, event.round_minutes) == ("onr_runner_only", 65)
    assert (event.staff.get().user, event.staff.get().role) == (owner, StaffRole.OWNER)
    assert len(event.join_code) == 6
    assert event.log.get().action == "event created"


@pytest.mark.parametrize(
    ("fields", "rule", "system", "minutes", "bye"),
    [
        ({}, "anr_double", "double", 65, 6),
        ({"system": "single"}, "anr_single", "single", 40, 3),
        ({"system": "round_robin"}, "anr_double", "round_robin", 65, 6),
        ({"scoring_rule": "anr_single"}, "anr_single", "single", 40, 3),
    ],
)
def test_scoring_and_system_of_a_new_event_fit_each_other(
    fields: dict[str, str], rule: str, system: str, minutes: int, bye: int
):
    event = services.create_event(
        make_user(), name="Run", starts_on=date(2026, 5, 2), game="anr", **fields
    )

    assert (event.scoring_rule, event.round_minutes, event.bye_points) == (rule, minutes, bye)
    stage = event.stages.get()
    assert (stage.system, stage.scoring_rule) == (system, rule)


def test_events_with_the_same_name_have_different_slugs():
    owner = make_user()
    made = [
        services.create_event(owner, name=name, starts_on=date(2026, 5, 2))
        for name in ("Run", "Run", "run!", "New", "\u5927\u4f1a")
    ]

    slugs = [event.slug for event in made]
    assert slugs[:3] == ["run", "run-2", "run-3"]
    assert slugs[3] not in ("new", "")
    assert len(set(slugs)) == 5


def test_change_is_logged_with_both_values():
    event = make_event(players=0)

    services.change_settings(event, owner_of(event), round_minutes=60, name=event.name)

    entry = event.log.get(action="settings changed")
    assert (entry.before, entry.after) == ({"round_minutes": 65}, {"round_minutes": 60})
    assert fresh(event).round_minutes == 60


def test_scoring_and_system_are_fixed_by_the_first_round(event: Tournament):
    draft_round(event)

    with pytest.raises(services.SettingIsFixed, match="bye points"):
        services.change_settings(event, owner_of(event), bye_points=10)
    with pytest.raises(services.SettingIsFixed, match="system can no longer change"):
        services.change_settings(event, owner_of(event), system="manual")
    services.change_settings(event, owner_of(event), round_minutes=60)

    assert (fresh(event).bye_points, event.current_stage().system) == (20, "double")


def test_concurrent_change_of_the_same_setting_is_refused():
    event = make_event(players=0)
    seen = event.log.newest_id()
    services.change_settings(event, owner_of(event), seen_log=seen, location="Berlin")

    with pytest.raises(StaleVersion, match="The same settings were changed") as stale:
        services.change_settings(event, owner_of(event), seen_log=seen, location="Bonn")
    services.change_settings(event, owner_of(event), seen_log=seen, round_minutes=60)

    assert stale.value.details["recorded"] == {"location": "Berlin"}
    assert (fresh(event).location, fresh(event).round_minutes) == ("Berlin", 60)


@pytest.mark.parametrize("hours", [-1, 1])
def test_opening_registration_clears_only_a_past_closing_time(hours: int):
    closes = timezone.now() + timedelta(hours=hours)
    event = make_event(players=0, registration_closes_at=closes)
    assert event.can_register() == (hours > 0)

    for is_open in (False, True):
        services.set_registration(event, owner_of(event), is_open=is_open)

    assert fresh(event).can_register()
    assert fresh(event).registration_closes_at == (closes if hours > 0 else None)


def test_event_is_finished_only_after_its_last_round(event: Tournament):
    with pytest.raises(services.NotOver):
        services.finish_event(event, owner_of(event))
    start_round(event)
    with pytest.raises(services.NotOver, match="Close the last round"):
        services.finish_event(event, owner_of(event))


def test_finished_event_changes_only_after_reopening(event: Tournament):
    play_round(event)
    services.finish_event(event, owner_of(event))
    assert not fresh(event).can_register()

    with pytest.raises(EventIsFinished):
        services.change_settings(event, owner_of(event), name="Other")
    services.reopen_event(event, owner_of(event), "one more round")
    services.change_settings(fresh(event), owner_of(event), name="Other")

    assert fresh(event).name == "Other"
    assert event.log.get(action="event reopened").reason == "one more round"


def test_unfinished_event_is_not_reopened(event: Tournament):
    before = fresh(event)

    services.reopen_event(event, owner_of(event), "a mistake")

    assert not event.log.filter(action="event reopened").exists()
    assert fresh(event).version == before.version


def test_changed_tie_breakers_recompute_standings(event, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        play_round(event)
    with django_capture_on_commit_callbacks(execute=True):
        services.change_settings(event, NOBODY, tie_breakers=["match_points", "games_won", "lot"])

    row = event.snapshots.newest().rows.first()
    assert "games_won" in row.tie_breakers


def test_concurrent_events_with_the_same_name_are_both_created(monkeypatch):
    monkeypatch.setattr(TournamentQuerySet, "free_slug", lambda *_: "autumn-run")
    owner = make_user()

    first, second = (
        services.create_event(owner, name="Autumn Run", starts_on=date(2026, 5, 2))
        for _ in range(2)
    )

    assert first.slug == "autumn-run"
    assert second.slug.startswith("autumn-run-")


def test_system_can_change_before_round_one(event: Tournament):
    services.change_settings(event, owner_of(event), system="round_robin")

    assert event.current_stage().system == "round_robin"
    entry = event.log.get(action="settings changed")
    assert (entry.before, entry.after) == ({"system": "double"}, {"system": "round_robin"})
