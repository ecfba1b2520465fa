"""Rounds: asked for, published, started, closed, opened again; their tables, clocks and jobs."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_view
from rest_framework import status
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from core.api_bodies import Reason, given
from core.openapi import operation
from tournaments.event import permissions, queries, visibility
from tournaments.event import services as event_services
from tournaments.models import Job, JobKind, Pairing, Round
from tournaments.rounds import queries as round_queries
from tournaments.rounds.api.drafts import DraftView
from tournaments.rounds.pages import clocks
from tournaments.rounds.serializers.drafts import DraftSerializer, PublishBody
from tournaments.rounds.serializers.rounds import (
    ClockSerializer,
    JobDetailSerializer,
    MinutesBody,
    PairingAskedSerializer,
    PairingBody,
    PairingSerializer,
    ResumeBody,
    RoundDetailSerializer,
    RoundSerializer,
    TableMinutesBody,
)
from tournaments.rounds.services import clock, drafting, rounds
from tournaments.web.api.access import Actions, EventView, ManyView, OneView
from tournaments.web.serializers import JobSerializer


class RoundView(EventView):
    """An answer with names of players in it. A draft does not exist here, whoever asks."""

    def get_serializer_context(self) -> dict[str, Any]:
        context = dict(super().get_serializer_context())
        # The description of the API is made without an event.
        if hasattr(self, "tournament"):
            players = queries.roster_by_player(self.tournament)
            context["players"] = players
            context["names"] = {entry.number: entry.player.name for entry in players.values()}
        return context


@extend_schema_view(get=operation("events_rounds", "Rounds"))
class RoundList(EventView, ListAPIView[Round]):
    """The rounds that are published, first to last."""

    abilities = {"POST": permissions.can_run}
    serializer_class = RoundSerializer
    queryset = Round.objects.none()

    @operation("rounds_pair", "Pair a round", PairingAskedSerializer, body=PairingBody, status=202)
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Ask for a draft; the job makes it. Asked twice for one number, it is one job.

        With `force_reason` the round before is closed first, without the results it lacks.
        """
        body = given(PairingBody, request)
        number = body["number"] or queries.next_round_number(self.tournament)
        job = drafting.request_pairing(
            self.tournament, number, self.actor, force_reason=body["force_reason"].strip()
        )
        job.refresh_from_db()
        asked = {"job": job, "number": number}
        return Response(PairingAskedSerializer(asked).data, status=status.HTTP_202_ACCEPTED)

    def get_queryset(self) -> QuerySet[Round]:
        return round_queries.published_rounds(self.tournament)


@extend_schema_view(get=operation("events_round", "One round"))
class RoundDetail(RoundView, RetrieveAPIView[Round]):
    """A round with all its pairings."""

    serializer_class = RoundDetailSerializer
    queryset = Round.objects.none()
    lookup_field = "number"
    pagination_class = None

    def get_object(self) -> Round:
        published = round_queries.with_pairings(round_queries.published_rounds(self.tournament))
        return get_object_or_404(published, number=self.kwargs["number"])


@extend_schema_view(get=operation("events_pairings", "Pairings of a round"))
class PairingList(RoundView, ListAPIView[Pairing]):
    """Tables in order, byes last. Results are told once they are settled."""

    serializer_class = PairingSerializer
    queryset = Pairing.objects.none()

    def get_queryset(self) -> QuerySet[Pairing]:
        round_ = get_object_or_404(
            queries.visible_rounds(self.tournament), number=self.kwargs["number"]
        )
        return round_queries.pairings_of(round_)


class RoundActions(Actions):
    """One step of a round; answers the round as it stands after it."""

    abilities = {"POST": permissions.can_run}

    def answered(self) -> Response:
        """The round, which everybody sees now."""
        published = round_queries.published_rounds(self.tournament)
        round_ = get_object_or_404(published, number=self.kwargs["number"])
        return Response(RoundSerializer(round_).data)

    @operation("rounds_publish", "Publish a draft", RoundSerializer, body=PublishBody)
    def publish(self, request: Request, **kwargs: Any) -> Response:
        """409 when the draft is older than a result or than somebody's coming or going, or is
        another one than was `seen`. Published twice, nothing changes.
        """
        round_, body = self.round_(), given(PublishBody, request)
        rounds.publish(
            round_,
            self.actor,
            leave_out_latecomers=body["leave_out_latecomers"],
            seen=body["seen"],
        )
        return self.answered()

    @operation("rounds_start", "Start the clock of a round", RoundSerializer)
    def start(self, request: Request, **kwargs: Any) -> Response:
        """Started twice, nothing changes."""
        rounds.start(self.round_(), self.actor)
        return self.answered()

    @operation("rounds_close", "Close a round", RoundSerializer)
    def close(self, request: Request, **kwargs: Any) -> Response:
        """The standings are computed by a job. Refused while results are missing."""
        rounds.close(self.round_(), self.actor)
        return self.answered()

    @operation("rounds_reopen", "Open a closed round again", RoundSerializer, body=Reason)
    def reopen(self, request: Request, **kwargs: Any) -> Response:
        """Only the last round, while no later one is drafted and no cut is made."""
        round_, body = self.round_(), given(Reason, request)
        rounds.reopen(round_, self.actor, body["reason"])
        return self.answered()


