"""Query parameters of lists. Errors name the allowed values."""

from typing import Any

import django_filters
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django_filters import fields
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field


class ListedChoiceField(fields.ChoiceField):
    def validate(self, value: Any) -> None:
        try:
            super().validate(value)
        except ValidationError as error:
            allowed = ", ".join(str(choice) for choice, _ in self.choices if choice != "")
            raise ValidationError(f"Choose one of: {allowed}.", code="invalid_choice") from error


class ChoiceFilter(django_filters.ChoiceFilter):
    """Filter rows by the value of a field. `choices` may be a callable with a query."""

    field_class = ListedChoiceField


@extend_schema_field(OpenApiTypes.BOOL)
class HasValueFilter(ChoiceFilter):
    """Filter by null: `true` if the field has a value, `false` if it is null."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=[("true", "yes"), ("false", "no")], **kwargs)

    def filter(self, qs: QuerySet[Any], value: str) -> QuerySet[Any]:
        return qs.filter(**{f"{self.field_name}__isnull": value == "false"}) if value else qs


class DayFilter(django_filters.DateFilter):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            input_formats=["%Y-%m-%d"],
            error_messages={"invalid": "Send a day as year-month-day, such as 2026-05-12."},
            **kwargs,
        )


class OrderingFilter(django_filters.OrderingFilter):
    """Ordering of a list. Ties are ordered by primary key, so that pages never overlap."""

    def filter(self, qs: QuerySet[Any], value: list[str] | None) -> QuerySet[Any]:
        if not value:
            return qs
        return qs.order_by(*(self.get_ordering_value(field) for field in value if field), "pk")


def ordering_filter(*names: str) -> OrderingFilter:
    allowed = ", ".join(f"{name}, -{name}" for name in names)
    return OrderingFilter(
        fields=names,
        error_messages={"invalid_choice": f"Choose from: {allowed}."},
        help_text="Separate fields with commas. A minus in front reverses the order.",
    )
