"""Rounds: asked for, published, started, closed, opened again; their tables, clocks and jobs."""

from typing import Any

from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from core.api_bodies import Reason, given
from core.api_errors import found_or_404
from core.api_viewsets import anyone, endpoint
from engine.pairing.round_robin import RoundRobinOver
from tournaments.event import permissions, queries, visibility
from tournaments.event.history import EventIsFinished
from tournaments.models import Job, JobKind, Round
from tournaments.rounds import queries as round_queries
from tournaments.rounds.drafts.making import RoundStillOpen
from tournaments.rounds.elimination import NoGameToPlay
from tournaments.rounds.pages import clocks
from tournaments.rounds.pages.draft import draft_page
from tournaments.rounds.pages.end_times import end_times_of
from tournaments.rounds.serializers.drafts import DraftSerializer, PublishBody
from tournaments.rounds.serializers.rounds import (
    ClockSerializer,
    EndTimesSerializer,
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
from tournaments.web.api.viewsets import EventViewSet
from tournaments.web.serializers import JobSerializer

NO_END_TIMES = dict.fromkeys(EndTimesSerializer().fields) | {
    "days": [],
    "measured": 0,
    "is_late": False,
    "warning": "",
}
STEP = (EventIsFinished, rounds.NotADraft, rounds.WrongState)
"""The event is over, the round thrown away meanwhile, or not where the step begins."""
TIME_GIVEN = (*STEP, clock.ClockMoved, clock.OutOfMeasure)


class RoundViewSet(EventViewSet):
    """The rounds of an event, and each step of one. To read them a draft does not exist."""

    @endpoint("events_rounds", "Rounds", RoundSerializer(many=True), shared=True)
    def list(self, request: Request, **kwargs: Any) -> Response:
        """The rounds that are published, first to last."""
        published = list(round_queries.published_rounds(self.tournament))
        queries.name_rounds(published)
        return self.listed(published, RoundSerializer)

    @endpoint(
        "rounds_pair",
        "Pair a round",
        PairingAskedSerializer,
        body=PairingBody,
        status=202,
        who=permissions.can_run,
        refusals=(
            EventIsFinished,
            RoundStillOpen,
            rounds.ResultsMissing,
            drafting.EventTooLarge,
            drafting.NotEnoughPlayers,
            NoGameToPlay,
            RoundRobinOver,
        ),
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
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

    @endpoint("events_round", "One round", RoundDetailSerializer, shared=True)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """A round with all its pairings."""
        published = round_queries.with_pairings(round_queries.published_rounds(self.tournament))
        round_ = found_or_404(published, "Round", number=self.kwargs["number"])
        return Response(RoundDetailSerializer(round_, context=self.names()).data)

    @endpoint("events_pairings", "Pairings of a round", PairingSerializer(many=True), shared=True)
    def pairings(self, request: Request, **kwargs: Any) -> Response:
        """Tables in order, byes last. Results are shown once they are settled."""
        visible = queries.visible_rounds(self.tournament)
        round_ = found_or_404(visible, "Round", number=self.kwargs["number"])
        rows = round_queries.pairings_of(round_)
        return self.listed(rows, PairingSerializer, **self.names())

    @endpoint(
        "rounds_publish",
        "Publish a draft",
        RoundSerializer,
        body=PublishBody,
        who=permissions.can_run,
        refusals=(EventIsFinished, rounds.NotADraft, rounds.DraftHasChanged, rounds.DraftIsOld),
    )
    def publish(self, request: Request, **kwargs: Any) -> Response:
        """409 when the draft is older than a result or than somebody's coming or going, or is
        another one than was `seen`. Published twice, nothing changes.
        """
        round_, body = self.round_(), given(PublishBody, request)
        rounds.publish(
            round_, self.actor, leave_out_latecomers=body["leave_out_latecomers"], seen=body["seen"]
        )
        return self._published()

    @endpoint(
        "rounds_unpublish",
        "Unpublish a round",
        DraftSerializer,
        body=Reason,
        who=permissions.can_run,
        refusals=(*STEP, rounds.ResultsAreIn),
    )
    def unpublish(self, request: Request, **kwargs: Any) -> Response:
        """Refused once a result has come in. Players do not see it any more."""
        round_, body = self.round_(), given(Reason, request)
        rounds.unpublish(round_, self.actor, body["reason"])
        draft = self.round_()
        return Response(DraftSerializer(draft_page(draft), context={"round": draft}).data)

    @endpoint(
        "rounds_start",
        "Start the clock of a round",
        RoundSerializer,
        who=permissions.can_run,
        refusals=STEP,
    )
    def start(self, request: Request, **kwargs: Any) -> Response:
        """Started twice, nothing changes."""
        rounds.start(self.round_(), self.actor)
        return self._published()

    @endpoint(
        "rounds_close",
        "Close a round",
        RoundSerializer,
        who=permissions.can_run,
        refusals=(*STEP, rounds.ResultsMissing),
    )
    def close(self, request: Request, **kwargs: Any) -> Response:
        """The standings are computed by a job. Refused while results are missing."""
        rounds.close(self.round_(), self.actor)
        return self._published()

    @endpoint(
        "rounds_reopen",
        "Open a closed round again",
        RoundSerializer,
        body=Reason,
        who=permissions.can_run,
        refusals=(EventIsFinished, rounds.NotADraft, RoundStillOpen),
    )
    def reopen(self, request: Request, **kwargs: Any) -> Response:
        """Only the last round, while no later one is drafted and no cut is made."""
        round_, body = self.round_(), given(Reason, request)
        rounds.reopen(round_, self.actor, body["reason"])
        return self._published()

    @endpoint("events_end_times", "Expected ends", EndTimesSerializer, who=anyone)
    def end_times(self, request: Request, **kwargs: Any) -> Response:
        """When the round and the event are expected to end, and whether that is too late."""
        return Response(EndTimesSerializer(end_times_of(self.tournament) or NO_END_TIMES).data)

    def _published(self) -> Response:
        """The round after its step, which everybody sees now."""
        published = round_queries.published_rounds(self.tournament)
        round_ = found_or_404(published, "Round", number=self.kwargs["number"])
        return Response(RoundSerializer(round_).data)


class ClockViewSet(EventViewSet):
    """The clock in the hands of who runs the event; that of one table in those of judges."""

    @endpoint("clocks_read", "Clock", ClockSerializer, who=anyone)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """Ask as often as you like: the answer is the moment it ends, not the time left."""
        return self._document()

    @endpoint(
        "clocks_pause", "Pause the clock", ClockSerializer, who=permissions.can_run, refusals=STEP
    )
    def pause(self, request: Request, **kwargs: Any) -> Response:
        """Paused twice, it keeps the first moment."""
        clock.pause(self.round_(), self.actor)
        return self._document()

    @endpoint(
        "clocks_resume",
        "Resume the clock",
        ClockSerializer,
        body=ResumeBody,
        who=permissions.can_run,
        refusals=(*STEP, clock.ClockMoved),
    )
    def resume(self, request: Request, **kwargs: Any) -> Response:
        """It goes on from where it stood; 409 `clock_moved` when that is not what was seen."""
        round_, body = self.round_(), given(ResumeBody, request)
        clock.resume(round_, self.actor, body["seen"])
        return self._document()

    @endpoint(
        "clocks_add",
        "Change the time of the room",
        ClockSerializer,
        body=MinutesBody,
        who=permissions.can_run,
        refusals=TIME_GIVEN,
    )
    def add(self, request: Request, **kwargs: Any) -> Response:
        """With `seen` the same sent again counts once."""
        round_, body = self.round_(), given(MinutesBody, request)
        clock.add(round_, body["minutes"], self.actor, body["seen"])
        return self._document()

    @endpoint(
        "clocks_add_to_table",
        "Change the time of a table",
        ClockSerializer,
        body=TableMinutesBody,
        who=permissions.can_judge,
        refusals=TIME_GIVEN,
    )
    def add_to_table(self, request: Request, **kwargs: Any) -> Response:
        """Besides those of the room; for those who judge."""
        pairing, body = self.table(), given(TableMinutesBody, request)
        clock.add_to_table(pairing, body["minutes"], self.actor, body["reason"], body["seen"])
        return self._document()

    def _document(self) -> Response:
        """The clock as it stands now."""
        round_ = self.round_()
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


class JobViewSet(EventViewSet):
    """What the site does for an event by itself: pairings, standings, news."""

    @endpoint("jobs_list", "Jobs", JobSerializer(many=True), who=permissions.can_open_desk)
    def list(self, request: Request, **kwargs: Any) -> Response:
        """All jobs of the event, the newest first; why one failed is for who runs the event."""
        runs = permissions.can_run(self.actor, self.tournament)
        return self.listed(
            queries.jobs_as_seen(self.tournament.jobs.all(), runs=runs), JobSerializer
        )

    @endpoint("jobs_read", "One job", JobDetailSerializer, who=permissions.can_open_desk)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """How far it is, why it failed, and where the round is that it has made."""
        return self._document(self._job())

    def _job(self) -> Job:
        job: Job = found_or_404(self.tournament.jobs.all(), "Job", pk=self.kwargs["pk"])
        job.tournament = self.tournament
        return job

    def _document(self, job: Job) -> Response:
        """The job with the round it has made."""
        queries.jobs_as_seen([job], runs=permissions.can_run(self.actor, self.tournament))
        job.__dict__["round"] = self._round_of(job)
        return Response(JobDetailSerializer(job).data)

    def _round_of(self, job: Job) -> dict[str, Any] | None:
        if job.kind != JobKind.PAIR_ROUND:
            return None
        there = queries.rounds(self.tournament).select_related("stage__tournament")
        round_: Round | None = there.filter(number=job.payload.get("number")).first()
        if round_ is None or not visibility.can_see_round(self.actor, self.tournament, round_):
            return None
        name = "api:draft" if round_.is_draft else "api:round"
        url = reverse(name, [self.tournament.slug, round_.number], request=self.request)
        return {"number": round_.number, "state": round_.state, "url": url}
