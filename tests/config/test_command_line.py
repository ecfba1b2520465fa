"""The commands of `datafort` and `manage.py`."""

import os
import socket
import sys
from io import StringIO
from threading import Event
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from config import command_line
from config.settings import environment as site_environment
from core.management.commands import serve
from core.version import VERSION

WORDS = {
    "import": "import_tournament",
    "export": "export_tournament",
    "check-deck": "check_deck",
    "backup": "backup",
    "restore": "restore",
    "move-site": "move_site",
    "engine": "engine",
    "serve": "serve --set-up",
}


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore the environment variables that the command line sets."""
    for name in ("DATAFORT_VAR", "DJANGO_SETTINGS_MODULE", "SECRET_KEY"):
        monkeypatch.setenv(name, os.environ.get(name, ""))


@pytest.mark.parametrize(("argument", "command"), WORDS.items())
def test_each_subcommand_of_datafort_runs_its_command(argument, command, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["datafort", argument, "--help"])

    with pytest.raises(SystemExit) as ended:
        command_line.datafort()

    assert ended.value.code == 0
    assert sys.argv == ["datafort", *command.split(), "--help"]
    assert capsys.readouterr().out.startswith(f"usage: datafort {command.split()[0]} ")


def test_installed_site_stores_its_files_in_the_current_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("DATAFORT_VAR")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["datafort", "backup", "--help"])

    with pytest.raises(SystemExit):
        command_line.datafort()

    assert os.environ["DATAFORT_VAR"] == str(tmp_path / "datafort-data")


def test_check_deck_uses_minimal_settings(monkeypatch):
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "config.settings.embedded")
    monkeypatch.setattr(sys, "argv", ["datafort", "check-deck", "--help"])

    with pytest.raises(SystemExit):
        command_line.datafort()

    assert os.environ["DJANGO_SETTINGS_MODULE"] == "config.settings.cards"


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["datafort", *arguments])
    command_line.datafort()


@pytest.mark.parametrize("argument", ["--version", "version"])
def test_version_is_printed(argument, monkeypatch, capsys):
    run(monkeypatch, argument)

    assert capsys.readouterr().out == f"Datafort {VERSION}\n"


@pytest.mark.parametrize("arguments", [(), ("help",), ("--help",), ("-h",)])
def test_help_lists_our_commands_first(arguments, monkeypatch, capsys):
    run(monkeypatch, *arguments)

    own_part, _, other_part = capsys.readouterr().out.partition("Available subcommands:")
    listed = [line.split()[0] for line in own_part.splitlines() if line.startswith("  ")]
    assert listed == list(command_line.COMMAND_HELP)
    assert {*WORDS} == {*listed} >= command_line.SHORT_NAMES.keys()
    assert "rotate_secrets" in other_part


@pytest.mark.parametrize("argument", ["backup", "export", "createsuperuser"])
def test_command_outside_a_site_names_the_folder_and_creates_nothing(
    argument, monkeypatch, tmp_path
):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setattr(site_environment, "VAR_DIR", tmp_path / "datafort-data")

    with pytest.raises(SystemExit, match=r"There is no Datafort site in .*datafort-data"):
        run(monkeypatch, argument)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (PermissionError(13, "Permission denied", "VAR/secret_key"), "secret_key: Permission"),
        (OSError(30, "Read-only file system", "VAR"), "Read-only file system"),
    ],
)
def test_unwritable_data_folder_is_reported_in_a_sentence(error, sentence, monkeypatch, tmp_path):
    monkeypatch.setattr(site_environment, "VAR_DIR", tmp_path)
    error.filename = error.filename.replace("VAR", str(tmp_path))

    def fail(_: list[str]) -> None:
        raise error

    monkeypatch.setattr("django.core.management.execute_from_command_line", fail)

    with pytest.raises(SystemExit, match=f"Datafort cannot use .*{sentence}.*DATAFORT_VAR"):
        run(monkeypatch, "serve")


def test_error_of_another_file_is_raised(monkeypatch, tmp_path):
    def fail(_: list[str]) -> None:
        raise FileNotFoundError(2, "No such file or directory", "/elsewhere/deck.txt")

    monkeypatch.setattr("django.core.management.execute_from_command_line", fail)
    monkeypatch.setattr(site_environment, "VAR_DIR", tmp_path)

    with pytest.raises(FileNotFoundError):
        run(monkeypatch, "serve")


class TestServe:
    def test_port_in_use_is_refused_before_the_set_up(self):
        with socket.socket() as busy_socket:
            busy_socket.bind(("127.0.0.1", 0))
            busy_socket.listen()
            with pytest.raises(CommandError, match="is in use"):
                call_command("serve", port=busy_socket.getsockname()[1], set_up=True)

    @pytest.mark.parametrize("port", [0, -1, 65_536, 99_999])
    def test_port_that_does_not_exist_is_refused(self, port):
        with pytest.raises(CommandError, match=f"Port {port} does not exist"):
            call_command("serve", port=port)

    @pytest.mark.parametrize("host", ["203.0.113.77", "no such host", "999.1.1.1"])
    def test_host_of_another_computer_is_refused(self, host):
        with pytest.raises(CommandError, match=f"{host} is not an address of this computer"):
            call_command("serve", host=host, port=8123)


class TestDemo:
    """`serve --demo` makes the demo event after the server has begun to listen."""

    @pytest.fixture
    def port(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return probe.getsockname()[1]

    @pytest.fixture
    def served(self, monkeypatch):
        listens, ended = Event(), Event()

        class Server:
            def run(self):
                listens.set()
                assert ended.wait(20)

        monkeypatch.setattr("core.bounded_server.create_server", lambda *_, **__: Server())
        monkeypatch.setattr(serve, "import_string", str)
        monkeypatch.setattr("core.addresses.listener", None)
        monkeypatch.setattr(f"{serve.__name__}.connections.close_all", ended.set)
        return listens

    def test_demo_is_made_while_the_server_runs(self, served, port, monkeypatch):
        addresses: dict[str, Any] = {}

        def make(command, **options):
            assert served.wait(20)
            addresses.update(options, command=command)

        monkeypatch.setattr(serve, "call_command", make)
        output = StringIO()
        call_command("serve", port=port, demo=True, stdout=output)

        assert addresses["command"] == "make_demo"
        assert addresses["staff_address"] == f"http://127.0.0.1:{port}"
        assert "The demo event is being prepared." in output.getvalue()

    @pytest.mark.parametrize(
        ("error", "sentence"),
        [
            (CommandError("There are no cards yet."), "runs without it. There are no cards yet."),
            (ZeroDivisionError(), "To try again: manage.py make_demo"),
        ],
    )
    def test_failed_demo_is_reported_and_the_server_continues(
        self, error, sentence, served, port, monkeypatch
    ):
        def fail(*_, **__):
            assert served.wait(20)
            raise error

        monkeypatch.setattr(serve, "call_command", fail)
        errors = StringIO()
        call_command("serve", port=port, demo=True, stdout=StringIO(), stderr=errors)

        assert "The demo event could not be created" in errors.getvalue()
        assert sentence in errors.getvalue()
