"""What allauth and Django tell of accounts."""

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed, authenticator_added
from django.contrib import messages
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

from core.client_addresses import counted_address
from players import factors, incidents, login_tries, sessions
from players.models import IncidentKind, User


@receiver([password_changed, password_set, password_reset])
def end_sessions_of_the_old_password(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """A new password ends every session that was opened with the one before."""
    sessions.end_others(user, request.session.session_key)


@receiver(password_reset)
def forget_wrong_passwords(user: User, **kwargs: Any) -> None:
    """Whoever has set a new password by mail may try it at once."""
    login_tries.forget(user)


@receiver(user_logged_in)
def keep_the_moment(request: HttpRequest | None, **kwargs: Any) -> None:
    """The session knows when and where it was logged in."""
    if request is not None:
        sessions.note_login(request)


@receiver(authenticator_added)
def end_sessions_without_it(
    request: HttpRequest, user: User, authenticator: Authenticator, **kwargs: Any
) -> None:
    """The first second factor ends all sessions that were opened without one."""
    others = Authenticator.objects.filter(user_id=user.pk, type__in=factors.STRONG)
    if authenticator.type not in factors.STRONG or others.exclude(pk=authenticator.pk).exists():
        return
    if ended := sessions.end_others(user, request.session.session_key):
        messages.info(request, f"Logged out elsewhere: {ended}. Log in there with the new factor.")


@receiver(authenticator_added)
def use_up_activation_code(
    request: HttpRequest, authenticator: Authenticator, **kwargs: Any
) -> None:
    """The code that activated an app is used: allauth would accept it once more at login."""
    if authenticator.type == Authenticator.Type.TOTP:
        authenticator.wrap().validate_code(request.POST.get("code", ""))


@receiver(authentication_failed)
def count_wrong_code(request: HttpRequest, **kwargs: Any) -> None:
    """Count a wrong code of a second factor."""
    incidents.record(IncidentKind.WRONG_CODE, counted_address(request))
