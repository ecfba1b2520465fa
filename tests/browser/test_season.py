"""Six evenings of 40 people as one season, and every page of it against a count by hand."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import organiser, season
from tests.browser.conftest import NewPage
from tests.browser.evenings import write_down
from tests.browser.season import EveningByHand
from tests.browser.table_talk import Ledger
from tests.live_site import Site, manage, running_site
from tests.tournaments.series.season_by_hand import SeasonByHand
from tests.waiting import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FIRST_NAMES = (
    "Ada",
    "Björn",
    "Chidi",
    "Dana",
    "Émile",
    "Fatima",
    "Grażyna",
    "Hiro",
    "Ines",
    "Jūlija",
)
PEOPLE = [f"{name} {letter}" for letter in "KLMN" for name in FIRST_NAMES]
ROUNDS, EVENINGS, BEST = 3, 6, 4
PLACE_POINTS = [10, 8, 6, 5, 4, 3, 2]
TIE_BREAKERS = ["best_results", "wins", "head_to_head"]
BY_HAND, OPEN_TABLE = 2, 1
"""Tables of a round whose results are typed at the desk; the one that is watched to the last."""
ONE_WEEK = timedelta(days=7)
TODAY = datetime.now(UTC).date()
AWAY = {2: PEOPLE[:2], 3: PEOPLE[2:4], 4: PEOPLE[:2]}
"""Who stays at home, by evening."""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Site]:
    """A site of its own: statistics and ratings count everything that is there."""
    with running_site(tmp_path / "site") as site:
        yield site


class Reader:
    """Somebody with a narrow phone, to whom no page may complain or be too wide."""

    def __init__(self, page: Page, site: str) -> None:
        self.page, self.site = page, site
        self.said: list[str] = []
        page.on("console", lambda message: self.said.append(f"{page.url}: {message.text}"))

    def opens(self, address: str) -> Page:
        """The page, looked at from edge to edge."""
        url = address if ":" in address else f"{self.site}{address}"
        answer = self.page.goto(url)
        assert answer is not None, url
        assert answer.ok or url.startswith("file:"), url
        wide, room = self.page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert wide <= room, f"{url}: {wide} pixels wide, {room} there are"
        assert self.said == []
        return self.page

    def rows(self, selector: str) -> list[list[str]]:
        """The words of each cell, line by line, shown or folded away."""
        found: list[list[str]] = self.page.locator(f"{selector} tbody tr").evaluate_all(
            "rows => rows.map(row => [...row.cells].map(cell => cell.textContent.trim()"
            ".replace(/\\s+/g, ' ')))"
        )
        return found

    def names(self, selector: str) -> list[str]:
        """The name in each line."""
        found: list[str] = self.page.locator(f"{selector} tbody tr").evaluate_all(
            "rows => rows.map(row => row.querySelector('bdi').textContent.trim())"
        )
        return found


def test_a_season_of_six_evenings_has_the_figures_of_a_count_by_hand(
    running: Site, new_page: NewPage, tmp_path: Path
) -> None:
    site, facts = running.address, tmp_path / "facts"
    desk = new_page(viewport={"width": 1280, "height": 900})
    reader = Reader(new_page(viewport={"width": 320, "height": 640}), site)
    organiser.sign_up(desk, site, "shopkeeper")
    start_series(desk, site)
    first = TODAY - ONE_WEEK * (EVENINGS - 2)
    days = {first_evening(desk, running, first, facts): first}
    for number in range(2, EVENINGS):
        slug = run_again(desk, site, list(days)[-1], first + ONE_WEEK * (number - 1))
        days[slug] = first + ONE_WEEK * (number - 1)
        play(running, slug, number, facts, left=[OPEN_TABLE] if number == EVENINGS - 1 else [])
    check_needs(reader, desk, running, slug, season.read_facts(facts, days)[-1])
    rest = f"evenings.play_tables({slug!r}, 1, {str(facts)!r}, [])"
    in_site(running, f"{rest}; evenings.end({slug!r})")
    last = first + ONE_WEEK * (EVENINGS - 1)
    slug = comes_by_itself(desk, site, last)
    days[slug] = last
    play(running, slug, EVENINGS, facts)

    evenings = season.read_facts(facts, days)
    for slug, evening in zip(days, evenings, strict=True):
        check_standings(reader, slug, evening)
    check_series(reader, evenings)
    check_statistics(reader, list(days), evenings)
    check_archive(reader, list(days), evenings, tmp_path)
    check_ratings(reader, evenings)
    for player in (PEOPLE[0], evenings[-1].order[0]):
        check_player(reader, player, evenings)


def in_site(site: Site, call: str) -> None:
    """Done by a process of the site itself."""
    manage(site, "shell", "-v", "0", "-c", f"from tests.browser import evenings; {call}")


def play(site: Site, slug: str, number: int, facts: Path, *, left: list[int] | None = None) -> None:
    """The whole evening, with `left` but for the last result of these tables."""
    asked = (slug, number * 100, str(facts), AWAY.get(number, []), left or [])
    in_site(site, f"evenings.play_evening(*{asked!r})")


def start_series(desk: Page, site: str) -> None:
    desk.goto(f"{site}/series/new/")
    desk.get_by_label("Name", exact=True).fill("Winter Season")
    desk.get_by_text("Scoring and qualification").click()
    desk.get_by_role("textbox", name="Points by place").fill(", ".join(map(str, PLACE_POINTS)))
    desk.get_by_label("Events in the season").fill(str(EVENINGS))
    desk.get_by_label("Number of best events that count").fill(str(BEST))
    desk.get_by_label("Qualifying places per event").fill("1")
    desk.get_by_role("button", name="Start the series").click()
    desk.wait_for_url("**/series/winter-season/desk/")


def first_evening(desk: Page, running: Site, day: date, facts: Path) -> str:
    """By hand from its first field to its end, most results from the hall; its slug."""
    site = running.address
    desk.goto(f"{site}/events/new/")
    desk.get_by_label("Name", exact=True).fill("Evening 1")
    desk.locator("[name=starts_on]").fill(day.isoformat())
    desk.locator("[name=planned_rounds]").fill(str(ROUNDS))
    organiser.submit_new_event(desk)
    slug = slug_of(desk)
    address = f"{site}/events/{slug}/"
    desk.goto(f"{address}desk/series/")
    desk.locator("main select").select_option(label="Winter Season")
    desk.get_by_role("button", name="Save").click()
    desk.goto(f"{address}desk/")
    organiser.paste_names(desk, PEOPLE)
    organiser.check_in_all(desk, address, len(PEOPLE))
    ledger = Ledger(random.Random(1996))
    for number in range(1, ROUNDS + 1):
        organiser.publish_and_start(desk, address, number)
        tables = organiser.tables_of(desk, address, number)[:BY_HAND]
        for place, table in enumerate(tables, start=1):
            games = ledger.play(table)
            organiser.enter_result(desk, address, number, place, games)
            write_down(facts, slug, number, table, games)
        in_site(running, f"evenings.play_tables({slug!r}, {number}, {str(facts)!r}, [])")
        organiser.close_round(desk, address, number)
    organiser.next_step(desk, address, "Finish the event")
    desk.get_by_role("button", name="Finish the event").click()
    desk.wait_for_url("**/desk/")
    return slug


def slug_of(page: Page) -> str:
    found = re.search(r"/events/([^/]+)/", page.url)
    assert found is not None
    return found[1]


def run_again(desk: Page, site: str, slug: str, day: date) -> str:
    """Two clicks from the desk of the evening before; the day is chosen here."""
    desk.goto(f"{site}/series/winter-season/desk/")
    desk.locator(f"a[href$='/events/{slug}/desk/again/']").click()
    desk.locator("[name=starts_on]").fill(day.isoformat())
    desk.get_by_label("Copy the players").check()
    desk.get_by_role("button", name="Create the event").click()
    desk.wait_for_url(lambda url: url.endswith("/desk/") and f"/{slug}/" not in url)
    return slug_of(desk)


def comes_by_itself(desk: Page, site: str, day: date) -> str:
    """The last evening is planned, and opens because its time has come."""
    desk.goto(f"{site}/series/winter-season/desk/")
    desk.get_by_role("link", name="Plan events").click()
    desk.locator("[name=template]").select_option(index=0)
    for name, value in (
        *(("first_on", day.isoformat()), ("last_on", day.isoformat())),
        *(("starts_at", "19:00"), ("time_zone", "UTC"), ("days_before", "60")),
        ("opens_at", "08:00"),
    ):
        desk.locator(f"[name={name}]").fill(value)
    desk.get_by_label("Copy the players of the previous event").check()
    desk.get_by_role("button", name="Plan these events").click()
    desk.wait_for_url("**/series/winter-season/desk/")
    opened = desk.locator("#evenings").locator("xpath=../..").locator("a[href*='/events/']")

    def is_open() -> bool:
        desk.reload()
        return opened.count() > 0

    wait_until(is_open, "the evening opens", 60)
    opened.first.click()
    desk.wait_for_url(re.compile(r"/desk/$"))
    return slug_of(desk)


def check_needs(
    reader: Reader, desk: Page, running: Site, slug: str, evening: EveningByHand
) -> None:
    """Who is first whatever happens at the last table, and who cannot be any more."""
    open_table = organiser.tables_of(desk, f"{running.address}/events/{slug}/", ROUNDS)[0]
    ends = list(evening.could_win(open_table))
    page = reader.opens(f"/events/{slug}/needs/")
    expect(page.get_by_text("1 table without a confirmed result")).to_be_visible(timeout=60_000)
    verdicts = dict(zip(reader.names("#needs"), reader.rows("#needs"), strict=True))
    assert verdicts.keys() == evening.players
    for player, (_, now, words) in verdicts.items():
        firsts = [end for end in ends if player in end]
        if any(len(end) > 1 for end in firsts):
            continue  # The lot has a say, which nobody here can know.
        if len(firsts) == len(ends):
            assert words == "Nothing more", player
        elif firsts:
            assert words not in ("Nothing more", "Out of reach"), (player, now)
        else:
            assert words == "Out of reach", (player, now)


def check_standings(reader: Reader, slug: str, evening: EveningByHand) -> None:
    """They follow the figures, and say whom the lot has put where."""
    reader.opens(f"/events/{slug}/standings/")
    evening.order = reader.names("table.standings")
    assert sorted(evening.order) == sorted(evening.players)
    keys = [evening.key(player) for player in evening.order]
    assert keys == sorted(keys, reverse=True)


def check_series(reader: Reader, evenings: list[EveningByHand]) -> None:
    """Places with movement, points of the best events, what each evening brought, who qualified."""
    now, before = (rules_of(part) for part in (evenings, evenings[:-1]))
    page = reader.opens("/series/winter-season/")
    expect(page.locator("#table")).to_contain_text(f"Final table after {EVENINGS} of {EVENINGS}")
    names, rows = reader.names("#standings"), reader.rows("#standings")
    assert sorted(names) == sorted(PEOPLE)
    for name, (place, _, points, events, *cells) in zip(names, rows, strict=True):
        assert Counter(points=int(points), events=int(events)) == Counter(
            points=int(now.points(name)), events=len(now.brought(name))
        ), name
        moved = before.place_of(name) - now.place_of(name)
        way = "up" if moved > 0 else "down"
        words = f"{now.place_of(name)} {way} {abs(moved)}" if moved else f"{now.place_of(name)}"
        assert place == words, name
        brought = dict(now.brought(name))
        for number, cell in enumerate(cells, start=1):
            expected = str(brought[number]) if number in brought else "-not played"
            assert re.match(rf"{expected}(\D|\d(st|nd|rd|th)|\d\d(st|nd|rd|th)|$)", cell), name
        assert sum("does not count" in cell for cell in cells) == max(0, len(brought) - BEST)
    qualified = page.locator("section[aria-labelledby=qualified] tbody tr bdi.player-name")
    assert qualified.all_inner_texts() == now.through(1, 0, set())


def rules_of(evenings: list[EveningByHand]) -> SeasonByHand:
    return season.season_of(
        evenings,
        scoring="places",
        place_points=PLACE_POINTS,
        points_for_playing=1,
        best_of=BEST,
        tie_breakers=TIE_BREAKERS,
    )


def check_statistics(reader: Reader, slugs: list[str], evenings: list[EveningByHand]) -> None:
    """Corp and Runner with Wilson's interval, and how games ended, of an evening and of all."""
    for slug, evening in zip(slugs, evenings, strict=True):
        reader.opens(f"/events/{slug}/statistics/")
        check_sides(reader, [evening])
    reader.opens("/series/winter-season/statistics/")
    check_sides(reader, evenings)
    page = reader.opens("/statistics/?game=onr")
    check_sides(reader, evenings)
    figures = page.locator(".key-figures").first.inner_text().split()
    for number in (EVENINGS, len(PEOPLE), sum(len(one.tables) for one in evenings)):
        assert str(number) in figures