class Unpublish(DraftView):
    """A published round is a draft again."""

    @operation("rounds_unpublish", "Take a published round back", DraftSerializer, body=Reason)
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Refused once a result has come in. Players do not see it any more."""
        round_, body = self.round_(), given(Reason, request)
        rounds.unpublish(round_, self.actor, body["reason"])
        return self.answered()


class ClockView(OneView):
    """Below the clock of a round."""

    def document(self, round_: Round) -> Response:
        """The clock as it stands now."""
        face = clocks.face(round_)
        body = {
            "number": round_.number,
            "clock": face,
            "minutes": queries.clock_of(round_).minutes,
            "extra_minutes": round_.extra_minutes,
            "pause_mark": queries.pause_mark(round_),
            "tables": clocks.table_times(round_) if face else (),
        }
        return Response(ClockSerializer(body).data)


class Clock(ClockView):
    """The clock of a round, and the tables with more time."""

    @operation("clocks_read", "Clock", ClockSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """Ask again when you like: it is told when it ends, not how much is left."""
        return self.document(self.round_())


class ClockActions(Actions, ClockView):
    """The clock in the hands of who runs the event; that of one table in those of judges."""

    abilities = {"POST": permissions.can_run, "add_to_table": permissions.can_judge}

    @operation("clocks_pause", "Pause the clock", ClockSerializer)
    def pause(self, request: Request, **kwargs: Any) -> Response:
        """Paused twice, it keeps the first moment."""
        clock.pause(self.round_(), self.actor)
        return self.document(self.round_())

    @operation("clocks_resume", "Let the clock go on", ClockSerializer, body=ResumeBody)
    def resume(self, request: Request, **kwargs: Any) -> Response:
        """It goes on from where it stood; 409 `clock_moved` when that is not what was seen."""
        round_, body = self.round_(), given(ResumeBody, request)
        clock.resume(round_, self.actor, body["seen"])
        return self.document(self.round_())

    @operation("clocks_add", "Give the room minutes", ClockSerializer, body=MinutesBody)
    def add(self, request: Request, **kwargs: Any) -> Response:
        """With `seen` the same sent again counts once."""
        round_, body = self.round_(), given(MinutesBody, request)
        clock.add(round_, body["minutes"], self.actor, body["seen"])
        return self.document(self.round_())

    @operation(
        "clocks_add_to_table", "Give a table minutes", ClockSerializer, body=TableMinutesBody
    )
    def add_to_table(self, request: Request, **kwargs: Any) -> Response:
        """Besides those of the room; for those who judge."""
        pairing, body = self.table(), given(TableMinutesBody, request)
        clock.add_to_table(pairing, body["minutes"], self.actor, body["reason"], body["seen"])
        return self.document(self.round_())


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

    def document(self, job: Job) -> dict[str, Any]:
        """The job with the round it has made."""
        queries.jobs_as_seen([job], runs=permissions.can_run(self.actor, self.tournament))
        job.__dict__["round"] = self._round_of(job)
        return dict(JobDetailSerializer(job).data)

    def _round_of(self, job: Job) -> dict[str, Any] | None:
        if job.kind != JobKind.PAIR_ROUND:
            return None
        there = queries.rounds(self.tournament).select_related("stage__tournament")
        round_ = there.filter(number=job.payload.get("number")).first()
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
        return Response(self.document(self.job()))


class JobRetry(JobView):
    abilities = {"POST": permissions.can_run}

    @operation("jobs_retry", "Try a failed job again", JobDetailSerializer)
    def post(self, request: Request, **kwargs: Any) -> Response:
        """A job that has not failed stays as it is."""
        event_services.retry_job(self.job(), self.actor)
        return Response(self.document(self.job()))
