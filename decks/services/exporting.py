"""Export a deck as a file for other programs."""

import datetime
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.errors import Refusal
from decks import composition, queries
from decks.catalogue import format_table
from decks.formats import writers
from decks.formats.deck_text import DeckLine, ListForm
from decks.formats.writers import ExportForm, Totals, WrittenCard, WrittenDeck
from decks.legality import lines as deck_lines
from decks.legality.formats import RestrictionFacts
from decks.legality.records import CardFacts, CardSlot, DeckRules
from decks.legality.verdict import Verdict
from decks.services.judging import check

LONGEST_NAME = 60


class FormNotOffered(Refusal):
    pass


class CardsNotKnown(Refusal):
    """The format requires card codes, but the list has lines without a known card."""


@dataclass(frozen=True)
class Export:
    """A downloadable file; the name is ASCII without a path, the body UTF-8."""

    filename: str
    content_type: str
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


def export_forms(game: str) -> list[tuple[str, str]]:
    return [(form.value, form.label) for form in writers.forms_of(game)]


def export(
    text: str,
    *,
    game: str,
    form: str,
    title: str = "",
    side: str | None = None,
    rules: DeckRules | None = None,
    date: datetime.date | None = None,
    identity: str | None = None,
) -> Export:
    """Export the list under `title`, or its own name by default.

    The other arguments are those of `check`. The NetrunnerDB text includes the first problem of the
    deck. Raises FormNotOffered, CardsNotKnown and the refusals of `check`.
    """
    _offered(form, game)
    verdict = check(text, game=game, side=side, rules=rules, date=date, identity=identity)
    return export_of(verdict, form, title)


def export_of(verdict: Verdict, form: str, title: str = "") -> Export:
    """Export a checked list. Raises FormNotOffered and CardsNotKnown."""
    form_ = _offered(form, verdict.game)
    deck = written_deck(verdict, title)
    if deck.unread and not form_.is_for_people:
        raise CardsNotKnown(
            f"{form_.label} names cards by codes, and some lines of this list name none: "
            f"{'; '.join(deck.unread[:3])}. Fix these lines first, or choose a text format."
        )
    name = f"{_file_name(deck.name) or f'{verdict.side}-deck'}{form_.suffix}"
    return Export(name, form_.content_type, writers.write(form_, deck).encode())


def _offered(form: str, game: str) -> ExportForm:
    if form not in writers.forms_of(game):
        offered = ", ".join(name for name, _ in export_forms(game)) or "none"
        raise FormNotOffered(f"Decks of {game} are not written as {form}; choose of: {offered}.")
    return ExportForm(form)


def written_deck(verdict: Verdict, title: str = "") -> WrittenDeck:
    """Collect the data for any export format, with at most two queries."""
    sets = queries.sets_by_id(verdict.game)
    restriction = restriction_of(verdict)
    cards = _Cards(sets, composition.influence_by_card(verdict, restriction), restriction)
    lines = tuple(cards.written(verdict.slots))
    identity = _identity(verdict, cards)
    return WrittenDeck(
        side=verdict.side,
        cards=lines,
        identity=identity,
        name=title or verdict.name,
        notes=verdict.notes,
        warning=verdict.breaches[0].message if verdict.breaches else "",
        totals=_totals(verdict, cards.newest_set([*lines, identity])),
        unread=tuple(_unread(verdict)),
    )


def restriction_of(verdict: Verdict) -> RestrictionFacts | None:
    """Return the ban list of the snapshot used in the check."""
    found = format_table(verdict.game).find(verdict.format_id) if verdict.format_id else None
    snapshots = found.snapshots if found else ()
    return next((one.restriction for one in snapshots if one.id == verdict.snapshot_id), None)


@dataclass(frozen=True)
class _Cards:
    sets: Mapping[str, tuple[str, datetime.date | None]]
    influence: Mapping[CardFacts, int]
    restriction: RestrictionFacts | None

    def written(self, slots: Sequence[CardSlot]) -> Iterator[WrittenCard]:
        """Yield a line for each title and printing, in list order."""
        copies: dict[tuple[CardFacts, str], int] = defaultdict(int)
        of_title: dict[CardFacts, int] = defaultdict(int)
        for slot in slots:
            copies[slot.card, slot.printing] += slot.quantity
            of_title[slot.card] += slot.quantity
        before: dict[CardFacts, int] = defaultdict(int)
        for (card, printing), quantity in copies.items():
            # Split the influence of a title between its printings without rounding errors.
            first, last = before[card], before[card] + quantity
            all_of_them = self.influence.get(card, 0)
            share = all_of_them * last // of_title[card] - all_of_them * first // of_title[card]
            before[card] = last
            yield self.line(card, quantity, printing, share)

    def line(self, card: CardFacts, quantity: int, printing: str, influence: int) -> WrittenCard:
        restricted = self.restriction.restricted if self.restriction else frozenset()
        return WrittenCard(
            title=card.title,
            quantity=quantity,
            type=card.type,
            subtypes=card.subtypes,
            card_id=card.card_id,
            chosen=printing,
            latest=card.printings[-1].code if card.printings else "",
            set_name=self._set(card, printing)[0],
            faction=card.faction,
            influence=influence,
            is_restricted=card.card_id in restricted,
        )

    def newest_set(self, lines: Iterable[WrittenCard | None]) -> str:
        released = dict(self.sets.values())
        names = {line.set_name for line in lines if line}
        dated = [(day, name) for name in names if (day := released.get(name))]
        return max(dated)[1] if dated else ""

    def _set(self, card: CardFacts, printing: str) -> tuple[str, datetime.date | None]:
        chosen = [one.set_id for one in card.printings if one.code == printing]
        latest = [one.set_id for one in card.printings[-1:]]
        return self.sets.get((chosen or latest or [""])[0], ("", None))


def _identity(verdict: Verdict, cards: _Cards) -> WrittenCard | None:
    if verdict.identity is None:
        return None
    named = deck_lines.identity_of(verdict.resolved)
    printing = named.line.printing if named and named.card == verdict.identity else ""
    return cards.line(verdict.identity, 1, printing, 0)


def _totals(verdict: Verdict, newest_set: str) -> Totals:
    return Totals(
        influence_spent=verdict.influence_spent,
        influence_limit=verdict.influence_limit,
        agenda_points=None if verdict.agenda_minimum is None else verdict.agenda_points,
        agenda_minimum=verdict.agenda_minimum,
        agenda_maximum=verdict.agenda_maximum,
        minimum_size=verdict.identity.minimum_deck_size if verdict.identity else None,
        newest_set=newest_set,
    )


def _unread(verdict: Verdict) -> Iterator[str]:
    """Yield the lines that should add a card but do not, including ambiguous identities."""
    identity = deck_lines.identity_of(verdict.resolved)
    for one in verdict.resolved:
        if one.fault or (one.is_identity and identity is None):
            is_typed = verdict.form is ListForm.PLAIN_TEXT
            yield one.line.text.strip() if is_typed else _typed(one.line)


def _typed(line: DeckLine) -> str:
    code = f"[id: {line.printing}]" if line.printing else ""
    named = f"{line.title or line.card_id} {code}".strip()
    if not named:
        return line.text.strip()
    return named if line.is_identity else f"{line.quantity} {named}"


def _file_name(name: str) -> str:
    """Slug for the file name, safe in headers and file systems."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:LONGEST_NAME].strip("-")
