"""Results sent to AlwaysBeRunning."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from tournaments import permissions, queries
from tournaments.api.shapes import ManyView
from tournaments.serializers.programs import UploadBody, UploadSerializer
from tournaments.services import uploads as services


class UploadList(ManyView):
    """Uploads of the results of an event."""

    abilities = {"GET": permissions.can_run, "POST": permissions.can_run}

    @extend_schema(
        operation_id="uploads_list", summary="Uploads", responses=UploadSerializer(many=True)
    )
    def get(self, request: Request, slug: str) -> Response:
        """What was uploaded and what came of it, newest first."""
        return self.listed(queries.uploads(self.tournament), UploadSerializer)

    @extend_schema(
        operation_id="uploads_ask",
        summary="Upload the results",
        request=UploadBody,
        responses={202: UploadSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Upload the results to AlwaysBeRunning, once; the list says what came of it."""
        said = given(UploadBody, request)
        upload = services.ask(self.tournament, self.actor, **said)
        return Response(UploadSerializer(upload).data, status=202)
