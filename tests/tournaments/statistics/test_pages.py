"""Pages, files and API of the statistics of an event and of the site."""

import csv
import io
from fractions import Fraction

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.text import Message
from decks.models import Card
from tests.elements import Elements
from tests.factories.cuts import event_with_cut
from tests.factories.pods import make_pods, places
from tests.factories.sessions import claim
from tests.factories.submissions import BIOROIDS, identity_card, submit
from tests.factories.tournaments import make_event, play_round, player_number
from tests.queries import queries_of
from tests.tournaments.pages import text_of, url
from tests.tournaments.statistics.evenings import CORPS, evening, finish
from tournaments.models import DeckAudience, IdentitiesShown, Tournament, Visibility
from tournaments.statistics.pages import chart_page
from tournaments.statistics.rules import Chart, ChartColumns, ChartKind, ChartRow, ChartSection

SITE = "/statistics/"


def make_scene() -> Tournament:
    return evening(players=6, rounds=1)


def read(event: Tournament) -> str:
    return text_of(Client().get(url("statistics", event)))


def everything(event: Tournament) -> str:
    """Return page, file and API response of an event for an anonymous reader."""
    browser = Client()
    addresses = [url("statistics", event), url("statistics_csv", event)]
    addresses.append(reverse("api:statistics", args=[event.slug]))
    return " ".join(browser.get(address).content.decode() for address in addresses)


def of_the_site() -> str:
    browser = Client()
    addresses = (SITE, "/statistics.csv", "/api/v1/statistics/")
    return " ".join(browser.get(address).content.decode() for address in addresses)


def test_no_statistics_before_the_first_result():
    assert "No statistics yet" in read(make_event(players=4))


class TestChart:
    def test_chart_has_bars_and_a_table_behind_a_switch(self):
        event = evening(players=8, rounds=2, cut=4)

        answer = Client().get(url("statistics", event))

        charts = [chart for section in answer.context["sections"] for chart in section.charts]
        shown = Elements(answer.text)
        ids = [chart.id for chart in charts]
        assert len(ids) > 10
        assert [element["id"] for element in shown.all("details", "chart")] == ids
        assert [element["id"] for element in shown.all("input")] == [f"{id_}-table" for id_ in ids]
        assert {element["role"] for element in shown.all("input")} == {"switch"}
        assert len(shown.all("table")) == len(ids)
        assert len(shown.all("li", "chart__row")) == sum(len(chart.bars) for chart in charts)
        # Drawings repeat the numbers next to them.
        assert {element["aria-hidden"] for element in shown.all("svg", "chart__bar")} == {"true"}
        assert not any("style" in element for element in shown.elements)
        text = text_of(answer)
        for words in ("What was played", "Corp and Runner", "Match-ups", "How games ended", "Cut"):
            assert words in text
        assert "Percentages are shown for 10 or more games" in text

    def test_first_charts_are_open_and_the_rest_is_folded(self):
        event = evening(players=8, rounds=2, cut=4)

        sections = Client().get(url("statistics", event)).context["sections"]

        is_open = {chart.id for section in sections for chart in section.charts if chart.is_open}
        assert is_open == {
            *("corp_identities", "runner_identities", "sides"),
            *("corp_identities_wins", "runner_identities_wins"),
        }

    def test_shares_and_rates_have_one_scale(self):
        lines = (ChartRow("A", 20, 15), ChartRow("B", 20, 5))

        share, rate = (chart_page(make_chart(kind, lines)) for kind in ("share", "rate"))

        widths = ["75.00%", "25.00%"]
        assert [bar.width for bar in share.bars] == [bar.width for bar in rate.bars] == widths
        assert [(bar.counts, bar.value) for bar in rate.bars] == [
            ("15 of 20", "75 %"),
            ("5 of 20", "25 %"),
        ]
        assert (share.has_intervals, rate.has_intervals) == (False, True)

    def test_averages_are_relative_to_the_highest(self):
        lines = tuple(ChartRow(f"Round {n}", 3, average=Fraction(20 * n)) for n in (1, 2))

        page = chart_page(make_chart("average", lines))

        assert [(bar.width, bar.value) for bar in page.bars] == [
            ("50.00%", "20 minutes"),
            ("100.00%", "40 minutes"),
        ]

    def test_column_without_figures_is_left_out(self):
        few, enough = ChartRow("A", 9, 5), ChartRow("B", 10, 5)

        assert chart_page(make_chart("rate", (few,))).headings == ("Won", "Games")
        both = chart_page(make_chart("rate", (few, enough)))
        assert both.headings == ("Won", "Games", "Share", "95 % interval")
        assert [row.figures for row in both.rows] == [
            ("5", "9", "", ""),
            ("5", "10", "50 %", "24–76 %"),
        ]
        assert [(bar.counts, bar.width) for bar in both.bars] == [
            ("5 of 9", ""),
            ("5 of 10", "50.00%"),
        ]

    def test_folded_chart_shows_the_largest_share(self):
        lines = (ChartRow("40 to 49", 12, 2), ChartRow("50 to 59", 12, 10))

        assert chart_page(make_chart("share", lines)).leader.label == "50 to 59"


