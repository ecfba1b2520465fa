import pytest

from core.lookalikes import alike, first_like, skeleton
from tests.players.name_corpus import DIFFERENT, NAMES

pytestmark = pytest.mark.check(13)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ada", "\u0410da"),  # Cyrillic
        ("Ivan", "lvan"),
        ("\u0395\u03bb\u03ad\u03bd\u03b7", "E\u03bb\u03ad\u03bd\u03b7"),  # Latin among Greek
        ("OLGA", "0lga"),
        ("Arnie", "Amie"),
        ("Ada", "ADA"),
    ],
)
def test_names_that_look_the_same_are_taken_for_each_other(name, other):
    assert first_like(other, ["Zoe", name]) == name


@pytest.mark.parametrize(("one", "other"), [*DIFFERENT[2:], ("Kari", "Karl"), ("Zo\u00eb", "Zoe")])
def test_names_with_other_accents_or_letters_are_not(one, other):
    assert first_like(one, [other]) == ""


def test_of_many_names_each_is_told_the_first_it_is_taken_for():
    names = {1: "Zoe", 2: "Ivan", 3: "lvan", 4: "Amie", 5: "IVAN", 6: "Arnie"}

    assert alike(names) == {2: 3, 3: 2, 4: 6, 5: 2, 6: 4}


def test_no_two_names_of_many_scripts_look_the_same():
    assert len({skeleton(name) for name in NAMES}) == len(NAMES)
