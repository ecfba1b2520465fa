from tools.bench.figures import Figure, table


def test_goal_row_has_its_figures_and_marks_a_missed_goal():
    figures = [
        Figure("", "rematches", "0"),
        Figure("P2", "1024 players", "283 times faster", ">= 30 times", met=True),
        Figure("P1", "512 players", "2 times faster", ">= 100 times", met=False),
        Figure("P2", "2048 players", "90 times faster", ">= 30 times", met=True),
    ]

    assert table(figures).splitlines()[2:] == [
        "| P1 | >= 100 times | 512 players: 2 times faster **missed** |",
        "| P2 | >= 30 times | 1024 players: 283 times faster<br>2048 players: 90 times faster |",
        "|  | none | rematches: 0 |",
    ]
