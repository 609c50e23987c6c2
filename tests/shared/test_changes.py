"""Mutations out of functions: their input, their union, one effect for one key, and problems that undo."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import pytest
import strawberry
from sqlalchemy import Column, Integer, MetaData, String, Table, insert, select
from strawberry.types import Info

from services.shared.auth import Viewer
from services.shared.bounds import Between, Count, Line, Prose, broken, check
from services.shared.clock import system_clock
from services.shared.context import Context
from services.shared.database import Database
from services.shared.graphql.changes import Call, change, question
from services.shared.graphql.features import Feature, compose
from services.shared.idempotency import answered, idempotency_table, once
from services.shared.problems import InvalidInput, Issue, NotFound, Problem, VersionConflict

TABLES = MetaData()
IDEMPOTENCY = idempotency_table(TABLES)
SHELF = Table("shelf", TABLES, Column("id", Integer, primary_key=True), Column("name", String))
VIEWER = Viewer("acc_one", frozenset({"read", "write"}))


@dataclass(frozen=True, slots=True)
class Jar:
    """A jar on the shelf.

    Attributes:
        label: What stands on it.
    """

    label: Annotated[str, Line(20)]


@dataclass(frozen=True, slots=True)
class PutUp:
    """Something to be put on the shelf.

    Attributes:
        name: What it is called.
        note: What to know of it.
        weight: In grams.
        jars: What it stands in.
    """

    name: Annotated[str, Line(20)]
    note: Annotated[str, Prose(100)] = ""
    weight: Annotated[int, Between(1, 500)] | None = None
    jars: Annotated[tuple[Jar, ...], Count(0, 2)] = field(default_factory=tuple)


class Shattered(Problem):
    """It broke on the way.

    Attributes:
        pieces: How many.
    """

    pieces: int

    def __init__(self, pieces: int) -> None:
        super().__init__("SHATTERED", "It broke on the way.", ["name"])
        self.pieces = pieces


class Pantry:
    """The use cases: a plain class that knows nothing of GraphQL."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def put_up(self, viewer: Viewer, asked: PutUp, key: str | None) -> int:
        """Put something on the shelf."""
        check(asked)
        async with (
            self.database.write() as session,
            once(session, viewer, key, asked, system_clock()) as done,
        ):
            if not done.before:
                made = await session.execute(insert(SHELF).values(name=asked.name).returning(SHELF.c.id))
                done.answer = str(made.scalar_one())
                if asked.name == "glass":
                    raise Shattered(7)
                if asked.name == "elsewhere":
                    raise NotFound.of("shelf")
            return int(done.answer or 0)

    async def count(self) -> int:
        """Count what is there."""
        async with self.database.read() as session:
            return len((await session.execute(select(SHELF.c.id))).all())


@strawberry.type(description="It is there.")
class PutUpDone:
    """The answer."""

    place: int = strawberry.field(description="Its number.")


@strawberry.type
class Query:
    """What can be read."""

    @question(NotFound)
    async def place(self, info: Info, name: str) -> PutUpDone:
        """Where something stands."""
        if name != "salt":
            raise NotFound.of("jar", "name")
        return PutUpDone(place=1)

    @strawberry.field(description="Fails with a problem where no union can hold it.")
    async def bare(self, name: str) -> int | None:
        """Raise."""
        raise VersionConflict.between(1, 2, "version")


@strawberry.type
class Mutation:
    """What can be changed."""

    @change(Shattered)
    async def put_up(call: Call[Pantry], asked: PutUp) -> PutUpDone:
        """Put something on the shelf."""
        return PutUpDone(place=await call.service.put_up(call.viewer, asked, call.key))


SCHEMA = compose(Feature(query=Query, mutation=Mutation))
PUT_UP = """
mutation ($input: PutUpInput!) {
  putUp(input: $input) {
    __typename
    ... on PutUpDone { place }
    ... on Problem { code message path }
    ... on InvalidInput { issues { code path found allowed } }
    ... on Shattered { pieces }
  }
}
"""


