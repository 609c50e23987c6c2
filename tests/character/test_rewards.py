"""Rewards: the player proposes, a GM of the table approves or refuses, and nobody approves their own."""

import asyncio
from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strawberry.types import get_object_definition

from services.character.packs.graphql.systems import reflect
from services.character.rewards.advancement import judged, proposed, reward_lines
from services.character.rewards.requests import Proposal
from services.rules.engine.codec import Codec
from services.rules.engine.content import Shelf
from services.rules.engine.problem import Problems
from services.rules.engine.registry import systems
from services.rules.engine.sheet import RollableCheck, Track
from services.rules.engine.system import Advancement, Printable, System
from services.rules.systems.dungeonteller import SYSTEM
from services.rules.systems.dungeonteller.rewards import Reward, RewardKind
from services.shared.auth import Viewer
from services.shared.mirror import mirror_input, to_domain
from services.shared.problems import InvalidInput
from tests.character.desk import Desk, Tables, broken, somebody
from tests.character.operations import DELETE, ROLE, UPDATE, created, hero

ANSWER = """
fragment Answer on ProposeRewardResult {
  __typename
  ... on CharacterSaved {
    character {
      id
      version
      rewards { index text approved reward { system approved } }
      sheet { ... on DungeonTellerSheet { waiting { session } actions { key rating { value } } } }
    }
  }
  ... on Problem { code path }
  ... on VersionConflict { currentVersion }
  ... on InvalidInput { issues { code path found allowed } }
}
"""
PROPOSE = """
mutation ($id: ID!, $version: Int!, $reward: RewardProposal!, $key: String) {
  proposeReward(
    input: {characterId: $id, version: $version, reward: $reward, idempotencyKey: $key}
  ) { ...Answer }
}
"""
PROPOSE += ANSWER
APPROVE = """
mutation ($id: ID!, $version: Int!, $index: Int!, $key: String) {
  approveReward(
    input: {characterId: $id, version: $version, index: $index, idempotencyKey: $key}
  ) { ...Answer }
}
"""
APPROVE += ANSWER.replace("ProposeRewardResult", "ApproveRewardResult")
REFUSE = APPROVE.replace("approveReward", "refuseReward").replace("ApproveReward", "RefuseReward")
REWARDS = """
query ($id: ID!) {
  character(id: $id) {
    version
    rewards { index text approved reward { ... on DungeonTellerReward { session kind action when power } } }
    rewardOffers { text reward { approved ... on DungeonTellerReward { session kind action when power } } }
  }
}
"""
DUNGEONTELLER = systems()["dungeonteller"]
CAMPAIGN = "cmp_1"


def die(session: int, action: str = "MUSCLE", **more: Any) -> dict[str, Any]:
    return {"session": session, "kind": "DIE", "action": action, **more}


async def propose(desk: Desk, viewer: Viewer, character: str, version: int, reward: Any) -> dict[str, Any]:
    sent = {"dungeonteller": reward}
    answer = await desk.ask(viewer, PROPOSE, id=character, version=version, reward=sent)
    found: dict[str, Any] = answer["proposeReward"]
    return found


async def judge(
    desk: Desk, viewer: Viewer, character: str, version: int, index: int = 0, query: str = APPROVE
) -> dict[str, Any]:
    answer = await desk.ask(viewer, query, id=character, version=version, index=index)
    (found,) = answer.values()
    result: dict[str, Any] = found
    return result


async def update(desk: Desk, viewer: Viewer, character: str, version: int, **changes: Any) -> dict[str, Any]:
    sent = {"id": character, "version": version, "build": hero(**changes)}
    found: dict[str, Any] = (await desk.ask(viewer, UPDATE, input=sent))["updateCharacter"]
    return found


async def approvals(desk: Desk, viewer: Viewer, character: str) -> list[tuple[str, bool]]:
    """Give what each reward gives, and whether it is approved."""
    found = (await desk.ask(viewer, REWARDS, id=character))["character"]["rewards"]
    assert [line["index"] for line in found] == list(range(len(found)))
    return [(line["text"], line["approved"]) for line in found]


