"""Balanced fights of Forge Engine between bots: of adversaries, and of parties with powers and without.

Sides alternate, dice and what bots leave to chance come from streams named after the fight, and nothing else
differs between the sides of a fight.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from services.rules.engine.bots import RANDOM, Bot, bots_of
from services.rules.engine.driver import Made, make, thrower
from services.rules.engine.matches import chooser, moves_of, named_stream
from services.rules.engine.play import CastMember
from services.rules.systems.forge_engine import SYSTEM
from services.rules.systems.forge_engine.catalog import own_catalog
from services.rules.systems.forge_engine.choices import Place, SkillRating
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.setup import Field, Foes, Setup, adversary
from services.rules.systems.forge_engine.play.state import FOES, HEROES, Combatant, Fight
from services.rules.systems.forge_engine.profile import Shield
from services.rules.systems.forge_engine.skills import MartialKind, Use

STRONG = "strong"
MOST_MOVES = 2_000
BLOCKS = ("f6-grunt", "f6-striker", "f6-commander", "f6-caster", "f8-grunt", "f8-striker", "m8-commander")
"""Blocks that fight two against two of the same."""
PARTY = ("f8-grunt", "f8-grunt", "f8-striker", "f8-commander", "f8-commander")
"""Bodies of a party: tank, caster, shooter, healer, summoner; with the powers of their blocks taken away."""
MENTAL = 3
RATING = 3
APART = 7
"""How far the powers of two parties lie apart that fight each other."""
SHIELDED = (0,)
"""Who of a party has a shield."""
POWERS_EACH = 4
"""Powers of each of a party, and their rating."""
BUCKLER = Shield(item="forge_engine:equipment/historical-buckler", name="Buckler", cost=1, rating=1)


@dataclass(frozen=True, slots=True)
class Fought:
    """A fight that bots fought.

    Attributes:
        winner: The side that is left alone; empty where the game master called it off.
        moves: How many moves were made.
        used: How often each power was used, by content id.
    """

    winner: str
    moves: int
    used: Mapping[str, int]


def bot_called(name: str) -> Bot:
    """A bot of the game."""
    return next(bot for bot in bots_of(PLAY) if bot.id == name)


def against_random(number: int) -> tuple[Fought, str]:
    """Fight two of a block against two of the same; returns the strong bot's side too."""
    block = BLOCKS[number % len(BLOCKS)]
    order = (HEROES, FOES) if number % 2 else (FOES, HEROES)
    strong = HEROES if (number // 2) % 2 else FOES
    state = _opening(dict.fromkeys(order, (block, block)))
    bots = {one.id: bot_called(STRONG if one.side == strong else RANDOM) for one in state.combatants}
    return fought(state, bots, f"random-{number}"), strong


def with_powers(number: int) -> tuple[Fought, str]:
    """Fight a party with powers against the same without; returns the side with powers too."""
    order = (HEROES, FOES) if number % 2 else (FOES, HEROES)
    gifted = HEROES if (number // 2) % 2 else FOES
    state = _opening(dict.fromkeys(order, PARTY))
    state = _gifted(state, {gifted: number})
    strong = bot_called(STRONG)
    return fought(state, {one.id: strong for one in state.combatants}, f"powers-{number}"), gifted


def both_with_powers(number: int) -> Fought:
    """Fight a party with powers against another with others."""
    state = _gifted(_opening(dict.fromkeys((HEROES, FOES), PARTY)), {HEROES: number, FOES: number + APART})
    strong = bot_called(STRONG)
    return fought(state, {one.id: strong for one in state.combatants}, f"both-{number}")


def _gifted(state: Fight, numbers: Mapping[str, int]) -> Fight:
    """The fight of plain bodies, with the powers of a number for each side that has one."""
    people, place = [], Counter[str]()
    for one in state.combatants:
        body = _plain(one, shielded=place[one.side] in SHIELDED)
        number = numbers.get(one.side)
        own = () if number is None else powers_of(place[one.side], number)
        skills = (*body.profile.skills, *(SkillRating(skill=each, rating=RATING) for each in own))
        people.append(replace(body, profile=replace(body.profile, skills=skills)))
        place[one.side] += 1
    return replace(state, combatants=tuple(people))


def powers_of(place: int, number: int) -> tuple[str, ...]:
    """The powers that one of a party has in a fight: in turn all of those that its role goes by."""
    pool = pools()[place]
    first = POWERS_EACH * number
    found = [pool[(first + step) % len(pool)] for step in range(POWERS_EACH)]
    if place == len(PARTY) - 1:
        found[0] = "forge_engine:spell/summon-creature"
    return tuple(dict.fromkeys(found))


def pools() -> tuple[tuple[str, ...], ...]:
    """The powers of each of a party, in the order of its bodies."""
    catalog = own_catalog()
    skills = [each for each in catalog.martial if each.kind is MartialKind.SPECIALIZED]
    defending = [each.id for each in skills if each.use is not Use.BONUS]
    striking = [each.id for each in skills]
    attacking = [each.id for each in catalog.spells if each.against.value in ("pd", "md", "test")]
    helping = [each.id for each in catalog.spells if each.id not in attacking]
    creatures = [each.id for each in catalog.spells if each.school and each.school.endswith("/summoner")]
    return tuple(map(tuple, (defending, attacking, striking, helping, [*creatures, *striking, *attacking])))


def _plain(one: Combatant, *, shielded: bool) -> Combatant:
    """A body of a party without powers of its own, and with wits enough for any spell."""
    profile, catalog = one.profile, own_catalog()
    basic = tuple(
        each
        for each in profile.skills
        if each.skill not in catalog.spells
        and (each.skill not in catalog.martial or catalog.martial[each.skill].kind is MartialKind.BASIC)
    )
    wits = replace(profile.attributes, influence=MENTAL, intelligence=MENTAL, acuity=MENTAL)
    shields = (replace(BUCKLER, place=Place.OFF_HAND),) if shielded else ()
    held = (*one.held, BUCKLER.item) if shielded else one.held
    profile = replace(profile, skills=basic, attributes=wits, shields=shields, role="")
    return replace(one, profile=profile, held=held)


def _opening(sides: Mapping[str, tuple[str, ...]]) -> Fight:
    """Two sides of adversaries alone on a small grid."""
    foes = tuple(
        Foes(adversary=adversary(block), name=f"{side} {place}", side=side)
        for side, blocks in sides.items()
        for place, block in enumerate(blocks)
    )
    setup = Setup(title="Even", field=Field(width=10, height=8), foes=foes)
    name = next(iter(SYSTEM.examples))
    cast = (CastMember(id="chr-0", sheet=SYSTEM.build(SYSTEM.examples[name], SYSTEM.content)),)
    state = PLAY.begin(setup, cast)
    assert isinstance(state, Fight), str(state)
    return replace(state, combatants=tuple(one for one in state.combatants if not one.character))


def fought(state: Fight, bots: Mapping[str, Bot], name: str) -> Fought:
    """Fight to the end: summoners call their creatures first, which fight as those who called them."""
    dice, choose = named_stream(name, "dice"), chooser(named_stream(name, "choices"))
    names, used = power_names(), Counter[str]()
    for one in state.combatants:
        move = bots[one.id].move(state, one.id, choose) if one.id in bots and _summons(one) else None
        if move is not None:
            made = make(PLAY, state, move, thrower(dice))
            assert isinstance(made, Made), str(made)
            used.update(uses(made, names))
            state = made.state
    sides = {one.side: bots[one.id] for one in state.combatants if one.id in bots}
    players = {one.id: bots.get(one.id, sides[one.side]) for one in state.combatants}
    moves = 0
    for _, made in moves_of(
        PLAY, state, lambda _state, actor: players.get(actor), faces=dice, choose=choose, most=MOST_MOVES
    ):
        state, moves = made.state, moves + 1
        used.update(uses(made, names))
    up = {one.side for one in state.combatants if one.up}
    return Fought(next(iter(up)) if len(up) == 1 else "", moves, used)


def _summons(one: Combatant) -> bool:
    return one.profile.rating("forge_engine:spell/summon-creature") > 0


def power_names() -> Mapping[str, str]:
    """Specialized skills and spells, by name and by content id."""
    catalog = own_catalog()
    skills = [each for each in catalog.martial if each.kind is MartialKind.SPECIALIZED]
    found = {each.name: each.id for each in (*skills, *catalog.spells)}
    return found | {each.id: each.id for each in (*skills, *catalog.spells)}


def uses(made: Made, names: Mapping[str, str]) -> Iterator[str]:
    """Yield the powers that a move used: its own, those of its reactions, and those that added dice."""
    found = set(_words(made))
    yield from {names[word] for word in found if word in names}


def _words(made: Made) -> Iterator[str]:
    """Yield every word of a move that may be the name or the id of a power."""
    for what in (made.move, *made.events):
        for field in type(what).__dataclass_fields__:
            value: Any = getattr(what, field)
            if isinstance(value, str):
                yield value
                yield value.removeprefix("Bodyguard's Ward, ")
                if value.startswith("Bodyguard's Ward"):
                    yield "Bodyguard's Ward"
            elif field == "effect" and hasattr(value, "kind"):
                yield value.kind.replace("/effect/", "/").replace(":effect/", ":martial/")
                yield value.kind.replace(":effect/", ":spell/")
    for roll in made.rolls:
        yield from (part.source for part in roll.dice.parts)
