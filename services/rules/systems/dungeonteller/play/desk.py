"""Where a move is worked out: a turn of the engine, with the verbs that the rules of the game are written in.

A rule refuses first, then lets dice fall and asks questions (`roll`, `ask`), and does to the scene what the
book says. Whatever it does is an event, so that the events alone tell the whole story.
"""

from __future__ import annotations

from services.rules.engine.content import slug_of
from services.rules.engine.effects import Triggered, ending
from services.rules.engine.frozen import replace
from services.rules.engine.grid import Square
from services.rules.engine.play import EVERYONE, Audience
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.luck import lose_luck
from services.rules.systems.dungeonteller.play.conditions import (
    BODILESS,
    HELPLESS,
    can_take_turn,
    takes_turns,
)
from services.rules.systems.dungeonteller.play.effects import effect_rules
from services.rules.systems.dungeonteller.play.evolve import evolve
from services.rules.systems.dungeonteller.play.facts import (
    ActionUsed,
    AreaEnded,
    AreaLaid,
    AreaShortened,
    Arrived,
    BurdenLifted,
    CameIntoView,
    EffectBegan,
    EffectCounted,
    EffectEnded,
    EffectShortened,
    Ended,
    Event,
    KnockedOut,
    Left,
    LuckChanged,
    Moved,
    Noticed,
    OrderJoined,
    OrderLeft,
    OrderMoved,
    Overruled,
    PaceLimited,
    SpellWorkedUp,
    Suffered,
    TurnBegan,
    Walked,
)
from services.rules.systems.dungeonteller.play.resolution import Resolution
from services.rules.systems.dungeonteller.play.secrecy import known_to_all
from services.rules.systems.dungeonteller.play.state import (
    Area,
    Being,
    Creature,
    Duration,
    Effect,
    EffectKind,
    Ending,
    Side,
    Until,
)

IN_A_TURN = (TurnBegan, ActionUsed, PaceLimited, SpellWorkedUp, Suffered)
"""What a being does with its turn, of which nothing is told."""

MADE_BY_MAGIC = (Creature.FAMILIAR, Creature.WISP, Creature.EYE, Creature.PHANTOM)
"""Creatures that vanish when their Luck is gone."""


FAMILIAR_HURT = "familiar-hurt"
"""The cause of the Luck that an owner loses with a familiar (ruling P19)."""

ACTED, CAST = "acted", "cast"
"""What ends effects whose content entry names it: a being does something, or rolls for a spell."""


def _next_counted(lasts: Duration, others: list[str]) -> str:
    """Whose turns stand in for those of one who leaves; `others` follow it in the order.

    The turn before its own ends where its own would begin; the turn behind it begins where its own would end.
    """
    return others[0] if lasts.until is Until.NEXT_TURN else others[-1]


