"""`datafort` and `manage.py`: which command a word runs."""

import os
import sys

import pytest

from config import command_line

WORDS = {
    "import": "import_tournament",
    "export": "export_tournament",
    "check-deck": "check_deck",
    "backup": "backup",
    "restore": "restore",
    "engine": "engine",
    "serve": "serve --set-up",
}


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the command line sets is set back afterwards."""
    for name in ("DATAFORT_VAR", "DJANGO_SETTINGS_MODULE"):
        monkeypatch.setenv(name, os.environ.get(name, ""))


@pytest.mark.parametrize(("word", "command"), WORDS.items())
def test_each_word_of_datafort_runs_its_command(word, command, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["datafort", word, "--help"])

    with pytest.raises(SystemExit) as ended:
        command_line.datafort()

    assert ended.value.code == 0
    assert sys.argv == ["datafort", *command.split(), "--help"]
    assert capsys.readouterr().out.startswith(f"usage: datafort {command.split()[0]} ")


def test_every_short_word_is_among_these():
    assert command_line.SHORT.keys() <= WORDS.keys()


def test_an_installed_site_keeps_its_files_where_it_is_called(monkeypatch, tmp_path):
    monkeypatch.delenv("DATAFORT_VAR")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["datafort", "backup", "--help"])

    with pytest.raises(SystemExit):
        command_line.datafort()

    assert os.environ["DATAFORT_VAR"] == str(tmp_path / "datafort-data")


def test_a_deck_is_checked_without_the_site(monkeypatch):
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "config.settings.embedded")
    monkeypatch.setattr(sys, "argv", ["datafort", "check-deck", "--help"])

    with pytest.raises(SystemExit):
        command_line.datafort()

    assert os.environ["DJANGO_SETTINGS_MODULE"] == "config.settings.cards"
