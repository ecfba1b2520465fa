"""Charts of decks: identities and factions of each side, their games, and cards."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from matches.scoring import Role
from tournaments.statistics.rules.charts import Chart, Columns, Kind, Line, Section, most_first
from tournaments.statistics.rules.rates import LEAST_GROUP
from tournaments.statistics.rules.tallies import Entry, Meeting, Tallies


@dataclass(frozen=True)
class Grouping:
    """Grouping by identity or faction. Hidden identities and unknown factions have no name."""

    tallies: Tallies
    what: str
    one: str

    def name(self, identity: str) -> str:
        """Return the name under which an identity is counted."""
        return identity if self.is_identity else self.tallies.factions.get(identity, "")

    def group(self, name: str) -> str:
        return self.tallies.factions.get(name, "") if self.is_identity else ""

    @property
    def is_identity(self) -> bool:
        return self.what == "identities"

    def line(self, side: Role, name: str, hits: int, of: int) -> Line:
        return Line(name, of, hits, group=self.group(name), side=side)

    def entries(self, side: Role) -> Iterator[tuple[str, Entry]]:
        """Yield the entries of a side that have a name in this grouping."""
        for entry in self.tallies.entries:
            if entry.side == side and (name := self.name(entry.identity)):
                yield name, entry

    def shown(self, side: Role) -> frozenset[str]:
        """Return the visible names. While an event is played, small groups are hidden."""
        players: Counter[str] = Counter()
        for name, entry in self.entries(side):
            players[name] += entry.players
        small = LEAST_GROUP if self.tallies.hides_small else 1
        return frozenset(name for name, count in players.items() if count >= small)


def groupings(tallies: Tallies) -> tuple[Grouping, Grouping]:
    return Grouping(tallies, "identities", "identity"), Grouping(tallies, "factions", "faction")


def played(grouping: Grouping, side: Role) -> Chart:
    """Count the players with each name, among players with a visible identity."""
    players: Counter[str] = Counter()
    for name, entry in grouping.entries(side):
        players[name] += entry.players
    total, shown = players.total(), grouping.shown(side)
    return Chart(
        id=f"{side}_{grouping.what}",
        section=Section.PLAYED,
        kind=Kind.SHARE,
        title=f"{side.label} {grouping.what}",
        about=f"Players by their {side.label} {grouping.one}, of {total} whose identity is open.",
        columns=Columns(grouping.one.capitalize(), "Players", "Of"),
        lines=tuple(
            grouping.line(side, name, count, total)
            for name, count in most_first(players)
            if name in shown
        ),
        hides_small=grouping.tallies.hides_small,
    )


def cards(tallies: Tallies, side: Role) -> Chart:
    """Count the open decks with each card, and the average copies in such a deck."""
    decks, least = tallies.decks.get(side, 0), LEAST_GROUP if tallies.hides_small else 1
    return Chart(
        id=f"{side}_cards",
        section=Section.PLAYED,
        kind=Kind.SHARE,
        title=f"{side.label} cards",
        about=f"Cards by the {side.label} decks they are in, of {decks} open decks.",
        columns=Columns("Card", "Decks", "Of", average="Copies in such a deck"),
        lines=tuple(
            Line(one.title, decks, one.decks, Fraction(one.copies, one.decks), side=side)
            for one in tallies.cards
            if one.side == side and one.decks >= least
        ),
        hides_small=tallies.hides_small,
    )


def wins(grouping: Grouping, side: Role) -> Chart:
    """Return win rates by name, of played games with a winner."""
    won, games = _won_and_played(grouping, side, grouping.tallies.meetings)
    return Chart(
        id=f"{side}_{grouping.what}_wins",
        section=Section.WINS,
        kind=Kind.RATE,
        title=f"Wins by {side.label} {grouping.one}",
        about=f"Games won as {side.label}, of those played that somebody won.",
        columns=Columns(grouping.one.capitalize(), "Won", "Games"),
        lines=_rates(grouping, side, won, games),
        hides_small=grouping.tallies.hides_small,
    )


def _rates(
    grouping: Grouping, side: Role, parts: Counter[str], wholes: Counter[str]
) -> tuple[Line, ...]:
    """Return a line for each visible name, most frequent first."""
    shown = grouping.shown(side)
    return tuple(
        grouping.line(side, name, parts[name], count)
        for name, count in most_first(wholes)
        if name in shown
    )


def _won_and_played(
    grouping: Grouping, side: Role, meetings: Sequence[Meeting]
) -> tuple[Counter[str], Counter[str]]:
    won: Counter[str] = Counter()
    games: Counter[str] = Counter()
    for one in meetings:
        if name := grouping.name(one.corp if side is Role.CORP else one.runner):
            games[name] += one.games
            won[name] += one.games if one.winner is side else 0
    return won, games


def match_ups(grouping: Grouping) -> Chart:
    """Return the Corp's win rates by the names of both sides."""
    corps, runners = grouping.shown(Role.CORP), grouping.shown(Role.RUNNER)
    return Chart(
        id=f"{grouping.what}_match_ups",
        section=Section.MATCH_UPS,
        kind=Kind.RATE,
        title=f"{grouping.what.capitalize()} against each other",
        about=f"Games won by the Corp, by the {grouping.one} of both sides.",
        columns=Columns("Corp", "Corp won", "Games", against="Runner"),
        lines=tuple(
            line
            for line in pairs(grouping, Role.CORP)
            if line.name in corps and line.against in runners
        ),
        hides_small=grouping.tallies.hides_small,
    )


def pairs(grouping: Grouping, side: Role) -> Iterator[Line]:
    """Yield the side's win rates by both names, most frequent first; unnamed pairs are left out."""
    won: Counter[tuple[str, str]] = Counter()
    games: Counter[tuple[str, str]] = Counter()
    for one in grouping.tallies.meetings:
        both = grouping.name(one.corp), grouping.name(one.runner)
        pair = both if side is Role.CORP else both[::-1]
        games[pair] += one.games
        won[pair] += one.games if one.winner is side else 0
    for pair, count in most_first(games):
        if all(pair):
            yield Line(pair[0], count, won[pair], against=pair[1], side=side)


def conversions(grouping: Grouping, side: Role) -> Chart:
    """Return the share of players of each name in the cut, for events with a cut."""
    players: Counter[str] = Counter()
    in_cut: Counter[str] = Counter()
    for name, entry in grouping.entries(side):
        if entry.had_cut:
            players[name] += entry.players
            in_cut[name] += entry.players if entry.made_cut else 0
    return Chart(
        id=f"{side}_{grouping.what}_cut",
        section=Section.CUT,
        kind=Kind.RATE,
        title=f"Into the cut by {side.label} {grouping.one}",
        about=f"Players in the cut by their {side.label} {grouping.one}, of events with a cut.",
        columns=Columns(grouping.one.capitalize(), "In the cut", "Players"),
        lines=_rates(grouping, side, in_cut, players),
        hides_small=grouping.tallies.hides_small,
    )
