"""A table's own words: dice, saved rolls, dialect; who may see and change them, and what texts then mean."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.dice.library.checks import (
    MAX_DICE,
    MAX_DICE_FACES,
    MAX_FACES,
    MAX_MACROS,
    die_name_issues,
    face_issues,
)
from services.dice.library.dice import TableDie
from services.dice.library.macros import Macro
from services.dice.library.requests import (
    ChangeDie,
    CreateMacro,
    DefineDie,
    DeleteMacro,
    ForgetDie,
    SetDiceDialect,
    UpdateMacro,
)
from services.dice.library.service import Library
from services.dice.library.settings import DiceSettings
from services.dice.library.variables import MacroVariable
from services.rules.dice.mechanic import Mechanic
from services.rules.dice.notation import Dialect, Lexicon, NotationError, parse
from services.rules.dice.pool import Face
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.pagination import Page
from services.shared.peers import PeerUnavailable
from services.shared.policy import Policy
from services.shared.problems import DifferingField, Forbidden, IdempotencyConflict, NotFound, VersionConflict
from services.shared.settings import Settings
from tests.databases import ON_BOTH
from tests.dice.outcomes import codes, ending
from tests.inside import Campaigns

pytestmark = pytest.mark.databases("dice")

MOMENT = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)
BOON = (Face("Boon", 1), Face("Nothing", 0), Face("Bane", -1))
COIN = (Face("Heads", 1), Face("Tails", 0))
GAMES_OWN = {"resource": (Face("Metal", 1), Face("Wood", 1))}
NO_MECHANICS: Mapping[str, Mechanic] = {}


class Shelf:
    """A library with somebody of each kind around a table."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.tables = Campaigns()
        self.library = self.another_process()
        self.campaign = new_id("cmp")
        self.gm = self.member(self.campaign, Role.GM)
        self.player = self.member(self.campaign, Role.PLAYER)
        self.spectator = self.member(self.campaign, Role.SPECTATOR)
        self.outsider = self.member(new_id("cmp"), Role.GM)

    def another_process(self, monotonic: Callable[[], float] = time.monotonic) -> Library:
        return Library(self.database, lambda: MOMENT, Policy(self.tables), NO_MECHANICS, GAMES_OWN, monotonic)

    def member(self, campaign: str, role: Role = Role.PLAYER) -> Viewer:
        made = Viewer(new_id("acc"), frozenset({"read", "write"}))
        self.tables.roles[made.account] = {campaign: role}
        return made

    async def die(
        self,
        name: str = "boon",
        faces: tuple[Face, ...] = BOON,
        viewer: Viewer | None = None,
        key: str | None = None,
    ) -> TableDie:
        new = DefineDie(name, faces, self.campaign if viewer is None else None)
        return await self.library.dice.define(viewer or self.gm, new, key)

    async def macro(
        self,
        viewer: Viewer,
        name: str = "Sword",
        expression: str = "2d6+3",
        *,
        key: str | None = None,
        **more: Any,
    ) -> Macro:
        return await self.library.macros.create(viewer, CreateMacro(name, expression, **more), key)


@pytest.fixture
async def shelf(settings: Settings) -> AsyncIterator[Shelf]:
    database = Database(settings.database_url("dice"))
    yield Shelf(database)
    await database.close()


# Dice


async def test_a_die_of_the_table_can_be_rolled_at_once_by_everyone_there(shelf: Shelf) -> None:
    before = await shelf.library.lexicon(shelf.campaign)
    with pytest.raises(NotationError):
        parse("3dboon", before)
    made = await shelf.die()
    assert (made.name, made.faces, made.version, made.created_by) == ("boon", BOON, 1, shelf.gm.account)
    parse("3dboon kh1 + 2", await shelf.library.lexicon(shelf.campaign))
    assert await shelf.library.definitions(shelf.campaign) == {"boon": BOON}
    elsewhere = await shelf.library.lexicon(new_id("cmp"))
    with pytest.raises(NotationError):
        parse("3dboon", elsewhere)


async def test_changing_a_die_leaves_what_was_rolled_with_it(shelf: Shelf) -> None:
    made = await shelf.die()
    before = await shelf.library.definitions(shelf.campaign)
    old = parse("dboon", await shelf.library.lexicon(shelf.campaign))
    changed = await shelf.library.dice.change(shelf.gm, ChangeDie(made.id, 1, COIN))
    assert isinstance(changed, TableDie) and (changed.faces, changed.version) == (COIN, 2)
    assert before == {"boon": BOON}
    assert await shelf.library.definitions(shelf.campaign) == {"boon": COIN}
    new = parse("dboon", await shelf.library.lexicon(shelf.campaign))
    assert old != new
    gone = await shelf.library.dice.forget(shelf.gm, ForgetDie(made.id, 2))
    assert gone == made.id
    assert await shelf.library.definitions(shelf.campaign) == {}
    with pytest.raises(NotationError):
        parse("dboon", await shelf.library.lexicon(shelf.campaign))


