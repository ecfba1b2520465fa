from tournaments.roster import Action, preview, read_csv, read_names


def actions(text: str, existing: list[tuple[int, str]]) -> list[tuple[Action, int | str | None]]:
    return [(entry.action, entry.existing_id) for entry in preview(read_names(text), existing)]


def test_new_names_are_added():
    assert actions("Ada\nBo", []) == [(Action.ADD, None), (Action.ADD, None)]


def test_a_registered_name_is_found_whatever_its_spelling():
    assert actions("zoe\u0308\nBo", [(7, "ZO\u00cb")]) == [
        (Action.REGISTERED, 7),
        (Action.ADD, None),
    ]


def test_a_name_twice_in_the_list_is_added_once():
    assert actions("Ada\nada", []) == [(Action.ADD, None), (Action.REPEATED, None)]


def test_a_registered_name_twice_in_the_list_is_registered_both_times():
    assert actions("Ada\nAda", [(7, "Ada")]) == [(Action.REGISTERED, 7), (Action.REGISTERED, 7)]


def test_of_two_registered_with_one_name_the_first_is_named():
    assert actions("Ada", [(7, "Ada"), (8, "ADA")]) == [(Action.REGISTERED, 7)]


def test_an_unusable_line_says_all_its_reasons():
    [entry] = preview(read_csv("name,seed\nAda,first\n"), [(7, "Ada")])

    assert entry.action == Action.INVALID
    assert "whole number from 1" in entry.reason


def test_every_reason_says_what_to_do():
    entries = preview(read_names("Ada\nBo\nBo"), [(7, "Ada")])

    assert [entry.reason for entry in entries] == [
        "Ada is registered. For somebody else, add an initial to tell them apart.",
        "",
        "Same name as line 2. Two people: add an initial to one.",
    ]
