"""The moves a being may make now, with their bounds: everything offered here is legal as it is offered."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.explain import Explained
from services.rules.engine.grid import Square, around, within_reach
from services.rules.engine.play import Choice, ChoiceKind, FieldKind, LegalMove, MoveField, Roll
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.hero import USES
from services.rules.systems.dungeonteller.play.conditions import knows_of, taken_squares
from services.rules.systems.dungeonteller.play.effects import name_of
from services.rules.systems.dungeonteller.play.knowledge import as_known
from services.rules.systems.dungeonteller.play.legal import chances
from services.rules.systems.dungeonteller.play.legal.offer import Offering
from services.rules.systems.dungeonteller.play.legal.powers import power_offer
from services.rules.systems.dungeonteller.play.legal.things import things
from services.rules.systems.dungeonteller.play.moves import (
    Attack,
    Dismiss,
    EndTurn,
    Go,
    Rest,
    Squeeze,
    Stance,
    Steer,
    Struggle,
    Try,
)
from services.rules.systems.dungeonteller.play.rules.battle import ATTACKS, is_swarm, whole_pool
from services.rules.systems.dungeonteller.play.rules.dispatch import at_will
from services.rules.systems.dungeonteller.play.rules.moving import STEERED, allowed_paces, ground
from services.rules.systems.dungeonteller.play.state import (
    Area,
    Arm,
    Effect,
    EffectKind,
    Reflex,
    Scene,
)
from services.rules.systems.dungeonteller.things import TreasureKind

READ = (TreasureKind.SCROLL, TreasureKind.WAND)
TRIES = (Action.MAKE, Action.MUSCLE, Action.NOTICE, Action.SHOOT, Action.SNEAK, Action.STUNT, Action.TALK)


def legal(scene: Scene, catalog: Catalog, actor: str) -> tuple[LegalMove, ...]:
    """What a being may do now, from what its player knows; empty when it is not theirs to move."""
    if scene.ended is not None or scene.turn.whose != actor:
        return ()
    known = as_known(scene, actor)
    being = known.being(actor)
    if being is None:
        return ()
    make = Offering(known, catalog, being)
    kinds = (going, attacks, powers, jobs, tries, holds, own, things, turn)
    return tuple(offer for kind in kinds for offer in kind(make))


def going(make: Offering) -> Iterator[LegalMove]:
    """Walking, running and flying."""
    being, scene = make.being, make.scene
    grid, taken = ground(scene, being), taken_squares(scene, being)
    plain, runs = allowed_paces(scene, being), being.can_run and not scene.turn.acted and not scene.turn.paces
    reach = within_reach(grid, being.at, max(plain, 3 * being.move if runs else 0), taken)
    squares = _reached(make, tuple(square for square, paces in reach.items() if 0 < paces <= plain))
    if squares:
        text = f"Up to {being.move} paces with any action, up to {2 * being.move} with 3 dice less."
        yield make.offer("go", "Go", text, "Moving", (_to(squares),), kind="Go")
    if runs:
        beyond = tuple(square for square, paces in reach.items() if paces > 2 * being.move)
        squares = _reached(make, beyond, run=True)
        first = Go(actor=being.id, to=squares[0], run=True) if squares else None
        rolls = make.rolls(first) if first is not None else None
        if first is not None and rolls is not None:
            text = "No action. Without a success it costs 1 Luck."
            fields = (_to(squares), *make.feat(first))
            dice = rolls[0].dice
            offer = make.offer("run", "Run", text, "Moving / Run", fields, dice, kind="Go", run=True)
            yield chances.told(offer, chances.of_rolls, make, rolls)
    if being.fly is not None:
        most = being.fly[1] - scene.turn.paces
        reached = tuple(
            square
            for square in sorted(within_reach(grid, being.at, max(0, most)))
            if square != being.at and square not in taken and _flies(make, square)
        )
        if reached:
            low, high = being.fly
            text = f"Fly {low} to {high} paces. Slower than {low}, and you drop."
            yield make.offer("fly", "Fly", text, "Moving / Fly", (_to(reached),), kind="Go", fly=True)


def _flies(make: Offering, square: Square) -> bool:
    return make.fits(Go(actor=make.being.id, to=square, fly=True))


def _reached(make: Offering, squares: tuple[Square, ...], *, run: bool = False) -> tuple[Square, ...]:
    """The squares that can really be gone to; each is tried only where something may stand against it."""
    if not squares:
        return ()
    being, scene = make.being, make.scene
    hindered = scene.has(being.id, EffectKind.AFRAID, EffectKind.DRIVEN_AWAY)
    if not hindered:
        first = make.fits(Go(actor=being.id, to=squares[0], run=run))
        return tuple(sorted(squares)) if first else ()
    return tuple(square for square in sorted(squares) if make.fits(Go(actor=being.id, to=square, run=run)))


def attacks(make: Offering) -> Iterator[LegalMove]:
    """Battle and Shoot with everything in hand, at everybody in reach."""
    if make.scene.turn.acted:
        return
    being = make.being
    for action in (Action.BATTLE, Action.SHOOT):
        arms: list[Arm | None] = [
            arm for arm in being.arms if action in arm.use and (arm.natural or arm.held)
        ]
        if action is Action.BATTLE and not any(arm is not None and arm.natural for arm in arms):
            arms.append(None)
        for arm in arms:
            yield from _attack(make, action, arm)


def _attack(make: Offering, action: Action, arm: Arm | None) -> Iterator[LegalMove]:
    being, scene = make.being, make.scene
    arm_id = "" if arm is None else arm.id
    targets = make.marked(other for other in scene.beings if knows_of(being, other))
    targets += [Choice(area.id, area.kind) for area in scene.areas if is_swarm(area)]
    lucky = (thing for thing in scene.things if thing.luck and thing.hidden is None)
    targets += [Choice(thing.id, thing.name, kind=ChoiceKind.ITEM) for thing in lucky]
    aims = list[tuple[Choice, tuple[Roll, ...]]]()
    dice: Explained | None = None
    odds = ""
    for target in targets:
        found = make.rolls(Attack(actor=being.id, action=action, target=target.value, arm=arm_id))
        if found is not None:
            aims.append((target, found))
            if dice is None and found:
                dice, odds = found[0].dice, found[0].odds
    if aims and dice is None:
        # Whoever may dodge is asked first: until then the pool is the one before their Armor or Dodge.
        whole = whole_pool(scene, make.catalog, being, ATTACKS[action], arm)
        dice = None if isinstance(whole, RuleProblem) else whole
    if aims:
        choices = tuple(choice for choice, _ in aims)
        with_what = "bare fists" if arm is None else arm.name
        offer = make.offer(
            f"attack:{action.value}:{arm_id}",
            f"{action.label}: {with_what}",
            USES[action],
            f"Actions / {action.label}",
            (MoveField(name="target", label="Whom?", kind=FieldKind.CHOICE, choices=choices),),
            dice,
            odds,
            kind="Attack",
            action=action.value,
            arm=arm_id,
        )
        yield chances.told(offer, chances.of_attacks, make, action, arm, aims)


def powers(make: Offering) -> Iterator[LegalMove]:
    """Own powers, those for everyone, and spells on scrolls and wands."""
    acted = make.scene.turn.acted
    known = (*make.being.powers, *(power.id for power in make.catalog.everyones_powers()))
    for power_id in dict.fromkeys(known):
        power = make.catalog.powers[power_id]
        if not power.reaction and (not acted or at_will(make.catalog, power_id)):
            offer = power_offer(make, power)
            if offer is not None:
                yield offer
    for thing in make.scene.things if not acted else ():
        treasure = make.catalog.treasures.get(thing.item) if thing.holder == make.being.id else None
        if treasure is not None and treasure.spell and treasure.kind in READ:
            power = make.catalog.powers[treasure.spell]
            offer = power_offer(make, power, thing.id)
            if offer is not None:
                yield offer


def jobs(make: Offering) -> Iterator[LegalMove]:
    """Jobs that can be worked on."""
    for job in make.scene.jobs:
        move = Try(actor=make.being.id, action=job.action, job=job.id)
        found = make.rolls(move)
        if found is not None:
            text = f"{job.total} of {job.needed} so far." if job.shown else "Nobody knows how much it takes."
            offer = make.offer(
                f"job:{job.id}",
                job.name,
                text,
                f"Actions / {job.action.label}",
                (*make.gear(move), *make.feat(move)),
                found[0].dice,
                found[0].odds,
                kind="Try",
                action=job.action.value,
                job=job.id,
            )
            yield chances.told(offer, chances.of_rolls, make, found)


def tries(make: Offering) -> Iterator[LegalMove]:
    """Anything else, with one of the actions."""
    words = MoveField(name="words", label="What do you try?", kind=FieldKind.TEXT, required=False)
    for action in TRIES:
        move = Try(actor=make.being.id, action=action)
        found = make.rolls(move)
        if found is not None:
            dice = found[0].dice
            offer = make.offer(
                f"try:{action.value}",
                action.label,
                USES[action],
                f"Actions / {action.label}",
                (words, *make.gear(move), *make.feat(move)),
                dice,
                found[0].odds,
                kind="Try",
                action=action.value,
            )
            yield chances.told(offer, chances.of_rolls, make, found)


def holds(make: Offering) -> Iterator[LegalMove]:
    """Getting out of holds, squeezing, and ending what is one's own."""
    being, scene = make.being, make.scene
    struggle = make.rolls(Struggle(actor=being.id))
    if struggle is not None:
        dice = struggle[0].dice if struggle else None
        fields = make.feat(Struggle(actor=being.id))
        text = "Get out of what holds you."
        offer = make.offer("struggle", "Break free", text, "Pin", fields, dice, kind="Struggle")
        yield chances.told(offer, chances.of_rolls, make, struggle)
    if scene.has(being.id, EffectKind.CAUGHT) and make.fits(Struggle(actor=being.id, tear=True)):
        text = "Out of the thorns at once, for 2 Luck."
        yield make.offer("tear", "Tear free", text, "Briar Patch", kind="Struggle", tear=True)
    squeeze = make.rolls(Squeeze(actor=being.id)) if not scene.turn.acted else None
    if squeeze is not None:
        text = "Squeeze the foe you hold."
        dice = squeeze[0].dice
        fields = make.feat(Squeeze(actor=being.id))
        offer = make.offer("squeeze", "Squeeze", text, "Pin", fields, dice, kind="Squeeze")
        yield chances.told(offer, chances.of_rolls, make, squeeze)


