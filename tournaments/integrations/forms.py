"""Forms for announcements, webhooks, uploads and API tokens."""

from datetime import timedelta
from typing import Any

from django import forms

from core import http
from core.form_fields import TitleField
from tournaments.integrations import webhooks
from tournaments.integrations.announcements import CHANNEL_POLICY
from tournaments.integrations.tokens import TokenRequest
from tournaments.models import TokenScope, Tournament

ADDRESS_ATTRS = {"autocomplete": "off", "spellcheck": "false", "inputmode": "url"}
TOKEN_LIFETIMES = {
    "1": "A day",
    "30": "30 days",
    "365": "A year",
    "": "Until I revoke it",
}


def _clean_address(typed: str, policy: http.Policy, advice: str = "") -> str:
    """Strip and check an address. Raises ValidationError with `advice` appended."""
    address = typed.strip()
    if address:
        try:
            http.check_url(address, policy)
        except http.AddressNotAllowed as refusal:
            raise forms.ValidationError(f"{refusal}{advice}") from refusal
    return address


class AnnouncingForm(forms.Form):
    """The chat webhook and the announcement switches; a stored address is never shown."""

    webhook = forms.CharField(
        label="Address of the webhook",
        max_length=300,
        required=False,
        widget=forms.TextInput(attrs=ADDRESS_ATTRS),
        help_text=(
            "In Discord: settings of the channel, Integrations, Webhooks. Left empty, the one "
            "that is set stays."
        ),
    )
    forgets_webhook = forms.BooleanField(label="Forget the webhook", required=False)
    tells_pairings = forms.BooleanField(
        label="Post the pairings when a round is published", required=False
    )
    tells_standings = forms.BooleanField(
        label="Post the standings when the event is finished", required=False
    )
    allows_mail = forms.BooleanField(
        label="Players may ask for a mail with their table", required=False
    )
    allows_push = forms.BooleanField(
        label="Players may ask for a message to their phone with their table", required=False
    )

    def clean_webhook(self) -> str:
        advice = " It begins with https:// and has the name of the site."
        return _clean_address(self.cleaned_data["webhook"], CHANNEL_POLICY, advice)

    def changes(self) -> dict[str, Any]:
        """Arguments of `change_announcements`; an empty address becomes None: unchanged."""
        data = dict(self.cleaned_data)
        forgets = data.pop("forgets_webhook")
        data["webhook"] = "" if forgets else data["webhook"] or None
        return data


class WebhookForm(forms.Form):
    address = forms.CharField(
        label="Address",
        max_length=300,
        widget=forms.TextInput(attrs=ADDRESS_ATTRS),
        help_text="It begins with https:// and has the public name of a site.",
    )
    events = forms.MultipleChoiceField(
        label="Tell it when",
        choices=webhooks.EVENT_CHOICES,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one event."},
    )

    def clean_address(self) -> str:
        address = self.cleaned_data["address"].strip()
        return _clean_address(address, webhooks.receiver_policy(address))


class WebhookChangeForm(WebhookForm):
    """Like WebhookForm, but an empty address leaves the stored address unchanged."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["address"].required = False
        self.fields["address"].help_text = "Left empty, the one that is set stays."


class UploadForm(forms.Form):
    """The event's number at AlwaysBeRunning, if known, and a confirmation for a second upload."""

    abr_event = forms.IntegerField(
        label="Number of the event at AlwaysBeRunning",
        min_value=1,
        max_value=2_000_000_000,
        required=False,
        help_text=(
            "It stands in the address of its page there. With it the event is concluded at once; "
            "without it you get a code to type in there."
        ),
    )
    again = forms.BooleanField(
        label="I have looked at AlwaysBeRunning. Send the results again.", required=False
    )


class TokenForm(forms.Form):
    name = TitleField(
        label="Name",
        max_length=80,
        help_text="What it is for: the program, or its computer.",
    )
    scope = forms.ChoiceField(
        label="What it may do",
        choices=[
            (scope.value, f"{scope.label[0].upper()}{scope.label[1:]}") for scope in TokenScope
        ],
        initial=TokenScope.READ,
        widget=forms.RadioSelect,
        help_text="Never more than you may do yourself: lose a role, and your tokens lose it too.",
    )
    event = forms.ChoiceField(
        label="Where",
        required=False,
        help_text="A token of one event finds nothing at any other.",
    )
    lasts = forms.ChoiceField(
        label="How long",
        choices=list(TOKEN_LIFETIMES.items()),
        initial="30",
        required=False,
        widget=forms.RadioSelect,
        help_text="A token without an end works for anybody who finds it, even years later.",
    )

    def __init__(self, *args, events: list[Tournament], **kwargs) -> None:  # type: ignore[no-untyped-def]
        super().__init__(*args, **kwargs)
        self._events = {event.slug: event for event in events}
        named = [(event.slug, event.name) for event in events]
        self.fields["event"].choices = [("", "All my events"), *named]  # type: ignore[attr-defined]

    def token_request(self) -> TokenRequest:
        data = self.cleaned_data
        days = data["lasts"]
        return TokenRequest(
            data["name"],
            data["scope"],
            self._events.get(data["event"]),
            timedelta(days=int(days)) if days else None,
        )
