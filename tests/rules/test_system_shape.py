"""Every game has the same shape: the same files under the same names, and nothing the product does not use.

A file may be a package. What a game lacks it lacks; beside the files of the shape stand those of the book's
own nouns.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, cast, get_args, get_type_hints

import pytest

from services.rules.engine.effects import Lasting
from services.rules.engine.registry import systems
from services.rules.engine.system import AnySystem
from tests.architecture.test_directions import python_files
from tests.architecture.usage import ROOT, unused

SYSTEMS = systems()
HOME = "services/rules/systems/"
TOY = ROOT / "tests" / "toys" / "duel"

SHOWN = "for people, who read it in the library of the content"
BY_NAME = "read by the value of an enum: the attribute, the hull, the way of going"
NOT_PLAYED = "a figure of fights and hazards, which are not played yet"

UNREAD: Mapping[str, Mapping[str, str]] = {
    "dungeonteller": {
        "Figures.people": SHOWN,
        "Monster.dislikes": SHOWN,
        "Monster.treasure": SHOWN,
        "Ratings": BY_NAME,
        "Zone.shape": SHOWN,
    },
    "dwarf_dice": {
        "ArmoryItem": SHOWN,
        "CraftOdds": SHOWN,
    },
    "forge_engine": {
        "Adversary": SHOWN,
        "AdversaryAttack.assumed": SHOWN,
        "Attributes": BY_NAME,
        "Condition.group": SHOWN,
        "DamageType.group": SHOWN,
        "Disposition.also": SHOWN,
        "Equipment": SHOWN,
        "Genre": SHOWN,
        "MartialSkill": NOT_PLAYED,
        "Sample.confidence": SHOWN,
        "Size": NOT_PLAYED,
        "Species.setting": SHOWN,
        "Terrain": BY_NAME,
        "WaterWeather": BY_NAME,
    },
    "forgeborn": {"FunctionEntry.keywords": SHOWN},
}
"""Fields that no rule reads, and why: whole classes of which some are, or single ones."""


def test_every_function_and_class_of_a_system_is_used_by_the_product() -> None:
    assert unused(python_files(HOME), python_files("services/", "workers/", "infra/")) == []


def test_the_finder_knows_what_a_use_is(tmp_path: Path) -> None:
    files = {
        "game/__init__.py": "from game.rules import handed_on\n",
        "game/rules.py": (
            "def handed_on(): return 1\n"
            "def imported_only(): return 2\n"
            "def called_by_unused(): return 3\n"
            "def unused(): return called_by_unused()\n"
            "def endless(): return endless()\n"
            "def of_module(): return 5\n"
            "class Thing:\n"
            "    def asked(self): return 6\n"
            "    def forgotten(self): return 7\n"
        ),
        "service.py": (
            "from game import handed_on as other, rules\n"
            "from game.rules import Thing, imported_only\n"
            "print(other(), rules.of_module(), Thing().asked())\n"
        ),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = unused(["game/rules.py"], list(files), tmp_path)
    names = ("Thing.forgotten", "called_by_unused", "endless", "imported_only", "unused")
    assert found == [f"game.rules: {name}" for name in names]


def package_of(system: AnySystem) -> str:
    """The package of a game: the scene stands in `<package>.play.scene`, choices in `<package>.choices`."""
    return cast(str, system.choices.__module__).partition(".choices")[0]


def parts_of(system: AnySystem) -> Iterator[tuple[Any, str]]:
    """The parts of a system that come from a file, and its name; without those that the system lacks."""
    named = {
        "choices": system.choices,
        "sheet": system.sheet,
        "build": system.build,
        "card": system.printable and system.printable.make,
        "random": system.random,
        "play.scene": system.play and type(system.play),
        "campaign.scene": system.campaign and type(system.campaign),
    }
    if system.advance is not None:
        yield system.advance.options, "advancement"
    if system.guide is not None:
        yield system.guide.steps, "guide"
    if system.packs is not None:
        yield system.packs.check, "packs"
    for name, play in (("play", system.play), ("campaign", system.campaign)):
        if play is not None:
            yield play.setup_codec.type, f"{name}.setup"
            yield play.state_codec.type, f"{name}.state"
            yield from ((kind, f"{name}.moves") for kind in kinds_of(play.move_codec.type))
            yield from ((kind, f"{name}.facts") for kind in kinds_of(play.event_codec.type))
    yield from ((part, name) for name, part in named.items() if part is not None)


def kinds_of(union: Any) -> tuple[Any, ...]:
    return get_args(union) or (union,)


def misplaced(system: AnySystem) -> list[str]:
    """The parts of a system that come from other files than the shape says."""
    package = package_of(system)
    return [
        f"{part.__module__}.{part.__qualname__}: belongs in {name}"
        for part, name in parts_of(system)
        if not f"{part.__module__}.".startswith(f"{package}.{name}.")
    ]


VALUES = {
    "examples": "examples",
    "layout": "sections",
    "advance": "advancement",
    "guide": "guide",
    "packs": "packs",
    "tools": "tools",
}
"""Parts of a system that are values, and the files that hold them."""

CHARACTER = ("choices", "build", "sheet", "examples")
MACHINE = ("setup", "state", "moves", "facts", "evolve", "rules", "tell", "scene")
SCENE = ("legal", "view", "bots")


def missing(system: AnySystem, folder: Path) -> list[str]:
    """What the shape asks for, and a system has elsewhere or not at all."""
    package = package_of(system)
    found = [
        f"{package}.{name}: does not hold the system's own"
        for part, name in VALUES.items()
        if getattr(system, part) and not held(f"{package}.{name}", getattr(system, part))
    ]
    wanted = [folder / name for name in CHARACTER]
    if system.play is not None:
        wanted += [folder / "play" / name for name in (*MACHINE, *SCENE)]
    if system.campaign is not None:
        wanted += [folder / "campaign" / name for name in MACHINE]
    files = [
        file
        for file in wanted
        if not file.with_suffix(".py").exists() and not (file / "__init__.py").exists()
    ]
    rest = [folder / name for name in ("README.md", "playthroughs") if not (folder / name).exists()]
    return found + [str(file.relative_to(folder)) for file in (*files, *rest)]


def held(module: str, value: Any) -> bool:
    """Whether a module has a value among its own names."""
    found = sys.modules.get(module)
    return found is not None and any(each is value for each in vars(found).values())


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=list(SYSTEMS))
def test_every_part_of_a_system_stands_in_the_file_of_its_name(system: AnySystem) -> None:
    assert misplaced(system) == []
    assert missing(system, ROOT / HOME / system.slug) == []


def test_the_toy_has_the_shape_that_it_shows() -> None:
    toy = systems(TOY.parent)["duel"]
    assert misplaced(toy) == []
    assert [name for name in missing(toy, TOY) if name != "README.md"] == []


NO_CODE = frozenset(
    (
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    )
)
MOST_LINES = {"duel": 475, "lanterns": 250}
"""Lines of code of the toys' scenes and campaigns: Lanterns shows the whole frame in one sitting, Duel the
shape of a game and what it may offer beside.
"""


def lines_of_code(text: str) -> int:
    """The lines of a module without docstrings, comments and blank lines."""
    told = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    read = tokenize.generate_tokens(io.StringIO(text).readline)
    code = {
        line
        for token in read
        if token.type not in NO_CODE
        for line in range(token.start[0], token.end[0] + 1)
    }
    return len(code - told)


def test_lines_of_code_are_those_that_do_something() -> None:
    assert lines_of_code('"""A file."""\n\n# Why.\nx = [\n    1,\n]\n') == 3


@pytest.mark.parametrize(("toy", "most"), MOST_LINES.items())
def test_a_toy_stays_small(toy: str, most: int) -> None:
    files = [
        name
        for name in python_files(f"tests/toys/{toy}/")
        if {"play", "campaign"} & set(Path(name).with_suffix("").parts)
    ]
    assert files and sum(lines_of_code((ROOT / name).read_text("utf-8")) for name in files) <= most


def test_a_part_that_stands_elsewhere_is_found() -> None:
    toy = systems(TOY.parent)["duel"]

    def build(choices: Any, content: Any) -> Any:
        return toy.build(choices, content)

    moved = replace(cast(Any, toy), build=build, examples=dict(toy.examples))
    assert [line.partition(": ")[2] for line in misplaced(moved)] == ["belongs in build"]
    assert missing(moved, TOY / "play")[0].endswith(".examples: does not hold the system's own")
    assert {"choices", "play/setup"} <= set(missing(moved, TOY / "play"))


CHAPTERS = frozenset({"costing", "crafting", "forging", "hoarding", "moving"})
"""Chapters of the books that are called so."""
NOUNS = frozenset({"casting", "opening", "standing", "targeting"})


def doings(files: Iterable[str]) -> list[str]:
    """The files that are named after what they do; their names are gerunds."""
    stems = {name: Path(name).stem for name in files}
    return [
        name
        for name, stem in stems.items()
        if any(word.endswith("ing") and word not in CHAPTERS | NOUNS for word in stem.split("_"))
    ]


def game_files() -> list[str]:
    return python_files(HOME)


def test_files_are_called_by_nouns() -> None:
    assert doings(["play/filling.py", "rules/crafting.py", "sheet.py"]) == ["play/filling.py"]
    assert doings([*game_files(), *python_files("tests/toys/")]) == []


LONGEST = 50
"""Lines of a function, from its name to its end."""
MOST_PARAMETERS = 8
"""Parameters of a function, without the object that it is a method of."""
BRIEF = 3
"""Statements of a case, where a function is a flat match."""

OUTSIZE: Mapping[str, str] = {
    "forge_engine/characters/hero.py: assemble": "one argument for each line of the sheet",
}
"""Functions that are longer, or take more, than the others may, and what they do in one piece."""


def outsize(text: str) -> list[str]:
    """The functions of a module that are too long or take too much; a flat match may be long."""
    return [
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
        and ((lines_of(node) > LONGEST and not is_flat_match(node)) or parameters_of(node) > MOST_PARAMETERS)
    ]


def lines_of(node: ast.FunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def parameters_of(node: ast.FunctionDef) -> int:
    found = node.args
    named = [one.arg for one in (*found.posonlyargs, *found.args)]
    several = [one for one in (found.vararg, found.kwarg) if one is not None]
    return len(named) - (named[:1] in (["self"], ["cls"])) + len(found.kwonlyargs) + len(several)


def is_flat_match(node: ast.FunctionDef) -> bool:
    """Whether a function is one match, behind names for it, whose cases are brief and hold no further one."""
    *named, last = node.body[1:] if ast.get_docstring(node) is not None else node.body
    if not isinstance(last, ast.Match) or not all(isinstance(one, ast.Assign) for one in named):
        return False
    cases = last.cases
    nested = (inner for case in cases for one in case.body for inner in ast.walk(one))
    brief = all(len(case.body) <= BRIEF for case in cases)
    return brief and not any(isinstance(inner, ast.Match) for inner in nested)


def function(name: str, parameters: str, *body: str) -> str:
    return "\n    ".join((f"def {name}({parameters}):", *body)) + "\n"


def test_functions_that_are_too_long_or_take_too_much_are_found() -> None:
    case, eight = "    case 1: return 1", ", ".join("abcdefgh")
    assert outsize(function("just", eight, *["pass"] * (LONGEST - 1))) == []
    assert outsize(function("long", "a", *["pass"] * LONGEST)) == ["long"]
    assert outsize(function("wide", f"{eight}, i", "pass")) == ["wide"]
    assert outsize(function("named", f"{eight}, *, i", "pass")) == ["named"]
    assert outsize(function("several", f"{eight}, **i", "pass")) == ["several"]
    assert outsize(function("method", f"self, {eight}", "pass")) == []
    assert outsize(function("flat", "a", '"""All."""', "match a:", *[case] * LONGEST)) == []
    assert outsize(function("named", "a", "b = a", "match b:", *[case] * LONGEST)) == []
    assert outsize(function("more", "a", "match a:", *[case] * LONGEST, "return 2")) == ["more"]
    thick = ("    case 1:", *["        pass"] * (BRIEF + 1))
    assert outsize(function("thick", "a", "match a:", *thick * LONGEST)) == ["thick"]
    deep = ("    case 1:", "        match a:", "            case 1: pass")
    assert outsize(function("deep", "a", "match a:", *deep * LONGEST)) == ["deep"]


def test_functions_are_short_and_take_few_parameters() -> None:
    found = {
        f"{name.removeprefix(HOME)}: {function}"
        for name in (*game_files(), *python_files("tests/toys/"))
        for function in outsize((ROOT / name).read_text("utf-8"))
    }
    assert found == OUTSIZE.keys()


BLUNT = re.compile(r"\b(somebody|what comes of|(?<!there )is no)\b|^Gives\b", re.IGNORECASE | re.MULTILINE)
"""Words that say nothing, where a noun of the game, or returns, raises and computes, would."""
WORDED = ("services/rules/engine/", "tests/toys/", "tests/conformance/")
"""Folders whose words are held to it beside those of the games."""


def blunt(text: str) -> list[str]:
    """The blunt words in the texts of a module, its classes, functions, attributes and constants."""
    found = (
        node.value.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )
    return [match[0] for words in found if isinstance(words, str) for match in BLUNT.finditer(words)]


def worded_files() -> list[str]:
    """The files whose words are held to the nouns of the domain."""
    return [*python_files(*WORDED), *game_files()]


def test_docstrings_name_the_domains_nouns() -> None:
    wrong = (
        '"""Dice of somebody; there is no other."""\n'
        'def roll():\n    """Gives what comes of it."""\n'
        'class Die:\n    """What is no coin."""\n    sides: int\n    """Somebody\'s."""\n'
        'SIDES = "somebody"\n'
    )
    assert sorted(blunt(wrong)) == ["Gives", "Somebody", "is no", "somebody", "what comes of"]
    found = {name: blunt((ROOT / name).read_text("utf-8")) for name in worded_files()}
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.parametrize("package", sorted({name.split("/")[3] for name in game_files()} - {"__init__.py"}))
def test_a_package_says_in_which_order_to_read_it(package: str) -> None:
    folder = ROOT / HOME / package
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))) or ""
    assert "Read in this order:" in text
    files = {path.stem for path in folder.glob("*.py")} | {
        path.parent.name for path in folder.glob("*/__init__.py")
    }
    assert sorted(name for name in files - {"__init__"} if f"`{name}`" not in text) == []


