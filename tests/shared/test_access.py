"""Who may see what, asked of the campaign service: seldom, never with a stale "no"."""

import asyncio
from typing import Any

import pytest

from services.shared import access
from services.shared.access import Access, CampaignAccess, Role, named_in
from services.shared.auth import Viewer

ADA = Viewer("acc_ada", frozenset({"read"}))


class Campaigns:
    """The campaign service: counts questions, and answers each when it is let."""

    name = "campaign"

    def __init__(self) -> None:
        self.roles: dict[str, str] = {}
        self.asked = 0
        self.queries: list[dict[str, str]] = []
        self.open = asyncio.Event()
        self.open.set()

    async def get(self, _viewer: Viewer, *_segments: str, **query: str) -> Any:
        self.asked += 1
        self.queries.append(query)
        answer = {
            "roles": dict(self.roles),
            "characters": {"chr_1": "cmp_1"} if "cmp_1" in self.roles else {},
        }
        await self.open.wait()
        return answer


@pytest.fixture
def campaigns() -> Campaigns:
    return Campaigns()


@pytest.fixture
def source(campaigns: Campaigns) -> CampaignAccess:
    return CampaignAccess(campaigns)  # type: ignore[arg-type]


async def test_an_answer_is_kept_for_a_while(campaigns: Campaigns, source: CampaignAccess) -> None:
    campaigns.roles = {"cmp_1": "gm"}
    for _ in range(5):
        assert (await source.of(ADA, campaigns=["cmp_1"], characters=["chr_1"])).roles == {"cmp_1": Role.GM}
    assert campaigns.asked == 1


async def test_a_no_is_always_asked_anew(campaigns: Campaigns, source: CampaignAccess) -> None:
    assert (await source.of(ADA, campaigns=["cmp_1"])).roles == {}
    campaigns.roles = {"cmp_1": "player"}
    assert (await source.of(ADA, campaigns=["cmp_1"])).plays("cmp_1")
    assert (await source.of(ADA, characters=["chr_1"])).characters == {"chr_1": "cmp_1"}


async def test_questions_at_once_are_one_question(campaigns: Campaigns, source: CampaignAccess) -> None:
    campaigns.roles = {"cmp_1": "player"}
    campaigns.open.clear()
    asking = [asyncio.create_task(source.of(ADA, campaigns=["cmp_1"])) for _ in range(10)]
    await asyncio.sleep(0)
    campaigns.open.set()
    assert all(found.plays("cmp_1") for found in await asyncio.gather(*asking))
    assert campaigns.asked == 1


async def test_a_shared_question_that_was_asked_too_early_is_asked_again(
    campaigns: Campaigns, source: CampaignAccess
) -> None:
    campaigns.open.clear()
    early = asyncio.create_task(source.of(ADA, campaigns=["cmp_1"]))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    campaigns.roles = {"cmp_1": "player"}
    late = asyncio.create_task(source.of(ADA, campaigns=["cmp_1"]))
    await asyncio.sleep(0)
    campaigns.open.set()
    assert not (await early).plays("cmp_1")
    assert (await late).plays("cmp_1")


async def test_one_who_left_is_out_once_the_answer_is_old(
    campaigns: Campaigns, source: CampaignAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "KEPT_SECONDS", 0.0)
    campaigns.roles = {"cmp_1": "player"}
    assert (await source.of(ADA, campaigns=["cmp_1"])).plays("cmp_1")
    campaigns.roles = {}
    assert not (await source.of(ADA, campaigns=["cmp_1"])).plays("cmp_1")


async def test_nobody_is_a_member_of_nothing_and_nobody_is_asked(
    campaigns: Campaigns, source: CampaignAccess
) -> None:
    assert (await source.of(Viewer())).roles == {}
    assert campaigns.asked == 0


async def test_a_failure_is_told_to_all_who_wait_and_forgotten(
    campaigns: Campaigns, source: CampaignAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_arguments: Any, **_query: Any) -> Any:
        await campaigns.open.wait()
        raise OSError("away")

    with monkeypatch.context() as patch:
        patch.setattr(campaigns, "get", fail)
        outcomes = await asyncio.gather(*(source.of(ADA) for _ in range(3)), return_exceptions=True)
    assert all(isinstance(outcome, OSError) for outcome in outcomes)
    campaigns.roles = {"cmp_1": "gm"}
    assert (await source.of(ADA)).runs("cmp_1")


async def test_a_question_names_the_campaigns_concerned(campaigns: Campaigns, source: CampaignAccess) -> None:
    campaigns.roles = {"cmp_1": "gm"}
    await source.of(ADA, campaigns=["cmp_1"], characters=["chr_1"])
    await source.of(ADA, campaigns=["cmp_1"])
    await source.of(ADA)
    await source.of(ADA, campaigns=[f"cmp_{number}" for number in range(access.MOST_NAMED + 1)])
    named = [None if not query else named_in(query) for query in campaigns.queries]
    assert named == [(["cmp_1"], ["chr_1"]), (["cmp_1"], []), None, None]
    assert await source.of(ADA, campaigns=[]) == Access(ADA.account)
    assert campaigns.asked == 4


async def test_what_is_kept_stays_within_its_bound(
    campaigns: Campaigns, source: CampaignAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "MOST_KEPT", 100)
    campaigns.roles = {f"cmp_{number}": "gm" for number in range(29)}
    for number in range(20):
        await source.of(Viewer(f"acc_{number}", frozenset({"read"})))
    # Each weighs 31: itself, 29 campaigns and a character.
    assert len(source._kept) == 3
    assert source._weight == 93


async def test_an_answer_that_is_old_is_not_kept_until_its_viewer_comes_back(
    campaigns: Campaigns, source: CampaignAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "KEPT_SECONDS", 0.0)
    campaigns.roles = {"cmp_1": "gm"}
    for number in range(20):
        await source.of(Viewer(f"acc_{number}", frozenset({"read"})), campaigns=["cmp_1"])
    assert (len(source._kept), source._weight, source._asking) == (0, 0, {})
