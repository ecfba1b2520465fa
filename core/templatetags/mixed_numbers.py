from fractions import Fraction

from django import template

from core.numbers import mixed_number

register = template.Library()


@register.filter
def mixed(value: object) -> object:
    """Format a Fraction as a mixed number (2½); return other values unchanged."""
    return mixed_number(value) if isinstance(value, Fraction) else value
