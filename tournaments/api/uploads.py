"""Results sent to AlwaysBeRunning."""

from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.openapi import operation
from tournaments import permissions, queries
from tournaments.api.shapes import ManyView
from tournaments.serializers.programs import UploadBody, UploadSerializer
from tournaments.services import uploads as services


class UploadList(ManyView):
    abilities = {"GET": permissions.can_run, "POST": permissions.can_run}

    @operation("uploads_list", "Uploads", UploadSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """What was uploaded and what came of it, newest first."""
        return self.listed(queries.uploads(self.tournament), UploadSerializer)

    @operation("uploads_ask", "Upload the results", UploadSerializer, body=UploadBody, status=202)
    def post(self, request: Request, slug: str) -> Response:
        """Upload the results to AlwaysBeRunning, once; the list says what came of it."""
        said = given(UploadBody, request)
        upload = services.ask(self.tournament, self.actor, **said)
        return Response(UploadSerializer(upload).data, status=202)
