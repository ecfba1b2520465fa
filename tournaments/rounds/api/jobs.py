"""Work that is asked for and done afterwards: pairings, standings, news."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from core.openapi import operation
from tournaments.event import permissions, queries, visibility
from tournaments.models import Job, JobKind
from tournaments.rounds.services import rounds
from tournaments.web.api.access import ManyView, OneView
from tournaments.web.serializers import JobDetailSerializer, JobSerializer


class JobList(ManyView):
    abilities = {"GET": permissions.can_open_desk}

    @operation("jobs_list", "Jobs", JobSerializer(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:
        """All jobs of the event, the newest first; why one failed is told who runs the event."""
        runs = permissions.can_run(self.actor, self.tournament)
        return self.listed(
            queries.jobs_as_seen(self.tournament.jobs.all(), runs=runs), JobSerializer
        )


class JobView(OneView):
    """Below one job."""

    def job(self) -> Job:
        """The job of the address."""
        job: Job = get_object_or_404(self.tournament.jobs, pk=self.kwargs["pk"])
        job.tournament = self.tournament
        return job

    def told(self, job: Job) -> dict[str, Any]:
        """The job with the round it has made."""
        queries.jobs_as_seen([job], runs=permissions.can_run(self.actor, self.tournament))
        job.__dict__["round"] = self._round_of(job)
        return dict(JobDetailSerializer(job).data)

    def _round_of(self, job: Job) -> dict[str, Any] | None:
        if job.kind != JobKind.PAIR_ROUND:
            return None
        rounds = queries.rounds(self.tournament).select_related("stage__tournament")
        round_ = rounds.filter(number=job.payload.get("number")).first()
        if round_ is None or not visibility.can_see_round(self.actor, self.tournament, round_):
            return None
        name = "api:draft" if round_.is_draft else "api:round"
        url = reverse(name, [self.tournament.slug, round_.number], request=self.request)
        return {"number": round_.number, "state": round_.state, "url": url}


class JobDetail(JobView):
    abilities = {"GET": permissions.can_open_desk}

    @operation("jobs_read", "One job", JobDetailSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """How far it is, why it failed, and where the round is that it has made."""
        return Response(self.told(self.job()))


class JobRetry(JobView):
    abilities = {"POST": permissions.can_run}

    @operation("jobs_retry", "Try a failed job again", JobDetailSerializer)
    def post(self, request: Request, **kwargs: Any) -> Response:
        """A job that has not failed stays as it is."""
        rounds.retry_job(self.job(), self.actor)
        return Response(self.told(self.job()))
