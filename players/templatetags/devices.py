"""{{ session.user_agent|device }}: a browser in words."""

from django import template

from players.devices import device_name

register = template.Library()
register.filter("device", device_name)
