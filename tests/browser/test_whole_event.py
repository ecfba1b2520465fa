"""Three rounds by hand, from the first sign-up to the final standings."""

import random

import pytest
from playwright.sync_api import Page, expect

from tests.browser import organiser, phone
from tests.browser.conftest import NewPage
from tests.browser.table_talk import Ledger
from tests.factories.decks import legal_corp_list, legal_runner_list

pytestmark = pytest.mark.browser

PLAYERS = ["Ada", "Björn", "Émile", "北斗", "Chidi", "Dana", "Fatima", "Grażyna"]
ROUNDS = 3
PHONE = {"width": 390, "height": 800}


@pytest.mark.parametrize("count", [4, pytest.param(8, marks=pytest.mark.slow)])
def test_local_event_from_first_sign_up_to_final_standings(
    site: str, new_page: NewPage, count: int
) -> None:
    players = PLAYERS[:count]
    desk = new_page(viewport={"width": 1280, "height": 900})
    organiser.sign_up(desk, site, "shopkeeper")
    path = organiser.create_event(desk, site, "Autumn Run")
    address = f"{site}{path}"
    organiser.paste_names(desk, players)
    organiser.check_in_all(desk, address, count)
    phones = {name: new_page(viewport=PHONE, has_touch=True) for name in players}
    for name, page in phones.items():
        phone.claim(page, organiser.claim_link(desk, address, name), name)

    submit_decks(phones, address)
    ledger = Ledger(random.Random(1996))
    for number in range(1, ROUNDS + 1):
        organiser.publish_and_start(desk, address, number)
        play_round(desk, phones, address, number, ledger)
        organiser.close_round(desk, address, number)
    organiser.next_step(desk, address, "Finish the event")
    desk.get_by_role("button", name="Finish the event").click()
    desk.wait_for_url("**/desk/")

    check_standings(new_page(viewport=PHONE), address, players, ledger)
    check_finding(new_page(viewport=PHONE), address, count)
    check_grid(new_page(viewport={"width": 1280, "height": 900}), address, players)


def submit_decks(phones: dict[str, Page], address: str) -> None:
    """All players submit two decks; Ada's first Runner deck is one card short."""
    runner = legal_runner_list(1)
    page = phones["Ada"]
    phone.submit_deck(page, address, "runner", one_card_less(runner))
    expect(page.locator("main")).to_contain_text("44")
    expect(page.locator("main")).to_contain_text("at least 45")
    expect(page.get_by_role("button", name="Lock this deck")).to_have_count(0)
    for number, page in enumerate(phones.values(), start=1):
        phone.submit_deck(page, address, "runner", legal_runner_list(number))
        phone.lock_deck(page)
        phone.submit_deck(page, address, "corp", legal_corp_list(number))
        phone.lock_deck(page)


def one_card_less(deck: str) -> str:
    """The deck with one copy less of its first card."""
    lines = deck.splitlines()
    line_index = next(line_index for line_index, line in enumerate(lines) if line[:1].isdigit())
    quantity, title = lines[line_index].split(" ", 1)
    fewer = int(quantity.rstrip("x")) - 1
    lines[line_index : line_index + 1] = [f"{fewer} {title}"] if fewer else []
    return "\n".join(lines)


def play_round(
    desk: Page, phones: dict[str, Page], address: str, number: int, ledger: Ledger
) -> None:
    """Two phones report table 1, table 2 is disputed in round 2, and the desk enters the rest."""
    tables = organiser.tables_of(desk, address, number)
    assert sorted(name for table in tables for name in table) == sorted(phones)
    played = [(table, ledger.play(table)) for table in tables]
    ledger.keep(played)
    for table_number, (table, games) in enumerate(played, start=1):
        first, second = (phones[name] for name in table)
        if table_number == 1:
            phone.report(first, address, games)
            phone.confirm(second, address)
        elif table_number == 2 and number == 2:
            phone.report(second, address, (games[0], ledger.play(table)[1]))
            phone.dispute(first, address, "Game 2 went the other way.")
            decide_with_a_ruling(desk, address, number, table_number)
            organiser.enter_result(desk, address, number, table_number, games)
        else:
            organiser.enter_result(desk, address, number, table_number, games)
    for table_number, (table, _games) in enumerate(played, start=1):
        desk.goto(f"{address}rounds/{number}/tables/{table_number}/")
        for points in ledger.points_of(table):
            expect(desk.locator("main")).to_contain_text(str(points))


def decide_with_a_ruling(desk: Page, address: str, number: int, table: int) -> None:
    """Open the dispute as a judge, find a ruling and cite it in a note."""
    organiser.next_step(desk, address, f"Resolve the dispute at table {table}")
    expect(desk.get_by_text("Game 2 went the other way.").first).to_be_visible()
    notes = desk.locator("#notes")
    notes.get_by_text("Add a note without a result").click()
    notes.get_by_label("Find a ruling").fill("Lockjaw Joan of Arc")
    notes.get_by_role("checkbox", name="Lockjaw").first.check()
    notes.get_by_role("button", name="Save note").click()
    expect(notes.get_by_role("link", name="R-0372 Lockjaw")).to_be_visible()


def check_standings(page: Page, address: str, players: list[str], ledger: Ledger) -> None:
    """Compare every figure of the last page with the ledger."""
    page.goto(f"{address}standings/")
    rows = []
    for row in page.locator("table.standings tbody tr[id]").all():
        name = row.locator("bdi").first.inner_text()
        row.locator("summary").click()
        rank, *_moved = row.locator(".standings__rank").inner_text().split()
        cells = [".standings__points", "[data-label=SoS]", "[data-label=ESoS]"]
        figures = [rank, *(row.locator(cell).inner_text().strip() for cell in cells)]
        rows.append(name)
        points, sos, esos = ledger.figures(name)
        assert figures == [str(len(rows)), str(points), sos, esos], name
    assert sorted(rows) == sorted(players)
    keys = [ledger.order_key(name) for name in rows]
    assert keys == sorted(keys)


def check_finding(page: Page, address: str, count: int) -> None:
    """Filter the pairings by typing, also without an accent."""
    page.goto(f"{address}pairings/")
    rows = page.locator(".pairings tbody tr:visible")
    expect(rows).to_have_count(count)
    page.get_by_label("Find a player").fill("emile")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Émile")
    page.get_by_label("Find a player").fill("nobody")
    expect(page.get_by_text("No players found")).to_be_visible()


def check_grid(page: Page, address: str, players: list[str]) -> None:
    """Check that each cell of the grid names the opponent, whose cell names the player."""
    page.goto(f"{address}standings/")
    rows = page.locator(".grid-table tbody tr[id]")
    names = [row.locator(".player-name").inner_text() for row in rows.all()]
    grid = {
        name: [cell.get_attribute("title") for cell in row.locator(".cell").all()]
        for name, row in zip(names, rows.all(), strict=True)
    }
    assert sorted(grid) == sorted(players)
    for name, opponents in grid.items():
        assert len(opponents) == ROUNDS
        assert [grid[str(row_number)][number] for number, row_number in enumerate(opponents)] == [
            name
        ] * ROUNDS
