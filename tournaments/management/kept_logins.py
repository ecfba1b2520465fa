"""Passwords of demo accounts, in a file that its owner alone can read."""

import os
import secrets
from pathlib import Path

PASSWORD_BYTES = 12


class KeptLogins:
    """Lines of "username password"; a password is made when it is first asked for."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._passwords = self._read()

    def knows(self, username: str) -> bool:
        """Whether a password was kept for this account."""
        return username in self._passwords

    def password(self, username: str) -> str:
        """The kept password, or a new one, which is kept from now on."""
        if username not in self._passwords:
            self._passwords[username] = secrets.token_urlsafe(PASSWORD_BYTES)
            self._write()
        return self._passwords[username]

    def _read(self) -> dict[str, str]:
        if not self._path.exists():
            return {}
        pairs = (
            line.split(maxsplit=1) for line in self._path.read_text(encoding="utf-8").splitlines()
        )
        return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}

    def _write(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.writelines(f"{name} {password}\n" for name, password in self._passwords.items())