def own(make: Offering) -> Iterator[LegalMove]:
    """Until and steering what is one's own."""
    being, scene = make.being, make.scene
    lasting: tuple[Effect | Area, ...] = (*scene.effects, *scene.areas)
    names = [(one.id, name_of(one)) for one in lasting]
    names += [(one.id, one.name) for one in scene.beings if one.leader == being.id]
    choices = tuple(
        Choice(what, name) for what, name in names if make.fits(Dismiss(actor=being.id, what=what))
    )
    if choices:
        field = MoveField(name="what", label="What?", kind=FieldKind.CHOICE, choices=choices)
        yield make.offer(
            "dismiss", "Let it end", "End something of yours.", "Powers [P33]", (field,), kind="Dismiss"
        )
    for made in scene.beings:
        if made.leader == being.id and made.creature in STEERED:
            near = tuple(
                square
                for square in sorted(around(scene.field.grid, made.at, being.move))
                if square != made.at and make.fits(Steer(actor=being.id, what=made.id, to=square))
            )
            if near:
                text = "It moves as you wish."
                yield make.offer(
                    f"steer:{made.id}",
                    f"Move {made.name}",
                    text,
                    "Powers",
                    (_to(near),),
                    kind="Steer",
                    what=made.id,
                )


def turn(make: Offering) -> Iterator[LegalMove]:
    """Resting, and the end of the turn."""
    being = make.being
    reflexes = tuple(Choice(reflex.value, reflex.value) for reflex in Reflex)
    field = MoveField(name="reflex", label="Do you dodge?", kind=FieldKind.CHOICE, choices=reflexes)
    if make.fits(Stance(actor=being.id, reflex=Reflex.ASK.value)):
        yield make.offer(
            "stance",
            "Dodging",
            "Ask me, dodge when it helps, or never.",
            "Dodge",
            (field,),
            kind="Stance",
        )
    if make.fits(Rest(actor=being.id)):
        text = "Do nothing else. 1 Luck, unless somebody attacks you."
        yield make.offer("rest", "Rest", text, "Basics / Luck", kind="Rest")
    if make.fits(EndTurn(actor=being.id)):
        yield make.offer("end_turn", "Done", "The next one's turn.", "Actions", kind="EndTurn")


def _to(squares: tuple[Square, ...]) -> MoveField:
    return MoveField(name="to", label="Where?", kind=FieldKind.SQUARE, squares=squares)
