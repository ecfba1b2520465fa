"""Limits for logins over plain http, which others in the network can read."""

from collections.abc import Callable
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string

from core.client_addresses import client_address
from players.models import User

REFUSED = (
    "This account helps to run events or the site, so its password is not taken over plain http: "
    "others in this network can read along. Log in on the computer that runs Datafort, at {local}. "
    "Or ask whoever runs it to serve Datafort over https, or to allow such log-ins "
    "(DATAFORT_PLAIN_LOGINS, in the operations guide). Anybody may have read the password you have "
    "just typed: change it when you are in."
)


def is_unprotected(request: HttpRequest) -> bool:
    """Return whether others in the network can read this request.

    False for https and for requests from this machine.
    """
    return not request.is_secure() and not _is_loopback(client_address(request))


def refuses_staff(request: HttpRequest) -> bool:
    """Return whether staff cannot log in over this connection."""
    return not settings.ALLOW_PLAIN_LOGINS and is_unprotected(request)


def refusal(request: HttpRequest) -> str:
    """Return the message that explains the refusal and the alternatives."""
    return REFUSED.format(local=f"http://127.0.0.1:{request.get_port()}")


def is_staff_somewhere(user: User) -> bool:
    """Return whether the account runs the site, or has a role at an event."""
    has_a_role: Callable[[User], bool] = import_string(settings.HAS_A_ROLE)
    return user.is_staff or user.is_superuser or has_a_role(user)


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        # The address is empty for a Unix socket of this machine.
        return address == ""
