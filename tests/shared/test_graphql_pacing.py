"""Long answers are completed a few objects at a time, whatever lists they are nested in."""

import asyncio

import pytest
import strawberry

from services.shared.graphql.pacing import AT_ONCE
from services.shared.graphql.schema import build_schema


@strawberry.type
class Die:
    face: int


@strawberry.type
class Throw:
    dice: list[Die]


@strawberry.type
class Query:
    @strawberry.field
    def throws(self, throws: int, dice: int) -> list[Throw]:
        return [Throw(dice=[Die(face=face) for face in range(dice)]) for _ in range(throws)]

    @strawberry.field
    def faces(self, count: int) -> list[int]:
        return list(range(count))


SCHEMA = build_schema(Query)


async def turns_of_others(query: str) -> tuple[int, dict[str, object]]:
    """Return how often another task had its turn while a query was answered, and the answer."""
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(count())
    await asyncio.sleep(0)
    before = turns
    answer = await SCHEMA.execute(query)
    other.cancel()
    assert answer.errors is None and answer.data is not None
    return turns - before, answer.data


@pytest.mark.parametrize(("throws", "dice"), [(1, 5_000), (5_000, 0), (100, 49), (40, 125)])
async def test_others_have_their_turn_within_a_long_answer(throws: int, dice: int) -> None:
    query = f"{{throws(throws: {throws}, dice: {dice}) {{dice {{face}}}}}}"
    turns, answer = await turns_of_others(query)
    assert turns >= throws * (1 + dice) // (2 * AT_ONCE)
    faces = [{"face": face} for face in range(dice)]
    assert answer == {"throws": [{"dice": faces}] * throws}


async def test_a_short_answer_is_completed_at_once() -> None:
    short, _ = await turns_of_others(f"{{faces(count: {AT_ONCE})}}")
    none, _ = await turns_of_others("{faces(count: 0)}")
    assert short == none


async def test_a_long_list_of_numbers_is_whole() -> None:
    turns, answer = await turns_of_others("{faces(count: 1000)}")
    assert answer == {"faces": list(range(1_000))} and turns >= 1_000 // AT_ONCE - 1
