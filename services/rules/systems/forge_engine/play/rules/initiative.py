"""How a fight begins: surprise, initiative, energy, the first turn (Combat Initiation; D2, E2, E3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import GM_ONLY
from services.rules.engine.steps import Step, Steps, refuse
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.play.facts import FightBegan, InitiativeRolled, Noticed, OrderSet
from services.rules.systems.forge_engine.play.moves import Awareness, BeginFight, Watch
from services.rules.systems.forge_engine.play.rules.attribute_test import PERCEPTION, calm_dice
from services.rules.systems.forge_engine.play.rules.bonuses import fight_began
from services.rules.systems.forge_engine.play.rules.dice import pool, read_pool, read_target
from services.rules.systems.forge_engine.play.rules.energy import FightTurn, starting_energy
from services.rules.systems.forge_engine.play.rules.rounds import next_turns
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Phase
from services.rules.systems.forge_engine.pools.attribute_pool import STEALTH

SURPRISE = "Combat Initiation / Surprise [R-44]"
MOST_TIES = 20
INITIATIVE = "Combat Initiation / Initiative [R-45]"


def begin_fight(turn: FightTurn, move: BeginFight) -> Steps:
    """Surprise, initiative, starting energy, and the first turn."""
    fight = turn.state
    if fight.phase is not Phase.CALM:
        refuse("fight_on", "They fight already.", "Combat Initiation")
    if len({one.side for one in fight.combatants if one.up}) < 2:
        refuse("no_foes", "There is no one to fight with.", "Combat Initiation")
    for index, watch in enumerate(move.watches):
        if fight.get(watch.who) is None:
            refuse(
                "unknown_target",
                "There is no such combatant.",
                SURPRISE,
                ("watches", index, "who"),
                watch.who,
            )
    if len({watch.who for watch in move.watches}) < len(move.watches):
        refuse("named_twice", "Each is tested once.", SURPRISE, ("watches",))
    turn.happen(FightBegan())
    yield from _surprise(turn, move.watches)
    faces = yield from _initiative(turn)
    ties = yield from _broken_ties(turn, faces)
    order = ordered(turn.state, faces, ties)
    turn.happen(OrderSet(order=order, audience=GM_ONLY))
    fight_began(turn)
    yield from next_turns(turn)


def _surprise(turn: FightTurn, watches: Sequence[Watch]) -> Steps:
    """Each who may be surprised tests Perception for itself; it must notice one of the others (E2).

    Against those who hide: their Stealth; against those who do not: their Perception; or a difficulty.
    """
    fight = turn.state
    tested = [watch for watch in watches if watch.by is not Awareness.CERTAIN]
    others: dict[str, str] = {}
    for watch in tested:
        if watch.difficulty is None:
            skill = STEALTH if watch.by is Awareness.HIDDEN else PERCEPTION
            side = fight.find(watch.who).side
            others |= {one.id: skill for one in fight.combatants if one.side != side and one.up}
    watching = [
        pool(turn, "notice", watch.who, "Perception", watch_dice(fight, fight.find(watch.who), watch))
        for watch in tested
    ]
    hiding = [
        pool(
            turn,
            "hide",
            who,
            "Stealth" if skill == STEALTH else "Perception",
            notice_dice(fight, fight.find(who), skill),
        )
        for who, skill in others.items()
    ]
    faces = yield from turn.roll(*watching, *hiding)
    shown = dict(zip(others, faces[len(tested) :], strict=True))
    for watch, mine in zip(tested, faces, strict=False):
        one = fight.find(watch.who)
        if watch.difficulty is not None:
            noticed = read_target(turn, mine, watch.difficulty).successes > 0
        else:
            against = [each for who, each in shown.items() if fight.find(who).side != one.side]
            noticed = any(read_pool(turn, mine, each).successes > 0 for each in against)
        turn.happen(Noticed(who=one.id, surprised=not noticed))
    for watch in watches:
        if watch.by is Awareness.CERTAIN:
            turn.happen(Noticed(who=watch.who, surprised=True))


def notice_dice(fight: Fight, one: Combatant, skill: str) -> Explained:
    """Dice of the Perception or Stealth with which a fight begins, before any energy is used."""
    attribute = Attribute.AGILITY if skill == STEALTH else Attribute.ACUITY
    return calm_dice(fight, one, attribute, skill)


def watch_dice(fight: Fight, one: Combatant, watch: Watch) -> Explained:
    """Dice of one who may be surprised, with those of the circumstances."""
    found = notice_dice(fight, one, PERCEPTION)
    if not watch.dice:
        return found
    return found.plus(watch.dice, "circumstances", SURPRISE).at_least(
        1, "one die stays", "Externalities [R-117]"
    )


def initiative_dice(one: Combatant) -> Explained:
    """Dice of the initiative test; it takes no energy (R-46)."""
    return Explained.of(Part(one.profile.initiative, "Initiative", INITIATIVE))


def _initiative(turn: FightTurn) -> Step[Mapping[str, tuple[int, ...]]]:
    fighting = tuple(one for one in turn.state.combatants if one.gone is None and not one.vehicle)
    rolls = (pool(turn, "initiative", one.id, "Initiative", initiative_dice(one)) for one in fighting)
    faces = yield from turn.roll(*rolls)
    for one, fallen in zip(fighting, faces, strict=True):
        energy, bonus = starting_energy(turn.state, one, surprised=turn.state.find(one.id).surprised)
        turn.happen(InitiativeRolled(who=one.id, faces=fallen, energy=energy, bonus=bonus))
    return {one.id: fallen for one, fallen in zip(fighting, faces, strict=True)}


def rank(fight: Fight, who: str, faces: tuple[int, ...], tie: tuple[int, ...] = ()) -> tuple[object, ...]:
    """What places a combatant in the order: its dice, counted back, then how many, Agility, chance (R-45)."""
    return (tuple(sorted(faces, reverse=True)), fight.find(who).profile.attributes.agility, tie)


def _broken_ties(
    turn: FightTurn, faces: Mapping[str, tuple[int, ...]]
) -> Step[Mapping[str, tuple[int, ...]]]:
    """A die for each of those who are still level, again and again; in the end they go as listed."""
    ties: dict[str, tuple[int, ...]] = {}
    for number in range(1, MOST_TIES + 1):
        ranks = {who: rank(turn.state, who, fallen, ties.get(who, ())) for who, fallen in faces.items()}
        level = [who for who in faces if list(ranks.values()).count(ranks[who]) > 1]
        if not level:
            return ties
        die = Explained.of(Part(1, "still level", INITIATIVE))
        rolls = (pool(turn, f"tie-{number}", who, "Still level", die) for who in level)
        fallen = yield from turn.roll(*rolls)
        for who, one in zip(level, fallen, strict=True):
            ties[who] = (*ties.get(who, ()), *one)
    return ties


def ordered(
    fight: Fight, faces: Mapping[str, tuple[int, ...]], ties: Mapping[str, tuple[int, ...]]
) -> tuple[str, ...]:
    """The order of initiative: the highest first, the surprised behind all opponents who are not (R-44)."""
    by_rank = sorted(faces, key=lambda who: rank(fight, who, faces[who], ties.get(who, ())), reverse=True)
    order = [who for who in by_rank if not fight.find(who).surprised]
    awake = frozenset(order)
    for who in (each for each in by_rank if each not in awake):
        one = fight.find(who)
        earlier = by_rank[: by_rank.index(who)]
        behind = [
            place
            for place, other in enumerate(order)
            if other in earlier or (other in awake and fight.find(other).side != one.side)
        ]
        order.insert(max(behind, default=-1) + 1, who)
    return tuple(order)
