"""Where the news of an event goes."""

from typing import Any

from django import forms

from core import other_sites
from tournaments.announcements import CHANNELS


class AnnouncingForm(forms.Form):
    """The webhook, which is not shown again once it is set, and what is told."""

    webhook = forms.CharField(
        label="Address of the webhook",
        max_length=300,
        required=False,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "inputmode": "url"}
        ),
        help_text=(
            "In Discord: settings of the channel, Integrations, Webhooks. Left empty, the one "
            "that is set stays."
        ),
    )
    forgets_webhook = forms.BooleanField(label="Forget the webhook", required=False)
    tells_pairings = forms.BooleanField(
        label="Tell the pairings when a round is published", required=False
    )
    tells_standings = forms.BooleanField(
        label="Tell the standings when the event is finished", required=False
    )
    allows_mail = forms.BooleanField(
        label="Players may ask for a mail with their table", required=False
    )
    allows_push = forms.BooleanField(
        label="Players may ask for a message to their phone with their table", required=False
    )

    def clean_webhook(self) -> str:
        webhook: str = self.cleaned_data["webhook"].strip()
        if webhook:
            try:
                other_sites.check(webhook, CHANNELS)
            except other_sites.AddressNotAllowed as refusal:
                raise forms.ValidationError(
                    f"{refusal} It begins with https:// and has the name of the site."
                ) from refusal
        return webhook

    def changes(self) -> dict[str, Any]:
        """The settings as the service takes them: None keeps the webhook."""
        data = dict(self.cleaned_data)
        forgets = data.pop("forgets_webhook")
        data["webhook"] = "" if forgets else data["webhook"] or None
        return data
