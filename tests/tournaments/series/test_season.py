from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.series.season_by_hand import SeasonByHand
from tournaments.series.rules import (
    TIE_BREAKERS,
    EventResult,
    Meeting,
    QualifyingPlaces,
    SeasonEvent,
    SeasonRow,
    SeasonRules,
    season_qualification,
    season_table,
)

ADA, BO, CY, DI = 1, 2, 3, 4
NAMES = {ADA: "Ada", BO: "Bo", CY: "Cy", DI: "Di"}


def evening(number: int, *players: int, meetings: tuple[Meeting, ...] = ()) -> SeasonEvent:
    results = (
        EventResult(player, place, 10 - place) for place, player in enumerate(players, start=1)
    )
    return SeasonEvent(number, tuple(results), meetings)


def rules(**fields: Any) -> SeasonRules:
    return SeasonRules(**{"place_points": (10, 6, 4), "points_for_playing": 1, **fields})


def table(*evenings: SeasonEvent, **fields: Any) -> list[tuple[int, str, Any]]:
    lines = season_table(evenings, rules(**fields))
    return [(line.place, NAMES[line.player], line.points) for line in lines]


def test_points_by_place_and_for_playing():
    assert table(evening(1, ADA, BO, CY, DI)) == [
        (1, "Ada", 10),
        (2, "Bo", 6),
        (3, "Cy", 4),
        (4, "Di", 1),
    ]


def test_match_points_are_added_exactly():
    played = SeasonEvent(1, (EventResult(ADA, 1, Fraction(7, 2)), EventResult(BO, 2, 3)))

    assert table(played, played, scoring="match_points")[0] == (1, "Ada", 7)


def test_only_the_best_events_count():
    season = (evening(1, ADA, BO), evening(2, BO, ADA), evening(3, BO, ADA))
    ada = next(line for line in season_table(season, rules(best_of=2)) if line.player == ADA)

    assert ada.points == 16
    assert [cell.counts for cell in ada.cells] == [True, True, False]


@pytest.mark.parametrize(
    ("tie_breaker", "season", "first"),
    [
        ("best_results", (evening(1, ADA, BO), evening(2, BO, ADA)), "Ada, Bo"),
        # All three have 10 points: Ada and Di in one event, Bo in two.
        ("best_results", (evening(1, ADA, BO), evening(2, DI, CY, BO)), "Ada, Di"),
        ("wins", (evening(1, ADA, BO), evening(2, BO, ADA)), "Ada, Bo"),
        ("last_event", (evening(1, ADA, BO), evening(2, BO, ADA)), "Bo"),
        (
            "head_to_head",
            (evening(1, ADA, BO, meetings=((ADA, BO, 3, 6),)), evening(2, BO, ADA)),
            "Bo",
        ),
    ],
)
def test_tie_breaker_separates_equal_points(
    tie_breaker: str, season: tuple[SeasonEvent, ...], first: str
):
    lines = season_table(season, rules(tie_breakers=(tie_breaker,)))

    assert ", ".join(NAMES[line.player] for line in lines if line.place == 1) == first


def test_tied_players_share_a_place():
    season = (evening(1, ADA, BO), evening(2, BO, ADA), evening(3, CY))

    assert [line.place for line in season_table(season, rules())] == [1, 1, 3]


def test_row_names_the_deciding_tie_breaker():
    season = (evening(1, ADA, BO, CY), evening(2, BO, ADA))
    lines = season_table(season, rules(tie_breakers=("wins", "last_event")))

    assert [(NAMES[line.player], line.decided_by) for line in lines] == [
        ("Bo", ""),
        ("Ada", "last_event"),
        ("Cy", ""),
    ]


def test_movement_since_the_last_event():
    season = (evening(1, ADA, BO, CY), evening(2, CY, DI))
    lines = season_table(season, rules())

    assert {NAMES[line.player]: line.moved for line in lines} == {
        "Cy": 2,
        "Ada": -1,
        "Bo": -1,
        "Di": None,
    }


def trace(*evenings: SeasonEvent, excluded: tuple[int, ...] = (), **places: Any) -> list[Any]:
    lines = season_table(evenings, rules())
    qualification = season_qualification(
        evenings, lines, QualifyingPlaces(**places), frozenset(excluded)
    )
    return [
        (NAMES[passage.player], passage.evening, passage.place, passage.passed)
        for passage in qualification.passages
    ]


def test_place_of_a_qualified_player_passes_down():
    assert trace(evening(1, ADA, BO), evening(2, ADA, BO, CY), per_evening=1) == [
        ("Ada", 1, 1, ()),
        ("Bo", 2, 2, ((1, "already"),)),
    ]


