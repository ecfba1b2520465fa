"""What reasons are told from, and what the rounds still planned did to a round, in words."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.pairing.choosing import Choice
from engine.pairing.look_ahead import Outlook
from engine.pairing.matching import Parts
from engine.pairing.profiles import Profile
from engine.pairing.records import Entrant, Reason
from engine.standings import PlayerId


@dataclass(frozen=True)
class Situation:
    """The players whom the engine matched with each other, and how; `rounds_left` follow."""

    field: Sequence[Entrant]
    round_number: int
    choice: Choice
    profile: Profile
    rounds_left: int

    @cached_property
    def by_score(self) -> Mapping[int, list[Entrant]]:
        """The score groups."""
        groups: defaultdict[int, list[Entrant]] = defaultdict(list)
        for entrant in self.field:
            groups[entrant.match_points].append(entrant)
        return groups

    @cached_property
    def opponents(self) -> Mapping[PlayerId, Entrant | None]:
        """Whom each of the players meets in this round; None is the bye."""
        matching = self.choice.matching
        met: dict[PlayerId, Entrant | None] = {}
        for couple in matching.couples:
            met[couple.first.id], met[couple.second.id] = couple.second, couple.first
        if matching.sitting_out is not None:
            met[matching.sitting_out.entrant.id] = None
        return met

    @cached_property
    def parts(self) -> Mapping[PlayerId, Parts]:
        """What the table or the bye of each of the players costs, on every level."""
        matching = self.choice.matching
        parts: dict[PlayerId, Parts] = {}
        for couple in matching.couples:
            parts[couple.first.id] = parts[couple.second.id] = couple.parts
        if matching.sitting_out is not None:
            parts[matching.sitting_out.entrant.id] = matching.sitting_out.parts
        return parts

    @cached_property
    def unlimited_tables(self) -> set[frozenset[PlayerId]]:
        """The tables and the bye of the matching that asks nothing about the rounds left."""
        matching = self.choice.unlimited or self.choice.matching
        tables = {frozenset((one.first.id, one.second.id)) for one in matching.couples}
        if matching.sitting_out is not None:
            tables.add(frozenset((matching.sitting_out.entrant.id,)))
        return tables


KEPT = (Outlook.KEPT, Outlook.KEPT_SOMEHOW)

_NOTES: Mapping[Outlook, str] = {
    Outlook.KEPT_SOMEHOW: (
        "The {rounds} left {stay} free of {walls}. A cheaper way to pair this round that keeps "
        "{them} so may exist: not all were looked at."
    ),
    Outlook.LOST: (
        "However this round is paired, the {rounds} left cannot be paired without {walls}. This "
        "round is paired at the least cost."
    ),
    Outlook.UNKNOWN: (
        "Whether the {rounds} left can be paired without {walls} is not known: no way was found "
        "within the steps allowed. This round is paired at the least cost."
    ),
}


def notes(situation: Situation) -> Iterator[Reason]:
    """What is to be known about the rounds left, where they are not simply kept."""
    outlook = situation.choice.outlook
    if outlook in _NOTES:
        one = situation.rounds_left == 1
        text = _NOTES[outlook].format(
            rounds=rounds_left(situation),
            stay="stays" if one else "stay",
            them="it" if one else "them",
            walls=walls(situation),
        )
        yield Reason(f"look_ahead_{outlook.value}", (), text)


def look_ahead_reasons(situation: Situation, *players: PlayerId) -> Iterator[Reason]:
    """Why these meet, or this one sits out, and not as the cheapest matching has it."""
    if situation.choice.outlook not in KEPT or frozenset(players) in situation.unlimited_tables:
        return
    what = "{0} and {1} meet" if len(players) == 2 else "{0} has the bye"
    free = f"keeps the {rounds_left(situation)} left free of {walls(situation)}"
    known = "would not" if situation.choice.outlook is Outlook.KEPT else "is not known to"
    text = f"{what} in a round that {free}; the round chosen without that {known}."
    yield Reason("look_ahead", players, text)


def walls(situation: Situation) -> str:
    """What the rounds left are kept free of, in the plural."""
    return "rematches" if situation.profile.meetings == 1 else "third meetings"


def rounds_left(situation: Situation) -> str:
    """How many rounds are left, in words."""
    count = situation.rounds_left
    return "one round" if count == 1 else f"{count} rounds"
