"""The key of a form that is to be done once, however often it is sent."""

from uuid import uuid4

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from core.idempotency import FIELD

register = template.Library()


@register.simple_tag
def idempotency_key() -> SafeString:
    """A hidden field with a key nobody has used before."""
    return format_html('<input type="hidden" name="{}" value="{}">', FIELD, uuid4().hex)
