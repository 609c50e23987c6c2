"""The moves somebody may make now, with their bounds: everything offered here is legal as it is offered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

from services.rules.engine.explain import Explained
from services.rules.engine.grid import Square, around, within_reach
from services.rules.engine.play import Choice, FieldKind, LegalMove, MoveField
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.hero import USES
from services.rules.systems.dungeonteller.play.aiming import TOUCH
from services.rules.systems.dungeonteller.play.conditions import knows_of, taken_squares
from services.rules.systems.dungeonteller.play.desk import Plan
from services.rules.systems.dungeonteller.play.feats import feat_field
from services.rules.systems.dungeonteller.play.fighting import ATTACKS, SWARMS, whole_pool
from services.rules.systems.dungeonteller.play.going import STEERED, allowed_paces, ground
from services.rules.systems.dungeonteller.play.moves import (
    Attack,
    Dismiss,
    Drink,
    EndTurn,
    Give,
    Go,
    Move,
    Rest,
    Squeeze,
    Stance,
    Steer,
    Struggle,
    Take,
    Try,
    Wield,
)
from services.rules.systems.dungeonteller.play.offers import power_offer
from services.rules.systems.dungeonteller.play.questions import answers
from services.rules.systems.dungeonteller.play.rules import at_will, plan
from services.rules.systems.dungeonteller.play.state import (
    Area,
    Arm,
    Being,
    Effect,
    EffectKind,
    Reflex,
    Scene,
)
from services.rules.systems.dungeonteller.things import TreasureKind

READ = (TreasureKind.SCROLL, TreasureKind.WAND)
TRIES = (Action.MAKE, Action.MUSCLE, Action.NOTICE, Action.SHOOT, Action.SNEAK, Action.STUNT, Action.TALK)
Feat = TypeVar("Feat", Go, Try, Struggle, Squeeze)
"""Moves with a Muscle roll that a Feat of Strength may help."""


def legal(scene: Scene, catalog: Catalog, actor: str) -> tuple[LegalMove, ...]:
    """What somebody may do now; empty when it is not theirs to move."""
    being = scene.being(actor)
    if being is None or scene.ended is not None:
        return ()
    if scene.prompt is not None:
        return tuple(answers(scene, catalog, being)) if scene.prompt.actor == actor else ()
    if scene.turn.whose != actor:
        return ()
    offers = _Offers(scene, catalog, being)
    return tuple(
        offer
        for kind in (
            offers.going,
            offers.attacks,
            offers.powers,
            offers.jobs,
            offers.tries,
            offers.holds,
            offers.own,
            offers.things,
            offers.turn,
        )
        for offer in kind()
    )


class _Offers:
    """The moves of somebody whose turn it is."""

    def __init__(self, scene: Scene, catalog: Catalog, being: Being) -> None:
        self.scene = scene
        self.catalog = catalog
        self.being = being

    def _fits(self, move: Move) -> Plan | None:
        found = plan(self.scene, self.catalog, move)
        return found if isinstance(found, Plan) else None

    def _offer(
        self,
        offer_id: str,
        label: str,
        text: str,
        rule: str,
        fields: tuple[MoveField, ...] = (),
        dice: Explained | None = None,
        odds: str = "",
        **move: Any,
    ) -> LegalMove:
        return LegalMove(
            id=offer_id,
            actor=self.being.id,
            label=label,
            text=text,
            rule=rule,
            move={"actor": self.being.id, **move},
            fields=fields,
            dice=dice,
            odds=odds,
        )

    def _feat(self, move: Feat) -> tuple[MoveField, ...]:
        """What is asked about a Feat of Strength, for whoever can help a move with one."""
        return (feat_field(self.being),) if self._fits(replace(move, feat=1)) is not None else ()

    def going(self) -> Iterator[LegalMove]:
        """Walking, running and flying."""
        being, scene = self.being, self.scene
        grid, taken = ground(scene, being), taken_squares(scene, being)
        near = within_reach(grid, being.at, allowed_paces(scene, being), taken)
        squares = self._reached(tuple(square for square in near if square != being.at))
        if squares:
            text = f"Up to {being.move} paces with any action, up to {2 * being.move} with 3 dice less."
            yield self._offer("go", "Go", text, "Moving", (_to(squares),), kind="Go")
        if being.can_run and not scene.turn.acted and not scene.turn.paces:
            far = within_reach(grid, being.at, 3 * being.move, taken)
            beyond = tuple(square for square, paces in far.items() if paces > 2 * being.move)
            squares = self._reached(beyond, run=True)
            first = Go(actor=being.id, to=squares[0], run=True) if squares else None
            run = self._fits(first) if first is not None else None
            if first is not None and run is not None:
                text = "No action. Without a success it costs 1 Luck."
                fields = (_to(squares), *self._feat(first))
                dice = run.rolls[0].dice
                yield self._offer("run", "Run", text, "Moving / Run", fields, dice, kind="Go", run=True)
        if being.fly is not None:
            most = being.fly[1] - scene.turn.paces
            reached = tuple(
                square
                for square in sorted(within_reach(grid, being.at, max(0, most)))
                if square != being.at and square not in taken and self._flies(square)
            )
            if reached:
                low, high = being.fly
                text = f"Fly {low} to {high} paces. Slower than {low}, and you drop."
                yield self._offer("fly", "Fly", text, "Moving / Fly", (_to(reached),), kind="Go", fly=True)

    def _flies(self, square: Square) -> bool:
        return self._fits(Go(actor=self.being.id, to=square, fly=True)) is not None

    def _reached(self, squares: tuple[Square, ...], *, run: bool = False) -> tuple[Square, ...]:
        """The squares that can really be gone to; each is tried only where something may stand against it."""
        if not squares:
            return ()
        being, scene = self.being, self.scene
        hindered = scene.has(being.id, EffectKind.AFRAID, EffectKind.DRIVEN_AWAY)
        if not hindered:
            first = self._fits(Go(actor=being.id, to=squares[0], run=run))
            return tuple(sorted(squares)) if first is not None else ()
        return tuple(
            square
            for square in sorted(squares)
            if self._fits(Go(actor=being.id, to=square, run=run)) is not None
        )

    def attacks(self) -> Iterator[LegalMove]:
        """Battle and Shoot with everything in hand, at everybody in reach."""
        if self.scene.turn.acted:
            return
        being = self.being
        for action in (Action.BATTLE, Action.SHOOT):
            arms: list[Arm | None] = [
                arm for arm in being.arms if action in arm.use and (arm.natural or arm.held)
            ]
            if action is Action.BATTLE and not any(arm is not None and arm.natural for arm in arms):
                arms.append(None)
            for arm in arms:
                yield from self._attack(action, arm)

    def _attack(self, action: Action, arm: Arm | None) -> Iterator[LegalMove]:
        being, scene = self.being, self.scene
        arm_id = "" if arm is None else arm.id
        names = [(other.id, other.name) for other in scene.beings if knows_of(being, other)]
        names += [(area.id, area.kind.value) for area in scene.areas if area.kind in SWARMS]
        names += [(thing.id, thing.name) for thing in scene.things if thing.luck and thing.hidden is None]
        choices = []
        dice: Explained | None = None
        odds = ""
        for target, name in names:
            found = self._fits(Attack(actor=being.id, action=action, target=target, arm=arm_id))
            if found is not None:
                choices.append(Choice(target, name))
                if dice is None and found.rolls:
                    dice, odds = found.rolls[0].dice, found.rolls[0].odds
        if choices and dice is None:
            # Whoever may dodge is asked first: until then the pool is the one before their Armor or Dodge.
            whole = whole_pool(scene, self.catalog, being, ATTACKS[action], arm)
            dice = None if isinstance(whole, RuleProblem) else whole
        if choices:
            with_what = "bare fists" if arm is None else arm.name
            yield self._offer(
                f"attack:{action.value}:{arm_id}",
                f"{action.label}: {with_what}",
                USES[action],
                f"Actions / {action.label}",
                (MoveField(name="target", label="Whom?", kind=FieldKind.CHOICE, choices=tuple(choices)),),
                dice,
                odds,
                kind="Attack",
                action=action.value,
                arm=arm_id,
            )

    def powers(self) -> Iterator[LegalMove]:
        """Own powers, those for everyone, and spells on scrolls and wands."""
        acted = self.scene.turn.acted
        known = (*self.being.powers, *(power.id for power in self.catalog.everyones_powers()))
        for power_id in dict.fromkeys(known):
            power = self.catalog.powers[power_id]
            if not power.reaction and (not acted or at_will(self.catalog, power_id)):
                offer = power_offer(self.scene, self.catalog, self.being, power)
                if offer is not None:
                    yield offer
        for thing in self.scene.things if not acted else ():
            treasure = self.catalog.treasures.get(thing.item) if thing.holder == self.being.id else None
            if treasure is not None and treasure.spell and treasure.kind in READ:
                power = self.catalog.powers[treasure.spell]
                offer = power_offer(self.scene, self.catalog, self.being, power, thing.id)
                if offer is not None:
                    yield offer

    def jobs(self) -> Iterator[LegalMove]:
        """Jobs that can be worked on."""
        for job in self.scene.jobs:
            move = Try(actor=self.being.id, action=job.action, job=job.id)
            found = self._fits(move)
            if found is not None:
                text = (
                    f"{job.total} of {job.needed} so far." if job.shown else "Nobody knows how much it takes."
                )
                yield self._offer(
                    f"job:{job.id}",
                    job.name,
                    text,
                    f"Actions / {job.action.label}",
                    self._feat(move),
                    found.rolls[0].dice,
                    found.rolls[0].odds,
                    kind="Try",
                    action=job.action.value,
                    job=job.id,
                )

    def tries(self) -> Iterator[LegalMove]:
        """Anything else, with one of the actions."""
        words = MoveField(name="words", label="What do you try?", kind=FieldKind.TEXT, required=False)
        for action in TRIES:
            move = Try(actor=self.being.id, action=action)
            found = self._fits(move)
            if found is not None:
                dice = found.rolls[0].dice
                yield self._offer(
                    f"try:{action.value}",
                    action.label,
                    USES[action],
                    f"Actions / {action.label}",
                    (words, *self._feat(move)),
                    dice,
                    found.rolls[0].odds,
                    kind="Try",
                    action=action.value,
                )

    def holds(self) -> Iterator[LegalMove]:
        """Getting out of holds, squeezing, and ending what is one's own."""
        being, scene = self.being, self.scene
        struggle = self._fits(Struggle(actor=being.id))
        if struggle is not None:
            dice = struggle.rolls[0].dice if struggle.rolls else None
            fields = self._feat(Struggle(actor=being.id))
            text = "Get out of what holds you."
            yield self._offer("struggle", "Break free", text, "Pin", fields, dice, kind="Struggle")
        if scene.has(being.id, EffectKind.CAUGHT) and self._fits(Struggle(actor=being.id, tear=True)):
            text = "Out of the thorns at once, for 2 Luck."
            yield self._offer("tear", "Tear free", text, "Briar Patch", kind="Struggle", tear=True)
        squeeze = self._fits(Squeeze(actor=being.id)) if not scene.turn.acted else None
        if squeeze is not None:
            text = "Squeeze the foe you hold."
            dice = squeeze.rolls[0].dice
            fields = self._feat(Squeeze(actor=being.id))
            yield self._offer("squeeze", "Squeeze", text, "Pin", fields, dice, kind="Squeeze")

    def own(self) -> Iterator[LegalMove]:
        """Ending and steering what is one's own."""
        being, scene = self.being, self.scene
        lasting: tuple[Effect | Area, ...] = (*scene.effects, *scene.areas)
        names = [(one.id, one.kind.value.replace("_", " ")) for one in lasting]
        names += [(one.id, one.name) for one in scene.beings if one.leader == being.id]
        choices = tuple(
            Choice(what, name) for what, name in names if self._fits(Dismiss(actor=being.id, what=what))
        )
        if choices:
            field = MoveField(name="what", label="What?", kind=FieldKind.CHOICE, choices=choices)
            yield self._offer(
                "dismiss", "Let it end", "End something of yours.", "Powers [P33]", (field,), kind="Dismiss"
            )
        for made in scene.beings:
            if made.leader == being.id and made.creature in STEERED:
                near = tuple(
                    square
                    for square in sorted(around(scene.field.grid, made.at, being.move))
                    if square != made.at and self._fits(Steer(actor=being.id, what=made.id, to=square))
                )
                if near:
                    text = "It moves as you wish."
                    yield self._offer(
                        f"steer:{made.id}",
                        f"Move {made.name}",
                        text,
                        "Powers",
                        (_to(near),),
                        kind="Steer",
                        what=made.id,
                    )

    def things(self) -> Iterator[LegalMove]:
        """Taking, giving and wielding."""
        being, scene = self.being, self.scene
        arms = tuple(
            Choice(arm.id, arm.name)
            for arm in being.arms
            if not arm.natural and self._fits(Wield(actor=being.id, arms=(arm.id,)))
        )
        if arms:
            field = MoveField(
                name="arms",
                label="What?",
                kind=FieldKind.CHOICES,
                choices=arms,
                least=0,
                most=1,
                required=False,
            )
            yield self._offer("wield", "Take in hand", "Two hands, no more.", "Stuff", (field,), kind="Wield")
        lying = tuple(
            Choice(thing.id, thing.name)
            for thing in scene.things
            if thing.at is not None and self._fits(Take(actor=being.id, thing=thing.id))
        )
        if lying:
            field = MoveField(name="thing", label="What?", kind=FieldKind.CHOICE, choices=lying)
            yield self._offer("take", "Take", "Take what lies beside you.", "Stuff", (field,), kind="Take")
        drinks = tuple(
            Choice(thing.id, thing.name)
            for thing in scene.things
            if thing.holder == being.id and self._fits(Drink(actor=being.id, thing=thing.id))
        )
        if drinks:
            field = MoveField(name="thing", label="What?", kind=FieldKind.CHOICE, choices=drinks)
            yield self._offer("drink", "Drink", "It gives Luck back.", "Stuff", (field,), kind="Drink")
        own = [(thing.id, thing.name) for thing in scene.things if thing.holder == being.id]
        own += [(arm.id, arm.name) for arm in being.arms if not arm.natural]
        carried = tuple(Choice(*pair) for pair in own if self._fits(Give(actor=being.id, thing=pair[0])))
        if carried:
            people = tuple(
                Choice(other.id, other.name)
                for other in scene.beings
                if other.id != being.id
                and other.at in around(scene.field.grid, being.at, TOUCH)
                and self._fits(Give(actor=being.id, thing=carried[0].value, to=other.id))
            )
            fields = (
                MoveField(name="thing", label="What?", kind=FieldKind.CHOICE, choices=carried),
                MoveField(
                    name="to",
                    label="To whom?",
                    kind=FieldKind.CHOICE,
                    choices=(Choice("", "Lay it down"), *people),
                    required=False,
                ),
            )
            yield self._offer(
                "give", "Give", "Give a thing away, or lay it down.", "Stuff", fields, kind="Give"
            )

    def turn(self) -> Iterator[LegalMove]:
        """Resting, and the end of the turn."""
        being = self.being
        reflexes = tuple(Choice(reflex.value, reflex.value) for reflex in Reflex)
        field = MoveField(name="reflex", label="Do you dodge?", kind=FieldKind.CHOICE, choices=reflexes)
        if self._fits(Stance(actor=being.id, reflex=Reflex.ASK.value)):
            yield self._offer(
                "stance",
                "Dodging",
                "Ask me, dodge when it helps, or never.",
                "Dodge",
                (field,),
                kind="Stance",
            )
        if self._fits(Rest(actor=being.id)):
            text = "Do nothing else. 1 Luck, unless somebody attacks you."
            yield self._offer("rest", "Rest", text, "Basics / Luck", kind="Rest")
        if self._fits(EndTurn(actor=being.id)):
            yield self._offer("end_turn", "Done", "The next one's turn.", "Actions", kind="EndTurn")


def _to(squares: tuple[Square, ...]) -> MoveField:
    return MoveField(name="to", label="Where?", kind=FieldKind.SQUARE, squares=squares)
