"""Who reads an event, its rounds and what the staff note."""

from tournaments import permissions, queries
from tournaments.actors import Actor
from tournaments.models import Round, Tournament, Visibility


def is_open(tournament: Tournament) -> bool:
    """Whether everybody who has the address reads the event; nobody does a sandbox."""
    return tournament.visibility != Visibility.PRIVATE and tournament.practice_of_id is None


def can_see(actor: Actor, tournament: Tournament) -> bool:
    """Read the event. A private one is for its staff and its players, and so is a sandbox."""
    if is_open(tournament) or permissions.is_staff(actor, tournament):
        return True
    return queries.registration_of(actor.player, tournament) is not None


def can_see_drafts(actor: Actor, tournament: Tournament) -> bool:
    """Read rounds before they are published, and what the log tells of them."""
    return permissions.can_run(actor, tournament)


def can_see_round(actor: Actor, tournament: Tournament, round_: Round) -> bool:
    """Read a round; a draft is for those who run the event."""
    if round_.is_draft:
        return can_see_drafts(actor, tournament)
    return can_see(actor, tournament)


def can_see_notes(actor: Actor, tournament: Tournament) -> bool:
    """Read what judges note on matches and answer to calls: judges alone."""
    return permissions.can_judge(actor, tournament)
