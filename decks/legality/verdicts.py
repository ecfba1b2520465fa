"""Verdict on a decklist, shared by page, API and command."""

import datetime
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from decks.formats.deck_text import DeckTextFormat, LineKind
from decks.games import GAMES, GameDefinition
from decks.legality import wording
from decks.legality.check_texts import UNCODED, CheckText, check_text, uncoded_text
from decks.legality.deck_lines import ResolvedLine
from decks.legality.records import (
    Breach,
    CardFacts,
    CardSlot,
    OutdatedCardData,
    RestrictionFacts,
)


@dataclass(frozen=True)
class LineVerdict:
    number: int
    text: str
    # "ok", "breach" (a known card that is not allowed), "unknown" (no known card) or "note" (a
    # heading, a comment, an empty line).
    verdict: str
    card: str | None
    quantity: int | None
    texts: tuple[CheckText, ...] = ()

    def as_document(self) -> dict[str, Any]:
        """Public JSON."""
        return {
            "number": self.number,
            "text": self.text,
            "verdict": self.verdict,
            "card": self.card,
            "quantity": self.quantity,
            "message": " ".join(map(str, self.texts)),
        }


@dataclass(frozen=True)
class LegalSpan:
    first: datetime.date
    # None if no announced ban list or card pool ends it.
    last: datetime.date | None

    @property
    def text(self) -> CheckText:
        first = self.first.isoformat()
        if self.last is None:
            return check_text("legal_from", first_day=first)
        return check_text("legal_until", first_day=first, day=self.last.isoformat())


@dataclass(frozen=True)
class DeckNotice:
    """A notice that is not a breach, such as a ban list that takes effect soon."""

    code: str
    effects: tuple[CheckText, ...]
    card: str | None = None
    # A text without card names that is the same for all affected decks.
    cause: CheckText | None = None

    @property
    def is_uncoded(self) -> bool:
        """The only effect is a whole English sentence that includes the cause."""
        return self.effects[0].code == UNCODED

    @property
    def texts(self) -> tuple[CheckText, ...]:
        return (self.cause, *self.effects) if self.cause and not self.is_uncoded else self.effects

    @property
    def message(self) -> str:
        """The notice in the English of documents."""
        effects = wording.listing([*map(str, self.effects)])
        if self.cause is None or self.is_uncoded:
            return effects
        return f"{self.cause}: {self.card} {effects}."

    def as_document(self) -> dict[str, Any]:
        return {"code": self.code, "message": self.message, "card": self.card}

    def with_cause(self) -> dict[str, Any]:
        """Return the document with its cause."""
        return {**self.as_document(), "cause": str(self.cause) if self.cause else ""}

    def as_stored(self) -> dict[str, Any]:
        """Return the document with its cause, which every release can read, and both as codes."""
        return {
            **self.with_cause(),
            "effects": [text.as_stored() for text in self.effects],
            "cause_text": self.cause.as_stored() if self.cause else None,
        }

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> "DeckNotice":
        """Read a notice; earlier releases stored only the document with its cause."""
        if "effects" not in stored:
            return cls.from_document(stored)
        return cls(
            stored["code"],
            tuple(map(CheckText.from_stored, stored["effects"])),
            stored["card"],
            CheckText.from_stored(stored["cause_text"]) if stored["cause_text"] else None,
        )

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "DeckNotice":
        """`document` has the cause too."""
        effects = (uncoded_text(document["message"]),)
        return cls(document["code"], effects, document["card"], uncoded_text(document["cause"]))


@dataclass(frozen=True)
class DeckVerdict:
    """A checked list. Figures are None if the game, the side or the identity has none."""

    game: str
    side: str
    date: datetime.date
    # The list as stored, in the format `form`.
    text: str
    # Hash of the canonical list.
    seal: str
    size: int
    agenda_points: int
    # The known cards by line, without the identity.
    slots: tuple[CardSlot, ...]
    lines: tuple[LineVerdict, ...]
    breaches: tuple[Breach, ...]
    form: DeckTextFormat = DeckTextFormat.PLAIN_TEXT
    name: str = ""
    notes: str = ""
    identity: CardFacts | None = None
    # Minimum number of cards.
    minimum_size: int | None = None
    # For the cards in the deck; in `anr` for at least the minimum size.
    agenda_minimum: int | None = None
    agenda_maximum: int | None = None
    # The minimum once the deck has its minimum size, for the page alone.
    required_points: int | None = None
    # All copies of each title; empty if the game has no influence.
    influence_by_card: Mapping[CardFacts, int] = field(
        default_factory=dict, compare=False, repr=False
    )
    influence_spent: int | None = None
    # None with a spent figure: no limit.
    influence_limit: int | None = None
    # None for the basic rules.
    format_id: str | None = None
    snapshot_id: str | None = None
    format_name: str = ""
    # Names of the card pool and of the ban list.
    lists_in_force: tuple[CheckText, ...] = ()
    # The ban list used in the check.
    restriction: RestrictionFacts | None = field(default=None, compare=False, repr=False)
    notices: tuple[DeckNotice, ...] = ()
    resolved: tuple[ResolvedLine, ...] = ()
    outdated: OutdatedCardData | None = None
    # Computes `span` lazily, because few pages show it; None for games without formats.
    find_span: Callable[[], LegalSpan | None] | None = field(
        default=None, compare=False, repr=False
    )

    @property
    def game_played(self) -> GameDefinition:
        return GAMES[self.game]

    @cached_property
    def span(self) -> LegalSpan | None:
        """None for illegal lists and for games without formats."""
        return self.find_span() if self.find_span and self.legal else None

    @property
    def legal(self) -> bool:
        return not self.breaches

    @property
    def deck_breaches_first(self) -> list[Breach]:
        """Breaches in the order of the page: those of the whole deck, then by line."""
        return sorted(self.breaches, key=lambda breach: breach.line is not None)

    def lasting_notices(self) -> list[DeckNotice]:
        """Notices to store with a version: those with a cause, which are valid on any day."""
        return [notice for notice in self.notices if notice.cause]

    def as_document(self) -> dict[str, Any]:
        """Public JSON of a deck check; figures that a game does not have are null."""
        return {
            "legal": self.legal,
            "breaches": [breach.as_document() for breach in self.breaches],
            "identity": self.identity.title if self.identity else None,
            "side": self.side or None,
            "size": self.size,
            "influence": {"spent": self.influence_spent, "limit": self.influence_limit},
            "agenda_points": {
                "total": self.agenda_points,
                "minimum": self.agenda_minimum,
                "maximum": self.agenda_maximum,
            },
            "format": self.format_id,
            "snapshot": self.snapshot_id,
            "date": self.date.isoformat(),
            "legal_from": _iso_day(self.span.first if self.span else None),
            "legal_until": _iso_day(self.span.last if self.span else None),
            "notices": [notice.as_document() for notice in self.notices],
            "name": self.name,
            "form": self.form.value,
            "seal": self.seal,
            "lines": [line.as_document() for line in self.lines],
            "outdated": self.outdated.as_document() if self.outdated else None,
        }


