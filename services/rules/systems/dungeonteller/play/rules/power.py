"""How a power is used: who may, what it costs, which dice it takes, and what its successes go to.

Each power has a rule of its own, found by the slug of the power.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from services.rules.engine.content import slug_of
from services.rules.engine.frozen import replace
from services.rules.engine.play import EVERYONE, Audience, Roll
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Refused, Step, Steps
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.casting import SpellSource, power_problems
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.play.conditions import smaller_than_giant
from services.rules.systems.dungeonteller.play.desk import CAST, Desk
from services.rules.systems.dungeonteller.play.facts import SpellWorkedUp, ThingUsed
from services.rules.systems.dungeonteller.play.moves import UsePower
from services.rules.systems.dungeonteller.play.pools import SPELL, ActionRoll, as_roll, pool, reaction
from services.rules.systems.dungeonteller.play.refusals import refuse_if, refused
from services.rules.systems.dungeonteller.play.rules.battle import show_oneself, use_lent
from services.rules.systems.dungeonteller.play.rules.feat import feat_parts, feat_problem, pay_feat
from services.rules.systems.dungeonteller.play.rules.gear import spend as spend_thing
from services.rules.systems.dungeonteller.play.state import (
    Being,
    Duration,
    Effect,
    EffectKind,
    Scene,
    Thing,
    Until,
)
from services.rules.systems.dungeonteller.play.targeting import inspired_problem
from services.rules.systems.dungeonteller.powers import CostKind, Power
from services.rules.systems.dungeonteller.things import TreasureKind


@dataclass(frozen=True, slots=True)
class Use:
    """A power about to be used.

    Attributes:
        being: Who uses it.
    """

    scene: Scene
    catalog: Catalog
    being: Being
    power: Power
    move: UsePower

    @property
    def cost(self) -> int:
        """Luck for this try: the power's own, or what a scroll or wand asks, whose writer paid.

        What is chosen (Feat of Strength) is paid with the roll it helps.
        """
        if self.power.cost is CostKind.CHOSEN:
            return 0
        thing = scroll_of(self) if self.move.scroll else None
        treasure = self.catalog.treasures.get(thing.item) if isinstance(thing, Thing) else None
        if treasure is not None and treasure.luck_cost is not None:
            return treasure.luck_cost
        return self.power.luck_cost

    def problem(
        self,
        code: str,
        message: str,
        path: tuple[str | int, ...] = (),
        found: object = None,
        allowed: object = None,
    ) -> Problems:
        """A broken rule of this power."""
        given = found if isinstance(found, str | int | bool | tuple) else None
        legal = allowed if isinstance(allowed, str | int | bool | tuple) else None
        return Problems((RuleProblem(code, message, self.power.source, path, given, legal),))

    def refused(
        self,
        code: str,
        message: str,
        path: tuple[str | int, ...] = (),
        found: object = None,
        allowed: object = None,
    ) -> Refused:
        """The refusal of this use for a broken rule of its power."""
        return Refused(self.problem(code, message, path, found, allowed))


Handler = Callable[[Desk, Use], Steps | None]
HANDLERS: dict[str, Handler] = {}
"""The rule of each power, by the slug of its id; that of a power without dice and questions is a plain
function.
"""


def handles(*slugs: str) -> Callable[[Handler], Handler]:
    """Make a function the rule of powers."""

    def keep(handler: Handler) -> Handler:
        for slug in slugs:
            HANDLERS[slug] = handler
        return handler

    return keep


def use_power(desk: Desk, move: UsePower) -> Steps:
    """A power is used, or a spell worked up; every reason why it cannot be is named."""
    catalog = desk.catalog
    being = desk.being(move.actor)
    power = catalog.powers.get(move.power)
    if power is None or power.reaction:
        text = "There is no such power." if power is None else f"{power.name} is used when others act."
        code = "power_unknown" if power is None else "power_is_reaction"
        raise refused(RuleProblem(code, text, "Roles / Powers", ("power",), move.power, being.powers))
    use = Use(desk.scene, catalog, being, power, move)
    refuse_if(use_problems(use))
    rule = work_up if move.work_up else HANDLERS[slug_of(power.id)]
    steps = rule(desk, use)
    if steps is not None:
        yield from steps


def use_problems(use: Use) -> Problems | None:
    """Every reason why a being cannot use a power at all now."""
    scroll = None
    if use.move.scroll:
        scroll = scroll_of(use)
        if isinstance(scroll, RuleProblem):
            return Problems((scroll,))
    cost = use.cost
    found = list(
        power_problems(
            use.power if cost == use.power.luck_cost else replace(use.power, luck_cost=cost),
            use.being,
            use.being.luck,
            known=use.being.powers,
            malicious="malicious" in use.being.tags,
            source=SpellSource.OWN_SPELL if scroll is None else SpellSource.SCROLL,
        )
    )
    if suppressed(use.scene, use.being, use.power, use.move.scroll):
        found.append(
            RuleProblem("power_suppressed", "This magic is asleep for a turn.", use.power.source, ("power",))
        )
    lent = inspired_problem(use.scene, use.being, use.move.inspired)
    feat = feat_problem(use.catalog, use.being, use.move.feat, use.power.roll, cost=cost)
    found += (problem for problem in (lent, feat) if problem is not None)
    return Problems(tuple(found)) if found else None


def suppressed(scene: Scene, being: Being, power: Power, scroll: str = "") -> bool:
    """Whether a power of a being, or what it is read from, is suppressed for a turn (Undo Magic)."""
    sleeping = scene.effects_on(being.id, EffectKind.SUPPRESSED)
    return any(effect.about in (power.id, scroll) for effect in sleeping)


def scroll_of(use: Use) -> Thing | RuleProblem:
    """The scroll or wand a power is cast from, or why it cannot be."""
    for thing in use.scene.things:
        if thing.id == use.move.scroll and thing.holder == use.being.id:
            treasure = use.catalog.treasures.get(thing.item)
            if treasure is None or treasure.spell != use.power.id:
                continue
            if thing.used < treasure.castings:
                return thing
            return RuleProblem(
                "wand_empty",
                f"{thing.name} has done its {treasure.castings} for this scene.",
                "Actions / Magic",
                ("scroll",),
                thing.used,
                treasure.castings,
            )
    return RuleProblem(
        "scroll_unknown",
        f"{use.being.name} has no such scroll of {use.power.name}.",
        "Roles / Rogue",
        ("scroll",),
        use.move.scroll,
    )


def use_up_scroll(desk: Desk, use: Use) -> None:
    """A scroll is used up for good; a wand has one casting less in this scene."""
    thing = desk.scene.thing(use.move.scroll)
    treasure = None if thing is None else desk.catalog.treasures.get(thing.item)
    if thing is None or treasure is None:
        return
    if treasure.kind is TreasureKind.WAND or thing.used + 1 < treasure.castings:
        desk.do(ThingUsed(thing=thing.id, used=thing.used + 1))
    else:
        spend_thing(desk, thing)


def cast(
    desk: Desk,
    use: Use,
    *,
    own: ActionRoll | None = None,
    versus: Being | None = None,
    also: tuple[Roll, ...] = (),
    own_for: Audience = EVERYONE,
    versus_for: Audience = EVERYONE,
) -> Step[int]:
    """Rolls a power's dice, and those of the other side, and pays for it.

    Successes worked up before are added.

    Args:
        desk: The move it happens in.
        use: The power in use.
        own: What the user rolls, where it is not the printed actions alone.
        versus: Who rolls against it with the power's own opposing actions, if a being does.
        also: Further rolls, made in the same breath: saves of those an area is laid under.
        own_for: Who may know of the user's roll.
        versus_for: Who may know of the other side's roll.

    Returns:
        The successes that are left after the other side's.
    """
    made = _own_roll(use, ActionRoll(use.power.roll) if own is None else own, versus, own_for)
    if versus is not None and use.power.opposed_by:
        made += (_opposing_roll(use, versus, versus_for),)
    yield from desk.roll(*made, *also)
    spend(desk, use, use.cost)
    pay_feat(desk, use.being.id, use.move.feat)
    total = desk.successes("power") + take_worked_up(desk, use)
    return max(0, total - desk.successes("against"))


def _own_roll(use: Use, own: ActionRoll, versus: Being | None, audience: Audience) -> tuple[Roll, ...]:
    """The user's roll, with a Feat of Strength and lent dice; none where no action is rolled."""
    feat = use.move.feat
    if feat:
        refuse_if(feat_problem(use.catalog, use.being, feat, own.actions, cost=use.cost))
    if not own.actions:
        return ()
    extra = (*own.extra, *feat_parts(use.catalog, feat))
    whole = ActionRoll(own.actions, own.situations, versus, extra, own.gear, use.move.inspired)
    dice = pool(use.scene, use.catalog, use.being, whole)
    if isinstance(dice, RuleProblem):
        raise refused(dice)
    return (as_roll(use.scene, "power", use.being, use.power.name, dice, audience=audience),)


