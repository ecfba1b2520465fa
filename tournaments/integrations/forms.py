"""Forms for announcements, webhooks, uploads and API tokens."""

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core import http
from core.form_fields import TitleField
from tournaments.integrations import webhooks
from tournaments.integrations.announcements import CHANNEL_POLICY
from tournaments.integrations.tokens import TokenRequest
from tournaments.models import TokenScope, Tournament

ADDRESS_ATTRS = {"autocomplete": "off", "spellcheck": "false", "inputmode": "url"}
TOKEN_LIFETIMES = {
    "1": _("1 day"),
    "30": _("30 days"),
    "365": _("1 year"),
    "": _("Until I revoke it"),
}


def _clean_address(typed: str, policy: http.Policy, advice: str = "") -> str:
    """Strip and check an address. Raises ValidationError with `advice` appended."""
    address = typed.strip()
    if address:
        try:
            http.check_url(address, policy)
        except http.AddressNotAllowed as refusal:
            raise forms.ValidationError(f"{refusal} {advice}".strip()) from refusal
    return address


class AnnouncingForm(forms.Form):
    """The chat webhook and the announcement switches; a stored address is never shown."""

    webhook = forms.CharField(
        label=_("Webhook address"),
        max_length=300,
        required=False,
        widget=forms.TextInput(attrs=ADDRESS_ATTRS),
        help_text=_(
            "In Discord: channel settings, Integrations, Webhooks. Leave blank to keep the "
            "current address."
        ),
    )
    forgets_webhook = forms.BooleanField(label=_("Remove the webhook"), required=False)
    tells_pairings = forms.BooleanField(
        label=_("Post the pairings when a round is published"), required=False
    )
    tells_standings = forms.BooleanField(
        label=_("Post the standings when the event is finished"), required=False
    )
    allows_mail = forms.BooleanField(
        label=_("Let players get their table by email"), required=False
    )
    allows_push = forms.BooleanField(
        label=_("Let players get their table as a push notification"), required=False
    )

    def clean_webhook(self) -> str:
        advice = gettext(
            "Enter an address that starts with https://, followed by the name of the site."
        )
        return _clean_address(self.cleaned_data["webhook"], CHANNEL_POLICY, advice)

    def changes(self) -> dict[str, Any]:
        """Arguments of `change_announcements`; an empty address becomes None: unchanged."""
        data = dict(self.cleaned_data)
        is_removed = data.pop("forgets_webhook")
        data["webhook"] = "" if is_removed else data["webhook"] or None
        return data


class WebhookForm(forms.Form):
    address = forms.CharField(
        label=_("Address"),
        max_length=300,
        widget=forms.TextInput(attrs=ADDRESS_ATTRS),
        help_text=_(
            "Enter an address that starts with https://, followed by the public name of a site."
        ),
    )
    events = forms.MultipleChoiceField(
        label=_("Events to send"),
        choices=webhooks.EVENT_CHOICES,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one event.")},
    )

    def clean_address(self) -> str:
        address = self.cleaned_data["address"].strip()
        return _clean_address(address, webhooks.receiver_policy(address))


class WebhookChangeForm(WebhookForm):
    """Like WebhookForm, but an empty address leaves the stored address unchanged."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["address"].required = False
        self.fields["address"].help_text = _("Leave blank to keep the current address.")


class UploadForm(forms.Form):
    """The event's number at AlwaysBeRunning, if known, and a confirmation for a second upload."""

    abr_event = forms.IntegerField(
        label=_("Event number on AlwaysBeRunning"),
        min_value=1,
        max_value=2_000_000_000,
        required=False,
        help_text=_(
            "You find it in the URL of the event's page there. With the number, the event "
            "is concluded immediately. Without it, you get a code to enter there."
        ),
    )
    again = forms.BooleanField(
        label=_("I have checked AlwaysBeRunning and want to send the results again."),
        required=False,
    )


class TokenForm(forms.Form):
    name = TitleField(
        label=_("Name"),
        max_length=80,
        help_text=_("For example, the program or computer that will use the token."),
    )
    scope = forms.ChoiceField(
        label=_("Permissions"),
        choices=[
            (scope.value, f"{scope.label[0].upper()}{scope.label[1:]}") for scope in TokenScope
        ],
        initial=TokenScope.READ,
        widget=forms.RadioSelect,
        help_text=_(
            "A token can never do more than you can. If you lose a role, your tokens lose it too."
        ),
    )
    event = forms.ChoiceField(
        label=_("Event"),
        required=False,
        help_text=_("A token for one event gives no access to other events."),
    )
    lasts = forms.ChoiceField(
        label=_("Valid for"),
        choices=list(TOKEN_LIFETIMES.items()),
        initial="30",
        required=False,
        widget=forms.RadioSelect,
        help_text=_("A token that never expires keeps working for anyone who finds it."),
    )

    def __init__(self, *args, events: list[Tournament], **kwargs) -> None:  # type: ignore[no-untyped-def]
        super().__init__(*args, **kwargs)
        self._events = {event.slug: event for event in events}
        choices = [("", gettext("All my events")), *((event.slug, event.name) for event in events)]
        self.fields["event"].choices = choices  # type: ignore[attr-defined]

    def token_request(self) -> TokenRequest:
        data = self.cleaned_data
        days = data["lasts"]
        return TokenRequest(
            data["name"],
            data["scope"],
            self._events.get(data["event"]),
            timedelta(days=int(days)) if days else None,
        )
