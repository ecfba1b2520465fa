"""How the first stage is run: the usual way, another one, and until when it can change."""

import pytest

from tests.factories.tournaments import draft_round, make_event, owner_of
from tournaments import queries
from tournaments.models import Tournament
from tournaments.services import events


@pytest.mark.parametrize(
    ("scoring_rule", "system"),
    [
        ("onr_runner_only", "double"),
        ("anr_double", "double"),
        ("anr_single", "single"),
        ("free_radicals", "pods"),
    ],
)
def test_an_event_begins_as_is_usual_for_its_scoring(scoring_rule: str, system: str):
    event = make_event(players=0, scoring_rule=scoring_rule)

    assert queries.current_stage(event).system == system


def test_the_system_changes_until_round_one_is_paired(event: Tournament):
    events.change_settings(event, owner_of(event), system="round_robin")

    assert queries.current_stage(event).system == "round_robin"
    told = event.log.get(action="settings changed")
    assert (told.before, told.after) == ({"system": "double"}, {"system": "round_robin"})


def test_the_system_of_a_paired_event_is_fixed(event: Tournament):
    draft_round(event)

    with pytest.raises(events.SettingIsFixed, match="system can no longer change"):
        events.change_settings(event, owner_of(event), system="manual")

    assert queries.current_stage(event).system == "double"