def check_sides(reader: Reader, evenings: list[EveningByHand]) -> None:
    games = [game for evening in evenings for game in evening.games]
    corp = sum(game.winner == game.corp for game in games)
    sides = "section[aria-labelledby=sides-heading]"
    assert reader.rows(sides) == [
        ["Corp", *season.wins_in_words(corp, len(games))],
        ["Runner", *season.wins_in_words(len(games) - corp, len(games))],
    ]
    ends = reader.rows("section[aria-labelledby=ends-heading]")
    assert {(row[1], row[2]) for row in ends} == {
        ("Corp", str(corp)),
        ("Runner", str(len(games) - corp)),
    }


def check_archive(
    reader: Reader, slugs: list[str], evenings: list[EveningByHand], folder: Path
) -> None:
    """The latest first with their winners; the file of the first one opens without the site."""
    page = reader.opens("/archive/")
    rows = reader.rows("main table")
    assert [(row[2], row[5]) for row in rows] == [
        (evening.order[0], str(len(evening.order))) for evening in reversed(evenings)
    ]
    with page.expect_download() as download:
        page.locator(f"a[href='/events/{slugs[0]}/exports/html/']").click()
    file = folder / "evening.html"
    download.value.save_as(file)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    reader.opens(file.as_uri())
    assert asked == [file.as_uri()]
    evening = evenings[0]
    shown = [(row[1], int(row[2])) for row in reader.rows("#standings")]
    assert shown == [(player, int(evening.key(player)[0])) for player in evening.order]
    tables = [row for number in range(ROUNDS) for row in reader.rows(f"#round-{number + 1}")]
    played = {(", ".join(one.seats), " : ".join(map(str, one.points))) for one in evening.tables}
    assert {(row[1], row[2]) for row in tables} == played


