"""Expected end times of rounds and events."""

import re
from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from engine.round_plan import suggest_rounds
from tests.factories.cuts import event_with_cut
from tests.factories.tournaments import (
    enter_result,
    finish_round,
    fresh,
    get_round,
    make_event,
    owner_of,
    play_round,
    start_round,
    sweep,
    tables_of,
)
from tests.queries import queries_of
from tests.tournaments.cast import desk_of
from tests.tournaments.pages import text_of, url
from tournaments.models import Tournament
from tournaments.rounds import services
from tournaments.rounds.timing_pages import EndTimes, get_end_times
from tournaments.settings import services as settings_services

SIX = datetime(2026, 5, 2, 18, tzinfo=UTC)
EVENING: dict[str, Any] = {
    "starts_on": date(2026, 5, 2),
    "start_time": time(18),
    "time_zone": "UTC",
}


def after(minutes: float) -> datetime:
    return SIX + timedelta(minutes=minutes)


def evening(clock: Any, *, players: int = 5, **settings: Any) -> Tournament:
    """Return an event that starts at 18:00, with three rounds of 65 minutes."""
    clock.move_to(SIX, tick=False)
    event_settings = {"planned_rounds": 3, "round_minutes": 65, **EVENING, **settings}
    return make_event(players=players, **event_settings)


def round_at(clock: Any, event: Tournament, started: float, ended: float) -> None:
    """Start and close a round at these minutes after 18:00."""
    clock.move_to(after(started), tick=False)
    round_ = start_round(event)
    clock.move_to(after(ended), tick=False)
    finish_round(round_)


def expected_of(event: Tournament) -> EndTimes:
    end_times = get_end_times(fresh(event))
    assert end_times is not None
    return end_times


def test_estimate_before_the_start_uses_the_clock_and_usual_gaps(time_machine: Any):
    event = evening(time_machine)
    time_machine.move_to(after(-600), tick=False)

    assert expected_of(event).round is None
    assert expected_of(event).last.typical == after(3 * 65 + 2 * 10)


def test_end_of_a_running_round_is_estimated_by_clock_and_pace(time_machine: Any):
    event = evening(time_machine)
    round_at(time_machine, event, 0, 75)
    time_machine.move_to(after(90), tick=False)
    start_round(event)

    ends = expected_of(event)

    assert ends.round is not None
    assert (ends.round_number, ends.round.typical) == (2, after(90 + 75))
    # Fifteen minutes between rounds, and ten minutes over the clock.
    assert (ends.last_number, ends.last.typical) == (3, after(90 + 75 + 15 + 75))
    assert ends.measured == 1


def test_round_with_all_results_ends_now(time_machine: Any):
    event = evening(time_machine, planned_rounds=2)
    play_round(event)
    play_round(event, tables=[1, 2])
    time_machine.move_to(after(40), tick=False)

    assert expected_of(event).last.typical == after(40)
    services.close_round(get_round(event, 2), owner_of(event))
    assert get_end_times(fresh(event)) is None


def test_pace_includes_earlier_events_of_the_same_organiser(time_machine: Any):
    first = evening(time_machine, round_minutes=40, planned_rounds=1)
    round_at(time_machine, first, 0, 60)
    owner = owner_of(first).user
    assert owner is not None
    settings_services.finish_event(fresh(first), owner_of(first))

    own_event = make_event(players=4, owner=owner, planned_rounds=1, round_minutes=65, **EVENING)
    foreign_event = make_event(players=4, planned_rounds=1, round_minutes=65, **EVENING)

    time_machine.move_to(SIX, tick=False)
    assert expected_of(own_event).last.typical == after(65 + 20)
    assert expected_of(foreign_event).last.typical == after(65)


