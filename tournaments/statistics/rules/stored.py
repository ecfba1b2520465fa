"""Tallies of events as JSON, and their sum."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from matches.scoring import GameEnd, Role
from tournaments.statistics.rules.tallies import (
    CardUse,
    Count,
    CutCount,
    Ending,
    Entry,
    Meeting,
    RoundTime,
    Sitting,
    Tallies,
)

Figures = dict[str, Any]


def as_figures(tallies: Tallies, players: Collection[int]) -> Figures:
    """Return tallies as JSON; without the keys of their `players` only their number is known.

    Factions are left out: they are looked up for the sum.
    """
    return {
        "count": list(tallies.count),
        "players": sorted(players),
        "endings": [list(row) for row in tallies.endings],
        "meetings": [list(row) for row in tallies.meetings],
        "entries": [list(row) for row in tallies.entries],
        "cards": [list(row) for row in tallies.cards],
        "decks": dict(tallies.decks),
        "sittings": [[*row[:-1], str(row.points)] for row in tallies.sittings],
        "rounds": [list(row) for row in tallies.rounds],
        "cut": list(tallies.cut),
    }


@dataclass
class TalliesSum:
    """The sum of the figures of events. A player of several events counts once.

    Figures without the keys of their players can be read back, but not added to another sum.
    """

    count: list[int] = field(default_factory=lambda: [0] * len(Count._fields))
    players: set[int] = field(default_factory=set)
    cut: list[int] = field(default_factory=lambda: [0] * len(CutCount._fields))
    decks: Counter[str] = field(default_factory=Counter)
    endings: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    meetings: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    entries: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    cards: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    copies: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    sittings: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    points: dict[tuple[Any, ...], Fraction] = field(default_factory=dict)
    rounds: Counter[tuple[int, int]] = field(default_factory=Counter)

    def add(self, figures: Figures) -> None:
        self.count = _sums(self.count, figures["count"])
        self.players.update(figures["players"])
        self.cut = _sums(self.cut, figures["cut"])
        self.decks.update(figures["decks"])
        for name in ("endings", "meetings", "entries"):
            counts = getattr(self, name)
            for *key, number in figures[name]:
                counts[tuple(key)] += number
        for side, title, decks, copies in figures["cards"]:
            self.cards[side, title] += decks
            self.copies[side, title] += copies
        for *key, seats, points in figures["sittings"]:
            place = tuple(key)
            self.sittings[place] += seats
            self.points[place] = self.points.get(place, Fraction(0)) + Fraction(points)
        for row in figures["rounds"]:
            time = RoundTime(*row)
            self.rounds[time.number, time.minutes] += time.rounds

    @property
    def identities(self) -> set[str]:
        return {identity for _, identity, *_ in self.entries}

    def tallies(self, factions: dict[str, str]) -> Tallies:
        """Return the sum, in the same order as the database queries."""
        cards = [
            CardUse(side, title, decks, self.copies[side, title])
            for (side, title), decks in sorted(
                self.cards.items(),
                key=lambda use: (use[0][0], -use[1], -self.copies[use[0]], use[0][1]),
            )
        ]
        count = Count(*self.count)
        return Tallies(
            count=count._replace(players=len(self.players)) if self.players else count,
            endings=[
                Ending(GameEnd(end), Role(winner) if winner else None, games)
                for (end, winner), games in sorted(
                    self.endings.items(), key=lambda row: (row[0][0], row[0][1] or "")
                )
            ],
            meetings=[
                Meeting(corp, runner, Role(winner), games)
                for (corp, runner, winner), games in sorted(self.meetings.items())
            ],
            entries=[
                Entry(side, identity, had_cut, made_cut, players)
                for (side, identity, had_cut, made_cut), players in sorted(self.entries.items())
            ],
            cards=cards,
            decks=dict(self.decks),
            sittings=[
                Sitting(
                    faction, position, was_first, seats, self.points[faction, position, was_first]
                )
                for (faction, position, was_first), seats in sorted(self.sittings.items())
            ],
            rounds=[RoundTime(*time, rounds) for time, rounds in sorted(self.rounds.items())],
            cut=CutCount(*self.cut),
            factions=factions,
        )


def _sums(first: Iterable[int], second: Iterable[int]) -> list[int]:
    return [one + other for one, other in zip(first, second, strict=True)]
