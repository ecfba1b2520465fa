"""Messages of modules without Django."""

from django import template

from core.languages import in_words

register = template.Library()
register.filter("in_words", in_words)