@pytest.mark.parametrize(
    ("closes", "fits", "is_late"),
    [(time(22), 3, False), (time(21), 2, True), (time(18, 30), 0, True)],
)
def test_desk_warns_if_the_last_round_ends_after_closing_time(
    closes: time, fits: int, is_late: bool, time_machine: Any
):
    event = evening(time_machine, end_time=closes)
    warning = (
        f"Round 3 is expected to end at 21:35, after closing time ({closes:%H:%M})."
        f"{f' There is time up to round {fits}.' if fits else ''}"
    )

    page = desk_of(event).get(url("desk", event)).content.decode()

    assert (warning in page) is is_late
    assert expected_of(event).fits_until == fits
    assert ('id="too-late"' in page) is is_late


def test_desk_warns_if_a_planned_cut_ends_after_closing_time(time_machine: Any):
    event = evening(time_machine, end_time=time(22), planned_cut=4)

    ends = expected_of(event)

    # The third round would end before closing time.
    assert (ends.last_number, ends.fits_until, ends.is_late) == (7, 3, True)
    assert ends.warning.startswith("The cut is expected to end at ")
    assert ends.warning in desk_of(event).get(url("desk", event)).content.decode()


@pytest.mark.parametrize("settings", [{}, {"ends_on": date(2026, 5, 3)}])
def test_closing_time_may_be_after_midnight(settings: dict[str, Any], time_machine: Any):
    event = evening(time_machine, end_time=time(1), **settings)

    assert expected_of(event).warning == ""
    assert expected_of(event).closes_at == after(7 * 60)


def test_end_of_a_cut_round_is_one_sentence(time_machine: Any):
    time_machine.move_to(SIX, tick=False)
    event = event_with_cut(4, system="single_elimination")
    start_round(event)

    page = text_of(desk_of(event).get(url("desk", event)))

    assert re.search(r"End of the semifinals: around \d\d:\d\d ?\.", page)


def test_estimate_of_a_cut_counts_its_rounds(time_machine: Any):
    time_machine.move_to(SIX, tick=False)
    event = event_with_cut(4)
    Tournament.objects.filter(pk=event.pk).update(round_minutes=60, time_zone="UTC")
    start_round(event)

    ends = expected_of(event)

    # Rounds left in a double elimination of four: two, then the final; no reset is expected.
    assert ends.last_number - (ends.round_number or 0) == 3
    # Round 1 was closed immediately, so the usual time between rounds is assumed.
    assert ends.last.typical == after(4 * 60 + 3 * 10)


def test_decided_semifinals_leave_the_final_to_play(time_machine: Any):
    time_machine.move_to(SIX, tick=False)
    event = event_with_cut(4, system="single_elimination")
    Tournament.objects.filter(pk=event.pk).update(round_minutes=60, time_zone="UTC")
    semifinals = start_round(fresh(event))
    first, second = tables_of(semifinals)
    enter_result(first, sweep(1))
    with_open_table = expected_of(event)
    enter_result(second, sweep(1))

    decided = expected_of(event)

    assert (with_open_table.last_number, decided.last_number) == (3, 3)
    assert with_open_table.last.typical == after(60 + 10 + 60)
    assert decided.last.typical == after(10 + 60)
    assert "End of the semifinals" in text_of(desk_of(event).get(url("desk", event)))


TWO_DAYS: dict[str, Any] = {
    "day_two_on": date(2026, 5, 3),
    "day_two_time": time(10),
    "day_two_round": 2,
    "end_time": time(22),
}


def test_each_of_two_days_has_its_own_end(time_machine: Any):
    event = evening(time_machine, **TWO_DAYS)
    time_machine.move_to(after(-600), tick=False)

    days = expected_of(event).days

    # Round 1 starts at 18:00, round 2 at 10:00 on the next day.
    assert [(day.day, day.last_number) for day in days] == [(1, 1), (2, 3)]
    assert [day.last.typical for day in days] == [after(65), after(16 * 60 + 65 + 10 + 65)]
    assert [day.closes_at for day in days] == [after(4 * 60), after(28 * 60)]
    page = Client().get(event.get_absolute_url()).content.decode()
    assert "Sunday 3 May" in page
    assert ">12:20</time>" in page


