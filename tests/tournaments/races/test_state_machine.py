"""Random actions of an event through the services: its state stays consistent.

After every change the standings equal those computed from the log alone, and the log has only
grown. After a change of seats no player sits twice. After a change of standings the checker finds
no fault in the exported event; results of an open round are therefore checked when the round
closes. A refusal changes no row of events and matches.
"""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import compress
from typing import Any, ClassVar

import pytest
from django.apps import apps
from django.db import connection, transaction
from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from core import jobs
from core.errors import Refusal
from tests.checker import check_event, shape
from tests.checker import standings as checker
from tests.checker.reading import ids_of
from tests.factories.tournaments import (
    add_players,
    fresh,
    games_for,
    get_round,
    make_event,
    owner_of,
    sweep,
    tables_of,
)
from tests.tournaments.races.replay import Replay
from tests.tournaments.undo.test_undo_properties import entries, state
from tournaments.event.permissions import Actor
from tournaments.files import whole_event
from tournaments.models import LateEntry, Pairing, Registration, Round, StandingSnapshot
from tournaments.registration import services as registration_services
from tournaments.results import cuts
from tournaments.results import services as results_services
from tournaments.rounds import draft_changes
from tournaments.rounds import services as rounds_services
from tournaments.undo import services as undo_services

pytestmark = [pytest.mark.django_db, pytest.mark.check(30, 33)]

MAX_PLAYERS, MAX_ROUNDS = 10, 5
RESULTS = (sweep(1), sweep(2), sweep(1, 3))
Act = Callable[[], object]
Rows = dict[str, list[tuple[Any, ...]]]
TABLES = [
    model._meta.db_table
    for app in ("tournaments", "matches")
    for model in apps.get_app_config(app).get_models()
]
INDEX = st.integers(0, 99)
REQUIRED_ACTIONS = {
    *("round drafted", "draft thrown away", "round published", "round taken back"),
    *("round started", "round closed", "round reopened"),
    *("result reported", "result entered", "result changed", "result disputed"),
    *("result taken back", "missed rounds credited", "cut made", "cut undone"),
}
SEATS, STANDINGS = Pairing._meta.db_table, StandingSnapshot._meta.db_table
POLICIES = (LateEntry.LOSSES, LateEntry.HALF, LateEntry.BYES)


