"""The environment, and the folders of the site."""

from pathlib import Path

import environ

PROJECT = Path(__file__).resolve().parent.parent.parent
# A wheel carries templates, static files and the description of the API within this package.
PACKAGED = PROJECT / "config" / "files"
BASE_DIR = PACKAGED if PACKAGED.exists() else PROJECT
env = environ.Env()
VAR_DIR = Path(env("DATAFORT_VAR", default=str(BASE_DIR / "var")))


def whole_number(name: str, default: int, least: int, most: int) -> int:
    """Return a number of the environment; a bad value ends the process with a sentence."""
    text = env(name, default=str(default))
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if not least <= number <= most:
        raise SystemExit(
            f"{name} is {text!r}. Set it to a whole number from {least} to {most}, or remove it "
            f"for the default ({default})."
        )
    return number
