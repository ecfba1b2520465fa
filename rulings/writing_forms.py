"""Forms to write a version of a ruling."""

import re
from dataclasses import asdict
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils import timezone

from rulings import queries
from rulings.models import Ruling, RulingKind
from rulings.parsing.records import Source

LONGEST_TEXT = 6000  # characters
MOST_SOURCES = 12
# Blank rows for further sources, so that adding one requires no script.
BLANK_ROWS = 2
KINDS = [(kind.value, kind.label.capitalize()) for kind in RulingKind if kind != "reference"]
BETWEEN = re.compile(r"[,;\s]+")


class VersionForm(forms.Form):
    """The next version: text, effective date and reason.

    `seen` is the number of the version the writer has read.
    """

    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    text = forms.CharField(
        label="What the ruling says",
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text="In our own words. An empty line begins a new paragraph.",
    )
    kind = forms.ChoiceField(choices=KINDS)
    in_force_from = forms.DateField(
        label="In force from",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text="The day of the decision; an earlier day shows the version before.",
    )
    reason = forms.CharField(
        label="Why a new version",
        max_length=200,
        help_text='Shown beside the version, such as "The date of the answer was wrong".',
    )

    def clean_in_force_from(self) -> Any:
        day = self.cleaned_data["in_force_from"]
        if day > timezone.localdate():
            raise forms.ValidationError("That day is still to come.", code="not_yet")
        return day


class SourceForm(forms.Form):
    """A citation; empty rows are ignored."""

    authority = forms.CharField(label="Who", max_length=80, required=False)
    via = forms.CharField(label="Passed on by", max_length=80, required=False)
    venue = forms.CharField(label="Where", max_length=80, required=False)
    date = forms.DateField(
        label="When",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    about = forms.CharField(label="On which card", max_length=120, required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if any(cleaned.values()) and not cleaned.get("authority"):
            self.add_error("authority", "Say who said it, or empty this row.")
        return cleaned


class _SourceForms(forms.BaseFormSet[SourceForm]):
    def sources(self) -> list[Source]:
        return [
            Source(**form.cleaned_data) for form in self.forms if any(form.cleaned_data.values())
        ]

    def with_blank_rows(self) -> forms.BaseFormSet[SourceForm]:
        return SourceForms(prefix="source", initial=[asdict(one) for one in self.sources()])


SourceForms = forms.formset_factory(
    SourceForm, _SourceForms, extra=BLANK_ROWS, max_num=MOST_SOURCES, absolute_max=MOST_SOURCES
)


class StandingForm(forms.Form):
    """Superseded rulings and day of withdrawal."""

    supersedes = forms.CharField(
        label="Supersedes",
        required=False,
        max_length=300,
        help_text="Codes such as R-0012, with commas between them. Empty: none.",
    )
    withdrawn_on = forms.DateField(
        label="Withdrawn on",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text="The first day on which it no longer holds. Empty: it is not withdrawn.",
    )

    def __init__(self, *args: Any, among: QuerySet[Ruling] | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.among = among

    def clean_supersedes(self) -> list[Ruling]:
        typed = [one for one in BETWEEN.split(self.cleaned_data["supersedes"]) if one]
        found = {one: queries.find_by_code(one, self.among) for one in typed}
        unknown = [_unknown(one) for one, ruling in found.items() if ruling is None]
        if unknown:
            raise forms.ValidationError(unknown, code="unknown_ruling")
        return [ruling for ruling in found.values() if ruling is not None]


def forms_of(ruling: Ruling) -> tuple[VersionForm, Any]:
    version = ruling.current
    form = VersionForm(
        initial={
            "seen": version.number if version else 0,
            "text": version.text if version else "",
            "kind": ruling.kind,
            "in_force_from": version.in_force_from if version else None,
        }
    )
    citations = version.citations.all() if version else []
    rows = [{name: getattr(one, name) for name in SourceForm.base_fields} for one in citations]
    return form, SourceForms(prefix="source", initial=rows)


def standing_form_of(ruling: Ruling) -> StandingForm:
    codes = ", ".join(other.short_code for other in ruling.supersedes.all())
    return StandingForm(initial={"supersedes": codes, "withdrawn_on": ruling.withdrawn_on})


def _unknown(typed: str) -> str:
    message = f'There is no ruling with the code "{typed}".'
    nearest = queries.nearest_codes(typed)
    return f"{message} Did you mean {', '.join(nearest)}?" if nearest else message
