"""Tallies of an event as JSON, and the sum of the tallies of several events."""

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
    """Return the tallies of one event as JSON; `players` are the keys of its players.

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
    """The sum of the figures of events. A player of several events counts once."""

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
    rounds: list[RoundTime] = field(default_factory=list)

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
        self.rounds.extend(RoundTime(*row) for row in figures["rounds"])

    @property
    def identities(self) -> set[str]:
        return {identity for _, identity, *_ in self.entries}

    def tallies(self, factions: dict[str, str]) -> Tallies:
        """Return the sum, in the order in which the database counts."""
        cards = [
            CardUse(side, title, decks, self.copies[side, title])
            for (side, title), decks in sorted(
                self.cards.items(),
                key=lambda use: (use[0][0], -use[1], -self.copies[use[0]], use[0][1]),
            )
        ]
        return Tallies(
            count=Count(*self.count)._replace(players=len(self.players)),
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
            rounds=sorted(self.rounds),
            cut=CutCount(*self.cut),
            factions=factions,
        )


def _sums(first: Iterable[int], second: Iterable[int]) -> list[int]:
    return [one + other for one, other in zip(first, second, strict=True)]