class Evening(RuleBasedStateMachine):
    """One event in a transaction of its own; `round` is its latest round."""

    done: ClassVar[Counter[str]] = Counter()
    """Number of changes by action, over all examples."""

    @initialize(players=st.integers(3, 8), late_entry=st.sampled_from(POLICIES), seed=INDEX)
    def begin(self, players: int, late_entry: LateEntry, seed: int) -> None:
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.event = make_event(players, late_entry=late_entry, seed=seed)
        self.owner = owner_of(self.event)
        self.log = entries(self.event)
        self.checked_rows = Rows()
        self.reload()

    def teardown(self) -> None:
        if hasattr(self, "atomic"):
            self.done.update(self.event.log.values_list("action", flat=True))
            transaction.set_rollback(True)
            self.atomic.__exit__(None, None, None)

    def reload(self) -> None:
        """Read the values of the preconditions, once after every change."""
        self.event = fresh(self.event)
        self.rows = rows()
        self.round = self.event.latest_round()
        self.has_cut = self.event.get_cut() is not None

    def do(self, act: Act) -> bool:
        """Run an action and its jobs; return False for a refusal, which must change no row."""
        try:
            act()
        except Refusal:
            assert rows() == self.rows
            return False
        for job in self.event.jobs.filter(state="queued").order_by("pk"):
            jobs.task_of(job)(job.pk)
        assert not self.event.jobs.exclude(state="done").exists()
        self.reload()
        return True

    # --- Preconditions ---------------------------------------------------------------------

    @property
    def is_drafted(self) -> bool:
        return self.round is not None and self.round.is_draft

    @property
    def is_open(self) -> bool:
        return self.round is not None and not self.round.is_draft and not self.round.is_closed

    @property
    def is_between(self) -> bool:
        return self.round is None or self.round.is_closed

    @property
    def latest_round(self) -> Round:
        assert self.round is not None
        return self.round

    def place(self, lot: int) -> Registration:
        """Return some registration."""
        places = list(self.event.registrations.select_related("player", "tournament"))
        return places[lot % len(places)]

    def table(self, lot: int, round_: Round | None = None) -> Pairing:
        """Return some table of the latest round or of this round."""
        tables = tables_of(round_ or self.latest_round)
        return tables[lot % len(tables)]

    # --- Players ---------------------------------------------------------------------------

    @rule(lot=INDEX, step=st.sampled_from(["comes", "leaves", "is back"]))
    def somebody(self, lot: int, step: str) -> None:
        registration = self.place(lot)
        if step == "leaves":
            self.do(lambda: registration_services.drop_player(registration, self.owner))
        elif step == "is back":
            self.do(lambda: registration_services.return_player(registration, self.owner))
        elif self.event.registrations.count() < MAX_PLAYERS:
            self.do(lambda: add_players(self.event, 1))

    # --- Rounds --------------------------------------------------------------------------------

    @precondition(
        lambda self: (
            self.is_between
            and not self.has_cut
            and (self.round is None or self.round.number < MAX_ROUNDS)
        )
    )
    @rule()
    def pair(self) -> None:
        number = self.event.next_round_number()
        field = self.event.registrations.filter(state="checked_in")
        present = list(field.values_list("player__name", flat=True))
        if self.do(lambda: draft_changes.request_pairing(self.event, number, self.owner)):
            logged = self.latest_round.pairings_for_log()
            logged = [seats_of(entry) for entry in logged]
            assert list(shape.seating_faults(logged, present, "$")) == []
            assert list(shape.table_faults(logged, "$")) == []
            assert list(shape.bye_count_faults(logged, len(present), set(), "$")) == []

    @precondition(lambda self: self.is_drafted)
    @rule()
    def throw_away(self) -> None:
        self.do(lambda: draft_changes.discard_draft(self.latest_round, self.owner))

    @precondition(lambda self: self.is_drafted)
    @rule(thinks_again=st.sampled_from([False, False, True]))
    def publish(self, thinks_again: bool = False) -> None:
        act = partial(
            rounds_services.publish_round, self.latest_round, self.owner, leave_out_latecomers=True
        )
        if self.do(act) and thinks_again:
            self.unpublish()

    @precondition(lambda self: self.is_open)
    @rule()
    def unpublish(self) -> None:
        self.do(lambda: rounds_services.unpublish_round(self.latest_round, self.owner, "again"))

    @precondition(lambda self: self.is_open)
    @rule()
    def start(self) -> None:
        self.do(lambda: rounds_services.start_round(self.latest_round, self.owner))

    @precondition(lambda self: self.is_open)
    @rule(settles=st.sampled_from([True, True, False]))
    def close(self, settles: bool) -> None:
        if settles:
            for pairing in self.latest_round.open_tables().order_by("table_number"):
                assert self.do(partial(self.decide_table, pairing, games_for(pairing)))
        self.do(lambda: rounds_services.close_round(self.latest_round, self.owner))

    @precondition(lambda self: self.is_between and not self.has_cut)
    @rule()
    def play_a_round(self) -> None:
        """Pair, publish and close a round."""
        if self.round is None or self.round.number < MAX_ROUNDS:
            self.pair()
            if self.is_drafted:
                self.publish()
                self.close(settles=True)

    @precondition(lambda self: self.round is not None and self.round.is_closed)
    @rule()
    def reopen(self) -> None:
        self.do(lambda: rounds_services.reopen_round(self.latest_round, self.owner, "again"))

    # --- Results -------------------------------------------------------------------------------

    def decide_table(self, pairing: Pairing, result: Any) -> None:
        seen = pairing.match.version
        results_services.decide_result(pairing, result, self.owner, seen_version=seen, note="So.")

    @precondition(lambda self: self.is_open)
    @rule(lot=INDEX, position=st.integers(0, 1), result=st.sampled_from(RESULTS))
    def report(self, lot: int, position: int, result: Any) -> None:
        pairing = self.table(lot)
        seat = list(pairing.match.seats.select_related("player"))[position]
        self.do(
            lambda: results_services.report_result(pairing, seat, result, Actor(player=seat.player))
        )

    @precondition(lambda self: self.is_open)
    @rule(lot=INDEX)
    def disagree(self, lot: int) -> None:
        """Report a result as one player and dispute it as the opponent."""
        pairing = self.table(lot)
        reporter_seat, opponent_seat = pairing.match.seats.select_related("player")
        reporter, opponent = Actor(player=reporter_seat.player), Actor(player=opponent_seat.player)
        if self.do(
            lambda: results_services.report_result(
                pairing, reporter_seat, sweep(reporter_seat.position), reporter
            )
        ):
            report = pairing.match.reports.latest("pk")
            self.do(
                lambda: results_services.dispute_report(
                    pairing, opponent_seat, report.pk, opponent, "No."
                )
            )

    @precondition(lambda self: self.round is not None)
    @rule(lot=INDEX, number=INDEX, result=st.sampled_from(RESULTS))
    def decide(self, lot: int, number: int, result: Any) -> None:
        """Decide a result in any round, including closed rounds and drafts."""
        round_ = get_round(self.event, 1 + number % self.latest_round.number)
        self.do(lambda: self.decide_table(self.table(lot, round_), result))

    # --- Cut and undo ----------------------------------------------------------------------

    @precondition(lambda self: not self.has_cut and self.round is not None)
    @rule()
    def cut(self) -> None:
        best = self.event.cut_candidates()[:2]
        system = "single_elimination"
        self.do(lambda: cuts.make_cut(self.event, best, self.owner, system=system))

    @precondition(lambda self: self.has_cut)
    @rule()
    def undo_cut(self) -> None:
        stage = self.event.get_cut()
        assert stage is not None
        self.do(lambda: cuts.undo_cut(stage, self.owner))

    @rule(lot=st.integers(0, 5), for_good=st.booleans())
    def take_back(self, lot: int, for_good: bool) -> None:
        """Undo one of the newest changes; unless `for_good`, redo it and compare the states."""
        newest = self.event.log.filter(action__in=undo_services.UNDO_RULES).order_by("-pk")[
            lot : lot + 1
        ]
        before = state(self.event)
        for entry in newest:
            if self.do(partial(undo_services.undo, entry, self.owner)) and not for_good:
                done = entry.undone_by
                assert self.do(partial(undo_services.undo, done, self.owner)), done
                assert state(self.event) == before, done

    # --- Invariants ------------------------------------------------------------------------

    @invariant()
    def event_is_consistent(self) -> None:
        """Check the event once after every change."""
        before, self.checked_rows = self.checked_rows, self.rows
        if self.rows is before:
            return
        self.check_log_only_grows()
        self.check_standings_against_log()
        if self.rows.get(SEATS) != before.get(SEATS):
            self.check_seats()
        if self.rows.get(STANDINGS) != before.get(STANDINGS):
            self.check_exported_event()

    def check_log_only_grows(self) -> None:
        current = entries(self.event)
        assert current[: len(self.log)] == self.log
        self.log = current

    def check_standings_against_log(self) -> None:
        replayed = Replay(self.event.bye_points).read(self.event.log.order_by("pk")).counted()
        snapshot = self.event.snapshots.newest()
        assert (snapshot is not None) == bool(replayed)
        for row in snapshot.rows.ranked() if snapshot else ():
            name = row.registration.player.name
            assert row.match_points == checker.match_points(replayed, name), name
            for figure in (
                checker.strength_of_schedule,
                checker.extended_strength_of_schedule,
            ):
                stored = Fraction(row.tie_breakers[figure.__name__] or 0)
                assert stored == figure(replayed, name), (figure.__name__, name)

    def check_exported_event(self) -> None:
        if self.event.late_entry == LateEntry.LOSSES:
            assert check_event(whole_event.event_document(self.event, private=True)) == []

    def check_seats(self) -> None:
        for round_ in self.event.rounds:
            logged = [seats_of(entry) for entry in round_.pairings_for_log()]
            names = {id_ for entry in logged for id_ in ids_of(entry)}
            assert list(shape.seating_faults(logged, sorted(names), "$")) == []


