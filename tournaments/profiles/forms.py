"""Form for merging two player records."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.models import Player


class MergePlayersForm(forms.Form):
    kept = forms.ModelChoiceField(
        Player.objects.all(),
        error_messages={"required": gettext_lazy("Choose the record that stays.")},
    )
    merged = forms.ModelChoiceField(
        Player.objects.all(),
        error_messages={"required": gettext_lazy("Choose the record to merge into it.")},
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=200,
        help_text=gettext_lazy("Shown in the log of every event affected."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        kept, merged = cleaned.get("kept"), cleaned.get("merged")
        if kept is not None and kept == merged:
            self.add_error("merged", _("Choose two different records."))
        return cleaned
