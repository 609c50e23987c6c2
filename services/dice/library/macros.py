"""Saved rolls with variables: one's own, seen by nobody else, or shared at a campaign's table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import orjson

from services.dice.library.checks import (
    MAX_MACROS,
    expression_issues,
    full,
    notation_issue,
    taken,
    unknown_variable_issues,
)
from services.dice.library.lexicons import Lexicons
from services.dice.library.macro_merge import merge_macro, unrollable
from services.dice.library.models import MacroRow
from services.dice.library.repository import Words
from services.dice.library.requests import CreateMacro, DeleteMacro, UpdateMacro
from services.dice.library.variables import values_of, variable_issues
from services.rules.dice.notation import (
    Dialect,
    Lexicon,
    NotationError,
    bind,
    check,
    parse,
    variables,
)
from services.shared.auth import Viewer
from services.shared.bounds import broken
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import answered, once
from services.shared.ids import is_id, new_id
from services.shared.pagination import Page
from services.shared.policy import Policy, Right, Seat
from services.shared.problems import Forbidden, InvalidInput, Issue, NotFound, VersionConflict


@dataclass(frozen=True, slots=True)
class Macro:
    """A saved roll.

    Attributes:
        id: prefixed ``mac``.
        place: the campaign, or else the account.
        account: who made it.
        campaign: id of the campaign at whose table it is shared, if any.
        name: what people call it.
        expression: dice notation as it was written.
        names: the variables in it, in the order written.
        variables: the defaults of those that have one.
        label: what a roll of it is for.
        dialect: whose notation it is written in.
        version: counts the edits, from 1.
        created_at: when it was made.
    """

    id: str
    place: str
    account: str
    campaign: str | None
    name: str
    expression: str
    names: tuple[str, ...]
    variables: Mapping[str, int]
    label: str | None
    dialect: Dialect
    version: int
    created_at: datetime

    @classmethod
    def of(cls, row: MacroRow) -> Macro:
        """Read a row."""
        known: dict[str, int | None] = orjson.loads(row.variables)
        return cls(
            id=row.id,
            place=row.place,
            account=row.account,
            campaign=row.campaign,
            name=row.name,
            expression=row.expression,
            names=tuple(known),
            variables={name: value for name, value in known.items() if value is not None},
            label=row.label,
            dialect=Dialect[row.dialect],
            version=row.version,
            created_at=row.created_at,
        )


@dataclass(frozen=True, slots=True)
class _Content:
    """What is stored of a saved roll."""

    name: str
    expression: str
    variables: Mapping[str, int]
    label: str | None
    dialect: Dialect


@dataclass(frozen=True, slots=True)
class _Edit:
    """What an edit makes of a saved roll.

    Attributes:
        content: what is to be stored.
        names: the variables in it, in the order written.
        issues: why it cannot be rolled.
    """

    content: _Content
    names: tuple[str, ...]
    issues: list[Issue]


class Macros:
    """The use cases of saved rolls.

    Args:
        database: where they are kept.
        clock: the present moment.
        policy: who may do what.
        lexicons: knows what texts mean at each table.
    """

    def __init__(self, database: Database, clock: Clock, policy: Policy, lexicons: Lexicons) -> None:
        self._database = database
        self._clock = clock
        self._policy = policy
        self._lexicons = lexicons

    async def macro(self, viewer: Viewer, macro: str) -> Macro | None:
        """Return a saved roll; None when there is none, or the viewer may not see it.

        Raises:
            Unavailable: nobody knows whether the viewer may.
        """
        found = await self._seen(viewer, macro)
        return None if found is None else found[0]

    async def page(
        self, viewer: Viewer, campaign: str | None, *, first: int, after: str | None
    ) -> Page[Macro] | None:
        """Return a page of a campaign's saved rolls, or of the viewer's own; None for who is no member.

        Raises:
            Unavailable: nobody knows whether the viewer is a member.
        """
        seat = await self._policy.seat_to_read(viewer, campaign)
        if seat is None:
            return None
        async with self._database.read() as session:
            page = await Words(session).macros(seat.place, first=first, after=after)
        return Page([Macro.of(row) for row in page.items], page.has_next, page.has_previous)

    async def create(self, viewer: Viewer, asked: CreateMacro, key: str | None = None) -> Macro:
        """Save a roll, for oneself or as GM or player for a table.

        Raises:
            InvalidInput: it cannot be rolled, its name is taken, or there is no room for it.
            NotFound: no member of the campaign, or the roll that the key saved is gone.
            Forbidden: one who only watches there.
            IdempotencyConflict: the key was used for another request.
            Unavailable: nobody knows who plays.
        """
        seat = await self._policy.seat(viewer, asked.campaign_id, Right.WRITE)
        lexicon = await self._lexicons.lexicon(seat.place, asked.dialect)
        content = _Content(
            name=asked.name.strip(),
            expression=asked.expression,
            variables=values_of(asked.variables),
            label=(asked.label or "").strip() or None,
            dialect=lexicon.dialect,
        )
        issues = [*broken(asked), *variable_issues(asked.variables)]
        names = _read(content, lexicon, issues)
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            words = Words(session)
            if not done.before:
                InvalidInput.check(*issues)
                await words.take_turn(seat.place)
                InvalidInput.check(*await _crowding(words, seat.place, content.name))
                row = _new(seat, content, names, moment)
                words.add(row)
                done.answer = row.id
            return Macro.of(await _row(words, done.answer or "", "idempotencyKey"))

    async def update(self, viewer: Viewer, asked: UpdateMacro, key: str | None = None) -> Macro:
        """Change a saved roll: one's own, or as a GM any of the table.

        From a version that was replaced, fields that nobody else has changed since merge.

        Raises:
            InvalidInput: it could not be rolled any more, or its new name is taken.
            NotFound: no such saved roll.
            Forbidden: another player's, or one who only watches.
            VersionConflict: the same was changed since, or what was merged could not be rolled.
            IdempotencyConflict: the key was used for another request.
            Unavailable: nobody knows who plays.
        """
        known = await self._for_change(viewer, asked.id)
        issues = [*broken(asked), *variable_issues(asked.variables or ())]
        edit = await self._read_edit(known, asked, issues)
        async with (
            self._database.write() as session,
            once(session, viewer, key, asked, self._clock()) as done,
        ):
            words = Words(session)
            await words.take_turn(known.place)
            row = await _row(words, asked.id)
            if not done.before:
                behind = unrollable(row, asked) if asked.version < row.version else None
                done.answer = row.id
                if not merge_macro(row, asked):
                    return Macro.of(row)
                if row.version != known.version:
                    edit = await self._read_edit(Macro.of(row), asked, issues)
                if edit.issues and not issues and behind is not None:
                    raise behind
                InvalidInput.check(*issues, *edit.issues)
                namesake = await words.macro_named(known.place, edit.content.name)
                if namesake is not None and namesake.id != row.id:
                    raise InvalidInput.of([taken(edit.content.name)])
                _write(row, edit.content, edit.names)
                row.version += 1
                words.add(row)
        return Macro.of(row)

    async def delete(self, viewer: Viewer, asked: DeleteMacro, key: str | None = None) -> str:
        """Delete a saved roll: one's own, or as a GM any of the table.

        Returns:
            Its id.

        Raises:
            NotFound: no such saved roll.
            Forbidden: another player's, or one who only watches.
            VersionConflict: it was changed since.
            IdempotencyConflict: the key was used for another request.
            Unavailable: nobody knows who plays.
        """
        try:
            known = await self._for_change(viewer, asked.id)
        except NotFound:
            # It may be this very request that it is gone by.
            async with self._database.read() as session:
                if await answered(session, viewer, key, asked, self._clock()) is None:
                    raise
            return asked.id
        async with (
            self._database.write() as session,
            once(session, viewer, key, asked, self._clock()) as done,
        ):
            words = Words(session)
            await words.take_turn(known.place)
            if not done.before:
                row = await _row(words, asked.id)
                VersionConflict.check(asked.version, row.version)
                await words.remove(row)
                done.answer = row.id
        return asked.id

    async def _read_edit(self, known: Macro, asked: UpdateMacro, others: Sequence[Issue]) -> _Edit:
        """Work out what an edit makes of a saved roll; ``others`` are its other issues."""
        content = _edited(known, asked)
        # One whose words the table has forgotten meanwhile can still be called something else.
        if asked.expression is None and asked.variables is None and asked.dialect is None:
            return _Edit(content, known.names, [])
        issues = [*others]
        names = _read(content, await self._lexicons.lexicon(known.place, content.dialect), issues)
        return _Edit(content, names, issues[len(others) :])

    async def _seen(self, viewer: Viewer, macro: str) -> tuple[Macro, Seat] | None:
        if not is_id(macro, "mac"):
            return None
        async with self._database.read() as session:
            row = await Words(session).macro(macro)
        seat = None if row is None else await self._policy.seat_at(viewer, row.place)
        return None if row is None or seat is None else (Macro.of(row), seat)

    async def _for_change(self, viewer: Viewer, macro: str) -> Macro:
        """Read a saved roll that the viewer may change: their own, or as a GM any of the table."""
        found = await self._seen(viewer, macro)
        if found is None:
            raise NotFound.of("macro", "id")
        known, seat = found
        seat.demand(Right.WRITE, "id")
        if known.account != viewer.account and not seat.may(Right.RUN):
            raise Forbidden.because("Only who made it, or a GM, may do this.", "id")
        return known


async def _row(words: Words, macro: str, *path: str) -> MacroRow:
    """Read a saved roll that must be there."""
    row = await words.macro(macro)
    if row is None:
        raise NotFound.of("macro", *(path or ("id",)))
    return row


async def _crowding(words: Words, place: str, name: str) -> list[Issue]:
    """Find what speaks against one more saved roll beside those that are there."""
    if await words.macro_named(place, name) is not None:
        return [taken(name)]
    if await words.macro_count(place) >= MAX_MACROS:
        return [full(MAX_MACROS, "macros")]
    return []


def _edited(known: Macro, asked: UpdateMacro) -> _Content:
    return _Content(
        name=known.name if asked.name is None else asked.name.strip(),
        expression=known.expression if asked.expression is None else asked.expression,
        variables=known.variables if asked.variables is None else values_of(asked.variables),
        label=known.label if asked.label is None else asked.label.strip() or None,
        dialect=asked.dialect or known.dialect,
    )


def _read(content: _Content, lexicon: Lexicon, issues: list[Issue]) -> tuple[str, ...]:
    """Read the expression of a saved roll, and return the names of its variables.

    Args:
        content: what is to be stored.
        lexicon: what its text means.
        issues: of the rest of the request; what speaks against the expression is added.
    """
    issues += expression_issues(content.expression)
    names: tuple[str, ...] = ()
    try:
        expression = parse(content.expression, lexicon)
        names = variables(expression)
        issues += unknown_variable_issues(list(content.variables), names)
        if not issues and all(name in content.variables for name in names):
            check(bind(expression, content.variables), lexicon.limits, content.expression)
    except NotationError as error:
        issues.append(notation_issue(error, "expression"))
    return names


def _new(seat: Seat, content: _Content, names: tuple[str, ...], moment: datetime) -> MacroRow:
    row = MacroRow(
        id=new_id("mac"),
        place=seat.place,
        account=seat.account,
        campaign=seat.campaign,
        name=content.name,
        expression=content.expression,
        created_at=moment,
    )
    _write(row, content, names)
    return row


def _write(row: MacroRow, content: _Content, names: tuple[str, ...]) -> None:
    row.name, row.label, row.dialect = content.name, content.label, content.dialect.name
    row.expression = content.expression
    row.variables = orjson.dumps({name: content.variables.get(name) for name in names}).decode()
