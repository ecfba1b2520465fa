"""Deck visibility in sentences, and a preview of the event for one actor."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils import timezone

from tournaments.event import queries as event_queries
from tournaments.event import visibility
from tournaments.event.actors import Actor
from tournaments.models import (
    DeckAudience,
    DeckSubmission,
    IdentitiesShown,
    Registration,
    Stage,
    Tournament,
)

SEE_ALL = {
    DeckAudience.OPPONENT: "players who share a published table see each other's decks",
    DeckAudience.PARTICIPANTS: "all players of the event see all decks",
    DeckAudience.PUBLIC: "everybody who can read the event sees all decks",
}
SEE_THE_CUT = {
    DeckAudience.OPPONENT: "players who share a published table of the cut see each other's decks",
    DeckAudience.CUT: "the players of the cut see each other's decks",
    DeckAudience.PARTICIPANTS: "all players of the event see the decks of the players of the cut",
    DeckAudience.PUBLIC: (
        "everybody who can read the event sees the decks of the players of the cut"
    ),
}


@dataclass(frozen=True)
class AudiencesInWords:
    """Sentences on current deck visibility and on scheduled changes."""

    now: tuple[str, ...]
    to_come: tuple[str, ...]


def audiences_in_words(tournament: Tournament) -> AudiencesInWords:
    """Describe the visibility settings.

    Players always see their own decks and judges see all, so neither is listed.
    """
    now: list[str] = []
    to_come: list[str] = []
    if tournament.decks_revealed_at is not None:
        at = event_queries.moment_in_words(tournament.decks_revealed_at, tournament)
        now.append(f"Everybody who can read the event sees all decks, revealed on {at}.")
    rounds = event_queries.visible_rounds(tournament).order_by()
    published = set(rounds.values_list("stage", flat=True))
    for stage in tournament.stages.all():
        if (sentence := _of_stage(stage, tournament, stage.pk in published)) is not None:
            is_now, words = sentence
            (now if is_now else to_come).append(words)
    if tournament.game_played.has_identities:
        is_now, words = _of_identities(tournament, bool(published))
        (now if is_now else to_come).append(words)
    return AudiencesInWords(tuple(now), tuple(to_come))


def _of_stage(stage: Stage, tournament: Tournament, is_published: bool) -> tuple[bool, str] | None:
    """Return (applies now, sentence), or None if the stage shows no decks."""
    if stage.decks_shown_to == DeckAudience.PRIVATE:
        return None
    see = SEE_THE_CUT if stage.way.is_elimination else SEE_ALL
    words = see.get(DeckAudience(stage.decks_shown_to), SEE_ALL[DeckAudience.OPPONENT])
    if stage.decks_shown_at is None:
        if is_published:
            return True, f"Since the first round of stage {stage.number} was published, {words}."
        return False, f"Once the first round of stage {stage.number} is published, {words}."
    at = event_queries.moment_in_words(stage.decks_shown_at, tournament)
    if stage.decks_shown_at <= timezone.now():
        return True, f"Since {at}, {words}."
    return False, f"From {at} on, {words}."


def _of_identities(tournament: Tournament, is_published: bool) -> tuple[bool, str]:
    if tournament.identities_shown == IdentitiesShown.WITH_DECKS:
        return True, "Identities are seen by those only who see the whole deck."
    if is_published:
        return True, "Everybody who can read the event sees the identities beside the names."
    return False, (
        "Once round 1 is published, everybody who can read the event sees the identities beside "
        "the names."
    )


@dataclass(frozen=True)
class PreviewLine:
    """A player in the preview, with the decks and identities the viewer may see."""

    registration: Registration
    decks: tuple[DeckSubmission, ...]
    identities: tuple[DeckSubmission, ...]
    is_own: bool
    has_handed_in: bool


@dataclass(frozen=True)
class Preview:
    """The event as an actor sees it; without `reads_event` it does not exist for them."""

    reads_event: bool
    reads_notes: bool
    rounds: tuple[int, ...]
    lines: tuple[PreviewLine, ...]


def preview(tournament: Tournament, actor: Actor) -> Preview:
    """Build the preview for this actor, in a constant number of queries."""
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
            for round_ in event_queries.rounds(tournament)
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
