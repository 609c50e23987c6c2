"""What is kept of a scene's moves."""

from dataclasses import asdict, dataclass, fields
from typing import Any

from services.campaign.scenes.models import Scene
from services.rules.engine.codec import decode, encode
from services.rules.engine.play import AnyPlay, Roll

MOVE, UNDO, VOID = "move", "undo", "void"


@dataclass(frozen=True, slots=True)
class Author:
    """Who sent a move.

    Attributes:
        account: their account.
        by_gm: whether they are a GM.
        lapses: id of the question that nobody answered in time, where the table's clock moves.
    """

    account: str
    by_gm: bool
    lapses: str | None = None


@dataclass(frozen=True, slots=True)
class Thrown:
    """Dice of a move as they fell.

    Attributes:
        roll: which dice, and who may know of them.
        faces: in the order in which they fell.
        id: of the dice service's roll; None where there was nothing to roll.
    """

    roll: Roll
    faces: tuple[int, ...]
    id: str | None

    def form(self) -> dict[str, Any]:
        """Return its JSON form."""
        return {"roll": encode(Roll, self.roll), "faces": list(self.faces), "id": self.id}

    @classmethod
    def of(cls, form: dict[str, Any]) -> "Thrown":
        """Read its JSON form."""
        return cls(decode(Roll, form["roll"]), tuple(form["faces"]), form["id"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A move or an answer that was let in: from here on it is made whatever happens, with the dice that fall
    for it.

    Attributes:
        number: its place among all moves of the scene; with the scene's id, the key of its dice.
        account: who sent it.
        by_gm: whether that is a GM.
        move: its document.
        entropy: the mover's own random bytes for the dice, as text.
        lapses: id of the question that nobody answered in time, where the table's clock moves.
    """

    number: int
    account: str
    by_gm: bool
    move: dict[str, Any]
    entropy: str | None
    lapses: str | None = None

    @property
    def author(self) -> Author:
        """Who sent it."""
        return Author(self.account, self.by_gm, self.lapses)

    def form(self) -> dict[str, Any]:
        """Its JSON form."""
        return asdict(self)

    @classmethod
    def of(cls, scene: Scene) -> "Pending | None":
        """Reads a scene's pending move, if there is one."""
        if scene.pending is None:
            return None
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in scene.pending.items() if name in known})


def reserve(play: AnyPlay, scene: Scene, author: Author, move: Any, entropy: str | None = None) -> None:
    """Lets a move with dice in as the scene's pending one."""
    pending = Pending(
        number=scene.number + 1,
        account=author.account,
        by_gm=author.by_gm,
        lapses=author.lapses,
        move=play.move_codec.dump(move),
        entropy=entropy,
    )
    scene.pending = pending.form()
