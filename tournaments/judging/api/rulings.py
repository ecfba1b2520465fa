"""Local rulings of an event, to read."""

from typing import Any

from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_errors import found_or_404
from core.api_viewsets import endpoint
from tournaments.judging import queries
from tournaments.judging.serializers.rulings import LocalRulingSerializer
from tournaments.models import LocalRuling
from tournaments.web.api.viewsets import EventViewSet


class LocalRulingViewSet(EventViewSet):
    """What the head judge has ruled at this event, and rulings of earlier ones that hold here."""

    @endpoint("local_rulings_list", "Local rulings", LocalRulingSerializer(many=True))
    def list(self, request: Request, **kwargs: Any) -> Response:
        """Those of a finished event as they read at its end."""
        return self.listed(queries.local_lines(self.tournament), LocalRulingSerializer)

    @endpoint("local_rulings_read", "One local ruling", LocalRulingSerializer)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """As it holds here."""
        return self._shown(self._local().pk)

    def _local(self) -> LocalRuling:
        """The local ruling of the address, or a 404."""
        return found_or_404(
            queries.local_rulings_of(self.tournament), "Local ruling", pk=self.kwargs["pk"]
        )

    def _shown(self, pk: int, status_: int = status.HTTP_200_OK) -> Response:
        """The ruling as it is now."""
        line = next(line for line in queries.local_lines(self.tournament) if line.local.pk == pk)
        return Response(LocalRulingSerializer(line).data, status=status_)
