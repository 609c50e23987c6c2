"""The page at ``/table``: files of our own and the packages that they import, as they are installed.

Nothing is built: browsers load the modules one by one, and an import map in the page says where the packages
lie. It stands in the page itself, as import maps must; the page's policy names its hash and no other inline
script.
"""

import base64
import hashlib
import re
from pathlib import Path

FOLDER = Path(__file__).parent / "table"
PAGE = FOLDER / "table.html"
MODULES = Path(__file__).resolve().parents[1] / "federation" / "node_modules"
LIBRARIES = {
    "preact": "preact/dist",
    "hooks": "preact/hooks/dist",
    "htm": "htm/dist",
    "graphql-ws": "graphql-ws/dist",
}
"""Where the modules of a library lie among the installed packages, by its name in the import map."""
MEDIA_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
}
_IMPORT_MAP = re.compile(r'<script type="importmap">(.*?)</script>', re.DOTALL)


def policy(strict: str) -> str:
    """Return the Content-Security-Policy of the page.

    Args:
        strict: what holds for every page.
    """
    found = _IMPORT_MAP.search(PAGE.read_text("utf-8"))
    if found is None:
        raise ValueError("table.html has no import map")
    digest = base64.b64encode(hashlib.sha256(found.group(1).encode()).digest()).decode()
    # Pictures that need a key are fetched with it, and shown from memory: blob.
    return (
        f"{strict}; script-src 'self' 'sha256-{digest}'; style-src 'self'; "
        "img-src 'self' blob:; connect-src 'self'"
    )


def own_file(name: str) -> Path | None:
    """Return the path of a file of the page; None where it has none of that name."""
    return _listed(FOLDER, name)


def library_file(library: str, name: str) -> Path | None:
    """Return the path of a module of a library; None where there is none, or it is not installed."""
    folder = LIBRARIES.get(library)
    return None if folder is None else _listed(MODULES / folder, name)


def _listed(folder: Path, name: str) -> Path | None:
    if not folder.is_dir():
        return None
    # Compared with the names there are, so that no name leads out of the folder.
    return next((one for one in folder.iterdir() if one.name == name and one.suffix in MEDIA_TYPES), None)
