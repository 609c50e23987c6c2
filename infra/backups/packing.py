"""A backup as a folder, or as one archive: ``NAME.tar`` or ``NAME.tar.gz``, with the manifest first.

Either appears under its name only when it is whole.
"""

import gzip
import hashlib
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from infra.backups.failure import Damaged, NotABackup, TargetInUse
from infra.backups.manifest import MANIFEST, Manifest, read_manifest

ARCHIVES = {".tar": "w", ".tar.gz": "w:gz", ".tgz": "w:gz"}
MOST_MANIFEST = 1 << 30
_CHUNK = 1 << 20


def is_archive(target: Path) -> bool:
    """Whether a name is one of an archive."""
    return target.name.endswith(tuple(ARCHIVES))


@contextmanager
def packed(target: Path) -> Iterator[Path]:
    """Yields an empty folder, and makes the backup at ``target`` of what it holds when the block ends well.

    Raises:
        TargetInUse: there is something at the target already.
    """
    if not is_free(target):
        raise TargetInUse(f"{target} is there already; name a folder or a file that is not")
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(dir=target.parent, prefix=".backup-"))
    try:
        folder = beside / "whole"
        folder.mkdir(mode=0o700)
        yield folder
        if is_archive(target):
            whole = beside / "archive"
            _pack(
                folder, whole, next(mode for suffix, mode in ARCHIVES.items() if target.name.endswith(suffix))
            )
        else:
            whole = folder
            if target.exists():
                target.rmdir()
        whole.rename(target)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def is_free(target: Path) -> bool:
    """Whether there is nothing at a path, or an empty folder."""
    return not target.exists() or (target.is_dir() and next(target.iterdir(), None) is None)


def _pack(folder: Path, archive: Path, mode: str) -> None:
    archive.touch(mode=0o600)
    with tarfile.open(archive, mode) as tar:  # type: ignore[call-overload]
        tar.add(folder / MANIFEST, MANIFEST, filter=_of_nobody)
        for file in sorted(folder.rglob("*")):
            if file.is_file() and file != folder / MANIFEST:
                tar.add(file, str(file.relative_to(folder)), filter=_of_nobody)


def _of_nobody(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Leaves out who took the backup."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def unpack(source: Path, into: Path) -> Manifest:
    """Copies every file of a backup into a folder, and checks each against the manifest.

    Args:
        source: a backup, folder or archive.
        into: an empty folder.

    Raises:
        NotABackup: it is none.
        NewerBackup: its manifest has a newer form.
        Damaged: a file is missing, or is not what was written.
    """
    try:
        manifest, read = _in_archive(source, into) if source.is_file() else _in_folder(source, into)
    except (tarfile.TarError, gzip.BadGzipFile, EOFError) as error:
        raise Damaged(f"{source} cannot be read to its end ({error})") from None
    for path in manifest.files:
        if path not in read:
            raise Damaged(f"{path} is missing in {source}")
        if read[path] != manifest.files[path].sha256:
            raise Damaged(f"{path} in {source} is not what was backed up")
    return manifest


def _in_folder(source: Path, into: Path) -> tuple[Manifest, dict[str, str]]:
    try:
        manifest = read_manifest((source / MANIFEST).read_bytes())
    except OSError as error:
        raise NotABackup(f"{source} is no backup: {error}") from None
    read = {}
    for path in manifest.files:
        try:
            with (source / path).open("rb") as content:
                read[path] = _copy(content, into / path)
        except FileNotFoundError:
            continue  # told by who compares
    return manifest, read


def _in_archive(source: Path, into: Path) -> tuple[Manifest, dict[str, str]]:
    if not tarfile.is_tarfile(source):
        raise NotABackup(f"{source} is no backup: neither a folder nor an archive")
    read = {}
    with tarfile.open(source, "r|*") as tar:  # as a stream: each byte is read once
        first = tar.next()
        if first is None or first.name != MANIFEST or first.size > MOST_MANIFEST:
            raise NotABackup(f"{source} is no backup: it does not begin with {MANIFEST}")
        manifest = read_manifest(_content(tar, first).read())
        for member in tar:
            if member.name in manifest.files and member.isreg():
                read[member.name] = _copy(_content(tar, member), into / member.name)
    return manifest, read


def _content(tar: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    content = tar.extractfile(member)
    if content is None:
        raise NotABackup(f"{member.name} is no file")
    return content


def _copy(content: IO[bytes], target: Path) -> str:
    """Copies a file, and computes its hash on the way."""
    digest = hashlib.sha256()
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as copy:
        while chunk := content.read(_CHUNK):
            digest.update(chunk)
            copy.write(chunk)
    return digest.hexdigest()