def _opposing_roll(use: Use, versus: Being, audience: Audience) -> Roll:
    """The roll of a being against the power."""
    situations = (SPELL,) if use.power.spell else ()
    theirs = reaction(use.scene, use.catalog, versus, use.power.opposed_by, situations=situations)
    return as_roll(use.scene, "against", versus, f"Against {use.power.name}", theirs, audience=audience)


def spend(desk: Desk, use: Use, cost: int) -> None:
    """Pay for a power, use up the action, lent dice, a counterspell and a scroll; whoever casts is seen."""
    being = use.being
    desk.pay(being.id, cost, use.power.id)
    desk.spend_action(still=Action.MAKE in use.power.roll)
    if use.move.inspired:
        use_lent(desk, being, use.move.inspired)
    if use.power.spell:
        desk.trigger(being.id, CAST)
    show_oneself(desk, being.id)
    use_up_scroll(desk, use)


def work_up(desk: Desk, use: Use) -> Steps:
    """A turn of working a spell up: pay, roll, keep the successes for the cast (Actions / Magic; P26)."""
    if not use.power.spell or not use.power.roll:
        raise use.refused(
            "no_spell", "Only a spell that is rolled for can be worked up.", ("work_up",), True, False
        )
    own = ActionRoll(use.power.roll, inspired=use.move.inspired)
    dice = pool(use.scene, use.catalog, use.being, own)
    if isinstance(dice, RuleProblem):
        raise refused(dice)
    roll = as_roll(use.scene, "power", use.being, f"Working up {use.power.name}", dice)
    (successes,) = yield from desk.roll(roll)
    spend(desk, use, use.cost)
    total = successes + worked_up(desk.scene, use)
    desk.do(SpellWorkedUp(being=use.being.id))
    desk.lift_all(use.being.id, EffectKind.WORKING_UP)
    desk.put(
        Effect(
            id="",
            kind=EffectKind.WORKING_UP,
            bearer=use.being.id,
            source=use.being.id,
            cause=use.power.id,
            amount=total,
            lasts=Duration(Until.KEPT),
        )
    )
    desk.say("spell.worked_up", by=use.being.id, power=use.power.id, successes=total)