def check_ratings(reader: Reader, evenings: list[EveningByHand]) -> None:
    """Strongest first, each with its interval as it is today."""
    rated = season.ratings_of(evenings)
    reader.opens("/ratings/onr/")
    shown = dict(zip(reader.names("table.ratings"), reader.rows("table.ratings"), strict=True))
    assert list(shown) == sorted(rated, key=lambda player: -rated[player].value)
    for player, row in shown.items():
        value, margin = map(int, re.findall(r"\d+", row[2]))
        assert value == pytest.approx(rated[player].value, abs=0.51)
        assert margin == pytest.approx(rated[player].margin_on(TODAY), abs=0.51)
        came = [evening for evening in evenings if player in evening.players]
        assert row[3:5] == [str(len(came)), str(2 * ROUNDS * len(came))]


def check_player(reader: Reader, player: str, evenings: list[EveningByHand]) -> None:
    """Their evenings, sides, rating, and whom they met."""
    page = reader.opens("/ratings/onr/")
    link = page.locator("table.ratings a", has=page.get_by_text(player, exact=True))
    address = re.sub(r".*/(\d+)/$", r"/people/\1/", link.get_attribute("href") or "")
    page = reader.opens(address)
    came = [evening for evening in evenings if player in evening.players]
    results = page.locator(".person-event__result").all_inner_texts()
    assert len(results) == len(came)
    for words, evening in zip(results, reversed(came), strict=True):
        place = evening.order.index(player) + 1
        place_in_words = "Winner" if place == 1 else f"Place {place}"
        assert f"{place_in_words} of {len(evening.players)}" in words, words
        assert f"{evening.key(player)[0]} points" in words
    check_record(reader, player, [one for evening in came for one in evening.tables])
    rating = page.locator(".rating-now").inner_text()
    assert int(re.findall(r"\d+", rating)[0]) == pytest.approx(
        season.ratings_of(evenings)[player].value, abs=0.51
    )


