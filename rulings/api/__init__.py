"""Rulings to read, as JSON or as plain text."""

from rulings.api.lists import AllRulings, DocumentList, RulingList
from rulings.api.single import RulingDetail

__all__ = ["AllRulings", "DocumentList", "RulingDetail", "RulingList"]
