"""What staff fill in to cite a ruling."""

from typing import Any

from django import forms

from rulings import queries
from rulings.models import RulingVersion

LONGEST_NOTE = 2000  # characters


class CiteForm(forms.Form):
    """A note on a match: words, a ruling, or both.

    `cleaned_data["ruling"]` is the RulingVersion to cite, or None;
    `cleaned_data["text"]` the words.
    """

    ruling = forms.CharField(
        label="Ruling",
        required=False,
        max_length=200,
        help_text="Its code, such as lockjaw-1, or the address of its page.",
    )
    text = forms.CharField(
        label="Note",
        required=False,
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What happened, and what was decided.",
    )

    def clean_ruling(self) -> RulingVersion | None:
        typed: str = self.cleaned_data["ruling"].strip()
        if not typed:
            return None
        version = queries.version_by_code(typed)
        if version is None:
            raise forms.ValidationError(_unknown_code(typed), code="unknown_ruling")
        return version

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not cleaned.get("ruling") and not cleaned.get("text"):
            raise forms.ValidationError(
                "Write a note, or name the ruling it rests on.", code="empty_note"
            )
        return cleaned


def _unknown_code(typed: str) -> str:
    message = f'There is no ruling with the code "{typed}".'
    if nearest := queries.nearest_codes(typed):
        return f"{message} Did you mean {', '.join(nearest)}?"
    return f"{message} Look for it on the page of rulings and copy its code."
