"""Query parameters of lists: each refuses what it does not know, and says what it does."""

from typing import Any

import django_filters
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django_filters import fields
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field


class ChoiceField(fields.ChoiceField):
    """One of a few words; the refusal lists them."""

    def validate(self, value: Any) -> None:
        try:
            super().validate(value)
        except ValidationError as error:
            words = ", ".join(str(word) for word, _ in self.choices if word != "")
            raise ValidationError(f"Choose one of: {words}.", code="invalid_choice") from error


class ChoiceFilter(django_filters.ChoiceFilter):
    """Rows whose field is this word. `choices` may be a callable that asks the database."""

    field_class = ChoiceField


@extend_schema_field(OpenApiTypes.BOOL)
class HasValueFilter(ChoiceFilter):
    """`true`: the field has a value; `false`: it is null."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=[("true", "yes"), ("false", "no")], **kwargs)

    def filter(self, qs: QuerySet[Any], value: str) -> QuerySet[Any]:
        return qs.filter(**{f"{self.field_name}__isnull": value == "false"}) if value else qs


class DayFilter(django_filters.DateFilter):
    """A day as 2026-05-12."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            input_formats=["%Y-%m-%d"],
            error_messages={"invalid": "Give a day as year-month-day, such as 2026-05-12."},
            **kwargs,
        )


class OrderingFilter(django_filters.OrderingFilter):
    """The order of a list; rows that are equal in it keep one order, so that pages never mix."""

    def filter(self, qs: QuerySet[Any], value: list[str] | None) -> QuerySet[Any]:
        if not value:
            return qs
        return qs.order_by(*(self.get_ordering_value(one) for one in value if one), "pk")


def ordering_filter(*names: str) -> OrderingFilter:
    """Order by one of these fields, or the other way round with a minus in front."""
    words = [word for name in names for word in (name, f"-{name}")]
    return OrderingFilter(
        fields=names,
        error_messages={"invalid_choice": f"Choose from: {', '.join(words)}."},
        help_text="Comma separated; a minus in front turns the order around.",
    )
