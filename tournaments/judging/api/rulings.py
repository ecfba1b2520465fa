"""Local rulings, notes on a match, rulings cited, and the report of the judges."""

from typing import Any

from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.api_errors import found_or_404
from core.api_viewsets import endpoint
from rulings import queries as ruling_queries
from rulings import services as ruling_services
from rulings.models import JudgeNote
from rulings.queries import find_by_code
from tournaments.event import permissions
from tournaments.event.history import EventIsFinished
from tournaments.judging import queries
from tournaments.judging.pages import report
from tournaments.judging.serializers.rulings import (
    CitedHereSerializer,
    LocalRulingSerializer,
    LocalRulingWanted,
    NextVersionWanted,
    OfferedRulingSerializer,
    ReportSerializer,
    UseWanted,
)
from tournaments.judging.services import local_rulings
from tournaments.models import LocalRuling
from tournaments.web.api.viewsets import EventViewSet
from tournaments.web.serializers import NoteSerializer, NoteWanted


class LocalRulingViewSet(EventViewSet):
    """What the head judge has ruled at this event, and rulings of earlier ones that hold here."""

    @endpoint("local_rulings_list", "Local rulings", LocalRulingSerializer(many=True))
    def list(self, request: Request, **kwargs: Any) -> Response:
        """Those of a finished event as they read at its end."""
        return self.listed(queries.local_lines(self.tournament), LocalRulingSerializer)

    @endpoint(
        "local_rulings_make",
        "Make a local ruling",
        LocalRulingSerializer,
        body=LocalRulingWanted,
        status=201,
        who=permissions.can_head_judge,
        refusals=(EventIsFinished, local_rulings.NotInPractice),
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        """It holds at this event from now on."""
        body = given(LocalRulingWanted, request)
        wording = local_rulings.Wording(body["text"], body["rulings"], body["reason"])
        local = local_rulings.make(self.tournament, self.actor, body["subject"], wording)
        return self._shown(local.pk, status.HTTP_201_CREATED)

    @endpoint("local_rulings_read", "One local ruling", LocalRulingSerializer)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """As it holds here."""
        return self._shown(self._local().pk)

    @endpoint(
        "local_rulings_rewrite",
        "Write the next version of a local ruling",
        LocalRulingSerializer,
        body=NextVersionWanted,
        who=permissions.can_head_judge,
        refusals=(
            *(EventIsFinished, local_rulings.MadeElsewhere),
            *(ruling_services.NothingChanged, ruling_services.WrittenMeanwhile),
        ),
    )
    def update(self, request: Request, **kwargs: Any) -> Response:
        """Whoever cited the version before keeps it."""
        local, body = self._local(), given(NextVersionWanted, request)
        wording = local_rulings.Wording(body["text"], body["rulings"], body["reason"])
        local_rulings.rewrite(local, self.actor, body["seen"], wording)
        return self._shown(local.pk)

    @endpoint(
        "local_rulings_end",
        "Withdraw or leave out a local ruling",
        status=204,
        who=permissions.can_head_judge,
        refusals=(EventIsFinished,),
    )
    def destroy(self, request: Request, **kwargs: Any) -> Response:
        """One that was made here is withdrawn from today on; one of an earlier event left out."""
        local = self._local()
        end = local_rulings.withdraw if local.made_here else local_rulings.leave_out
        end(local, self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)

    @endpoint(
        "local_rulings_offered",
        "Rulings of earlier events",
        OfferedRulingSerializer(many=True),
        who=permissions.can_head_judge,
    )
    def offered(self, request: Request, **kwargs: Any) -> Response:
        """Those of events where the asking account has helped, the newest first."""
        offered = queries.offered_rulings(self.actor.user, self.tournament)
        return self.listed(offered, OfferedRulingSerializer)

    @endpoint(
        "local_rulings_use",
        "Use a ruling of an earlier event",
        LocalRulingSerializer,
        body=UseWanted,
        status=201,
        who=permissions.can_head_judge,
        refusals=(EventIsFinished, local_rulings.NotYours),
    )
    def use(self, request: Request, **kwargs: Any) -> Response:
        """It holds here too; used twice, nothing changes."""
        ruling = find_by_code(
            given(UseWanted, request)["code"],
            queries.usable_rulings(self.actor.user, self.tournament),
        )
        if ruling is None:
            raise local_rulings.NotYours(
                "There is no ruling with this code that could be used here."
            )
        local = local_rulings.use(self.tournament, ruling, self.actor)
        return self._shown(local.pk, status.HTTP_201_CREATED)

    def _local(self) -> LocalRuling:
        """The local ruling of the address, or a 404."""
        return found_or_404(
            queries.local_rulings_of(self.tournament), "Local ruling", pk=self.kwargs["pk"]
        )

    def _shown(self, pk: int, status_: int = status.HTTP_200_OK) -> Response:
        """The ruling as it is now."""
        line = next(line for line in queries.local_lines(self.tournament) if line.local.pk == pk)
        return Response(LocalRulingSerializer(line).data, status=status_)


class JudgedViewSet(EventViewSet):
    """What judges noted at tables and cited at the event, and the report of it all."""

    @endpoint(
        "table_notes",
        "Notes on a match",
        NoteSerializer(many=True),
        who=permissions.can_judge,
    )
    def notes(self, request: Request, **kwargs: Any) -> Response:
        """Oldest first: notes, answers to calls, and decisions."""
        match = self.table().match
        notes = ruling_queries.notes_of(match) if match else JudgeNote.objects.none()
        return self.listed(notes, NoteSerializer)

    @endpoint(
        "table_notes_write",
        "Write a note on a match",
        NoteSerializer,
        body=NoteWanted,
        status=201,
        who=permissions.can_judge,
        refusals=(ruling_services.EmptyNote,),
    )
    def write_note(self, request: Request, **kwargs: Any) -> Response:
        """It may cite rulings; their versions are kept as they read today."""
        pairing, body = self.table(), given(NoteWanted, request)
        note = ruling_services.write_note(
            pairing.match,
            self.actor.user,
            body["text"],
            body["rulings"],
            practice=self.tournament.is_practice,
        )
        kept = ruling_queries.with_citations(JudgeNote.objects.filter(pk=note.pk)).get()
        return Response(NoteSerializer(kept).data, status=status.HTTP_201_CREATED)

    @endpoint(
        "events_judged",
        "Report of the judges",
        ReportSerializer,
        who=permissions.can_head_judge,
    )
    def report(self, request: Request, **kwargs: Any) -> Response:
        """Calls, penalties, local rulings and figures in one document."""
        return Response(report.document(report.report(self.tournament)))

    @endpoint(
        "events_cited",
        "Rulings cited",
        CitedHereSerializer(many=True),
        who=permissions.can_judge,
    )
    def cited(self, request: Request, **kwargs: Any) -> Response:
        """The most cited first, each as it read that day."""
        return self.listed(queries.cited_at(self.tournament), CitedHereSerializer)
