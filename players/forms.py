"""Forms for accounts, players and passkeys."""

import struct
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from typing import Any

from allauth.account import forms as account_forms
from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.mfa.webauthn import forms as passkey_forms
from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from fido2.webauthn import AuthenticationResponse, RegistrationResponse

from core import json_guard, rate_limits
from core.languages import in_words
from core.text import Message, clean
from players import logins, names, queries, services
from players.models import Player, User

# Usernames contain no "@", so one login value never matches two accounts (constant-time).
USERNAME_VALIDATORS = [
    RegexValidator(r"^[\w.+-]+\Z", gettext_lazy("Use letters, digits and . + - _ only."))
]

# Emails about new accounts, to one address in a day.
MAX_MAILS = 3

NOT_ADDED = gettext_lazy(
    "Your email address was not added, because it has been used for many sign-ups today. Add "
    "it tomorrow on My page, under Email."
)
USERNAME_TAKEN = gettext_lazy("This username is taken. Log in, or choose another.")


def validated_text(typed: str, problems: Callable[[str], Iterator[Message]]) -> str:
    """Return the cleaned name or pronouns. Raises ValidationError with every problem."""
    if found := list(map(in_words, problems(typed))):
        raise ValidationError(found)
    return clean(typed)


class PlayerForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Player
        fields = ["name", "pronouns"]
        help_texts = {
            "name": gettext_lazy("Your name in pairings and standings."),
            "pronouns": gettext_lazy("Shown after your name, for example she/her."),
        }

    def clean_name(self) -> str:
        return validated_text(self.cleaned_data["name"], names.name_problems)

    def clean_pronouns(self) -> str:
        return validated_text(self.cleaned_data["pronouns"], names.pronoun_problems)

    def clean_shown_name(self) -> str:
        typed: str = self.cleaned_data["shown_name"]
        return validated_text(typed, names.name_problems) if clean(typed) else ""


class PrivacyForm(PlayerForm):
    """Visibility of a player beyond a single event."""

    class Meta:
        model = Player
        fields = ["shown_name", "hides_history", "hides_from_streams"]
        labels = {
            "shown_name": gettext_lazy("Name across events"),
            "hides_history": gettext_lazy("Hide my history"),
            "hides_from_streams": gettext_lazy("Keep me off streams"),
        }
        help_texts = {
            "shown_name": (
                gettext_lazy(
                    "Shown instead of your name on your player's page and in ratings, series, "
                    "statistics and lists of events. An event's own pages always show your name, "
                    "so that opponents can find you. Leave blank to use your name everywhere."
                )
            ),
            "hides_history": (
                gettext_lazy(
                    "Other people cannot open your player's page. Ratings, statistics and "
                    "head-to-head records leave you out. Events that you won show “Name hidden”. "
                    "Results within an event remain visible."
                )
            ),
            "hides_from_streams": (
                gettext_lazy(
                    "You never sit at a feature table, and stream pages never show your table. "
                    "Overlays show “Not on the stream” instead of your name. The projector in the "
                    "venue still shows your table."
                )
            ),
        }


class LanguageForm(forms.ModelForm):  # type: ignore[type-arg]
    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        required=False,
        choices=[("", gettext_lazy("Browser language")), *settings.LANGUAGES],
    )

    class Meta:
        model = User
        fields = ["language"]


