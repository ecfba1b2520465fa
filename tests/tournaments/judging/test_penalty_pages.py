"""Pages to give, withdraw and list penalties."""

import re
from typing import Any

import pytest
from django.test import Client

from players.models import User
from rulings.guide import PenaltyKind
from tests.factories.tournaments import (
    close_round,
    enter_result,
    games_for,
    owner_of,
    player_number,
    sitting,
    table,
    tables_of,
)
from tests.tournaments.pages import path
from tests.tournaments.scenes import at_tables
from tournaments.judging import penalties
from tournaments.models import Pairing, Penalty, Registration, Round, Tournament

make_scene = at_tables

HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')


def new_penalty_url(event: Tournament) -> str:
    return path(event, "desk/penalties/new/")


def fields(place: Registration, **more: Any) -> dict[str, Any]:
    """Return the form data of the second page: a caution for slow play."""
    pairing = more.pop("pairing", None) or Pairing.objects.filter(
        match__seats__player=place.player_id
    ).latest("pk")
    return {
        "player": place.number,
        "infraction": "slow-play",
        "kind": "caution",
        "on": pairing.pk,
        "text": "",
        "rulings": "",
        **more,
    }


def play(round_: Round) -> None:
    """Enter all results and close the round."""
    for pairing in tables_of(round_):
        enter_result(pairing, games_for(pairing))
    close_round(round_)


def confirmed(browser: Client, event: Tournament, look: Any, **more: str) -> Any:
    """Submit the preview page."""
    hidden_fields = dict(HIDDEN.findall(look.text.partition("<main")[2]))
    hidden_fields.pop("csrfmiddlewaretoken", None)
    return browser.post(new_penalty_url(event), {**hidden_fields, **more}, follow=True)


def test_players_offered_with_and_without_a_table(
    judge: Client, event: Tournament, place: Registration, pairing: Pairing
):
    of_table = judge.get(new_penalty_url(event), {"table": "1"}).text
    of_event = judge.get(new_penalty_url(event)).text
    numbers = {place.number, sitting(pairing)[1].number}
    other_number = next(number for number in range(1, 5) if number not in numbers)
    of_other = judge.get(new_penalty_url(event), {"table": "1", "player": str(other_number)}).text

    offered = re.findall(r'type="radio" name="player" value="([0-9]+)"', of_table)
    assert set(map(int, offered)) == numbers
    for page in (of_event, of_other):
        assert page.partition('name="player"')[2].partition("</select>")[0].count("<option") == 5
    assert f'value="{other_number}" selected' in of_other


def test_infractions_are_offered_with_the_penalty_for_a_first_offence(
    judge: Client, event: Tournament
):
    page = judge.get(new_penalty_url(event)).text

    assert '<option value="illegal-deck">Illegal deck – game loss</option>' in page
    assert '<option value="slow-play">Slow play – caution</option>' in page


def test_second_page_shows_the_expected_penalty(
    judge: Client, event: Tournament, place: Registration
):
    query: dict[str, Any] = {"player": place.number, "infraction": "slow-play"}
    first = judge.get(new_penalty_url(event), query).text
    judge.post(new_penalty_url(event), fields(place))
    second = judge.get(new_penalty_url(event), query).text

    assert "First time at this event: caution." in first
    assert "Second time at this event: warning." in second
    assert re.search(r'value="warning"[^>]*\bchecked', second)
    assert "Warning (as the guide says)" in second


def test_caution_is_given_once_and_without_a_preview(
    judge: Client, event: Tournament, place: Registration, pairing: Pairing
):
    sent = fields(place, pairing=pairing, text="Five <b>minutes</b>.", idempotency_key="a-key")
    answer, again = (judge.post(new_penalty_url(event), sent, follow=True) for _ in range(2))

    assert again.redirect_chain == answer.redirect_chain
    penalty = event.penalties.get()
    page = answer.text
    assert (penalty.kind, penalty.pairing, penalty.registration) == ("caution", pairing, place)
    assert answer.redirect_chain[0][0].endswith(f"#penalty-{penalty.pk}")
    assert "Five &lt;b&gt;minutes&lt;/b&gt;." in page
    assert "Jinteki" in page


