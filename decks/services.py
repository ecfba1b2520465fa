"""Check, store, fetch, export and show decks."""

import datetime
import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from core import database, http, rate_limits
from core.errors import Refusal
from core.http import OutgoingRefused
from core.json_guard import Json, NotJson
from decks import games, netrunnerdb, queries
from decks.catalogue import GameTables, card_table, stored_tables
from decks.check_sentences import sentences
from decks.composition import Composition, deck_composition
from decks.formats import deck_text, readers, writers
from decks.formats.deck_text import DeckText, DeckTextFormat
from decks.formats.plain_text import MAX_BYTES
from decks.formats.writers import DeckTotals, ExportForm, WrittenCard, WrittenDeck
from decks.legality import anr_construction, anr_formats, deck_lines, onr, wording
from decks.legality.anr_construction import AnrDeck
from decks.legality.anr_formats import FormatStanding
from decks.legality.card_tables import CardCompleter, CardCompletion, CardTable
from decks.legality.check_texts import CheckText, check_text
from decks.legality.deck_lines import ResolvedLine
from decks.legality.records import (
    AnrRules,
    Breach,
    CardFacts,
    CardSlot,
    DeckRules,
    FormatFacts,
    OnrRules,
    RestrictionFacts,
    SnapshotFacts,
    agenda_points_of,
    deck_rule_kind,
    deck_rules_of,
    find_outdated,
    size_of,
)
from decks.legality.verdicts import DeckVerdict, line_verdicts, sort_breaches
from decks.models import MAX_PROBLEMS, Card, CardAlias, Decklist, DecklistVersion, DeckSlot, Side
from decks.netrunnerdb import GetJson
from decks.titles import folded_title
from players.models import Player


class SideUnclear(Refusal):
    pass


class NothingRead(Refusal):
    def __init__(self, problem: CheckText, remedy: CheckText | None) -> None:
        self.texts = (problem, remedy) if remedy else (problem,)
        super().__init__(sentences(self.texts))


class NoCards(Refusal):
    pass


class GameNotJudged(Refusal):
    pass


class UnknownFormat(Refusal):
    pass


class RuleOfAnotherGame(Refusal):
    pass


# Options by kind of deck rules.
RULE_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "sizes": ("exact_ratio", "ban_list", "runner_minimum", "corp_minimum"),
    "formats": ("format", "identity"),
}


def requested_rules(game: str, options: Mapping[str, Any]) -> DeckRules:
    """Build deck rules from RULE_OPTIONS. Raises RuleOfAnotherGame, ValueError for a figure."""
    # None, empty and False count as missing; 0 does not.
    settings = {
        name: value
        for name, value in options.items()
        if value not in (None, "") and value is not False
    }
    own = RULE_OPTIONS[deck_rule_kind(game)]
    for name in (name for names in RULE_OPTIONS.values() for name in names):
        if name in settings and name not in own:
            raise RuleOfAnotherGame(
                gettext("The deck rules of %(game)s have no %(name)s. Remove it.")
                % {"game": game, "name": name}
            )
    if deck_rule_kind(game) == "formats":
        # Accept names such as "Standard" and "System Gateway" as ids of formats.
        return AnrRules(str(settings.get("format", "")).strip().casefold().replace(" ", "_"))
    return deck_rules_of(game, {name: settings[name] for name in own if name in settings})


# Verdicts


# Codes of breaches of the deck as a whole.
WHOLE_DECK_CODES = ("deck_size", "agenda_points")


@dataclass(frozen=True)
class ParsedList:
    game: str
    deck: DeckText
    lines: tuple[ResolvedLine, ...]
    # None if the identity or the cards determine it.
    side: str | None
    date: datetime.date

    @cached_property
    def slots(self) -> tuple[CardSlot, ...]:
        return deck_lines.card_slots(self.lines)


