"""The verdict on a list: one answer for page, API and command."""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from decks.legality.lines import ResolvedLine
from decks.legality.records import Breach, CardSlot


@dataclass(frozen=True)
class LineVerdict:
    """What is said about one line.

    `verdict` is "ok", "breach" (a known card that may not be there), "unknown"
    (names no card) or "note" (a heading, a remark, an empty line).
    """

    number: int
    text: str
    verdict: str
    card: str | None
    quantity: int | None
    message: str

    def as_document(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "text": self.text,
            "verdict": self.verdict,
            "card": self.card,
            "quantity": self.quantity,
            "message": self.message,
        }


@dataclass(frozen=True)
class Verdict:
    """A judged list. `agenda_minimum` is None for a Runner deck.

    `slots` are the known cards line by line, `seal` the hash of the canonical
    list, `text` the list as it can be stored.
    """

    game: str
    side: str
    date: datetime.date
    text: str
    seal: str
    size: int
    agenda_points: int
    agenda_minimum: int | None
    slots: tuple[CardSlot, ...]
    lines: tuple[LineVerdict, ...]
    breaches: tuple[Breach, ...]

    @property
    def legal(self) -> bool:
        return not self.breaches

    def breaches_as_documents(self) -> list[dict[str, Any]]:
        return [breach.as_document() for breach in self.breaches]

    def as_document(self) -> dict[str, Any]:
        """The public JSON of `check_deck`; what a game does not know is null."""
        return {
            "legal": self.legal,
            "breaches": self.breaches_as_documents(),
            "identity": None,
            "side": self.side,
            "size": self.size,
            "influence": {"spent": None, "limit": None},
            "agenda_points": {
                "total": self.agenda_points,
                "minimum": self.agenda_minimum,
                "maximum": None,
            },
            "format": None,
            "snapshot": None,
            "date": self.date.isoformat(),
            "lines": [line.as_document() for line in self.lines],
        }


def line_verdicts(
    lines: Iterable[ResolvedLine], breaches: Sequence[Breach]
) -> tuple[LineVerdict, ...]:
    """Each line with what is wrong with it, or with its card.

    `breaches` are those of the rules of the game; lines carry their own faults.
    """
    by_card = _messages_by_card(breaches)
    return tuple(_line_verdict(line, by_card) for line in lines)


def _messages_by_card(breaches: Iterable[Breach]) -> Mapping[str, str]:
    messages: dict[str, str] = {}
    for breach in breaches:
        if breach.card is not None:
            known = f"{messages[breach.card]} " if breach.card in messages else ""
            messages[breach.card] = f"{known}{breach.message} {breach.remedy}"
    return messages


def _line_verdict(resolved: ResolvedLine, by_card: Mapping[str, str]) -> LineVerdict:
    line, card, fault = resolved.line, resolved.card, resolved.fault
    if fault is not None:
        verdict = "breach" if card else "unknown"
        title = card.title if card else None
        quantity = line.quantity if line.title else None
        message = f"{fault.message} {fault.remedy}"
        return LineVerdict(line.number, line.text, verdict, title, quantity, message)
    if card is None:
        return LineVerdict(line.number, line.text, "note", None, None, "")
    message = by_card.get(card.title, "")
    verdict = "breach" if message else "ok"
    return LineVerdict(line.number, line.text, verdict, card.title, line.quantity, message)