def make_chart(kind: str, lines: tuple[ChartRow, ...]) -> Chart:
    columns = ChartColumns("Name", "Won", "Games", average="Minutes" if kind == "average" else "")
    return Chart(
        "x", ChartSection.WINS, ChartKind(kind), Message("Title"), Message("About"), columns, lines
    )


def test_finished_event_links_to_its_statistics():
    event = finish(event_with_cut())

    assert url("statistics", event) in Client().get(url("event", event)).content.decode()


def test_small_samples_have_counts_without_a_percentage():
    event = make_event(players=4)
    play_round(event)

    answer = Client().get(reverse("api:statistics", args=[event.slug])).json()

    (sides,) = (chart for chart in answer["charts"] if chart["id"] == "sides")
    assert [(line["count"], line["of"]) for line in sides["lines"]] == [(3, 4), (1, 4)]
    assert {line["share"] for line in sides["lines"]} == {None}
    assert answer["least_for_a_share"] == 10
    assert "%" not in read(event).replace("95%", "").replace("95 %", "")


@pytest.mark.check(5, 6)
def test_hidden_identities_and_decks_do_not_count(event: Tournament):
    Tournament.objects.filter(pk=event.pk).update(identities_shown=IdentitiesShown.WITH_DECKS)

    shown = everything(event) + of_the_site()

    assert "Corp and Runner" in shown
    for title in (*CORPS, "Card 0", "Wins by Corp", "Into the cut by"):
        assert title not in shown


@pytest.mark.check(5, 6)
def test_revealed_and_hidden_decks_count_with_the_next_request(event: Tournament):
    Tournament.objects.filter(pk=event.pk).update(identities_shown=IdentitiesShown.WITH_DECKS)
    assert "Card 0" not in of_the_site()

    change(event, decks_revealed_at=timezone.now())
    assert "Card 0" in everything(event)
    assert "Card 0" in of_the_site()

    change(event, decks_revealed_at=None)
    assert "Card 0" not in everything(event) + of_the_site()


def change(event: Tournament, **fields: object) -> None:
    """Update the event with a new version, as services do."""
    event.refresh_from_db()
    fields.update(version=event.version + 1, shared_version=event.shared_version + 1)
    Tournament.objects.filter(pk=event.pk).update(**fields)


@pytest.mark.check(6)
def test_small_groups_are_hidden_until_the_event_is_finished():
    event = make_event(players=9, game="anr")
    common, rare = identity_card(f"{BIOROIDS}: Common"), identity_card("NBN: Rare", faction="nbn")
    for number in range(1, 10):
        submit(player_number(event, number), identity=common if number <= 5 else rare)
    play_round(event)

    playing = everything(event)
    assert ("Common" in playing, "Rare" in playing, "Nbn" in playing) == (True, False, False)
    assert "Common" not in of_the_site()

    finish(event)
    caches["pages"].clear()
    over = everything(event)
    assert ("Common" in over, "Rare" in over) == (True, True)


@pytest.mark.check(6)
def test_replaced_hidden_deck_does_not_change_the_statistics():
    event = make_event(players=8, game="anr", identities_shown=IdentitiesShown.WITH_DECKS)
    first, second = identity_card("One"), identity_card("Another one", faction="nbn")
    for number in range(1, 9):
        submit(player_number(event, number), identity=first)
    play_round(event)
    before = everything(event)

    submit(player_number(event, 1), identity=second)
    caches["pages"].clear()

    assert everything(event) == before


