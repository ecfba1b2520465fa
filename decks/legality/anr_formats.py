"""Formats of Android: Netrunner: card pools, ban lists, and their changes over time."""

import datetime
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import dropwhile, groupby, pairwise, takewhile

from decks.legality import anr_construction
from decks.legality.anr_construction import AnrDeck
from decks.legality.check_texts import CheckText, check_text
from decks.legality.records import (
    Breach,
    CardFacts,
    FormatFacts,
    PoolFacts,
    RestrictionFacts,
    SnapshotFacts,
)
from decks.legality.verdicts import DeckNotice, LegalSpan

ONE_BOX_FORMAT = "system_gateway"
# DECK_RULES 10: legal only in the System Gateway format, although the set is in many pools.
TEACHING_IDENTITIES = frozenset(
    {"the_catalyst_convention_breaker", "the_syndicate_profit_over_principle"}
)


def pool_breaches(deck: AnrDeck, snapshot: SnapshotFacts) -> Iterator[Breach]:
    """Check every title, including the identity, against the pool and the size of its box."""
    for copies in deck.titles():
        card = copies.card
        if is_card_allowed(card, snapshot):
            continue
        problem = check_text("not_in_pool", card=card.title, pool=snapshot.pool.name)
        rule = pool_rule("pool_rule", snapshot)
        if is_card_in_pool(card, snapshot.pool):
            problem = check_text("teaching_identity", card=card.title)
            rule = pool_rule("teaching_rule", snapshot)
        remedy = check_text("take_out_or_other_format", copies=copies.quantity)
        if card.is_identity:
            remedy = check_text("choose_identity_of_pool")
        yield Breach("not_in_pool", (problem,), (remedy,), rule, copies.line, card.title)
    if snapshot.format_id != ONE_BOX_FORMAT:
        return
    for card, copies in deck.copies.items():
        sets = snapshot.pool.set_ids
        in_the_box = sum(item.quantity for item in card.printings if item.set_id in sets)
        # A card with no copy in the box is already reported as outside the pool.
        if 0 < in_the_box < copies.quantity:
            problem = check_text(
                "too_many_for_the_box", copies=copies.quantity, card=card.title, limit=in_the_box
            )
            remedy = check_text("take_out_some", number=copies.quantity - in_the_box)
            rule = pool_rule("box_rule", snapshot)
            yield Breach(
                "too_many_for_the_box", (problem,), (remedy,), rule, copies.line, card.title
            )


def is_card_in_pool(card: CardFacts, pool: PoolFacts) -> bool:
    """Any printing in a set of the pool is enough, so reprints count."""
    return any(printing.set_id in pool.set_ids for printing in card.printings)


def is_card_allowed(card: CardFacts, snapshot: SnapshotFacts) -> bool:
    """Teaching identities belong to one format only."""
    if card.card_id in TEACHING_IDENTITIES and snapshot.format_id != ONE_BOX_FORMAT:
        return False
    return is_card_in_pool(card, snapshot.pool)


def pool_rule(code: str, snapshot: SnapshotFacts) -> CheckText:
    return check_text(code, pool=snapshot.pool.name, day=snapshot.effective_from.isoformat())


# Ban lists


MAX_RESTRICTED_TITLES = 1


def ban_list_breaches(deck: AnrDeck, restriction: RestrictionFacts | None) -> Iterator[Breach]:
    """Yield banned titles and subtypes, multiple restricted titles, and excess points.

    The identity counts like every title. Source: "How lists work" of DECK_RULES.
    """
    if restriction is None:
        return
    for copies in deck.titles():
        card = copies.card
        # Report one ban per title: a ban by name takes precedence over a banned subtype.
        if card.card_id in restriction.banned:
            code = "banned_card"
            problem = check_text("banned_by_list", card=card.title, restriction=restriction.name)
        elif subtype := banned_subtype(card, restriction):
            code = "banned_subtype"
            problem = check_text("banned_subtype", card=card.title, subtype=subtype)
        else:
            continue
        remedy = check_text("take_out", copies=copies.quantity)
        if card.is_identity:
            remedy = check_text("choose_other_identity")
        rule = ban_list_rule("ban_list_rule", restriction)
        yield Breach(code, (problem,), (remedy,), rule, copies.line, card.title)
    yield from _restricted_breach(deck, restriction)
    yield from _points_breach(deck, restriction)


def banned_subtype(card: CardFacts, restriction: RestrictionFacts) -> str | None:
    """Return the first subtype of the card, in alphabetical order, that the list bans entirely."""
    if not restriction.banned_subtypes:
        return None
    banned = sorted(restriction.banned_subtypes)
    return next((subtype for subtype in banned if card.has_subtype(subtype)), None)


