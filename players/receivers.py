"""Receivers of signals about accounts."""

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed, authenticator_added
from django.contrib import messages
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import ngettext

from core.addresses import counted_address
from players import factors, incidents, logins, sessions
from players.models import IncidentKind, User


@receiver([password_changed, password_set, password_reset])
def end_sessions_of_old_password(request: HttpRequest, user: User, **kwargs: Any) -> None:
    sessions.end_other_sessions(user, request.session.session_key)


@receiver(password_reset)
def forget_wrong_passwords(user: User, **kwargs: Any) -> None:
    logins.reset_tries(user)


@receiver(user_logged_in)
def store_login_time(request: HttpRequest | None, **kwargs: Any) -> None:
    if request is not None:
        sessions.store_login(request)


@receiver(authenticator_added)
def end_sessions_without_factor(
    request: HttpRequest, user: User, authenticator: Authenticator, **kwargs: Any
) -> None:
    # Sessions from before the first factor have not passed it.
    others = Authenticator.objects.filter(user_id=user.pk, type__in=factors.STRONG_TYPES)
    if (
        authenticator.type not in factors.STRONG_TYPES
        or others.exclude(pk=authenticator.pk).exists()
    ):
        return
    if ended := sessions.end_other_sessions(user, request.session.session_key):
        message = ngettext(
            "%(count)d other session was logged out. Log in there again with a code or passkey.",
            "%(count)d other sessions were logged out. Log in there again with a code or passkey.",
            ended,
        )
        messages.info(request, message % {"count": ended})


@receiver(authenticator_added)
def use_up_activation_code(
    request: HttpRequest, authenticator: Authenticator, **kwargs: Any
) -> None:
    # allauth would accept the code that activated the app again at login.
    if authenticator.type == Authenticator.Type.TOTP:
        authenticator.wrap().validate_code(request.POST.get("code", ""))


@receiver(authentication_failed)
def count_wrong_code(request: HttpRequest, **kwargs: Any) -> None:
    incidents.record_incident(IncidentKind.WRONG_CODE, counted_address(request))
