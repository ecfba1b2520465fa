"""Local rulings, notes on a match, rulings cited, and the report of the judges."""

from django.shortcuts import get_object_or_404
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.openapi import operation
from rulings import queries as ruling_queries
from rulings import services as ruling_services
from rulings.models import JudgeNote
from rulings.queries import find_by_code
from tournaments.event import permissions
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
from tournaments.web.api.access import ManyView, OneView, OwnView
from tournaments.web.serializers import NoteSerializer, NoteWanted


class LocalRulingView(OwnView):
    """Rulings as they hold at the event."""

    def local(self) -> LocalRuling:
        """The local ruling of the address, or a 404."""
        return get_object_or_404(queries.local_rulings_of(self.tournament), pk=self.kwargs["pk"])

    def shown(self, pk: int, status_: int = status.HTTP_200_OK) -> Response:
        """The ruling as it is now."""
        line = next(line for line in queries.local_lines(self.tournament) if line.local.pk == pk)
        return Response(LocalRulingSerializer(line).data, status=status_)


class LocalRulingList(LocalRulingView, ManyView):
    """What the head judge has ruled at this event, in the order it was made."""

    abilities = {"POST": permissions.can_head_judge}

    @operation("local_rulings_list", "Local rulings", LocalRulingSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Those of a finished event as they read at its end."""
        return self.listed(queries.local_lines(self.tournament), LocalRulingSerializer)

    @operation(
        "local_rulings_make",
        "Make a local ruling",
        LocalRulingSerializer,
        body=LocalRulingWanted,
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
        """It holds at this event from now on."""
        body = given(LocalRulingWanted, request)
        wording = local_rulings.Wording(body["text"], body["rulings"], body["reason"])
        local = local_rulings.make(self.tournament, self.actor, body["subject"], wording)
        return self.shown(local.pk, status.HTTP_201_CREATED)


class LocalRulingDetail(LocalRulingView, OneView):
    abilities = {"PUT": permissions.can_head_judge, "DELETE": permissions.can_head_judge}

    @operation("local_rulings_read", "One local ruling", LocalRulingSerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """As it holds here."""
        return self.shown(self.local().pk)

    @operation(
        "local_rulings_rewrite",
        "Write the next version of a local ruling",
        LocalRulingSerializer,
        body=NextVersionWanted,
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """Whoever cited the version before keeps it."""
        local, body = self.local(), given(NextVersionWanted, request)
        wording = local_rulings.Wording(body["text"], body["rulings"], body["reason"])
        local_rulings.rewrite(local, self.actor, body["seen"], wording)
        return self.shown(pk)

    @operation("local_rulings_end", "Withdraw or leave out a local ruling", status=204)
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """One that was made here is withdrawn from today on; one of an earlier event left out."""
        local = self.local()
        end = local_rulings.withdraw if local.made_here else local_rulings.leave_out
        end(local, self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)


class OfferedRulings(LocalRulingView, ManyView):
    """Rulings of earlier events that may hold here as well."""

    abilities = {"GET": permissions.can_head_judge, "POST": permissions.can_head_judge}

    @operation(
        "local_rulings_offered",
        "Rulings of earlier events",
        OfferedRulingSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Those of events where the asking account has helped, the newest first."""
        offered = queries.offered_rulings(self.actor.user, self.tournament)
        return self.listed(offered, OfferedRulingSerializer)

    @operation(
        "local_rulings_use",
        "Use a ruling of an earlier event",
        LocalRulingSerializer,
        body=UseWanted,
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
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
        return self.shown(local.pk, status.HTTP_201_CREATED)


class TableNotes(ManyView):
    """What judges noted about a match, for judges alone."""

    abilities = {"GET": permissions.can_judge, "POST": permissions.can_judge}

    @operation("table_notes", "Notes on a match", NoteSerializer(many=True))
    def get(self, request: Request, slug: str, number: int, table: int) -> Response:
        """Oldest first: notes, answers to calls, and decisions."""
        match = self.table().match
        notes = ruling_queries.notes_of(match) if match else JudgeNote.objects.none()
        return self.listed(notes, NoteSerializer)

    @operation(
        "table_notes_write", "Write a note on a match", NoteSerializer, body=NoteWanted, status=201
    )
    def post(self, request: Request, slug: str, number: int, table: int) -> Response:
        """It may cite rulings; their versions are kept as they read today."""
        pairing, body = self.table(), given(NoteWanted, request)
        note = ruling_services.write_note(
            pairing.match,
            self.actor.user,
            body["text"],
            body["rulings"],
            practice=self.tournament.practice_of_id is not None,
        )
        kept = ruling_queries.with_citations(JudgeNote.objects.filter(pk=note.pk)).get()
        return Response(NoteSerializer(kept).data, status=status.HTTP_201_CREATED)


class Judged(OneView):
    """The report of the judges, for the head judge."""

    abilities = {"GET": permissions.can_head_judge}

    @operation("events_judged", "Report of the judges", ReportSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Calls, penalties, local rulings and figures in one document."""
        return Response(report.document(report.report(self.tournament)))


class Cited(ManyView):
    """Which rulings judges have cited at the event, for judges alone."""

    abilities = {"GET": permissions.can_judge}

    @operation("events_cited", "Rulings cited", CitedHereSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The most cited first, each as it read that day."""
        return self.listed(queries.cited_at(self.tournament), CitedHereSerializer)
