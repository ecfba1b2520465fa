"""Missing and illegal decks that the staff accept, with a reason."""

from collections.abc import Mapping

from django.db import transaction

from core.errors import Refusal
from tournaments.decklists import queries
from tournaments.event import history
from tournaments.event.actors import Actor
from tournaments.models import LogAction, Registration


class NothingToWaive(Refusal):
    """The player has no deck problem to waive, or no waiver to withdraw."""


class WaiverReasonMissing(Refusal):
    pass


@transaction.atomic
def waive(registration: Registration, actor: Actor, reason: str) -> None:
    """Accept the player's missing and illegal decks as they are; the reason is logged.

    A list submitted later is not covered. Raises NothingToWaive, WaiverReasonMissing,
    EventIsFinished and PlayerRemoved.
    """
    tournament = history.lock_unfinished(registration.tournament)
    history.read_again(registration, "state")
    if not reason.strip():
        raise WaiverReasonMissing("Give a reason for the waiver.")
    problems = queries.problems_to_show(tournament, [registration])
    if not problems:
        raise NothingToWaive(
            f"{registration.player} has no missing or illegal deck, so there is nothing to waive."
        )
    submissions = queries.submissions_of(registration)
    numbers = {side: deck.version.number for side, deck in submissions.items()}
    versions = {side.value: numbers.get(side) for one in problems for side in one.sides}
    _record_waiver(registration, actor, versions, reason.strip())


@transaction.atomic
def restore_waiver(
    registration: Registration, actor: Actor, versions: Mapping[str, int | None], reason: str
) -> None:
    """Restore a withdrawn waiver for its original lists.

    Raises EventIsFinished and PlayerRemoved.
    """
    history.lock_unfinished(registration.tournament)
    history.read_again(registration, "state")
    _record_waiver(registration, actor, versions, reason)


def _record_waiver(
    registration: Registration, actor: Actor, versions: Mapping[str, int | None], reason: str
) -> None:
    history.record(
        registration.tournament,
        actor,
        LogAction.DECK_PROBLEM_WAIVED,
        registration,
        after={"versions": dict(versions)},
        reason=reason,
        players=[registration.player_id],
    )


@transaction.atomic
def withdraw_waiver(registration: Registration, actor: Actor, reason: str = "") -> None:
    """Withdraw the waiver of a player, so that their deck problems are open again.

    Raises NothingToWaive, EventIsFinished and PlayerRemoved.
    """
    tournament = history.lock_unfinished(registration.tournament)
    history.read_again(registration, "state")
    waiver = queries.deck_waivers(tournament).get(registration.pk)
    if waiver is None:
        raise NothingToWaive(f"No waiver is in force for the decks of {registration.player}.")
    history.record(
        tournament,
        actor,
        LogAction.DECK_WAIVER_WITHDRAWN,
        registration,
        before={"versions": dict(waiver.versions), "reason": waiver.reason},
        reason=reason.strip(),
        players=[registration.player_id],
    )
