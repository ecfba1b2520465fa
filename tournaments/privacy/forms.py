"""The two-step confirmation before a person is erased."""

from typing import Self

from django import forms
from django.http import QueryDict

from core.text import comparison_key


class ErasingForm(forms.Form):
    """The second step: type `name`, in any case."""

    typed = forms.CharField(
        label="The name", max_length=200, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, data: QueryDict | None, *, name: str, is_second: bool) -> None:
        super().__init__(data)
        self.name, self.is_second = name, is_second
        self.fields["typed"].help_text = f"Type “{name}” as it stands here."

    @classmethod
    def from_post(cls, posted: QueryDict, *, name: str) -> Self:
        """Build the form for the current step from the posted data."""
        answer = posted if "typed" in posted else None
        return cls(answer, name=name, is_second=bool(posted.get("sure")))

    def clean_typed(self) -> str:
        typed: str = self.cleaned_data["typed"]
        if comparison_key(typed) != comparison_key(self.name):
            raise forms.ValidationError(f"This is not “{self.name}”.")
        return typed

    def is_sure(self) -> bool:
        """Return True if both steps are confirmed."""
        return self.is_second and self.is_valid()