async def test_only_gms_define_change_and_forget_the_dice_of_a_table(shelf: Shelf) -> None:
    made = await shelf.die()
    dice = shelf.library.dice
    for viewer, expected in (
        (shelf.player, Forbidden),
        (shelf.spectator, Forbidden),
        (shelf.outsider, NotFound),
        (Viewer(), NotFound),
    ):
        outcomes = [
            await ending(dice.define(viewer, DefineDie("coin", COIN, shelf.campaign))),
            await ending(dice.change(viewer, ChangeDie(made.id, 1, COIN))),
            await ending(dice.forget(viewer, ForgetDie(made.id, 1))),
        ]
        assert [type(outcome) for outcome in outcomes] == [expected] * 3
    assert await shelf.library.definitions(shelf.campaign) == {"boon": BOON}


async def test_the_table_sees_its_dice_and_nobody_else_does(shelf: Shelf) -> None:
    await shelf.die("coin", COIN)
    await shelf.die()
    for viewer in (shelf.gm, shelf.player, shelf.spectator):
        found = await shelf.library.dice.at(viewer, shelf.campaign)
        assert found is not None and [die.name for die in found] == ["boon", "coin"]
    for viewer in (shelf.outsider, Viewer()):
        assert await shelf.library.dice.at(viewer, shelf.campaign) is None
    for nowhere in ("cmp_", "", "x" * 5000, shelf.gm.account, new_id("cmp")):
        assert await shelf.library.dice.at(shelf.gm, nowhere) is None


async def test_dice_outside_of_campaigns_are_ones_own(shelf: Shelf) -> None:
    made = await shelf.die(viewer=shelf.player)
    assert made.place == shelf.player.account
    assert await shelf.library.dice.at(shelf.player, None) == [made]
    assert await shelf.library.dice.at(shelf.gm, None) == []
    for stranger in (shelf.gm, shelf.outsider):
        outcome = await ending(shelf.library.dice.change(stranger, ChangeDie(made.id, 1, COIN)))
        assert isinstance(outcome, NotFound)
    parse("dboon", await shelf.library.lexicon(shelf.player.account))
    assert await shelf.library.definitions(shelf.campaign) == {}


async def test_edits_name_the_version_they_saw(shelf: Shelf) -> None:
    made = await shelf.die()
    dice = shelf.library.dice
    await dice.change(shelf.gm, ChangeDie(made.id, 1, COIN))
    for outcome in (
        await ending(dice.change(shelf.gm, ChangeDie(made.id, 1, BOON))),
        await ending(dice.forget(shelf.gm, ForgetDie(made.id, 1))),
        await ending(dice.forget(shelf.gm, ForgetDie(made.id, 3))),
    ):
        assert isinstance(outcome, VersionConflict) and outcome.current_version == 2
    assert await shelf.library.definitions(shelf.campaign) == {"boon": COIN}


@ON_BOTH
async def test_of_edits_side_by_side_one_wins(shelf: Shelf) -> None:
    made = await shelf.die()
    outcomes = await asyncio.gather(
        *(
            ending(shelf.library.dice.change(shelf.gm, ChangeDie(made.id, 1, (Face("a", n), Face("b", 0)))))
            for n in range(1, 6)
        )
    )
    kinds = sorted(type(outcome).__name__ for outcome in outcomes)
    assert kinds == ["TableDie"] + ["VersionConflict"] * 4
    (kept,) = (await shelf.library.definitions(shelf.campaign)).values()
    for lost in outcomes:
        if isinstance(lost, VersionConflict):
            (field,) = lost.differing
            assert (field.path, field.theirs) == (["faces"], [asdict(face) for face in kept])


async def test_the_same_edit_made_twice_is_one(shelf: Shelf) -> None:
    made, dice, settings = await shelf.die(), shelf.library.dice, shelf.library.settings
    twice = [await dice.change(shelf.gm, ChangeDie(made.id, 1, COIN)) for _ in range(2)]
    assert [(die.version, die.faces) for die in twice] == [(2, COIN)] * 2
    asked = SetDiceDialect(Dialect.ROLL20, 1, shelf.campaign)
    assert [(await settings.set_dialect(shelf.gm, asked)).version for _ in range(2)] == [2, 2]


