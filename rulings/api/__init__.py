"""Rulings to read, as JSON or as plain text, and to write."""

from rulings.api.lists import RulingViewSet
from rulings.api.writing import RulingWritingViewSet
