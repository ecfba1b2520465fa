"""Two-step confirmation before a person is erased."""

from typing import Self

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.text import comparison_key


class ErasingForm(forms.Form):
    """The second step: type `name`, in any case."""

    typed = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, data: QueryDict | None, *, name: str, is_second: bool) -> None:
        super().__init__(data)
        self.name, self.is_second = name, is_second
        self.fields["typed"].help_text = _("Type “%(name)s” to confirm.") % {"name": name}

    @classmethod
    def from_post(cls, posted: QueryDict, *, name: str) -> Self:
        """Build the form for the current step from the posted data."""
        data = posted if "typed" in posted else None
        return cls(data, name=name, is_second=bool(posted.get("sure")))

    def clean_typed(self) -> str:
        typed: str = self.cleaned_data["typed"]
        if comparison_key(typed) != comparison_key(self.name):
            raise forms.ValidationError(
                _("This is not “%(name)s”. Type the name exactly.") % {"name": self.name}
            )
        return typed

    def is_sure(self) -> bool:
        return self.is_second and self.is_valid()