def test_game_loss_has_a_preview(
    judge: Client, event: Tournament, place: Registration, pairing: Pairing
):
    sent = fields(place, pairing=pairing, kind="game_loss", game="2", text="It was the third time")
    look = judge.post(new_penalty_url(event), sent)
    shown = look.text
    given_too_early = event.penalties.exists()
    confirmed(judge, event, look)

    opponent = sitting(pairing)[1].player.name
    assert look.status_code == 200
    assert f"Game 2 of table 1 goes to <bdi>{opponent}</bdi>: 10 points." in shown
    assert "Round 1 is still open." in shown
    assert not given_too_early
    penalty = event.penalties.get()
    assert (penalty.kind, penalty.game, penalty.expected) == ("game_loss", 2, "caution")
    assert penalty.note.text == "It was the third time"


def test_penalty_without_a_table_waits_for_the_next_round(
    judge: Client, event: Tournament, place: Registration, round_: Round
):
    play(round_)
    sent = fields(place, kind="game_loss", on="next", infraction="illegal-deck")
    look = judge.post(new_penalty_url(event), sent)
    page = confirmed(judge, event, look).text

    assert "loses the first game of their next match." in look.text
    assert event.penalties.get().is_waiting
    assert "1 penalty applies in the next round:" in page


def test_changed_effect_is_shown_again(
    judge: Client, event: Tournament, place: Registration, round_: Round
):
    pairing = table(round_, 1)
    sent = fields(place, pairing=pairing, kind="match_loss", text="Why")
    look = judge.post(new_penalty_url(event), sent)
    play(round_)

    again = confirmed(judge, event, look)

    assert again.status_code == 409
    for words in ("Something has changed.", "Round 1 is closed, so its standings"):
        assert words in again.text
    assert not event.penalties.exists()


def test_concurrently_changed_effect_is_shown_again(
    judge: Client,
    event: Tournament,
    place: Registration,
    round_: Round,
    monkeypatch: pytest.MonkeyPatch,
):
    sent = fields(place, pairing=table(round_, 1), kind="match_loss", text="Why")
    look, give = judge.post(new_penalty_url(event), sent), penalties.give

    def closed_just_before(*arguments: Any, **more: Any) -> Penalty:
        play(round_)
        return give(*arguments, **more)

    monkeypatch.setattr(penalties, "give", closed_just_before)
    again = confirmed(judge, event, look)

    assert again.status_code == 409
    assert "Something has changed." in again.text
    assert not event.penalties.exists()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"kind": "warning"}, "The guide says caution. Give a reason for another penalty."),
        ({"kind": "game_loss", "text": "Why"}, "Choose the game that the player loses."),
        ({"kind": "nonsense"}, "Select a valid choice"),
        ({"rulings": "R-9999"}, "There is no ruling with the code"),
    ],
)
def test_errors_are_shown_at_the_field(
    more: dict[str, str], message: str, judge: Client, event: Tournament, place: Registration
):
    answer = judge.post(new_penalty_url(event), fields(place, **more))

    assert answer.status_code == 422
    assert message in answer.text
    assert not event.penalties.exists()


def test_disqualification_requires_the_head_judge_and_a_confirmation(
    judge: Client, head_judge: Client, event: Tournament, place: Registration, pairing: Pairing
):
    query: dict[str, Any] = {"player": place.number, "infraction": "slow-play"}
    for browser, offered in ((head_judge, 5), (judge, 4)):
        page = browser.get(new_penalty_url(event), query)
        kinds = (f'name="kind" value="{kind}"' for kind in PenaltyKind)
        assert sum(kind in page.text for kind in kinds) == offered
    sent = fields(place, pairing=pairing, kind="disqualification", text="He hit the table")
    refused = judge.post(new_penalty_url(event), sent)
    look = head_judge.post(new_penalty_url(event), sent)
    unsure = confirmed(head_judge, event, look)
    before = event.penalties.count()
    confirmed(head_judge, event, look, sure="on", idempotency_key="another")

    assert refused.status_code == 422
    assert unsure.status_code == 409
    assert "Tick this box to confirm." in unsure.text
    assert before == 0
    assert event.penalties.get().kind == "disqualification"
    assert player_number(event, place.number).state == "dropped"


