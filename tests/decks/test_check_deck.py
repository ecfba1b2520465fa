"""Document, exit status and output of `manage.py check_deck`."""

import io
import json
import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import call_command

from decks import services
from decks.catalogue import available_tables, shipped_tables, stored_tables
from decks.legality.records import AnrRules
from decks.models import Card
from tests.decks.asking import check_deck, standard
from tests.decks.lists import CORE_RUNNER_TEXT, RESTORING_TEXT
from tests.factories.decks import legal_corp_list, legal_runner_list

KEYS = [
    *("legal", "breaches", "identity", "side", "size", "influence", "agenda_points"),
    *("format", "snapshot", "date"),
]
NOISE = "Noise: Hacker Extraordinaire"


@pytest.fixture
def check_text(written, anr_cards):
    return lambda text, *arguments: check_deck(written(text), "--game", "anr", *arguments)


def codes(document):
    return [breach["code"] for breach in document["breaches"]]


def test_document_starts_with_the_documented_keys_in_order(check_text):
    status, document = check_text(RESTORING_TEXT, *standard("2025-09-17"))

    assert status == 0
    assert list(document)[: len(KEYS)] == KEYS
    assert {key: document[key] for key in KEYS} == {
        "legal": True,
        "breaches": [],
        "identity": "Jinteki: Restoring Humanity",
        "side": "corp",
        "size": 45,
        "influence": {"spent": 0, "limit": 15},
        "agenda_points": {"total": 20, "minimum": 20, "maximum": 21},
        "format": "standard",
        "snapshot": "standard_31",
        "date": "2025-09-17",
    }
    assert document["legal_until"] == "2025-10-02"


def test_deck_is_banned_on_the_day_after_its_span(check_text):
    status, document = check_text(RESTORING_TEXT, *standard("2025-10-03"))
    (breach,) = document["breaches"]

    assert (status, document["snapshot"]) == (1, "standard_32")
    assert list(breach) == ["code", "line", "card", "rule", "message", "remedy"]
    assert (breach["code"], breach["line"], breach["card"]) == ("banned_card", 5, "Sting!")
    assert breach["rule"] == "Standard Ban List 25.10, in force from 3 October 2025"
    assert (document["legal_from"], document["legal_until"]) == (None, None)


@pytest.mark.parametrize(("day", "is_old"), [("2025-09-17", False), ("2031-01-01", True)])
def test_outdated_card_data_is_reported(check_text, day: str, is_old: bool):
    _, document = check_text(RESTORING_TEXT, *standard(day))

    if is_old:
        assert document["outdated"]["as_of"] == "2025-09-17"
        assert "before 1 January 2031" in document["outdated"]["message"]
    else:
        assert document["outdated"] is None


def test_without_a_format_only_the_basic_rules_apply(check_text):
    status, document = check_text(CORE_RUNNER_TEXT)

    assert (status, document["legal"]) == (0, True)
    assert (document["format"], document["snapshot"]) == (None, None)
    assert document["influence"] == {"spent": 14, "limit": 15}
    assert document["agenda_points"] == {"total": 0, "minimum": None, "maximum": None}


@pytest.mark.parametrize(
    ("day", "breaches", "influence"),
    [
        ("2016-01-31", [], {"spent": 14, "limit": 15}),
        # NAPD MWL 1.0 lowers the limit; 1.2 charges universal influence instead.
        ("2016-02-01", ["influence"], {"spent": 14, "limit": 10}),
        ("2017-04-12", ["influence"], {"spent": 22, "limit": 15}),
    ],
)
def test_influence_follows_the_list_in_force(check_text, day, breaches, influence):
    document = check_text(CORE_RUNNER_TEXT, *standard(day))[1]

    assert (codes(document), document["influence"]) == (breaches, influence)


def test_identity_determines_the_side_against_most_cards(check_text):
    document = check_text(f"{RESTORING_TEXT}\n60 Sure Gamble")[1]

    assert document["side"] == "corp"
    assert [breach["code"] for breach in document["breaches"] if breach["card"]] == [
        "too_many_copies",
        "wrong_side",
    ]


def test_day_before_the_format_is_a_breach_with_its_start(check_text):
    status, document = check_text(CORE_RUNNER_TEXT, *standard("2012-09-05"))
    (breach,) = document["breaches"]

    assert (status, document["snapshot"], breach["code"]) == (1, None, "no_snapshot")
    assert breach["message"] == "Standard began on 6 September 2012; 5 September 2012 is before it."


WITHOUT = CORE_RUNNER_TEXT.split("\n", 1)[1]


