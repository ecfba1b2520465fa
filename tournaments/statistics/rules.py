"""Charts of statistics, and rates with their uncertainty."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import accumulate
from typing import TypeVar

from core.numbers import Interval, wilson_interval
from core.text import Message, gettext_noop, ngettext_lazy
from matches.scoring.results import GameEnd, Role
from tournaments.statistics.tallies import (
    NOT_PLAYED,
    CutCount,
    EndingCount,
    IdentityCount,
    MatchUpCount,
    OwnGameCount,
    OwnTallies,
    PodSeatCount,
    RoundLengthCount,
    Tallies,
)

# Smaller samples of games, players or rounds have counts but no percentage.
MIN_FOR_RATE = 10
# While an event is played, charts hide identities, factions and cards of fewer players.
MIN_GROUP = 5
# Digits of figures in files and in the API.
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Rate:
    hits: int
    of: int

    @property
    def is_enough(self) -> bool:
        return self.of >= MIN_FOR_RATE

    @property
    def share(self) -> Fraction | None:
        return Fraction(self.hits, self.of) if self.is_enough else None

    @property
    def interval(self) -> Interval | None:
        return wilson_interval(self.hits, self.of) if self.is_enough else None


def format_percent(share: Fraction | float) -> str:
    """Format a share as a whole percentage, halves up: "54 %"."""
    return f"{int(share * 100 + Fraction(1, 2))} %"


# Records of charts: lines with names and exact figures.


CountedKey = TypeVar("CountedKey", str, tuple[str, str])


class ChartKind(StrEnum):
    # Parts of a whole.
    SHARE = "share"
    # Shares of separate samples, each with an interval.
    RATE = "rate"
    AVERAGE = "average"


class ChartSection(StrEnum):
    # In page order.
    PLAYED = "played"
    WINS = "wins"
    MATCH_UPS = "match_ups"
    ENDS = "ends"
    LENGTHS = "lengths"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A line of a chart: `hits` of `of`, or an `average` of `of`."""

    # Names of the data are strings, all others messages.
    name: str | Message
    of: int
    hits: int = 0
    average: Fraction | None = None
    # The opposing name of a match-up, or the winner of games that ended this way.
    against: str | Message = ""
    # The faction of an identity.
    group: str = ""
    side: str = ""

    @property
    def count(self) -> int | None:
        """The hits; None if only the average is meaningful."""
        return None if self.average is not None and not self.hits else self.hits

    @property
    def rate(self) -> Rate:
        return Rate(self.hits, self.of)

    @property
    def rounded_rate(self) -> tuple[float | None, float | None, float | None]:
        """Share and ends of its interval for files and the API; None without a share."""
        share, interval = self.rate.share, self.rate.interval
        if self.count is None or share is None or interval is None:
            return None, None, None
        return round(float(share), DIGITS), round(interval[0], DIGITS), round(interval[1], DIGITS)


@dataclass(frozen=True)
class ChartColumns:
    """Headings of the table, marked for translation."""

    name: str
    hits: str
    of: str
    # "" for charts without this column.
    against: str = ""
    average: str = ""


@dataclass(frozen=True)
class Chart:
    """Lines of the same kind, highest first."""

    # Part of files and of the API.
    id: str
    section: ChartSection
    kind: ChartKind
    title: Message
    about: Message
    columns: ChartColumns
    lines: tuple[ChartRow, ...]


