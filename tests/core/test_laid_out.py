from unittest.mock import Mock

import pytest

from core import laid_out


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(laid_out, "_kept", type(laid_out._kept)())


def test_equal_parts_are_laid_out_once_and_each_reader_has_the_own_token():
    lay_out = Mock(side_effect=lambda token: f"<b>{token}</b>")

    told = [laid_out.laid_out("row.html", "one", token, lay_out) for token in ("ada", "bob")]

    assert told == ["<b>ada</b>", "<b>bob</b>"]
    assert lay_out.call_count == 1


def test_another_template_or_another_row_is_another_part():
    lay_out = Mock(return_value="x")

    for template, said in (("row.html", "one"), ("row.html", "two"), ("other.html", "one")):
        laid_out.laid_out(template, said, "", lay_out)

    assert lay_out.call_count == 3


def test_the_oldest_is_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(laid_out, "MOST", 2)
    for said in ("one", "two", "three"):
        laid_out.laid_out("row.html", said, "", lambda token: "x")

    kept = [laid_out.is_kept("row.html", said) for said in ("one", "two", "three")]
    assert kept == [False, True, True]