class SignupForm(account_forms.SignupForm):
    field_order = ["username", "display_name", "email", "password1"]
    display_name = forms.CharField(
        label=gettext_lazy("Your name"),
        required=False,
        help_text=gettext_lazy(
            "Your name in pairings and standings. Leave blank to use your username."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.guest = queries.claimed_guest(context.request)
        if self.guest is not None:
            self.fields["display_name"].initial = self.guest.name
        self.fields["email"].label = "Email"
        self.fields["username"].help_text = _(
            "You use it to log in. Use only letters, digits and . + - _, without spaces."
        )
        self.fields["password1"].help_text = _(
            "At least 12 characters. A few words are easy to remember."
        )
        self.fields["email"].help_text = _("Only used to reset a forgotten password.")
        self.is_unprotected = logins.is_unprotected(context.request)
        _drop_placeholders(self)

    def clean_display_name(self) -> str:
        typed: str = self.cleaned_data["display_name"]
        if not typed:
            return ""
        if self.guest is None:
            return validated_text(typed, names.name_problems)
        return validated_text(typed, partial(services.new_name_problems, self.guest))

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()
        if "username" in cleaned and cleaned.get("display_name") == "":
            for problem in names.name_problems(cleaned["username"]):
                self.add_error("display_name", in_words(problem))
        return cleaned

    @transaction.atomic
    def save(self, request: HttpRequest) -> User:
        user: User = super().save(request)
        return user

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Sign up, and email the address about the new account and older accounts with it."""
        # The response does not reveal older accounts. After MAX_MAILS of these emails in a day an
        # address gets no more, and is not added to the account. Unknown addresses count too, so
        # both cases look the same.
        address = self.cleaned_data["email"]
        if address:
            # Hashed, because not every cache accepts every character.
            key = f"signup-mails:{sha256(address.encode()).hexdigest()}"
            if rate_limits.increment_counter(key, rate_limits.DAY) > MAX_MAILS:
                address = self.cleaned_data["email"] = ""
                messages.warning(request, NOT_ADDED)
        others = queries.usernames_of(address) if address else []
        try:
            user, answer = super().try_save(request)
        except IntegrityError:
            # Sent twice: the other request created the account after this form was checked.
            messages.error(request, USERNAME_TAKEN)
            return None, redirect("account_signup")
        if user.email:
            get_adapter().welcome(user, others)
        return user, answer


class LoginForm(account_forms.LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("Username or email")
        self.fields["login"].widget.attrs["autocomplete"] = "username"
        self.fields["remember"].label = _("Stay logged in on this device")
        self.is_unprotected = logins.is_unprotected(context.request)
        self.refuses_staff = logins.is_staff_refused(context.request)
        _drop_placeholders(self)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()
        if self.user and self.refuses_staff and logins.has_staff_role(self.user):
            raise ValidationError(logins.plain_login_refusal(context.request))
        return cleaned


class PasskeyField(forms.Field):
    """The response of a passkey. The library that parses it may raise any of `no_answer`."""

    widget = forms.HiddenInput
    default_error_messages = {"invalid": gettext_lazy("The passkey did not work. Try again.")}
    no_answer = (
        *(json_guard.NotJson, AttributeError, LookupError, RecursionError),
        *(TypeError, ValueError, struct.error),
    )

    def __init__(self, answer: type[AuthenticationResponse | RegistrationResponse]) -> None:
        super().__init__()
        self.answer = answer

    def to_python(self, value: Any) -> Any:
        if value in self.empty_values:
            return None
        try:
            parsed = json_guard.parse(value)
            self.answer.from_dict(parsed)
        except self.no_answer as error:
            raise ValidationError(self.error_messages["invalid"], code="invalid") from error
        return parsed


class PasskeyForm(passkey_forms.AuthenticateWebAuthnForm):
    credential = PasskeyField(AuthenticationResponse)


class PasskeyLoginForm(passkey_forms.LoginWebAuthnForm):
    credential = PasskeyField(AuthenticationResponse)


class PasskeyAgainForm(passkey_forms.ReauthenticateWebAuthnForm):
    credential = PasskeyField(AuthenticationResponse)


class AddPasskeyForm(passkey_forms.AddWebAuthnForm):
    credential = PasskeyField(RegistrationResponse)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name of the passkey")
        self.fields["passwordless"].label = _("Log in without a password")
        self.fields["passwordless"].help_text = _(
            "Confirm the passkey with your finger, face or PIN."
        )


def _drop_placeholders(form: forms.Form) -> None:
    # A label remains visible while typing; a placeholder does not.
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)
