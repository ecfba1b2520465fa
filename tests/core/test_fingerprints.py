from core.fingerprints import fingerprint
from players.models import Player


def test_equal_rows_have_one_fingerprint_and_any_other_value_another():
    ada, again = Player(pk=1, name="Ada"), Player(pk=1, name="Ada")
    others = [
        Player(pk=2, name="Ada"),
        Player(pk=1, name="Eva"),
        Player(pk=1, name="Ada", user_id=3),
    ]

    assert fingerprint(ada, "open") == fingerprint(again, "open")
    assert len({fingerprint(one, "open") for one in [ada, *others]}) == 4
    assert fingerprint(ada, "open") != fingerprint(ada, "closed")


def test_what_was_fetched_beside_a_row_is_no_part_of_it():
    ada, again = Player(pk=1, name="Ada"), Player(pk=1, name="Ada")
    again._prefetched_objects_cache = {"seats": []}  # type: ignore[attr-defined]

    assert fingerprint(ada) == fingerprint(again)
