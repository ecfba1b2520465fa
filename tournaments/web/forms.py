"""What staff give on several pages: a reason, a role, seats to swap."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone

from players.models import User
from tournaments.event.queries.events import account_named
from tournaments.models import Registration, StaffRole

GIVEN_ROLES = [choice for choice in StaffRole.choices if choice[0] != StaffRole.OWNER]
LIFETIMES = [(1, "1 hour"), (8, "8 hours"), (24, "1 day"), (72, "3 days"), (168, "a week")]


class ReasonForm(forms.Form):
    """Why something is taken back; it stands in the log."""

    reason = forms.CharField(
        label="Why?", max_length=500, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


class StaffForm(forms.Form):
    """An account and its role; the account is found by its username."""

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
    """A role for whoever opens the link first, and how long the link is good."""

    role = forms.ChoiceField(label="Role", choices=GIVEN_ROLES, initial=StaffRole.SCOREKEEPER)
    hours = forms.TypedChoiceField(
        label="The link is good for", choices=LIFETIMES, coerce=int, initial=24
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
        """When the link ends, counted from now."""
        hours: int = self.cleaned_data["hours"]
        return timezone.now() + timedelta(hours=hours)


class SwapForm(forms.Form):
    """Two players of a draft, each told by the number in the event."""

    player = forms.TypedMultipleChoiceField(
        coerce=int,
        error_messages={
            "required": "Choose two players to swap.",
            "invalid_choice": "This player is not in the draft. Load the page again.",
        },
    )

    def __init__(self, data: Any, registrations: list[Registration]) -> None:
        super().__init__(data)
        self.registrations = {entry.number: entry for entry in registrations}
        choices = [(number, str(number)) for number in self.registrations]
        self.fields["player"].choices = choices  # type: ignore[attr-defined]

    def clean_player(self) -> list[Registration]:
        numbers: list[int] = self.cleaned_data["player"]
        if len(set(numbers)) != 2 or len(numbers) != 2:
            raise forms.ValidationError(
                f"Choose two different players to swap, not {len(set(numbers))}."
            )
        return [self.registrations[number] for number in numbers]
