"""Where a fight stands (Combat Encounters): the combatants, their order, and what lasts on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from services.rules.engine.carried import CARRIED
from services.rules.engine.effects import Duration, Effect
from services.rules.engine.ground.explored import Explored, as_known, makes_out
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Square
from services.rules.engine.site import Site
from services.rules.engine.steps import ActorId
from services.rules.engine.turns import Rounds
from services.rules.systems.forge_engine.catalog import Catalog, own_catalog
from services.rules.systems.forge_engine.profile import Profile, Shield, Weapon

HEROES, FOES = "heroes", "foes"
WHOLE_SCENE, UNORDERED = Duration(), Rounds(())
CELL = 5
"""Feet along one side of a square."""


class Life(Enum):
    """What health and energy leave a combatant (Death and Dying; R-57).

    Attributes:
        UP: It can act.
        UNCONSCIOUS: At 0 health, or with all energy expended: out, but stable.
        STABILIZED: Below 0 health, and no longer losing any.
        DYING: Below 0 health, and losing 1 at the start of each turn.
        DEAD: At its maximum health below 0, or further.
    """

    UP = "up"
    UNCONSCIOUS = "unconscious"
    STABILIZED = "stabilized"
    DYING = "dying"
    DEAD = "dead"


class Gone(Enum):
    """How a combatant left a fight on its feet.

    Attributes:
        FLED: It got away.
        YIELDED: It surrendered.
        DISPELLED: It was summoned, and vanished.
    """

    FLED = "fled"
    YIELDED = "yielded"
    DISPELLED = "dispelled"


class Phase(Enum):
    """What is going on.

    Attributes:
        CALM: Nobody fights: before a fight, or without one.
        FIGHT: Rounds are played.
        OVER: The scene is over.
    """

    CALM = "calm"
    FIGHT = "fight"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class BonusEnergy:
    """Energy beyond the pool; it is spent or added before ordinary energy, and never expended (D4).

    Attributes:
        amount: What is left of it.
        lasts: When it is lost.
    """

    amount: int
    lasts: Duration = WHOLE_SCENE


@dataclass(frozen=True, slots=True)
class Loaded:
    """What is left in a weapon.

    Attributes:
        weapon: Its id in the profile.
        shots: Shots left.
        spare: Spare pieces of ammunition; None where nobody counts them.
    """

    weapon: str
    shots: int
    spare: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Combatant:
    """One who fights.

    Attributes:
        id: Unique in the fight.
        name: What it is called.
        side: Whose ally it is.
        profile: What stays the same about it.
        character: Whether it is a player's character.
        hidden: Whether the other sides do not know of it.
        at: The top left square it stands in; None where there is no grid.
        energy: Ordinary energy in its pool.
        expended: Energy expended until it rests.
        bonus: Bonus energy.
        health: Health now, below 0 for the dying.
        stable: Whether it was stabilized.
        dead: Whether it is dead.
        fainted: Whether expending all energy made it unconscious.
        gone: How it left the fight; None while it takes part.
        dead_minutes: Whole minutes since it died.
        stable_rounds: Turns since it was stabilized.
        initiative: The faces of its initiative test.
        surprised: Whether it was surprised.
        started: Whether its first turn has begun.
        passed: Whether it has passed priority.
        resting: Whether it passed for the rest of its turn.
        moved: Feet moved this turn.
        ran: Feet that running added to its speed this turn.
        altitude: Feet above the ground.
        aloft: Whether it rose or hovered since its turn began.
        falls: Turns in a row in which it has sunk.
        running: Whether it ran last, and cannot react until its next action.
        minors: Minor actions this turn.
        uses: Names of what it used since it last regained energy, once for each use.
        once: Names of what it used in this fight.
        shielded: Whether its shield was paid for until its next turn.
        held: What it has in its hands: ids of weapons, content ids of shields.
        loads: What is left in its weapons.
        thrown: Ids of weapons that it threw, once for each.
        armed: Ids of explosives that it set off and holds.
        bled: Whether an attack of another hurt it in this fight.
        treated: Whether it was physically healed since the last encounter.
        vehicle: Whether it is a thing that is driven: it never acts, and is wrecked at 0 health.
        seat: Squares along one side of what carries it; 0 on foot.
    """

    id: str
    name: str
    side: str
    profile: Profile
    character: bool = False
    hidden: bool = False
    at: Square | None = None
    energy: int = 0
    expended: int = 0
    bonus: tuple[BonusEnergy, ...] = ()
    health: int = 1
    stable: bool = False
    dead: bool = False
    fainted: bool = False
    gone: Gone | None = None
    dead_minutes: int = 0
    stable_rounds: int = 0
    initiative: tuple[int, ...] = ()
    surprised: bool = False
    started: bool = False
    passed: bool = False
    resting: bool = False
    moved: int = 0
    ran: int = 0
    altitude: int = 0
    aloft: bool = False
    falls: int = 0
    running: bool = False
    minors: int = 0
    uses: tuple[str, ...] = ()
    once: tuple[str, ...] = ()
    shielded: bool = False
    held: tuple[str, ...] = ()
    loads: tuple[Loaded, ...] = ()
    thrown: tuple[str, ...] = ()
    armed: tuple[str, ...] = ()
    bled: bool = False
    treated: bool = False
    vehicle: bool = False
    seat: int = 0

    @property
    def life(self) -> Life:
        """What health and energy leave it."""
        if self.dead:
            return Life.DEAD
        if self.health < 0:
            return Life.STABILIZED if self.stable else Life.DYING
        return Life.UNCONSCIOUS if self.health == 0 or self.fainted else Life.UP

    @property
    def up(self) -> bool:
        """Whether it is awake and takes part; a vehicle never is."""
        return self.gone is None and not self.vehicle and self.life is Life.UP

    @property
    def carries(self) -> bool:
        """Whether it can carry a rider on: a mount that is up, a vehicle that is not wrecked."""
        return self.gone is None and not self.dead if self.vehicle else self.up

    @property
    def secret(self) -> bool:
        """Whether players may not know of it; a player's own character hides from the other sides alone."""
        return self.hidden and not self.character

    @property
    def bonus_energy(self) -> int:
        """Bonus energy of all kinds."""
        return sum(one.amount for one in self.bonus) if self.bonus else 0

    @property
    def usable(self) -> int:
        """Energy that may be spent or added."""
        return self.energy + self.bonus_energy

    @property
    def bloodied(self) -> bool:
        """Whether health is at half of its maximum or below (G8)."""
        return 2 * self.health <= self.profile.health

    @property
    def size(self) -> int:
        """Squares along one side of its space, or of that of its mount or vehicle."""
        return self.seat or max(1, self.profile.space // CELL)

    def footprint(self, at: Square | None = None) -> Footprint:
        """The squares it fills, where it stands or elsewhere."""
        where = at or self.at
        if where is None:
            raise ValueError(f"{self.id} stands on no grid")
        return Footprint(where, self.size, self.altitude // CELL)

    def weapon(self, weapon: str) -> Weapon | None:
        """The weapon of an id; None where there is none."""
        for one in self.profile.weapons:
            if one.id == weapon:
                return one
        return None

    def shield(self) -> Shield | None:
        """The shield in its hands; None without one."""
        return next((one for one in self.profile.shields if one.item in self.held), None)

    def shots(self, weapon: str) -> int | None:
        """Shots left in a weapon; None where nobody counts them."""
        return next((one.shots for one in self.loads if one.weapon == weapon), None)

    def spare(self, weapon: str) -> int | None:
        """Spare pieces of ammunition for a weapon; None where nobody counts them."""
        return next((one.spare for one in self.loads if one.weapon == weapon), None)

    def loaded_with(self, weapon: str, shots: int, spare: int | None) -> tuple[Loaded, ...]:
        """Its loads with other shots in one weapon, and other spare pieces for it."""
        return (*(one for one in self.loads if one.weapon != weapon), Loaded(weapon, shots, spare))

    def left(self, weapon: Weapon) -> int:
        """How many of a weapon are left that were not thrown."""
        return weapon.count - self.thrown.count(weapon.id)

    def empty(self, weapon: Weapon) -> bool:
        """Whether nothing is left to fire from a weapon, nor to load it with."""
        return self.shots(weapon.id) == 0 and self.spare(weapon.id) == 0

    def ready(self, weapon: Weapon) -> bool:
        """Whether a weapon can be used: part of the body, or in hand and not thrown away."""
        return weapon.natural or (weapon.id in self.held and self.left(weapon) > 0)

    def hands_full(self) -> int:
        """Hands that hold something."""
        weapons = sum(one.hands for one in self.profile.weapons if one.id in self.held and not one.natural)
        return weapons + sum(one.item in self.held for one in self.profile.shields)


@dataclass(frozen=True, slots=True)
class Apart:
    """A distance that the game master states, where there is no grid.

    Attributes:
        one: A combatant.
        other: Another.
        feet: Feet between them.
    """

    one: ActorId
    other: ActorId
    feet: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fight:
    """Where a fight stands.

    Attributes:
        title: What the scene is called.
        combatants: All who take part.
        phase: What is going on.
        ground: The grid; None where distances are stated.
        explored: What players know of the grid, under fog; None without fog.
        apart: Stated distances that are not `spread`.
        spread: Feet between any two on different sides without a stated distance.
        rounds: The order of initiative, and whose turn began last.
        effects: What lasts.
        open_end: Whether the fight goes on until the game master ends it.
        patience: Seconds that there are for a reaction; None for no limit.
        critical: Whether the optional rule of critical failures is used.
        site: The stored map that it is set on; None without one.
        ending: Why the game master ended it; empty where nobody did.
        catalog: The content that it is played by; carried along, and no part of what is written.
    """

    title: str
    combatants: tuple[Combatant, ...]
    phase: Phase = Phase.CALM
    ground: Ground | None = None
    explored: Explored | None = None
    apart: tuple[Apart, ...] = ()
    spread: int = 30
    rounds: Rounds = UNORDERED
    effects: tuple[Effect, ...] = ()
    open_end: bool = False
    patience: int | None = None
    critical: bool = False
    site: Site | None = None
    ending: str = ""
    catalog: Catalog = field(default_factory=own_catalog, compare=False, repr=False, metadata=CARRIED)

    def find(self, who: str) -> Combatant:
        """The combatant of an id; those of a lawful move are always found."""
        for one in self.combatants:
            if one.id == who:
                return one
        raise KeyError(who)

    def get(self, who: str) -> Combatant | None:
        """The combatant of an id; None where there is none."""
        for one in self.combatants:
            if one.id == who:
                return one
        return None

    def known(self, viewer: Combatant) -> Iterator[Combatant]:
        """All whom a combatant knows of: its own side, and those in the open that it makes out."""
        return (one for one in self.combatants if self.knows(viewer, one))

    def knows(self, viewer: Combatant, other: Combatant) -> bool:
        """Whether a combatant knows of another: of its own side, or in the open where it makes it out."""
        return other.side == viewer.side or (not other.hidden and self.makes_out(viewer, other))

    def party(self) -> tuple[Combatant, ...]:
        """Players' characters and those on their side: they see through fog, and know of one another."""
        return tuple(one for one in self.combatants if one.character or one.side == HEROES)

    def makes_out(self, viewer: Combatant, other: Combatant) -> bool:
        """Whether a combatant sees where another is: under fog one of the party may not.

        Where the party shares its sight, what one of them sees counts for all.
        """
        if self.explored is None or other.at is None or self.ground is None:
            return True
        party = self.party()
        ids = {one.id for one in party}
        if viewer.id not in ids or other.id in ids:
            return True
        ground, there = self.ground, other.footprint()
        eyes = party if self.explored.shared else (viewer,)
        return any(eye.at is not None and makes_out(ground, eye.footprint(), there) for eye in eyes)

    def ground_known(self, to: Combatant) -> Ground | None:
        """The grid as a combatant knows it: under fog, one of the party takes what was not seen for wall."""
        if self.explored is None or self.ground is None or to.id not in {one.id for one in self.party()}:
            return self.ground
        return as_known(self.ground, self.explored.known((to.id,)))

    def foes(self, of: Combatant) -> tuple[Combatant, ...]:
        """Those of other sides whom a combatant knows of and who still take part, down or not."""
        return tuple(one for one in self.known(of) if one.side != of.side and one.gone is None)

    def allies(self, of: Combatant) -> tuple[Combatant, ...]:
        """Those of its own side but itself who still take part, vehicles apart."""
        others = (one for one in self.combatants if one.id != of.id and not one.vehicle)
        return tuple(one for one in others if one.side == of.side and one.gone is None)

    def order(self) -> tuple[Combatant, ...]:
        """All in the order of initiative."""
        by_id = {one.id: one for one in self.combatants}
        return tuple(by_id[who] for who in self.rounds.order if who in by_id)

    def sides_up(self) -> tuple[str, ...]:
        """Sides that have a combatant in the open who is still up."""
        return tuple(dict.fromkeys(one.side for one in self.combatants if one.up and not one.secret))

    def decided(self) -> bool:
        """Whether one side alone is left, where that ends a fight."""
        if self.phase is not Phase.FIGHT or self.open_end:
            return False
        first: str | None = None
        for one in self.combatants:
            if one.side != first and one.up and not one.secret:
                if first is not None:
                    return False
                first = one.side
        return True

    @property
    def over(self) -> bool:
        """Whether nothing happens any more."""
        return self.phase is Phase.OVER or self.decided()

    def priority(self) -> Combatant | None:
        """Who has priority: the first in order who is up, has energy and has not passed (E4, E6).

        Those who hide never hold others up: they act when they want to.
        """
        return None if self.over else self.first_waiting()

    def first_waiting(self) -> Combatant | None:
        """Who has priority while the fight is not over."""
        if self.phase is not Phase.FIGHT:
            return None
        waiting = {one.id: one for one in self.combatants if one.started and not one.passed}
        ordered = (waiting[who] for who in self.rounds.order if who in waiting)
        return next((one for one in ordered if one.up and not one.secret and one.usable), None)

    def may_act(self, one: Combatant) -> bool:
        """Whether a combatant may act now: with priority, or back again after it passed (E4, E6)."""
        if self.phase is Phase.CALM:
            return one.up
        if self.over or not one.up or not one.started:
            return False
        if one.passed or one.secret or not one.usable:
            return True
        first = self.first_waiting()
        return first is None or first.id == one.id