async def test_edits_of_different_fields_of_a_saved_roll_merge(shelf: Shelf) -> None:
    made, macros = await shelf.macro(shelf.player), shelf.library.macros
    await macros.update(shelf.player, UpdateMacro(made.id, 1, name="Sword"))
    asked = UpdateMacro(made.id, 1, expression="3d6", variables=())
    merged = [await macros.update(shelf.player, asked, "k") for _ in range(2)]
    assert [(one.version, one.name, one.expression) for one in merged] == [(3, "Sword", "3d6")] * 2
    stale = await ending(macros.update(shelf.player, UpdateMacro(made.id, 2, label="Cut", expression="2d6")))
    assert isinstance(stale, VersionConflict)
    assert stale.differing == [DifferingField(["expression"], "2d6", "3d6")]
    kept = await macros.macro(shelf.player, made.id)
    assert kept is not None and (kept.version, kept.label) == (3, made.label)


async def test_a_merged_roll_that_cannot_be_rolled_is_a_conflict(shelf: Shelf) -> None:
    macros = shelf.library.macros
    made = await macros.create(
        shelf.player, CreateMacro("Axe", "d20 + @bonus", (), None, None, shelf.campaign)
    )
    await macros.update(shelf.player, UpdateMacro(made.id, 1, expression="d20"))
    asked = UpdateMacro(made.id, 1, variables=(MacroVariable("bonus", 3),))
    stale = await ending(macros.update(shelf.player, asked))
    assert isinstance(stale, VersionConflict)
    assert stale.differing == [DifferingField(["variables"], [{"name": "bonus", "value": 3}], [])]


@ON_BOTH
async def test_of_edits_at_once_all_different_fields_are_kept(shelf: Shelf) -> None:
    made, macros = await shelf.macro(shelf.player), shelf.library.macros
    edits = [
        UpdateMacro(made.id, 1, name="Axe"),
        UpdateMacro(made.id, 1, label="Cut"),
        UpdateMacro(made.id, 1, expression="4d6", variables=()),
    ]
    await asyncio.gather(*(macros.update(shelf.player, edit) for edit in edits))
    kept = await macros.macro(shelf.player, made.id)
    assert kept is not None
    assert (kept.version, kept.name, kept.label, kept.expression) == (4, "Axe", "Cut", "4d6")


@ON_BOTH
async def test_a_name_is_given_once_even_side_by_side(shelf: Shelf) -> None:
    outcomes = await asyncio.gather(
        *(
            ending(shelf.library.dice.define(shelf.gm, DefineDie("boon", BOON, shelf.campaign)))
            for _ in range(5)
        )
    )
    assert sum(isinstance(outcome, TableDie) for outcome in outcomes) == 1
    refused = [outcome for outcome in outcomes if not isinstance(outcome, TableDie)]
    assert [codes(outcome) for outcome in refused] == [[("NAME_TAKEN", "name")]] * 4
    await shelf.die(viewer=shelf.gm)


async def test_a_key_defines_one_die(shelf: Shelf) -> None:
    first = await shelf.die(key="k")
    assert await shelf.die(key="k") == first
    other = await ending(shelf.library.dice.define(shelf.gm, DefineDie("coin", COIN, shelf.campaign), "k"))
    assert isinstance(other, IdempotencyConflict)
    await shelf.library.dice.forget(shelf.gm, ForgetDie(first.id, 1))
    gone = await ending(shelf.library.dice.define(shelf.gm, DefineDie("boon", BOON, shelf.campaign), "k"))
    assert isinstance(gone, NotFound)


async def test_a_key_changes_and_forgets_a_die_once(shelf: Shelf) -> None:
    made, dice = await shelf.die(), shelf.library.dice
    changed = [await dice.change(shelf.gm, ChangeDie(made.id, 1, COIN), "c") for _ in range(2)]
    assert [(die.version, die.faces) for die in changed] == [(2, COIN)] * 2
    asked = ForgetDie(made.id, 2)
    gone = await asyncio.gather(*(dice.forget(shelf.gm, asked, "f") for _ in range(20)))
    assert gone == [made.id] * 20
    assert await dice.forget(shelf.gm, asked, "f") == made.id
    for key in (None, "g"):
        assert isinstance(await ending(dice.forget(shelf.gm, asked, key)), NotFound)
    assert isinstance(await ending(dice.forget(shelf.gm, ForgetDie(made.id, 3), "f")), IdempotencyConflict)
    assert isinstance(await ending(dice.forget(shelf.player, asked, "f")), NotFound)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "ab",
        "Boon",
        "b oon",
        "boon1",
        "_boon",
        "a" * 41,
        "böon",
        "boon\n",
        "boon\0",
        "\ud800abc",
        "d6",
        "б" * 5,
    ],
)
async def test_a_name_is_of_small_letters(shelf: Shelf, name: str) -> None:
    outcome = await ending(shelf.library.dice.define(shelf.gm, DefineDie(name, BOON, shelf.campaign)))
    assert codes(outcome) == [("NAME", "name")]


