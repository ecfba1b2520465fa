"""Working out what players need: asked for by the time of day, kept with the round.

The last round of a large event takes a second or two, so no page and no report waits for it: every
few seconds whoever looks after the event asks whether something has changed since.
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from core import jobs
from core.jobs import JobState
from tournaments.clinch import queries
from tournaments.clinch.field import kept, question_of
from tournaments.event import history
from tournaments.models import Job, JobKind, Outlook, Registration, Round, Tournament


def keep_outlook(tournament: Tournament) -> None:
    """Ask for the answers where they are older than the results; for what falls due."""
    if not tournament.shows_needs:
        return
    round_ = queries.last_round(tournament)
    if round_ is None:
        return
    newest = Outlook.objects.filter(round=round_).values_list("version", flat=True).first()
    if newest is None or newest < tournament.version:
        _ask(tournament, round_.pk)


@transaction.atomic
def _ask(tournament: Tournament, round_: int) -> None:
    """One job for a round, which lives again and again; one that has failed waits for the staff."""
    job, is_new = Job.objects.select_for_update().get_or_create(
        key=f"{JobKind.OUTLOOK}:{tournament.pk}:{round_}",
        defaults={"tournament": tournament, "kind": JobKind.OUTLOOK, "payload": {}},
    )
    if not is_new:
        if job.state != JobState.DONE:
            return
        jobs.requeue(job)
    jobs.enqueue(job)


def work_out(job: Job) -> None:
    """Answer what everybody needs, and keep it. Nothing is locked while it is computed."""
    tournament = Tournament.objects.get(pk=job.tournament_id)
    round_ = queries.last_round(tournament)
    if round_ is None or not tournament.shows_needs:
        return
    question = question_of(tournament, round_)
    before = Outlook.objects.filter(round=round_).first()
    if before is not None and before.digest == question.digest:
        Outlook.objects.filter(pk=before.pk).update(version=tournament.version)
        return
    from engine.clinch.answering import needs  # scipy is slow to load

    answers = kept(question.last, needs(question.last))
    places, open_tables = question.last.places, len(question.last.tables)
    new = {"digest": question.digest, "needs": answers, "places": places}
    _keep(tournament, round_, {**new, "open_tables": open_tables})


def _changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[int]:
    """The numbers of those who read something else now."""
    return [int(one) for one in {*before, *now} if before.get(one) != now.get(one)]


@transaction.atomic
def _keep(tournament: Tournament, round_: Round, new: dict[str, Any]) -> None:
    """The pages that show it are new; those of players only where their own answer is."""
    locked = history.lock(tournament)
    before = Outlook.objects.filter(round=round_).first()
    history.move_version(locked, everybody=False)
    changed = _changed(before.needs if before else {}, new["needs"])
    places = Registration.objects.filter(tournament=locked, number__in=changed)
    history.move_own_pages(locked, list(places.values_list("player", flat=True)))
    # Results that came meanwhile ask for another one; the own move does not.
    was_quiet = locked.version == tournament.version
    Outlook.objects.update_or_create(
        round=round_, defaults={**new, "version": tournament.version + was_quiet}
    )
