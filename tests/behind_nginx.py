"""A site behind nginx, configured as in deploy/ except for ports, folders and the certificate."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from tests.core.tls_site import certificate_for
from tests.live_site import ROOT, free_port, process, wait_for

NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
FILE = ROOT / "deploy" / "nginx.conf"
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@contextmanager
def behind_nginx(
    folder: Path,
    public: str,
    *,
    web: str,
    live: str = "8001",
    spare: str = "8002",
    more: str = "",
) -> Iterator[str]:
    """Run nginx and yield the site's address at the port `public`.

    `web`, `live` and `spare` are the ports of the site, and `more` is the configuration of further
    servers. Within the block, this process trusts the certificate `folder`/site.pem.
    """
    if NGINX is None:
        raise RuntimeError("nginx is not installed.")
    certificate_for(folder, "localhost")
    file = folder / "nginx.conf"
    ports = {"8000": web, "8001": live, "8002": spare}
    file.write_text(_configuration(folder, public, ports, more))
    command = [NGINX, "-e", "stderr", "-c", str(file), "-g", "daemon off;"]
    subprocess.run([*command, "-t"], check=True)
    with (
        patch.dict(os.environ, SSL_CERT_FILE=f"{folder}/site.pem"),
        process(command, dict(os.environ)),
    ):
        wait_for(f"https://localhost:{public}/livez")
        yield f"https://localhost:{public}"


def _configuration(folder: Path, public: str, ports: dict[str, str], further_servers: str) -> str:
    shipped = FILE.read_text()
    # A hall raises this value in nginx's own configuration file.
    connections = re.findall(r"`(worker_connections \d+;)`", shipped)
    text = re.sub(r"\blisten \[::\].*\n", "", shipped)
    for shipped_text, local_text in (
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("listen 443 ", f"listen 127.0.0.1:{public} "),
        ("/etc/letsencrypt/live/play.example/fullchain.pem", f"{folder}/site.pem"),
        ("/etc/letsencrypt/live/play.example/privkey.pem", f"{folder}/site.key"),
        ("/var/cache/nginx/datafort", f"{folder}/kept"),
        ("root /var/www/datafort;", f"root {FILE.parent};"),
        *(
            (f"127.0.0.1:{shipped_text}", f"127.0.0.1:{local_text}")
            for shipped_text, local_text in ports.items()
        ),
    ):
        text = text.replace(shipped_text, local_text)
    temp_paths = " ".join(f"{temp_name}_temp_path {folder}/{temp_name};" for temp_name in TEMPORARY)
    # Workers started by root would run as another account, which may not write here.
    user = "user root;" if os.geteuid() == 0 else ""
    head = f"{user} pid {folder}/nginx.pid; events {{ {connections[0]} }}"
    return f"{head}\nhttp {{ access_log off; {temp_paths}\n{text}\n{further_servers}\n}}\n"