def test_place_is_lost_without_passing_down():
    season = (evening(1, ADA, BO), evening(2, ADA, BO, CY))

    assert trace(*season, per_evening=1, passes_down=False) == [("Ada", 1, 1, ())]
    assert trace(*season, per_evening=1, passes_down=False, excluded=(ADA,)) == [
        ("Bo", 1, 2, ((1, "declined"),)),
    ]


def test_declined_player_is_skipped():
    assert trace(evening(1, ADA, BO), excluded=(ADA,), per_evening=1) == [
        ("Bo", 1, 2, ((1, "declined"),))
    ]


def test_table_places_go_to_players_who_have_not_qualified():
    season = (evening(1, ADA, BO, CY), evening(2, BO, CY, ADA))

    assert trace(*season, per_evening=1, by_table=1)[-1] == (
        *("Cy", None, 3),
        ((1, "already"), (2, "already")),
    )


def test_tied_players_at_the_last_place_do_not_qualify():
    season = (evening(1, ADA, BO), evening(2, BO, ADA))
    qualification = season_qualification(
        season, season_table(season, rules()), QualifyingPlaces(by_table=1)
    )

    assert (qualification.passages, set(qualification.tied), qualification.places_left) == (
        (),
        {ADA, BO},
        1,
    )


PLAYERS = st.lists(st.integers(1, 6), min_size=1, max_size=6, unique=True)
SEASONS = st.lists(PLAYERS, min_size=1, max_size=5)
SETTINGS = st.fixed_dictionaries(
    {
        "scoring": st.sampled_from(["places", "match_points"]),
        "place_points": st.lists(st.integers(0, 4), max_size=4),
        "points_for_playing": st.integers(0, 2),
        "best_of": st.none() | st.integers(1, 4),
        "tie_breakers": st.lists(st.sampled_from(sorted(TIE_BREAKERS)), max_size=3, unique=True),
    }
)


def random_season(fields: list[list[int]], data: Any) -> list[SeasonEvent]:
    points = st.integers(-1, 4).map(lambda number: Fraction(number, 2))
    season = []
    for number, players in enumerate(fields, start=1):
        results = tuple(
            EventResult(player, place, data.draw(points)) for place, player in enumerate(players, 1)
        )
        pairs = data.draw(st.lists(st.sampled_from(list(combinations(range(1, 7), 2))), max_size=3))
        meetings = tuple((a, b, data.draw(points), data.draw(points)) for a, b in pairs)
        season.append(SeasonEvent(number, results, meetings))
    return season


def by_hand(season: list[SeasonEvent], how: dict[str, Any]) -> SeasonByHand:
    rows = [(event.id, r.player, r.place, r.points) for event in season for r in event.results]
    meetings = [(event.id, *meeting) for event in season for meeting in event.meetings]
    return SeasonByHand(rows, meetings, [event.id for event in season], **how)  # type: ignore[arg-type]


def compare(fields: list[list[int]], how: dict[str, Any], places: tuple[int, int], data: Any):
    season, excluded = (
        random_season(fields, data),
        data.draw(st.sets(st.integers(1, 6), max_size=2)),
    )
    counted = SeasonRules(
        **{
            **how,
            "place_points": tuple(how["place_points"]),
            "tie_breakers": tuple(how["tie_breakers"]),
        }
    )
    lines, again = season_table(season, counted), by_hand(season, how)

    assert {line.player: line.points for line in lines} == {
        player: again.points(player) for player in again.players()
    }
    assert {line.player: line.place for line in lines} == {
        player: again.place_of(player) for player in again.players()
    }
    assert_moved(season, how, lines)
    qualification = season_qualification(
        season, lines, QualifyingPlaces(*places), frozenset(excluded)
    )
    assert [passage.player for passage in qualification.passages] == again.qualified_players(
        *places, excluded
    )


def assert_moved(
    season: list[SeasonEvent], how: dict[str, Any], lines: tuple[SeasonRow, ...]
) -> None:
    if len(season) == 1:
        assert {line.moved for line in lines} == {None}
        return
    before = by_hand(season[:-1], how)
    for line in lines:
        was = before.place_of(line.player) if line.player in before.players() else None
        assert line.moved == (None if was is None else was - line.place)


@given(SEASONS, SETTINGS, st.tuples(st.integers(0, 3), st.integers(0, 4)), st.data())
@settings(max_examples=50, deadline=None)
def test_season_matches_a_second_computation(
    fields: list[list[int]], how: dict[str, Any], places: tuple[int, int], data: Any
):
    compare(fields, how, places, data)


@pytest.mark.slow
@given(SEASONS, SETTINGS, st.tuples(st.integers(0, 3), st.integers(0, 4)), st.data())
@settings(max_examples=5_000, deadline=None)
def test_many_seasons_match_a_second_computation(
    fields: list[list[int]], how: dict[str, Any], places: tuple[int, int], data: Any
):
    compare(fields, how, places, data)