def test_loss_during_a_round_requires_its_table(
    judge: Client, event: Tournament, place: Registration, pairing: Pairing
):
    sent = fields(place, kind="match_loss", on="next", text="Why")
    open_ = judge.post(new_penalty_url(event), sent).text
    enter_result(pairing, games_for(pairing))
    settled = judge.post(new_penalty_url(event), sent).text

    assert "Select a valid choice" in open_
    assert "A round is being played. Choose the table where the penalty applies." in settled


def test_withdrawal_shows_its_effect_and_requires_a_reason(
    judge: Client, event: Tournament, place: Registration, pairing: Pairing
):
    look = judge.post(
        new_penalty_url(event), fields(place, pairing=pairing, kind="match_loss", text="A mistake")
    )
    confirmed(judge, event, look)
    penalty = event.penalties.get()
    address = path(event, f"desk/penalties/{penalty.pk}/withdraw/")

    page = judge.get(address).text
    without = judge.post(address, {"reason": ""})
    done = judge.post(address, {"reason": "It was the other one"}, follow=True).text
    again = judge.get(address).text
    twice = judge.post(address, {"reason": "Once more"})

    assert "Table 1 of round 1 gets its reported result back." in page
    assert without.status_code == 422
    assert "It was the other one" in done
    assert "penalty--withdrawn" in done
    assert "already been withdrawn" in again
    assert twice.status_code == 409
    assert "already been withdrawn" in twice.text
    assert not Penalty.objects.get(pk=penalty.pk).is_in_force


def test_preview_leads_back_to_the_filled_form(
    judge: Client, event: Tournament, place: Registration, pairing: Pairing
):
    sent = fields(place, pairing=pairing, kind="match_loss", text="Stalled on purpose", call="1")
    look = judge.post(new_penalty_url(event), sent)

    again = confirmed(judge, event, look, back="1")

    assert again.status_code == 200
    assert "Stalled on purpose" in again.text
    assert re.search(r'value="match_loss"[^>]*\bchecked', again.text)
    assert '<input type="hidden" name="call" value="1">' in again.text
    assert not event.penalties.exists()


def test_list_is_ordered_and_filtered(
    judge: Client, event: Tournament, place: Registration, pairing: Pairing, owner: User
):
    opponent = sitting(pairing)[1]
    actor = owner_of(event)
    withdrawn = penalties.give(event, place, actor, infraction="slow-play", text="word one")
    penalties.withdraw(withdrawn, actor, "No")
    penalties.give(event, place, actor, infraction="late", pairing=pairing, text="word two")
    penalties.give(event, opponent, actor, infraction="slow-play", text="word three")
    address = path(event, "desk/penalties/")

    everything = judge.get(address).text
    of_place = judge.get(address, {"player": place.number}).text
    of_slow = judge.get(address, {"infraction": "slow-play", "kind": "caution"}).text
    odd = judge.get(address, {"player": "x", "round": "99", "judge": "-1"})

    texts = [everything.index(word) for word in ("word three", "word two", "word one")]
    assert texts == sorted(texts)
    assert "word three" not in of_place
    assert "word two" in of_place
    assert "2 penalties found" in of_slow
    assert odd.status_code == 200


def test_form_url_is_stored_for_citing(judge: Client, event: Tournament, place: Registration):
    query: dict[str, Any] = {"player": str(place.number), "infraction": "slow-play", "table": "1"}
    judge.get(new_penalty_url(event), query)

    stored = judge.session["citing"]
    assert stored["url"].startswith(f"{new_penalty_url(event)}?")
    for name, value in query.items():
        assert f"{name}={value}" in stored["url"]
