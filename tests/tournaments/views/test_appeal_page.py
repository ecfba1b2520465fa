"""What a head judge reads on the page of an appeal, and the table on its phones."""

from django.urls import reverse

from rulings import services as ruling_services
from rulings.services.calls import Answer
from tests.factories.tournaments import make_event, owner_of, start_round, tables_of
from tests.tournaments.views.cast import browser_of
from tournaments.services import calls


def test_question_answer_and_ruling_stand_there_once():
    event = make_event(players=2)
    (pairing,) = tables_of(start_round(event))
    ruling = ruling_services.new_ruling(
        ruling_services.local_document("onr"), subject="Ambush", text="About an ambush."
    )
    (version,) = ruling.versions.all()
    player = event.registrations.select_related("player").first()
    assert player is not None
    call = calls.raise_call(pairing, owner_of(event), about="Is it sprung?")
    calls.answer(event, call, owner_of(event), Answer("It is not.", cited=[version]))
    phone = browser_of("player", event, player)
    mine = phone.get(reverse("tournaments:my_event", args=[event.slug])).content.decode()
    appeal = calls.appeal(event, call, owner_of(event), "It was")

    address = reverse("tournaments:call", args=[event.slug, appeal.pk])
    page = browser_of("owner", event, player).get(address).content.decode()

    assert "About an ambush." in mine
    for words in ("Is it sprung?", "It is not.", "About an ambush."):
        assert page.count(words) == 1
