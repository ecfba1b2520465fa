"""What a request says as JSON: each field by its type, and no field that is not known."""

from collections.abc import Mapping
from typing import Any, TypeVar

from django import forms
from django.core import exceptions
from django.utils.choices import flatten_choices
from drf_spectacular.extensions import OpenApiSerializerExtension
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request

WRONG_TYPE = "Not a valid {}."
NOT_A_CHOICE = '"{input}" is not a valid choice. Choose one of: {allowed}.'
Form = TypeVar("Form", bound=forms.BaseForm)


class Text(serializers.CharField):
    """Text, and no number in its place."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise ValidationError(WRONG_TYPE.format("string"))
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A whole number as JSON has it, not as text."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            raise ValidationError(WRONG_TYPE.format("whole number"))
        return super().to_internal_value(data)


class YesNo(serializers.BooleanField):
    """true or false, not a word for them."""

    def to_internal_value(self, data: Any) -> bool:
        if type(data) is not bool:
            raise ValidationError("Give true or false.")
        return data


class Choice(serializers.ChoiceField):
    """One of the values; of numbers none as text."""

    def to_internal_value(self, data: Any) -> Any:
        value = super().to_internal_value(data)
        if type(data) is not type(value) and not isinstance(value, str):
            self.fail("invalid_choice", input=data)
        return value


class Body(serializers.Serializer[Any]):
    """The fields of a request. One that is not known is refused: it might be misspelled."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """The fields; a choice that does not exist is answered with those that do."""
        fields = super().get_fields()
        for field in fields.values():
            choice = getattr(field, "child", field)
            if isinstance(choice, serializers.ChoiceField):
                allowed = ", ".join(str(value) for value in choice.choices if value != "")
                choice.error_messages["invalid_choice"] = NOT_A_CHOICE.replace("{allowed}", allowed)
        return fields

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = sorted(set(map(str, data)) - set(self.fields))
            allowed = f"This field does not exist. Allowed: {', '.join(self.fields)}."
            if unknown:
                raise ValidationError({name: [allowed] for name in unknown})
        return super().to_internal_value(data)


class BodyExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Describe a body as closed: it has no other fields."""

    target_class = Body
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        # Without this line drf-spectacular describes `Body` itself, which has no fields.
        self.target_class = self.target
        described = super().map_serializer(auto_schema, direction)
        return {**described, "additionalProperties": False}


class Reason(Body):
    """Why something is done; it stands in the log."""

    reason = Text(max_length=500)


def given(
    body: type[serializers.Serializer[Any]],
    request: Request,
    *,
    context: Mapping[str, Any] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """What the request says; `partial` asks for no field. Raises ValidationError.

    `context` is what the body is checked against, beside the request.
    """
    asked = body(data=request.data, context={"request": request, **(context or {})}, **options)
    asked.is_valid(raise_exception=True)
    return dict(asked.validated_data)


def asked(parameters: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """What the query parameters say. Raises ValidationError by parameter."""
    sought = parameters(data=request.query_params.dict())
    sought.is_valid(raise_exception=True)
    return dict(sought.validated_data)


def valid(form: Form, names: Mapping[str, str] | None = None) -> Form:
    """The form, when all of it is right; else what is wrong as errors of the API.

    `names` are fields that have another name in the API. Raises ValidationError.
    """
    if form.is_valid():
        return form
    other = {"__all__": "request", **(names or {})}
    raise ValidationError(
        {
            other.get(name, name): [
                ErrorDetail(message, error.code)
                for error in errors
                for message in _messages(form.fields.get(name), error)
            ]
            for name, errors in form.errors.as_data().items()
        }
    )


def _messages(field: forms.Field | None, error: exceptions.ValidationError) -> list[str]:
    """The messages of the error, for a choice that does not exist with those that do."""
    # A model may have many rows, and some of them are private.
    if not isinstance(field, forms.ChoiceField) or isinstance(field, forms.ModelChoiceField):
        return list(error.messages)
    if error.code != "invalid_choice" or not error.params:
        return list(error.messages)
    choices: Any = field.choices
    allowed = ", ".join(str(value) for value, _ in flatten_choices(choices) if value)
    return [NOT_A_CHOICE.format(input=error.params["value"], allowed=allowed)]