def rating(saved: dict[str, Any], action: str) -> int:
    lines = saved["character"]["sheet"]["actions"]
    return next(int(line["rating"]["value"]) for line in lines if line["key"] == action)


# Proposing, approving, refusing


async def test_a_reward_gives_nothing_until_a_gm_approves_it(desk: Desk, tables: Tables) -> None:
    player, master = somebody(), somebody()
    character = (await created(desk, player))["id"]
    tables.seat(character, CAMPAIGN, gm=master, player=player)

    waiting = await propose(desk, player, character, 1, die(1, approved=True))
    assert waiting["__typename"] == "CharacterSaved"
    assert waiting["character"]["version"] == 2
    (line,) = waiting["character"]["rewards"]
    assert (line["index"], line["text"], line["approved"]) == (0, "1 more Muscle die", False)
    assert line["reward"] == {"system": "dungeonteller", "approved": False}
    assert waiting["character"]["sheet"]["waiting"] == [{"session": 1}]
    before = rating(waiting, "MUSCLE")

    approved = await judge(desk, master, character, 2)
    assert approved["character"]["version"] == 3
    assert approved["character"]["rewards"][0]["approved"] is True
    assert approved["character"]["sheet"]["waiting"] == []
    assert rating(approved, "MUSCLE") == before + 1


async def test_a_refused_reward_is_gone_and_another_may_take_its_place(desk: Desk, tables: Tables) -> None:
    player, master = somebody(), somebody()
    character = (await created(desk, player, hero(rewards=[die(1)])))["id"]
    tables.seat(character, CAMPAIGN, gm=master, player=player)
    await propose(desk, player, character, 1, die(2))
    twice = await propose(desk, player, character, 2, {"session": 2, "kind": "LUCK"})
    (issue,) = twice["issues"]
    assert (issue["code"], issue["path"]) == ("ONE_REWARD_PER_SESSION", ["reward", "dungeonteller"])
    refused = await judge(desk, master, character, 2, 1, REFUSE)
    assert refused["character"]["version"] == 3
    assert await approvals(desk, player, character) == [("1 more Muscle die", True)]
    await propose(desk, player, character, 3, {"session": 2, "kind": "LUCK"})
    assert await approvals(desk, player, character) == [("1 more Muscle die", True), ("1 more Luck", False)]


async def test_only_a_gm_of_the_table_decides_and_only_the_player_proposes(
    desk: Desk, tables: Tables
) -> None:
    owner, master, player, spectator, outsider = (somebody() for _ in range(5))
    character, elsewhere = (await created(desk, owner))["id"], (await created(desk, owner))["id"]
    tables.seat(character, CAMPAIGN, gm=master, player=player, spectator=spectator)
    tables.seat(character, CAMPAIGN, player=owner)
    # To be a GM at another table gives no right at this one.
    tables.access[spectator.account]["roles"]["cmp_2"] = "gm"
    tables.seat((await created(desk, outsider))["id"], "cmp_2", gm=outsider)
    await propose(desk, owner, character, 1, die(1))
    await propose(desk, owner, elsewhere, 1, die(1))
    for query in (APPROVE, REFUSE):
        for viewer, expected in (
            (owner, "Forbidden"),
            (player, "Forbidden"),
            (spectator, "Forbidden"),
            (outsider, "NotFound"),
        ):
            answer = await judge(desk, viewer, character, 2, query=query)
            assert (answer["__typename"], answer["path"]) == (expected, ["characterId"])
        for viewer, expected in ((owner, "Forbidden"), (master, "NotFound")):
            answer = await judge(desk, viewer, elsewhere, 2, query=query)
            assert (answer["__typename"], answer["path"]) == (expected, ["characterId"])
    for viewer, expected in ((master, "Forbidden"), (player, "Forbidden"), (outsider, "NotFound")):
        answer = await propose(desk, viewer, character, 2, die(2))
        assert (answer["__typename"], answer["path"]) == (expected, ["characterId"])
    assert (await judge(desk, master, "nonsense", 1))["__typename"] == "NotFound"
    assert await approvals(desk, owner, character) == [("1 more Muscle die", False)]
    read_only = Viewer(master.account, frozenset({"read"}))
    refused = await desk.ask(read_only, APPROVE, id=character, version=2, index=0)
    assert next(iter(refused.values()))["__typename"] == "Forbidden"