def sort_by_count(counts: Mapping[CountedKey, int]) -> list[tuple[CountedKey, int]]:
    """Sort by count, highest first; ties by name, so that the order is deterministic."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


# Charts of decks: identities and factions of each side, their games, and cards.


@dataclass(frozen=True)
class GroupingTexts:
    """Texts about identities or factions; most have the `side`."""

    column: str
    played_title: str
    played_about: str
    wins_title: str
    match_ups_title: str
    match_ups_about: str
    own_match_ups_title: str
    own_match_ups_about: str
    cut_title: str
    cut_about: str
    own_cut_about: str


IDENTITY_TEXTS = GroupingTexts(
    column=gettext_noop("Identity"),
    played_title=gettext_noop("%(side)s identities"),
    played_about=gettext_noop(
        "Players by %(side)s identity, out of %(players)s with an open identity."
    ),
    wins_title=gettext_noop("Wins by %(side)s identity"),
    match_ups_title=gettext_noop("Identity match-ups"),
    match_ups_about=gettext_noop("Games won by the Corp, by the identity of each side."),
    own_match_ups_title=gettext_noop("%(side)s identity match-ups"),
    own_match_ups_about=gettext_noop("Games won as %(side)s, by the identity of each side."),
    cut_title=gettext_noop("Into the cut by %(side)s identity"),
    cut_about=gettext_noop("Players in the cut by %(side)s identity, at events with a cut."),
    own_cut_about=gettext_noop("Events in the cut by %(side)s identity, at events with a cut."),
)
FACTION_TEXTS = GroupingTexts(
    column=gettext_noop("Faction"),
    played_title=gettext_noop("%(side)s factions"),
    played_about=gettext_noop(
        "Players by %(side)s faction, out of %(players)s with an open identity."
    ),
    wins_title=gettext_noop("Wins by %(side)s faction"),
    match_ups_title=gettext_noop("Faction match-ups"),
    match_ups_about=gettext_noop("Games won by the Corp, by the faction of each side."),
    own_match_ups_title=gettext_noop("%(side)s faction match-ups"),
    own_match_ups_about=gettext_noop("Games won as %(side)s, by the faction of each side."),
    cut_title=gettext_noop("Into the cut by %(side)s faction"),
    cut_about=gettext_noop("Players in the cut by %(side)s faction, at events with a cut."),
    own_cut_about=gettext_noop("Events in the cut by %(side)s faction, at events with a cut."),
)


def _about_side(text: str, side: Role, **values: object) -> Message:
    return Message(text, {"side": Message(side.label), **values})


@dataclass(frozen=True)
class DeckGrouping:
    """Grouping by identity or faction. Hidden identities and unknown factions have no name."""

    tallies: Tallies
    # Part of the ids of charts.
    plural: str
    texts: GroupingTexts

    def name(self, identity: str) -> str:
        return identity if self.is_identity else self.tallies.factions.get(identity, "")

    def group(self, name: str) -> str:
        return self.tallies.factions.get(name, "") if self.is_identity else ""

    @property
    def is_identity(self) -> bool:
        return self.texts is IDENTITY_TEXTS

    def line(self, side: Role, name: str, hits: int, of: int) -> ChartRow:
        return ChartRow(name, of, hits, group=self.group(name), side=side)

    def entries(self, side: Role) -> Iterator[tuple[str, IdentityCount]]:
        """Yield the entries of a side that have a name in this grouping."""
        for entry in self.tallies.entries:
            if entry.side == side and (name := self.name(entry.identity)):
                yield name, entry

    def shown(self, side: Role) -> frozenset[str]:
        """Return the visible names. While an event is played, small groups are hidden."""
        players: Counter[str] = Counter()
        for name, entry in self.entries(side):
            players[name] += entry.players
        small = MIN_GROUP if self.tallies.hides_small else 1
        return frozenset(name for name, count in players.items() if count >= small)


def deck_groupings(tallies: Tallies) -> tuple[DeckGrouping, DeckGrouping]:
    return (
        DeckGrouping(tallies, "identities", IDENTITY_TEXTS),
        DeckGrouping(tallies, "factions", FACTION_TEXTS),
    )


def played_chart(grouping: DeckGrouping, side: Role) -> Chart:
    players: Counter[str] = Counter()
    for name, entry in grouping.entries(side):
        players[name] += entry.players
    total, shown = players.total(), grouping.shown(side)
    return Chart(
        id=f"{side}_{grouping.plural}",
        section=ChartSection.PLAYED,
        kind=ChartKind.SHARE,
        title=_about_side(grouping.texts.played_title, side),
        about=_about_side(grouping.texts.played_about, side, players=total),
        columns=ChartColumns(grouping.texts.column, gettext_noop("Players"), gettext_noop("Of")),
        lines=tuple(
            grouping.line(side, name, count, total)
            for name, count in sort_by_count(players)
            if name in shown
        ),
    )


def cards_chart(tallies: Tallies, side: Role) -> Chart:
    """Count the open decks with each card, and the average copies in such a deck."""
    decks, least = tallies.decks.get(side, 0), MIN_GROUP if tallies.hides_small else 1
    return Chart(
        id=f"{side}_cards",
        section=ChartSection.PLAYED,
        kind=ChartKind.SHARE,
        title=_about_side(gettext_noop("%(side)s cards"), side),
        about=ngettext_lazy(
            "%(side)s decks with each card, out of %(number)s open deck.",
            "%(side)s decks with each card, out of %(number)s open decks.",
            number=decks,
            side=Message(side.label),
        ),
        columns=ChartColumns(
            gettext_noop("Card"),
            gettext_noop("Decks"),
            gettext_noop("Of"),
            average=gettext_noop("Copies per deck"),
        ),
        lines=tuple(
            ChartRow(card.title, decks, card.decks, Fraction(card.copies, card.decks), side=side)
            for card in tallies.cards
            if card.side == side and card.decks >= least
        ),
    )


def wins_chart(grouping: DeckGrouping, side: Role) -> Chart:
    won, games = _wins_and_games(grouping, side, grouping.tallies.meetings)
    return Chart(
        id=f"{side}_{grouping.plural}_wins",
        section=ChartSection.WINS,
        kind=ChartKind.RATE,
        title=_about_side(grouping.texts.wins_title, side),
        about=_about_side(
            gettext_noop("Games won as %(side)s, out of all played games with a winner."), side
        ),
        columns=ChartColumns(grouping.texts.column, gettext_noop("Won"), gettext_noop("Games")),
        lines=_rate_rows(grouping, side, won, games),
    )


def _rate_rows(
    grouping: DeckGrouping, side: Role, parts: Counter[str], wholes: Counter[str]
) -> tuple[ChartRow, ...]:
    shown = grouping.shown(side)
    return tuple(
        grouping.line(side, name, parts[name], count)
        for name, count in sort_by_count(wholes)
        if name in shown
    )


def _wins_and_games(
    grouping: DeckGrouping, side: Role, meetings: Sequence[MatchUpCount]
) -> tuple[Counter[str], Counter[str]]:
    won: Counter[str] = Counter()
    games: Counter[str] = Counter()
    for match_up in meetings:
        if name := grouping.name(match_up.corp if side is Role.CORP else match_up.runner):
            games[name] += match_up.games
            won[name] += match_up.games if match_up.winner is side else 0
    return won, games


def match_ups_chart(grouping: DeckGrouping) -> Chart:
    corps, runners = grouping.shown(Role.CORP), grouping.shown(Role.RUNNER)
    return Chart(
        id=f"{grouping.plural}_match_ups",
        section=ChartSection.MATCH_UPS,
        kind=ChartKind.RATE,
        title=Message(grouping.texts.match_ups_title),
        about=Message(grouping.texts.match_ups_about),
        columns=ChartColumns(
            Role.CORP.label,
            gettext_noop("Corp won"),
            gettext_noop("Games"),
            against=Role.RUNNER.label,
        ),
        lines=tuple(
            line
            for line in match_up_rows(grouping, Role.CORP)
            if line.name in corps and line.against in runners
        ),
    )


def match_up_rows(grouping: DeckGrouping, side: Role) -> Iterator[ChartRow]:
    """Yield the side's win rates by both names, most frequent first; unnamed pairs are left out."""
    won: Counter[tuple[str, str]] = Counter()
    games: Counter[tuple[str, str]] = Counter()
    for match_up in grouping.tallies.meetings:
        both = grouping.name(match_up.corp), grouping.name(match_up.runner)
        pair = both if side is Role.CORP else both[::-1]
        games[pair] += match_up.games
        won[pair] += match_up.games if match_up.winner is side else 0
    for pair, count in sort_by_count(games):
        if all(pair):
            yield ChartRow(pair[0], count, won[pair], against=pair[1], side=side)