LASTING = frozenset(name for name, one in vars(Lasting).items() if isinstance(one, property))
"""What the engine reads of an entry that is the rule of an effect."""


@cache
def names_read(system: str) -> frozenset[str]:
    """The attributes that a system's code reads, or takes apart in a pattern."""
    found = set()
    for name in python_files(f"{HOME}{system}/"):
        for node in ast.walk(ast.parse((ROOT / name).read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                found.add(node.attr)
            elif isinstance(node, ast.MatchClass):
                found.update(node.kwd_attrs)
    return frozenset(found)


def entries_of(system: AnySystem) -> list[Any]:
    """The dataclasses that a system's content is made of."""
    seen: list[Any] = []

    def collect(hint: Any) -> None:
        own = isinstance(hint, type) and hint.__module__.startswith("services.rules.systems.")
        if own and is_dataclass(hint) and hint not in seen:
            seen.append(hint)
            for inner in get_type_hints(hint).values():
                collect(inner)
        for argument in get_args(hint):
            collect(argument)

    collect(type(system.content))
    for shelf in system.content.shelves():
        for entry in shelf.entries.values():
            collect(type(entry))
    return seen


def unread(system: AnySystem) -> Iterator[str]:
    """The fields of the content that nothing of the system reads: "Class.field"."""
    for entry in entries_of(system):
        names = {one.name for one in fields(entry)}
        read = names_read(system.slug) | (LASTING if names >= LASTING else frozenset())
        for one in fields(entry):
            if one.name not in read:
                yield f"{entry.__name__}.{one.name}"


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=list(SYSTEMS))
def test_every_field_of_the_content_is_read_by_some_rule(system: AnySystem) -> None:
    excused = UNREAD.get(system.slug, {})
    found = list(unread(system))
    assert [name for name in found if not {name, name.partition(".")[0]} & excused.keys()] == []
    needed = {part for name in found for part in (name, name.partition(".")[0])}
    assert set(excused) <= needed, "an excuse that is no longer needed"