def test_day_two_starts_at_its_hour_or_immediately_if_late(time_machine: Any):
    event = evening(time_machine, **TWO_DAYS)
    round_at(time_machine, event, 0, 65)

    night = expected_of(event)
    time_machine.move_to(after(17 * 60), tick=False)
    start_round(event)
    late = expected_of(event)

    assert [day.last.typical for day in night.days] == [after(16 * 60 + 140)]
    assert (night.today.day, night.warning) == (2, "")
    assert late.round is not None
    assert late.round.typical == after(17 * 60 + 65)
    assert late.last.typical == after(17 * 60 + 140)


@pytest.mark.parametrize(
    ("size", "settings", "rounds"),
    [
        (2, {}, 2),
        (4, {}, 4),
        (8, {}, 6),
        (8, {"planned_cut_system": "single_elimination"}, 3),
    ],
)
def test_planned_cut_is_a_double_elimination_unless_set(
    time_machine: Any, size: int, settings: dict[str, str], rounds: int
):
    event = evening(time_machine, players=8, planned_cut=size, **settings)
    time_machine.move_to(after(-600), tick=False)

    ends = expected_of(event)

    assert ends.last_number == 3 + rounds
    assert ends.with_cut is not None
    assert ends.with_cut.typical == after((3 + rounds) * 65 + (2 + rounds) * 10)


@pytest.mark.parametrize("players", [0, 3])
def test_planned_cut_is_expected_before_enough_players_join(time_machine: Any, players: int):
    event = evening(time_machine, players=players, planned_cut=4)
    time_machine.move_to(after(-600), tick=False)

    assert expected_of(event).last.typical == after(7 * 65 + 6 * 10)
    assert "Cut: top 4" in text_of(Client().get(event.get_absolute_url()))
    assert "with the top 4" in text_of(desk_of(event).get(url("desk", event)))


def test_planned_cut_is_limited_to_the_players_once_the_event_begins(time_machine: Any):
    event = evening(time_machine, players=3, planned_cut=4)
    start_round(event)

    ends = expected_of(event)

    assert (ends.cut_size, ends.last) == (3, ends.with_cut)


def test_event_without_players_has_no_number_of_rounds_and_no_expected_end(time_machine: Any):
    event = evening(time_machine, players=0, planned_rounds=None)
    time_machine.move_to(after(-600), tick=False)

    page = text_of(Client().get(event.get_absolute_url()))

    assert get_end_times(event) is None
    assert "The number of rounds depends on the number of players." in page
    assert "Expected end" not in page
    assert "1 round of" not in page


def test_expected_end_names_the_time_zone(time_machine: Any):
    event = evening(time_machine, time_zone="Europe/Berlin")
    start_round(event)

    assert "(Europe/Berlin)" in text_of(Client().get(event.get_absolute_url()))


def test_end_of_a_planned_cut_has_no_round_number(time_machine: Any):
    event = evening(time_machine, planned_cut=4)
    round_at(time_machine, event, 0, 65)

    page = text_of(Client().get(event.get_absolute_url()))

    assert "with the top 4." in page
    assert "Round 7" not in page


def test_day_two_with_a_planned_cut_includes_the_cut(time_machine: Any):
    cut_on_day_two = {**TWO_DAYS, "day_two_round": None, "planned_cut": 4}
    event = evening(time_machine, **cut_on_day_two)
    round_at(time_machine, event, 0, 65)

    ends = expected_of(event)

    assert [day.last_number for day in ends.days] == [3, 7]
    assert ends.days[1].last.typical == after(16 * 60 + 4 * 65 + 3 * 10)
    assert (ends.cut_size, ends.with_cut) == (4, ends.last)
    page = Client().get(event.get_absolute_url()).content.decode()
    assert "on Sunday, with the top 4." in page


def test_unknown_start_of_day_two_leaves_only_day_one(time_machine: Any):
    event = evening(time_machine, **TWO_DAYS | {"day_two_time": None})

    ends = expected_of(event)

    assert [day.day for day in ends.days] == [1]
    assert ends.with_cut is None


