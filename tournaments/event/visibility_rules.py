"""Pure rules for the visibility of decks and identities. No database, no clock.

People are identified by the primary key of their player. The rules have no memory: unpublishing a
round also removes the visibility it gave.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Audience(StrEnum):
    """Audiences as in `DeckAudience`; each includes the ones before it."""

    PRIVATE = "private"
    OPPONENT = "opponent"
    CUT = "cut"
    PARTICIPANTS = "participants"
    PUBLIC = "public"


@dataclass(frozen=True)
class StageFacts:
    audience: Audience
    shown_at: datetime | None = None
    is_published: bool = False
    # Players of a cut who have not declined; None if everybody plays.
    players: frozenset[int] | None = None
    # Players at the viewer's published tables of this stage.
    met: frozenset[int] = frozenset()

    def counts(self, now: datetime) -> bool:
        """Return True if the audience applies: since `shown_at`, else since a published round."""
        return self.is_published if self.shown_at is None else self.shown_at <= now

    def plays(self, player: int | None) -> bool:
        return self.players is None or player in self.players


@dataclass(frozen=True)
class Viewer:
    player: int | None = None
    reads_event: bool = True
    judges: bool = False


@dataclass(frozen=True)
class EventFacts:
    stages: tuple[StageFacts, ...] = ()
    is_revealed: bool = False
    # A property of the game.
    has_identities: bool = False
    # Identities are public once `is_round_published`.
    identities_by_round: bool = True
    is_round_published: bool = False


def can_see_deck(owner: int, viewer: Viewer, event: EventFacts, now: datetime) -> bool:
    """Return True if the viewer can see the owner's decks. The widest current audience applies."""
    if viewer.judges or viewer.player == owner:
        return True
    if not viewer.reads_event:
        return False
    if event.is_revealed:
        return True
    return any(_shows_deck(stage, owner, viewer) for stage in event.stages if stage.counts(now))


def _shows_deck(stage: StageFacts, owner: int, viewer: Viewer) -> bool:
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


def has_decks_page(viewer: Viewer, event: EventFacts, now: datetime) -> bool:
    """Return True if the viewer has a page of decks, even if it is empty."""
    if not viewer.reads_event:
        return False
    shown = (stage for stage in event.stages if stage.counts(now))
    return event.is_revealed or any(_opens_page(stage, viewer) for stage in shown)


def _opens_page(stage: StageFacts, viewer: Viewer) -> bool:
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


def can_others_see_decks(event: EventFacts, now: datetime) -> bool:
    """Return True if a new deck may be visible to more than its player and judges."""
    if event.is_revealed or can_see_identities(Viewer(), event):
        return True
    shown = (stage for stage in event.stages if stage.counts(now))
    return any(stage.audience is not Audience.PRIVATE for stage in shown)


def can_see_identities(viewer: Viewer, event: EventFacts) -> bool:
    """Return True if the viewer sees all identities beside names, apart from deck visibility."""
    if not event.has_identities:
        return False
    by_round = event.identities_by_round and event.is_round_published
    return viewer.judges or (viewer.reads_event and by_round)


def can_see_identity(owner: int, viewer: Viewer, event: EventFacts, now: datetime) -> bool:
    """Return True if the viewer sees the owner's identities. A visible deck shows its identity."""
    if not event.has_identities:
        return False
    return can_see_identities(viewer, event) or can_see_deck(owner, viewer, event, now)
