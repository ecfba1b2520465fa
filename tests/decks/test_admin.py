"""Read-only admin pages of card data, and their query counts."""

import pytest
from django.urls import reverse

from decks import importer
from decks.card_data import readers
from decks.models import Card, CardPool, CardSet, Catalogue, Format, Restriction
from tests.factories.card_sources import source, write_folder
from tests.queries import queries_of

pytestmark = pytest.mark.django_db
MODELS = [Card, CardPool, CardSet, Catalogue, Format, Restriction]


@pytest.fixture(autouse=True)
def loaded(tmp_path):
    importer.import_cards(data=readers.read_folder(write_folder(tmp_path, source()), {}))


def address(model, page, *args):
    return reverse(f"admin:decks_{model._meta.model_name}_{page}", args=args)


def queries(client, url):
    return queries_of(client.get, url)


@pytest.mark.parametrize("model", MODELS)
def test_card_data_is_listed_and_shown_but_never_changed(admin_client, model):
    row = model.objects.first()

    listed = admin_client.get(address(model, "changelist"))
    page_ = admin_client.get(address(model, "change", row.pk))

    assert listed.status_code == page_.status_code == 200
    assert str(row.pk) in listed.content.decode()
    assert "_save" not in page_.content.decode()
    assert admin_client.get(address(model, "add")).status_code == 403
    assert admin_client.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403


def test_card_shows_its_printings_and_a_list_its_cards(admin_client):
    card, list_ = Card.objects.get(card_id="mist_wall"), Restriction.objects.get()

    assert "02001" in admin_client.get(address(Card, "change", card.pk)).content.decode()
    assert (
        "Mist Wall" in admin_client.get(address(Restriction, "change", list_.pk)).content.decode()
    )


@pytest.mark.parametrize("model", [Card, CardSet, Restriction])
def test_longer_list_needs_no_more_queries(admin_client, model):
    url = address(model, "changelist")
    admin_client.get(url)

    few_queries = queries(admin_client, url)
    for number in range(5):
        row = model.objects.first()
        row.pk = None
        for field in ("card_id", "set_id", "restriction_id", "slug"):
            if hasattr(row, field):
                setattr(row, field, f"more_{number}")
        if isinstance(row, Card):
            row.title = f"More {number}"
        row.save(force_insert=True)

    assert queries(admin_client, url) == few_queries


def test_longer_ban_list_needs_no_more_queries(admin_client):
    list_ = Restriction.objects.get()
    url = address(Restriction, "change", list_.pk)
    admin_client.get(url)

    few_queries = queries(admin_client, url)
    for card in Card.objects.exclude(card_id="lantern_2"):
        list_.entries.create(card=card, kind="points", value=1)
    assert queries(admin_client, url) == few_queries
