"""Deck lists as pages show them. Whoever calls has asked tournaments.event.visibility."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import QuerySet

from decks.formats.sections import section_of, section_rank
from decks.legality.difference import Difference, ListFacts, difference
from decks.models import Card, DecklistVersion, DeckSlot, Side
from tournaments.decklists import queries as deck_queries
from tournaments.decklists.queries import DeckLock, DeckProblem
from tournaments.models import DeckReceipt, DeckSubmission, Tournament


@dataclass(frozen=True)
class DeckGroup:
    """The cards under one heading: (copies, title), by title."""

    heading: str
    cards: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class DeckLists:
    """One player's decks, Corp before Runner, with their cards."""

    name: str
    pronouns: str
    number: int
    decks: tuple[tuple[DeckSubmission, tuple[DeckGroup, ...]], ...]


def deck_lists(submissions: QuerySet[DeckSubmission]) -> list[DeckLists]:
    """These decks by player, as they come; a constant number of queries."""
    decks = submissions.select_related("registration__player", "version__identity")
    by_player = groupby(
        decks.prefetch_related("version__slots__card"), key=lambda deck: deck.registration
    )
    return [
        DeckLists(
            name=registration.player.name,
            pronouns=registration.player.pronouns,
            number=registration.number,
            decks=tuple(
                (submission, _groups(submission.version.slots.all()))
                for submission in sorted(group, key=lambda deck: Side(deck.side))
            ),
        )
        for registration, group in by_player
    ]


def _groups(slots: Iterable[DeckSlot]) -> tuple[DeckGroup, ...]:
    copies: Counter[Card] = Counter()
    for slot in slots:
        copies[slot.card] += slot.quantity
    ordered = sorted(copies, key=lambda card: (section_rank(_section(card)), card.title_key))
    return tuple(
        DeckGroup(section, tuple((copies[card], card.title) for card in cards))
        for section, cards in groupby(ordered, key=_section)
    )


def _section(card: Card) -> str:
    return section_of(card.type, card.subtypes)


@dataclass(frozen=True)
class Comparison:
    """Two receipts of one deck, and how their lists differ."""

    older: DeckReceipt
    newer: DeckReceipt
    difference: Difference


def compared(older: DeckReceipt, newer: DeckReceipt) -> Comparison:
    """How the list of one receipt became that of the other."""
    return Comparison(older, newer, difference(_facts(older.version), _facts(newer.version)))


def two_of(
    receipts: Sequence[DeckReceipt], older: int | None, newer: int | None
) -> Comparison | None:
    """The receipts of these numbers compared; by default the newest with the one before it.

    None while there are not two lists, or for a number that is not there.
    """
    by_number = {receipt.number: receipt for receipt in receipts}
    last = max(by_number, default=0) if newer is None else newer
    first = last - 1 if older is None else older
    if first not in by_number or last not in by_number:
        return None
    return compared(by_number[first], by_number[last])


def _facts(version: DecklistVersion) -> ListFacts:
    copies: Counter[str] = Counter()
    for title, quantity in version.slots.values_list("card__title", "quantity"):
        copies[title] += quantity
    return ListFacts(
        seal=version.seal,
        copies=copies,
        identity=version.identity.title if version.identity else "",
        lines=tuple(version.text.splitlines()),
    )


@dataclass(frozen=True)
class DeckWarnings:
    """Players to look after, and what else is to be known.

    `missing` is empty where decks are welcome and not required.
    """

    missing: Sequence[DeckProblem]
    illegal: Sequence[DeckProblem]
    notices: Sequence[str]
    lock: DeckLock | None

    def __bool__(self) -> bool:
        return bool(self.missing or self.illegal or self.notices)


def deck_warnings(tournament: Tournament) -> DeckWarnings | None:
    """Everything about decks that wants an eye, in three queries; None for a game without."""
    if not tournament.has_decks:
        return None
    playing = list(deck_queries.playing_with_decks(tournament))
    problems = deck_queries.deck_problems(playing)
    missing = [problem for problem in problems if problem.is_missing]
    return DeckWarnings(
        missing=missing if tournament.decks_required else [],
        illegal=[problem for problem in problems if not problem.is_missing],
        notices=[
            f"{count} {'deck is' if count == 1 else 'decks are'} touched: {cause}."
            for cause, count in deck_queries.deck_notices(playing)
        ],
        lock=deck_queries.event_deck_lock(tournament),
    )