@pytest.fixture
async def pantry(tmp_path: Path) -> AsyncIterator[Pantry]:
    """Return the use cases over a fresh database."""
    database = Database(f"sqlite:///{tmp_path}/pantry.sqlite")
    async with database.write() as session:
        await (await session.connection()).run_sync(TABLES.create_all)
    yield Pantry(database)
    await database.close()


async def put_up(pantry: Pantry, viewer: Viewer = VIEWER, **asked: Any) -> dict[str, Any]:
    """Send the mutation, and return what it answers with."""
    context = Context(viewer, pantry, "request")
    answer = await SCHEMA.execute(PUT_UP, {"input": asked}, context_value=context)
    assert not answer.errors, answer.errors
    assert answer.data is not None
    found: dict[str, Any] = answer.data["putUp"]
    return found


async def test_the_answer_and_the_problem_share_a_union(pantry: Pantry) -> None:
    assert await put_up(pantry, name="salt") == {"__typename": "PutUpDone", "place": 1}
    assert await put_up(pantry, name="glass") == {
        "__typename": "Shattered",
        "code": "SHATTERED",
        "message": "It broke on the way.",
        "path": ["name"],
        "pieces": 7,
    }
    assert (await put_up(pantry, name="elsewhere"))["code"] == "NOT_FOUND"


async def test_a_problem_undoes_what_was_begun_and_frees_its_key(pantry: Pantry) -> None:
    assert (await put_up(pantry, name="glass", idempotencyKey="k"))["__typename"] == "Shattered"
    assert await pantry.count() == 0
    assert (await put_up(pantry, name="salt", idempotencyKey="k"))["__typename"] == "PutUpDone"
    assert await pantry.count() == 1


async def test_one_key_has_one_effect_however_many_ask(pantry: Pantry) -> None:
    answers = await asyncio.gather(*(put_up(pantry, name="salt", idempotencyKey="k") for _ in range(20)))
    assert [answer["place"] for answer in answers] == [1] * 20
    assert await pantry.count() == 1


async def test_another_request_under_the_key_is_a_conflict(pantry: Pantry) -> None:
    await put_up(pantry, name="salt", idempotencyKey="k")
    refused = await put_up(pantry, name="pepper", idempotencyKey="k")
    assert (refused["code"], refused["path"]) == ("IDEMPOTENCY_CONFLICT", ["idempotencyKey"])
    other = Viewer("acc_two", VIEWER.scopes)
    assert (await put_up(pantry, other, name="pepper", idempotencyKey="k"))["place"] == 2


async def test_what_would_be_answered_again_is_known_before(pantry: Pantry) -> None:
    asked, moment = PutUp("salt"), system_clock()
    async with pantry.database.read() as session:
        assert await answered(session, VIEWER, "k", asked, moment) is None
    await pantry.put_up(VIEWER, asked, "k")
    async with pantry.database.read() as session:
        assert await answered(session, VIEWER, "k", asked, moment) == "1"


async def test_every_broken_bound_is_named_at_once(pantry: Pantry) -> None:
    refused = await put_up(
        pantry, name=" ", note="x" * 101, weight=0, jars=[{"label": "a\nb"}, {"label": "b"}, {"label": ""}]
    )
    assert refused["code"] == "INVALID_INPUT"
    assert [(issue["code"], issue["path"]) for issue in refused["issues"]] == [
        ("LENGTH", ["name"]),
        ("LENGTH", ["note"]),
        ("OUT_OF_RANGE", ["weight"]),
        ("COUNT", ["jars"]),
        ("UNPRINTABLE", ["jars", "0", "label"]),
        ("LENGTH", ["jars", "2", "label"]),
    ]


