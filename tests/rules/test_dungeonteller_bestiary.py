"""DungeonTeller: creatures of the bestiary, the book's figures kept and the rest playable and fair."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import pytest

from services.rules.engine.codec import CodecError, decode, encode
from services.rules.engine.content import slug_of, unresolved_references
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.bestiary import Monster, Size, Tag
from services.rules.systems.dungeonteller.build import build
from services.rules.systems.dungeonteller.catalog import SLUG, own_catalog
from services.rules.systems.dungeonteller.examples import EXAMPLES
from services.rules.systems.dungeonteller.luck import can_pay
from services.rules.systems.dungeonteller.movement import Flight, Mover, pace_for
from services.rules.systems.dungeonteller.powers import Power

CATALOG = own_catalog()
MONSTERS = tuple(CATALOG.monsters)
NAMES = [slug_of(monster.id) for monster in MONSTERS]
SIX = ("dwarf", "elf", "paladin", "rogue", "warrior", "wizard")


LUCKY_FACES, SIDES = CATALOG.settings.lucky_faces, 6


def luck_taken(monster: Monster, armor: int, powers: Iterable[Power] = ()) -> Fraction:
    """Luck a hero of this Armor loses to it in a turn, on average, when it does its worst at full Luck.

    It is how the bestiary was balanced: each die that is left takes a third of a Luck.

    Args:
        monster: The creature.
        armor: The hero's Armor; nobody dodges.
        powers: Its powers; those that hit count when its Luck pays for them.
    """
    ratings = monster.ratings
    pools = [(ratings.of(attack.action) + attack.dice, armor) for attack in monster.attacks]
    for power in powers:
        hit = power.attack
        if hit is not None and (monster.luck is None or can_pay(monster.luck, power.luck_cost)):
            dice = hit.dice + sum(ratings.of(action) for action in (hit.action, *hit.adds))
            pools.append((dice, armor if hit.armor_counts else 0))
    most = max((_left(monster, dice, taken) for dice, taken in pools), default=0)
    return Fraction(most * len(LUCKY_FACES), SIDES)


def _left(monster: Monster, dice: int, taken: int) -> int:
    left = dice - taken
    if monster.luck is not None:
        left = min(left, monster.luck)
    return max(left, 1)


def monster(slug: str) -> Monster:
    return CATALOG.monsters[f"{SLUG}:monster/{slug}"]


def powers_of(creature: Monster) -> tuple[Power, ...]:
    return tuple(CATALOG.powers[power] for power in creature.powers)


def armors() -> tuple[int, ...]:
    """The Armor of the six roles as they start."""
    sheets = [build(EXAMPLES[name], CATALOG) for name in SIX]
    return tuple(sheet.armor.value for sheet in sheets if not isinstance(sheet, Problems))


def usual_loss(creature: Monster) -> Fraction:
    """Luck that one of the six heroes loses to it in a turn, on average."""
    losses = [luck_taken(creature, armor, powers_of(creature)) for armor in armors()]
    return sum(losses, Fraction()) / len(losses)


@pytest.mark.parametrize(
    ("slug", "ratings"),
    [
        ("orc", {"battle": 7, "muscle": 7, "stunt": 3}),
        ("bogle", {"battle": 8}),
        ("basilisk", {"magic": 4}),
        ("wolf", {"talk": 0}),
    ],
)
def test_the_books_figures_are_kept(slug: str, ratings: dict[str, int]) -> None:
    found = monster(slug).ratings
    assert {action: found.of(Action(action)) for action in ratings} == ratings


def test_a_basilisk_can_turn_a_hero_to_stone_with_its_luck() -> None:
    basilisk = monster("basilisk")
    (stone,) = powers_of(basilisk)
    assert stone.name == "Turn to Stone"
    assert basilisk.luck is not None
    assert basilisk.luck >= stone.luck_cost


def test_a_bogle_rolls_four_dice_against_plate() -> None:
    assert luck_taken(monster("bogle"), 4) == Fraction(4, 3)


def test_a_zombie_cannot_hurry() -> None:
    zombie = monster("zombie")
    mover = Mover(
        move=zombie.move,
        can_double_move=not zombie.has(Tag.NO_DOUBLE_MOVE),
        can_run=not zombie.has(Tag.NO_RUN),
    )
    for paces, code in ((zombie.move + 1, "cannot_double_move"), (2 * zombie.move + 1, "cannot_run")):
        refused = pace_for(paces, mover)
        assert isinstance(refused, RuleProblem)
        assert (refused.code, refused.allowed) == (code, zombie.move)


def test_the_dragon_flies_six_to_eighteen() -> None:
    fly = monster("young-dragon").fly
    assert fly is not None
    flight = Flight(*fly)
    assert flight.falls(5)
    assert not flight.falls(6)
    assert flight.fastest == 18


def test_familiars_have_the_luck_of_their_power() -> None:
    for power, names in (
        ("summon-familiar", ("cat", "bat", "owl", "snake")),
        ("summon-greater-familiar", ("feydragon", "imp", "salamander", "raven")),
    ):
        luck = CATALOG.powers[f"{SLUG}:power/{power}"].figures.luck
        assert [monster(name).luck for name in names] == [luck] * 4


def test_what_powers_call_up_exists() -> None:
    assert {"skeleton", "zombie", "orc", "hippogriff"} <= set(NAMES)
    assert monster("skeleton").has(Tag.UNDEAD)
    assert monster("zombie").has(Tag.UNDEAD)


def test_werewolves_shrink_from_silver_armor() -> None:
    assert any("silver" in words for words in monster("werewolf").dislikes)


def test_there_are_plenty_and_their_names_differ() -> None:
    assert len(MONSTERS) >= 39
    assert len({creature.name for creature in MONSTERS}) == len(MONSTERS)


def test_every_reference_resolves() -> None:
    assert unresolved_references(CATALOG.shelves()) == ()
    for creature in MONSTERS:
        assert all(power in CATALOG.powers for power in creature.powers)


@pytest.mark.parametrize("creature", MONSTERS, ids=NAMES)
def test_every_creature_can_do_something(creature: Monster) -> None:
    assert creature.attacks
    for attack in creature.attacks:
        assert creature.ratings.of(attack.action) >= 1, attack.name
        assert attack.dice >= 0
    for power in powers_of(creature):
        assert not power.everyone
        assert creature.casting or not power.spell, power.name
        assert creature.has(Tag.MALICIOUS) or not power.malicious, power.name
        assert creature.luck is None or power.luck_cost <= creature.luck, power.name
        assert all(creature.ratings.of(action) >= 1 for action in power.roll), power.name


@pytest.mark.parametrize("creature", MONSTERS, ids=NAMES)
def test_figures_tags_and_sizes_fit_together(creature: Monster) -> None:
    assert all(0 <= creature.ratings.of(action) <= 12 for action in Action)
    assert creature.luck is None or 1 <= creature.luck <= 24
    assert 0 <= creature.armor <= 6
    assert 1 <= creature.move <= 10
    assert creature.climb is None or 1 <= creature.climb <= creature.move
    if creature.fly is not None:
        slowest, fastest = creature.fly
        assert 0 <= slowest < fastest
    traits = creature.traits
    assert creature.has(Tag.GIANT) == (creature.size is Size.GIANT)
    assert len({Tag.UNDEAD, Tag.CONSTRUCT, Tag.LIVING} & set(traits)) == 1
    assert not (creature.has(Tag.ANIMAL) and creature.has(Tag.TALKER))
    assert not creature.has(Tag.ANIMAL) or creature.has(Tag.LIVING)
    assert creature.has(Tag.NO_RUN) or not creature.has(Tag.NO_DOUBLE_MOVE)
    assert len(set(creature.tags)) == len(creature.tags)


@pytest.mark.parametrize("creature", MONSTERS, ids=NAMES)
def test_nobody_falls_in_less_than_three_turns(creature: Monster) -> None:
    """A hero of 10 Luck without armor stands three turns against any one creature, on average."""
    assert luck_taken(creature, 0, powers_of(creature)) * 3 <= 10
    assert usual_loss(creature) >= Fraction(1, 3)


def test_the_bands_of_danger_hold() -> None:
    bands = (
        (("rat-pack", "goblin", "wolf", "zombie", "skeleton"), Fraction(0), Fraction(1)),
        (("orc", "werewolf", "crocodile", "basilisk"), Fraction(1), Fraction(3, 2)),
        (("bogle", "ogre", "cave-bear", "stone-guard", "wicked-wizard"), Fraction(3, 2), Fraction(11, 5)),
        (("minotaur", "hill-giant", "young-dragon"), Fraction(11, 5), Fraction(10, 3)),
    )
    for slugs, above, up_to in bands:
        for slug in slugs:
            assert above < usual_loss(monster(slug)) <= up_to, slug


def test_texts_are_short_and_plain() -> None:
    for creature in MONSTERS:
        sentences = [part for part in creature.summary.replace("!", ".").split(".") if part.strip()]
        assert all(len(sentence.split()) <= 16 for sentence in sentences), creature.id
        assert creature.summary.endswith("."), creature.id
        assert creature.dislikes, creature.id


def test_a_creature_survives_json() -> None:
    for creature in MONSTERS:
        assert decode(Monster, encode(Monster, creature)) == creature


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("tags", ["giant"]),
        ("tags", ["friendly"]),
        ("attacks", [{"name": "Joke", "action": "talk"}]),
        ("size", "huge"),
        ("fly", [6]),
    ],
)
def test_a_malformed_creature_is_turned_down(key: str, value: object) -> None:
    form = encode(Monster, monster("orc"))
    assert isinstance(form, dict)
    with pytest.raises(CodecError):
        decode(Monster, {**form, key: value})
