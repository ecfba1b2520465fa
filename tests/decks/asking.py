"""Run check_deck as scripts do."""

import io
import json

import pytest
from django.core.management import call_command


def check_deck(path, *arguments):
    """(exit status, the document)"""
    out = io.StringIO()
    with pytest.raises(SystemExit) as end:
        call_command("check_deck", str(path), "--json", *arguments, stdout=out)
    return end.value.code, json.loads(out.getvalue())


def standard(day):
    return "--format", "standard", "--date", day
