"""Rulings on the page of a card, errata first."""

from datetime import date

import pytest

from decks import games
from decks.models import Card
from rulings import queries, services
from rulings.models import LinkKind, Ruling, RulingDocument, RulingKind
from tests.rulings.builders import page
from tests.rulings.test_page_queries import queries_of


def codes(rulings):
    return [ruling.code for ruling in rulings]


@pytest.fixture
def other_game(cards):
    """A document of Android: Netrunner, and one of its cards."""
    card = Card.objects.create(
        game=games.ANR.id, title="Film Critic", slug="film-critic", side="runner", type="resource"
    )
    document = RulingDocument.objects.create(
        game=games.ANR.id,
        kind="netrunnerdb",
        slug="netrunnerdb",
        title="NetrunnerDB",
        published_on=date(2020, 1, 1),
    )
    return document, card


def test_card_has_its_rulings_and_linked_rulings(small):
    dreff = queries.card_rulings(Card.objects.get(slug="dr-dreff"))
    chain = queries.card_rulings(Card.objects.get(slug="ball-and-chain"))

    assert codes(dreff.own) == ["dr-dreff-1"]
    # An erratum changes only its own card, so it is not inherited.
    assert codes(dreff.followed) == ["ball-and-chain-1"]
    assert (codes(chain.errata), chain.own) == (["ball-and-chain-1"], [])
    assert codes(chain.mentioning) == ["dropp-1"]
    assert codes(chain.referring) == ["dr-dreff-1"]


def test_virus_program_inherits_the_rulings_of_boardwalk(shipped, client):
    (family,) = queries.card_rulings(Card.objects.get(title="Gremlins")).inherited

    assert (family.name, family.keyword) == ("Boardwalk", "Virus programs")
    assert codes(family.rulings)[0] == "boardwalk-1"
    html = page(client, "/rulings/card/gremlins/")
    assert 'Inherited from <a href="/rulings/subject/boardwalk/">Boardwalk</a>' in html
    assert html.count("Inherited from Boardwalk</span>") == len(family.rulings)


def test_cross_reference_inherits_without_a_keyword(shipped):
    (family,) = queries.card_rulings(Card.objects.get(title="Galatea")).inherited

    assert (family.name, family.keyword) == ("Caryatid", "")

    # A virus of the Corp is no virus program.
    corp_virus = Card.objects.get(title="Viral Breeding Ground")
    assert queries.card_rulings(corp_virus).inherited == []


def test_card_page_shows_each_ruling_once(shipped):
    vienna = queries.card_rulings(Card.objects.get(title="Vienna 22"))
    groups = [vienna.errata, vienna.own, vienna.followed, vienna.mentioning, vienna.referring]
    groups += [family.rulings for family in vienna.inherited]
    codes_shown = [code for group in groups for code in codes(group)]

    assert "i-spy-3" in codes(vienna.mentioning)
    assert len(codes_shown) == len(set(codes_shown)) == len(vienna)


def test_errata_come_first(shipped, client):
    card = Card.objects.get(title="Cloak")
    new = services.create_local_ruling(
        RulingDocument.objects.get(), card=card, text="Read it as printed."
    )
    Ruling.objects.filter(pk=new.pk).update(kind=RulingKind.ERRATA)

    html = page(client, "/rulings/card/cloak/")

    assert html.index("Read it as printed.") < html.index('id="own"')


def test_ruling_on_several_cards_is_on_the_page_of_each(small, client):
    chain, dreff = (Card.objects.get(slug=slug) for slug in ("ball-and-chain", "dr-dreff"))
    document = RulingDocument.objects.get()
    ruling = services.create_local_ruling(document, card=chain, text="Both pay at once.")
    ruling.links.create(kind=LinkKind.ABOUT, position=1, name=dreff.title, card=dreff)

    assert ruling in queries.card_rulings(chain).own
    assert ruling in queries.card_rulings(dreff).own
    assert "Both pay at once." in page(client, "/rulings/card/dr-dreff/")
    html = page(client, ruling.get_absolute_url())
    assert 'also about</span> <a href="/rulings/card/dr-dreff/">' in html


def test_card_without_rulings_has_a_page_and_an_unknown_card_none(small, client):
    html = page(client, "/rulings/card/pattel-antibody/")
    assert "Rulings that name this card" in html
    assert "R-0001" in html

    assert "No ruling on this card" in page(client, "/rulings/card/aardvark/")
    assert client.get("/rulings/card/no-such-card/").status_code == 404


def test_htmx_request_gets_the_rulings_alone(small, client):
    fragment = client.get("/rulings/card/dr-dreff/", headers={"HX-Request": "true"})
    full_page = client.get("/rulings/card/dr-dreff/", headers={"HX-Request": "another"})

    assert fragment.content.decode().strip() in full_page.content.decode()
    assert "<html" not in fragment.content.decode()
    assert "HX-Request" in fragment.headers["Vary"]
    assert "HX-Request" in full_page.headers["Vary"]


def test_card_and_subject_of_another_game_have_their_own_pages(small, other_game, client):
    document, card = other_game
    services.create_local_ruling(document, card=card, text="The agenda is hosted.")
    services.create_local_ruling(document, subject="Hosting", text="See the card.")

    assert "The agenda is hosted." in page(client, "/rulings/anr/card/film-critic/")
    assert "See the card." in page(client, "/rulings/anr/subject/hosting/")
    index = page(client, "/rulings/?game=anr")
    assert 'href="/rulings/anr/card/film-critic/"' in index
    assert 'href="/rulings/anr/subject/hosting/"' in index
    assert client.get("/rulings/card/film-critic/").status_code == 404
    assert client.get("/rulings/onr/card/aardvark/")["Location"] == "/rulings/card/aardvark/"
    assert 'href="/rulings/anr/card/film-critic/"' in page(client, "/cards/anr/film-critic/")
    # A topic of the same name in another game has its own page.
    services.create_local_ruling(document, subject="Tracing", text="Traces cost canaries.")
    assert "canaries" not in page(client, "/rulings/subject/tracing/")
    assert "bits" not in page(client, "/rulings/anr/subject/tracing/")


def test_card_page_queries_do_not_grow_with_the_rulings(cards, client):
    document = RulingDocument.objects.create(slug="a", title="A", published_on=date(1997, 1, 1))
    card = Card.objects.get(title="Gremlins")

    def more(count):
        for _ in range(count):
            services.create_local_ruling(document, card=card, text="Counters stay.")
            services.create_local_ruling(document, subject="Boardwalk", text="Virus counters stay.")

    more(1)
    few_queries = queries_of(client, "/rulings/card/gremlins/")
    more(6)

    assert queries_of(client, "/rulings/card/gremlins/") == few_queries
