"""Requests of the API: strict fields, JSON with limits, and pages of lists."""

import re
from collections.abc import Mapping
from typing import IO, Any, TypeVar

from django import forms
from django.core import exceptions
from django.utils.choices import flatten_choices
from drf_spectacular.extensions import OpenApiSerializerExtension
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ParseError, ValidationError
from rest_framework.pagination import PageNumberPagination
from rest_framework.parsers import JSONParser
from rest_framework.request import Request

from core import json_guard
from core.errors import Refusal

WRONG_TYPE = "Not a valid {}."
NOT_A_CHOICE = '"{input}" is not a valid choice. Choose one of: {allowed}.'
Form = TypeVar("Form", bound=forms.BaseForm)


class StrictCharField(serializers.CharField):
    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise ValidationError(WRONG_TYPE.format("string"))
        return super().to_internal_value(data)


class StrictIntegerField(serializers.IntegerField):
    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            raise ValidationError(WRONG_TYPE.format("whole number"))
        return super().to_internal_value(data)


class StrictBooleanField(serializers.BooleanField):
    def to_internal_value(self, data: Any) -> bool:
        if type(data) is not bool:
            raise ValidationError("Give true or false.")
        return data


class StrictChoiceField(serializers.ChoiceField):
    # Numbers are not accepted as text.
    def to_internal_value(self, data: Any) -> Any:
        value = super().to_internal_value(data)
        if type(data) is not type(value) and not isinstance(value, str):
            self.fail("invalid_choice", input=data)
        return value


class RequestBody(serializers.Serializer[Any]):
    """The fields of a request. An unknown field is refused, as it may be misspelled."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        # The error for an invalid choice lists the allowed values.
        fields = super().get_fields()
        for field in fields.values():
            choice = getattr(field, "child", field)
            if isinstance(choice, serializers.ChoiceField):
                allowed = ", ".join(str(value) for value in choice.choices if value != "")
                choice.error_messages["invalid_choice"] = NOT_A_CHOICE.replace("{allowed}", allowed)
        return fields

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            message = f"This field does not exist. Allowed: {', '.join(self.fields)}."
            if unknown := sorted(set(map(str, data)) - set(self.fields)):
                raise ValidationError({name: [message] for name in unknown})
        return super().to_internal_value(data)


class RequestBodyExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Describes a body as closed: it has no other fields."""

    target_class = RequestBody
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        # drf-spectacular would describe RequestBody itself otherwise, which has no fields.
        self.target_class = self.target
        described = super().map_serializer(auto_schema, direction)
        return {**described, "additionalProperties": False}


class ReasonSerializer(RequestBody):
    """The reason for a change, which is logged."""

    reason = StrictCharField(max_length=500)


def validated_body(
    body: type[serializers.Serializer[Any]],
    request: Request,
    *,
    context: Mapping[str, Any] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Return the validated body. Raises ValidationError."""
    serializer = body(data=request.data, context={"request": request, **(context or {})}, **options)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def validated_query(
    parameters: type[serializers.Serializer[Any]], request: Request
) -> dict[str, Any]:
    serializer = parameters(data=request.query_params.dict())
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def validated_form(form: Form, names: Mapping[str, str] | None = None) -> Form:
    """Return the valid form or raise ValidationError; `names` maps form fields to the API."""
    if form.is_valid():
        return form
    api_names = {"__all__": "request", **(names or {})}
    raise ValidationError(
        {
            api_names.get(name, name): [
                ErrorDetail(message, error.code)
                for error in errors
                for message in _error_messages(form.fields.get(name), error)
            ]
            for name, errors in form.errors.as_data().items()
        }
    )


def _error_messages(field: forms.Field | None, error: exceptions.ValidationError) -> list[str]:
    # An invalid choice lists the allowed values. A model may have many rows, some of them private.
    if not isinstance(field, forms.ChoiceField) or isinstance(field, forms.ModelChoiceField):
        return list(error.messages)
    if error.code != "invalid_choice" or not error.params:
        return list(error.messages)
    choices: Any = field.choices
    allowed = ", ".join(str(value) for value, _ in flatten_choices(choices) if value)
    return [NOT_A_CHOICE.format(input=error.params["value"], allowed=allowed)]


# JSON bodies.

# Entries of lists, and keys with their values, in a body (ASVS 1.5.3).
MAX_BODY_ITEMS = 10_000


class GuardedJsonParser(JSONParser):
    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            return json_guard.parse(stream.read(), max_values=2 * MAX_BODY_ITEMS)
        except Refusal as refusal:
            raise ParseError(str(refusal)) from refusal


# Pages of lists.

COUNTING_NUMBER = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)


class Pagination(PageNumberPagination):
    """An invalid number is a 400 that names the limits; a page after the last is a 404."""

    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 500
    last_page_strings = ()
    invalid_page_message = "There is no page {page_number}. Start at page 1."
    page_query_description = "The page of the list, from 1."
    page_size_query_description = f"The number of results on a page, from 1 to {max_page_size}."

    @property
    def parameters(self) -> list[str]:
        return [self.page_query_param, self.page_size_query_param]

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        described = super().get_paginated_response_schema(schema)
        properties = described["properties"]
        for name, page in (("next", 3), ("previous", 1)):
            properties[name] = {
                "type": ["string", "null"],
                "format": "uri",
                "example": f"https://play.example/api/v1/events/?page={page}",
            }
        properties["count"]["example"] = 250
        described["required"] = ["count", "next", "previous", "results"]
        return described

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        limits = {self.page_query_param: None, self.page_size_query_param: self.max_page_size}
        errors = {}
        for name, most in limits.items():
            typed = request.query_params.get(name, "1")
            is_number = COUNTING_NUMBER.fullmatch(typed) is not None
            if not is_number or (most is not None and int(typed) > most):
                errors[name] = [f"Give a whole number from 1{f' to {most}' if most else ''}."]
        if errors:
            raise ValidationError(errors)
        return super().paginate_queryset(queryset, request, view)