@pytest.mark.parametrize("name", ["lucky", "unlucky", "floor", "even", "net", "fkh", "resource"])
def test_words_that_mean_something_already_are_refused(name: str) -> None:
    assert [issue.code for issue in die_name_issues(name, GAMES_OWN)] == ["NAME_RESERVED"]


@given(st.from_regex(r"[a-z][a-z_]{2,39}", fullmatch=True))
def test_every_name_that_is_accepted_can_be_rolled(name: str) -> None:
    if not die_name_issues(name, {}):
        for dialect in Dialect:
            parse(f"3d{name} + 1", Lexicon(dialect=dialect, dice={name: COIN}))


@pytest.mark.parametrize(
    ("faces", "issues"),
    [
        ((Face("", 0),), [("LABEL", "faces", "0", "label")]),
        ((COIN[0], Face("x" * 21, 0)), [("LABEL", "faces", "1", "label")]),
        (
            (Face(" a", 0), Face("a\n", 0), Face("\u202eb", 0), Face("\ud800", 0), Face("a\0", 0)),
            [("LABEL", "faces", str(place), "label") for place in range(5)],
        ),
        (
            (Face("a", 1_000_001), Face("b", -1_000_001)),
            [("OUT_OF_RANGE", "faces", "0", "value"), ("OUT_OF_RANGE", "faces", "1", "value")],
        ),
    ],
)
def test_faces_have_labels_and_values_within_bounds(
    faces: tuple[Face, ...], issues: list[tuple[str, ...]]
) -> None:
    assert [(issue.code, *issue.path) for issue in face_issues(faces)] == issues


