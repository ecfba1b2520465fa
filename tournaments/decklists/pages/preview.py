"""What one person would see of an event now, told by the same rules that show it."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.event import queries, visibility
from tournaments.event.actors import Actor
from tournaments.models import DeckSubmission, Registration, Tournament


@dataclass(frozen=True)
class PreviewLine:
    """One player of the event, with the decks and the identities of theirs that are seen."""

    registration: Registration
    decks: tuple[DeckSubmission, ...]
    identities: tuple[DeckSubmission, ...]
    is_own: bool
    has_handed_in: bool


@dataclass(frozen=True)
class Preview:
    """What is seen; without `reads_event` nothing is, and the event seems not to exist."""

    reads_event: bool
    reads_notes: bool
    rounds: tuple[int, ...]
    lines: tuple[PreviewLine, ...]


def preview(tournament: Tournament, actor: Actor) -> Preview:
    """The event through the eyes of this actor; a constant number of queries."""
    decks = _by_registration(visibility.visible_decks(actor, tournament))
    identities = _by_registration(
        visibility.visible_identities(actor, tournament).select_related("version__identity")
    )
    roster = tournament.registrations.select_related("player")
    roster = roster.prefetch_related("deck_submissions")
    return Preview(
        reads_event=visibility.can_see(actor, tournament),
        reads_notes=visibility.can_see_notes(actor, tournament),
        rounds=tuple(
            round_.number
            for round_ in queries.rounds(tournament)
            if visibility.can_see_round(actor, tournament, round_)
        ),
        lines=tuple(
            PreviewLine(
                registration,
                decks=tuple(decks[registration.pk]),
                identities=tuple(identities[registration.pk]),
                is_own=actor.player is not None and actor.player.pk == registration.player_id,
                has_handed_in=bool(registration.deck_submissions.all()),
            )
            for registration in roster
        ),
    )


def _by_registration(submissions: Iterable[DeckSubmission]) -> dict[int, list[DeckSubmission]]:
    found: dict[int, list[DeckSubmission]] = defaultdict(list)
    for submission in submissions:
        found[submission.registration_id].append(submission)
    return found
