"""Verdict as text, and the rules of an event."""

import datetime
from dataclasses import replace
from typing import Any

import pytest

from decks.legality import verdicts
from decks.legality.check_texts import check_text
from decks.legality.records import AnrRules, OutdatedCardData
from decks.legality.verdicts import DeckVerdict, LegalSpan
from tests.factories.decks import card

CORP = DeckVerdict(
    game="anr",
    side="corp",
    date=datetime.date(2025, 9, 17),
    text="",
    seal="",
    size=49,
    agenda_points=20,
    agenda_minimum=20,
    agenda_maximum=21,
    slots=(),
    lines=(),
    breaches=(),
    identity=card("Jinteki: Restoring Humanity", "anr"),
    influence_spent=12,
    influence_limit=15,
    format_id="standard",
    format_name="Standard",
    lists_in_force=(
        check_text("pool_in_force", pool="Standard"),
        check_text("list_in_force", restriction="Standard ban list 25.08"),
    ),
    find_span=lambda: LegalSpan(datetime.date(2025, 8, 1), datetime.date(2025, 10, 2)),
)


def test_verdict_states_figures_format_and_dates():
    assert list(verdicts.verdict_lines(CORP)) == [
        "Corp deck, 49 cards, 20 agenda points (20 or 21 needed), 12 influence (of 15): legal.",
        "Identity: Jinteki: Restoring Humanity",
        "Format: Standard, 17 September 2025: card pool Standard and Standard ban list 25.08",
        "Legal from 1 August 2025 until 2 October 2025.",
    ]


def test_verdict_warns_of_outdated_lists():
    outdated = OutdatedCardData(datetime.date(2025, 8, 1), datetime.date(2026, 9, 17), None)
    verdict = replace(CORP, outdated=outdated)

    assert list(verdicts.verdict_lines(verdict)) == [
        *verdicts.verdict_lines(CORP),
        f"! {outdated.texts[0]} {outdated.texts[1]}",
    ]


@pytest.mark.parametrize(
    ("settings", "rules"),
    [
        ({}, AnrRules()),
        (
            {"format_id": "standard", "identities_only": True},
            AnrRules("standard", identities_only=True),
        ),
    ],
)
def test_settings_of_an_event_become_rules(settings: dict[str, Any], rules: AnrRules):
    assert AnrRules.from_settings(settings) == rules


@pytest.mark.parametrize("settings", [{"format_id": 3}, {"identities_only": 1}])
def test_invalid_settings_are_refused(settings: dict[str, Any]):
    with pytest.raises(ValueError, match=next(iter(settings))):
        AnrRules.from_settings(settings)
