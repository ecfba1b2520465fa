"""Views that only read: an ETag on every answer, and strict query parameters."""

from typing import Any, cast

from django.http import Http404
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control
from django.utils.decorators import method_decorator
from django.views.decorators.http import conditional_page
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from core.api_pagination import Pagination


@method_decorator(conditional_page, name="dispatch")
class ReadView(GenericAPIView[Any]):
    """An address that is only read, with an ETag, and strict about its parameters.

    A misspelled filter would answer everything, and nobody would notice: so a
    query parameter the view does not know is a 400 that names those it does.
    """

    http_method_names = ["get", "head"]
    own_parameters: tuple[str, ...] = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        known = self.parameters()
        allowed = f"Allowed are: {', '.join(known)}." if known else "None are allowed here."
        unknown = sorted(set(request.query_params) - set(known))
        if unknown:
            raise ValidationError(
                {name: [f"There is no such parameter. {allowed}"] for name in unknown}
            )

    def parameters(self) -> list[str]:
        """The query parameters of this address."""
        names = list(self.own_parameters)
        filterset = getattr(self, "filterset_class", None)
        names += filterset.base_filters if filterset else ()
        names += self.paginator.parameters if isinstance(self.paginator, Pagination) else ()
        return names

    def is_asked_for(self, name: str) -> bool:
        """Whether this query parameter says true; left out it does not. Raises ValidationError."""
        typed = (self.request.query_params.get(name) or "false").lower()
        if typed not in ("true", "false"):
            raise ValidationError({name: ["Give true or false."]})
        return typed == "true"

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> Response:
        # Keep it, but ask whether it is still true: that costs one small 304.
        patch_cache_control(response, no_cache=True)
        return super().finalize_response(request, cast(Response, response), *args, **kwargs)


@extend_schema(exclude=True)
class StartView(ReadView):
    """Where to go from the start of the API: `links` maps a word to the name of a view."""

    links: dict[str, str] = {}
    pagination_class = None

    def get(self, request: Request) -> Response:
        """Each word with its address."""
        return Response({word: reverse(name, request=request) for word, name in self.links.items()})


class NothingHere(APIView):
    """Addresses below the API that do not exist, answered in the API's own shape."""

    schema = None
    authentication_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Http404