@pytest.mark.parametrize(
    ("text", "identity_text"),
    [
        (WITHOUT, NOISE),
        (WITHOUT, "noise hacker extraordinaire"),
        (WITHOUT, "noise_hacker_extraordinaire"),
        (WITHOUT, "01001"),
        (CORE_RUNNER_TEXT, NOISE),
    ],
)
def test_identity_can_be_given_by_title_id_or_printing(check_text, text, identity_text):
    status, document = check_text(text, "--identity", identity_text)

    assert (status, document["identity"], document["side"]) == (0, NOISE, "runner")


def test_list_without_an_identity_has_no_influence(check_text):
    status, document = check_text(WITHOUT)

    assert (status, codes(document), document["side"]) == (1, ["no_identity"], "runner")
    assert document["influence"] == {"spent": None, "limit": None}


@pytest.mark.parametrize(
    ("text", "identity_text", "identity", "code", "message"),
    [
        # Similar identities are suggested and never chosen.
        (WITHOUT, "Noise Hacker", None, "unknown_identity", f"; {NOISE}; "),
        (WITHOUT, "Noise \udcff", None, "unknown_identity", "No identity is called"),
        (
            *(WITHOUT, "Sure Gamble", None, "unknown_identity"),
            "Sure Gamble is not an identity; its type is event.",
        ),
        (
            *(CORE_RUNNER_TEXT, "Whizzard: Master Gamer", "Whizzard: Master Gamer"),
            *("other_identity", f"The list names {NOISE}, but the chosen identity is Whizzard"),
        ),
    ],
)
def test_wrong_identity_is_reported(check_text, text, identity_text, identity, code, message):
    status, document = check_text(text, "--identity", identity_text)
    (breach,) = document["breaches"]

    assert (status, document["identity"], breach["code"]) == (1, identity, code)
    assert message in f"{breach['message']} {breach['remedy']}"
    assert json.dumps(document, ensure_ascii=False).encode()


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252"])
def test_titles_print_on_any_terminal_encoding(written, anr_cards, encoding):
    path = written("T\u0101o Salonga: Telepresence Magician\n3 Doppelg\u00e4nger")
    for form in ([], ["--json"]):
        bytes_ = io.BytesIO()
        terminal = io.TextIOWrapper(bytes_, encoding=encoding, write_through=True)
        with pytest.raises(SystemExit) as end:
            call_command("check_deck", str(path), "--game", "anr", *form, stdout=terminal)
        assert end.value.code == 1

    # The last output is JSON, which is ASCII or UTF-8.
    document = json.loads(bytes_.getvalue().decode("utf-8"))
    assert document["identity"] == "T\u0101o Salonga: Telepresence Magician"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", "anr", "--format", "modern"], "standard, startup"),
        (["--game", "anr", "--ban-list"], "The deck rules of anr have no ban_list"),
        (["--game", "anr", "--corp-minimum", "40"], "no corp_minimum"),
        (["--game", "onr", "--format", "standard"], "The deck rules of onr have no format"),
        (["--game", "onr", "--identity", "Noise"], "no identity"),
        (["--game", "onr", "--corp-minimum", "1000"], "from 0 to 999"),
        (["--game", "anr", "--date", "2025-13-01"], "--date is a day such as 2025-09-17"),
        (["--game", "anr", "--ban-list", "--date", "2025-13-01"], "anr have no ban_list"),
        (["--game", "free_radicals"], "Choose one of these games: onr, anr"),
        (["--game", "anr", "--side", "both"], 'not "both"'),
    ],
)
@pytest.mark.usefixtures("anr_cards")
def test_invalid_rules_exit_with_2(written, arguments, message):
    status, answer = check_deck(written(CORE_RUNNER_TEXT), *arguments)

    assert (status, set(answer)) == (2, {"error", "path"})
    assert message in answer["error"]


@pytest.mark.usefixtures("cards")
def test_list_without_a_side_is_refused_with_the_option(written):
    path = written("")
    status, answer = check_deck(path)

    assert (status, answer["path"]) == (2, str(path))
    assert "--side" in answer["error"]


@pytest.mark.parametrize(
    ("content", "message"), [(None, "No such file"), (b"3 F\xe4ng", "not saved in UTF-8")]
)
def test_unreadable_file_exits_with_2(tmp_path, capsys, content, message):
    path = tmp_path / "list"
    if content:
        path.write_bytes(content)
    status, answer = check_deck(path)

    assert (status, set(answer)) == (2, {"error", "path"})
    assert message in answer["error"]
    with pytest.raises(SystemExit):
        call_command("check_deck", str(path))
    printed = capsys.readouterr()
    assert (printed.out, message in printed.err) == ("", True)


