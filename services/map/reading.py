"""Reads map files that are brought along; worker processes do, which need nothing else of the service."""

from dataclasses import dataclass

from services.map.exports.own import OwnMap, from_own
from services.map.exports.pictures import fitted, pixel_time
from services.map.exports.uvtt_import import Imported, from_uvtt
from services.map.kind import OWN
from services.map.registry import KINDS
from services.map.requests import MAX_TITLE
from services.rules.engine.problem import Problems, RuleProblem, path_text

PROCESSES = 1
SECONDS = 12.0
"""Processor time; the largest file with the largest picture takes less than half of it."""

MEMORY = 3 * 2**30
"""Bytes of address space: a sixth is code; WebP's largest picture takes two gigabytes while it is read."""

WAITING, WAITING_EACH = 16, 4
"""Files that may wait, of all accounts and of each: they wait in memory."""

FILE_GATE = "file"
"""The gate that tells what of a brought file was left out or read as the usual."""

OWN_FORMATS = {kind.sheet.format: kind for kind in KINDS.values() if kind.sheet is not None}
"""The kinds of sheets, by the format that their files name."""


@dataclass(frozen=True, slots=True)
class Brought:
    """What a file held.

    Attributes:
        kind: slug of its kind.
        file: the map file.
        name: of the map.
        seed: in decimal digits.
        generator_version: of what made it; 0 for what was not made here.
        attempts: how many it took; 0 for what was not made here.
        gates: each gate's name and faults.
        figures: what the gates measured.
        image: the picture that came with it, if any.
        media_type: of the picture.
        pixels: that the picture has by its header.
        pixel_time: nanoseconds that reading each of them takes.
    """

    kind: str
    file: bytes
    name: str
    seed: str
    generator_version: int
    attempts: int
    gates: list[tuple[str, list[str]]]
    figures: list[tuple[str, float]]
    image: bytes | None = None
    media_type: str | None = None
    pixels: int = 0
    pixel_time: float = 0.0


def ready() -> None:
    """Prepare a process for reading: that it has loaded this module is all."""


def fitting_picture(image: bytes) -> bytes | RuleProblem | None:
    """Reads all of a picture: the smaller one to keep, None for itself, or what is wrong with it."""
    return fitted(image)


def read_map(content: bytes, title: str | None) -> Brought | Problems:
    """Read a file that holds a map: of this house when it says so, else Universal VTT."""
    if f'"{OWN}'.encode() in content[:4096]:
        own = from_own(content, OWN_FORMATS)
        return own if isinstance(own, Problems) else _own(own, title)
    found = from_uvtt(content, *(() if title is None else (title,)))
    if isinstance(found, Problems):
        return found
    return _foreign(found)


def _own(own: OwnMap, title: str | None) -> Brought:
    kind = KINDS[own.kind]
    report = kind.inspect_played(own.model)
    return Brought(
        kind=own.kind,
        file=kind.filed.to_bytes(own.model),
        name=title or kind.filed.title(own.model)[:MAX_TITLE],
        seed=str(getattr(own.model, "seed", 0)),
        generator_version=int(getattr(own.model, "generator_version", 0)),
        attempts=int(getattr(own.model, "attempt", 0)) + 1,
        gates=[(gate.name, list(gate.faults)) for gate in report.gates],
        figures=list(report.figures),
    )


def _foreign(found: Imported) -> Brought:
    kind = KINDS[found.model.kind.value].filed
    report = kind.inspect(found.model)
    told = [_told(problem) for problem in found.warnings]
    if found.odd > len(told):
        told.append(f"{found.odd - len(told):,} more of the kind.")
    return Brought(
        kind=kind.slug,
        file=kind.to_bytes(found.model),
        name=found.model.title,
        seed="0",
        generator_version=0,
        attempts=0,
        gates=[*((gate.name, list(gate.faults)) for gate in report.gates), (FILE_GATE, told)],
        figures=list(report.figures),
        image=found.image,
        media_type=found.media_type,
        pixels=found.pixels,
        pixel_time=0.0 if found.image is None else pixel_time(found.image),
    )


def _told(problem: RuleProblem) -> str:
    found = "" if problem.found is None else f" Found: {problem.found}."
    return f"{path_text(problem.path)}: {problem.message}{found}"
