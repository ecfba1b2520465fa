import io
import json

import pytest
from django.core.management import CommandError, call_command

from decks.models import Card
from tests.factories.decks import legal_corp_list, legal_runner_list


@pytest.fixture
def deck_file(tmp_path):
    def write(text):
        path = tmp_path / "deck.txt"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def check_deck(*arguments):
    """(exit status, standard output, standard error)"""
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(SystemExit) as end:
        call_command("check_deck", *arguments, stdout=out, stderr=err)
    return end.value.code, out.getvalue(), err.getvalue()


@pytest.mark.usefixtures("cards")
class TestCheckDeck:
    def test_a_legal_list_ends_with_0_and_one_document(self, deck_file):
        path = deck_file(legal_corp_list())
        status, out, err = check_deck(path, "--game", "onr", "--json", "--date", "2026-05-01")
        document = json.loads(out)

        assert (status, err) == (0, "")
        assert (document["legal"], document["side"], document["date"]) == (
            *(True, "corp", "2026-05-01"),
        )

    def test_an_illegal_list_ends_with_1(self, deck_file):
        status, out, _ = check_deck(deck_file("3 Fang\n1 Fnag"), "--json")
        breaches = json.loads(out)["breaches"]

        assert status == 1
        assert [breach["code"] for breach in breaches] == [
            *("unknown_card", "agenda_points", "deck_size")
        ]

    def test_the_options_are_rules(self, deck_file):
        path = deck_file(f"{legal_corp_list()}\n5 Tycho Extension")

        assert check_deck(path)[0] == 0
        assert check_deck(path, "--ban-list")[0] == 1
        assert check_deck(path, "--exact-ratio")[0] == 0

    def test_a_person_reads_the_outcome_and_what_to_mend(self, deck_file):
        status, out, _ = check_deck(deck_file("3 Fang\n1 Fnag"))

        assert status == 1
        assert out.startswith("Corp deck, 3 cards, 0 agenda points (at least 2): not legal")
        assert '- line 2: No card is called "Fnag". Nearest titles: Fang;' in out
        legal = check_deck(deck_file(legal_runner_list()))
        assert legal == (0, "Runner deck, 45 cards: legal.\n", "")

    def test_the_list_comes_from_standard_input_too(self, monkeypatch):
        stream = io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbf" + legal_runner_list().encode()))
        monkeypatch.setattr("sys.stdin", stream)

        assert check_deck("-", "--json")[0] == 0

    @pytest.mark.parametrize(
        ("arguments", "reason"),
        [
            (["--game", "chess"], "chess"),
            (["--side", "both"], 'not "both"'),
            (["--date", "yesterday"], "yesterday"),
            ([], "--side"),
        ],
    )
    def test_what_cannot_be_judged_ends_with_2_and_one_object(self, deck_file, arguments, reason):
        path = deck_file("")
        status, out, _ = check_deck(path, "--json", *arguments)
        answer = json.loads(out)

        assert (status, set(answer), answer["path"]) == (2, {"error", "path"}, path)
        assert reason in answer["error"]

    def test_a_file_that_cannot_be_read_ends_with_2(self, tmp_path):
        missing = str(tmp_path / "missing.txt")
        binary = tmp_path / "deck.txt"
        binary.write_bytes(b"3 F\xe4ng")

        assert "No such file" in json.loads(check_deck(missing, "--json")[1])["error"]
        assert "not saved in UTF-8" in json.loads(check_deck(str(binary), "--json")[1])["error"]
        status, out, err = check_deck(missing)
        assert (status, out) == (2, "")
        assert "No such file" in err


@pytest.mark.django_db
def test_import_cards_says_what_it_did():
    out = io.StringIO()
    call_command("import_cards", game="onr", stdout=out)
    call_command("import_cards", game="onr", stdout=out)

    cards = [line for line in out.getvalue().splitlines() if line.startswith("Cards")]
    assert cards == [
        "Cards: 580 created, 0 updated, 0 unchanged.",
        "Cards: 0 created, 0 updated, 580 unchanged.",
    ]


@pytest.mark.django_db
def test_import_cards_names_the_damage(tmp_path):
    path = tmp_path / "cards.csv"
    path.write_text("title,side\n")

    with pytest.raises(CommandError, match=r"cards\.csv, line 1: the columns are not"):
        call_command("import_cards", str(path))
    assert not Card.objects.exists()