def is_banned(card: CardFacts, restriction: RestrictionFacts | None) -> bool:
    """Cards are banned by title or by a subtype."""
    if restriction is None:
        return False
    return card.card_id in restriction.banned or banned_subtype(card, restriction) is not None


def points_by_title(deck: AnrDeck, restriction: RestrictionFacts) -> Mapping[CardFacts, int]:
    """Return the points of each title, independent of the number of copies."""
    return {
        copies.card: restriction.points[copies.card.card_id]
        for copies in deck.titles()
        if copies.card.card_id in restriction.points
    }


def ban_list_rule(code: str, restriction: RestrictionFacts) -> CheckText:
    day = restriction.effective_from.isoformat()
    return check_text(code, restriction=restriction.name, day=day)


def _restricted_breach(deck: AnrDeck, restriction: RestrictionFacts) -> Iterator[Breach]:
    titles = [item for item in deck.titles() if item.card.card_id in restriction.restricted]
    if len(titles) <= MAX_RESTRICTED_TITLES:
        return
    titles.sort(key=lambda item: item.card.title_key)
    title_lines = [[item.card.title, item.line] for item in titles]
    yield Breach(
        "restricted",
        (check_text("restricted", number=len(titles), title_lines=title_lines),),
        (check_text("keep_one_title"),),
        ban_list_rule("ban_list_rule", restriction),
        concerns=tuple(item.card.title for item in titles),
    )


def _points_breach(deck: AnrDeck, restriction: RestrictionFacts) -> Iterator[Breach]:
    costs = points_by_title(deck, restriction)
    total, limit = sum(costs.values()), restriction.point_limit
    if limit is None or total <= limit:
        return
    dearest_first = sorted(costs.items(), key=lambda item: (-item[1], item[0].title_key))
    title_points = [[card.title, points] for card, points in dearest_first]
    yield Breach(
        "points",
        (check_text("points", points=total, title_points=title_points, limit=limit),),
        (check_text("take_out_titles", points=total - limit),),
        ban_list_rule("ban_list_rule", restriction),
        concerns=tuple(card.title for card, _ in dearest_first),
    )


# The Startup rule on big agendas, which card lists cannot express


STARTUP_FORMAT = "startup"
BIG_AGENDA_RULE_SINCE = datetime.date(2026, 5, 1)
BIG_AGENDA_POINTS = 3
MAX_BIG_AGENDAS = 4


def big_agenda_breaches(deck: AnrDeck, snapshot: SnapshotFacts) -> Iterator[Breach]:
    """Check for more than four agendas worth 3 or more points, since list 26.05 (DECK_RULES 12).

    The rule counts cards, so every copy counts: two titles with two copies each are four.
    """
    restriction = snapshot.restriction
    if snapshot.format_id != STARTUP_FORMAT or restriction is None:
        return
    if restriction.effective_from < BIG_AGENDA_RULE_SINCE:
        return
    agendas = deck.of_type("agenda")
    big = [item for item in agendas if item.card.agenda_points >= BIG_AGENDA_POINTS]
    count = sum(item.quantity for item in big)
    if count <= MAX_BIG_AGENDAS:
        return
    big.sort(key=lambda item: item.card.title_key)
    problem = check_text(
        "big_agendas",
        number=count,
        worth=BIG_AGENDA_POINTS,
        title_copies=[[item.card.title, item.quantity] for item in big],
        limit=MAX_BIG_AGENDAS,
    )
    yield Breach(
        "big_agendas",
        (problem,),
        (check_text("take_out_big_agendas", number=count - MAX_BIG_AGENDAS),),
        ban_list_rule("big_agendas_rule", restriction),
        concerns=tuple(item.card.title for item in big),
    )


# All rules


def snapshot_breaches(deck: AnrDeck, snapshot: SnapshotFacts) -> Iterator[Breach]:
    """Yield all breaches of the snapshot except influence charges."""
    yield from pool_breaches(deck, snapshot)
    yield from ban_list_breaches(deck, snapshot.restriction)
    yield from big_agenda_breaches(deck, snapshot)


def is_deck_allowed(deck: AnrDeck, snapshot: SnapshotFacts) -> bool:
    """Return True if pool and ban list allow the deck, including influence under that list."""
    if anr_construction.influence_excess(deck, snapshot.restriction) > 0:
        return False
    return next(snapshot_breaches(deck, snapshot), None) is None


