from django import template

from players.logins import device_name

register = template.Library()
register.filter("device", device_name)
