"""Rounds: asked for, drafted, looked at, published, started, closed."""

from typing import cast

from django.db import transaction
from django.utils import timezone

from core import jobs
from core.errors import Refusal
from matches import services as matches
from tournaments import drafts, history, queries, tasks
from tournaments.actors import Actor
from tournaments.drafts import RoundStillOpen
from tournaments.models import Job, JobKind, Pairing, Registration, Round, RoundState, Tournament
from tournaments.services.standings import request_standings

MINIMUM_PLAYERS = 2


class NotEnoughPlayers(Refusal):
    """A round needs two players who are checked in."""

    code = "not_enough_players"


class NotADraft(Refusal):
    """Published pairings stay: players have seen them."""

    code = "not_a_draft"


class DraftIsOld(Refusal):
    """The field has changed since the draft was made."""

    code = "draft_is_old"


class WrongState(Refusal):
    """The round is not where this step begins."""

    code = "wrong_state"


class ResultsMissing(Refusal):
    """Tables without a settled result keep a round open."""

    code = "results_missing"


@transaction.atomic
def request_pairing(tournament: Tournament, number: int, actor: Actor) -> Job:
    """Ask for the draft of round `number`. Asked again, it answers the same job.

    Raises NotEnoughPlayers, RoundStillOpen. What goes wrong later, in the
    work itself, stands on the job.
    """
    locked = history.lock_unfinished(tournament)
    job = queries.pairing_job(locked, number)
    exists = queries.rounds(locked).filter(number=number).exists()
    if job is not None and (job.is_live or exists):
        # Rung again in case the first bell was lost; only one worker can have the job.
        jobs.ring(tasks.pair_round, job)
        return job
    drafts.refuse_open_round(locked, number)
    if queries.active_registrations(locked).count() < MINIMUM_PLAYERS:
        raise NotEnoughPlayers("A round needs two players. Check players in first.")
    job = _fresh_job(locked, job, number)
    history.record(locked, actor, "pairing asked for", f"round {number}", public=False)
    jobs.ring(tasks.pair_round, job)
    return job


def _fresh_job(tournament: Tournament, old: Job | None, number: int) -> Job:
    if old is None:
        return Job.objects.create(
            tournament=tournament,
            kind=JobKind.PAIR_ROUND,
            key=queries.pairing_key(tournament, number),
            payload={"number": number, "attempt": 0},
        )
    if not old.has_failed:
        # The draft was thrown away: another try draws other lots.
        old.payload["attempt"] += 1
    jobs.requeue(old)
    return old


@transaction.atomic
def retry_job(job: Job, actor: Actor) -> None:
    """Staff try a failed job again."""
    tournament = history.lock(job.tournament)
    job = Job.objects.get(pk=job.pk)
    if not job.has_failed:
        return
    jobs.requeue(job)
    history.record(tournament, actor, "job tried again", job.get_kind_label(), public=False)
    jobs.ring(tasks.TASKS[JobKind(job.kind)], job)


@transaction.atomic
def discard_draft(round_: Round, actor: Actor) -> None:
    """Throw the draft away; nobody has seen it. Thrown away twice, nothing changes."""
    tournament = history.lock(round_.stage.tournament)
    if not queries.rounds(tournament).filter(pk=round_.pk).exists():
        return
    tournament, round_ = _lock(round_)
    _refuse_unless_draft(round_)
    used = [pk for pk in round_.pairings.values_list("match", flat=True) if pk is not None]
    history.record(tournament, actor, "draft thrown away", round_, public=False)
    round_.delete()
    matches.delete_matches(used)


@transaction.atomic
def swap_seats(round_: Round, one: Registration, other: Registration, actor: Actor) -> None:
    """Two players of a draft change places; one of them may have the bye.

    At one table the two change roles: who was Corp in game 1 begins as Runner.
    """
    tournament, round_ = _lock(round_)
    _refuse_unless_draft(round_)
    pairings = {
        registration.pk: queries.pairing_of(round_, registration.player)
        for registration in (one, other)
    }
    if one.pk == other.pk or None in pairings.values():
        raise NotADraft("Choose two different players of this draft.")
    if all(cast(Pairing, pairing).bye for pairing in pairings.values()):
        raise NotADraft("Both players have a bye, so there is nothing to swap.")
    trade = {one.player_id: other, other.player_id: one}
    for pairing in {cast(Pairing, pairing).pk: pairing for pairing in pairings.values()}.values():
        _trade(cast(Pairing, pairing), trade)
    history.record(
        tournament, actor, "seats swapped", f"{one.player} and {other.player}", public=False
    )