def conversion_chart(grouping: DeckGrouping, side: Role) -> Chart:
    players: Counter[str] = Counter()
    in_cut: Counter[str] = Counter()
    for name, entry in grouping.entries(side):
        if entry.had_cut:
            players[name] += entry.players
            in_cut[name] += entry.players if entry.made_cut else 0
    return Chart(
        id=f"{side}_{grouping.plural}_cut",
        section=ChartSection.CUT,
        kind=ChartKind.RATE,
        title=_about_side(grouping.texts.cut_title, side),
        about=_about_side(grouping.texts.cut_about, side),
        columns=ChartColumns(
            grouping.texts.column, gettext_noop("In the cut"), gettext_noop("Players")
        ),
        lines=_rate_rows(grouping, side, in_cut, players),
    )


# Charts of games, rounds and cuts that need no decks.


# Bin size of round lengths in minutes.
BIN_MINUTES = 10
SeatKey = TypeVar("SeatKey", str, int)
SeatGroups = Sequence[tuple[str | Message, Sequence[PodSeatCount]]]
# The end of a game, the winner as a text to translate, and the winner's side ("" for none).
EndingKey = tuple[GameEnd, str, str]


def sides_chart(endings: Iterable[EndingCount]) -> Chart:
    won: Counter[Role] = Counter()
    for ending in endings:
        if ending.winner is not None and ending.end not in NOT_PLAYED:
            won[ending.winner] += ending.games
    total = won.total()
    return Chart(
        id="sides",
        section=ChartSection.WINS,
        kind=ChartKind.RATE,
        title=Message(gettext_noop("Corp and Runner")),
        about=Message(
            gettext_noop("Games won by each side, out of all played games with a winner.")
        ),
        columns=ChartColumns(gettext_noop("Side"), gettext_noop("Won"), gettext_noop("Games")),
        lines=tuple(
            ChartRow(Message(side.label), total, won[side], side=side) for side in Role if total
        ),
    )


