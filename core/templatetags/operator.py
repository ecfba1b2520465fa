"""Facts about the site and its operator, for the footer and error pages."""

from typing import Any

from django import template
from django.conf import settings

from core.version import VERSION
from core.views import contact_address

register = template.Library()


@register.simple_tag
def site_version() -> str:
    return VERSION


@register.inclusion_tag("components/operator.html")
def operator() -> dict[str, Any]:
    """Show the operator's name and contact, or nothing without both."""
    return {
        "name": settings.OPERATOR_NAME,
        "contact": settings.OPERATOR_CONTACT.removeprefix("mailto:"),
        "contact_address": contact_address(),
    }
