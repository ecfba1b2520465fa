"""P7 and W9: pairing the next round with its database, and the engine alone."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any
from unittest.mock import patch

from django.db import connection, transaction
from django.utils import timezone

from core import backups
from engine.pairing import swiss
from tests.factories.tournaments import draft_round, make_event, play_round
from tools.bench.clock import shown
from tools.bench.figures import Figure
from tournaments.models import Tournament

CLOSED_ROUNDS = 3
RUNS = 7


def figures() -> Iterator[Figure]:
    """The whole action from the button to the draft, for two sizes of an event."""
    for players in (64, 256):
        tournament = _event(players)
        with _stopwatch() as engine:
            durations = [_pair(tournament) for _ in range(RUNS + 1)]
        # The first run loads what is loaded only once.
        whole, alone = median(durations[1:]), median(engine[1:])
        database = whole - alone
        yield Figure(
            "P7",
            f"pair {players} players on {connection.vendor}, against its database work alone",
            f"{whole / database:.2f} times ({shown(whole)}, of it {shown(alone)} in the engine)",
            "<= 3 times",
            whole / database <= 3,
        )


def clicks() -> Iterator[Figure]:
    """W9: from the click to the draft of round 2, alone and during backups of the database."""
    for players, goal in ((64, 0.3), (256, 1.0), (500, 2.0)):
        tournament = make_event(players)
        play_round(tournament)
        _pair(tournament)  # Load what is loaded only once.
        alone_seconds = _median_pairing(tournament)
        with _backups_beside():
            seconds_during_backups = _median_pairing(tournament)
        yield Figure(
            "W9",
            f"click to draft with {players} players on {connection.vendor}",
            shown(alone_seconds),
            f"<= {shown(goal)}",
            alone_seconds <= goal,
        )
        yield Figure(
            "W9",
            f"click to draft with {players} players on {connection.vendor}, beside backups",
            f"{seconds_during_backups / alone_seconds:.2f} times ({shown(seconds_during_backups)})",
            "<= 2 times",
            seconds_during_backups <= 2 * alone_seconds,
        )


def _event(players: int) -> Tournament:
    tournament = make_event(players, planned_rounds=CLOSED_ROUNDS + 3)
    for _ in range(CLOSED_ROUNDS):
        play_round(tournament)
    return tournament


def _median_pairing(tournament: Tournament) -> float:
    return median(_pair(tournament) for _ in range(5))


@contextmanager
def _backups_beside() -> Iterator[None]:
    """Make one backup after another in a thread, as in the single process of a shop."""
    is_over = Event()

    def back_up(folder: Path) -> None:
        while not is_over.is_set():
            backups.make(folder, timezone.now())
        connection.close()

    with TemporaryDirectory() as folder, ThreadPoolExecutor(1) as thread:
        backup_futures = thread.submit(back_up, Path(folder))
        try:
            yield
        finally:
            is_over.set()
        backup_futures.result()


def _pair(tournament: Tournament) -> float:
    """Pair the next round and delete its draft."""
    start = time.perf_counter()
    with transaction.atomic():
        draft_round(tournament)
        duration = time.perf_counter() - start
        transaction.set_rollback(True)
    return duration


@contextmanager
def _stopwatch() -> Iterator[list[float]]:
    """The seconds of each call of the engine."""
    durations: list[float] = []
    engine = swiss.pair_round

    def timed(*args: Any, **kwargs: Any) -> Any:
        start = time.perf_counter()
        try:
            return engine(*args, **kwargs)
        finally:
            durations.append(time.perf_counter() - start)

    with patch.object(swiss, "pair_round", timed):
        yield durations
