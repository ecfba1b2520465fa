"""Allauth adapters: connect accounts with players, and limit logins."""

import logging
from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import InvalidToken
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from knox.models import get_token_model

from core import encryption, rate_limits
from core.addresses import client_address, counted_address, shared_address, shared_url
from core.languages import choose_language
from players import incidents, logins, queries, services, sessions
from players.models import IncidentKind, User

logger = logging.getLogger(__name__)
KEY_MISSING = _(
    "This site cannot check your code, because its encryption key was replaced. Contact the site's "
    "administrator."
)
# Ways to confirm the identity again, worded as on other pages.
METHOD_LABELS = {
    "reauthenticate": _("Use my password"),
    "mfa_reauthenticate": _("Use a code from my app"),
    "mfa_reauthenticate:webauthn": _("Use a passkey"),
}


class AccountAdapter(DefaultAccountAdapter):
    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        saved: User = super().save_user(request, user, form, commit=commit)
        if commit:
            name = form.cleaned_data.get("display_name", "")
            services.give_account_a_player(saved, name, queries.claimed_guest(request))
        return saved

    def login(self, request: HttpRequest, user: User) -> None:
        """Log in with a new session id, and link the session's guest to the account if possible."""
        guest = queries.claimed_guest(request)
        super().login(request, user)
        queries.forget_current_player(request)
        if guest is None:
            # The guest was linked at sign-up, or its link was replaced.
            request.session.pop(sessions.GUEST_KEY, None)
            return
        try:
            services.link_guest(guest, user)
        except services.AccountHasPlayer as refusal:
            messages.warning(
                request,
                gettext(
                    "%(refusal)s %(guest)s remains a separate player with their own events. To "
                    "play as %(guest)s on this device again, log out."
                )
                % {"refusal": refusal, "guest": guest.name},
            )
        except (services.PlayerHasAccount, services.PlayerErased) as refusal:
            messages.warning(request, str(refusal))
        else:
            request.session.pop(sessions.GUEST_KEY, None)
            messages.success(
                request, gettext("%(guest)s now belongs to your account.") % {"guest": guest.name}
            )

    def post_login(self, request: HttpRequest, user: User, **options: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **options)
        logins.remember_device(response, request, user)
        return response

    def logout(self, request: HttpRequest) -> None:
        """Log out and drop the session, except for a guest without a link to the account."""
        guest = queries.claimed_guest(request)
        super().logout(request)
        queries.forget_current_player(request)
        if guest is not None:
            request.session[sessions.GUEST_KEY] = [guest.pk, guest.claim_generation]

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        # Not shortly after a login (ASVS 7.5.1).
        if sessions.has_logged_in_within(self.request, settings.ACCOUNT_REAUTHENTICATION_TIMEOUT):
            return False
        return bool(super().is_reauthentication_required(app=app, **kwargs))

    def get_reauthentication_methods(self, user: User | AnonymousUser) -> list[dict[str, Any]]:
        methods = super().get_reauthentication_methods(user)
        return [{**method, "description": str(METHOD_LABELS[method["id"]])} for method in methods]

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        # A new password does not revoke API tokens, so show them.
        tokens = get_token_model().objects.filter(user=request.user, revoked_at=None)
        if not tokens.exists():
            return reverse("players:me")
        return f"{reverse('tournaments:tokens')}?after=password"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an email with links to the site's own address. Failures are logged.

        Its language is that of the account, or else that of the browser.
        """
        # The Host header may be made up.
        site = {"name": "Datafort", "domain": shared_address(self.request)}
        links = {
            name: shared_url(self.request, urlsplit(url)._replace(scheme="", netloc="").geturl())
            for name, url in context.items()
            if name.endswith("_url")
        }
        account = context.get("user")
        language = choose_language(
            dict(settings.LANGUAGES),
            account.language if account else "",
            translation.get_language_from_request(self.request),
        )
        try:
            with translation.override(language):
                super().send_mail(
                    template_prefix, email, {"current_site": site, **context, **links}
                )
        except OSError as error:
            logger.exception("The mail server did not accept the email %s.", template_prefix)
            purpose = template_prefix.rpartition("/")[2].replace("_", " ")
            incidents.record_unsent_email(purpose, error)

    def welcome(self, user: User, others: list[str]) -> None:
        """Email an address about a new account with it, and list its older accounts."""
        reset = shared_url(self.request, reverse("account_reset_password"))
        context = {"user": user, "others": others, "password_reset_url": reset}
        self.send_mail("account/email/signed_up", user.email, context)

    def get_client_ip(self, request: HttpRequest) -> str:
        # All other limits count by this address too.
        return client_address(request)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Disable allauth's own count: `authenticate` counts tries."""

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Return the account of these credentials, within the limit on failed tries."""
        keys = logins.try_counters(request, credentials)
        allowed = [key for key in keys if not logins.has_too_many_tries(key)]
        if not allowed:
            incidents.record_incident(IncidentKind.TOO_MANY_TRIES, counted_address(request))
            raise self.validation_error("too_many_login_attempts")
        for key in allowed:
            if user := self._check_password(keys[key], request, credentials):
                for counted in keys:
                    rate_limits.decrement_counter(counted)
                return user
        incidents.record_incident(IncidentKind.WRONG_PASSWORD, counted_address(request))
        return None

    def _check_password(
        self, known: User | None, request: HttpRequest, credentials: dict[str, Any]
    ) -> User | None:
        if known is not None:
            return known if known.check_password(credentials["password"]) else None
        # The form gives username and email for an address. Both would be looked up and hashed, and
        # the time would reveal that the address is known here.
        login = logins.submitted_login(credentials)
        user: User | None = super().authenticate(
            request, username=login, password=credentials["password"]
        )
        return user


class MFAAdapter(DefaultMFAAdapter):
    def encrypt(self, text: str) -> str:
        return encryption.encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return encryption.decrypt(encrypted_text)
        except InvalidToken as error:
            logger.error("second_factor_key_missing")
            raise ValidationError(KEY_MISSING) from error

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:  # noqa: A002
        count = Authenticator.objects.filter(user_id=user.pk, type=type).count()
        if count == 0:
            return gettext("My passkey")
        return gettext("Passkey %(number)s") % {"number": count + 1}
