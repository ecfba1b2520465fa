"""Forms for giving staff roles to an account or by an invitation link."""

from datetime import datetime, timedelta

from django import forms
from django.utils import timezone

from players.models import User
from tournaments.event.queries.events import account_named
from tournaments.models import StaffRole
from tournaments.settings.services.staff import GIVEN_ROLES, LIFETIMES


class StaffForm(forms.Form):
    """Give a role to the account with this username."""

    username = forms.CharField(
        label="Username",
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
        help_text="The name the person logs in with.",
    )
    role = forms.ChoiceField(label="Role", choices=GIVEN_ROLES, initial=StaffRole.SCOREKEEPER)

    def clean_username(self) -> User:
        typed: str = self.cleaned_data["username"].strip()
        user = account_named(typed)
        if user is None:
            raise forms.ValidationError(
                f'There is no account "{typed}". Ask the person for their username, '
                "or let them sign up first."
            )
        return user


class InvitationForm(forms.Form):
    """Invite the first person who opens the link to a role, for a limited time."""

    role = forms.ChoiceField(label="Role", choices=GIVEN_ROLES, initial=StaffRole.SCOREKEEPER)
    hours = forms.TypedChoiceField(
        label="The link is good for", choices=list(LIFETIMES.items()), coerce=int, initial=24
    )
    note = forms.CharField(
        label="For whom",
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text="Only for you, to tell open invitations apart.",
    )

    @property
    def ends_at(self) -> datetime:
        """Expiry of the link, counted from now."""
        hours: int = self.cleaned_data["hours"]
        return timezone.now() + timedelta(hours=hours)
