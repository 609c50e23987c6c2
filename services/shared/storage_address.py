"""The address of an S3-compatible bucket that files are stored in::

s3://name/prefix?endpoint=https://s3.example.com&region=eu-central-1&public=https://files.example.com
"""

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_PREFIX = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(/[A-Za-z0-9][A-Za-z0-9_-]*)*")
_KNOWN = ("endpoint", "region", "public")


@dataclass(frozen=True, slots=True)
class StorageAddress:
    """Where a bucket is.

    Attributes:
        bucket: its name.
        prefix: before the key of each file, without a slash at its ends; empty for none.
        endpoint: ``http`` or ``https`` address of the server; None for that of AWS.
        region: of the bucket.
        public: the address under which clients reach the same server; None where they do not.
    """

    bucket: str
    prefix: str
    endpoint: str | None
    region: str
    public: str | None


def storage_address(url: str) -> StorageAddress:
    """Read an address.

    Raises:
        ValueError: it is not one of a bucket.
    """
    parts = urlsplit(url)
    prefix = parts.path.strip("/")
    if parts.scheme != "s3" or not _NAME.fullmatch(parts.netloc):
        raise ValueError("not the address of a bucket, s3://name/prefix")
    if prefix and not _PREFIX.fullmatch(prefix):
        raise ValueError("the prefix of a bucket holds letters, digits, - and _, between slashes")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    if unknown := sorted(set(options) - set(_KNOWN)):
        raise ValueError(f"{unknown[0]} is unknown here; known are {', '.join(_KNOWN)}")
    servers = {name: _server(options[name]) for name in ("endpoint", "public") if name in options}
    return StorageAddress(
        parts.netloc,
        prefix,
        servers.get("endpoint"),
        options.get("region", "us-east-1"),
        servers.get("public"),
    )


def _server(url: str | None) -> str | None:
    if url is None:
        return None
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise ValueError("the server of a bucket has an address like https://s3.example.com")
    return url.rstrip("/")
