"""Saved rolls with variables: one's own, seen by nobody else, or shared at a campaign's table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

import orjson

from services.dice.library.checks import (
    MAX_LABEL,
    MAX_MACROS,
    MAX_NAME,
    expression_issues,
    full,
    notation_issue,
    taken,
    text_issues,
    variable_issues,
)
from services.dice.library.lexicons import Lexicons
from services.dice.library.repository import Words
from services.dice.library.rights import Seat, for_players, seat, seat_at
from services.dice.models import IDEMPOTENCY, MacroRow
from services.rules.dice.notation import (
    Dialect,
    Lexicon,
    NotationError,
    bind,
    check,
    parse,
    variables,
)
from services.shared.access import AccessSource
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import Conflict, Replay, claim, remember
from services.shared.ids import is_id, new_id
from services.shared.pagination import Page
from services.shared.peers import PeerUnavailable
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    NotFound,
    Unavailable,
    VersionConflict,
)


@dataclass(frozen=True, slots=True)
class NewMacro:
    """A roll to be saved.

    Attributes:
        name: what people call it; one of a kind at its place.
        expression: dice notation, with variables or without.
        variables: what the variables are where nothing else says so, by name.
        label: what a roll of it is for; its name where there is none.
        dialect: whose notation it is written in; the place's own setting without it.
        campaign: id of the campaign at whose table it is shared; None for oneself.
        idempotency_key: the same key saves the same roll.
    """

    name: str
    expression: str
    variables: Mapping[str, int] = field(default_factory=dict)
    label: str | None = None
    dialect: Dialect | None = None
    campaign: str | None = None
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """What to change about a saved roll; None stays as it is, an empty label takes it away."""

    name: str | None = None
    expression: str | None = None
    variables: Mapping[str, int] | None = None
    label: str | None = None
    dialect: Dialect | None = None


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


class Macros:
    """The use cases of saved rolls.

    Args:
        database: where they are kept.
        clock: the present moment.
        access: knows the members of campaigns.
        lexicons: knows what texts mean at each table.
    """

    def __init__(self, database: Database, clock: Clock, access: AccessSource, lexicons: Lexicons) -> None:
        self._database = database
        self._clock = clock
        self._access = access
        self._lexicons = lexicons

    async def macro(self, viewer: Viewer, macro: str) -> Macro | None:
        """Read a saved roll; None when there is none, or the viewer may not see it.

        Raises:
            PeerUnavailable: nobody knows whether the viewer may.
        """
        found = await self._seen(viewer, macro)
        return None if found is None else found[0]

    async def page(
        self, viewer: Viewer, campaign: str | None, *, first: int, after: str | None
    ) -> Page[Macro] | None:
        """Read a page of a campaign's saved rolls, or of the viewer's own; None for who is no member.

        Raises:
            PeerUnavailable: nobody knows whether the viewer is a member.
        """
        seated = await seat(self._access, viewer, campaign)
        if seated is None:
            return None
        async with self._database.read() as session:
            page = await Words(session).macros(seated.place, first=first, after=after)
        return Page([Macro.of(row) for row in page.items], page.has_next, page.has_previous)

    async def create(
        self, viewer: Viewer, new: NewMacro
    ) -> Macro | InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable:
        """Save a roll, for oneself or as GM or player for a table."""
        try:
            seated = await seat(self._access, viewer, new.campaign)
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)
        if seated is None:
            return NotFound.of("campaign", "campaignId")
        refusal = for_players(seated, "campaignId")
        if refusal is not None:
            return refusal
        lexicon = await self._lexicons.lexicon(seated.place, new.dialect)
        content = _Content(
            new.name, new.expression, _plain(new.variables), new.label or None, lexicon.dialect
        )
        names = _checked(content, lexicon)
        if isinstance(names, InvalidInput):
            return names
        return await self._keep(seated, new, content, names)

    async def _keep(
        self, seated: Seat, new: NewMacro, content: _Content, names: tuple[str, ...]
    ) -> Macro | InvalidInput | NotFound | IdempotencyConflict:
        moment = self._clock()
        asked = replace(new, idempotency_key=None)
        request = {
            "macro": [
                asked.campaign,
                asked.name,
                asked.expression,
                dict(asked.variables),
                asked.label,
                asked.dialect and asked.dialect.name,
            ]
        }
        async with self._database.write() as session:
            words = Words(session)
            await words.take_turn(seated.place)
            claimed = await claim(session, IDEMPOTENCY, seated.account, new.idempotency_key, request, moment)
            if isinstance(claimed, Conflict):
                return IdempotencyConflict.of()
            if isinstance(claimed, Replay):
                known = await words.macro(claimed.answer)
                return NotFound.of("macro", "idempotencyKey") if known is None else Macro.of(known)
            if await words.macro_named(seated.place, content.name) is not None:
                return InvalidInput.of([taken(content.name)])
            if await words.macro_count(seated.place) >= MAX_MACROS:
                return InvalidInput.of([full(MAX_MACROS, "macros")])
            row = MacroRow(
                id=new_id("mac"),
                place=seated.place,
                account=seated.account,
                campaign=seated.campaign,
                name=content.name,
                expression=content.expression,
                created_at=moment,
            )
            _write(row, content, names)
            words.add(row)
            await remember(session, IDEMPOTENCY, seated.account, new.idempotency_key, row.id)
        return Macro.of(row)

    async def update(
        self, viewer: Viewer, macro: str, version: int, edit: Edit
    ) -> Macro | InvalidInput | NotFound | Forbidden | VersionConflict | Unavailable:
        """Change a saved roll, from the version that was seen."""
        known = await self._for_change(viewer, macro)
        if not isinstance(known, Macro):
            return known
        if known.version != version:
            return VersionConflict.between(version, known.version, "version")
        content = _edited(known, edit)
        lexicon = await self._lexicons.lexicon(known.place, content.dialect)
        # One whose words the table has forgotten meanwhile can still be called something else.
        same_roll = edit.expression is None and edit.variables is None and edit.dialect is None
        names = _checked(content, None if same_roll else lexicon, known.names)
        if isinstance(names, InvalidInput):
            return names
        async with self._database.write() as session:
            words = Words(session)
            await words.take_turn(known.place)
            row = await words.macro(macro)
            if row is None:
                return NotFound.of("macro", "id")
            if row.version != version:
                return VersionConflict.between(version, row.version, "version")
            namesake = await words.macro_named(known.place, content.name)
            if namesake is not None and namesake.id != macro:
                return InvalidInput.of([taken(content.name)])
            _write(row, content, names)
            row.version += 1
            words.add(row)
        return Macro.of(row)

    async def delete(
        self, viewer: Viewer, macro: str, version: int
    ) -> str | NotFound | Forbidden | VersionConflict | Unavailable:
        """Delete a saved roll, from the version that was seen."""
        known = await self._for_change(viewer, macro)
        if not isinstance(known, Macro):
            return known
        async with self._database.write() as session:
            words = Words(session)
            await words.take_turn(known.place)
            row = await words.macro(macro)
            if row is None:
                return NotFound.of("macro", "id")
            if row.version != version:
                return VersionConflict.between(version, row.version, "version")
            await words.remove(row)
        return macro

    async def _seen(self, viewer: Viewer, macro: str) -> tuple[Macro, Seat] | None:
        if not is_id(macro, "mac"):
            return None
        async with self._database.read() as session:
            row = await Words(session).macro(macro)
        seated = None if row is None else await seat_at(self._access, viewer, row.place)
        return None if row is None or seated is None else (Macro.of(row), seated)

    async def _for_change(self, viewer: Viewer, macro: str) -> Macro | NotFound | Forbidden | Unavailable:
        """Read a saved roll that the viewer may change: their own, or as a GM any of the table."""
        try:
            found = await self._seen(viewer, macro)
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)
        if found is None:
            return NotFound.of("macro", "id")
        known, seated = found
        refusal = for_players(seated, "id")
        if refusal is not None:
            return refusal
        if known.account != viewer.account and not seated.runs:
            return Forbidden.because("Only who made it, or a GM, may do this.", "id")
        return known


def _edited(known: Macro, edit: Edit) -> _Content:
    return _Content(
        name=known.name if edit.name is None else edit.name,
        expression=known.expression if edit.expression is None else edit.expression,
        variables=known.variables if edit.variables is None else _plain(edit.variables),
        label=known.label if edit.label is None else edit.label or None,
        dialect=edit.dialect or known.dialect,
    )


def _checked(
    content: _Content, lexicon: Lexicon | None, known: tuple[str, ...] = ()
) -> tuple[str, ...] | InvalidInput:
    """Check a saved roll, and give the names of its variables.

    Args:
        content: what is to be stored.
        lexicon: what its text means; None where the text is as it was.
        known: the names of the variables while the text is as it was.
    """
    issues = text_issues("name", content.name, MAX_NAME)
    if content.label is not None:
        issues += text_issues("label", content.label, MAX_LABEL)
    names = known
    if lexicon is not None:
        issues += expression_issues(content.expression)
        try:
            expression = parse(content.expression, lexicon)
            names = variables(expression)
            issues += variable_issues(content.variables, names)
            if not issues and all(name in content.variables for name in names):
                check(bind(expression, content.variables), lexicon.limits, content.expression)
        except NotationError as error:
            issues.append(notation_issue(error, "expression"))
    return InvalidInput.of(issues) if issues else names


def plain_name(name: str) -> str:
    """Give a variable's name as the notation knows it: in small letters, without its `@`."""
    return name.removeprefix("@").lower()


def _plain(values: Mapping[str, int]) -> dict[str, int]:
    return {plain_name(name): value for name, value in values.items()}


def _write(row: MacroRow, content: _Content, names: tuple[str, ...]) -> None:
    row.name, row.label, row.dialect = content.name, content.label, content.dialect.name
    row.expression = content.expression
    row.variables = orjson.dumps({name: content.variables.get(name) for name in names}).decode()