def anr_breaches(deck: AnrDeck, snapshot: SnapshotFacts | None = None) -> Iterator[Breach]:
    """Yield all breaches of a deck; without a snapshot only the basic rules apply."""
    restriction = snapshot.restriction if snapshot else None
    yield from anr_construction.construction_breaches(deck)
    yield from anr_construction.agenda_breaches(deck)
    yield from anr_construction.influence_breaches(deck, restriction)
    if snapshot:
        yield from snapshot_breaches(deck, snapshot)


# Notices of changes between today and the day of the event


NO_BAN_LIST = RestrictionFacts("", "no list", datetime.date.min)


def deck_notices(
    deck: AnrDeck, format_: FormatFacts, *, today: datetime.date, date: datetime.date
) -> Iterator[DeckNotice]:
    """Yield notices for ban lists and pools that take effect after today and by `date`.

    Each affected card of the deck is named. A final notice is added if the verdict on the day of
    the event differs from today's. Changes after the event are ignored.
    """
    for before, after in pairwise(format_.timeline):
        if today < after.effective_from <= date:
            for copies in deck.titles():
                yield from _card_notices(copies.card, before, after, date)
    current, coming = format_.on(today), format_.on(date)
    if today >= date or current is None or coming is None or current is coming:
        return
    is_legal = is_deck_allowed(deck, current)
    if is_legal != is_deck_allowed(deck, coming):
        change = check_text(
            "will_be_illegal" if is_legal else "will_be_legal",
            format=format_.name,
            today=today.isoformat(),
            day=date.isoformat(),
        )
        yield DeckNotice("verdict_changes", (change,))


def _card_notices(
    card: CardFacts, before: SnapshotFacts, after: SnapshotFacts, date: datetime.date
) -> Iterator[DeckNotice]:
    list_changes = list(
        _list_changes(card, before.restriction or NO_BAN_LIST, after.restriction or NO_BAN_LIST)
    )
    pool_changes = []
    if is_card_allowed(card, before) != (is_in_pool := is_card_allowed(card, after)):
        code = "will_be_in_pool" if is_in_pool else "will_not_be_in_pool"
        pool_changes = [check_text(code, card=card.title)]
    list_cause, names = "no_list_takes_effect", {"pool": after.pool.name}
    if after.restriction:
        list_cause, names["restriction"] = "list_takes_effect", after.restriction.name
    days = {"day": after.effective_from.isoformat(), "event_day": date.isoformat()}
    ending = "_on_event_day" if after.effective_from == date else ""
    for cause, changes in ((list_cause, list_changes), ("pool_takes_effect", pool_changes)):
        if changes:
            yield DeckNotice(
                "list_takes_effect",
                tuple(changes),
                card.title,
                check_text(f"{cause}{ending}", **names, **days),
            )


def _list_changes(
    card: CardFacts, before: RestrictionFacts, after: RestrictionFacts
) -> Iterator[CheckText]:
    """Describe the changes for the card from one list to the next."""
    was, is_ = is_banned(card, before), is_banned(card, after)
    if was != is_:
        yield check_text("will_be_banned" if is_ else "will_not_be_banned", card=card.title)
    was, is_ = card.card_id in before.restricted, card.card_id in after.restricted
    if was != is_:
        code = "will_be_restricted" if is_ else "will_not_be_restricted"
        yield check_text(code, card=card.title)
    for code, old_values, new_values in (
        ("will_cost_points", before.points, after.points),
        ("will_cost_influence", before.universal_influence, after.universal_influence),
        ("will_lower_limit", before.global_penalty, after.global_penalty),
    ):
        old, new = old_values.get(card.card_id, 0), new_values.get(card.card_id, 0)
        if old != new:
            yield check_text(code, card=card.title, before=old, after=new)


# Periods


ONE_DAY = datetime.timedelta(days=1)


def legal_span(deck: AnrDeck, format_: FormatFacts, date: datetime.date) -> LegalSpan | None:
    """Return the days around `date` on which lists and pools of the format allow the deck.

    `first` is the start of the run of legal snapshots. `last` is the day before the first later
    snapshot that breaks the deck, or None if there is none. Returns None if the deck is not legal
    on `date`. The construction rules are not checked, because they are the same on every day.
    """
    # Calculate influence once for all lists that do not change it.
    fits_printed = anr_construction.influence_excess(deck) <= 0

    def allows(snapshot: SnapshotFacts) -> bool:
        if snapshot.restriction and snapshot.restriction.changes_influence:
            return is_deck_allowed(deck, snapshot)
        return fits_printed and next(snapshot_breaches(deck, snapshot), None) is None

    started = [item for item in format_.timeline if item.effective_from <= date]
    coming = format_.timeline[len(started) :]
    legal = list(takewhile(allows, reversed(started)))
    if not legal:
        return None
    end = next((snapshot for snapshot in coming if not allows(snapshot)), None)
    return LegalSpan(legal[-1].effective_from, end.effective_from - ONE_DAY if end else None)