def endings_chart(endings: Iterable[EndingCount]) -> Chart:
    counts: Counter[EndingKey] = Counter()
    for ending in endings:
        winner = ending.winner.label if ending.winner else gettext_noop("Nobody")
        counts[ending.end, winner, ending.winner or ""] += ending.games
    return chart_of_endings("ends", counts)


def chart_of_endings(id_: str, counts: Mapping[EndingKey, int]) -> Chart:
    """Return the chart of these counts: end of the game, winner in words, side of the winner."""
    known = {way: count for way, count in counts.items() if way[0] is not GameEnd.NOT_RECORDED}
    total = sum(known.values())
    unknown = sum(counts.values()) - total
    about = ngettext_lazy(
        "The ending of %(number)s game, by winner.",
        "The endings of %(number)s games, by winner.",
        number=total,
    )
    if unknown:
        about = ngettext_lazy(
            "The ending of %(number)s game, by winner. Not recorded: %(unknown)s more.",
            "The endings of %(number)s games, by winner. Not recorded: %(unknown)s more.",
            number=total,
            unknown=unknown,
        )
    ordered = sorted(known, key=lambda way: (-known[way], way[0].label, *way[1:]))
    return Chart(
        id=id_,
        section=ChartSection.ENDS,
        kind=ChartKind.SHARE,
        title=Message(gettext_noop("How games ended")),
        about=about,
        columns=ChartColumns(
            gettext_noop("End"),
            gettext_noop("Games"),
            gettext_noop("Of"),
            against=gettext_noop("Won by"),
        ),
        lines=tuple(
            ChartRow(Message(way[0].label), total, known[way], against=Message(way[1]), side=way[2])
            for way in ordered
        ),
    )


