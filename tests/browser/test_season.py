"""A season of six evenings with 40 players: every page compared with figures computed by hand."""

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
from tests.browser.evenings import append_table
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
"""Number of tables per round typed at the desk; the table that stays open to the last."""
ONE_WEEK = timedelta(days=7)
TODAY = datetime.now(UTC).date()
AWAY = {2: PEOPLE[:2], 3: PEOPLE[2:4], 4: PEOPLE[:2]}
"""Absent players, by evening."""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Site]:
    """A separate site, because statistics and ratings count everything on a site."""
    with running_site(tmp_path / "site") as site:
        yield site


class Reader:
    """A reader with a narrow phone; no page may log to the console or be too wide."""

    def __init__(self, page: Page, site: str) -> None:
        self.page, self.site = page, site
        self.messages: list[str] = []
        page.on("console", lambda message: self.messages.append(f"{page.url}: {message.text}"))

    def open(self, address: str) -> Page:
        """Open a page and check its width and the console."""
        url = address if ":" in address else f"{self.site}{address}"
        answer = self.page.goto(url)
        assert answer is not None, url
        assert answer.ok or url.startswith("file:"), url
        wide, room = self.page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert wide <= room, f"{url}: {wide} pixels wide, {room} there are"
        assert self.messages == []
        return self.page

    def rows(self, selector: str) -> list[list[str]]:
        """The text of each cell, row by row, including folded cells."""
        cells: list[list[str]] = self.page.locator(f"{selector} tbody tr").evaluate_all(
            "rows => rows.map(row => [...row.cells].map(cell => cell.textContent.trim()"
            ".replace(/\\s+/g, ' ')))"
        )
        return cells

    def names(self, selector: str) -> list[str]:
        """The name in each row."""
        texts: list[str] = self.page.locator(f"{selector} tbody tr").evaluate_all(
            "rows => rows.map(row => row.querySelector('bdi').textContent.trim())"
        )
        return texts


