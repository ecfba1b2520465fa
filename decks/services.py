"""Judging a list, handing it in, and loading the cards it is made of."""

import datetime
from collections import Counter, defaultdict
from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from core.errors import Refusal
from core.text import clean
from decks.catalogue import card_table
from decks.formats import deck_text, plain_text
from decks.formats.deck_text import DeckText
from decks.games import GameSystem
from decks.importer import ImportReport, import_cards
from decks.legality import lines as deck_lines
from decks.legality import onr
from decks.legality.card_table import CardTable
from decks.legality.lines import ResolvedLine
from decks.legality.records import CardSlot, OnrRules, agenda_points_of, size_of
from decks.legality.verdict import Verdict, line_verdicts
from decks.models import Decklist, DecklistVersion, DeckSlot, Side
from players.models import Player

__all__ = [
    "GameNotJudged",
    "ImportReport",
    "NoCards",
    "SideUnclear",
    "check",
    "hand_in",
    "import_cards",
]


class SideUnclear(Refusal):
    """The cards do not say whose deck it is."""

    code = "side_unclear"


class NoCards(Refusal):
    """The card table of the game is empty."""

    code = "no_cards"


class GameNotJudged(Refusal):
    """There are no deck rules for this game."""

    code = "game_not_judged"


def check(
    text: str,
    *,
    game: str = GameSystem.ONR,
    side: str | None = None,
    rules: OnrRules | None = None,
    date: datetime.date | None = None,
) -> Verdict:
    """The verdict on a list as typed; writes nothing.

    Without `side` the cards say it; `rules` default to constructed play, and
    `date` (the day of the event) to today. Raises GameNotJudged, NoCards, SideUnclear.
    """
    table = _cards_of(game)
    deck = plain_text.read(text)
    lines = deck_lines.resolve(deck, table)
    return _verdict(
        deck,
        lines,
        game=game,
        side=side or _side_of(deck_lines.slots_of(lines)),
        rules=rules or OnrRules(),
        date=date or timezone.localdate(),
    )


def _cards_of(game: str) -> CardTable:
    if game != GameSystem.ONR:
        raise GameNotJudged(f"Decks of {game} cannot be checked; choose onr.")
    table = card_table(game)
    if not table.cards:
        raise NoCards("No cards are loaded yet: run manage.py import_cards.")
    return table


def _verdict(
    deck: DeckText,
    lines: tuple[ResolvedLine, ...],
    *,
    game: str,
    side: str,
    rules: OnrRules,
    date: datetime.date,
) -> Verdict:
    slots = deck_lines.slots_of(lines)
    size = size_of(slots)
    breaches = tuple(onr.breaches(side, slots, rules, deck_lines.unread_copies(lines)))
    return Verdict(
        game=game,
        side=side,
        date=date,
        text=deck.text,
        seal=deck_text.seal(game, side, deck_lines.canonical_entries(lines)),
        size=size,
        agenda_points=agenda_points_of(slots),
        agenda_minimum=onr.agenda_minimum(size, rules) if side == Side.CORP else None,
        slots=slots,
        lines=line_verdicts(lines, breaches),
        breaches=(*deck_lines.breaches(deck, lines), *breaches),
    )


def _side_of(slots: Iterable[CardSlot]) -> str:
    """The side of most cards; a tie or no card at all is refused."""
    copies = Counter(dict.fromkeys(Side.values, 0))
    for slot in slots:
        copies[slot.card.side] += slot.quantity
    (first, most), (_, fewest) = copies.most_common()
    if most == fewest:
        counts = f"{copies[Side.CORP]} Corp and {copies[Side.RUNNER]} Runner cards"
        raise SideUnclear(f"The list has {counts}: say which side it is (--side corp or runner).")
    return first


@transaction.atomic
def hand_in(
    player: Player,
    *,
    side: str,
    text: str,
    rules: OnrRules,
    title: str = "",
    game: str = GameSystem.ONR,
    date: datetime.date | None = None,
) -> DecklistVersion:
    """Keep the list as the next version of the player's deck of this title.

    An illegal list is kept too, as a draft with its breaches. The same text
    with the same verdict is no new version: the last one is answered.
    """
    verdict = check(text, game=game, side=side, rules=rules, date=date)
    decklist = _locked_decklist(player, game, side, clean(title)[:100])
    last = decklist.versions.first()
    if last is not None and _says_the_same(last, verdict):
        return last
    return _write_version(decklist, last.number + 1 if last else 1, verdict)


def _locked_decklist(player: Player, game: str, side: str, title: str) -> Decklist:
    decklist, _ = Decklist.objects.get_or_create(player=player, game=game, side=side, title=title)
    # Two pastes at once would take the same number; the second waits here.
    return Decklist.objects.select_for_update().get(pk=decklist.pk)


def _says_the_same(version: DecklistVersion, verdict: Verdict) -> bool:
    # The breaches count too: other rules may judge the same list otherwise.
    return (
        version.seal == verdict.seal
        and version.text == verdict.text
        and version.breaches == verdict.breaches_as_documents()
    )


def _write_version(decklist: Decklist, number: int, verdict: Verdict) -> DecklistVersion:
    version = DecklistVersion.objects.create(
        decklist=decklist,
        number=number,
        text=verdict.text,
        size=verdict.size,
        agenda_points=verdict.agenda_points,
        is_legal=verdict.legal,
        breaches=verdict.breaches_as_documents(),
        seal=verdict.seal,
    )
    _write_slots(version, verdict.slots)
    return version


def _write_slots(version: DecklistVersion, slots: Iterable[CardSlot]) -> None:
    copies: dict[int, int] = defaultdict(int)
    for slot in slots:
        copies[slot.card.id] += slot.quantity
    DeckSlot.objects.bulk_create(
        DeckSlot(version=version, card_id=card_id, quantity=quantity)
        for card_id, quantity in copies.items()
    )
