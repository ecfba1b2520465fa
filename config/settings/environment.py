"""The environment, and the folders of the site."""

from pathlib import Path

import environ

PROJECT = Path(__file__).resolve().parent.parent.parent
# A wheel carries templates, static files and the description of the API within this package.
PACKAGED = PROJECT / "config" / "files"
BASE_DIR = PACKAGED if PACKAGED.exists() else PROJECT
env = environ.Env()
VAR_DIR = Path(env("DATAFORT_VAR", default=str(BASE_DIR / "var")))
