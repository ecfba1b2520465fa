"""The sandbox from the desk: made, marked on every page, played at random, thrown away."""

from django.test import Client

from tests.factories.tournaments import owner_of, play_round
from tests.tournaments.pages import url
from tournaments.desk.services import practice
from tournaments.event import queries
from tournaments.models import Tournament

MARK = "PRACTICE"


def test_an_organiser_makes_a_copy_and_plays_an_evening_in_it(event: Tournament, desk: Client):
    desk.post(url("practice", event))
    made = Tournament.objects.get(practice_of=event)

    for number in (1, 2):
        answer = desk.post(url("practice_play", made), {"what": "round"}, follow=True)
        assert f"Round {number} was played at random" in answer.content.decode()
    desk.post(url("practice_end", made))

    assert not Tournament.objects.filter(practice_of=event).exists()
    assert Tournament.objects.filter(pk=event.pk).exists()


def test_each_page_of_a_sandbox_is_marked_and_none_of_the_event(event: Tournament, desk: Client):
    play_round(event)
    made = practice.copy(event, owner_of(event), with_rounds=True)
    names = ("desk", "event", "pairings", "standings", "projector", "roster", "log", "settings")

    for name in names:
        assert MARK in desk.get(url(name, made)).content.decode(), name
        assert MARK not in desk.get(url(name, event)).content.decode(), name
    assert MARK in desk.get(url("round", made, 1)).content.decode()


def test_the_rounds_so_far_come_along_when_the_box_is_ticked(event: Tournament, desk: Client):
    play_round(event)

    desk.post(url("practice", event), {"rounds": "yes"})

    assert queries.rounds(Tournament.objects.get(practice_of=event)).count() == 1


def test_what_cannot_be_played_is_said(event: Tournament, desk: Client):
    made = practice.copy(event, owner_of(event))

    answer = desk.post(url("practice_play", made), follow=True).content.decode()
    real = desk.post(url("practice_play", event), follow=True).content.decode()
    kept = desk.post(url("practice_end", event), follow=True).content.decode()

    assert "No round is under way" in answer
    assert "This is a real event" in real
    assert "This is a real event" in kept
