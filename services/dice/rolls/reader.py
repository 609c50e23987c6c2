"""What a request for dice means: at whose table, which words, which numbers; every broken rule named.

Nothing is rolled and nothing is written here.
"""

from __future__ import annotations

from dataclasses import dataclass

from services.dice.chain.entropy import read_entropy
from services.dice.library.checks import notation_issue
from services.dice.library.service import Library, Macro
from services.dice.library.variables import values_of, variable_issues
from services.dice.rolls.replay import Desk, Ready
from services.dice.rolls.requests import ExternalMessage, NewRoll
from services.rules.dice.fault import UnknownVariableError
from services.rules.dice.notation import NotationError
from services.rules.dice.pool import Value
from services.shared.access import Access
from services.shared.auth import Viewer
from services.shared.bounds import check
from services.shared.ids import is_id
from services.shared.peers import Peer
from services.shared.policy import Policy, Right, demand
from services.shared.problems import Forbidden, InvalidInput, Issue, NotFound


@dataclass(frozen=True, slots=True)
class Asked:
    """A roll that may be made.

    Attributes:
        place: where: the campaign, or else the account.
        ready: what is rolled.
        campaign: id of the campaign, if any.
        character: id of the character it is rolled for, if any.
        scene: id of the scene it belongs to, if any.
        label: what it is for.
        secret: whether only the GMs may see it.
        entropy: the roller's own random bytes, if given.
        epoch: id of the epoch whose commitment the roller has seen; None for whichever.
        external: the message elsewhere by which it was asked for, if any.
    """

    place: str
    ready: Ready
    campaign: str | None = None
    character: str | None = None
    scene: str | None = None
    label: str | None = None
    secret: bool = False
    entropy: bytes | None = None
    epoch: str | None = None
    external: ExternalMessage | None = None


class Reader:
    """Finds out what requests mean.

    Args:
        policy: who may do what.
        characters: the character service, asked whose a character is and for the numbers of its sheet.
        library: the tables' own words.
    """

    def __init__(self, policy: Policy, characters: Peer, library: Library) -> None:
        self._policy = policy
        self._characters = characters
        self._library = library
        self._desk = Desk()

    async def read(self, viewer: Viewer, new: NewRoll) -> Asked:
        """Check a request: the viewer's rights, the words, the numbers, the limits.

        Raises:
            InvalidInput: it breaks rules.
            NotFound: the campaign, the character or the saved roll is unknown to the viewer.
            Forbidden: the viewer may not roll there, for this character, or in secret.
            Unavailable: another service that is needed for it does not answer.
        """
        entropy = _entropy(new)
        access = await self._policy.access(
            viewer,
            campaigns=() if new.campaign_id is None else (new.campaign_id,),
            characters=() if new.character_id is None else (new.character_id,),
        )
        campaign = await self._campaign(viewer, access, new)
        if new.secret:
            _demand_secrecy(access, campaign)
        macro = None
        if new.macro_id is not None:
            macro = await self._library.macro(viewer, new.macro_id)
            if macro is None:
                raise NotFound.of("macro", "macroId")
        place = campaign or viewer.account
        return Asked(
            place=place,
            ready=await self._ready(viewer, place, new, macro),
            campaign=campaign,
            character=new.character_id,
            label=_label(new, macro),
            secret=new.secret,
            entropy=entropy,
            epoch=new.epoch,
            external=None if new.external is None else new.external.stripped(),
        )

    async def _campaign(self, viewer: Viewer, access: Access, new: NewRoll) -> str | None:
        """Find the campaign a roll belongs to, after checking that the viewer may roll there and so."""
        campaign = new.campaign_id
        if campaign is not None:
            demand(access.roles.get(campaign), Right.READ)
        if new.character_id is not None:
            campaign = await self._table_of(viewer, access, new.character_id, campaign)
        if campaign is not None:
            demand(access.roles.get(campaign), Right.WRITE)
        return campaign

    async def _table_of(
        self, viewer: Viewer, access: Access, character: str, campaign: str | None
    ) -> str | None:
        """Find the campaign in which a character sits, for which the viewer must be allowed to roll."""
        found = (
            await self._characters.get(viewer, "characters", character) if is_id(character, "chr") else None
        )
        seated = access.characters.get(character)
        if found is None or (found["owner"] != viewer.account and seated is None):
            raise NotFound.of("character", "characterId")
        if campaign is not None and seated != campaign:
            raise InvalidInput.single(
                "NOT_AT_THIS_TABLE", "This character does not play in this campaign.", "characterId"
            )
        if found["owner"] != viewer.account and not access.runs(seated or ""):
            raise Forbidden.because("Only its player or a GM may roll for this character.", "characterId")
        return seated

    async def _ready(self, viewer: Viewer, place: str, new: NewRoll, macro: Macro | None) -> Ready:
        text = new.expression if macro is None else macro.expression
        assert text is not None
        dialect = new.dialect if new.dialect is not None or macro is None else macro.dialect
        lexicon = await self._library.lexicon(place, dialect)
        values: dict[str, Value] = dict(macro.variables) if macro is not None else {}
        try:
            _, names = self._desk.read(text, lexicon)
            given = values_of(new.variables)
            if new.character_id is not None and any(name not in given for name in names):
                sheet = await self._characters.get(viewer, "characters", new.character_id, "variables")
                values |= sheet or {}
            values |= given
            return self._desk.ready(text, lexicon, values)
        except NotationError as error:
            raise InvalidInput.of([notation_issue(error, "macroId" if macro else "expression")]) from error
        except UnknownVariableError as error:
            known = ", ".join(sorted(values)) or None
            raise InvalidInput.of([_unknown(name, known) for name in error.names]) from error


def _entropy(new: NewRoll) -> bytes | None:
    """Read the roller's random bytes, and check whatever is wrong with a request whoever makes it."""
    issues: list[Issue] = []
    if (new.expression is None) == (new.macro_id is None):
        issues.append(Issue("ONE_OF", "Give either `expression` or `macroId`.", ["expression"]))
    issues += variable_issues(new.variables)
    entropy = None
    try:
        entropy = None if new.entropy is None else read_entropy(new.entropy, "entropy")
    except InvalidInput as refused:
        issues += refused.issues
    check(new, *issues)
    return entropy


def _demand_secrecy(access: Access, campaign: str | None) -> None:
    if campaign is None:
        raise InvalidInput.single(
            "NO_TABLE", "A roll outside of any campaign is seen by nobody else anyway.", "secret"
        )
    demand(access.roles.get(campaign), Right.RUN, "secret")


def _unknown(name: str, known: str | None) -> Issue:
    return Issue(
        code="UNKNOWN_VARIABLE",
        message=f"`@{name}` has no value: give it in `variables`, or roll for a character whose sheet "
        "has it.",
        path=["variables", name],
        found=name,
        allowed=known,
    )


def _label(new: NewRoll, macro: Macro | None) -> str | None:
    """Say what a roll is for."""
    if new.label is not None:
        return new.label.strip()
    return None if macro is None else macro.label or macro.name
