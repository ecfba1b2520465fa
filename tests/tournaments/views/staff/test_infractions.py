"""The infraction guide of an event: everybody reads it, the head judge changes it."""

import pytest
from django.test import Client

from players.models import User
from rulings.guide import PenaltyKind
from tests.factories.tournaments import add_staff, make_event
from tests.tournaments.views.staff.conftest import LogIn, path
from tournaments.models import Tournament
from tournaments.queries.penalties import guide_of

WARNING, GAME_LOSS = PenaltyKind.WARNING, PenaltyKind.GAME_LOSS
LADDER = {"step_1": "warning", "step_2": "", "step_3": "game_loss", "step_4": "", "step_5": ""}


@pytest.fixture
def head_judge(event: Tournament, log_in: LogIn) -> Client:
    return log_in(add_staff(event, "head_judge"))


def public_page(event: Tournament) -> str:
    answer = Client().get(path(event, "guide/"))
    assert answer.status_code == 200
    return answer.content.decode()


def change(browser: Client, event: Tournament, code: str, **fields: str) -> str:
    """What is shown after the form was sent."""
    answer = browser.post(path(event, f"desk/guide/of/{code}/"), {**LADDER, **fields}, follow=True)
    return answer.content.decode()


def test_another_ladder_holds_at_this_event_alone(head_judge: Client, event: Tournament):
    other = make_event(players=0, name="Other")
    assert "changes of this event" not in public_page(event)

    change(head_judge, event, "slow-play")

    slow = guide_of(event).infractions["slow-play"]
    assert slow.ladder == (WARNING, WARNING, GAME_LOSS)
    assert guide_of(other).infractions["slow-play"].ladder[0] is PenaltyKind.CAUTION
    assert "changes of this event" in public_page(event)
    assert "changed here" in public_page(event).partition('id="slow-play"')[2][:300]


def test_the_page_of_the_guide_is_new_once_it_was_changed(head_judge: Client, event: Tournament):
    etag = Client().get(path(event, "guide/"))["ETag"]

    change(head_judge, event, "slow-play")

    again = Client().get(path(event, "guide/"), headers={"If-None-Match": etag})
    assert again.status_code == 200


def test_an_infraction_that_is_off_is_told_apart_and_comes_back(
    head_judge: Client, event: Tournament
):
    change(head_judge, event, "slow-play", is_off="on")
    without = public_page(event)
    reset = path(event, "desk/guide/of/slow-play/reset/")
    answer = head_judge.post(reset, follow=True).content.decode()

    assert "Slow play" in without.partition("Not used at this event")[2]
    assert "is as in the guide again" in answer
    assert "slow-play" in guide_of(event).infractions
    assert "Not used at this event" not in public_page(event)


def test_an_own_infraction_gets_a_code_of_its_name_and_can_be_removed(
    head_judge: Client, event: Tournament
):
    fields = {**LADDER, "name": "Pizza on the table", "description": "Grease on <b>cards</b>."}
    for _ in range(2):
        head_judge.post(path(event, "desk/guide/new/"), fields)
    page = public_page(event)
    head_judge.post(path(event, "desk/guide/of/pizza-on-the-table/reset/"))

    assert 'id="pizza-on-the-table"' in page
    assert 'id="pizza-on-the-table-2"' in page
    assert "Grease on &lt;b&gt;cards&lt;/b&gt;." in page
    assert "pizza-on-the-table" not in guide_of(event).infractions
    assert "pizza-on-the-table-2" in guide_of(event).infractions


def test_an_own_infraction_of_a_name_in_another_script_has_a_code_as_well(
    head_judge: Client, event: Tournament
):
    head_judge.post(path(event, "desk/guide/new/"), {**LADDER, "name": "遅刻"})

    assert guide_of(event).infractions["own"].name == "遅刻"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"step_1": "game_loss", "step_2": "caution"}, "The ladder goes down"),
        ({"step_1": "shouting"}, "Select a valid choice"),
        ({"step_1": ""}, "This field is required"),
    ],
)
def test_a_ladder_that_cannot_be_is_told_at_the_field(
    fields: dict[str, str], said: str, head_judge: Client, event: Tournament
):
    answer = head_judge.post(path(event, "desk/guide/of/slow-play/"), {**LADDER, **fields})

    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not event.infraction_changes.exists()


def test_a_judge_reads_and_the_head_judge_changes(
    event: Tournament, log_in: LogIn, head_judge: Client
):
    judge = log_in(add_staff(event, "judge"))
    address = path(event, "desk/guide/of/slow-play/")

    assert judge.get(path(event, "desk/guide/")).status_code == 200
    assert address not in judge.get(path(event, "desk/guide/")).content.decode()
    assert address in head_judge.get(path(event, "desk/guide/")).content.decode()
    assert judge.post(address, LADDER).status_code == 403
    assert head_judge.get(path(event, "desk/guide/of/no-such/")).status_code == 404


def test_a_change_names_who_made_it_in_the_log(head_judge: Client, event: Tournament, owner: User):
    change(head_judge, event, "slow-play")

    entry = event.log.get(action="infraction changed")
    assert entry.user is not None
    assert entry.user != owner