async def test_decisions_name_the_version_they_saw_and_one_wins(desk: Desk, tables: Tables) -> None:
    player, master = somebody(), somebody()
    character = (await created(desk, player, hero(rewards=[die(1, approved=False)])))["id"]
    tables.seat(character, CAMPAIGN, gm=master, player=player)
    assert (await update(desk, player, character, 1, rewards=[die(1, "BATTLE", approved=False)]))[
        "__typename"
    ] == "CharacterSaved"
    # What the GM saw is no longer what would be approved.
    for answer in (
        await judge(desk, master, character, 1),
        await judge(desk, master, character, 1, query=REFUSE),
        await propose(desk, player, character, 1, die(2)),
    ):
        assert (answer["__typename"], answer["currentVersion"]) == ("VersionConflict", 2)
    answers = await asyncio.gather(
        *(judge(desk, master, character, 2, query=query) for query in (APPROVE, REFUSE) * 3)
    )
    kinds = sorted(answer["__typename"] for answer in answers)
    assert kinds == ["CharacterSaved"] + ["VersionConflict"] * 5
    gone = await desk.ask(player, DELETE, id=character, version=3)
    assert gone["deleteCharacter"]["__typename"] == "CharacterDeleted"
    assert (await judge(desk, master, character, 3))["__typename"] == "NotFound"


async def test_what_cannot_be_decided_or_proposed_is_told(desk: Desk, tables: Tables) -> None:
    player, master = somebody(), somebody()
    rewards = [die(1), die(2, approved=False)]
    character = (await created(desk, player, hero(rewards=rewards)))["id"]
    tables.seat(character, CAMPAIGN, gm=master, player=player)
    for query in (APPROVE, REFUSE):
        for index in (0, 2, -1):
            answer = await judge(desk, master, character, 1, index, query)
            (issue,) = answer["issues"]
            assert (issue["code"], issue["path"]) == ("REWARD_NOT_WAITING", ["index"])
            assert (issue["found"], issue["allowed"]) == (str(index), "1")
    other = {"session": 3, "kind": "POWER", "power": "dungeonteller:power/none"}
    answer = await propose(desk, player, character, 1, other)
    (issue,) = answer["issues"]
    assert (issue["code"], issue["path"]) == ("POWER_UNKNOWN", ["reward", "dungeonteller", "power"])
    unwritable = {"session": 3, "kind": "SPECIALITY", "action": "MAKE", "when": "\u0007"}
    answer = await propose(desk, player, character, 1, unwritable)
    assert [found["path"] for found in answer["issues"]] == [["reward", "dungeonteller", "when"]]
    found = (await desk.ask(player, REWARDS, id=character))["character"]
    assert (found["version"], len(found["rewards"])) == (1, 2)


async def test_each_step_of_a_reward_is_made_once_for_each_key(desk: Desk, tables: Tables) -> None:
    player, master = somebody(), somebody()
    character = (await created(desk, player))["id"]
    tables.seat(character, CAMPAIGN, gm=master, player=player)
    at = {"id": character, "version": 1, "key": "evening-1"}
    reward = {"dungeonteller": die(1)}
    answers = await asyncio.gather(*(desk.ask(player, PROPOSE, **at, reward=reward) for _ in range(5)))
    assert {one["proposeReward"]["character"]["version"] for one in answers} == {2}
    clash = (await desk.ask(player, PROPOSE, **at, reward={"dungeonteller": die(2)}))["proposeReward"]
    assert clash["code"] == "IDEMPOTENCY_CONFLICT"
    # A key that ended in a problem is fresh, and what a GM's key stands for is not the player's.
    refused = (await desk.ask(master, APPROVE, **at, index=0))["approveReward"]
    assert refused["__typename"] == "VersionConflict"
    at["version"] = 2
    answers = await asyncio.gather(*(desk.ask(master, APPROVE, **at, index=0) for _ in range(5)))
    assert {one["approveReward"]["character"]["version"] for one in answers} == {3}
    assert await approvals(desk, player, character) == [("1 more Muscle die", True)]
    clash = (await desk.ask(master, REFUSE, **at, index=0))["refuseReward"]
    assert clash["code"] == "IDEMPOTENCY_CONFLICT"