def test_season_pages_match_figures_computed_by_hand(
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
    check_clinch_scenarios(reader, desk, running, slug, season.read_evenings(facts, days)[-1])
    call = f"evenings.play_tables({slug!r}, 1, {str(facts)!r}, [])"
    run_in_site(running, f"{call}; evenings.end({slug!r})")
    last = first + ONE_WEEK * (EVENINGS - 1)
    slug = open_planned_evening(desk, site, last)
    days[slug] = last
    play(running, slug, EVENINGS, facts)

    evenings = season.read_evenings(facts, days)
    for slug, evening in zip(days, evenings, strict=True):
        check_standings(reader, slug, evening)
    check_series(reader, evenings)
    check_statistics(reader, list(days), evenings)
    check_archive(reader, list(days), evenings, tmp_path)
    check_ratings(reader, evenings)
    for player in (PEOPLE[0], evenings[-1].order[0]):
        check_player(reader, player, evenings)


def run_in_site(site: Site, call: str) -> None:
    """Run a call in a process of the site."""
    manage(site, "shell", "-v", "0", "-c", f"from tests.browser import evenings; {call}")


def play(site: Site, slug: str, number: int, facts: Path, *, left: list[int] | None = None) -> None:
    """Play a whole evening, leaving the last result of the tables in `left` open."""
    arguments = (slug, number * 100, str(facts), AWAY.get(number, []), left or [])
    run_in_site(site, f"evenings.play_evening(*{arguments!r})")


def start_series(desk: Page, site: str) -> None:
    desk.goto(f"{site}/series/new/")
    desk.get_by_label("Name", exact=True).fill("Winter Season")
    desk.get_by_text("Scoring and qualification").click()
    desk.get_by_role("textbox", name="Points by place").fill(", ".join(map(str, PLACE_POINTS)))
    desk.get_by_label("Events in the season").fill(str(EVENINGS))
    desk.get_by_label("Best events that count").fill(str(BEST))
    desk.get_by_label("Qualifying places per event").fill("1")
    desk.get_by_role("button", name="Start the series").click()
    desk.wait_for_url("**/series/winter-season/desk/")


def first_evening(desk: Page, running: Site, day: date, facts: Path) -> str:
    """Run the first evening by hand, entering most results in the shell; return its slug."""
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
        for table_number, table in enumerate(tables, start=1):
            games = ledger.play(table)
            organiser.enter_result(desk, address, number, table_number, games)
            append_table(facts, slug, number, table, games)
        run_in_site(running, f"evenings.play_tables({slug!r}, {number}, {str(facts)!r}, [])")
        organiser.close_round(desk, address, number)
    organiser.next_step(desk, address, "Finish the event")
    desk.get_by_role("button", name="Finish the event").click()
    desk.wait_for_url("**/desk/")
    return slug


def slug_of(page: Page) -> str:
    match = re.search(r"/events/([^/]+)/", page.url)
    assert match is not None
    return match[1]


def run_again(desk: Page, site: str, slug: str, day: date) -> str:
    """Create the next evening with two clicks from the previous desk, on this day."""
    desk.goto(f"{site}/series/winter-season/desk/")
    desk.locator(f"a[href$='/events/{slug}/desk/again/']").click()
    desk.locator("[name=starts_on]").fill(day.isoformat())
    desk.get_by_label(re.compile(r"Copy \d+ players?")).check()
    desk.get_by_role("button", name="Create event").click()
    desk.wait_for_url(lambda url: url.endswith("/desk/created/") and f"/{slug}/" not in url)
    return slug_of(desk)


def open_planned_evening(desk: Page, site: str, day: date) -> str:
    """Plan the last evening, and wait until it opens automatically."""
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


def check_clinch_scenarios(
    reader: Reader, desk: Page, running: Site, slug: str, evening: EveningByHand
) -> None:
    """Check who is first whatever happens at the last table, and who is out of reach."""
    open_table = organiser.tables_of(desk, f"{running.address}/events/{slug}/", ROUNDS)[0]
    ends = list(evening.possible_winners(open_table))
    page = reader.open(f"/events/{slug}/needs/")
    expect(page.get_by_text("1 table has no confirmed result")).to_be_visible(timeout=60_000)
    verdicts = dict(zip(reader.names("#needs"), reader.rows("#needs"), strict=True))
    assert verdicts.keys() == evening.players
    for player, (_, chance, verdict) in verdicts.items():
        firsts = [end for end in ends if player in end]
        if any(len(end) > 1 for end in firsts):
            continue  # The random draw decides, which the hand computation cannot know.
        if len(firsts) == len(ends):
            assert verdict == "Nothing more", player
        elif firsts:
            assert verdict not in ("Nothing more", "Out of reach"), (player, chance)
        else:
            assert verdict == "Out of reach", (player, chance)


def check_standings(reader: Reader, slug: str, evening: EveningByHand) -> None:
    """Check the order of the figures, and record the order of the random draw."""
    reader.open(f"/events/{slug}/standings/")
    evening.order = reader.names("table.standings")
    assert sorted(evening.order) == sorted(evening.players)
    keys = [evening.key(player) for player in evening.order]
    assert keys == sorted(keys, reverse=True)


def check_series(reader: Reader, evenings: list[EveningByHand]) -> None:
    """Check ranks, movement, best results, points per evening and qualified players."""
    current, before = (
        expected_season(past_evenings) for past_evenings in (evenings, evenings[:-1])
    )
    page = reader.open("/series/winter-season/")
    expect(page.locator("#table")).to_contain_text(f"Final table after {EVENINGS} of {EVENINGS}")
    names, rows = reader.names("#standings"), reader.rows("#standings")
    assert sorted(names) == sorted(PEOPLE)
    for name, (rank, _, points, events, *cells, _fold) in zip(names, rows, strict=True):
        assert Counter(points=int(points), events=int(events)) == Counter(
            points=int(current.points(name)), events=len(current.counted_points(name))
        ), name
        moved = before.place_of(name) - current.place_of(name)
        direction = "up" if moved > 0 else "down"
        expected_rank = (
            f"{current.place_of(name)} {direction} {abs(moved)}"
            if moved
            else f"{current.place_of(name)}"
        )
        assert rank == expected_rank, name
        brought = dict(current.counted_points(name))
        for number, cell in enumerate(cells, start=1):
            expected = str(brought[number]) if number in brought else "-not played"
            assert re.match(rf"{expected}(\D|\d(st|nd|rd|th)|\d\d(st|nd|rd|th)|$)", cell), name
        assert sum("does not count" in cell for cell in cells) == max(0, len(brought) - BEST)
    qualified = page.locator("section[aria-labelledby=qualified] tbody tr bdi.player-name")
    assert qualified.all_inner_texts() == current.qualified_players(1, 0, set())


def expected_season(evenings: list[EveningByHand]) -> SeasonByHand:
    return season.season_of(
        evenings,
        scoring="places",
        place_points=PLACE_POINTS,
        points_for_playing=1,
        best_of=BEST,
        tie_breakers=TIE_BREAKERS,
    )


def check_statistics(reader: Reader, slugs: list[str], evenings: list[EveningByHand]) -> None:
    """Check the results by side with Wilson's interval, per evening and in total."""
    for slug, evening in zip(slugs, evenings, strict=True):
        reader.open(f"/events/{slug}/statistics/")
        check_sides(reader, [evening])
    reader.open("/series/winter-season/statistics/")
    check_sides(reader, evenings)
    page = reader.open("/statistics/?game=onr")
    check_sides(reader, evenings)
    figures = page.locator(".chart-figures").first.inner_text().split()
    for number in (EVENINGS, len(PEOPLE), sum(len(evening.tables) for evening in evenings)):
        assert str(number) in figures


def check_sides(reader: Reader, evenings: list[EveningByHand]) -> None:
    games = [game for evening in evenings for game in evening.games]
    corp = sum(game.winner == game.corp for game in games)
    assert reader.rows("#sides") == [
        ["Corp", *season.win_rate_cells(corp, len(games))],
        ["Runner", *season.win_rate_cells(len(games) - corp, len(games))],
    ]
    ends = reader.rows("#ends")
    assert {(row[1], row[2]) for row in ends} == {
        ("Corp", str(corp)),
        ("Runner", str(len(games) - corp)),
    }


def check_archive(
    reader: Reader, slugs: list[str], evenings: list[EveningByHand], folder: Path
) -> None:
    """Check the winners, latest evening first, and open the file of the first evening offline."""
    page = reader.open("/archive/")
    rows = reader.rows("main table")
    assert [(row[2], row[3]) for row in rows] == [
        (evening.order[0], str(len(evening.order))) for evening in reversed(evenings)
    ]
    first = page.locator("main tr", has=page.locator(f"a[href='/events/{slugs[0]}/']"))
    first.locator("summary").click()
    with page.expect_download() as download:
        first.get_by_role("link", name="One page with all").click()
    file = folder / "evening.html"
    download.value.save_as(file)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    reader.open(file.as_uri())
    assert requests == [file.as_uri()]
    evening = evenings[0]
    standings = [(row[1], int(row[2])) for row in reader.rows("#standings")]
    assert standings == [(player, int(evening.key(player)[0])) for player in evening.order]
    tables = [row for number in range(ROUNDS) for row in reader.rows(f"#round-{number + 1}")]
    played = {
        (", ".join(table.seats), " : ".join(map(str, table.points))) for table in evening.tables
    }
    assert {(row[1], row[2]) for row in tables} == played


def check_ratings(reader: Reader, evenings: list[EveningByHand]) -> None:
    """Check the order of ratings, and each interval as of today."""
    rated = season.ratings_of(evenings)
    reader.open("/ratings/onr/")
    row_by_player = dict(
        zip(reader.names("table.ratings"), reader.rows("table.ratings"), strict=True)
    )
    assert list(row_by_player) == sorted(rated, key=lambda player: -rated[player].value)
    for player, row in row_by_player.items():
        value, margin = map(int, re.findall(r"\d+", row[2]))
        assert value == pytest.approx(rated[player].value, abs=0.51)
        assert margin == pytest.approx(rated[player].margin_on(TODAY), abs=0.51)
        attended = [evening for evening in evenings if player in evening.players]
        assert row[3:5] == [str(len(attended)), str(2 * ROUNDS * len(attended))]


def check_player(reader: Reader, player: str, evenings: list[EveningByHand]) -> None:
    """Check a player's evenings, sides, rating and opponents."""
    page = reader.open("/ratings/onr/")
    link = page.locator("table.ratings a", has=page.get_by_text(player, exact=True))
    address = re.sub(r".*/(\d+)/$", r"/people/\1/", link.get_attribute("href") or "")
    page = reader.open(address)
    attended = [evening for evening in evenings if player in evening.players]
    results = page.locator(".person-event__result").all_inner_texts()
    assert len(results) == len(attended)
    for result, evening in zip(results, reversed(attended), strict=True):
        rank = evening.order.index(player) + 1
        rank_text = "Winner" if rank == 1 else f"Place {rank}"
        assert f"{rank_text} of {len(evening.players)}" in result, result
        assert f"Points: {evening.key(player)[0]}" in result
    check_record(reader, player, [table for evening in attended for table in evening.tables])
    rating = page.locator(".rating-now").inner_text()
    assert int(re.findall(r"\d+", rating)[0]) == pytest.approx(
        season.ratings_of(evenings)[player].value, abs=0.51
    )


def check_record(reader: Reader, player: str, tables: list[season.TableRecord]) -> None:
    """Check tables won, drawn and lost, in total and by opponent, and games won by side."""
    own_tables = [table for table in tables if player in table.seats]
    won_lost = Counter(_sign(*table.points_of(player)) for table in own_tables)
    record_text = f"{won_lost[1]}-{won_lost[0]}-{won_lost[-1]}"
    assert record_text in reader.page.locator(".key-figures").inner_text()
    by_opponent: dict[str, Counter[int]] = {}
    for table in own_tables:
        by_opponent.setdefault(table.opponent_of(player), Counter())[
            _sign(*table.points_of(player))
        ] += 1
    opponent_rows = reader.rows("section[aria-labelledby=opponents-onr]")
    assert opponent_rows
    assert len(opponent_rows) <= len(by_opponent)
    for name, count, record in opponent_rows:
        signs = by_opponent[name]
        assert [count, record] == [str(signs.total()), f"{signs[1]}-{signs[0]}-{signs[-1]}"]
    games = [game for table in own_tables for game in table.games]
    assert reader.rows("[aria-labelledby=onr-own_sides-heading]") == [
        [
            side.capitalize(),
            *_wins(player, [game for game in games if getattr(game, side) == player]),
        ]
        for side in ("corp", "runner")
    ]


def _wins(player: str, games: list[season.GameRecord]) -> list[str]:
    return season.win_rate_cells(sum(game.winner == player for game in games), len(games))


def _sign(points: int, opponent_points: int) -> int:
    return (points > opponent_points) - (points < opponent_points)
