"""A simple player for heroes and creatures, sensible enough to play a scene to its end."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.grid import distance
from services.rules.engine.play import GM
from services.rules.engine.steps import Ask
from services.rules.engine.ways import way
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.play.conditions import foes_of, in_sight, knows_of, taken_squares
from services.rules.systems.dungeonteller.play.moves import (
    Answer,
    Attack,
    EndScene,
    EndTurn,
    Go,
    Move,
    Overrule,
    Rest,
    Squeeze,
    Struggle,
    Try,
    UsePower,
)
from services.rules.systems.dungeonteller.play.rules.dispatch import first_rolls
from services.rules.systems.dungeonteller.play.rules.dodge import DODGE
from services.rules.systems.dungeonteller.play.rules.moving import allowed_paces, ground
from services.rules.systems.dungeonteller.play.state import (
    Being,
    Creature,
    EffectKind,
    Scene,
    Side,
)
from services.rules.systems.dungeonteller.play.targeting import best_arm

PATIENCE = 40
"""Rounds after which the game master's bot ends a scene that does not end by itself."""

LOW = 2
"""Luck at which a bot thinks of itself first."""

HEAL = "dungeonteller:power/hand-of-healing"
ZAP = "dungeonteller:power/zap"
SHIELD = "dungeonteller:power/shield"
SPELLS_AT_FOES = (
    ZAP,
    "dungeonteller:power/fist-of-justice",
    "dungeonteller:power/trance",
    "dungeonteller:power/turn-to-stone",
)


def bot(scene: Scene, catalog: Catalog, actor: str) -> Move | None:
    """A simple player's move; None when there is nothing for them to do."""
    if scene.ended is not None:
        return None
    if actor == GM:
        return _master(scene)
    being = scene.being(actor)
    if being is None:
        return None
    if scene.turn.whose != actor:
        return None
    ideas = _ideas(scene, being)
    return next(
        (move for move in ideas if first_rolls(scene, catalog, move) is not None), EndTurn(actor=actor)
    )


def _master(scene: Scene) -> Move | None:
    """The game master lets the hidden come out when no other foe is left, and ends what is decided."""
    fit = [being for being in scene.beings if not being.out and being.creature is Creature.PERSON]
    foes = [being for being in fit if being.side is Side.FOES]
    heroes = [being for being in fit if being.side is Side.HEROES]
    lurking = next((foe for foe in foes if foe.hidden is not None), None)
    if lurking is not None and all(foe.hidden is not None for foe in foes):
        return Overrule(actor=GM, being=lurking.id, shown=True, why="It comes out of hiding.")
    if scene.turn.round > PATIENCE:
        return EndScene(actor=GM, why="Everybody goes home.")
    jobs = [job for job in scene.jobs if job.total < job.needed]
    if not heroes or (not foes and not jobs):
        return EndScene(actor=GM, why="There is nothing left to do.")
    return None


def reply(scene: Scene, ask: Ask) -> Answer:
    """A simple player's answer: yes, but for a dodge that does not help, or that there is no Luck for."""
    being = scene.being(ask.actor)
    dodging = ask.id.startswith(f"{DODGE}:")
    if being is None or not dodging:
        return Answer(actor=ask.actor)
    helps = being.ratings.stunt > being.armor and (being.luck or 0) > LOW
    return Answer(actor=being.id, yes=helps)


def _ideas(scene: Scene, being: Being) -> Iterator[Move]:
    """Moves from the best on; the first that is legal is made, and where none is, the turn ends."""
    foes = sorted(
        (foe for foe in foes_of(scene, being) if knows_of(being, foe)),
        key=lambda foe: (distance(foe.at, being.at), foe.luck or 0, foe.id),
    )
    if not scene.turn.acted:
        yield from _rescues(scene, being)
        if any(one.kind == EffectKind.PINNED and one.source == being.id for one in scene.effects):
            yield Squeeze(actor=being.id)
        if scene.has(being.id, EffectKind.PINNED, EffectKind.CAUGHT):
            yield Struggle(actor=being.id)
        if foes and being.luck is not None and being.luck <= LOW and not scene.turn.paces:
            yield from _care(scene, being, foes)
        yield from _attacks(scene, being, foes)
        yield from _approach(scene, being, foes)
        if being.hero and not foes:
            for job in scene.jobs:
                yield Try(actor=being.id, action=job.action, job=job.id)
        if not foes and scene.turn.paces == 0 and (being.luck or 0) < being.max_luck:
            yield Rest(actor=being.id)
    elif scene.has(being.id, EffectKind.CAUGHT):
        yield Struggle(actor=being.id, tear=True)


def _rescues(scene: Scene, being: Being) -> Iterator[Move]:
    if HEAL in being.powers and (being.luck or 0) > LOW:
        for friend in scene.beings:
            weak = friend.luck is not None and friend.luck < LOW and not friend.out
            if weak and friend.side is being.side and friend.id != being.id:
                yield UsePower(actor=being.id, power=HEAL, targets=(friend.id,))


def _care(scene: Scene, being: Being, foes: list[Being]) -> Iterator[Move]:
    """Whoever is nearly out shields themselves, or rests where no foe is near."""
    if SHIELD in being.powers and not scene.has(being.id, EffectKind.SHIELD):
        yield UsePower(actor=being.id, power=SHIELD)
    if distance(foes[0].at, being.at) > 2 * foes[0].move:
        yield Rest(actor=being.id)


def _attacks(scene: Scene, being: Being, foes: list[Being]) -> Iterator[Move]:
    """Hit who is near, shoot or cast at who is not; the weakest of the nearest first."""
    battle, shoot = best_arm(being, Action.BATTLE), best_arm(being, Action.SHOOT)
    for foe in foes:
        if distance(foe.at, being.at) <= 1:
            yield from _spells(scene, being, foe, close=True)
            yield Attack(
                actor=being.id, action=Action.BATTLE, target=foe.id, arm="" if battle is None else battle.id
            )
        elif in_sight(scene, being.at, foe.at):
            yield from _spells(scene, being, foe, close=False)
            if shoot is not None:
                yield Attack(actor=being.id, action=Action.SHOOT, target=foe.id, arm=shoot.id)


def _spells(scene: Scene, being: Being, foe: Being, *, close: bool) -> Iterator[Move]:
    if close and being.ratings.battle > being.ratings.magic:
        return
    for power in SPELLS_AT_FOES:
        if power in being.powers and (power == ZAP or not scene.effects_on(foe.id)):
            yield UsePower(actor=being.id, power=power, targets=(foe.id,))


def _approach(scene: Scene, being: Being, foes: list[Being]) -> Iterator[Move]:
    """Go towards the nearest foe, as far as a plain move goes while the action is still there."""
    grid, taken = ground(scene, being), taken_squares(scene, being)
    for foe in foes[:2]:
        found = way(grid, being.at, foe.at, taken - {foe.at})
        if not found or len(found) < 2:
            continue
        paces = min(len(found) - 1, allowed_paces(scene, being))
        plain = max(0, being.move - scene.turn.paces)
        for far in dict.fromkeys((min(paces, plain), paces)):
            if far > 0:
                yield Go(actor=being.id, to=found[far - 1], way=found[:far])
