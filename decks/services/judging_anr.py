"""Check a list of Android: Netrunner: identity, format and date."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from django.utils import timezone

from decks.catalogue import GameTables
from decks.formats import deck_text
from decks.legality import anr, line_faults, wording
from decks.legality import lines as deck_lines
from decks.legality.anr import agendas, identities, influence, notices, spans
from decks.legality.anr.deck import AnrDeck
from decks.legality.formats import FormatFacts, FormatTable, Outdated, SnapshotFacts, outdated
from decks.legality.records import AnrRules, Breach, agenda_points_of
from decks.legality.verdict import Verdict, in_order, line_verdicts, no_span
from decks.services.identities import ChosenIdentity, choose
from decks.services.refusals import UnknownFormat
from decks.services.sides import ReadList, side_of_most

# Codes of breaches of the deck as a whole.
OF_ALL_CARDS = ("deck_size", "agenda_points")


@dataclass(frozen=True)
class Pinned:
    """The format used for the check, if any, and its snapshot on the day."""

    format_: FormatFacts | None
    snapshot: SnapshotFacts | None
    outdated: Outdated | None = None


def verdict(
    listed: ReadList,
    tables: GameTables,
    rules: AnrRules,
    identity: str | None = None,
) -> Verdict:
    """Check the list against the format on the day, or the basic rules without a format.

    Raises SideUnclear and UnknownFormat.
    """
    pinned = _pinned(listed, tables.formats, rules) if rules.format_id else Pinned(None, None)
    chosen = choose(listed.lines, tables.cards, identity or "")
    deck = _deck_of(listed, chosen)
    breaches = (*chosen.breaches, *_rule_breaches(deck, pinned, listed, rules))
    reading = deck_lines.breaches(listed.deck, listed.lines)
    return _verdict(listed, deck, pinned, breaches, in_order([*reading, *breaches]))


def _pinned(listed: ReadList, table: FormatTable, rules: AnrRules) -> Pinned:
    found = table.find(rules.format_id)
    if found is None:
        known = wording.listing([one.id for one in table])
        raise UnknownFormat(f'There is no format "{rules.format_id}". There are {known}.')
    stale = outdated(found, table.as_of, listed.date)
    return Pinned(found, found.on(listed.date), stale)


def _deck_of(listed: ReadList, chosen: ChosenIdentity) -> AnrDeck:
    slots = deck_lines.slots_of(listed.lines)
    side = listed.side or (chosen.card and chosen.card.side) or side_of_most(listed, slots)
    unread = deck_lines.unread_copies(listed.lines)
    return AnrDeck(side, chosen.card, slots, chosen.line, unread)


def _rule_breaches(
    deck: AnrDeck, pinned: Pinned, listed: ReadList, rules: AnrRules
) -> Iterator[Breach]:
    if pinned.format_ and pinned.snapshot is None:
        yield _no_snapshot(pinned.format_, listed)
    if deck.side:
        # An identity alone has no cards to count.
        unasked = OF_ALL_CARDS if rules.identities_only and not deck.size else ()
        found = anr.breaches(deck, pinned.snapshot)
        yield from (breach for breach in found if breach.code not in unasked)
    else:
        yield line_faults.side_unclear(deck.size // 2)


def _no_snapshot(format_: FormatFacts, listed: ReadList) -> Breach:
    """Build the breach for a day before the format began."""
    message = f"{format_.name} has no card pool for {wording.day(listed.date)}."
    remedy = "Choose another day or another format."
    if format_.timeline:
        first = wording.day(format_.timeline[0].effective_from)
        message = f"{format_.name} began on {first}; {wording.day(listed.date)} is before it."
        remedy = f"Choose a day from {first} on, or another format."
    return Breach("no_snapshot", message, remedy, rule=f"Format {format_.name}")


def _verdict(
    listed: ReadList,
    deck: AnrDeck,
    pinned: Pinned,
    rule_breaches: tuple[Breach, ...],
    breaches: tuple[Breach, ...],
) -> Verdict:
    band = agendas.agenda_band(deck) or (None, None)
    verdict = Verdict(
        game=listed.game,
        side=deck.side,
        date=listed.date,
        text=listed.deck.text,
        seal=_seal(listed, deck),
        size=deck.size,
        agenda_points=agenda_points_of(deck.slots),
        agenda_minimum=band[0],
        agenda_maximum=band[1],
        slots=deck.slots,
        lines=line_verdicts(listed.lines, rule_breaches),
        breaches=breaches,
        form=listed.deck.form,
        name=deck_lines.deck_name(listed.deck, listed.lines),
        notes=listed.deck.notes,
        identity=deck.identity,
        resolved=listed.lines,
    )
    return _with_format(_with_influence(verdict, deck, pinned), deck, pinned)


def _with_influence(verdict: Verdict, deck: AnrDeck, pinned: Pinned) -> Verdict:
    """Add the influence figures; they require an identity of the deck's side."""
    if identities.ruling_identity(deck) is None:
        return verdict
    restriction = pinned.snapshot.restriction if pinned.snapshot else None
    return replace(
        verdict,
        influence_spent=influence.influence_spent(deck, restriction),
        influence_limit=influence.influence_limit(deck, restriction),
    )


def _with_format(verdict: Verdict, deck: AnrDeck, pinned: Pinned) -> Verdict:
    """Add the snapshot, the function for the legal span, and notices about upcoming changes."""
    format_, snapshot = pinned.format_, pinned.snapshot
    if format_ is None:
        return verdict
    today = timezone.localdate()
    span = partial(spans.legal_span, deck, format_, verdict.date) if verdict.legal else no_span
    return replace(
        verdict,
        format_id=format_.id,
        format_name=format_.name,
        snapshot_id=snapshot.id if snapshot else None,
        lists_in_force=snapshot.names if snapshot else (),
        find_span=span,
        outdated=pinned.outdated,
        notices=tuple(notices.notices(deck, format_, today=today, date=verdict.date)),
    )


def _seal(listed: ReadList, deck: AnrDeck) -> str:
    entries = deck_lines.canonical_entries(listed.lines)
    identity = deck.identity.title_key if deck.identity else ""
    return deck_text.seal(listed.game, deck.side, entries, identity)