async def test_a_list_far_too_long_is_refused_before_its_items_are_looked_at(pantry: Pantry) -> None:
    refused = await put_up(pantry, name="salt", jars=[7] * 1_500)
    assert (refused["code"], refused["issues"]) == (
        "INVALID_INPUT",
        [{"code": "COUNT", "path": ["jars"], "found": "1500", "allowed": "0..2"}],
    )
    assert await pantry.count() == 0
    # What one operation was refused for says nothing of the next.
    assert (await put_up(pantry, name="salt", jars=[{"label": "left"}]))["place"] == 1


async def test_a_list_that_is_written_in_the_document_is_bounded_too(pantry: Pantry) -> None:
    jars = ", ".join(['{label: "x"}'] * 60)
    query = PUT_UP.replace("($input: PutUpInput!)", "").replace("$input", f'{{name: "salt", jars: [{jars}]}}')
    answer = await SCHEMA.execute(query, context_value=Context(VIEWER, pantry, "request"))
    assert answer.data is not None
    assert [(one["code"], one["found"]) for one in answer.data["putUp"]["issues"]] == [("COUNT", "60")]


async def test_a_list_too_long_tells_nobody_what_is_behind_a_scope(pantry: Pantry) -> None:
    context = Context(Viewer("acc_one", frozenset({"read"})), pantry, "request")
    answer = await SCHEMA.execute(
        PUT_UP, {"input": {"name": "salt", "jars": [7] * 1_500}}, context_value=context
    )
    assert answer.errors is None and answer.data is not None
    assert answer.data["putUp"]["code"] == "FORBIDDEN"


def test_bounds_that_are_kept_are_no_issue() -> None:
    assert broken(PutUp("salt", "of\nthe sea", 500, (Jar("one"), Jar("two")))) == []


def test_further_issues_stand_beside_the_bounds() -> None:
    with pytest.raises(InvalidInput) as refused:
        check(PutUp(""), Issue("ODD", "This is odd.", ["name"]))
    assert [issue.code for issue in refused.value.issues] == ["LENGTH", "ODD"]


async def test_a_key_that_lacks_the_scope_asks_for_nothing(pantry: Pantry) -> None:
    context = Context(Viewer("acc_one", frozenset({"read"})), pantry, "request")
    answer = await SCHEMA.execute(PUT_UP, {"input": {"name": "salt"}}, context_value=context)
    assert answer.errors is None and answer.data is not None
    assert answer.data["putUp"]["__typename"] == "Forbidden"
    assert await pantry.count() == 0


async def test_a_query_may_end_in_a_problem_too(pantry: Pantry) -> None:
    query = '{ good: place(name: "salt") { ...all } bad: place(name: "sand") { ...all } }'
    fragment = "fragment all on PlaceResult { ... on PutUpDone { place } ... on Problem { code path } }"
    answer = await SCHEMA.execute(f"{query} {fragment}", context_value=Context(VIEWER, pantry, "request"))
    assert answer.errors is None
    assert answer.data == {"good": {"place": 1}, "bad": {"code": "NOT_FOUND", "path": ["name"]}}


async def test_a_problem_outside_of_a_union_is_an_error_with_its_code(pantry: Pantry) -> None:
    answer = await SCHEMA.execute('{ bare(name: "x") }', context_value=Context(VIEWER, pantry, "request"))
    assert answer.errors and answer.errors[0].extensions == {"code": "VERSION_CONFLICT"}
    assert answer.errors[0].path == ["bare"]


def test_the_schema_tells_the_bounds_in_words_and_for_machines() -> None:
    written = SCHEMA.as_str()
    assert '"""What it is called. 1 to 20 characters."""' in written
    assert "  name: String! @constraint(minLength: 1, maxLength: 20)" in written
    assert "input: PutUpInput!\n  ): PutUpResult!" in written
    assert "idempotencyKey: String = null" in written
    problems = "InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable | Shattered"
    assert f"union PutUpResult = PutUpDone | {problems}" in written
