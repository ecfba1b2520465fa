"""Rounds of an event rebuilt from its log alone, in the format of the naive checker."""

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from tournaments.models import LogEntry

SETTLED = ("confirmed", "decided")
SUBJECT = re.compile(r"round (\d+)(?:, table (\d+))?")
Round = list[dict[str, Any]]


class Replay:
    """The rounds of an event by number, rebuilt entry by entry from its log."""

    def __init__(self, bye_points: int) -> None:
        self.bye_points = bye_points
        self.rounds: dict[int, Round] = {}
        self.closed: set[int] = set()

    def read(self, entries: Iterable[LogEntry]) -> "Replay":
        """Apply the entries in order."""
        for entry in entries:
            self._apply(entry.action, SUBJECT.match(entry.subject), entry)
        return self

    def _apply(self, action: str, where: re.Match[str] | None, entry: LogEntry) -> None:
        number = int(where[1]) if where else 0
        if action == "round published":
            self.rounds[number] = [self._entry(logged) for logged in entry.after["pairings"]]
        elif action == "round taken back":
            del self.rounds[number]
        elif action == "round closed":
            self.closed.add(number)
        elif action == "round reopened":
            self.closed.discard(number)
            late_credits = [pairing for pairing in self.rounds[number] if pairing.get("late")]
            assert len(late_credits) == len(entry.before.get("late_entries", []))
            self.rounds[number] = [
                pairing for pairing in self.rounds[number] if not pairing.get("late")
            ]
        elif where and where[2] and "points" in entry.after:
            self._result(number, int(where[2]), entry.after)
        elif action == "missed rounds credited":
            for missed in entry.after["rounds"]:
                credit = {"bye": entry.subject, "points": entry.after["points"], "late": True}
                self.rounds[missed].append(credit)
        elif action == "missed rounds taken back":
            for missed in entry.before["rounds"]:
                remaining = [
                    pairing
                    for pairing in self.rounds[missed]
                    if not _is_credit(pairing, entry.subject)
                ]
                self.rounds[missed] = remaining

    def _entry(self, pairing: Mapping[str, Any]) -> dict[str, Any]:
        if "bye" in pairing:
            return {"bye": pairing["bye"], "points": self.bye_points}
        return {"table": pairing["table"], "seats": [{"id": name} for name in pairing["seats"]]}

    def _result(self, number: int, table: int, after: Mapping[str, Any]) -> None:
        (entry,) = (pairing for pairing in self.rounds[number] if pairing.get("table") == table)
        is_settled = after["state"] in SETTLED
        entry["seats"] = [
            {"id": name, **({"points": _number(points)} if is_settled else {})}
            for name, points in zip(after["seats"], after["points"], strict=True)
        ]

    def counted(self) -> list[Round]:
        """Return the closed rounds in order."""
        return [self.rounds[number] for number in sorted(self.closed)]


def _is_credit(entry: Mapping[str, Any], name: str) -> bool:
    return entry.get("bye") == name and bool(entry.get("late"))


def _number(points: str) -> int:
    exact = Fraction(points)
    assert exact.denominator == 1
    return int(exact)