def check_deck(
    text: str,
    *,
    game: str = games.DEFAULT.id,
    side: str | None = None,
    rules: DeckRules | None = None,
    date: datetime.date | None = None,
    identity: str | None = None,
    tables: GameTables | None = None,
) -> DeckVerdict:
    """Return the verdict on a list in any supported format; writes nothing.

    Without `side`, the identity or the majority of cards determines it. `rules` default to
    constructed play, or to the basic rules for games with formats. `date` (the day of the event)
    defaults to today. `identity` is the title, card id or printing of an identity that the list
    does not name. `tables` default to the cards and formats in the database.

    Raises GameNotJudged, NoCards, NothingRead, SideUnclear, UnknownFormat and RuleOfAnotherGame.
    """
    known = {definition.id: definition.name for definition in games.with_decks()}
    if game not in known:
        raise GameNotJudged(
            gettext("Decks of %(game)s cannot be checked. Choose one of these games: %(known)s.")
            % {"game": game, "known": ", ".join(known)}
        )
    tables = tables or stored_tables(game)
    if not tables.cards.cards:
        raise NoCards(
            gettext(
                "No cards of %(known)s are loaded yet. An administrator can load them with: "
                "manage.py import_cards"
            )
            % {"known": known[game]}
        )
    deck = readers.read_deck(text)
    lines = deck_lines.resolve_lines(deck, tables.cards)
    parsed = ParsedList(game, deck, lines, side, date or timezone.localdate())
    rules = rules or deck_rules_of(game, {})
    if isinstance(rules, AnrRules):
        return _check_anr_deck(parsed, tables, rules, identity or "")
    if identity:
        raise RuleOfAnotherGame(
            gettext("Decks of %(game)s have no identity. Remove it.") % {"game": game}
        )
    return _check_onr_deck(parsed, rules)


