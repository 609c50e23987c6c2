"""DungeonTeller: heroes drawn by chance are whole, sensible, and the same from the same faces."""

from __future__ import annotations

from collections import Counter
from hashlib import shake_256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.dice.stream import ByteStream, ListStream, StreamError
from services.rules.engine.content import slug_of
from services.rules.systems.dungeonteller.build import build
from services.rules.systems.dungeonteller.catalog import SLUG, own_catalog
from services.rules.systems.dungeonteller.choices import HeroChoices
from services.rules.systems.dungeonteller.random import random_hero
from services.rules.systems.dungeonteller.sheet import HeroSheet

CATALOG = own_catalog()
seeds = st.integers(0, 2**32)


def stream(seed: int) -> ByteStream:
    """Faces that a seed stands for."""
    block = iter(range(2**16))
    return ByteStream(lambda count: shake_256(f"{seed}:{next(block)}".encode()).digest(count))


def drawn(seed: int, role: str | None = None) -> HeroChoices:
    return random_hero(stream(seed), CATALOG, role=None if role is None else f"{SLUG}:role/{role}")


@given(seeds)
def test_any_random_hero_builds(seed: int) -> None:
    sheet = build(drawn(seed), CATALOG)
    assert isinstance(sheet, HeroSheet), str(sheet)
    assert sheet.look
    assert sheet.gold.value >= 0


@given(seeds)
def test_it_holds_the_best_weapon_it_can_use(seed: int) -> None:
    choices = drawn(seed)
    sheet = build(choices, CATALOG)
    assert isinstance(sheet, HeroSheet)
    has_shield = any(line.name == "Shield" for line in sheet.weapons)
    assert choices.shield == has_shield
    usable = [line for line in sheet.weapons if line.usable and line.name != "Shield"]
    most = max(attack.dice.value for line in usable for attack in line.attacks)
    held = [line for line in usable if line.in_hand]
    assert len(held) == 1
    assert max(attack.dice.value for attack in held[0].attacks) == most


@given(seeds)
def test_the_same_faces_draw_the_same_hero(seed: int) -> None:
    assert drawn(seed) == drawn(seed)


def test_every_role_comes_up_and_names_vary() -> None:
    heroes = [drawn(seed) for seed in range(200)]
    roles = Counter(hero.role for hero in heroes)
    assert set(roles) == set(CATALOG.roles.ids)
    assert len({hero.name for hero in heroes}) > 50
    assert any(hero.buys for hero in heroes)
    assert any(not hero.buys for hero in heroes)


@pytest.mark.parametrize("role", [slug_of(role) for role in CATALOG.roles.ids])
def test_a_role_and_a_name_can_be_asked_for(role: str) -> None:
    choices = random_hero(stream(7), CATALOG, name="Zed", role=f"{SLUG}:role/{role}")
    assert (choices.name, slug_of(choices.role)) == ("Zed", role)


def test_a_role_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError):
        random_hero(stream(1), CATALOG, role="bard")


def test_every_word_fits_a_card_and_is_there_once() -> None:
    words = CATALOG.words
    assert len(words.names) >= 60
    for column in (words.names, words.looks, words.habits):
        assert len(set(column)) == len(column)
        assert all(word.strip() == word and 0 < len(word) <= 40 for word in column)


def test_faces_are_all_it_takes() -> None:
    """Role, name, look, habit, weapon, thing: a short list of faces draws a whole hero."""
    hero = random_hero(ListStream((3, 1, 1, 1, 1, 1)), CATALOG)
    assert slug_of(hero.role) == "paladin"
    assert hero.shield
    assert [slug_of(item) for item in hero.in_hand] == ["longsword"]
    assert hero.buys == ()
    with pytest.raises(StreamError):
        random_hero(ListStream((3, 1, 1)), CATALOG)
