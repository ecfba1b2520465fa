"""One ruling."""

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.generics import RetrieveAPIView

from rulings import queries
from rulings.api.reading import RulingView, described
from rulings.models import Ruling
from rulings.permissions import readable_by_program
from rulings.serializers import RulingDetailSerializer

AS_OF = OpenApiParameter(
    "as_of", OpenApiTypes.DATE, description="`state` and `current` as they were on this day."
)


@described("rulings_read", "One ruling", parameters=[AS_OF])
class RulingDetail(RulingView, RetrieveAPIView[Ruling]):
    """One ruling by its code or its short code, with every version of its words."""

    serializer_class = RulingDetailSerializer
    queryset = queries.rulings_in_full()
    lookup_field = "code"
    pagination_class = None
    own_parameters = ("as_of", "format")

    def get_object(self) -> Ruling:
        found = queries.find_by_code(self.kwargs["code"], readable_by_program(self.request))
        if found is None:
            raise Http404
        among = Ruling.objects.filter(pk=found.pk)
        ruling: Ruling = queries.rulings_in_full(among).get()
        return ruling
