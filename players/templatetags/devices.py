"""Template filter `{{ session.user_agent|device }}` that names a browser."""

from django import template

from players.logins import device_name

register = template.Library()
register.filter("device", device_name)
