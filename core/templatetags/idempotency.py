"""Idempotency keys for forms."""

from uuid import uuid4

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from core.idempotency import FIELD

register = template.Library()


@register.simple_tag
def idempotency_key() -> SafeString:
    return format_html('<input type="hidden" name="{}" value="{}">', FIELD, uuid4().hex)
