"""How long the rows of each table live, and why: stated beside the table, kept by the sweeper.

A service states it for each of its tables, so that nothing is kept without a reason::

    state_lives(METADATA, roll=ForEver("Receipts tell of it."), invitation=After(...))

What is no table, files and pictures, states it where it is stored.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import MetaData, Table

LIFE = "life"


@dataclass(frozen=True, slots=True)
class ForEver:
    """Rows that are never removed.

    Attributes:
        why: what would be lost without them.
    """

    why: str


@dataclass(frozen=True, slots=True)
class WithOwner:
    """Rows that are removed with what they belong to, and never before.

    Attributes:
        owner: what that is, in words.
        table: the table of it, where that is one whose rows are removed by their own rule.
        column: of these rows, that holds its key there.
    """

    owner: str
    table: str | None = None
    column: str | None = None


@dataclass(frozen=True, slots=True)
class After:
    """Rows that are removed some time after a moment that they tell of.

    Attributes:
        kept: the time.
        since: columns of such moments, each the first of an index; the first that has passed counts.
        why: what they are good for until then.
        unless: condition in SQL under which a row stays all the same.
    """

    kept: timedelta
    since: tuple[str, ...]
    why: str
    unless: str | None = None


@dataclass(frozen=True, slots=True)
class OnceRead:
    """Events that are removed some time after they were published, when every reader has read them.

    Attributes:
        kept: the time.
        why: what they are good for until then.
    """

    kept: timedelta
    why: str


Life = ForEver | WithOwner | After | OnceRead


def state_life(table: Table, life: Life) -> Table:
    """States how long the rows of a table live; returns the table."""
    table.info[LIFE] = life
    return table


def state_lives(metadata: MetaData, **lives: Life) -> None:
    """States how long the rows of tables live, by their names.

    Raises:
        KeyError: there is no such table.
    """
    for name, life in lives.items():
        state_life(metadata.tables[name], life)


def lives(metadata: MetaData) -> Mapping[str, Life | None]:
    """Returns how long the rows of each table live, by its name; None where nobody has stated it."""
    return {name: table.info.get(LIFE) for name, table in metadata.tables.items()}