def test_each_day_warns_of_its_own_closing_time(time_machine: Any):
    hours = {"start_time": time(9), "day_two_time": time(9, 30), "end_time": time(11, 30)}
    event = evening(time_machine, **TWO_DAYS | {"day_two_round": 3, "planned_rounds": 4} | hours)
    time_machine.move_to(after(-10 * 60), tick=False)

    page = desk_of(event).get(url("desk", event)).content.decode()
    answer = Client().get(f"/api/v1/events/{event.slug}/end-times/").json()

    assert answer["warning"] == (
        "Day 2: round 4 is expected to end at 11:50, after closing time (11:30). "
        "There is time up to round 3."
    )
    assert answer["warning"] in page
    assert [(day["last_number"], day["is_late"]) for day in answer["days"]] == [
        (2, False),
        (4, True),
    ]


@pytest.mark.parametrize(
    "settings", [{"ends_on": date(2026, 5, 3)}, {"start_time": None}], ids=["two days", "no hour"]
)
def test_event_without_known_times_has_no_estimate(settings: dict[str, Any], time_machine: Any):
    event = evening(time_machine, **settings)

    assert get_end_times(event) is None
    answer = Client().get(f"/api/v1/events/{event.slug}/end-times/").json()
    assert (answer["last"], answer["warning"], answer["is_late"]) == (None, "", False)


def test_event_page_and_api_show_the_same_times(time_machine: Any):
    event = evening(time_machine, time_zone="Europe/Berlin", start_time=time(20))
    start_round(event)

    page = Client().get(event.get_absolute_url()).content.decode()
    answer = Client().get(f"/api/v1/events/{event.slug}/end-times/").json()

    assert "Round 1 ends around" in page
    assert "The event ends around" in page
    assert ", after round 3." in page
    assert ">21:05</time>" in page
    assert ">23:35</time>" in page
    assert answer["round"]["typical"] == "2026-05-02T19:05:00Z"
    assert answer["last"]["typical"] == "2026-05-02T21:35:00Z"


def test_query_count_does_not_depend_on_played_rounds(time_machine: Any):
    event = evening(time_machine)
    round_at(time_machine, event, 0, 70)
    after_one = queries_of(expected_of, event)
    round_at(time_machine, event, 75, 140)

    assert queries_of(expected_of, event) == after_one


def test_settings_suggest_rounds_and_cut_for_the_number_of_players(time_machine: Any):
    event = evening(time_machine, players=9, scoring_rule="anr_single", game="anr")

    page = desk_of(event).get(url("settings", event)).content.decode()

    assert "For your 9 players: <strong>4 rounds</strong>, then a <strong>top 4</strong>." in page


def test_help_page_shows_rounds_cut_and_chances():
    page = Client().get("/help/rounds/?players=23&draws=50").content.decode()
    plan = suggest_rounds(23, Fraction(1, 2))

    assert (plan.rounds, plan.cut) == (5, 8)
    assert "23 players: 5 rounds, then a top 8." in page
    assert f"7 rounds: {float(plan.plans[3].chance or 0):.0%}" in page


@pytest.mark.parametrize("query", ["players=1", "players=1001", "players=x", "draws=3", "size=4"])
def test_help_page_accepts_any_query(query: str):
    assert Client().get(f"/help/rounds/?{query}").status_code == 200


def test_same_share_of_draws_is_assumed_everywhere_for_one_scoring():
    event = make_event(players=9)
    desk = desk_of(event)

    shown = {
        desk.get(url("settings", event)).context["suggestions"].percent,
        desk.get("/help/rounds/").context["table"].percent,
    }

    assert shown == {50}


@pytest.mark.parametrize(("rule", "percent"), [("anr_double", 50), ("anr_single", 5)])
def test_settings_assume_the_draws_of_the_scoring(rule: str, percent: int):
    event = make_event(players=0, game="anr", scoring_rule=rule)

    page = desk_of(event).get(url("settings", event))

    assert page.context["suggestions"].percent == percent
