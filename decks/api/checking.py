"""Lists to be judged."""

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from decks import services
from decks.api.verdicts import DeckCheckSerializer, VerdictSerializer


@extend_schema_view(
    post=extend_schema(
        operation_id="decks_check",
        summary="Check a deck list",
        request=DeckCheckSerializer,
        responses={200: VerdictSerializer},
    )
)
class DeckCheck(APIView):
    """The verdict on a list: everything that is wrong, by which rule, and what would mend it.

    Nothing is kept. A list that is not legal is an answer like any other; a 409 says why a
    list was not judged at all, such as a format that does not exist.
    """

    def post(self, request: Request) -> Response:
        """The document of `check_deck --json`."""
        asked = DeckCheckSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        verdict = services.check(
            given["text"],
            game=given["game"],
            side=given.get("side"),
            rules=services.asked_rules(given["game"], given),
            date=given.get("date"),
            identity=given.get("identity"),
        )
        return Response(verdict.as_document())
