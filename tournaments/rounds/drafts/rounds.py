"""The job itself: the round it asks for, made and written down."""

from hashlib import sha256

from core.errors import Refusal
from core.pause_points import pause_point
from players.models import User
from tournaments.event import history, permissions, queries
from tournaments.event.actors import NOBODY, Actor
from tournaments.models import Job, LogAction, Round, RoundState, Tournament
from tournaments.rounds.drafts import ways
from tournaments.rounds.drafts.again import pair_the_rest
from tournaments.rounds.drafts.records import Drafted, Wanted
from tournaments.rounds.drafts.table_numbers import numbered
from tournaments.rounds.drafts.writing import stored_reasons, write_pairings


class RoundStillOpen(Refusal):
    """The round before must be closed first: its results decide who meets."""


class RightsEnded(Refusal):
    """Whoever asked for the round may not ask for it any more."""


def draft_round(job: Job) -> None:
    """Make the draft the job asks for; does nothing when the round is there already.

    payload: {"number": the round, "attempt": how often it was drafted before, "again": the
    primary key of a round of which the rest is paired anew, or None, "by": the primary key of the
    account that asked}. Raises RightsEnded when that account runs the event no longer.
    """
    tournament = history.lock_unfinished(job.tournament)
    _refuse_ended(job, tournament)
    pause_point("pair:locked")
    number, attempt = job.payload["number"], job.payload.get("attempt", 0)
    seed = round_seed(tournament.seed, number, attempt)
    there = queries.rounds(tournament).filter(number=number).first()
    if again := job.payload.get("again"):
        if there is not None and there.pk == again and not there.is_closed:
            pair_the_rest(there, seed)
    elif there is None:
        _draft(tournament, number, seed)


def asked_by(actor: Actor) -> dict[str, int]:
    """What the payload of a job says of who asked."""
    return {} if actor.user is None else {"by": actor.user.pk}


def _refuse_ended(job: Job, tournament: Tournament) -> None:
    by = job.payload.get("by")
    if by is None:
        return
    user = User.objects.filter(pk=by, is_active=True).first()
    if not permissions.can_run(Actor(user=user), tournament):
        raise RightsEnded("Whoever asked for this runs the event no longer. Pair the round again.")


def _draft(tournament: Tournament, number: int, seed: int) -> None:
    refuse_open_round(tournament, number)
    stage = queries.current_stage(tournament)
    registrations = tuple(queries.players_of(stage))
    wanted = Wanted(stage=stage, number=number, seed=seed, registrations=registrations)
    drafted = numbered(wanted, ways.make(wanted))
    pause_point("pair:drafted")
    round_ = _write_round(wanted, drafted)
    pause_point("pair:begun")
    write_pairings(round_, drafted, {entry.number: entry for entry in wanted.registrations})
    pause_point("pair:written")
    after = {"pairings": queries.logged_pairings(round_)}
    history.record(tournament, NOBODY, LogAction.ROUND_DRAFTED, round_, after=after)
    pause_point("pair:recorded")


def refuse_open_round(tournament: Tournament, number: int) -> None:
    """Raise RoundStillOpen unless `number` follows the last closed round."""
    latest = queries.latest_round(tournament)
    if latest is not None and not latest.is_closed:
        raise RoundStillOpen(f"Close round {latest.number} before you pair round {number}.")
    if number != queries.next_round_number(tournament):
        raise RoundStillOpen(
            f"Round {queries.next_round_number(tournament)} is next, not round {number}. "
            "Load the page again."
        )


def round_seed(event_seed: int, number: int, attempt: int) -> int:
    """The seed of one draft, 0 <= seed < 2**31: of the event, the round and the try."""
    digest = sha256(f"{event_seed}:{number}:{attempt}".encode()).digest()
    return int.from_bytes(digest[:4]) >> 1


def _write_round(wanted: Wanted, drafted: Drafted) -> Round:
    return Round.objects.create(
        stage=wanted.stage,
        number=wanted.number,
        state=RoundState.DRAFT,
        seed=wanted.seed,
        certificate=dict(drafted.certificate),
        relaxations=stored_reasons(drafted.relaxations),
    )
