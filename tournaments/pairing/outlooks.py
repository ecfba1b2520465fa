"""What the rounds still planned did to a round, in words."""

from collections.abc import Iterator, Mapping

from tournaments.pairing.look_ahead import Outlook
from tournaments.pairing.records import Reason
from tournaments.pairing.situations import Situation
from tournaments.standings import PlayerId

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