def round_lengths_chart(rounds: Iterable[RoundLengthCount]) -> Chart:
    """Return the average length of rounds by number."""
    every: Counter[int] = Counter()
    by_number: dict[int, Counter[int]] = defaultdict(Counter)
    for length in rounds:
        every[length.minutes] += length.rounds
        by_number[length.number][length.minutes] += length.rounds
    about = Message(
        gettext_noop("Minutes from the start of the clock to the last result, without pauses.")
    )
    if every:
        about = Message(
            gettext_noop(
                "Minutes from the start of the clock to the last result, without pauses. Half of "
                "all rounds took %(median)s or less."
            ),
            {"median": f"{_median(every):g}"},
        )
    return Chart(
        id="rounds",
        section=ChartSection.LENGTHS,
        kind=ChartKind.AVERAGE,
        title=Message(gettext_noop("Length of rounds")),
        about=about,
        columns=ChartColumns(
            gettext_noop("Round"), "", gettext_noop("Rounds"), average=gettext_noop("Minutes")
        ),
        lines=tuple(
            ChartRow(
                Message(gettext_noop("Round %(number)s"), {"number": number}),
                minutes.total(),
                average=_mean(minutes),
            )
            for number, minutes in sorted(by_number.items())
        ),
    )


def _mean(counts: Counter[int]) -> Fraction:
    return Fraction(sum(value * count for value, count in counts.items()), counts.total())


def _median(counts: Counter[int]) -> float:
    """Return the median of counted values without expanding the list."""
    values = sorted(counts)
    ends = list(accumulate(counts[value] for value in values))
    low, high = (counts.total() - 1) // 2, counts.total() // 2
    return (values[bisect_right(ends, low)] + values[bisect_right(ends, high)]) / 2


