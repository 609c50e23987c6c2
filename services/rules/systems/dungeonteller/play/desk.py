"""Where a move is worked out: a turn of the engine, with the verbs that the rules of the game are written in.

A rule refuses first, then lets dice fall and asks questions (`roll`, `ask`), and does to the scene what the
book says. Whatever it does is an event, so that the events alone tell the whole story.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from services.rules.engine.content import slug_of
from services.rules.engine.effects import Triggered, ending
from services.rules.engine.grid import Square
from services.rules.engine.play import EVERYONE, Audience, Roll
from services.rules.engine.steps import Ask, Refused, Step, Steps, tried
from services.rules.engine.steps import Turn as EngineTurn
from services.rules.systems.dungeonteller.actions import Action, count_successes
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.luck import lose_luck
from services.rules.systems.dungeonteller.play.conditions import can_take_turn, takes_turns
from services.rules.systems.dungeonteller.play.effects import effect_rules
from services.rules.systems.dungeonteller.play.facts import (
    AreaSet,
    BeingSet,
    EffectSet,
    Ended,
    Event,
    Gone,
    Happened,
    LuckChanged,
    Rolled,
    TurnSet,
)
from services.rules.systems.dungeonteller.play.moves import Answer
from services.rules.systems.dungeonteller.play.secrecy import audience_of, kept_close, known_to, sentence
from services.rules.systems.dungeonteller.play.state import (
    Area,
    Being,
    Creature,
    Duration,
    Effect,
    EffectKind,
    Scene,
    Side,
    Turn,
    Until,
)

MADE_BY_MAGIC = (Creature.FAMILIAR, Creature.WISP, Creature.EYE, Creature.PHANTOM)
"""Creatures that vanish when their Luck is gone."""


ACTED, CAST = "acted", "cast"
"""What ends effects whose content entry names it: somebody does something, or rolls for a spell."""


class Desk:
    """A move being worked out: a turn of the engine, with the game's own verbs.

    Args:
        turn: The turn of the engine that it happens in.
        catalog: The content.
    """

    def __init__(self, turn: EngineTurn[Scene, Event], catalog: Catalog) -> None:
        self.catalog = catalog
        self._turn = turn
        self._successes: dict[str, int] = {}

    @property
    def scene(self) -> Scene:
        """The scene after everything that has happened."""
        return self._turn.state

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that has happened in this move."""
        return tuple(each.event for each in self._turn.happened)

    # Dice and answers

    def roll(self, *rolls: Roll) -> Step[tuple[int, ...]]:
        """Lets dice fall together.

        Returns:
            The successes of each roll; `successes` tells them later on.
        """
        fallen = yield from self._turn.roll(*rolls)
        for roll, faces in zip(rolls, fallen, strict=True):
            found = count_successes(faces, self.catalog.settings.lucky_faces)
            self._successes[roll.id] = found
            self.do(
                Rolled(
                    roll=roll.id,
                    being=roll.actor,
                    label=roll.label,
                    dice=roll.dice,
                    faces=faces,
                    successes=found,
                    audience=roll.audience,
                )
            )
        return tuple(self._successes[roll.id] for roll in rolls)

    def ask(self, *asks: Ask) -> Step[tuple[Answer, ...]]:
        """Asks side by side; nobody reads an answer before all are in."""
        answers = yield from self._turn.ask(*asks)
        return answers

    def check(self, rule: Callable[[Desk], Steps], scene: Scene | None = None) -> None:
        """Tries a part of a rule without letting anything happen, as things stand now or would stand.

        Raises:
            Refused: It cannot be done.
        """
        now = self.scene if scene is None else scene
        tried(lambda turn: rule(Desk(turn, self.catalog)), now)

    def allows(self, rule: Callable[[Desk], Steps]) -> bool:
        """Whether a part of a rule can be done as things stand now."""
        try:
            self.check(rule)
        except Refused:
            return False
        return True

    # Facts

    def do(self, event: Event) -> None:
        """Let something happen, for those who may know of all that it concerns."""
        self._turn.happen(replace(event, audience=kept_close(self.scene, event)))

    def say(
        self,
        code: str,
        text: str,
        *,
        by: str = "",
        targets: tuple[str, ...] = (),
        power: str = "",
        successes: int = 0,
        rule: str = "",
        audience: Audience = EVERYONE,
    ) -> None:
        """Tell something in plain words.

        Args:
            code: For programs.
            text: One plain sentence.
            by: Id of whoever did it.
            targets: Ids of all others whom the sentence names; it is told to those who may know of them all.
            power: Content id of the power, if it was one.
            successes: Successes that count in the end.
            rule: Where the rule stands.
            audience: Whom it is meant for.
        """
        self.do(
            Happened(
                code=code,
                text=sentence(text),
                by=by,
                targets=targets,
                power=power,
                successes=successes,
                rule=rule,
                audience=audience,
            )
        )

    def successes(self, roll: str) -> int:
        """How many dice of a roll succeeded; none of a roll that was not made."""
        return self._successes.get(roll, 0)

    def being(self, being_id: str) -> Being:
        """Somebody as they are now.

        Raises:
            KeyError: There is nobody of this id.
        """
        found = self.scene.being(being_id)
        if found is None:
            raise KeyError(being_id)
        return found

    def number(self, word: str, *, secret: bool = False) -> str:
        """A new id: a word and a number, of a series of its own for what is hidden."""
        return f"{word}-s{self.scene.secrets + 1}" if secret else f"{word}-{self.scene.counter + 1}"

    def set(self, being: Being) -> None:
        """Change somebody in more than Luck. Who comes out of hiding has turns from then on."""
        if being.hidden is None and being.found_by:
            being = replace(being, found_by=())
        self.do(BeingSet(being=being, audience=audience_of(self.scene, being)))
        if takes_turns(being) and (being.hidden is None or being.found_by):
            self.join_order(being.id)

    # Luck

    def pay(self, being_id: str, cost: int, what: str) -> None:
        """Pay Luck for something; it never knocks out (ruling P2)."""
        being = self.being(being_id)
        if cost and being.luck is not None:
            luck = being.luck - cost
            self.do(LuckChanged(being=being_id, luck=luck, change=-cost, why=what))

    def gain(self, being_id: str, amount: int, why: str) -> int:
        """Give Luck back, up to the maximum and what the cold leaves of it; gives how much it was."""
        being = self.being(being_id)
        if being.luck is None:
            return 0
        luck = max(being.luck, min(being.luck + amount, being.max_luck - being.cold))
        if luck != being.luck:
            self.do(LuckChanged(being=being_id, luck=luck, change=luck - being.luck, why=why))
        return luck - being.luck

    def lose(self, being_id: str, amount: int, why: str, by: str = "") -> None:
        """Take Luck away: down to 0, and out for the scene when it is at 0 already (ruling P1).

        Whoever has no Luck at all falls at once. A familiar's owner loses as much (ruling P19).

        Args:
            being_id: From whom.
            amount: How much.
            why: In plain words.
            by: Id of whoever the words name.
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
            known = known_to(self.scene, (by,))
            self.do(LuckChanged(being=being_id, luck=loss.luck, change=-taken, why=why, by=by, why_for=known))
        if being.creature is Creature.FAMILIAR and being.leader:
            self.lose(being.leader, taken, f"{being.name} was hurt", by=being.id)
        if being.creature in MADE_BY_MAGIC and loss.luck == 0:
            self.vanish(being_id)
        elif loss.knocked_out:
            self._fall(being)

    def _fall(self, being: Being) -> None:
        if being.creature in MADE_BY_MAGIC:
            self.vanish(being.id)
            return
        self.set(replace(self.being(being.id), out=True, hidden=None, height=0))
        self.say(
            "knocked_out",
            f"{being.name} is knocked out for this scene.",
            targets=(being.id,),
            rule="Basics / Luck",
        )
        self.let_go(being.id)
        if being.creature in (Creature.MINION, Creature.PET):
            self._give_back_maximum(being)

    def vanish(self, being_id: str) -> None:
        """Somebody made by magic, or somebody's companion, is gone for good."""
        being = self.being(being_id)
        self.let_go(being_id)
        self._give_back_maximum(being)
        for area in self.scene.areas:
            if area.bearer == being_id:
                self.do(Gone(id=area.id, audience=area.audience))
        for effect in self.scene.effects:
            if effect.kind == EffectKind.NOTE and effect.about == being_id:
                self.lift(effect)
        # Once it is gone, nothing tells any more that it was hidden.
        audience = audience_of(self.scene, being)
        self.do(Gone(id=being_id, audience=audience))
        self.leave_order(being_id)
        self.say("gone", f"{being.name} is gone.", targets=(being_id,), audience=audience)

    def let_go(self, being_id: str) -> None:
        """Whom somebody held is free."""
        for effect in self.scene.effects:
            if effect.kind == EffectKind.PINNED and effect.source == being_id:
                self.lift(effect)

    def _give_back_maximum(self, being: Being) -> None:
        """A companion that is no more no longer lowers its owner's maximum, nor helps its dice."""
        owner = self.scene.being(being.leader)
        if owner is None or being.burden == 0:
            return
        self.set(
            replace(
                owner,
                max_luck=owner.max_luck + being.burden,
                bonuses=tuple(bonus for bonus in owner.bonuses if bonus.rule != being.id),
                powers=tuple(power for power in owner.powers if power not in being.lends),
            )
        )
        self.set(replace(self.being(being.id), burden=0))

    def leave_order(self, being_id: str) -> None:
        """Somebody has turns no longer."""
        turn = self.scene.turn
        if being_id not in turn.order:
            return
        place = turn.order.index(being_id)
        order = tuple(one for one in turn.order if one != being_id)
        at = turn.place - 1 if place < turn.place else turn.place
        self.do(TurnSet(turn=replace(turn, order=order, place=max(0, min(at, len(order) - 1)))))

    def join_order(self, being_id: str, behind: str = "") -> None:
        """Give somebody turns of their own, behind somebody else's or at the end."""
        turn = self.scene.turn
        if being_id in turn.order or not takes_turns(self.being(being_id)):
            return
        place = turn.order.index(behind) + 1 if behind in turn.order else len(turn.order)
        order = (*turn.order[:place], being_id, *turn.order[place:])
        at = turn.place + 1 if turn.order and place <= turn.place else turn.place
        # That somebody hidden has turns from now on is nobody's to hear but theirs who found them.
        audience = audience_of(self.scene, self.being(being_id))
        self.do(TurnSet(turn=replace(turn, order=order, place=at), audience=audience))

    # What lasts

    def put(
        self,
        kind: str,
        on: str,
        *,
        by: str = "",
        power: str = "",
        amount: int = 0,
        other: str = "",
        lasts: Duration | None = None,
        magic: int = 0,
        words: str = "",
        audience: Audience = EVERYONE,
    ) -> Effect:
        """Let something last on somebody."""
        effect = Effect(
            id=self.number(slug_of(kind), secret=audience != EVERYONE),
            kind=kind,
            bearer=on,
            source=by,
            cause=power,
            amount=amount,
            about=other,
            lasts=lasts or Duration(),
            strength=magic,
            words=words,
            audience=audience,
        )
        self.do(EffectSet(effect=effect, audience=audience))
        return effect

    def change(self, effect: Effect, amount: int) -> None:
        """Let an effect count otherwise; it ends when a store is used up."""
        if amount <= 0 and effect.lasts.until is Until.USED:
            self.lift(effect)
        else:
            self.do(EffectSet(effect=replace(effect, amount=amount), audience=effect.audience))

    def lift(self, effect: Effect) -> None:
        """End an effect."""
        self.do(Gone(id=effect.id, audience=effect.audience))

    def lift_all(self, on: str, *kinds: str) -> None:
        """End all effects of some kinds on somebody."""
        for effect in self.scene.effects_on(on, *kinds):
            self.lift(effect)

    def lay(self, area: Area) -> Area:
        """Lay something on the grid."""
        self.do(AreaSet(area=area, audience=area.audience))
        return area

    def for_turns(self, of: str, turns: int) -> Duration:
        """So many of somebody's own turns after the one that is going on (ruling P30)."""
        return Duration(Until.TURNS, of, turns, fresh=self.scene.turn.whose == of)

    def until_next_turn(self, of: str) -> Duration:
        """Until somebody's next turn begins."""
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
        self.do(TurnSet(turn=replace(turn, acted=True, limit=limit)))

    def uncloak(self, being_id: str) -> None:
        """A cloak ends: its elf has moved, spoken or acted (Elf / Cloak)."""
        self.trigger(being_id, ACTED)

    def trigger(self, being_id: str, what: str) -> None:
        """Ends what lasts on somebody until something happens: ACTED, CAST."""
        for effect in ending(self.scene.effects, effect_rules(), Triggered(being_id, what)):
            self.lift(effect)

    def turn(self, turn: Turn) -> None:
        """Change the turn."""
        self.do(TurnSet(turn=turn))

    def place(self, being_id: str, at: Square, height: int = 0) -> None:
        """Put somebody somewhere."""
        being = self.being(being_id)
        if being.at != at or being.height != height:
            self.set(replace(being, at=at, height=height))

    # Hits

    def stopped(self, target_id: str, by: str, successes: int, action: Action) -> int:
        """What shields and parries leave of Battle or Shoot successes that reach somebody.

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
                name = self.being(target_id).name
                self.say(
                    f"{slug_of(effect.kind)}.stopped",
                    f"{name} stops {taken} of it.",
                    by=target_id,
                    targets=(by,),
                    successes=taken,
                )
        return left

    def hit(self, target_id: str, by: str, successes: int, action: Action, why: str) -> int:
        """Battle or Shoot successes reach somebody: what shields and parries leave takes Luck.

        Returns:
            Successes that got through.
        """
        left = self.stopped(target_id, by, successes, action)
        self.lose(target_id, left, why, by)
        return left

    # The end

    def close(self) -> None:
        """Look whether the scene is over: it is when every hero is out, or nobody is left to take a turn."""
        scene = self.scene
        seen = [event for event in self.events if event.audience.everyone]
        if seen and all(isinstance(event, TurnSet) for event in seen):
            self.say("unseen", "Something happens out of sight.")
        if scene.ended is not None:
            return
        heroes = [being for being in scene.beings if being.hero]
        if heroes and all(being.out for being in heroes):
            self.do(Ended(why="All heroes are knocked out.", winners=(Side.FOES.value,)))
        elif not any(not being.out for being in scene.beings if being.id in scene.turn.order):
            self.do(Ended(why="Nobody is left standing."))

    def able(self, being_id: str) -> bool:
        """Whether somebody can do anything now."""
        return can_take_turn(self.scene, self.being(being_id))
