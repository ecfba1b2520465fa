from tools.bench.figures import Figure, goal_lists


def test_goal_has_a_list_of_its_figures_and_a_missed_goal_is_marked():
    figures = [
        Figure("", "rematches", "0"),
        Figure("P2", "1024 players", "283 times faster", ">= 30 times", met=True),
        Figure("P1", "512 players", "2 times faster", ">= 100 times", met=False),
        Figure("P2", "2048 players", "90 times faster", ">= 30 times", met=True),
    ]

    assert goal_lists(figures).split("\n\n") == [
        "**P1**: >= 100 times",
        "- 512 players: 2 times faster **missed**",
        "**P2**: >= 30 times",
        "- 1024 players: 283 times faster\n- 2048 players: 90 times faster",
        "**Other**: no goal",
        "- rematches: 0",
    ]