@pytest.mark.parametrize("faces", [(), COIN * (MAX_FACES // 2) + COIN])
async def test_a_die_has_one_to_a_thousand_faces(shelf: Shelf, faces: tuple[Face, ...]) -> None:
    asked = DefineDie("coin", faces, shelf.campaign)
    assert codes(await ending(shelf.library.dice.define(shelf.gm, asked))) == [("COUNT", "faces")]


def test_a_thousand_bad_faces_are_told_of_in_part() -> None:
    assert len(face_issues([Face("", 10**30)] * MAX_FACES)) == 50


async def test_labels_are_kept_as_they_are(shelf: Shelf) -> None:
    faces = (Face("⚔️", 3), Face("<b>&'\"", 0), Face("ß Straße", -1_000_000), Face("a,b;c:d", 1_000_000))
    await shelf.die(faces=faces)
    assert (await shelf.another_process().definitions(shelf.campaign))["boon"] == faces


async def test_a_place_has_room_for_so_many_dice_and_faces(shelf: Shelf) -> None:
    wide = COIN * (MAX_FACES // 2)
    for number in range(MAX_DICE_FACES // MAX_FACES - 1):
        await shelf.die(f"wide_{'abcdefghij'[number]}", wide)
    small = await shelf.die("small", wide[:-2])
    more = await ending(shelf.library.dice.define(shelf.gm, DefineDie("more", BOON, shelf.campaign)))
    assert codes(more) == [("TOO_MANY", "faces")]
    changed = await shelf.library.dice.change(shelf.gm, ChangeDie(small.id, 1, wide))
    assert isinstance(changed, TableDie)
    for number in range(MAX_DICE):
        await shelf.die("own_" + "ab"[number % 2] * (1 + number // 2), COIN, viewer=shelf.gm)
    outcome = await ending(shelf.library.dice.define(shelf.gm, DefineDie("another", COIN)))
    assert codes(outcome) == [("TOO_MANY",)]


async def test_what_is_not_there_is_not_found(shelf: Shelf) -> None:
    macro = await shelf.macro(shelf.gm)
    for one in (new_id("die"), macro.id, "die_", "", "\0", "x" * 4000):
        assert isinstance(await ending(shelf.library.dice.forget(shelf.gm, ForgetDie(one, 1))), NotFound)
        assert isinstance(
            await ending(shelf.library.dice.change(shelf.gm, ChangeDie(one, 1, BOON))), NotFound
        )


# Lexicons


async def test_a_lexicon_stays_the_same_object_until_something_changes(shelf: Shelf) -> None:
    lexicons = shelf.library
    plain = await lexicons.lexicon(shelf.campaign)
    assert await lexicons.lexicon(new_id("cmp")) is plain
    assert plain.dialect is Dialect.HEARTHFORGE and plain.dice == GAMES_OWN
    await shelf.die()
    own = await lexicons.lexicon(shelf.campaign)
    assert own is not plain and dict(own.dice) == {**GAMES_OWN, "boon": BOON}
    assert await lexicons.lexicon(shelf.campaign) is own
    other = await lexicons.lexicon(shelf.campaign, Dialect.ROLL20)
    assert other is not own and other.dialect is Dialect.ROLL20 and other.dice == own.dice


async def test_another_process_hears_of_a_change_when_its_second_is_over(shelf: Shelf) -> None:
    clock = Clock()
    other = shelf.another_process(clock)
    assert await other.definitions(shelf.campaign) == {}
    await shelf.die()
    assert await shelf.library.definitions(shelf.campaign) == {"boon": BOON}
    clock.now += 1.001
    assert await other.definitions(shelf.campaign) == {"boon": BOON}
    kept = await other.lexicon(shelf.campaign)
    clock.now += 1.001
    assert await other.lexicon(shelf.campaign) is kept


class Clock:
    """A monotonic clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


async def test_nobody_reads_old_words_after_a_change_in_the_same_process(shelf: Shelf) -> None:
    made = await shelf.die()
    for version in range(1, 21):
        faces = (Face(str(version), version),)
        readers = [asyncio.create_task(shelf.library.definitions(shelf.campaign)) for _ in range(3)]
        await shelf.library.dice.change(shelf.gm, ChangeDie(made.id, version, faces))
        assert await shelf.library.definitions(shelf.campaign) == {"boon": faces}
        await asyncio.gather(*readers)
        assert await shelf.library.definitions(shelf.campaign) == {"boon": faces}


# Settings


async def test_the_gm_chooses_whose_notation_the_table_writes(shelf: Shelf) -> None:
    settings = shelf.library.settings
    assert await settings.at(shelf.spectator, shelf.campaign) == DiceSettings(shelf.campaign)
    chosen = await settings.set_dialect(shelf.gm, SetDiceDialect(Dialect.ROLL20, 1, shelf.campaign))
    assert chosen == DiceSettings(shelf.campaign, Dialect.ROLL20, 2)
    assert (await shelf.library.lexicon(shelf.campaign)).dialect is Dialect.ROLL20
    assert (await shelf.library.lexicon(shelf.campaign, Dialect.D20)).dialect is Dialect.D20
    assert await settings.at(shelf.player, shelf.campaign) == chosen
    stale = await ending(settings.set_dialect(shelf.gm, SetDiceDialect(Dialect.D20, 1, shelf.campaign)))
    assert isinstance(stale, VersionConflict) and stale.current_version == 2
    again = await settings.set_dialect(shelf.gm, SetDiceDialect(Dialect.FOUNDRY, 2, shelf.campaign))
    assert isinstance(again, DiceSettings) and again.version == 3


async def test_nobody_else_chooses_the_notation_of_a_table(shelf: Shelf) -> None:
    settings = shelf.library.settings
    for viewer, expected in (
        (shelf.player, Forbidden),
        (shelf.spectator, Forbidden),
        (shelf.outsider, NotFound),
        (Viewer(), NotFound),
    ):
        outcome = await ending(settings.set_dialect(viewer, SetDiceDialect(Dialect.D20, 1, shelf.campaign)))
        assert isinstance(outcome, expected)
    assert await settings.at(shelf.outsider, shelf.campaign) is None
    own = await settings.set_dialect(shelf.player, SetDiceDialect(Dialect.D20, 1, None))
    assert own == DiceSettings(shelf.player.account, Dialect.D20, 2)
    assert (await shelf.library.lexicon(shelf.player.account)).dialect is Dialect.D20


async def test_a_key_chooses_a_notation_once(shelf: Shelf) -> None:
    asked = SetDiceDialect(Dialect.D20, 1, shelf.campaign)
    chosen = [await shelf.library.settings.set_dialect(shelf.gm, asked, "k") for _ in range(3)]
    assert chosen == [DiceSettings(shelf.campaign, Dialect.D20, 2)] * 3


async def test_of_two_first_choices_one_wins(shelf: Shelf) -> None:
    outcomes = await asyncio.gather(
        *(
            ending(shelf.library.settings.set_dialect(shelf.gm, SetDiceDialect(dialect, 1, shelf.campaign)))
            for dialect in (Dialect.D20, Dialect.FOUNDRY, Dialect.ROLL20)
        )
    )
    assert sorted(type(outcome).__name__ for outcome in outcomes) == [
        "DiceSettings",
        "VersionConflict",
        "VersionConflict",
    ]


# Saved rolls


async def test_a_saved_roll_knows_its_variables_and_defaults(shelf: Shelf) -> None:
    made = await shelf.macro(
        shelf.player,
        "Longsword",
        "(@Battle + @bonus)d6 >=5 # cut",
        variables=(MacroVariable("@BONUS", 3),),
        label="To hit",
        campaign_id=shelf.campaign,
    )
    assert (made.names, dict(made.variables)) == (("battle", "bonus"), {"bonus": 3})
    assert (made.dialect, made.version, made.campaign) == (Dialect.HEARTHFORGE, 1, shelf.campaign)
    assert await shelf.library.macro(shelf.gm, made.id) == made


async def test_a_saved_roll_is_seen_by_its_table_or_by_its_owner_alone(shelf: Shelf) -> None:
    shared = await shelf.macro(shelf.player, campaign_id=shelf.campaign)
    private = await shelf.macro(shelf.player)
    for viewer, sees in (
        (shelf.player, (True, True)),
        (shelf.gm, (True, False)),
        (shelf.spectator, (True, False)),
        (shelf.outsider, (False, False)),
        (Viewer(), (False, False)),
    ):
        found = [await shelf.library.macro(viewer, one.id) for one in (shared, private)]
        assert tuple(macro is not None for macro in found) == sees
        page = await shelf.library.macros.page(viewer, shelf.campaign, first=10, after=None)
        assert (page is not None) is sees[0]
        own = await shelf.library.macros.page(viewer, None, first=10, after=None)
        listed = [] if own is None else [macro.id for macro in own.items]
        assert listed == ([private.id] if viewer is shelf.player else [])


async def test_whoever_plays_may_share_a_roll(shelf: Shelf) -> None:
    for viewer, expected in (
        (shelf.gm, Macro),
        (shelf.player, Macro),
        (shelf.spectator, Forbidden),
        (shelf.outsider, NotFound),
        (Viewer(), NotFound),
    ):
        name = f"of {viewer.account}"
        outcome = await ending(
            shelf.library.macros.create(viewer, CreateMacro(name, "d6", campaign_id=shelf.campaign))
        )
        assert isinstance(outcome, expected)


@ON_BOTH
async def test_who_made_it_or_a_gm_changes_a_shared_roll(shelf: Shelf) -> None:
    macros = shelf.library.macros
    made = await shelf.macro(shelf.player, campaign_id=shelf.campaign)
    other = shelf.member(shelf.campaign)
    for viewer, expected in (
        (other, Forbidden),
        (shelf.spectator, Forbidden),
        (shelf.outsider, NotFound),
        (Viewer(), NotFound),
    ):
        assert isinstance(await ending(macros.update(viewer, UpdateMacro(made.id, 1, name="Mine"))), expected)
        assert isinstance(await ending(macros.delete(viewer, DeleteMacro(made.id, 1))), expected)
    renamed = await macros.update(shelf.player, UpdateMacro(made.id, 1, name="Short sword"))
    assert isinstance(renamed, Macro) and (renamed.name, renamed.version) == ("Short sword", 2)
    assert await macros.delete(shelf.gm, DeleteMacro(made.id, 2)) == made.id
    assert await shelf.library.macro(shelf.player, made.id) is None


async def test_who_watches_now_no_longer_changes_what_they_made(shelf: Shelf) -> None:
    made = await shelf.macro(shelf.player, campaign_id=shelf.campaign)
    shelf.tables.roles[shelf.player.account] = {shelf.campaign: Role.SPECTATOR}
    outcome = await ending(shelf.library.macros.update(shelf.player, UpdateMacro(made.id, 1, name="x")))
    assert isinstance(outcome, Forbidden)
    shelf.tables.roles[shelf.player.account] = {}
    assert isinstance(
        await ending(shelf.library.macros.delete(shelf.player, DeleteMacro(made.id, 1))), NotFound
    )


@ON_BOTH
async def test_a_change_leaves_what_it_does_not_name(shelf: Shelf) -> None:
    macros = shelf.library.macros
    made = await shelf.macro(
        shelf.player, "Sword", "@battle d6 + @bonus", variables=(MacroVariable("bonus", 2),), label="Hit"
    )
    one = await macros.update(shelf.player, UpdateMacro(made.id, 1, label=""))
    assert isinstance(one, Macro)
    assert (one.label, one.names, dict(one.variables)) == (None, ("battle", "bonus"), {"bonus": 2})
    two = await macros.update(shelf.player, UpdateMacro(made.id, 2, expression="2d6", variables=()))
    assert isinstance(two, Macro)
    assert (two.expression, two.names, dict(two.variables), two.name) == ("2d6", (), {}, "Sword")
    left = await macros.update(
        shelf.player, UpdateMacro(made.id, 3, expression="2d6 + @x", variables=(MacroVariable("x", 1),))
    )
    assert isinstance(left, Macro)
    outcome = await ending(macros.update(shelf.player, UpdateMacro(made.id, 4, expression="2d6")))
    assert codes(outcome) == [("NOT_IN_EXPRESSION", "variables", "x")]


@ON_BOTH
async def test_edits_of_a_saved_roll_name_the_version_they_saw(shelf: Shelf) -> None:
    macros = shelf.library.macros
    made = await shelf.macro(shelf.player)
    outcomes = await asyncio.gather(
        *(
            ending(macros.update(shelf.player, UpdateMacro(made.id, 1, expression=f"{n}d6")))
            for n in range(1, 6)
        )
    )
    kinds = sorted(type(outcome).__name__ for outcome in outcomes)
    assert kinds == ["Macro"] + ["VersionConflict"] * 4
    assert isinstance(await ending(macros.delete(shelf.player, DeleteMacro(made.id, 1))), VersionConflict)


@ON_BOTH
async def test_names_of_saved_rolls_are_one_of_a_kind_at_their_place(shelf: Shelf) -> None:
    macros = shelf.library.macros
    first = await shelf.macro(shelf.player, "Sword")
    axe = await shelf.macro(shelf.player, "Axe")
    await shelf.macro(shelf.player, "Sword", campaign_id=shelf.campaign)
    await shelf.macro(shelf.gm, "Sword")
    taken = [("NAME_TAKEN", "name")]
    assert codes(await ending(macros.create(shelf.player, CreateMacro("Sword", "d6")))) == taken
    assert codes(await ending(macros.update(shelf.player, UpdateMacro(axe.id, 1, name="Sword")))) == taken
    assert isinstance(
        await ending(macros.update(shelf.player, UpdateMacro(first.id, 1, name="Sword"))), Macro
    )


async def test_a_key_saves_one_roll(shelf: Shelf) -> None:
    first = await shelf.macro(shelf.player, key="k")
    assert await shelf.macro(shelf.player, key="k") == first
    other = await ending(shelf.library.macros.create(shelf.player, CreateMacro("Axe", "d8"), "k"))
    assert isinstance(other, IdempotencyConflict)


async def test_a_key_changes_and_deletes_a_saved_roll_once(shelf: Shelf) -> None:
    made, macros = await shelf.macro(shelf.player), shelf.library.macros
    asked = UpdateMacro(made.id, 1, name="Axe")
    changed = await asyncio.gather(*(macros.update(shelf.player, asked, "u") for _ in range(20)))
    assert {(macro.name, macro.version) for macro in changed} == {("Axe", 2)}
    gone = DeleteMacro(made.id, 2)
    assert (
        await asyncio.gather(*(macros.delete(shelf.player, gone, "d") for _ in range(20))) == [made.id] * 20
    )
    assert isinstance(await ending(macros.delete(shelf.player, gone)), NotFound)


async def test_a_saved_roll_is_answered_again_though_its_dice_are_forgotten(shelf: Shelf) -> None:
    die = await shelf.die()
    made = await shelf.macro(shelf.gm, "Try", "3dboon", key="k", campaign_id=shelf.campaign)
    await shelf.library.dice.forget(shelf.gm, ForgetDie(die.id, 1))
    assert await shelf.macro(shelf.gm, "Try", "3dboon", key="k", campaign_id=shelf.campaign) == made


@pytest.mark.parametrize(
    ("new", "issues"),
    [
        (CreateMacro("", "d6"), [("LENGTH", "name")]),
        (CreateMacro("n" * 81, "d6"), [("LENGTH", "name")]),
        (CreateMacro("a\nb", "d6"), [("UNPRINTABLE", "name")]),
        (CreateMacro("\ud800", "d6"), [("UNPRINTABLE", "name")]),
        (CreateMacro("a", "d6", label="l" * 121), [("LENGTH", "label")]),
        (CreateMacro("a", "2d"), [("NOTATION", "expression")]),
        (CreateMacro("a", ""), [("NOTATION", "expression")]),
        (CreateMacro("a", "9" * 600), [("NOTATION_LIMIT", "expression")]),
        (CreateMacro("a", "dnobody"), [("NOTATION", "expression")]),
        (CreateMacro("a", "d6 # \ud800"), [("BAD_CHARACTER", "expression"), ("NOTATION", "expression")]),
        (CreateMacro("a", "d6", (MacroVariable("x", 1),)), [("NOT_IN_EXPRESSION", "variables", "x")]),
        (CreateMacro("a", "d6 + @x", (MacroVariable("x", 1_000_001),)), [("OUT_OF_RANGE", "variables", "x")]),
        (CreateMacro("a", "d6 + @x", (MacroVariable("x y", 1),)), [("NAME", "variables", "x y")]),
        (
            CreateMacro("", "d6 + @x", (MacroVariable("y", 10**9),), "\0"),
            [
                ("LENGTH", "name"),
                ("UNPRINTABLE", "label"),
                ("OUT_OF_RANGE", "variables", "y"),
                ("NOT_IN_EXPRESSION", "variables", "y"),
            ],
        ),
    ],
)
async def test_what_cannot_be_rolled_is_not_saved(
    shelf: Shelf, new: CreateMacro, issues: list[tuple[str, ...]]
) -> None:
    outcome = await ending(shelf.library.macros.create(shelf.player, new))
    assert codes(outcome) == issues
    page = await shelf.library.macros.page(shelf.player, None, first=10, after=None)
    assert page == Page([], False)


async def test_defaults_for_all_variables_are_tried_against_the_limits(shelf: Shelf) -> None:
    new = CreateMacro("Storm", "@many d6", (MacroVariable("many", 1_000_000),))
    outcome = await ending(shelf.library.macros.create(shelf.player, new))
    assert codes(outcome) == [("NOTATION_LIMIT", "expression")]
    await shelf.macro(shelf.player, "Storm", "@many d6", variables=(MacroVariable("many", 100),))


@ON_BOTH
async def test_a_saved_roll_keeps_the_dialect_it_was_written_in(shelf: Shelf) -> None:
    await shelf.library.settings.set_dialect(shelf.gm, SetDiceDialect(Dialect.ROLL20, 1, shelf.campaign))
    made = await shelf.macro(shelf.gm, "Pool", "5d10>7", campaign_id=shelf.campaign)
    await shelf.library.settings.set_dialect(shelf.gm, SetDiceDialect(Dialect.HEARTHFORGE, 2, shelf.campaign))
    found = await shelf.library.macro(shelf.gm, made.id)
    assert found is not None and found.dialect is Dialect.ROLL20
    chosen = await shelf.macro(shelf.gm, "Other", "5d10", dialect=Dialect.D20, campaign_id=shelf.campaign)
    assert chosen.dialect is Dialect.D20


@ON_BOTH
async def test_a_saved_roll_may_name_the_dice_of_its_table_and_outlive_them(shelf: Shelf) -> None:
    macros = shelf.library.macros
    die = await shelf.die()
    made = await shelf.macro(shelf.player, "Try", "3dboon", campaign_id=shelf.campaign)
    await shelf.library.dice.forget(shelf.gm, ForgetDie(die.id, 1))
    renamed = await macros.update(shelf.player, UpdateMacro(made.id, 1, name="Try again", label="x"))
    assert isinstance(renamed, Macro) and renamed.expression == "3dboon"
    outcome = await ending(macros.update(shelf.player, UpdateMacro(made.id, 2, expression="4dboon")))
    assert codes(outcome) == [("NOTATION", "expression")]


@ON_BOTH
async def test_saved_rolls_are_paged_in_the_order_they_were_made(shelf: Shelf) -> None:
    made = [await shelf.macro(shelf.player, f"Roll {n}") for n in range(5)]
    first = await shelf.library.macros.page(shelf.player, None, first=3, after=None)
    assert first is not None and first.has_next
    rest = await shelf.library.macros.page(shelf.player, None, first=3, after=first.items[-1].id)
    assert rest is not None and not rest.has_next
    assert sorted([*first.items, *rest.items], key=lambda macro: macro.id) == [*first.items, *rest.items]
    assert {macro.id for macro in (*first.items, *rest.items)} == {macro.id for macro in made}


async def test_a_place_has_room_for_so_many_saved_rolls(shelf: Shelf) -> None:
    for number in range(MAX_MACROS):
        await shelf.macro(shelf.player, f"Roll {number}", "d6")
    outcome = await ending(shelf.library.macros.create(shelf.player, CreateMacro("One more", "d6")))
    assert codes(outcome) == [("TOO_MANY",)]
    await shelf.macro(shelf.gm, "One more")


async def test_while_nobody_knows_the_members_nothing_is_changed(shelf: Shelf) -> None:
    die, macro = await shelf.die(), await shelf.macro(shelf.player, campaign_id=shelf.campaign)
    shelf.tables.away = True
    library = shelf.library
    outcomes = [
        await ending(library.dice.define(shelf.gm, DefineDie("coin", COIN, shelf.campaign))),
        await ending(library.dice.change(shelf.gm, ChangeDie(die.id, 1, COIN))),
        await ending(library.dice.forget(shelf.gm, ForgetDie(die.id, 1))),
        await ending(library.macros.create(shelf.gm, CreateMacro("a", "d6", campaign_id=shelf.campaign))),
        await ending(library.macros.update(shelf.player, UpdateMacro(macro.id, 1, name="b"))),
        await ending(library.macros.delete(shelf.player, DeleteMacro(macro.id, 1))),
        await ending(library.settings.set_dialect(shelf.gm, SetDiceDialect(Dialect.D20, 1, shelf.campaign))),
    ]
    assert [type(outcome) for outcome in outcomes] == [PeerUnavailable] * 7
    await shelf.macro(shelf.player, "My own")
    for question in (
        library.macro(shelf.gm, macro.id),
        library.dice.at(shelf.gm, shelf.campaign),
        library.settings.at(shelf.gm, shelf.campaign),
        library.macros.page(shelf.gm, shelf.campaign, first=1, after=None),
    ):
        with pytest.raises(PeerUnavailable):
            await question
