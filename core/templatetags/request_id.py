from django import template

from core import logs

register = template.Library()


@register.simple_tag
def request_id() -> str:
    return logs.request_id()
