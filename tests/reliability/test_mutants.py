"""Rules changed by a letter: nearly every change is noticed by a test."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.mutants import RULES, outcome_of

LEAST = 85
"""Per cent of the changes of each kind of rules."""


@pytest.mark.slow
@pytest.mark.goal("G17")
@pytest.mark.parametrize("rules", RULES)
def test_a_rule_changed_by_a_letter_is_noticed(
    rules: str, tmp_path: Path, figure: Callable[[str], None]
) -> None:
    outcome = outcome_of(RULES[rules], tmp_path)

    assert outcome.per_cent >= LEAST, "\n".join(outcome.unnoticed)
    figure(f"{rules}: {outcome.noticed} of {outcome.changes} changes noticed")
