"""Rulings to read, as JSON or as plain text, and to write."""

from rulings.api.lists import AllRulings, DocumentList, RulingDetail, RulingList
from rulings.api.writing import Imports, Standing, VersionList