def _iso_day(date: datetime.date | None) -> str | None:
    return date.isoformat() if date else None


def line_verdicts(
    lines: Iterable[ResolvedLine], breaches: Sequence[Breach]
) -> tuple[LineVerdict, ...]:
    """`breaches` come from the rules of the game; lines include their own faults."""
    texts: dict[str, list[CheckText]] = defaultdict(list)
    for breach in sort_breaches(breaches):
        for title in breach.titles:
            texts[title] += [*breach.problem, *breach.remedies]
    return tuple(_line_verdict(line, texts) for line in lines)


def sort_breaches(breaches: Iterable[Breach]) -> tuple[Breach, ...]:
    """Remove duplicates and sort by line; breaches of the whole deck come last, by code."""

    def place(breach: Breach) -> tuple[bool, int, str, str, str]:
        line = breach.line or 0
        return not line, line, breach.code, breach.card or "", breach.message

    return tuple(sorted(dict.fromkeys(breaches), key=place))


def _line_verdict(resolved: ResolvedLine, texts: Mapping[str, list[CheckText]]) -> LineVerdict:
    line, card, fault = resolved.line, resolved.card, resolved.fault
    if fault is not None:
        verdict = "breach" if card else "unknown"
        title = card.title if card else None
        quantity = line.quantity if line.title else None
        explanation = (*fault.problem, *fault.remedies)
        return LineVerdict(line.number, line.text, verdict, title, quantity, explanation)
    if card is None:
        note = (check_text("deck_name_line"),) if line.kind == LineKind.NAME else ()
        return LineVerdict(line.number, line.text, "note", None, None, note)
    wrong = tuple(texts.get(card.title, ()))
    verdict = "breach" if wrong else "ok"
    return LineVerdict(line.number, line.text, verdict, card.title, line.quantity, wrong)


# Plain text


SIDE_LABELS = {"corp": "Corp deck", "runner": "Runner deck", "": "Deck of an unknown side"}


def verdict_lines(verdict: DeckVerdict) -> Iterator[str]:
    outcome = "legal" if verdict.legal else f"not legal, {len(verdict.breaches)} to fix"
    figures = [SIDE_LABELS[verdict.side], wording.cards(verdict.size), *_figures_in_words(verdict)]
    yield f"{', '.join(figures)}: {outcome}."
    if verdict.identity:
        yield f"Identity: {verdict.identity.title}"
    if verdict.format_id:
        names = wording.listing([*map(str, verdict.lists_in_force)]) or "nothing in force yet"
        yield f"Format: {verdict.format_name}, {wording.day(verdict.date)}: {names}"
    if verdict.span:
        yield str(verdict.span.text)
    for breach in verdict.breaches:
        place = f"line {breach.line}: " if breach.line else ""
        yield f"- {place}{breach.message} {breach.remedy}"
        yield f"  ({breach.rule})"
    yield from (f"! {notice.message}" for notice in verdict.notices)
    if verdict.outdated:
        yield f"! {' '.join(map(str, verdict.outdated.texts))}"


def _figures_in_words(verdict: DeckVerdict) -> Iterator[str]:
    if verdict.agenda_minimum is not None:
        band = f"at least {verdict.agenda_minimum}"
        if verdict.agenda_maximum is not None:
            band = f"{verdict.agenda_minimum} or {verdict.agenda_maximum} needed"
        yield f"{wording.points(verdict.agenda_points)} ({band})"
    if verdict.influence_spent is not None:
        limit = "no limit" if verdict.influence_limit is None else f"of {verdict.influence_limit}"
        yield f"{verdict.influence_spent} influence ({limit})"