# Edits


async def test_at_a_table_no_edit_approves_a_reward(desk: Desk, tables: Tables) -> None:
    player, master = somebody(), somebody()
    character = (await created(desk, player, hero(rewards=[die(1), die(2, approved=False)])))["id"]
    tables.seat(character, CAMPAIGN, gm=master, player=player)
    edited = await update(
        desk,
        player,
        character,
        1,
        name="Brawnley the Bold",
        rewards=[die(1), die(2), die(3, "BATTLE"), {"session": 4, "kind": "LUCK", "approved": False}],
    )
    assert (edited["__typename"], edited["character"]["name"]) == ("CharacterSaved", "Brawnley the Bold")
    assert await approvals(desk, master, character) == [
        ("1 more Muscle die", True),
        ("1 more Muscle die", False),
        ("1 more Battle die", False),
        ("1 more Luck", False),
    ]
    # Neither does one that turns an approved reward into another, nor one that gives it up for another.
    await update(desk, player, character, 2, rewards=[die(1, "BATTLE")])
    assert await approvals(desk, master, character) == [("1 more Battle die", False)]
    await update(desk, player, character, 3, rewards=[])
    await update(desk, player, character, 4, rewards=[die(1)])
    assert await approvals(desk, master, character) == [("1 more Muscle die", False)]


async def test_without_a_table_or_as_its_gm_the_player_decides(desk: Desk, tables: Tables) -> None:
    player, master, outsider = somebody(), somebody(), somebody()
    free = (await created(desk, player))["id"]
    await update(desk, player, free, 1, rewards=[die(1)])
    assert await approvals(desk, player, free) == [("1 more Muscle die", True)]
    # Who sits down is bound at once, and keeps what was approved until then.
    tables.seat(free, "cmp_2", gm=outsider, player=player)
    await update(desk, player, free, 2, rewards=[die(1), die(2)])
    assert [approved for _, approved in await approvals(desk, player, free)] == [True, False]

    own = (await created(desk, master))["id"]
    tables.seat(own, CAMPAIGN, gm=master, player=outsider)
    await update(desk, master, own, 1, rewards=[die(1), die(2, approved=False)])
    assert (await judge(desk, master, own, 2, 1))["__typename"] == "CharacterSaved"
    assert [approved for _, approved in await approvals(desk, outsider, own)] == [True, True]


async def test_while_nobody_knows_the_table_nothing_new_is_approved(desk: Desk, tables: Tables) -> None:
    player, master = somebody(), somebody()
    character = (await created(desk, player, hero(rewards=[die(1)])))["id"]
    tables.seat(character, CAMPAIGN, gm=master, player=player)
    tables.broken = True
    refused = await update(desk, player, character, 1, rewards=[die(1), die(2)])
    assert (refused["__typename"], refused["code"]) == ("Unavailable", "UNAVAILABLE")
    for query in (APPROVE, REFUSE):
        assert (await judge(desk, master, character, 1, query=query))["__typename"] == "Unavailable"
    same = await update(desk, player, character, 1, name="Renamed", rewards=[die(1)])
    assert (same["__typename"], same["character"]["version"]) == ("CharacterSaved", 2)
    proposed_anyway = await propose(desk, player, character, 2, die(2))
    assert proposed_anyway["__typename"] == "CharacterSaved"
    assert [approved for _, approved in await approvals(desk, player, character)] == [True, False]


# Offers


async def test_an_offer_can_be_proposed_as_it_is(desk: Desk) -> None:
    player = somebody()
    character = (await created(desk, player, hero(role=f"{ROLE}wizard", rewards=[die(4)])))["id"]
    offers = (await desk.ask(player, REWARDS, id=character))["character"]["rewardOffers"]
    assert {(offer["reward"]["approved"], offer["reward"]["session"]) for offer in offers} == {(False, 5)}
    assert {offer["reward"]["kind"] for offer in offers} == {"DIE", "SPECIALITY", "POWER", "LUCK"}
    chosen = next(offer for offer in offers if offer["reward"]["kind"] == "POWER")
    answer = await propose(desk, player, character, 1, chosen["reward"])
    assert answer["character"]["rewards"][1]["text"] == chosen["text"]
    left = (await desk.ask(player, REWARDS, id=character))["character"]["rewardOffers"]
    assert chosen["text"] not in {offer["text"] for offer in left}


