"""Lists of the API, a page at a time."""

import re
from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request

COUNTING_NUMBER = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)


class Pagination(PageNumberPagination):
    """Lists answer {"count", "next", "previous", "results"}.

    A number that is none is a 400 that says what is allowed; a page behind the
    last one is a 404.
    """

    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 500
    last_page_strings = ()
    invalid_page_message = "There is no page {page_number}. Start at page 1."
    page_query_description = "Which page of the list, from 1."
    page_size_query_description = f"How many results on a page, from 1 to {max_page_size}."

    @property
    def parameters(self) -> list[str]:
        """The names of the query parameters that choose a page."""
        return [self.page_query_param, self.page_size_query_param]

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        limits = {self.page_query_param: None, self.page_size_query_param: self.max_page_size}
        wrong = {
            name: [f"Give a whole number from 1{f' to {most}' if most else ''}."]
            for name, most in limits.items()
            if not _is_number(request.query_params.get(name, "1"), most)
        }
        if wrong:
            raise ValidationError(wrong)
        return super().paginate_queryset(queryset, request, view)


def _is_number(typed: str, most: int | None) -> bool:
    return bool(COUNTING_NUMBER.fullmatch(typed)) and (most is None or int(typed) <= most)
