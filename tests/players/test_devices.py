import pytest

from players.devices import device_name

WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (
            "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
            "Firefox, Android",
        ),
        (f"Mozilla/5.0 (X11; Linux x86_64) {WEBKIT} Chrome/140.0 Safari/537.36", "Chrome, Linux"),
        (
            f"Mozilla/5.0 (Windows NT 10.0) {WEBKIT} Chrome/140.0 Safari/537.36 Edg/140.0",
            "Edge, Windows",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
            "Safari, iPhone",
        ),
        ("curl/8.5", "curl/8.5"),
        ("x" * 90, "x" * 60),
        ("", "Unknown"),
    ],
)
def test_a_browser_is_called_by_a_name_people_know(user_agent, name):
    assert device_name(user_agent) == name