def worked_up(scene: Scene, use: Use) -> int:
    """Successes worked up for this power before."""
    kept = scene.effects_on(use.being.id, EffectKind.WORKING_UP)
    return sum(effect.amount for effect in kept if effect.cause == use.power.id)


def take_worked_up(desk: Desk, use: Use) -> int:
    """Successes worked up before, which are used now."""
    total = worked_up(desk.scene, use)
    if use.power.spell:
        desk.lift_all(use.being.id, EffectKind.WORKING_UP)
    return total


def tell(
    desk: Desk,
    use: Use,
    successes: int,
    *,
    targets: tuple[str, ...] = (),
    outcome: str = "",
    number: int = 0,
    words: str = "",
    audience: Audience = EVERYONE,
) -> None:
    """Tells what a power did, in the words of its sentence; see `Desk.say`.

    Args:
        desk: The move it happens in.
        use: The power in use.
        successes: Successes that count in the end; without any it did nothing.
        targets: Ids of all whom it concerns.
        outcome: Which of its sentences tells it, where there are several: behind the power's name.
        number: What else is counted.
        words: Words of players, or the name of what has no id.
        audience: Whom it is meant for.
    """
    end = outcome or ("" if successes > 0 else FAILED)
    desk.say(
        f"power.{slug_of(use.power.id)}" + (f".{end}" if end else ""),
        by=use.being.id,
        targets=targets,
        power=use.power.id,
        successes=successes,
        number=number,
        words=words,
        audience=audience,
    )


FAILED = "failed"
"""The outcome of a power that did nothing."""


def failed(desk: Desk, use: Use, targets: tuple[str, ...] = ()) -> None:
    """Tells that a power did nothing."""
    tell(desk, use, 0, targets=targets)


def magic_of(use: Use) -> int:
    """The Magic rating an effect of this power carries, for Undo Magic; 0 for what is not a spell."""
    return use.being.ratings.magic if use.power.spell else 0


def lasting(desk: Desk, use: Use, effect: Effect) -> Effect:
    """Lets a power last: it comes from its user, under its own name and with its caster's Magic.

    Returns:
        The effect as it lasts in the scene.
    """
    made = replace(effect, source=use.being.id, cause=use.power.id, strength=magic_of(use))
    return desk.put(made)


def only_target(use: Use) -> str:
    """Id of the one the power is aimed at; a use that does not name exactly one is refused."""
    if len(use.move.targets) != 1:
        raise use.refused("needs_one_target", "Choose one.", ("targets",), len(use.move.targets), 1)
    return use.move.targets[0]


def too_big(use: Use, target: Being) -> Problems | None:
    """That a power spares giants."""
    if smaller_than_giant(target):
        return None
    return use.problem(
        "target_too_big", f"{target.name} is too big for that.", ("targets", 0), target.size.value
    )
