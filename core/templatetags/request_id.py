"""The id by which whoever runs the site finds a request in the logs."""

from django import template

from core import logs

register = template.Library()


@register.simple_tag
def request_id() -> str:
    """That of the request being answered; "" outside of one."""
    return logs.request_id()
