"""Who sees a deck list or an identity: facts in, yes or no out. No database, no clock.

People are known by the primary key of their player. A fact that takes something back, such as a
round that is no longer published, takes the sight back with it: nothing is remembered here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Audience(StrEnum):
    """As `DeckAudience` of the models; each sees what the ones before it see, and more."""

    PRIVATE = "private"
    OPPONENT = "opponent"
    CUT = "cut"
    PARTICIPANTS = "participants"
    PUBLIC = "public"


@dataclass(frozen=True)
class StageFacts:
    """One stage, as it stands to whoever asks.

    `players` are those of a cut who have not declined; None where everybody plays. `met` is whom
    the one who asks shares a table with in a published round of the stage.
    """

    audience: Audience
    shown_at: datetime | None = None
    is_published: bool = False
    players: frozenset[int] | None = None
    met: frozenset[int] = frozenset()

    def counts(self, now: datetime) -> bool:
        """Whether its audience holds yet: by the moment set, else once players see a round."""
        return self.is_published if self.shown_at is None else self.shown_at <= now

    def plays(self, player: int | None) -> bool:
        """Whether the lists of this player are lists of the stage."""
        return self.players is None or player in self.players


@dataclass(frozen=True)
class Viewer:
    """Who asks. `player` is None for people without a place in the event."""

    player: int | None = None
    reads_event: bool = True
    judges: bool = False


@dataclass(frozen=True)
class EventFacts:
    """What the event says: the decks revealed by hand, the stages, the identities.

    `has_identities` is of the game; `identities_by_round` shows them to everybody once
    `is_round_published`.
    """

    stages: tuple[StageFacts, ...] = ()
    is_revealed: bool = False
    has_identities: bool = False
    identities_by_round: bool = True
    is_round_published: bool = False


def sees_deck(owner: int, viewer: Viewer, event: EventFacts, now: datetime) -> bool:
    """Whether the viewer sees the lists of `owner`: the widest of all stages that count holds."""
    if viewer.judges or viewer.player == owner:
        return True
    if not viewer.reads_event:
        return False
    if event.is_revealed:
        return True
    return any(_shows(stage, owner, viewer) for stage in event.stages if stage.counts(now))


def _shows(stage: StageFacts, owner: int, viewer: Viewer) -> bool:
    if not stage.plays(owner):
        return False
    match stage.audience:
        case Audience.PUBLIC:
            return True
        case Audience.PARTICIPANTS:
            return viewer.player is not None
        case Audience.CUT:
            is_of_the_cut = stage.players is not None and stage.plays(viewer.player)
            return is_of_the_cut or owner in stage.met
        case Audience.OPPONENT:
            return owner in stage.met
    return False


def decks_seen(
    owners: Iterable[int], viewer: Viewer, event: EventFacts, now: datetime
) -> frozenset[int]:
    """Whose lists of these the viewer sees."""
    return frozenset(owner for owner in owners if sees_deck(owner, viewer, event, now))


def opens_decks(viewer: Viewer, event: EventFacts, now: datetime) -> bool:
    """Whether there is a page of decks for this viewer, with lists on it or without."""
    if not viewer.reads_event:
        return False
    shown = (stage for stage in event.stages if stage.counts(now))
    return event.is_revealed or any(_opens(stage, viewer) for stage in shown)


def _opens(stage: StageFacts, viewer: Viewer) -> bool:
    match stage.audience:
        case Audience.PUBLIC:
            return True
        case Audience.PARTICIPANTS:
            return viewer.player is not None
        case Audience.CUT:
            return bool(stage.met) or (stage.players is not None and stage.plays(viewer.player))
        case Audience.OPPONENT:
            return bool(stage.met)
    return False


def others_see_something(event: EventFacts, now: datetime) -> bool:
    """Whether a deck handed in now may show to anybody but its player and the judges."""
    if event.is_revealed or sees_identities(Viewer(), event):
        return True
    shown = (stage for stage in event.stages if stage.counts(now))
    return any(stage.audience is not Audience.PRIVATE for stage in shown)


def sees_identities(viewer: Viewer, event: EventFacts) -> bool:
    """Whether identities stand beside the names for this viewer, whoever sees the lists."""
    if not event.has_identities:
        return False
    by_round = event.identities_by_round and event.is_round_published
    return viewer.judges or (viewer.reads_event and by_round)


def sees_identity(owner: int, viewer: Viewer, event: EventFacts, now: datetime) -> bool:
    """Whether the viewer sees which identities `owner` plays. A list shows its identity."""
    if not event.has_identities:
        return False
    return sees_identities(viewer, event) or sees_deck(owner, viewer, event, now)
