"""The infraction guide as everybody reads it."""

import pytest
from django.test import Client

from rulings.guide import shipped_guide

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(client: Client) -> str:
    answer = client.get("/rulings/guide/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_every_infraction_of_the_guide_has_an_anchor_to_be_cited_by(page: str):
    guide = shipped_guide()

    assert guide.infractions
    for code in guide.infractions:
        assert page.count(f'id="{code}"') == 1
        assert f'href="#{code}"' in page


def test_a_ladder_says_what_it_costs_the_first_time_and_after(page: str):
    slow = page.partition('id="slow-play"')[2].partition("</li>\n          <li")[0]

    steps = [part.partition("</li>")[0] for part in slow.split('class="ladder__when">')[1:4]]
    assert steps == [
        "1st time</span> Caution",
        "2nd time</span> Warning",
        "3rd and later</span> Game loss",
    ]


def test_the_page_asks_the_database_for_nothing(client: Client, django_assert_num_queries):
    with django_assert_num_queries(0):
        client.get("/rulings/guide/")


def test_categories_lead_to_their_part_of_the_page(page: str):
    for number, (name, infractions) in enumerate(shipped_guide().by_category(), start=1):
        assert (
            f'href="#kind-{number}">{name} <span class="muted numeric">{len(infractions)}' in page
        )
        assert f'<h2 id="kind-{number}">{name}</h2>' in page
