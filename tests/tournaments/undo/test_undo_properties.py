import random
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import Refusal
from tests.factories.tournaments import draft_round, make_event, owner_of, sweep, tables_of
from tournaments.event.permissions import Actor
from tournaments.models import LogEntry, Pairing, Registration, Round, Tournament
from tournaments.registration import roster_changes
from tournaments.registration import services as registration_services
from tournaments.results import services as results_services
from tournaments.rounds import draft_changes
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services
from tournaments.undo import services as undo_services
from tournaments.undo.undo_rules import CannotUndo

pytestmark = pytest.mark.check(33)

TABLE = ("round__number", "table_number")
Action = Callable[[Tournament, Actor, random.Random], Any]


def some_player(event: Tournament, chance: random.Random) -> Registration:
    places = event.registrations.select_related("player", "tournament").order_by("number")
    return chance.choice(list(places))


def latest(event: Tournament) -> Round:
    round_ = event.latest_round()
    if round_ is None:
        raise Refusal("no round")
    return round_


def enter_result_at_some_table(event: Tournament, actor: Actor, chance: random.Random) -> None:
    pairing = chance.choice(tables_of(latest(event)))
    result = sweep(chance.choice((1, 2)), chance.randint(0, 6))
    results_services.decide_result(
        pairing, result, actor, seen_version=pairing.match.version, note="So."
    )


def report_as_player(event: Tournament, _: Actor, chance: random.Random) -> None:
    pairing = chance.choice(tables_of(latest(event)))
    seat = chance.choice(list(pairing.match.seats.select_related("player")))
    result = sweep(chance.choice((1, 2)), chance.randint(0, 1))
    results_services.report_result(pairing, seat, result, Actor(player=seat.player))


def swap_players(event: Tournament, actor: Actor, chance: random.Random) -> None:
    first, second = some_player(event, chance), some_player(event, chance)
    draft_changes.swap_seats(latest(event), first, second, actor)


def toggle_lock(event: Tournament, actor: Actor, chance: random.Random) -> None:
    pairing = chance.choice(tables_of(latest(event)))
    draft_changes.set_lock(pairing, actor, locked=not pairing.is_locked)


def set_seed(event: Tournament, actor: Actor, chance: random.Random) -> None:
    place = some_player(event, chance)
    roster_changes.set_seed_and_group(place, actor, seed=chance.randint(1, 9), avoid_group="")


def change_some_settings(event: Tournament, actor: Actor, chance: random.Random) -> None:
    settings_services.change_settings(
        event, actor, round_minutes=chance.randint(30, 90), planned_rounds=chance.choice((None, 4))
    )


ACTIONS: dict[str, Action] = {
    "drop": lambda event, actor, chance: registration_services.drop_player(
        some_player(event, chance), actor
    ),
    "return": lambda event, actor, chance: registration_services.return_player(
        some_player(event, chance), actor
    ),
    "seed": set_seed,
    "settings": change_some_settings,
    "door": lambda event, actor, chance: settings_services.set_registration(
        event, actor, is_open=chance.random() < 0.5
    ),
    "publish": lambda event, actor, _: rounds_services.publish_round(
        latest(event), actor, leave_out_latecomers=True
    ),
    "start": lambda event, actor, _: rounds_services.start_round(latest(event), actor),
    "pause": lambda event, actor, _: rounds_services.pause_clock(latest(event), actor),
    "swap": swap_players,
    "lock": toggle_lock,
    "result": enter_result_at_some_table,
    "report": report_as_player,
    "close": lambda event, actor, _: rounds_services.close_round(latest(event), actor),
}


def state(event: Tournament) -> dict[str, Any]:
    itself = Tournament.objects.filter(pk=event.pk)
    tables = Pairing.objects.filter(round__stage__tournament=event)
    played = tables.exclude(match=None).order_by(*TABLE)
    return {
        "event": list(itself.values("round_minutes", "planned_rounds", "registration_is_open")),
        "players": list(
            event.registrations.order_by("number").values("state", "dropped_by", "seed")
        ),
        "rounds": list(event.rounds.values("number", "state", "extra_minutes")),
        "seats": list(
            # A restored credit for a missed round is a new row.
            tables.order_by(*TABLE, "bye__number").values(
                "is_locked", "made_by_hand", "bye", "reasons", "extra_minutes"
            )
        ),
        "matches": list(played.values("match__state", "match__flags")),
        "points": list(
            played.order_by(*TABLE, "match__seats__position").values(
                *(f"match__seats__{name}" for name in ("player", "points", "typed_points"))
            )
        ),
        "games": list(
            played.order_by(*TABLE, "match__games__number").values(
                *(f"match__games__{name}" for name in ("number", "end", "winner"))
            )
        ),
    }


def entries(event: Tournament) -> list[tuple[Any, ...]]:
    rows = LogEntry.objects.filter(tournament=event).order_by("pk")
    return list(rows.values_list("pk", "action", "subject", "before", "after", "undoes"))


def try_act(event: Tournament, name: str, chance: random.Random) -> None:
    event = Tournament.objects.get(pk=event.pk)
    try:
        with transaction.atomic():
            ACTIONS[name](event, owner_of(event), chance)
    except Refusal:
        return


def check(names: list[str], seed: int) -> set[str]:
    chance, taken_back = random.Random(seed), set()
    event = make_event(players=5)
    draft_round(event)
    actor = owner_of(event)
    for name in names:
        before, log = state(event), entries(event)
        try_act(event, name, chance)
        changed = state(event)
        assert entries(event)[: len(log)] == log
        # A change with several entries is undone entry by entry, so it is not tested here.
        fresh = list(event.log.filter(pk__gt=log[-1][0]))
        if len(fresh) != 1 or fresh[0].action not in undo_services.UNDO_RULES:
            continue
        try:
            done = undo_services.undo(fresh[0], actor)
        except CannotUndo:
            assert state(event) == changed
            continue
        assert state(event) == before, fresh[0]
        taken_back.add(fresh[0].action)
        undo_services.undo(done, actor)
        assert state(event) == changed, fresh[0]
        assert [row[5] for row in entries(event)[-2:]] == [fresh[0].pk, done.pk]
    return taken_back


SHORT_PLANS = st.lists(st.sampled_from(sorted(ACTIONS)), min_size=3, max_size=6)
PLANS = st.lists(st.sampled_from(sorted(ACTIONS)), min_size=4, max_size=12)
USUAL: dict[str, Any] = {
    "suppress_health_check": [HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    "deadline": None,
}


@settings(max_examples=3, derandomize=True, **USUAL)
@given(names=SHORT_PLANS, seed=st.integers(0, 999))
def test_undo_restores_and_can_be_undone(names: list[str], seed: int):
    with transaction.atomic():
        check(names, seed)
        transaction.set_rollback(True)


@pytest.mark.slow
@settings(max_examples=150, **USUAL)
@given(names=PLANS, seed=st.integers(0, 999))
def test_undo_restores_in_many_random_events(names: list[str], seed: int):
    with transaction.atomic():
        check(names, seed)
        transaction.set_rollback(True)


ALL_ACTIONS = {
    *("clock paused", "locked", "player dropped", "registration closed", "registration opened"),
    *("result changed", "result entered", "result reported", "round closed", "seats swapped"),
    *("seed and group set", "settings changed"),
}


def test_changes_in_their_usual_order_are_undone():
    order = ["seed", "swap", "lock", "publish", "start", "pause", "report", "report", "result"]
    order += ["result", "result", "result", "close", "drop", "return", "door", "door", "settings"]

    assert check(order, 8) >= ALL_ACTIONS