def rows() -> Rows:
    """Return all rows of events and matches, as stored in the database."""
    rows_by_table: Rows = {}
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(f'EXISTS (SELECT 1 FROM {name})' for name in TABLES)}")
        for table in compress(TABLES, cursor.fetchone()):
            cursor.execute(f"SELECT * FROM {table} ORDER BY 1")
            rows_by_table[table] = cursor.fetchall()
    return rows_by_table


def seats_of(entry: dict[str, Any]) -> dict[str, Any]:
    """Return a logged table or bye in the format of the checker."""
    if "bye" in entry:
        return entry
    return {**entry, "seats": [{"id": name} for name in entry["seats"]]}


def run(examples: int, steps: int, part: int = 0) -> Counter[str]:
    """Run random events and return the number of changes by action.

    If each commit has one verdict (tests/conftest.py), each part has examples of its own.
    """
    Evening.done.clear()
    run_state_machine_as_test(
        seed(part)(Evening) if settings.default.derandomize else Evening,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            suppress_health_check=list(HealthCheck),
        ),
    )
    return Evening.done


def test_random_event_stays_consistent():
    assert run(examples=3, steps=25)["round drafted"]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(2))
def test_many_random_events_stay_consistent(part: int, figure: Callable[[str], None]):
    """600 events on each database, in parts large enough that each part has the rarest actions."""
    done = run(examples=300, steps=20, part=part)

    assert not REQUIRED_ACTIONS - set(done), "every usual action must occur"
    summary = f"{done['event created']} evenings, {done.total()} changes, no fault after any"
    figure(f"Part {part + 1} of 2: {summary}")
