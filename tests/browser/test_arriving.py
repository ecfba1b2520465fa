"""Check-in at the door on a 320 px screen: by keyboard, by scanned code, and without a camera."""

import pytest
from playwright.sync_api import Dialog, Page, expect

from tests.browser import phone
from tests.browser.conftest import NewPage
from tests.browser.organiser import create_event, paste_names, sign_up

pytestmark = pytest.mark.browser

CAMERA = """
    navigator.mediaDevices.getUserMedia = async () =>
        document.createElement("canvas").captureStream();
    HTMLMediaElement.prototype.play = async () => {};
    window.BarcodeDetector = class {
        static async getSupportedFormats() { return ["qr_code"]; }
        async detect() { return window.shown ? [{ rawValue: window.shown }] : []; }
    };
"""
"""A fake camera and barcode reader; the test supplies the code."""


def open_check_in(page: Page, site: str, organiser: str) -> None:
    """Create an event with three players, and open its check-in list on a small phone."""
    sign_up(page, site, organiser)
    address = create_event(page, site, f"Door of {organiser}")
    paste_names(page, ["Ada", "Bo", "Zoë"])
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(f"{site}{address}roster/tick/")


def test_check_in_works_without_a_code_reader(site: str, new_page: NewPage):
    page = new_page()
    open_check_in(page, site, "doorkeeper")

    tick_by_keyboard(page)
    tick_without_a_signal(page)
    type_a_number(page)
    page.go_back()
    tick_everybody_before_the_site_answers(page)
    leave_before_the_site_answers(page)


def tick_by_keyboard(page: Page) -> None:
    field = page.get_by_label("Find a player")
    field.press_sequentially("zoe")  # Typed in a hurry: accents do not matter.
    expect(page.get_by_role("button", name="Zoë")).to_be_visible()
    expect(page.get_by_role("button", name="Ada")).to_be_hidden()

    field.press("Enter")
    expect(page.get_by_text("Zoë is here.")).to_be_visible()
    expect(field).to_be_focused()
    expect(page.locator("[data-tick-count]")).to_have_text("1")

    field.press_sequentially("2")  # The text typed before is selected, so typing replaces it.
    field.press("Enter")
    expect(page.get_by_text("Bo is here.")).to_be_visible()

    field.fill("")
    bo = page.locator("#tick-2")
    bo.press("Enter")
    expect(bo).to_have_attribute("aria-pressed", "false")
    expect(bo).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def tick_without_a_signal(page: Page) -> None:
    zoe = page.locator("#tick-3")
    phone.lose_signal(page)
    zoe.click()
    expect(page.get_by_text("Not saved: Zoë")).to_be_visible()
    expect(zoe).to_have_attribute("aria-pressed", "true")

    page.context.set_offline(False)
    zoe.click()

    expect(page.get_by_text("Zoë is not here.")).to_be_visible()
    expect(zoe).to_have_attribute("aria-pressed", "false")


def tick_everybody_before_the_site_answers(page: Page) -> None:
    page.evaluate("""() => {
        window.atOnce = 0;
        let saving = 0;
        const send = window.fetch;
        window.fetch = async function (address, options = {}) {
            const isSave = options.method === "POST";
            saving += isSave;
            window.atOnce = Math.max(window.atOnce, saving);
            try {
                return await send(address, options);
            } finally {
                saving -= isSave;
            }
        };
    }""")

    page.evaluate("document.querySelectorAll('[id^=tick-]').forEach((button) => button.click())")

    for number in (1, 2, 3):
        expect(page.locator(f"#tick-{number}")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("window.atOnce") == 1


def leave_before_the_site_answers(page: Page) -> None:
    dialogs: list[str] = []

    def leave(dialog: Dialog) -> None:
        dialogs.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave)
    page.evaluate("() => { window.fetch = () => new Promise(() => undefined); }")
    page.locator("#tick-1").click()

    page.reload()

    assert dialogs == ["beforeunload"]


def type_a_number(page: Page) -> None:
    page.get_by_role("link", name="Scan codes").click()
    expect(page.get_by_text("This browser cannot scan codes")).to_be_visible()
    expect(page.get_by_role("button", name="Start the camera")).to_be_hidden()

    field = page.get_by_label("Number or name")
    field.fill("1")
    field.press("Enter")

    expect(page.locator(".scanned--in")).to_contain_text("Ada")
    expect(field).to_have_value("")
    expect(field).to_be_focused()


@pytest.mark.slow
def test_camera_reads_several_codes_in_a_row(site: str, new_page: NewPage):
    page = new_page()
    page.add_init_script(CAMERA)
    open_check_in(page, site, "cameraman")
    page.get_by_role("link", name="Scan codes").click()
    page.get_by_role("button", name="Start the camera").click()
    expect(page.get_by_text("This browser cannot scan codes")).to_be_hidden()

    page.evaluate("window.shown = 'https://example.org/poster'")

    expect(page.locator(".scanned--no")).to_contain_text("This is not a check-in code")


@pytest.mark.parametrize("width", [390, 1280])
def test_message_stays_visible_while_players_are_typed(site: str, new_page: NewPage, width: int):
    page = new_page()
    sign_up(page, site, f"typist{width}")
    address = create_event(page, site, f"Typed at {width}")
    page.set_viewport_size({"width": width, "height": 640})
    page.goto(f"{site}{address}roster/")
    page.get_by_label("Add a player").fill("Ada")
    page.keyboard.press("Enter")

    for name in ("Bo", "Cy"):
        expect(page.get_by_label("Add a player")).to_be_focused()
        expect(page.get_by_text("is on the roster.")).to_be_in_viewport()
        page.keyboard.type(name)
        page.keyboard.press("Enter")

    expect(page.get_by_text("Cy is on the roster.")).to_be_in_viewport()
    expect(page.locator("table.roster tbody tr")).to_have_count(3)


def test_message_moves_to_the_changed_row(site: str, new_page: NewPage):
    page = new_page()
    open_check_in(page, site, "renamer")
    page.goto(page.url.removesuffix("tick/") + "3/entry/")
    page.get_by_label("Name", exact=True).fill("Zora")
    page.get_by_role("button", name="Save name").click()

    expect(page.locator("#player-3")).to_be_in_viewport()
    expect(page.get_by_text("Saved: number 3 is Zora")).to_be_in_viewport()