@dataclass(frozen=True)
class CardStatus:
    in_pool: bool
    banned: bool = False
    # Restrictions, and charges per copy, as (code, figure or None).
    notes: tuple[tuple[str, int | None], ...] = ()

    @property
    def is_legal(self) -> bool:
        return self.in_pool and not self.banned

    @property
    def status(self) -> str:
        """Status as a single word: legal, restricted, banned or outside."""
        if not self.in_pool:
            return "outside"
        if self.banned:
            return "banned"
        return "restricted" if self.notes else "legal"


@dataclass(frozen=True)
class StatusPeriod:
    """Period in which the status of a card in a format did not change."""

    format_id: str
    format_name: str
    first: datetime.date
    # None if no end is known.
    last: datetime.date | None
    card_status: CardStatus
    # Names of the ban lists and card pools in force, earliest first.
    lists: tuple[str, ...] = ()
    pools: tuple[str, ...] = ()

    @property
    def by(self) -> tuple[str, ...]:
        """Names of the first and last list or pool responsible for the status; empty if legal."""
        names = self.pools
        if self.card_status.in_pool:
            names = () if self.card_status.status == "legal" else self.lists
        return names if len(names) < 2 else (names[0], names[-1])

    def holds_on(self, date: datetime.date) -> bool:
        return self.first <= date and (self.last is None or date <= self.last)


@dataclass(frozen=True)
class FormatStanding:
    """Status of a card in a format on a day."""

    format_id: str
    format_name: str
    # None before the first pool of the format.
    period: StatusPeriod | None
    # The next known change.
    next: StatusPeriod | None = None
    history: tuple[StatusPeriod, ...] = ()

    @property
    def card_status(self) -> CardStatus:
        return self.period.card_status if self.period else CardStatus(in_pool=False)


def card_status(card: CardFacts, snapshot: SnapshotFacts) -> CardStatus:
    if not is_card_allowed(card, snapshot):
        return CardStatus(in_pool=False)
    if is_banned(card, snapshot.restriction):
        return CardStatus(in_pool=True, banned=True)
    notes = _restriction_notes(card, snapshot.restriction) if snapshot.restriction else ()
    return CardStatus(in_pool=True, notes=tuple(notes))


def status_periods(
    card: CardFacts, format_: FormatFacts, released: datetime.date | None = None
) -> tuple[StatusPeriod, ...]:
    """Return the history of the card in the format, from its first day in a pool.

    The first pools list sets that came out later. `released`, the date of the card's first
    printing, cuts off earlier days.
    """
    runs = [
        (status, list(run))
        for status, run in groupby(format_.timeline, key=partial(card_status, card))
    ]
    ends: list[datetime.date | None] = [
        following[0].effective_from - ONE_DAY for _, (_, following) in pairwise(runs)
    ]
    periods = []
    for (status, run), last in zip(runs, [*ends, None], strict=False):
        first = run[0].effective_from
        if released and last and last < released:
            continue
        lists = (snapshot.restriction.name for snapshot in run if snapshot.restriction)
        periods.append(
            StatusPeriod(
                format_.id,
                format_.name,
                max(first, released) if released else first,
                last,
                status,
                tuple(dict.fromkeys(lists)),
                tuple(dict.fromkeys(snapshot.pool.name for snapshot in run)),
            )
        )
    return tuple(dropwhile(lambda period: not period.card_status.in_pool, periods))


def format_standings(
    card: CardFacts,
    formats: Iterable[FormatFacts],
    date: datetime.date,
    released: datetime.date | None = None,
) -> tuple[FormatStanding, ...]:
    """Return the status of the card in each format on the day, with the next known change."""
    standings = []
    for format_ in formats:
        history = status_periods(card, format_, released)
        current = next((period for period in history if period.holds_on(date)), None)
        coming = next((period for period in history if period.first > date), None)
        standings.append(FormatStanding(format_.id, format_.name, current, coming, history))
    return tuple(standings)


def is_card_legal(card: CardFacts, format_: FormatFacts, date: datetime.date) -> bool:
    snapshot = format_.on(date)
    return snapshot is not None and card_status(card, snapshot).is_legal


def _restriction_notes(
    card: CardFacts, restriction: RestrictionFacts
) -> Iterator[tuple[str, int | None]]:
    name = card.card_id
    if name in restriction.restricted:
        yield "restricted", None
    if points := restriction.points.get(name):
        yield "points", points
    if more := restriction.universal_influence.get(name):
        yield "universal_influence", more
    if less := restriction.global_penalty.get(name):
        yield "global_penalty", less
