"""An event changes the infraction guide for itself."""

import pytest

from rulings.guide import PenaltyKind
from tests.factories.penalties import penalise
from tests.factories.tournaments import add_staff, fresh, make_event, owner_of, player_number
from tournaments.actors import Actor
from tournaments.models import StaffRole, Tournament
from tournaments.queries import penalties as asked
from tournaments.services import infraction_guide, penalties

WARNING, GAME = PenaltyKind.WARNING, PenaltyKind.GAME_LOSS


@pytest.fixture
def event() -> Tournament:
    return make_event(players=2)


def test_another_ladder_holds_here_and_nowhere_else(event: Tournament):
    version = fresh(event).version
    infraction_guide.change_infraction(event, owner_of(event), "late", ladder=[GAME])

    assert penalties.expected(event, player_number(event, 1), "late") is GAME
    elsewhere = make_event(players=2, name="Elsewhere")
    assert penalties.expected(elsewhere, player_number(elsewhere, 1), "late") is WARNING
    assert fresh(event).version > version


def test_an_infraction_of_its_own_and_back_to_the_guide(event: Tournament):
    owner = owner_of(event)
    infraction_guide.change_infraction(event, owner, "shoes", name="No shoes", ladder=["warning"])
    assert penalise(player_number(event, 1), infraction="shoes").infraction_name == "No shoes"

    infraction_guide.forget_change(event, owner, "shoes")
    infraction_guide.forget_change(event, owner, "shoes")

    assert "shoes" not in asked.guide_of(event).infractions
    assert event.penalties.get().infraction_name == "No shoes"
    assert event.log.filter(action="infraction as in the guide").count() == 1


@pytest.mark.parametrize(
    ("code", "told", "said"),
    [
        ("shoes", {"ladder": ["warning"]}, "needs a name"),
        ("shoes", {"name": "No shoes"}, "The ladder has no step"),
        ("late", {"ladder": ["death"]}, 'There is no penalty "death"'),
        ("late", {"ladder": ["game_loss", "caution"]}, "The ladder goes down"),
        ("No Code!", {"name": "No shoes", "ladder": ["warning"]}, "is no code"),
    ],
)
def test_what_makes_no_infraction_is_refused(event: Tournament, code: str, told, said: str):
    with pytest.raises(infraction_guide.BadChange, match=said):
        infraction_guide.change_infraction(event, owner_of(event), code, **told)

    assert not event.infraction_changes.exists()


@pytest.mark.parametrize("role", [StaffRole.JUDGE, StaffRole.SCOREKEEPER])
def test_only_the_head_judge_changes_it(event: Tournament, role: str):
    somebody = Actor(user=add_staff(event, role))

    with pytest.raises(penalties.NotForThisJudge):
        infraction_guide.change_infraction(event, somebody, "late", is_off=True)
    with pytest.raises(penalties.NotForThisJudge):
        infraction_guide.forget_change(event, somebody, "late")
