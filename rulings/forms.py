"""Forms to cite rulings."""

import re
from typing import Any

from django import forms
from django.db.models import QuerySet

from rulings import queries
from rulings.models import Ruling, RulingVersion

LONGEST_NOTE = 2000  # characters
LONGEST_LINE = 200  # the subject of a call, or the reason to escalate it to the head judge
MOST_CITED = 12
BETWEEN = re.compile(r"[,;\n]")


class CodesInput(forms.TextInput):
    """A text input for codes that merges checkboxes of the same name into its value."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        if not hasattr(data, "getlist"):
            return data.get(name)
        return ", ".join(dict.fromkeys(one for one in data.getlist(name) if one.strip()))


class CitedField(forms.CharField):
    """Rulings by code or URL, separated by commas or newlines; cleans to RulingVersions.

    A bare code means the version in force. `among` limits the rulings that may be cited; the
    default is all published rulings.
    """

    among: QuerySet[Ruling] | None = None

    def __init__(self, **options: Any) -> None:
        given = {
            "label": "Rulings",
            "required": False,
            "max_length": 1000,
            "widget": CodesInput,
            "help_text": "Codes such as R-0231, or addresses of pages, with commas between them.",
        }
        super().__init__(**{**given, **options})

    def clean(self, value: Any) -> list[RulingVersion]:
        typed = [one.strip() for one in BETWEEN.split(super().clean(value)) if one.strip()]
        if len(typed) > MOST_CITED:
            raise forms.ValidationError(f"Cite at most {MOST_CITED} rulings.", code="too_many")
        found = {one: queries.version_by_code(one, self.among) for one in typed}
        unknown = [_unknown_code(one) for one, version in found.items() if version is None]
        if unknown:
            raise forms.ValidationError(unknown, code="unknown_ruling")
        return [version for version in found.values() if version is not None]


class CiteForm(forms.Form):
    """A note on a match: text, rulings, or both.

    `cleaned_data["rulings"]` are RulingVersions; `cleaned_data["text"]` is the note.
    """

    text = forms.CharField(
        label="Note",
        required=False,
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What happened, and what was decided.",
    )
    rulings = CitedField()

    def __init__(self, *args: Any, among: QuerySet[Ruling] | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        cite_among(self, among)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not cleaned.get("rulings") and not cleaned.get("text"):
            raise forms.ValidationError(
                "Write a note, or name the ruling it rests on.", code="empty_note"
            )
        return cleaned


def cite_among(form: forms.Form, among: QuerySet[Ruling] | None) -> None:
    for field in form.fields.values():
        if isinstance(field, CitedField):
            field.among = among


def _unknown_code(typed: str) -> str:
    message = f'There is no ruling with the code "{typed}".'
    if nearest := queries.nearest_codes(typed):
        return f"{message} Did you mean {', '.join(nearest)}?"
    return f"{message} Look for it on the page of rulings and copy its code."