def check_record(reader: Reader, player: str, tables: list[season.Sat]) -> None:
    """Tables won, drawn and lost, whole and by opponent; games won by side."""
    mine = [table for table in tables if player in table.seats]
    won_lost = Counter(_sign(*table.points_of(player)) for table in mine)
    words = f"{won_lost[1]}-{won_lost[0]}-{won_lost[-1]}"
    assert words in reader.page.locator(".key-figures").inner_text()
    met: dict[str, Counter[int]] = {}
    for table in mine:
        met.setdefault(table.other(player), Counter())[_sign(*table.points_of(player))] += 1
    shown = reader.rows("section[aria-labelledby=opponents-onr]")
    assert shown
    assert len(shown) <= len(met)
    for name, count, record in shown:
        signs = met[name]
        assert [count, record] == [str(signs.total()), f"{signs[1]}-{signs[0]}-{signs[-1]}"]
    games = [game for table in mine for game in table.games]
    assert reader.rows("section[aria-labelledby=onr-own_sides-heading]") == [
        [side.capitalize(), *_wins(player, [one for one in games if getattr(one, side) == player])]
        for side in ("corp", "runner")
    ]


def _wins(player: str, games: list[season.Won]) -> list[str]:
    return season.wins_in_words(sum(game.winner == player for game in games), len(games))


def _sign(own: int, other: int) -> int:
    return (own > other) - (own < other)
