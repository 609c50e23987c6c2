"""What a backup holds: the file ``manifest.json``, which is written last.

The hashes tell damage, not malice: whoever can change a file of a backup can change its manifest as well.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from infra.backups.failure import NewerBackup, NotABackup
from services.shared.settings import SERVICES

FORMAT = 1
MANIFEST = "manifest.json"
SECRETS = "secrets.json"
FILES = "files"
KINDS = ("sqlite", "postgres")

_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class SavedDatabase:
    """One service's database.

    Attributes:
        kind: ``sqlite``, a database file, or ``postgres``, an archive of pg_dump.
        file: its path in the backup.
        revision: id of its newest migration.
    """

    kind: str
    file: str
    revision: str


@dataclass(frozen=True, slots=True)
class SavedFile:
    """One file.

    Attributes:
        sha256: of its bytes, in hexadecimal.
        bytes: how many they are.
    """

    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds.

    Attributes:
        product: version of the product that wrote it.
        moment: the moment that it shows.
        databases: by service.
        files: every file but the manifest, by path in the backup, parts of which are set apart by ``/``.
        missing: stored files that rows name and that were lost before the backup was taken.
    """

    product: str
    moment: datetime
    databases: Mapping[str, SavedDatabase]
    files: Mapping[str, SavedFile]
    missing: tuple[str, ...] = ()

    def to_bytes(self) -> bytes:
        """Writes it as JSON."""
        document = {
            "format": FORMAT,
            "product": self.product,
            "moment": self.moment.isoformat(),
            "databases": {name: asdict(saved) for name, saved in self.databases.items()},
            "files": {path: asdict(saved) for path, saved in sorted(self.files.items())},
            "missing": list(self.missing),
        }
        return json.dumps(document, indent=1).encode()

    @property
    def kind(self) -> str:
        """Names the kind of its databases, which all have the same."""
        return next(iter(self.databases.values())).kind


def read_manifest(content: bytes) -> Manifest:
    """Reads a manifest.

    Raises:
        NotABackup: it is none.
        NewerBackup: it has a form that is newer than this program.
    """
    try:
        document = json.loads(content)
        form = document["format"]
        if isinstance(form, int) and form > FORMAT:
            raise NewerBackup(
                f"the backup has form {form}, this version reads {FORMAT}; restore it with a newer version"
            )
        found = _manifest(document)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise NotABackup(f"{MANIFEST} cannot be read ({type(error).__name__}: {error})") from None
    return found


def _manifest(document: Mapping[str, Any]) -> Manifest:
    files = {_path(path): SavedFile(**saved) for path, saved in document["files"].items()}
    databases = {name: SavedDatabase(**saved) for name, saved in document["databases"].items()}
    if set(databases) != set(SERVICES) or len({saved.kind for saved in databases.values()}) != 1:
        raise ValueError("it does not tell of one database of each service, all of one kind")
    if any(saved.kind not in KINDS or saved.file not in files for saved in databases.values()):
        raise ValueError("it names a database that it does not hold")
    if SECRETS not in files or not all(_SHA256.fullmatch(saved.sha256) for saved in files.values()):
        raise ValueError("it lacks the secrets, or hashes")
    moment = datetime.fromisoformat(document["moment"])
    return Manifest(str(document["product"]), moment, databases, files, tuple(document["missing"]))


def _path(path: str) -> str:
    """Lets a path through that leads to a place inside the backup and nowhere else."""
    if not all(_PART.fullmatch(part) for part in path.split("/")):
        raise ValueError(f"{path!r} is no path in a backup")
    return path


def files_of(folder: Path) -> dict[str, SavedFile]:
    """Reads and hashes every file below a folder, by path."""
    return {
        str(file.relative_to(folder)): SavedFile(sha256_of(file), file.stat().st_size)
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def sha256_of(file: Path) -> str:
    """Computes the hash of a file, in hexadecimal."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
