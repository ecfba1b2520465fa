"""Webhooks and uploads: where to, and what."""

from django import forms

from core import other_sites
from tournaments.announcements import PROGRAMS
from tournaments.services import webhooks


class WebhookForm(forms.Form):
    """An address and what it is told; an address that is set is not shown again."""

    address = forms.CharField(
        label="Address",
        max_length=300,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "inputmode": "url"}
        ),
        help_text="It begins with https:// and has the public name of a site.",
    )
    events = forms.MultipleChoiceField(
        label="Tell it when",
        choices=webhooks.CHOICES,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose something, or it is told nothing."},
    )

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"].strip()
        if address:
            try:
                other_sites.check(address, PROGRAMS)
            except other_sites.AddressNotAllowed as refusal:
                raise forms.ValidationError(str(refusal)) from refusal
        return address


class WebhookChangeForm(WebhookForm):
    """The same of a webhook that is there: left empty, its address stays."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["address"].required = False
        self.fields["address"].help_text = "Left empty, the one that is set stays."


class UploadForm(forms.Form):
    """Which event of AlwaysBeRunning it is, where that is known; and a word that one has looked."""

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
