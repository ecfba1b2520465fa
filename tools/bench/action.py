"""P7 and W9: "pair the next round" with its database: against that work alone, and in seconds."""

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
            taken = [_pair(tournament) for _ in range(RUNS + 1)]
        # The first run loads what is loaded once.
        whole, alone = median(taken[1:]), median(engine[1:])
        database = whole - alone
        yield Figure(
            "P7",
            f"pair {players} players on {connection.vendor}, against its database work alone",
            f"{whole / database:.2f} times ({shown(whole)}, of it {shown(alone)} in the engine)",
            "<= 3 times",
            whole / database <= 3,
        )


def clicks() -> Iterator[Figure]:
    """W9: from the click to the draft of round 2, alone and beside backups of this database."""
    for players, goal in ((64, 0.3), (256, 1.0), (500, 2.0)):
        tournament = make_event(players)
        play_round(tournament)
        _pair(tournament)  # What is loaded once is loaded.
        taken = _median_pairing(tournament)
        with _backups_beside():
            beside = _median_pairing(tournament)
        yield Figure(
            "W9",
            f"click to draft with {players} players on {connection.vendor}",
            shown(taken),
            f"<= {shown(goal)}",
            taken <= goal,
        )
        yield Figure(
            "W9",
            f"click to draft with {players} players on {connection.vendor}, beside backups",
            f"{beside / taken:.2f} times ({shown(beside)})",
            "<= 2 times",
            beside <= 2 * taken,
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
    """Make one backup after the other in a thread, as the process of a shop does."""
    is_over = Event()

    def back_up(folder: Path) -> None:
        while not is_over.is_set():
            backups.make(folder, timezone.now())
        connection.close()

    with TemporaryDirectory() as folder, ThreadPoolExecutor(1) as thread:
        made = thread.submit(back_up, Path(folder))
        try:
            yield
        finally:
            is_over.set()
        made.result()


def _pair(tournament: Tournament) -> float:
    """Pair the next round and take it back."""
    begun = time.perf_counter()
    with transaction.atomic():
        draft_round(tournament)
        taken = time.perf_counter() - begun
        transaction.set_rollback(True)
    return taken


@contextmanager
def _stopwatch() -> Iterator[list[float]]:
    """The seconds of each call of the engine."""
    taken: list[float] = []
    engine = swiss.pair_round

    def timed(*args: Any, **kwargs: Any) -> Any:
        begun = time.perf_counter()
        try:
            return engine(*args, **kwargs)
        finally:
            taken.append(time.perf_counter() - begun)

    with patch.object(swiss, "pair_round", timed):
        yield taken