@pytest.mark.usefixtures("anr_cards")
def test_unreadable_list_exits_with_2_and_the_reason(written):
    path = written('{"a":' * 3000 + "1" + "}" * 3000)
    status, answer = check_deck(path, "--game", "anr")

    assert (status, set(answer)) == (2, {"error", "path"})
    assert "nested more than 20 deep" in answer["error"]
    status, document = check_deck(path, "--game", "anr", "--side", "corp")
    assert (status, codes(document)) == (1, ["no_identity", "unreadable_file"])


@pytest.mark.parametrize(
    ("typed", "format_"),
    [(" STANDARD ", "standard"), ("System Gateway", "system_gateway"), ("", None)],
)
def test_format_accepts_display_names(check_text, typed, format_):
    document = check_text(RESTORING_TEXT, "--format", typed, "--identity", "")[1]

    assert document["format"] == format_


@pytest.mark.django_db
def test_oversized_file_is_refused_with_its_size(written):
    status, document = check_deck(written("é" * 600_000), "--game", "onr", "--side", "corp")

    assert status == 1
    assert "list_too_long" in codes(document)


@pytest.mark.usefixtures("cards")
@pytest.mark.parametrize(
    ("option", "status"),
    [
        ([], 0),
        (["--ban-list"], 1),
        (["--exact-ratio"], 0),
        (["--corp-minimum", "50"], 0),
        (["--corp-minimum", "51"], 1),
        (["--runner-minimum", "99"], 0),
    ],
)
def test_options_change_the_rules(written, option, status):
    assert check_deck(written(f"{legal_corp_list()}\n5 Tycho Extension"), *option)[0] == status


@pytest.mark.usefixtures("cards")
@pytest.mark.parametrize(
    ("text", "status", "message"),
    [
        (legal_runner_list(), 0, "Runner deck, 45 cards: legal.\n"),
        (
            "3 Fang\n1 Fnag",
            1,
            "Corp deck, 3 cards, 0 agenda points (at least 2): not legal, 3 to fix.\n"
            '- line 2: No card is called "Fnag". Nearest titles: Fang;',
        ),
    ],
)
def test_text_output_has_outcome_and_remedies(written, capsys, text, status, message):
    with pytest.raises(SystemExit) as end:
        call_command("check_deck", str(written(text)))

    assert end.value.code == status
    assert capsys.readouterr().out.startswith(message)


@pytest.mark.usefixtures("cards")
def test_list_is_read_from_standard_input(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbf" + legal_runner_list().encode()))
    monkeypatch.setattr("sys.stdin", stream)

    assert check_deck("-")[0] == 0


@pytest.mark.django_db
def test_shipped_tables_are_used_before_an_import(written):
    assert not Card.objects.filter(game="onr").exists()
    assert available_tables("onr") is shipped_tables("onr")
    assert check_deck(written(legal_corp_list()), "--game", "onr")[1]["size"] == 45


@pytest.mark.usefixtures("anr_cards")
def test_database_tables_are_used_after_an_import(written):
    assert available_tables("anr") is stored_tables("anr")
    path = written(RESTORING_TEXT)
    stored = check_deck(path, "--game", "anr", *standard("2025-10-03"))
    Card.objects.update(game="onr")

    assert available_tables("anr") is shipped_tables("anr")
    assert check_deck(path, "--game", "anr", *standard("2025-10-03")) == stored


def test_new_copy_without_a_database_checks_decks(written, tmp_path):
    path = str(written(RESTORING_TEXT))
    process = subprocess.run(
        [sys.executable, "manage.py", "check_deck", path, "--game", "anr", "--json"],
        cwd=settings.BASE_DIR,
        env={"PATH": os.environ["PATH"], "DATAFORT_VAR": str(tmp_path / "var")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (process.returncode, process.stderr) == (0, "")
    assert json.loads(process.stdout)["legal"] is True


@pytest.mark.usefixtures("anr_cards")
@pytest.mark.parametrize("side", ["corp", "runner"])
def test_identity_alone_is_a_list_only_if_allowed_by_the_event(side: str):
    text = {"corp": "Haas-Bioroid: Engineering the Future", "runner": NOISE}[side]

    verdict = services.check_deck(text, game="anr", side=side, rules=AnrRules())
    alone = services.check_deck(text, game="anr", side=side, rules=AnrRules(identities_only=True))
    longer_list = f"{text}\n1 Hedge Fund" if side == "corp" else f"{text}\n1 Sure Gamble"
    short = services.check_deck(
        longer_list, game="anr", side=side, rules=AnrRules(identities_only=True)
    )

    assert "deck_size" in {breach.code for breach in verdict.breaches}
    assert (alone.legal, alone.identity and alone.identity.title) == (True, text)
    assert "deck_size" in {breach.code for breach in short.breaches}
