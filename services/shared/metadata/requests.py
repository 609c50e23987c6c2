"""What a bag of metadata is, and what is asked when one is written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated

import orjson

from services.shared.bounds import Between, Line
from services.shared.problems import Issue

MAX_NAMESPACE = 100
MAX_BYTES = 4_096
"""Of a bag's JSON, written without blanks in UTF-8."""

MAX_BAGS = 16
"""Namespaces beside one thing, those that its table reads and those of each account counted apart."""

LAST_VERSION = 2**31 - 1
NAMESPACE = re.compile(r"[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+")


class MetadataReaders(StrEnum):
    """Who reads a bag of metadata.

    Attributes:
        TABLE: Everybody who sees the thing.
        APP: The account that wrote it, and nobody else.
    """

    TABLE = "table"
    APP = "app"


@dataclass(frozen=True, slots=True)
class Metadata:
    """A bag of metadata: what an app keeps beside a thing.

    Attributes:
        namespace: Whose it is, by a name of the app's own: `com.example.tracker`.
        readers: Who reads it.
        data: A JSON object.
        version: Counts how often it was written, from 1, since it was put there.
        updated_at: When it was written last.
    """

    namespace: str
    readers: MetadataReaders
    data: object
    version: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class SetMetadata:
    """A bag of metadata to be written, or taken away.

    Attributes:
        id: Of the thing.
        namespace: A name of the app's own, as a domain is written from its end: `com.example.tracker`; small
            letters, digits and `-`, with a `.` between its parts.
        data: A JSON object of up to 4,096 bytes, in place of all that the bag holds; null takes it away.
        readers: Who reads it; of one namespace there may be a bag for the table and one for your app alone.
        version: The version that you saw, 0 for none; without it, whoever writes last is right.
    """

    id: str
    namespace: Annotated[str, Line(MAX_NAMESPACE)]
    data: object | None
    readers: MetadataReaders = MetadataReaders.TABLE
    version: Annotated[int, Between(0, LAST_VERSION)] | None = None

    @property
    def written(self) -> str:
        """Return the data as it is kept: JSON without blanks.

        Raises:
            TypeError: it holds what JSON cannot.
        """
        return orjson.dumps(self.data).decode()

    def issues(self) -> list[Issue]:
        """Find what is wrong with the namespace and the data beside the bounds."""
        found = []
        if len(self.namespace) <= MAX_NAMESPACE and NAMESPACE.fullmatch(self.namespace) is None:
            message = "A namespace is written like a domain from its end: `com.example.tracker`."
            given = ascii(self.namespace)[1:-1]
            found.append(Issue("NAME", message, ["namespace"], found=given, allowed=NAMESPACE.pattern))
        if self.data is None:
            return found
        if not isinstance(self.data, dict):
            found.append(Issue("WRONG_TYPE", "`data` must be a JSON object, or null.", ["data"]))
            return found
        try:
            size = len(self.written.encode())
        except TypeError:
            return [*found, Issue("UNWRITABLE", "`data` cannot be written down as JSON.", ["data"])]
        if size > MAX_BYTES:
            message = f"`data` must have at most {MAX_BYTES:,} bytes of JSON."
            found.append(Issue("TOO_LARGE", message, ["data"], found=str(size), allowed=f"0..{MAX_BYTES}"))
        return found