@pytest.mark.parametrize("name", list(DUNGEONTELLER.examples))
def test_every_offer_breaks_no_rule(name: str) -> None:
    choices, advance = DUNGEONTELLER.examples[name], DUNGEONTELLER.advance
    assert advance is not None
    offers = advance.offers(choices, DUNGEONTELLER.content)
    assert len(offers) > len({RewardKind.DIE, RewardKind.LUCK})
    for offer in offers:
        assert advance.text(offer, DUNGEONTELLER.content)
        written = replace(offer, when="cooking") if offer.kind is RewardKind.SPECIALITY else offer
        built = DUNGEONTELLER.build(advance.propose(choices, written), DUNGEONTELLER.content)
        assert not isinstance(built, Problems), str(built)


def test_a_gm_is_told_what_goes_beyond_the_role() -> None:
    power = next(iter(DUNGEONTELLER.content.powers)).id
    plain = Reward(session=1, kind=RewardKind.POWER, power=power)
    assert DUNGEONTELLER.advance is not None
    text = DUNGEONTELLER.advance.text
    assert text(plain, DUNGEONTELLER.content) != text(replace(plain, gm_leave=True), DUNGEONTELLER.content)


# Any game


@dataclass(frozen=True, slots=True, kw_only=True)
class Development:
    """Points spent on a skill.

    Attributes:
        approved: Whether it has been approved.
    """

    skill: str
    points: int
    approved: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SmithChoices:
    """A smith."""

    name: str
    developments: tuple[Development, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SmithCard:
    """A smith on paper."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SmithSheet:
    """What the rules make of a smith."""

    system: str
    name: str
    tracks: tuple[Track, ...] = ()
    checks: tuple[RollableCheck, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Anvil:
    """What a smith works at."""

    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Smithy:
    """Nothing to choose from."""

    anvil: Anvil = Anvil()

    def shelves(self) -> tuple[Shelf[Any], ...]:
        return ()


ADVANCE: Advancement[SmithChoices, Development, Smithy] = Advancement(
    reward=Development,
    field="developments",
    text=lambda reward, _: f"{reward.skill} +{reward.points}",
    options=lambda choices, _: (Development(skill="forging", points=len(choices.developments) + 1),),
)
SMITHY = System(
    slug="smithy",
    name="Smithy",
    edition="first",
    licence="ours",
    choices_codec=Codec(SmithChoices, "smithy/choices"),
    sheet_codec=Codec(SmithSheet, "smithy/sheet"),
    content=Smithy(),
    examples={"wayland": SmithChoices(name="Wayland")},
    playthroughs={},
    build=lambda choices, _: SmithSheet(system="smithy", name=choices.name),
    printable=Printable(type=SmithCard, make=lambda sheet, _: SmithCard(name=sheet.name)),
    advance=ADVANCE,
)
developments = st.lists(
    st.builds(Development, skill=st.sampled_from(["a", "b"]), points=st.integers(1, 2)), max_size=6
).map(tuple)
flags = st.lists(st.booleans(), min_size=6, max_size=6)


def smith(rewards: tuple[Development, ...], approved: list[bool]) -> SmithChoices:
    marked = (replace(reward, approved=flag) for reward, flag in zip(rewards, approved, strict=False))
    return SmithChoices(name="Wayland", developments=tuple(marked))


def approved_of(choices: SmithChoices) -> list[Development]:
    return [reward for reward in choices.developments if reward.approved]


@given(developments, flags, developments, flags)
def test_no_edit_adds_to_what_is_approved(
    old: tuple[Development, ...], known: list[bool], new: tuple[Development, ...], claimed: list[bool]
) -> None:
    before, after = smith(old, known), smith(new, claimed)
    left = ADVANCE.unapproved(before, after)
    pool = approved_of(before)
    for reward in approved_of(left):
        pool.remove(reward)
    assert [(one.skill, one.points) for one in left.developments] == [
        (one.skill, one.points) for one in after.developments
    ]
    assert ADVANCE.unapproved(before, left) == left
    assert ADVANCE.unapproved(after, after) == after
    assert approved_of(ADVANCE.unapproved(None, after)) == []


@given(developments, flags, st.integers(-2, 7))
def test_approving_and_refusing_touch_one_waiting_reward(
    rewards: tuple[Development, ...], approved: list[bool], index: int
) -> None:
    choices = smith(rewards, approved)
    waiting = 0 <= index < len(rewards) and not approved[index]
    yes, no = ADVANCE.approve(choices, index), ADVANCE.refuse(choices, index)
    assert isinstance(yes, Problems) is isinstance(no, Problems) is (not waiting)
    if isinstance(yes, Problems) or isinstance(no, Problems):
        return
    now = [*approved[: len(rewards)]]
    now[index] = True
    assert yes == smith(rewards, now)
    assert (*no.developments[:index], choices.developments[index], *no.developments[index:]) == (
        choices.developments
    )


@given(developments, flags)
def test_a_proposal_is_the_last_and_waits(rewards: tuple[Development, ...], approved: list[bool]) -> None:
    choices = smith(rewards, approved)
    (offer,) = ADVANCE.offers(choices, SMITHY.content)
    for proposal in (offer, replace(offer, approved=True)):
        assert ADVANCE.propose(choices, proposal).developments == (*choices.developments, offer)
    assert not offer.approved


def test_a_game_whose_choices_hold_no_rewards_is_refused() -> None:
    with pytest.raises(TypeError, match="medals"):
        replace(SMITHY, advance=replace(ADVANCE, field="medals"))


def test_rewards_and_cards_of_any_game_are_typed() -> None:
    found = reflect({"smithy": SMITHY})
    interfaces = {
        definition.name: [interface.name for interface in definition.interfaces]
        for definition in map(get_object_definition, found.types)
        if definition is not None
    }
    assert interfaces["SmithyCard"] == ["Card"]
    assert interfaces["SmithyDevelopment"] == ["Reward"]
    (field,) = dataclass_fields(found.reward)
    assert field.name == "smithy"
    sent = mirror_input(Development)(skill="forging", points=2, approved=True)
    assert to_domain(sent) == Development(skill="forging", points=2)


def test_a_reward_of_any_game_is_proposed_and_approved() -> None:
    choices = SMITHY.examples["wayland"]
    offer = Development(skill="forging", points=1)
    waiting = proposed(SMITHY, choices, Proposal("smithy", offer))
    kept = SMITHY.choices_codec.load(waiting.choices)
    assert [(line.text, line.approved) for line in reward_lines(SMITHY, kept)] == [("forging +1", False)]
    approved = judged(SMITHY, kept, 0, "approve")
    assert SMITHY.choices_codec.load(approved.choices).developments == (offer,)
    refused = judged(SMITHY, kept, 0, "refuse")
    assert SMITHY.choices_codec.load(refused.choices) == choices


def test_a_game_without_rewards_and_rewards_of_another_game_are_refused() -> None:
    plain = replace(SYSTEM, advance=None)
    choices = DUNGEONTELLER.examples["elf"]
    own = Proposal("dungeonteller", Reward(session=1, kind=RewardKind.LUCK))
    assert reward_lines(plain, choices) == []
    with pytest.raises(InvalidInput) as refused:
        proposed(plain, choices, own)
    assert broken(refused.value) == [("NO_REWARDS", "characterId")]
    with pytest.raises(InvalidInput) as refused:
        judged(plain, choices, 0, "approve")
    assert broken(refused.value) == [("NO_REWARDS", "characterId")]
    with pytest.raises(InvalidInput) as refused:
        proposed(DUNGEONTELLER, None, own)
    assert broken(refused.value) == [("NO_REWARDS", "characterId")]
    with pytest.raises(InvalidInput) as refused:
        proposed(DUNGEONTELLER, choices, Proposal("smithy", own.reward))
    assert broken(refused.value) == [("SYSTEM_FIXED", "reward")]
