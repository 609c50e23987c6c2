"""Forge Engine: points earned in play, what they buy, and what waits for the game master's word."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.systems.forge_engine import SYSTEM
from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.choices import (
    AwardKind,
    CharacterChoices,
    Development,
    DevelopmentKind,
    SkillRating,
)
from services.rules.systems.forge_engine.settings import HouseRules, Unspent
from tests.rules.forge_engine_builds import CATALOG, broken, built

assert SYSTEM.advance is not None
ADVANCE = SYSTEM.advance


def award(kind: AwardKind = AwardKind.SESSION, **more: Any) -> Development:
    return Development(kind=DevelopmentKind.AWARD, award=kind, **more)


def raised(attribute: Attribute, **more: Any) -> Development:
    return Development(kind=DevelopmentKind.ATTRIBUTE, attribute=attribute, **more)


def learned(slug: str, **more: Any) -> Development:
    return Development(kind=DevelopmentKind.SKILL, skill=f"forge_engine:{slug}", **more)


def taken(slug: str, **more: Any) -> Development:
    return Development(kind=DevelopmentKind.TRAIT, trait=f"forge_engine:trait/{slug}", **more)


def grown(*development: Development, **more: Any) -> CharacterChoices:
    base: dict[str, Any] = {
        "name": "Somebody",
        "species_choices": ("forge_engine:trait/lithe",),
        "leave": ("general_skill_minimum",),
        "development": development,
    }
    return CharacterChoices(**(base | more))


def test_awards_are_worth_what_the_book_or_the_table_says() -> None:
    awards = [award(kind) for kind in AwardKind if kind is not AwardKind.OTHER]
    sheet = built(grown(*awards, award(AwardKind.OTHER, cp=-1), award(AwardKind.COMBAT, cp=2, count=3)))
    assert [line.cp for line in sheet.points.history] == [2, 2, 4, 6, 1, 1, -1, 6]
    assert sheet.points.left == sheet.points.earned == 21
    fast = replace(CATALOG, settings=CATALOG.settings.under(HouseRules(session_cp=3)))
    assert built(grown(award(count=4)), fast).points.left == 12


def test_prices_are_those_of_creation_and_rise_step_by_step() -> None:
    sheet = built(
        grown(
            award(AwardKind.CAMPAIGN, count=3),
            raised(Attribute.AGILITY, count=3),  # 1 + 2 + 3 for the lithe
            raised(Attribute.STAMINA),
            learned("skill/stealth", count=4),
            learned("martial/parry", count=2),
            taken("divine-caster"),
            learned("spell/light"),
        )
    )
    assert [line.cp for line in sheet.points.history] == [18, -6, -2, -4, -2, -2, -1]
    assert (sheet.points.spent, sheet.points.left) == (17, 1)
    assert (sheet.energy.value, sheet.health.value) == (7, 7)
    assert {line.name: line.developed for line in sheet.skills if not line.free} == {"Stealth": 4, "Parry": 2}
    assert sheet.points.history[3].text == "Learned Stealth 4"


def test_the_order_of_entries_counts() -> None:
    assert broken(grown(award(), raised(Attribute.ACUITY))) == []
    assert broken(grown(raised(Attribute.ACUITY), award())) == ["not_enough_cp at development[0]"]
    late = grown(award(count=3), learned("skill/insight", count=2), raised(Attribute.ACUITY))
    assert broken(late) == ["skill_above_attribute at development[1].count"]
    assert broken(replace(late, development=(late.development[0], *late.development[:0:-1]))) == []


def test_what_waits_gives_nothing_and_sets_its_price_aside() -> None:
    unearned = grown(award(approved=False), learned("martial/parry"))
    assert broken(unearned) == ["not_enough_cp at development[1]"]
    sheet = built(grown(award(), learned("martial/parry", approved=False), award(approved=False)))
    assert (sheet.points.left, sheet.points.set_aside) == (2, 1)
    assert [line.waiting for line in sheet.points.history] == [False, True, True]
    assert all(line.free for line in sheet.skills)
    twice = grown(award(), raised(Attribute.ACUITY, approved=False), learned("martial/parry", approved=False))
    assert broken(twice) == ["not_enough_cp at development[2]"]


def test_points_left_at_creation_are_spent_in_play_where_they_are_kept() -> None:
    kept = replace(CATALOG, settings=CATALOG.settings.under(HouseRules(unspent=Unspent.KEPT)))
    choices = grown(raised(Attribute.ACUITY), attributes=Attributes(strength=5))
    assert broken(choices) == ["not_enough_cp at development[0]"]
    sheet = built(choices, kept)
    assert (sheet.points.kept, sheet.points.left) == (31, 29)
    assert sheet.points.history[0].index is None


def test_traits_in_play_ask_for_leave_unless_they_are_of_magic() -> None:
    ears = grown(award(), taken("acute-hearing"))
    assert broken(ears) == ["trait_only_at_creation at development[1].trait"]
    sheet = built(replace(ears, leave=(*ears.leave, "trait_only_at_creation")))
    assert sheet.traits[-1].name == "Acute Hearing"
    leave = ("general_skill_minimum", "trait_only_at_creation", "multiple_sizes")
    big = grown(award(count=2), taken("large"), leave=leave)
    assert (built(big).size_name, built(big).health.value) == ("Large", 7)
    assert broken(grown(award(), taken("elf"), leave=leave)) == ["multiple_species at development[1].trait"]
    wise = grown(taken("hive-mind"), attributes=Attributes(intelligence=2), leave=leave)
    assert broken(wise) == ["hive_mind_intelligence_cap at development[0].trait"]


def test_a_liability_taken_in_play_gives_points_once_it_is_approved() -> None:
    leave = ("general_skill_minimum", "trait_only_at_creation")
    assert built(grown(taken("dull"), leave=leave)).points.left == 1
    assert built(grown(taken("dull", approved=False), leave=leave)).points.left == 0


def test_health_that_was_written_down_stays_when_its_maximum_grows() -> None:
    sheet = built(grown(award(), raised(Attribute.STAMINA), health=4))
    assert (sheet.health.value, sheet.health_now) == (7, 4)


def test_malformed_entries_are_named_with_their_paths() -> None:
    bare = [Development(kind=kind) for kind in DevelopmentKind]
    assert broken(grown(*bare, award(count=0), award(AwardKind.OTHER, cp=999))) == [
        "award_missing at development[0].award",
        "attribute_missing at development[1].attribute",
        "unknown_skill at development[2].skill",
        "unknown_trait at development[3].trait",
        "count_out_of_range at development[4].count",
        "award_cp_out_of_range at development[5].cp",
    ]


def test_options_are_what_is_left_pays_for_in_plain_words() -> None:
    poor = ADVANCE.offers(grown(), CATALOG)
    assert {option.kind for option in poor} == {DevelopmentKind.AWARD}
    lines = [ADVANCE.text(option, CATALOG) for option in ADVANCE.offers(grown(award()), CATALOG)]
    assert lines[0] == "2 CP for 1 session"
    assert "Strength 1 higher" in lines
    assert "the trait Divine Caster" in lines
    assert "Language (Latin) 1 higher" in lines
    assert not any("Acute Hearing" in line or "Fireball" in line for line in lines)


picks = st.lists(st.tuples(st.integers(0, 10_000), st.booleans()), max_size=6)


@settings(max_examples=12)
@given(picks=picks, verdicts=st.lists(st.tuples(st.integers(0, 20), st.booleans()), max_size=6))
def test_whatever_is_offered_can_be_proposed_approved_and_refused_in_any_order(
    picks: list[tuple[int, bool]], verdicts: list[tuple[int, bool]]
) -> None:
    choices = grown(
        award(AwardKind.MAJOR_QUEST),
        attributes=Attributes(strength=2, acuity=2),
        skills=(SkillRating(skill="forge_engine:martial/parry", rating=2),),
    )
    for number, approved in picks:
        options = ADVANCE.offers(choices, CATALOG)
        choices = ADVANCE.propose(choices, options[number % len(options)])
        assert broken(choices) == []
        if approved:
            verdict = ADVANCE.approve(choices, len(choices.development) - 1)
            assert isinstance(verdict, CharacterChoices)
            choices = verdict
            assert broken(choices) == []
    for number, approve in verdicts:
        waiting = [place for place, entry in enumerate(choices.development) if not entry.approved]
        if waiting:
            judge = ADVANCE.approve if approve else ADVANCE.refuse
            verdict = judge(choices, waiting[number % len(waiting)])
            assert isinstance(verdict, CharacterChoices)
            choices = verdict
            assert broken(choices) == []
    sheet = built(choices)
    assert sheet.points.left >= 0