class Desk(Resolution):
    """A move being worked out, with the game's own verbs."""

    def do(self, event: Event) -> None:
        """Let something happen, for those who may know of all that it names.

        Under fog, where a being has gone is told to those alone who see it there.
        """
        if self.scene.field.fog and isinstance(event, Moved | Overruled):
            then = evolve(self.scene, event)
            event = replace(event, audience=event.audience & known_to_all(then, (event.being,)))
        super().do(event)

    # Who is there

    def arrive(self, being: Being, behind: str = "") -> None:
        """A being comes into the scene.

        Args:
            being: The being.
            behind: Id of the being that its turns follow; at the end of the order where empty.
        """
        self.do(Arrived(being=being))
        self.join_order(being.id, behind)

    def show(self, being_id: str) -> None:
        """A being is hidden no longer, and has turns from then on."""
        self.do(CameIntoView(being=being_id))
        self.join_order(being_id)

    def notice(self, being_id: str, by: str) -> None:
        """A hidden being is found by another, which alone learns of it; it has turns from then on."""
        self.do(Noticed(being=being_id, by=by, audience=Audience(everyone=False, actors=(by,))))
        self.join_order(being_id)

    def place(self, being_id: str, at: Square, height: int = 0) -> None:
        """A being stands somewhere else."""
        being = self.being(being_id)
        if being.at != at or being.height != height:
            self.do(Moved(being=being_id, at=at, height=height))

    def come_down(self, being_id: str) -> None:
        """A being is on the ground."""
        self.place(being_id, self.being(being_id).at)

    # Luck

    def pay(self, being_id: str, cost: int, cause: str) -> None:
        """A being pays Luck for something; it never knocks out (ruling P2).

        Args:
            being_id: Who pays.
            cost: How much.
            cause: For what: a content id, or a name of a cause (`content/sentences.toml`).
        """
        being = self.being(being_id)
        if cost and being.luck is not None:
            self.do(LuckChanged(being=being_id, luck=being.luck - cost, change=-cost, cause=cause))

    def gain(self, being_id: str, amount: int, cause: str) -> int:
        """A being gets Luck back, up to the maximum and what the cold leaves of it; returns how much."""
        being = self.being(being_id)
        if being.luck is None:
            return 0
        luck = max(being.luck, min(being.luck + amount, being.max_luck - being.cold))
        if luck != being.luck:
            self.do(LuckChanged(being=being_id, luck=luck, change=luck - being.luck, cause=cause))
        return luck - being.luck

    def lose(self, being_id: str, amount: int, cause: str, by: str = "", words: str = "") -> None:
        """Takes Luck away: down to 0, and out for the scene when it is at 0 already (ruling P1).

        A being without Luck falls at once. A familiar's owner loses as much (ruling P19).

        Args:
            being_id: From whom.
            amount: How much.
            cause: By what: a content id, or a name of a cause.
            by: Id of whoever did it.
            words: What the game master calls the cause.
        """
        being = self.being(being_id)
        if amount <= 0 or being.out:
            return
        if being.luck is None:
            self._fall(being)
            return
        loss = lose_luck(being.luck, amount)
        taken = being.luck - loss.luck
        if taken:
            known = known_to_all(self.scene, (by,))
            self.do(
                LuckChanged(
                    being=being_id,
                    luck=loss.luck,
                    change=-taken,
                    cause=cause,
                    words=words,
                    by=by,
                    cause_for=known,
                )
            )
        if being.creature is Creature.FAMILIAR and being.leader:
            self.lose(being.leader, taken, FAMILIAR_HURT, by=being.id)
        if being.creature in MADE_BY_MAGIC and loss.luck == 0:
            self.vanish(being_id)
        elif loss.knocked_out:
            self._fall(being)

    def _fall(self, being: Being) -> None:
        if being.creature not in MADE_BY_MAGIC:
            self.do(KnockedOut(being=being.id))
        self.fallen(being.id)

    def vanish(self, being_id: str, *, home: bool = False) -> None:
        """A being made by magic, or a companion, is gone for good; or a being goes `home` before the end."""
        being = self.being(being_id)
        self.let_go(being_id)
        self._lift_burden(being)
        for area in self.scene.areas:
            if area.bearer == being_id:
                self.do(AreaEnded(area=area.id))
        for effect in self.scene.effects:
            if effect.kind == EffectKind.NOTE and effect.about == being_id:
                self.lift(effect)
        self.leave(being_id, home=home)

    def leave(self, being_id: str, *, home: bool = False) -> None:
        """A being goes out of the scene and of the order; what counts its turns goes on without it."""
        self.let_go(being_id)
        for effect in self.scene.effects_on(being_id, EffectKind.NOTE):
            sent = self.scene.being(effect.about)
            if effect.lasts.until is Until.TURNS and sent is not None:
                self.vanish(sent.id)
        self._hand_turns_on(being_id)
        if being_id in self.scene.turn.order:
            self.do(OrderLeft(being=being_id))
        self.do(Left(being=being_id, home=home))

    def _hand_turns_on(self, being_id: str) -> None:
        """Let what lasts for a being's turns count those of whoever comes before it, or ends it without one.

        Only a being in plain view can be counted by: everyone may know how long something lasts.
        """
        order = self.scene.turn.order
        place = order.index(being_id) if being_id in order else 0
        others = (*order[place + 1 :], *order[:place])
        open_ones = [one for one in others if one != being_id and self.being(one).hidden is None]
        for effect in self.scene.effects:
            if effect.bearer == being_id or effect.lasts.of != being_id:
                continue
            if open_ones:
                handed = replace(effect.lasts, of=_next_counted(effect.lasts, open_ones), fresh=False)
                self.do(EffectShortened(effect=effect.id, lasts=handed))
            else:
                self.lift(effect)
        for area in self.scene.areas:
            if area.lasts.of != being_id:
                continue
            if open_ones:
                handed = replace(area.lasts, of=_next_counted(area.lasts, open_ones), fresh=False)
                self.do(AreaShortened(area=area.id, lasts=handed))
            else:
                self.do(AreaEnded(area=area.id))

    def fallen(self, being_id: str) -> None:
        """What follows when a being is out: whom it held is free, and a companion serves no longer."""
        being = self.being(being_id)
        if being.creature in MADE_BY_MAGIC:
            self.vanish(being.id)
            return
        self.join_order(being.id)
        self.let_go(being.id)
        if being.creature in (Creature.MINION, Creature.PET):
            self._lift_burden(being)

    def let_go(self, being_id: str) -> None:
        """Whom a being held is free."""
        for effect in self.scene.effects:
            if effect.kind == EffectKind.PINNED and effect.source == being_id:
                self.lift(effect)

    def _lift_burden(self, being: Being) -> None:
        """A companion that is gone does not lower its owner's maximum any more, nor helps its dice."""
        serves = being.burden or being.creature is Creature.FAMILIAR
        if self.scene.being(being.leader) is not None and serves:
            self.do(BurdenLifted(being=being.leader, companion=being.id))

    def join_order(self, being_id: str, behind: str = "") -> None:
        """Lets a being have turns, behind another's or at the end, once all or a hero may know of it."""
        turn, being = self.scene.turn, self.being(being_id)
        unknown = being.hidden is not None and not being.found_by
        if being_id in turn.order or not takes_turns(being) or unknown:
            return
        place = turn.order.index(behind) + 1 if behind in turn.order else len(turn.order)
        self.do(OrderJoined(being=being_id, place=place))

    def follow(self, being_id: str, leader: str) -> None:
        """Lets a being have its turns behind another's."""
        others = [one for one in self.scene.turn.order if one != being_id]
        if leader in others and others != list(self.scene.turn.order):
            self.do(OrderMoved(being=being_id, place=others.index(leader) + 1))
        else:
            self.join_order(being_id, behind=leader)

    # What lasts

    def put(self, effect: Effect) -> Effect:
        """Lets something last on a being, and tells so whoever may know of what it is about, too.

        Args:
            effect: What lasts, its id left empty.

        Returns:
            The effect as it lasts, numbered.
        """
        secret = effect.audience != EVERYONE
        begun = replace(effect, id=self.number(slug_of(effect.kind), secret=secret))
        known = begun.audience & known_to_all(self.scene, (begun.about,))
        self.do(EffectBegan(effect=begun, audience=known))
        tags = effect_rules()[begun.kind].tags
        if HELPLESS in tags or BODILESS in tags:
            self.let_go(begun.bearer)
        if BODILESS in tags:
            self.lift_all(begun.bearer, EffectKind.PINNED, EffectKind.CAUGHT)
        return begun

    def change(self, effect: Effect, amount: int) -> None:
        """Let an effect count otherwise; it ends when a store is used up."""
        if amount <= 0 and effect.lasts.until is Until.USED:
            self.lift(effect)
        else:
            self.do(EffectCounted(effect=effect.id, amount=amount))

    def lift(self, effect: Effect) -> None:
        """End an effect."""
        self.do(EffectEnded(effect=effect.id))

    def lift_all(self, on: str, *kinds: str) -> None:
        """End all effects of some kinds on a being."""
        for effect in self.scene.effects_on(on, *kinds):
            self.lift(effect)

    def lay(self, area: Area) -> Area:
        """Lay something on the grid."""
        self.do(AreaLaid(area=area))
        return area

    def for_turns(self, of: str, turns: int) -> Duration:
        """So many of a being's own turns after the one that is going on (ruling P30)."""
        return Duration(Until.TURNS, of, turns, fresh=self.scene.turn.whose == of)

    def until_next_turn(self, of: str) -> Duration:
        """Until a being's next turn begins."""
        return Duration(Until.NEXT_TURN, of)

    # Turn and place

    def spend_action(self, *, still: bool = False, cloaked: bool = False) -> None:
        """The action of the turn that is going on is used; from here on nobody may go faster than so far.

        Args:
            still: Whether it goes only with standing still the whole turn, as making does (Moving / Move).
            cloaked: Whether a cloak outlasts it, as no other action does.
        """
        turn = self.scene.turn
        if not cloaked:
            self.uncloak(turn.whose)
        whose = self.being(turn.whose)
        limit = turn.paces if still else whose.move if turn.paces <= whose.move else 2 * whose.move
        self.do(ActionUsed(being=turn.whose, limit=limit))

    def uncloak(self, being_id: str) -> None:
        """A cloak ends: its elf has moved, spoken or acted (Elf / Cloak)."""
        self.trigger(being_id, ACTED)

    def trigger(self, being_id: str, what: str) -> None:
        """Ends what lasts on a being until something happens: ACTED, CAST."""
        for effect in ending(self.scene.effects, effect_rules(), Triggered(being_id, what)):
            self.lift(effect)

    # Hits

    def stopped(self, target_id: str, by: str, successes: int, action: Action) -> int:
        """What shields and parries leave of Battle or Shoot successes that reach a being.

        A Shield's store is used in the order of the hits (ruling P34); a Parry stops Battle alone. Whoever
        rests gets no Luck back for it, hit or miss.
        """
        for effect in self.scene.effects_on(target_id, EffectKind.RESTING):
            self.change(effect, 1)
        left = successes
        stops = {Action.BATTLE: (EffectKind.PARRY, EffectKind.SHIELD), Action.SHOOT: (EffectKind.SHIELD,)}
        for effect in self.scene.effects_on(target_id, *stops.get(action, ())):
            taken = min(left, effect.amount)
            if taken:
                left -= taken
                self.change(effect, effect.amount - taken)
                self.say(
                    f"{slug_of(effect.kind)}.stopped",
                    by=target_id,
                    targets=(by,),
                    number=taken,
                    successes=taken,
                )
        return left

    def hit(self, target_id: str, by: str, successes: int, action: Action, cause: str) -> int:
        """Battle or Shoot successes reach a being: what shields and parries leave takes Luck.

        Returns:
            Successes that got through.
        """
        left = self.stopped(target_id, by, successes, action)
        self.lose(target_id, left, cause, by)
        return left

    # The end

    def close(self) -> None:
        """Ends the scene when every hero is out, or nobody is left to take a turn.

        What happens in a turn that nobody may know of is told as something out of sight.
        """
        scene = self.scene
        untold = (*IN_A_TURN, OrderJoined, OrderMoved, OrderLeft)
        events = self.events
        told = any(event.audience.everyone and not isinstance(event, untold) for event in events)
        if not told and any(isinstance(event, (*IN_A_TURN, Walked)) for event in events):
            self.say("unseen")
        if scene.ended is not None:
            return
        heroes = [being for being in scene.beings if being.hero]
        if heroes and all(being.out for being in heroes):
            self.do(Ended(why=Ending.HEROES_OUT, winners=(Side.FOES.value,)))
        elif not any(not being.out for being in scene.beings if being.id in scene.turn.order):
            self.do(Ended(why=Ending.NOBODY_LEFT))

    def able(self, being_id: str) -> bool:
        """Whether a being can do anything now."""
        return can_take_turn(self.scene, self.being(being_id))
