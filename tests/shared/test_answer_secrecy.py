"""Answers that hold a secret: who puts it there says so, and whoever passes it on says so again."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from services.campaign.membership import models
from services.campaign.membership.graphql.types import Invitation
from services.shared.answer_secrecy import (
    ANSWER_SECRECY,
    SECRET_HEADER,
    AnswerSecrecy,
    heed_secret,
    holds_secret,
    show_secret,
)


@pytest.fixture
def answer() -> Iterator[AnswerSecrecy]:
    """The answer to a request that has just begun."""
    begun = AnswerSecrecy()
    token = ANSWER_SECRECY.set(begun)
    yield begun
    ANSWER_SECRECY.reset(token)


def test_code_of_an_invitation_is_a_secret(answer: AnswerSecrecy) -> None:
    moment = datetime(2031, 5, 1, tzinfo=UTC)
    row = models.Invitation(
        id="inv_1", campaign="cmp_1", code="7KQ2M9XWPA", role="player", uses_left=1, created_at=moment,
        expires_at=moment, created_by="acc_1",
    )  # fmt: skip
    assert Invitation.of(row).code == "7KQ2M9XWPA"
    assert answer.told() == {SECRET_HEADER: "1"}


async def test_secret_of_a_task_of_the_request_counts(answer: AnswerSecrecy) -> None:
    assert not holds_secret() and answer.told() == {}
    await asyncio.create_task(asyncio.to_thread(show_secret, "x"))
    assert holds_secret()


def test_secret_that_another_service_answers_with_counts(answer: AnswerSecrecy) -> None:
    heed_secret({"etag": '"v"'})
    assert not holds_secret()
    heed_secret({SECRET_HEADER: "1"})
    assert answer.secret


def test_outside_of_requests_nothing_is_marked() -> None:
    assert show_secret("x") == "x"
    heed_secret({SECRET_HEADER: "1"})
    assert not holds_secret()