def _trade(pairing: Pairing, trade: dict[int, Registration]) -> None:
    if pairing.bye is not None:
        pairing.bye = trade[pairing.bye.player_id]
    else:
        assert pairing.match is not None
        first, second = [
            trade[seat.player_id].player_id if seat.player_id in trade else seat.player_id
            for seat in pairing.match.seats.order_by("position")
        ]
        matches.reseat(pairing.match, (first, second))
    pairing.made_by_hand, pairing.cost, pairing.reasons = True, {}, []
    pairing.save()


@transaction.atomic
def publish(round_: Round, actor: Actor, *, leave_out_latecomers: bool = False) -> None:
    """Everybody sees the pairings. Published twice, nothing changes.

    With round 1 registration closes.

    Raises NotADraft, and DraftIsOld when an earlier result was changed or
    players came or went since the draft was made; those who came may be left
    out until the next round.
    """
    tournament, round_ = _lock(round_)
    if not round_.is_draft:
        return
    if queries.closed_pairings(tournament).filter(match__settled_at__gt=round_.created_at).exists():
        raise DraftIsOld(
            "A result of an earlier round was changed since this draft was made. "
            "Pair the round again."
        )
    gone, arrived = queries.changes_since_draft(round_)
    if gone:
        raise DraftIsOld(f"{_names(gone)} left since this draft was made. Pair the round again.")
    if arrived and not leave_out_latecomers:
        raise DraftIsOld(
            f"{_names(arrived)} checked in since this draft was made. Pair the round again, or "
            "publish without them; they will play from the next round."
        )
    round_.state, round_.published_at = RoundState.PUBLISHED, timezone.now()
    round_.save(update_fields=["state", "published_at"])
    history.record(tournament, actor, "round published", round_)
    if round_.number == 1 and tournament.registration_is_open:
        _close_registration(tournament, actor)


def _close_registration(tournament: Tournament, actor: Actor) -> None:
    """From round 1 on the staff let people in, or open registration again by hand."""
    tournament.registration_is_open = False
    tournament.save(update_fields=["registration_is_open"])
    history.record(tournament, actor, "registration closed", reason="Round 1 was published.")


def _names(registrations: list[Registration]) -> str:
    return ", ".join(str(registration.player) for registration in registrations)


@transaction.atomic
def start(round_: Round, actor: Actor) -> None:
    """The clock runs. Started twice, it keeps its first start."""
    tournament, round_ = _lock(round_)
    if round_.state == RoundState.RUNNING:
        return
    if round_.state != RoundState.PUBLISHED:
        raise WrongState("Publish the round before you start its clock.")
    round_.state, round_.started_at = RoundState.RUNNING, timezone.now()
    round_.save(update_fields=["state", "started_at"])
    history.record(tournament, actor, "round started", round_)


@transaction.atomic
def close(round_: Round, actor: Actor) -> None:
    """Fix the results, so that the next round can be paired. Closed twice, nothing changes."""
    tournament, round_ = _lock(round_)
    if round_.is_closed:
        return
    if round_.is_draft:
        raise WrongState("Publish this draft, or throw it away.")
    if waiting := queries.open_matches(round_).count():
        raise ResultsMissing(f"Tables without a settled result: {waiting}.")
    round_.state, round_.closed_at = RoundState.CLOSED, timezone.now()
    round_.save(update_fields=["state", "closed_at"])
    history.record(tournament, actor, "round closed", round_)
    request_standings(tournament, round_.number)


@transaction.atomic
def reopen(round_: Round, actor: Actor, reason: str) -> None:
    """Take back `close` of the last round, while no later one is drafted."""
    tournament, round_ = _lock(round_)
    history.lock_unfinished(tournament)
    if not round_.is_closed:
        return
    if queries.rounds(tournament).filter(number__gt=round_.number).exists():
        raise RoundStillOpen("A later round exists. Change the results of this one instead.")
    round_.state, round_.closed_at = RoundState.RUNNING, None
    round_.save(update_fields=["state", "closed_at"])
    history.record(tournament, actor, "round reopened", round_, reason=reason)


def _lock(round_: Round) -> tuple[Tournament, Round]:
    """Tournament first, then the round: one lock order everywhere."""
    tournament = history.lock(round_.stage.tournament)
    rows = Round.objects.select_for_update(of=("self",)).select_related("stage__tournament")
    locked = rows.filter(pk=round_.pk).first()
    if locked is None:
        raise NotADraft("Somebody has thrown this draft away. Pair the round again.")
    return tournament, locked


def _refuse_unless_draft(round_: Round) -> None:
    if not round_.is_draft:
        raise NotADraft("This round is published; players have seen their tables.")
