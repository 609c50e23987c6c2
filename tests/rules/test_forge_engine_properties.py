"""Forge Engine: what holds for every character, drawn by chance or made step by step."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import shake_256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.dice.stream import ByteStream
from services.rules.engine.guide import Offer
from services.rules.engine.problem import Problems
from services.rules.systems.forge_engine import SYSTEM
from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.build import build
from services.rules.systems.forge_engine.catalog import Catalog, own_catalog
from services.rules.systems.forge_engine.characters.creation import Step, problems_by_step, read
from services.rules.systems.forge_engine.characters.development import further, grow
from services.rules.systems.forge_engine.characters.offers import imaginable, take
from services.rules.systems.forge_engine.characters.permission import WAIVABLE
from services.rules.systems.forge_engine.characters.person import skill_key
from services.rules.systems.forge_engine.choices import (
    AwardKind,
    Carried,
    CharacterChoices,
    Development,
    DevelopmentKind,
    Place,
    SkillRating,
    Thing,
)
from services.rules.systems.forge_engine.equipment import Era
from services.rules.systems.forge_engine.guide import creation_steps
from services.rules.systems.forge_engine.random import drawn_character
from services.rules.systems.forge_engine.settings import HouseRules, Unspent
from services.rules.systems.forge_engine.sheet import CharacterSheet

CATALOG = own_catalog()
CONCEPTS = CATALOG.concepts.ids
TRAIT_IDS = (*CATALOG.traits.ids, "forge_engine:trait/radiation-proof", "forge_engine:trait/none")
SKILL_IDS = (*CATALOG.skills.ids, *CATALOG.martial.ids, *CATALOG.spells.ids, "forge_engine:skill/none")
ITEM_IDS = (*CATALOG.equipment.ids, "forge_engine:equipment/none")
FREE = HouseRules(
    unspent=Unspent.KEPT,
    options=SKILL_IDS,
    free=("forge_engine:trait/sturdy",),
    encumbrance_kg=5,
    magic_trait_cp=1,
)
TABLES = (
    CATALOG,
    replace(CATALOG, settings=CATALOG.settings.under(FREE)),
    replace(
        CATALOG,
        settings=CATALOG.settings.under(
            HouseRules(
                trait_cp=4,
                skill_cp=12,
                general_cp=4,
                attribute_most=3,
                skill_most=2,
                specialized_most=2,
                species=("forge_engine:trait/orc", "forge_engine:trait/xin"),
                barred=("forge_engine:trait/dull", "forge_engine:martial/long-guns"),
                eras=(Era.HISTORICAL,),
                unspent=Unspent.SKILLS,
            )
        ),
    ),
)


def stream(seed: int) -> ByteStream:
    """Faces that a seed stands for."""
    block = iter(range(2**16))
    return ByteStream(lambda count: shake_256(f"{seed}:{next(block)}".encode()).digest(count))


def drawn(seed: int, concept: str | None = None, catalog: Catalog = CATALOG) -> CharacterChoices:
    choices = drawn_character(stream(seed), catalog, None, concept)
    assert isinstance(choices, CharacterChoices), str(choices)
    return choices


fields = st.sampled_from(["", "Latin", "native", "x" * 61])
ratings = st.integers(-1, 8)
development = st.builds(
    Development,
    kind=st.sampled_from(DevelopmentKind),
    award=st.none() | st.sampled_from(AwardKind),
    count=st.integers(-1, 5),
    cp=st.none() | st.integers(-200, 200),
    attribute=st.none() | st.sampled_from(Attribute),
    skill=st.none() | st.sampled_from(SKILL_IDS),
    field=fields,
    trait=st.none() | st.sampled_from(TRAIT_IDS),
    approved=st.booleans(),
)
any_choices = st.builds(
    CharacterChoices,
    name=st.sampled_from(["", "Somebody", "x" * 81]),
    species=st.sampled_from((*TRAIT_IDS[:20], *TRAIT_IDS[-3:], "")),
    species_choices=st.lists(st.sampled_from(TRAIT_IDS), max_size=3).map(tuple),
    traits=st.lists(st.sampled_from(TRAIT_IDS), max_size=4).map(tuple),
    attributes=st.builds(Attributes, **{attribute.value: ratings for attribute in Attribute}),
    skills=st.lists(
        st.builds(SkillRating, skill=st.sampled_from(SKILL_IDS), rating=ratings, field=fields), max_size=5
    ).map(tuple),
    native_language=st.none() | ratings,
    equipment=st.lists(
        st.builds(
            Carried, item=st.sampled_from(ITEM_IDS), count=st.integers(-1, 3), place=st.sampled_from(Place)
        ),
        max_size=4,
    ).map(tuple),
    things=st.lists(
        st.builds(Thing, name=st.sampled_from(["", "Rope"]), dice=ratings, place=st.sampled_from(Place)),
        max_size=2,
    ).map(tuple),
    health=st.none() | st.integers(-30, 30),
    expended=st.integers(-1, 30),
    development=st.lists(development, max_size=4).map(tuple),
    leave=st.lists(st.sampled_from((*WAIVABLE, "none")), max_size=3).map(tuple),
)


def whole(choices: CharacterChoices, catalog: Catalog) -> CharacterSheet:
    """The sheet; asserts that it goes through JSON, prints, and counts within its bounds."""
    sheet = build(choices, catalog)
    assert isinstance(sheet, CharacterSheet), str(sheet)
    codec = SYSTEM.sheet_codec
    assert codec.load(json.loads(json.dumps(codec.dump(sheet)))) == sheet
    assert SYSTEM.printable is not None
    assert SYSTEM.printable.make(sheet, catalog).name == sheet.name
    assert all(0 <= track.current <= track.maximum for track in sheet.tracks)
    ids = [check.id for check in sheet.checks]
    assert len(ids) == len(set(ids))
    assert all(check.dice.value >= 1 for check in sheet.checks)
    assert min(line.effective.value for line in sheet.attributes) >= 1
    return sheet


@pytest.mark.parametrize("concept", CONCEPTS)
def test_every_concept_makes_whole_characters_that_spend_every_point(concept: str) -> None:
    choices = drawn(7, concept)
    sheet = whole(choices, CATALOG)
    assert [budget.remaining for budget in sheet.points.budgets] == [0, 0, 0]
    assert choices == drawn(7, concept)


@settings(max_examples=8)
@given(seed=st.integers(0, 2**32), catalog=st.sampled_from(TABLES))
def test_any_random_character_builds_at_its_table(seed: int, catalog: Catalog) -> None:
    whole(drawn(seed, None, catalog), catalog)


def test_a_random_character_is_called_as_asked_and_refused_by_name_or_concept() -> None:
    named = drawn_character(stream(1), CATALOG, "Ada", CONCEPTS[0])
    assert isinstance(named, CharacterChoices)
    assert (named.name, named.concept) == ("Ada", CATALOG.concepts[CONCEPTS[0]].name)
    for name, concept, path in ((" ", None, ("name",)), (None, "forge_engine:concept/none", ("concept",))):
        refused = drawn_character(stream(1), CATALOG, name, concept)
        assert isinstance(refused, Problems)
        assert {problem.path for problem in refused} == {path}


@settings(max_examples=80)
@given(choices=any_choices, catalog=st.sampled_from(TABLES))
def test_whatever_is_chosen_is_built_or_refused_with_code_rule_and_path(
    choices: CharacterChoices, catalog: Catalog
) -> None:
    outcome = build(choices, catalog)
    if isinstance(outcome, CharacterSheet):
        whole(choices, catalog)
        return
    for problem in outcome:
        assert problem.code == problem.code.lower()
        assert problem.message.endswith((".", "!", "?"))
        assert problem.rule
        assert problem.path
        assert problem.code not in set(choices.leave) & WAIVABLE.keys()


def raised(choices: CharacterChoices, offer: Offer) -> tuple[str | int, ...] | None:
    """Where the choices hold the rating that an offer raises."""
    if offer.kind == "attribute":
        return ("attributes", offer.id)
    if offer.kind != "skill":
        return None
    keys = [skill_key(bought.skill, bought.field) for bought in choices.skills]
    key = skill_key(offer.id, offer.note)
    return ("skills", keys.index(key) if key in keys else len(keys))


@settings(max_examples=8)
@given(choices=any_choices, catalog=st.sampled_from(TABLES))
def test_the_steps_of_the_guide_name_what_build_names_and_offer_all_that_can_be_had(
    choices: CharacterChoices, catalog: Catalog
) -> None:
    steps = creation_steps(choices, catalog)
    outcome = build(choices, catalog)
    problems = () if isinstance(outcome, CharacterSheet) else outcome.items
    assert tuple(problem for step in steps for problem in step.problems) == problems
    known = {(problem.code, problem.path) for problem in problems}
    points = {budget.id: budget.remaining for step in steps for budget in step.budgets}
    # What is offered, and for how much, is what reading everything anew with it comes to.
    draft = read(choices, catalog)
    expected: dict[str, list[Offer]] = {step.id: [] for step in steps}
    for step, offer in imaginable(draft):
        after = read(take(choices, offer), catalog)
        cost = offer.cost if step is Step.SKILLS else after.spent.shared - draft.spent.shared
        found = {
            (problem.code, problem.path) for each in problems_by_step(after).values() for problem in each
        }
        # What is wrong with a rating already is no reason to raise it further.
        sound = all(path[:2] != raised(choices, offer) for _, path in found)
        if sound and cost <= max(points[offer.budget], 0) and found <= known:
            expected[step.value].append(replace(offer, cost=cost))
    assert {step.id: list(step.offers) for step in steps} == expected


@settings(max_examples=40)
@given(choices=any_choices, catalog=st.sampled_from(TABLES), entry=development)
def test_one_more_entry_of_the_development_is_tried_as_if_it_stood_there(
    choices: CharacterChoices, catalog: Catalog, entry: Development
) -> None:
    draft, place = read(choices, catalog), len(choices.development)
    kept = draft.growth.kept
    after = grow(draft.created, kept, (*choices.development, entry), catalog)
    expected = tuple(problem for problem in after.problems if problem.path[:2] == ("development", place))
    tried = further(draft.created, kept, choices.development, catalog)
    assert tried(entry) == tried(entry) == expected


def test_a_character_can_be_made_by_taking_offers_alone() -> None:
    # A small table, so that it is soon done.
    catalog = replace(
        CATALOG, settings=CATALOG.settings.under(HouseRules(trait_cp=6, skill_cp=6, general_cp=3))
    )
    choices = CharacterChoices(name="Somebody", species="")
    for turn in range(40):
        steps = creation_steps(choices, catalog)
        offers = [offer for step in steps for offer in step.offers if offer.cost >= 0]
        if not offers:
            break
        choices = take(choices, offers[(turn * 7919) % len(offers)])
    whole(choices, catalog)
    points = {budget.id: budget.remaining for step in steps for budget in step.budgets}
    assert points["skills"] == points["general-skills"] == 0