def test_site_counts_finished_public_events(event: Tournament):
    def counted() -> tuple[int, int, int]:
        caches["pages"].clear()
        answer = Client().get("/api/v1/statistics/", {"game": "anr"}).json()
        assert answer["game"] == "anr"
        on_page = Client().get(SITE, {"game": "anr"}).context["statistics"].count.events
        return answer["events"], answer["entries"], on_page

    assert counted() == (1, 6, 1)
    for field, value in (
        ("visibility", Visibility.UNLISTED),
        ("visibility", Visibility.PRIVATE),
        ("finished_at", None),
    ):
        before = getattr(event, field)
        change(event, **{field: value})
        assert counted() == (0, 0, 0), value
        change(event, **{field: before})


def test_filters_are_in_the_address(event: Tournament):
    early, late = evening(2, players=4, rounds=1), event
    Tournament.objects.filter(pk=early.pk).update(
        starts_on="2026-01-10", deck_rules={"format_id": "standard"}
    )
    Tournament.objects.filter(pk=late.pk).update(starts_on="2026-03-10")

    def entries(**query: str) -> int:
        counted: int = Client().get(SITE, query).context["statistics"].count.entries
        return counted

    assert entries() == 10
    assert entries(since="2026-02-01") == 6
    assert entries(until="2026-02-01") == 4
    assert entries(game="onr") == 0
    page = Client().get(SITE, {"game": "anr", "since": "2026-02-01"}).content.decode()
    assert "/statistics.csv?game=anr&amp;since=2026-02-01" in page
    assert 'value="2026-02-01"' in page


@pytest.mark.parametrize(
    ("query", "words"),
    [({"since": "soon"}, "Enter a valid date"), ({"game": "chess"}, "Select a valid choice")],
)
def test_invalid_filter_has_an_error_at_its_field(query: dict[str, str], words: str):
    answer = Client().get(SITE, query)

    assert answer.status_code == 200
    assert words in text_of(answer)


@pytest.mark.parametrize("query", [{"game": "chess"}, {"starts_on_after": "soon"}, {"x": "1"}])
def test_api_refuses_invalid_filters(query: dict[str, str]):
    answer = Client().get("/api/v1/statistics/", query)

    assert answer.status_code == 400
    assert list(answer.json()["errors"]) == list(query)


@pytest.mark.check(12)
def test_no_cell_of_the_file_is_a_formula(event: Tournament):
    Card.objects.filter(title=CORPS[0]).update(title="=1+1")
    Tournament.objects.filter(pk=event.pk).update(decks_revealed_at=timezone.now())

    answer = Client().get(url("statistics_csv", event))

    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    names = {row["name"] for row in rows}
    assert "'=1+1" in names
    assert "=1+1" not in names
    assert {"sides", "corp_identities", "corp_cards", "ends"} <= {row["chart"] for row in rows}
    assert all(row["share"] == "" for row in rows if int(row["of"]) < 10)


def test_game_without_sides_has_factions_and_seats():
    event = make_pods(players=5)
    play_round(event, play=places)
    finish(event)

    answer = Client().get(reverse("api:statistics", args=[event.slug])).json()

    charts = {chart["id"]: chart["lines"] for chart in answer["charts"]}
    assert [line["name"] for line in charts["seat_points"]] == [f"Seat {n}" for n in range(1, 6)]
    assert charts["seat_first_places"][0]["count"] == charts["seat_first_places"][0]["of"]
    assert charts["seat_points"][0]["average"] == "5.0000"
    assert "sides" not in charts


def test_queries_do_not_depend_on_events_and_players(event: Tournament):
    def uncached_site() -> None:
        caches["pages"].clear()
        assert Client().get(SITE).status_code == 200

    first = queries_of(uncached_site)
    evening(2, players=9, rounds=1, cut=4)

    assert queries_of(uncached_site) <= first
    assert queries_of(lambda: Client().get(SITE)) <= 4


@pytest.mark.parametrize("audience", [DeckAudience.OPPONENT, DeckAudience.PARTICIPANTS])
def test_players_with_more_rights_see_the_same_figures(event: Tournament, audience: DeckAudience):
    Tournament.objects.filter(pk=event.pk).update(identities_shown=IdentitiesShown.WITH_DECKS)
    event.stages.update(decks_shown_to=audience)

    browser = Client()
    claim(browser, player_number(event, 1).player)

    assert CORPS[0] not in browser.get(url("statistics", event)).content.decode()