def round_lengths_histogram(rounds: Iterable[RoundLengthCount]) -> Chart:
    """Return the histogram of round lengths in ten-minute bins; empty for too few rounds."""
    bins: Counter[int] = Counter()
    for length in rounds:
        bins[length.minutes // BIN_MINUTES] += length.rounds
    total = bins.total()
    steps = range(min(bins), max(bins) + 1) if total >= MIN_FOR_RATE else ()
    return Chart(
        id="round_minutes",
        section=ChartSection.LENGTHS,
        kind=ChartKind.SHARE,
        title=Message(gettext_noop("Rounds by length")),
        about=ngettext_lazy(
            "Length of %(number)s round.", "Lengths of %(number)s rounds.", number=total
        ),
        columns=ChartColumns(gettext_noop("Minutes"), gettext_noop("Rounds"), gettext_noop("Of")),
        lines=tuple(
            ChartRow(
                Message(
                    gettext_noop("%(first)s to %(last)s"),
                    {"first": step * BIN_MINUTES, "last": (step + 1) * BIN_MINUTES - 1},
                ),
                total,
                bins[step],
            )
            for step in steps
        ),
    )


def cut_chart(cut: CutCount) -> Chart:
    return Chart(
        id="cut",
        section=ChartSection.CUT,
        kind=ChartKind.RATE,
        title=Message(gettext_noop("Into the cut")),
        about=Message(gettext_noop("Players in the cut, out of all players at events with a cut.")),
        columns=ChartColumns(
            gettext_noop("Group"), gettext_noop("In the cut"), gettext_noop("Players")
        ),
        lines=(
            (ChartRow(Message(gettext_noop("All players")), cut.players, cut.in_cut),)
            if cut.in_cut
            else ()
        ),
    )


# Texts about the factions and the seats of pods: column, first places, about them, and points.
POD_TEXTS = {
    "faction": (
        gettext_noop("Faction"),
        gettext_noop("First places by faction"),
        gettext_noop(
            "Tables where this faction had the most victory points; a shared first place counts "
            "for each player."
        ),
        gettext_noop("Points by faction"),
    ),
    "seat": (
        gettext_noop("Seat"),
        gettext_noop("First places by seat"),
        gettext_noop(
            "Tables where this seat had the most victory points; a shared first place counts for "
            "each player."
        ),
        gettext_noop("Points by seat"),
    ),
}


def pod_charts(tallies: Tallies) -> Iterator[Chart]:
    names, known = tallies.factions, [seat for seat in tallies.sittings if seat.faction]
    factions = _group_seats(known, lambda seat: names.get(seat.faction, seat.faction))
    least = MIN_GROUP if tallies.hides_small else 1
    shown = {name: rows for name, rows in factions.items() if _seat_total(rows) >= least}
    most_first = dict(sorted(shown.items(), key=lambda item: (-_seat_total(item[1]), item[0])))
    by_seat = sorted(tallies.sittings, key=lambda seat: seat.position)
    seats = _group_seats(by_seat, lambda seat: seat.position)
    total = _seat_total(known)
    yield Chart(
        id="factions",
        section=ChartSection.PLAYED,
        kind=ChartKind.SHARE,
        title=Message(gettext_noop("Factions")),
        about=ngettext_lazy(
            "How often each faction was played, out of %(number)s seat with a known faction.",
            "How often each faction was played, out of %(number)s seats with a known faction.",
            number=total,
        ),
        columns=ChartColumns(gettext_noop("Faction"), gettext_noop("Seats"), gettext_noop("Of")),
        lines=tuple(ChartRow(name, total, _seat_total(rows)) for name, rows in most_first.items()),
    )
    by_faction = [*most_first.items()]
    by_position = [
        (Message(gettext_noop("Seat %(number)s"), {"number": position}), rows)
        for position, rows in seats.items()
    ]
    yield _first_places_chart("faction", by_faction)
    yield _points_chart("faction", by_faction)
    yield _first_places_chart("seat", by_position)
    yield _points_chart("seat", by_position)


def _group_seats(
    sittings: Iterable[PodSeatCount], get_key: Callable[[PodSeatCount], SeatKey]
) -> dict[SeatKey, list[PodSeatCount]]:
    groups: dict[SeatKey, list[PodSeatCount]] = defaultdict(list)
    for seat in sittings:
        groups[get_key(seat)].append(seat)
    return groups


def _seat_total(sittings: Iterable[PodSeatCount]) -> int:
    return sum(seat.seats for seat in sittings)


def _first_places_chart(what: str, groups: SeatGroups) -> Chart:
    column, title, about, _ = POD_TEXTS[what]
    return Chart(
        id=f"{what}_first_places",
        section=ChartSection.WINS,
        kind=ChartKind.RATE,
        title=Message(title),
        about=Message(about),
        columns=ChartColumns(column, gettext_noop("First"), gettext_noop("Tables")),
        lines=tuple(
            ChartRow(name, _seat_total(rows), _seat_total(seat for seat in rows if seat.was_first))
            for name, rows in groups
        ),
    )


def _points_chart(what: str, groups: SeatGroups) -> Chart:
    column, _, _, title = POD_TEXTS[what]
    return Chart(
        id=f"{what}_points",
        section=ChartSection.WINS,
        kind=ChartKind.AVERAGE,
        title=Message(title),
        about=Message(gettext_noop("Average match points per table.")),
        columns=ChartColumns(column, "", gettext_noop("Tables"), average=gettext_noop("Points")),
        lines=tuple(
            ChartRow(
                name,
                _seat_total(rows),
                average=sum((row.points for row in rows), Fraction(0)) / _seat_total(rows),
            )
            for name, rows in groups
        ),
    )


# Charts of a player: sides, identities, match-ups, ends and cuts.


def charts_of_player(tallies: OwnTallies) -> tuple[Chart, ...]:
    """Return the charts that have lines, in page order."""
    by_side = [(side, _tallies_of_side(tallies, side)) for side in Role]
    groupings = [(grouping, side) for side, own in by_side for grouping in deck_groupings(own)]
    charts = (
        _own_sides_chart([(side, own.meetings) for side, own in by_side]),
        *(wins_chart(*pair) for pair in groupings),
        *(_own_match_ups_chart(*pair) for pair in groupings),
        _own_endings_chart(tallies.games),
        own_cut_chart(tallies.cut),
        *_own_conversion_charts(tallies),
    )
    return tuple(chart for chart in charts if chart.lines)


def _tallies_of_side(tallies: OwnTallies, side: Role) -> Tallies:
    """Return the played games on a side that have a winner."""
    played = [(game.identity, game.meeting) for game in tallies.games if game.side is side]
    meetings = [meeting for _, meeting in played if meeting is not None]
    # Charts show identities with an entry, so add an entry for each identity played.
    names = sorted({identity for identity, meeting in played if identity and meeting})
    entries = [IdentityCount(side, name, False, False, 1) for name in names]
    return Tallies(meetings=meetings, entries=entries, factions=tallies.factions)


def _own_sides_chart(meetings: list[tuple[Role, Sequence[MatchUpCount]]]) -> Chart:
    lines = (
        ChartRow(
            Message(side.label),
            sum(match_up.games for match_up in match_ups),
            sum(match_up.games for match_up in match_ups if match_up.winner is side),
            side=side,
        )
        for side, match_ups in meetings
    )
    return Chart(
        id="own_sides",
        section=ChartSection.WINS,
        kind=ChartKind.RATE,
        title=Message(gettext_noop("As Corp and as Runner")),
        about=Message(
            gettext_noop("Games won on each side, out of all played games with a winner.")
        ),
        columns=ChartColumns(gettext_noop("Side"), gettext_noop("Won"), gettext_noop("Games")),
        lines=tuple(line for line in lines if line.of),
    )


def _own_match_ups_chart(grouping: DeckGrouping, side: Role) -> Chart:
    return Chart(
        id=f"{side}_{grouping.plural}_match_ups",
        section=ChartSection.MATCH_UPS,
        kind=ChartKind.RATE,
        title=_about_side(grouping.texts.own_match_ups_title, side),
        about=_about_side(grouping.texts.own_match_ups_about, side),
        columns=ChartColumns(
            side.label,
            gettext_noop("Won"),
            gettext_noop("Games"),
            against=gettext_noop("Against"),
        ),
        lines=tuple(match_up_rows(grouping, side)),
    )


def _own_endings_chart(played: Sequence[OwnGameCount]) -> Chart:
    counts: Counter[EndingKey] = Counter()
    for game in played:
        winners = {
            None: gettext_noop("Nobody"),
            game.side: gettext_noop("This player"),
            game.side.other: gettext_noop("Opponent"),
        }
        counts[game.end, winners[game.winner], ""] += game.games
    return chart_of_endings("own_ends", counts)


def own_cut_chart(cut: CutCount) -> Chart:
    return Chart(
        id="own_cut",
        section=ChartSection.CUT,
        kind=ChartKind.RATE,
        title=Message(gettext_noop("Into the cut")),
        about=Message(
            gettext_noop("Events where this player made the cut, out of all events with a cut.")
        ),
        columns=ChartColumns(
            gettext_noop("Group"), gettext_noop("In the cut"), gettext_noop("Events")
        ),
        lines=(
            (ChartRow(Message(gettext_noop("All events")), cut.players, cut.in_cut),)
            if cut.players
            else ()
        ),
    )


def _own_conversion_charts(tallies: OwnTallies) -> Iterator[Chart]:
    entered = Tallies(entries=tallies.entries, factions=tallies.factions)
    for side in Role:
        for grouping in deck_groupings(entered):
            chart = conversion_chart(grouping, side)
            about = _about_side(grouping.texts.own_cut_about, side)
            columns = replace(chart.columns, of=gettext_noop("Events"))
            yield replace(chart, about=about, columns=columns)


# All charts of a set of events, in page order.


def charts_of(tallies: Tallies) -> tuple[Chart, ...]:
    sections = list(ChartSection)
    charts = (chart for chart in _all_charts(tallies) if chart.lines)
    return tuple(sorted(charts, key=lambda chart: sections.index(chart.section)))


def _all_charts(tallies: Tallies) -> Iterator[Chart]:
    both = deck_groupings(tallies)
    every = [(grouping, side) for grouping in both for side in Role]
    yield from (played_chart(*pair) for pair in every)
    yield from (cards_chart(tallies, side) for side in Role)
    yield sides_chart(tallies.endings)
    yield from (wins_chart(*pair) for pair in every)
    yield from pod_charts(tallies)
    yield from (match_ups_chart(grouping) for grouping in reversed(both))
    yield endings_chart(tallies.endings)
    yield round_lengths_chart(tallies.rounds)
    yield round_lengths_histogram(tallies.rounds)
    yield cut_chart(tallies.cut)
    yield from (conversion_chart(*pair) for pair in every)
