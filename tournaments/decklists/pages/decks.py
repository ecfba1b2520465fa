"""Decklists as pages show them, and the deck rules of an event in words.

Callers check tournaments.event.visibility.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import QuerySet
from django.utils.formats import date_format

from core.form_fields import whole_number
from decks.catalogue import format_table
from decks.formats.sections import section_of, section_rank
from decks.legality.difference import Difference, ListFacts, difference
from decks.legality.formats import SnapshotFacts
from decks.legality.records import AnrRules, OnrRules
from decks.models import Card, DecklistVersion, DeckSlot, Side
from tournaments.decklists import queries
from tournaments.decklists.deck_verdicts import deck_rules
from tournaments.decklists.queries import DeckLock, DeckProblem
from tournaments.models import DeckReceipt, DeckSubmission, Tournament

BASIC = "Basic rules: all cards of the game, no ban list."
IDENTITY = (
    "A deck has an identity, and as many cards as it asks for at least, up to three copies of "
    "each unless the card says otherwise, with influence up to its limit."
)


@dataclass(frozen=True)
class DeckGroup:
    """The cards of a section as (copies, title), sorted by title."""

    heading: str
    cards: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class DeckLists:
    """A player's decks with their cards, Corp before Runner."""

    name: str
    pronouns: str
    number: int
    decks: tuple[tuple[DeckSubmission, tuple[DeckGroup, ...]], ...]


def deck_lists(submissions: QuerySet[DeckSubmission]) -> list[DeckLists]:
    """Group the decks by player in their given order, in a constant number of queries."""
    decks = submissions.select_related("registration__player", "version__identity")
    by_player = groupby(decks.prefetch_related(queries.SLOTS), key=lambda deck: deck.registration)
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
    """The difference between two receipts of a deck."""

    older: DeckReceipt
    newer: DeckReceipt
    difference: Difference


def compared(older: DeckReceipt, newer: DeckReceipt) -> Comparison:
    return Comparison(older, newer, difference(_facts(older.version), _facts(newer.version)))


def two_of(
    receipts: Sequence[DeckReceipt], older: int | None, newer: int | None
) -> Comparison | None:
    """Compare the receipts with these numbers, by default the newest with its predecessor.

    Returns None if there are fewer than two receipts or a number does not exist.
    """
    by_number = {receipt.number: receipt for receipt in receipts}
    last = max(by_number, default=0) if newer is None else newer
    first = last - 1 if older is None else older
    if first not in by_number or last not in by_number:
        return None
    return compared(by_number[first], by_number[last])


def two_asked(receipts: Sequence[DeckReceipt], query: Mapping[str, str]) -> Comparison | None:
    """Like `two_of`, with the `older` and `newer` query parameters."""
    older, newer = (_number_asked(query, name) for name in ("older", "newer"))
    return two_of(receipts, older, newer)


def _number_asked(query: Mapping[str, str], name: str) -> int | None:
    """Parse the number; an invalid number becomes 0, which no receipt has."""
    return whole_number(query[name], 5) or 0 if name in query else None


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
    """Deck problems for the desk, and notices such as an upcoming ban list.

    `missing` is empty if decks are optional; `waived` needs no action.
    """

    missing: Sequence[DeckProblem]
    illegal: Sequence[DeckProblem]
    waived: Sequence[DeckProblem]
    notices: Sequence[str]
    lock: DeckLock | None

    def __bool__(self) -> bool:
        return bool(self.missing or self.illegal or self.waived or self.notices)


def deck_warnings(tournament: Tournament, *, has_begun: bool = False) -> DeckWarnings | None:
    """Collect the event's deck problems in at most three queries.

    Returns None for a game without decks. Notices apply only before the event. Once it `has_begun`,
    an event without problems takes one query.
    """
    if not tournament.has_decks:
        return None
    find = queries.players_with_deck_problems if has_begun else queries.playing_with_decks
    playing = list(find(tournament))
    problems = queries.problems_to_show(tournament, playing)
    to_solve = [problem for problem in problems if problem.waiver is None]
    notices = () if has_begun else queries.deck_notices(playing)
    return DeckWarnings(
        missing=[problem for problem in to_solve if problem.is_missing],
        illegal=[problem for problem in to_solve if not problem.is_missing],
        waived=[problem for problem in problems if problem.waiver],
        notices=[
            f"{count} {'deck is' if count == 1 else 'decks are'} affected: {cause}."
            for cause, count in notices
        ],
        lock=queries.event_deck_lock(tournament),
    )


@dataclass(frozen=True)
class DeckRulesInWords:
    """Sentences for all decks of the event, for Runner decks and for Corp decks."""

    all: str
    runner: str
    corp: str


def deck_rules_in_words(tournament: Tournament) -> DeckRulesInWords:
    """Describe the deck rules of the event on its start date."""
    rules = deck_rules(tournament)
    if isinstance(rules, OnrRules):
        return _of_onr(rules)
    corp = "A Corp deck has the agenda points its size asks for: 20 or 21 for 45 to 49 cards."
    alone = " The identity alone is enough." if rules.identities_only else ""
    return DeckRulesInWords(f"{_format(tournament, rules)} {IDENTITY}{alone}", "", corp)


def _of_onr(rules: OnrRules) -> DeckRulesInWords:
    ratio = (
        "2 for every 5 cards, to the card"
        if rules.exact_ratio
        else "2 for every 5 cards begun: 18 for 45, 20 for 46 to 50"
    )
    return DeckRulesInWords(
        all="The ban list of the Top Runners' Conference applies." if rules.ban_list else "",
        runner=f"Runner: at least {rules.runner_minimum} cards.",
        corp=f"Corp: at least {rules.corp_minimum} cards, with agenda points for its size "
        f"({ratio}).",
    )


def _format(tournament: Tournament, rules: AnrRules) -> str:
    if not rules.format_id:
        return BASIC
    found = format_table(tournament.game).find(rules.format_id)
    if found is None:
        return (
            f'The format "{rules.format_id}" is not among the card data of this site, so decks '
            "cannot be judged by it."
        )
    day = date_format(tournament.starts_on, "j F Y")
    snapshot = found.on(tournament.starts_on)
    if snapshot is None:
        return f"Format {found.name}, which has no card pool yet on {day}."
    return f"Format {found.name} on {day}: {_snapshot(snapshot)}."


def _snapshot(snapshot: SnapshotFacts) -> str:
    pool = f"card pool {snapshot.pool.name}"
    if snapshot.restriction is None:
        return f"{pool}, without a ban list"
    since = date_format(snapshot.restriction.effective_from, "j F Y")
    return f"{pool}, {snapshot.restriction.name}, in force since {since}"
