"""Notes on a match, the report of the judges, and what was cited."""

from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.openapi import operation
from rulings import queries as ruling_queries
from rulings import services as ruling_services
from rulings.models import JudgeNote
from tournaments.event import permissions
from tournaments.judging.pages import judged
from tournaments.judging.queries import cited_at
from tournaments.judging.serializers.report import CitedHereSerializer, ReportSerializer
from tournaments.web.api.access import ManyView, OneView
from tournaments.web.serializers import NoteSerializer, NoteWanted


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
        return Response(judged.document(judged.report(self.tournament)))


class Cited(ManyView):
    """Which rulings judges have cited at the event, for judges alone."""

    abilities = {"GET": permissions.can_judge}

    @operation("events_cited", "Rulings cited", CitedHereSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The most cited first, each as it read that day."""
        return self.listed(cited_at(self.tournament), CitedHereSerializer)