def _check_onr_deck(parsed: ParsedList, rules: OnrRules) -> DeckVerdict:
    side, size = parsed.side or _majority_side(parsed), size_of(parsed.slots)
    if not side:
        return _build_verdict(parsed, side, [deck_lines.side_unclear_fault(size // 2)])
    unread = deck_lines.unread_copies(parsed.lines)
    verdict = _build_verdict(parsed, side, [*onr.onr_breaches(side, parsed.slots, rules, unread)])
    minimum = rules.minimum(side)
    if side == Side.RUNNER:
        return replace(verdict, minimum_size=minimum)
    return replace(
        verdict,
        minimum_size=minimum,
        agenda_minimum=onr.agenda_minimum(size, rules),
        required_points=onr.agenda_minimum(max(size, minimum), rules),
    )


def _check_anr_deck(
    parsed: ParsedList, tables: GameTables, rules: AnrRules, identity: str
) -> DeckVerdict:
    format_: FormatFacts | None = None
    snapshot: SnapshotFacts | None = None
    if rules.format_id:
        format_ = tables.formats.find(rules.format_id)
        if format_ is None:
            known = wording.listing([item.id for item in tables.formats])
            raise UnknownFormat(
                gettext('There is no format "%(format_id)s". Choose one of these: %(known)s.')
                % {"format_id": rules.format_id, "known": known}
            )
        snapshot = format_.on(parsed.date)
    chosen = deck_lines.choose_identity(parsed.lines, tables.cards, identity)
    side = parsed.side or (chosen.card and chosen.card.side) or _majority_side(parsed)
    unread = deck_lines.unread_copies(parsed.lines)
    deck = AnrDeck(side, chosen.card, parsed.slots, chosen.line, unread)

    breaches = list(chosen.breaches)
    if format_ and snapshot is None:
        breaches.append(_no_snapshot(format_, parsed.date))
    if side:
        # An identity alone has no cards to count.
        skipped = WHOLE_DECK_CODES if rules.identities_only and not deck.size else ()
        rule_breaches = anr_formats.anr_breaches(deck, snapshot)
        breaches += [breach for breach in rule_breaches if breach.code not in skipped]
    else:
        breaches.append(deck_lines.side_unclear_fault(deck.size // 2))

    verdict = _build_verdict(parsed, side, breaches, chosen.card)
    restriction = snapshot.restriction if snapshot else None
    if band := anr_construction.deck_points_band(deck):
        verdict = replace(
            verdict, agenda_minimum=band[0], agenda_maximum=band[1], required_points=band[0]
        )
    if anr_construction.ruling_identity(deck):
        influence = anr_construction.influence_by_title(deck, restriction)
        verdict = replace(
            verdict,
            influence_by_card=influence,
            influence_spent=sum(influence.values()),
            influence_limit=anr_construction.influence_limit(deck, restriction),
        )
    if format_ is None:
        return verdict
    today = timezone.localdate()
    return replace(
        verdict,
        format_id=format_.id,
        format_name=format_.name,
        snapshot_id=snapshot.id if snapshot else None,
        lists_in_force=snapshot.names if snapshot else (),
        restriction=restriction,
        find_span=partial(anr_formats.legal_span, deck, format_, parsed.date),
        outdated=find_outdated(format_, tables.formats.as_of, parsed.date),
        notices=tuple(anr_formats.deck_notices(deck, format_, today=today, date=parsed.date)),
    )


def _no_snapshot(format_: FormatFacts, date: datetime.date) -> Breach:
    params = {"format": format_.name, "day": date.isoformat()}
    problem = check_text("format_without_pool", **params)
    remedy = check_text("choose_day_or_format")
    if format_.timeline:
        first_day = format_.timeline[0].effective_from.isoformat()
        problem = check_text("format_not_begun", **params, first_day=first_day)
        remedy = check_text("choose_day_from", first_day=first_day)
    rule = check_text("format_rule", format=format_.name)
    return Breach("no_snapshot", (problem,), (remedy,), rule)


def _majority_side(parsed: ParsedList) -> str:
    """Return "" for a tie if faulty lines may decide it. Raises NothingRead, SideUnclear."""
    if parsed.deck.problem and not parsed.deck.cards:
        raise NothingRead(parsed.deck.problem, parsed.deck.remedy)
    copies = Counter(dict.fromkeys(Side.values, 0))
    for slot in parsed.slots:
        copies[slot.card.side] += slot.quantity
    (first, most), (_, fewest) = copies.most_common()
    if most != fewest:
        return first
    if any(line.fault for line in parsed.lines):
        return ""
    if not most:
        raise SideUnclear(
            gettext("The list contains no known cards. Write one card per line, or choose a side.")
        )
    raise SideUnclear(
        gettext(
            "The list has as many Corp cards as Runner cards (%(number)s). Choose a side, Corp or "
            "Runner."
        )
        % {"number": most}
    )


def _build_verdict(
    parsed: ParsedList, side: str, breaches: list[Breach], identity: CardFacts | None = None
) -> DeckVerdict:
    """Build the part of the verdict that all games share; `breaches` are those of the rules."""
    deck, lines = parsed.deck, parsed.lines
    entries = deck_lines.canonical_entries(lines)
    identity_key = identity.title_key if identity else ""
    return DeckVerdict(
        game=parsed.game,
        side=side,
        date=parsed.date,
        text=deck.text,
        seal=deck_text.list_seal(parsed.game, side, entries, identity_key),
        size=size_of(parsed.slots),
        agenda_points=agenda_points_of(parsed.slots),
        slots=parsed.slots,
        lines=line_verdicts(lines, breaches),
        breaches=sort_breaches([*deck_lines.reading_breaches(deck, lines), *breaches]),
        form=deck.form,
        name=deck_lines.deck_name(deck, lines),
        notes=deck.notes,
        identity=identity,
        minimum_size=identity.minimum_deck_size if identity else None,
        resolved=lines,
    )


def likelier_game(text: str, game: str) -> games.GameDefinition | None:
    """Return the game that recognises the most lines of the list, or None if it is `game`."""
    deck = readers.read_deck(text)
    known = {}
    for definition in games.with_decks():
        table = card_table(definition.id)
        known[definition.id] = sum(table.find(line.title) is not None for line in deck.lines)
    best = max(known, key=known.__getitem__)
    return games.GAMES[best] if known[best] > known[game] else None


# Decks fetched from NetrunnerDB


class DeckNotFetched(OutgoingRefused):
    pass


def fetch_deck(address: str, get: GetJson = http.get_json) -> str:
    """Fetch a deck by URL, id or UUID, as JSON text that the parsers accept.

    Raises netrunnerdb.NotADeckAddress, DeckNotThere and StrangeAnswer, and DeckNotFetched.
    """
    deck_address = netrunnerdb.parse_deck_address(address)

    def fetch() -> str:
        # Limit concurrency: each request blocks a thread for seconds.
        with rate_limits.take_place("fetch", "netrunnerdb") as is_free:
            if not is_free:
                raise DeckNotFetched(
                    gettext(
                        "Other people are fetching decks right now. Try again in a few seconds, or "
                        "paste the list."
                    )
                )
            try:
                deck = dict(netrunnerdb.get_deck(deck_address, get))
            except http.Unreachable as error:
                raise DeckNotFetched(
                    gettext(
                        "NetrunnerDB cannot be reached: there may be no internet connection here. "
                        "Paste the list instead, or choose its file."
                    )
                ) from error
            except http.TooSlow as error:
                raise DeckNotFetched(
                    gettext(
                        "NetrunnerDB is taking too long to respond. Paste the list instead, or "
                        "choose its file."
                    )
                ) from error
            except (OutgoingRefused, NotJson) as error:
                raise DeckNotFetched(
                    gettext(
                        "NetrunnerDB returned no deck: %(reason)s. Paste the list instead, or "
                        "choose its file."
                    )
                    % {"reason": str(error).rstrip(".")}
                ) from error
        text = _write_envelope(deck)
        if len(text.encode()) > MAX_BYTES:
            deck.pop("description", None)
            text = _write_envelope(deck)
        return text

    return database.fetch_outside_transaction(deck_address, fetch)


def _write_envelope(deck: dict[str, Json]) -> str:
    envelope = {"data": [deck], "total": 1, "success": True, "version_number": "2.0"}
    return json.dumps(envelope, ensure_ascii=False, indent=1)


# Cards


_completers: dict[str, tuple[CardTable, CardCompleter]] = {}


def complete_titles(game: str, typed: str, *, side: str = "") -> list[CardCompletion]:
    table = card_table(game)
    known = _completers.get(game)
    # The catalogue returns the same table object until the cards of the game change.
    if known is None or known[0] is not table:
        known = _completers[game] = (table, _completer(game))
    return known[1].matching(typed, side=side)


def _completer(game: str) -> CardCompleter:
    factions = queries.faction_names(game)
    aliases: dict[int, list[str]] = defaultdict(list)
    for card_id, alias in CardAlias.objects.filter(card__game=game).values_list("card_id", "alias"):
        aliases[card_id].append(alias)
    cards = Card.objects.filter(game=game).order_by("folded_title", "pk")
    return CardCompleter(
        (
            CardCompletion(
                card.title,
                card.side,
                card.type,
                factions.get(card.faction, ""),
                card.get_absolute_url(),
            ),
            (card.title, *aliases[card.pk]),
        )
        for card in cards
    )


def nearest_cards(game: str, typed: str) -> list[Card]:
    if not folded_title(typed):
        return []
    titles = card_table(game).nearest(typed)
    cards = {card.title: card for card in Card.objects.filter(game=game, title__in=titles)}
    return [cards[title] for title in titles if title in cards]


def legal_card_ids(game: str, format_id: str, date: datetime.date) -> frozenset[int] | None:
    """Primary keys of the cards that are legal in a format on a day; None for an unknown format."""
    tables = stored_tables(game)
    format_ = tables.formats.find(format_id)
    if format_ is None:
        return None
    cards = tables.cards.cards
    return frozenset(card.id for card in cards if anr_formats.is_card_legal(card, format_, date))


def card_standings(card: Card, date: datetime.date) -> tuple[FormatStanding, ...]:
    """Return the status of the card in each format; empty for games without formats."""
    tables = stored_tables(card.game)
    formats, facts = tuple(tables.formats), tables.cards.find(card.title)
    if not formats or facts is None:
        return ()
    days = [printing.card_set.released_on for printing in card.printings.all()]
    released = min((day for day in days if day), default=None)
    return anr_formats.format_standings(facts, formats, date, released)


# Submitted lists


@transaction.atomic
def store_checked_list(player: Player, verdict: DeckVerdict) -> DecklistVersion:
    """Store the list as the next version of the player's deck, or return an unchanged version.

    Illegal lists are stored too, as drafts with their breaches.
    """
    decklist, _ = Decklist.objects.get_or_create(
        player=player, game=verdict.game, side=verdict.side, title=""
    )
    # Lock the row: concurrent submissions would use the same version number.
    decklist = Decklist.objects.select_for_update().get(pk=decklist.pk)
    last = decklist.versions.first()
    if last is not None and is_same_submission(last, verdict):
        return last
    number = last.number + 1 if last else 1
    version = decklist.versions.create(number=number, **_version_fields(verdict))
    copies: dict[tuple[int, str], int] = defaultdict(int)
    for slot in verdict.slots:
        copies[slot.card.id, slot.printing] += slot.quantity
    DeckSlot.objects.bulk_create(
        DeckSlot(
            version=version,
            card_id=card_id,
            printing=printing,
            position=position,
            quantity=quantity,
        )
        for position, ((card_id, printing), quantity) in enumerate(copies.items(), start=1)
    )
    return version


# Fields that differ if the list or its verdict does, besides breaches and notices.
COMPARED_FIELDS = ("seal", "text", "judged_on", "format_id", "snapshot_id")


def is_same_submission(version: DecklistVersion, verdict: DeckVerdict) -> bool:
    """Compare the verdict as well: different rules may produce another one.

    Breaches and notices are compared as documents, because earlier releases and imports store no
    codes.
    """
    fields = _version_fields(verdict)
    if any(getattr(version, name) != fields[name] for name in COMPARED_FIELDS):
        return False
    breaches, notices = verdict.breaches[:MAX_PROBLEMS], verdict.lasting_notices()[:MAX_PROBLEMS]
    return [breach.as_document() for breach in version.stored_breaches] == [
        breach.as_document() for breach in breaches
    ] and [notice.with_cause() for notice in version.stored_notices] == [
        notice.with_cause() for notice in notices
    ]


def _version_fields(verdict: DeckVerdict) -> dict[str, Any]:
    return {
        "text": verdict.text,
        "form": verdict.form,
        "identity_id": verdict.identity.id if verdict.identity else None,
        "size": verdict.size,
        "agenda_points": verdict.agenda_points,
        "is_legal": verdict.legal,
        # 400 unreadable lines have breaches four times as long as the list.
        "breaches": [breach.as_stored() for breach in verdict.breaches[:MAX_PROBLEMS]],
        "notices": [notice.as_stored() for notice in verdict.lasting_notices()[:MAX_PROBLEMS]],
        "seal": verdict.seal,
        "format_id": verdict.format_id or "",
        "snapshot_id": verdict.snapshot_id or "",
        "judged_on": verdict.date,
    }


# Exports


LONGEST_NAME = 60


class FormNotOffered(Refusal):
    pass


class CardsNotKnown(Refusal):
    """The format requires card codes, but the list has lines without a known card."""


@dataclass(frozen=True)
class ExportedFile:
    # ASCII, without a path.
    filename: str
    content_type: str
    # In UTF-8.
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


def export_form_choices(game: str) -> list[tuple[str, str]]:
    return [(form.value, form.label) for form in writers.export_forms_of(game)]


def export_deck(
    text: str,
    *,
    game: str,
    form: str,
    title: str = "",
    side: str | None = None,
    rules: DeckRules | None = None,
    date: datetime.date | None = None,
    identity: str | None = None,
) -> ExportedFile:
    """Check a list and write it in another format.

    Raises FormNotOffered, CardsNotKnown and the refusals of `check_deck`.
    """
    _offered_form(form, game)
    verdict = check_deck(text, game=game, side=side, rules=rules, date=date, identity=identity)
    return export_verdict(verdict, form, title)


def export_verdict(verdict: DeckVerdict, form: str, title: str = "") -> ExportedFile:
    """Export a checked list. Raises FormNotOffered and CardsNotKnown."""
    form_ = _offered_form(form, verdict.game)
    deck = deck_for_export(verdict, title)
    if deck.unread and not form_.is_for_people:
        raise CardsNotKnown(
            gettext(
                "%(form)s identifies cards by code, but some lines of this list name no known "
                "card: %(unread)s. Fix these lines first, or choose a text format."
            )
            % {"form": form_.label, "unread": "; ".join(deck.unread[:3])}
        )
    # The file name is safe in headers and file systems.
    plain = unicodedata.normalize("NFKD", deck.name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain)[:LONGEST_NAME].strip("-")
    filename = f"{slug or f'{verdict.side}-deck'}{form_.suffix}"
    return ExportedFile(filename, form_.content_type, writers.write_deck(form_, deck).encode())


def _offered_form(form: str, game: str) -> ExportForm:
    if form not in writers.export_forms_of(game):
        offered = ", ".join(name for name, _ in export_form_choices(game)) or "none"
        raise FormNotOffered(
            gettext(
                "Decks of %(game)s cannot be exported as %(form)s. Choose one of these "
                "formats: %(offered)s."
            )
            % {"game": game, "form": form, "offered": offered}
        )
    return ExportForm(form)


def deck_for_export(verdict: DeckVerdict, title: str = "") -> WrittenDeck:
    """Collect the data for any export format, with one query."""
    sets = queries.sets_by_id(verdict.game)
    cards = _ExportCards(sets, verdict.influence_by_card, verdict.restriction)
    lines = tuple(cards.written(verdict.slots))
    identity = None
    if verdict.identity:
        named = deck_lines.listed_identity(verdict.resolved)
        printing = named.line.printing if named and named.card == verdict.identity else ""
        identity = cards.line(verdict.identity, 1, printing, 0)
    return WrittenDeck(
        side=verdict.side,
        cards=lines,
        identity=identity,
        name=title or verdict.name,
        notes=verdict.notes,
        warning=verdict.breaches[0].message if verdict.breaches else "",
        totals=DeckTotals(
            influence_spent=verdict.influence_spent,
            influence_limit=verdict.influence_limit,
            agenda_points=None if verdict.agenda_minimum is None else verdict.agenda_points,
            agenda_minimum=verdict.agenda_minimum,
            agenda_maximum=verdict.agenda_maximum,
            minimum_size=verdict.identity.minimum_deck_size if verdict.identity else None,
            newest_set=cards.newest_set([*lines, identity]),
        ),
        unread=tuple(_unread_lines(verdict)),
    )


@dataclass(frozen=True)
class _ExportCards:
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
            total = self.influence.get(card, 0)
            share = total * last // of_title[card] - total * first // of_title[card]
            before[card] = last
            yield self.line(card, quantity, printing, share)

    def line(self, card: CardFacts, quantity: int, printing: str, influence: int) -> WrittenCard:
        restricted = self.restriction.restricted if self.restriction else frozenset()
        printings = card.printings
        chosen = [item.set_id for item in printings if item.code == printing]
        latest = [item.set_id for item in printings[-1:]]
        set_name, _ = self.sets.get((chosen or latest or [""])[0], ("", None))
        return WrittenCard(
            title=card.title,
            quantity=quantity,
            type=card.type,
            subtypes=card.subtypes,
            card_id=card.card_id,
            chosen=printing,
            latest=printings[-1].code if printings else "",
            set_name=set_name,
            faction=card.faction,
            influence=influence,
            is_restricted=card.card_id in restricted,
        )

    def newest_set(self, lines: Iterable[WrittenCard | None]) -> str:
        released = dict(self.sets.values())
        names = {line.set_name for line in lines if line}
        dated = [(day, name) for name in names if (day := released.get(name))]
        return max(dated)[1] if dated else ""


def _unread_lines(verdict: DeckVerdict) -> Iterator[str]:
    """Yield the lines that should add a card but do not, including ambiguous identities."""
    identity = deck_lines.listed_identity(verdict.resolved)
    for resolved in verdict.resolved:
        if resolved.fault or (resolved.is_identity and identity is None):
            line = resolved.line
            code = f"[id: {line.printing}]" if line.printing else ""
            name = f"{line.title or line.card_id} {code}".strip()
            if verdict.form is DeckTextFormat.PLAIN_TEXT or not name:
                yield line.text.strip()
            else:
                yield name if line.is_identity else f"{line.quantity} {name}"


# Decks on pages


@dataclass(frozen=True)
class DeckView:
    """Context of `decks/_deck.html`; texts are empty if not applicable."""

    verdict: DeckVerdict
    composition: Composition
    title: str
    # The deck as plain text to copy.
    text: str
    faction: str
    # Influence spent by faction name.
    influence: tuple[tuple[str, int], ...]


def deck_view(verdict: DeckVerdict, title: str = "") -> DeckView:
    """Build the context, including card URLs, in a constant number of queries."""
    cards = {slot.card.id for slot in verdict.slots}
    if verdict.identity:
        cards.add(verdict.identity.id)
    parts = deck_composition(verdict, queries.card_addresses(cards))
    deck = deck_for_export(verdict, title)
    factions = queries.faction_names(verdict.game)
    spent = parts.influence.by_faction if parts.influence else ()
    return DeckView(
        verdict=verdict,
        composition=parts,
        title=deck.name,
        text=writers.write_deck(ExportForm.PLAIN_TEXT, deck),
        faction=factions.get(verdict.identity.faction, "") if verdict.identity else "",
        influence=tuple((factions.get(faction, faction), cost) for faction, cost in spent),
    )
