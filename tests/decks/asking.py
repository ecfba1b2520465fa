"""Run check_deck as a script would."""

import io
import json

import pytest
from django.core.management import call_command


def check_deck(path, *arguments):
    """Return the exit status and the document."""
    output = io.StringIO()
    with pytest.raises(SystemExit) as end:
        call_command("check_deck", str(path), "--json", *arguments, stdout=output)
    return end.value.code, json.loads(output.getvalue())


def standard(day):
    return "--format", "standard", "--date", day
