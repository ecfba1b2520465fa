"""Addresses that pages show to be copied, scanned or typed on another device."""

from typing import Any

from django import template
from django.conf import settings
from django.template.context import RequestContext

from core import addresses

register = template.Library()


@register.simple_tag(takes_context=True)
def site_address(context: RequestContext) -> str:
    """Return the address of the site for other devices, such as http://192.168.1.20:8000."""
    return addresses.shared_address(context["request"])


@register.simple_tag(takes_context=True)
def site_host(context: RequestContext) -> str:
    """Return the same address without its scheme, as people type it."""
    return site_address(context).partition("://")[2]


@register.simple_tag(takes_context=True)
def unreachable_address(context: RequestContext) -> str:
    """Return the address of the site if only this computer can open it, otherwise ""."""
    address = site_address(context)
    return address if addresses.is_local_only(address) else ""


@register.inclusion_tag("components/address_warning.html", takes_context=True)
def address_warning(context: RequestContext) -> dict[str, Any]:
    """Show a warning, with what to do, when other devices cannot open the links of this page."""
    listener = addresses.listener
    return {
        "address": unreachable_address(context),
        "is_configured": bool(settings.SITE_ADDRESS),
        "has_no_network": listener is not None and listener.host in addresses.ANY_HOST,
    }
