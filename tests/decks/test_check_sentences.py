"""Sentences of pages for the texts of deck checks."""

import ast
import json
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from django.conf import settings

from decks import services
from decks.check_sentences import SENTENCES, sentence, sentences
from decks.legality.check_texts import TEXTS, UNCODED, CheckText, check_text
from decks.legality.records import AnrRules, Breach
from decks.legality.verdicts import DeckNotice
from decks.models import DecklistVersion
from tests.decks.legality.anr.test_notices import RESTORING, notices_for
from tests.decks.lists import RESTORING_TEXT
from tests.pseudo_locale import BEGIN, END, pseudo_locale

# Params that are no plain figure or name.
SAMPLES: dict[str, Any] = {
    **dict.fromkeys(("as_of", "day", "event_day", "first_day", "today"), "2025-10-03"),
    **dict.fromkeys(("side", "deck_side"), "corp"),
    **dict.fromkeys(("alternative", "card", "title"), "Sting!"),
    "names": ["First", ""],
    "title_copies": [["Sting!", 2], ["Diesel", 1]],
    "title_lines": [["Sting!", 2], ["Diesel", None]],
    "title_points": [["Sting!", 2], ["Diesel", 1]],
    "titles": ["Sting!", "Diesel"],
}


def sample_text(code: str, number: int) -> CheckText:
    """A text with a value for each param of its English."""
    names = {name for _, name, _, _ in Formatter().parse(TEXTS[code]) if name}
    bounds = "cards:between" in TEXTS[code]
    params = {name: SAMPLES.get(name, number) for name in names}
    if code == "card_copies_rule":
        params["limit"] = 2
    if bounds:
        params["cards"] = [number, number + 4]
    if code.startswith("will_") and "format" not in names:
        params["card"] = "Sting!"
    return CheckText(code, params)


@pytest.mark.parametrize("number", [1, 3000])
@pytest.mark.parametrize("code", TEXTS)
def test_each_text_has_a_sentence_with_its_params(code: str, number: int):
    text = sample_text(code, number)

    assert str(text)
    shown = sentence(text)
    assert "%(" not in shown
    assert "{" not in shown


def test_texts_sentences_and_code_have_the_same_codes():
    used = {
        node.value
        for path in (Path(settings.BASE_DIR) / "decks").rglob("*.py")
        if path.name not in ("check_texts.py", "check_sentences.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    # These codes are put together: the ending depends on the case.
    endings = ("_on_event_day", "_or_shrink")
    composed = {code for code in TEXTS if code.endswith(endings)} - {"swap_minimum_in_or_shrink"}

    assert TEXTS.keys() == SENTENCES.keys()
    assert TEXTS.keys() - used - composed == {UNCODED}
    assert {code.removesuffix(end) for code in composed for end in endings} <= used | composed


def test_sentences_are_translated(monkeypatch: pytest.MonkeyPatch):
    with pseudo_locale(monkeypatch):
        shown = sentence(check_text("take_out", copies=2))

    assert shown == f"{BEGIN}Remove all 2 copies.{END}"


@pytest.mark.usefixtures("anr_cards")
def test_breaches_and_notices_are_the_same_after_storage():
    verdict = services.check_deck(
        f"{RESTORING_TEXT}\n60 Sure Gamble\n1 Nothing", game="anr", rules=AnrRules("startup")
    )

    assert len(verdict.breaches) > 3
    for breach in verdict.breaches:
        stored = Breach.from_stored(json.loads(json.dumps(breach.as_stored())))
        assert stored.as_document() == breach.as_document()
        # Earlier releases read the document in the same row.
        assert breach.as_stored().items() >= breach.as_document().items()
        assert sentences(stored.problem) == sentences(breach.problem)
    for notice in notices_for(RESTORING, "2025-09-17", "2025-10-10"):
        stored_notice = DeckNotice.from_stored(json.loads(json.dumps(notice.as_stored())))
        assert stored_notice == notice


def test_stored_texts_of_earlier_releases_are_shown_as_they_are():
    breach = {"code": "size", "line": None, "card": None, "rule": "A rule", "remedy": "Add it."}
    version = DecklistVersion(
        breaches=[{**breach, "message": "44 cards."}],
        notices=[{"code": "soon", "card": "Fang", "message": "A list: Fang.", "cause": "A list"}],
    )

    (shown,), (notice,) = version.stored_breaches, version.stored_notices

    assert (sentences(shown.problem), sentences(shown.remedies)) == ("44 cards.", "Add it.")
    assert (sentence(shown.source), sentences(notice.texts)) == ("A rule", "A list: Fang.")


@pytest.mark.usefixtures("anr_cards")
def test_unchanged_list_of_an_earlier_release_is_the_same_submission():
    verdict = services.check_deck("60 Sure Gamble", game="anr", rules=AnrRules("startup"))
    version = DecklistVersion(
        seal=verdict.seal,
        text=verdict.text,
        judged_on=verdict.date,
        format_id=verdict.format_id or "",
        snapshot_id=verdict.snapshot_id or "",
        breaches=[breach.as_document() for breach in verdict.breaches],
        notices=[notice.with_cause() for notice in verdict.lasting_notices()],
    )

    assert verdict.breaches
    assert services.is_same_submission(version, verdict)
    version.breaches = version.breaches[1:]
    assert not services.is_same_submission(version, verdict)


def test_imported_texts_are_shown_as_they_are():
    breach = Breach.from_document(
        {
            "code": "size",
            "line": 3,
            "card": None,
            "rule": "A rule",
            "message": "44 cards.",
            "remedy": "",
        }
    )
    notice = DeckNotice.from_document(
        {"code": "soon", "card": "Fang", "message": "A list: Fang is banned.", "cause": "A list"}
    )
    version = DecklistVersion(breaches=[breach.as_stored()], notices=[notice.as_stored()])

    assert sentences(version.stored_breaches[0].problem) == "44 cards."
    assert version.stored_breaches[0].as_document() == breach.as_document()
    assert sentences(version.stored_notices[0].texts) == "A list: Fang is banned."
    assert version.stored_notices[0].message == "A list: Fang is banned."
