"""Canaries: what only some may know of an event sings in no answer of the API to others."""

import pytest
from rest_framework.test import APIClient

from rulings.models import JudgeCall
from rulings.services import write_note
from tests.api.matrix.rows import DESK, JUDGE, RUN, SEATED
from tests.api.matrix.scene import PREFIX, Scene, make_scene
from tests.api.matrix.table import DECLARED
from tests.factories.submissions import plain_card, submit
from tests.factories.tournaments import owner_of
from tests.factories.webhooks import ADDRESS
from tournaments.models import Announcing, Penalty, Registration, Tournament
from tournaments.services.exporting import FORMATS

# What everybody is answered depends on no database.
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.check(5, 7),
    pytest.mark.goal("G8"),
]
CARD, GROUP, ASKED, NOTED, GIVEN = (
    *("Canary Protocol", "Canary nest", "Canary asked", "Canary noted", "Canary given"),
)
MAIL, CHANNEL = "canary@example.org", "canary-channel"
SEED, LOT = '"seed":8642', "7654321987654"
NOBODY: frozenset[str] = frozenset()
READERS = {
    CARD: JUDGE | {"player"},
    # What is kept of a person is told to that person.
    GROUP: DESK | {"opponent"},
    SEED: DESK | {"opponent"},
    LOT: RUN,
    ASKED: JUDGE | SEATED,
    NOTED: JUDGE,
    GIVEN: JUDGE,
    MAIL: NOBODY,
    CHANNEL: NOBODY,
    ADDRESS: NOBODY,
}
"""Who behind the desk, or at the table, finds it somewhere."""
ACTORS = ("anonymous", "player", "opponent", "scorekeeper", "judge", "read_token")


@pytest.fixture
def scene() -> Scene:
    """Table 1 and those who sit there have the canaries; nothing is pinned on the bystander."""
    scene = make_scene()
    event, owner = scene.event, owner_of(scene.event)
    submit(scene.mine, cards=(plain_card(CARD),))
    theirs = Registration.objects.filter(pk=scene.theirs.pk)
    theirs.update(avoid_group=GROUP, seed=8642)
    Tournament.objects.filter(pk=event.pk).update(seed=int(LOT))
    call = JudgeCall.objects.get(match__seats__player=scene.mine.player)
    JudgeCall.objects.filter(pk=call.pk).update(about=ASKED)
    write_note(call.match, owner.user, NOTED)
    penalty = Penalty.objects.get(tournament=event)
    type(penalty.note).objects.filter(pk=penalty.note_id).update(text=GIVEN)
    owner.user.email = MAIL
    owner.user.save()
    Announcing.objects.create(tournament=event, webhook=f"https://hooks.example/{CHANNEL}")
    return scene


def answers(client: APIClient, scene: Scene) -> str:
    """All that can be read, headers as well; of files also what is private."""
    # The lists of all cards hold the card, whoever plays it.
    reads = [one for one in DECLARED if one.startswith("GET ") and "card" not in one]
    asked = [scene.address(one) for one in reads]
    files = [f"{PREFIX}events/{scene.event.slug}/exports/{form}/" for form in FORMATS]
    asked += [*files, f"{PREFIX}events/{scene.event.slug}/exports/datafort/?private=true"]
    texts = []
    for address in asked:
        answer = client.get(address)
        texts.append(f"{dict(answer.items())}\n{answer.content.decode()}")
    return "\n".join(texts)


def test_each_canary_sings_to_those_who_may_hear_it_and_to_nobody_else(scene: Scene):
    heard = {}
    for actor in ACTORS:
        text = answers(scene.client(actor), scene)
        heard[actor] = {canary for canary in READERS if canary in text}

    for actor in ACTORS:
        # The token is one of the organiser.
        person = "organiser" if actor == "read_token" else actor
        assert heard[actor] == {one for one in READERS if person in READERS[one]}, actor
