"""Whatever a player chooses, there is an answer: a character, or what is wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.character.building.builds import MAX_NAME, Build, build, issue
from services.rules.engine.problem import RuleProblem
from services.rules.engine.registry import systems
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.build import HeroChoices, Purchase
from services.rules.systems.dungeonteller.rewards import Reward, RewardKind
from services.shared.problems import InvalidInput
from services.shared.wording import camel, clipped, unwritable

CONTENT = [entry for shelf in systems()["dungeonteller"].content.shelves() for entry in shelf.ids]
IDS = st.sampled_from([*CONTENT, "dungeonteller:role/none", "", "\x00"])
ROLES = st.sampled_from([entry for entry in CONTENT if ":role/" in entry]) | IDS
CHOICES = st.builds(
    HeroChoices,
    name=st.text(max_size=100),
    role=ROLES,
    look=st.text(max_size=20),
    kit=st.booleans(),
    buys=st.lists(st.builds(Purchase, item=IDS, count=st.integers(-3, 120)), max_size=4).map(tuple),
    worn=st.none() | IDS,
    shield=st.booleans(),
    in_hand=st.lists(IDS, max_size=4).map(tuple),
    malicious=st.booleans(),
    rewards=st.lists(
        st.builds(
            Reward,
            session=st.integers(-2, 6),
            kind=st.sampled_from(RewardKind),
            action=st.none() | st.sampled_from(Action),
            when=st.text(max_size=12),
            power=st.none() | IDS,
            gm_leave=st.booleans(),
        ),
        max_size=4,
    ).map(tuple),
)


@given(CHOICES)
def test_all_choices_give_a_character_or_named_problems(choices: HeroChoices) -> None:
    try:
        made = build(systems(), Build("dungeonteller", choices))
    except InvalidInput as refused:
        assert refused.issues
        assert all(found.path[:2] == ["build", "dungeonteller"] for found in refused.issues)
        assert all(not list(unwritable(found.found, [])) for found in refused.issues)
        return
    assert 1 <= len(made.name) <= MAX_NAME
    system = systems()[made.system]
    assert system.sheet_codec.load(made.sheet).name == made.name
    assert system.choices_codec.load(made.choices) == choices


def test_a_game_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(InvalidInput) as refused:
        build(systems(), Build("chess", None))
    found = refused.value.issues[0]
    assert (found.code, found.found, found.path) == ("SYSTEM_UNKNOWN", "chess", ["build"])
    assert found.allowed is not None
    assert found.allowed.split(", ") == list(systems())


def test_a_broken_rule_keeps_its_words_and_its_place_in_the_spelling_of_the_api() -> None:
    told = issue(RuleProblem("too_few", "Take more.", "p. 3", ("in_hand", 0), True, (1, None)), ["build"])
    assert (told.code, told.message, told.rule) == ("TOO_FEW", "Take more.", "p. 3")
    assert told.path == ["build", "inHand", "0"]
    assert (told.found, told.allowed) == ("true", "1, null")
    bare = issue(RuleProblem("odd", "Odd.", "p. 4"), ["build"])
    assert (bare.path, bare.found, bare.allowed) == (["build"], None, None)


def test_what_was_found_is_repeated_in_part_only() -> None:
    assert clipped("x" * 200) == "x" * 200
    assert clipped("x" * 201) == "x" * 200 + "…"
    assert clipped("a\x00\ud800b") == "a\ufffd\ufffdb"


def test_names_are_spelled_as_the_api_does() -> None:
    assert [camel(name) for name in ("name", "in_hand", "gm_leave")] == ["name", "inHand", "gmLeave"]


def test_half_a_surrogate_pair_is_no_text() -> None:
    with pytest.raises(InvalidInput) as refused:
        build(systems(), Build("dungeonteller", HeroChoices(name="a\ud800", role="")))
    assert [found.code for found in refused.value.issues] == ["BAD_CHARACTER"]
