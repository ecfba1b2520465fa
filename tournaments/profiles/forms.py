"""Form for merging two player records."""

from typing import Any

from django import forms

from players.models import Player


class MergePlayersForm(forms.Form):
    kept = forms.ModelChoiceField(
        Player.objects.all(), error_messages={"required": "Choose the record that stays."}
    )
    merged = forms.ModelChoiceField(
        Player.objects.all(), error_messages={"required": "Choose the record to merge into it."}
    )
    reason = forms.CharField(
        label="Reason", max_length=200, help_text="In the log of every event it touches."
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        kept, merged = cleaned.get("kept"), cleaned.get("merged")
        if kept is not None and kept == merged:
            self.add_error("merged", "Choose two different records.")
        return cleaned
