"""Who may do what, and what fails closed while the campaign service is silent."""

from collections.abc import Collection

import pytest

from services.shared.access import Access, Role
from services.shared.auth import Viewer
from services.shared.ids import new_id
from services.shared.peers import PeerUnavailable
from services.shared.policy import Policy, Right, demand
from services.shared.problems import Forbidden, NotFound, Unavailable

CAMPAIGN, OTHER = new_id("cmp"), new_id("cmp")
CHARACTER = new_id("chr")
VIEWER = Viewer("acc_one", frozenset({"read", "write"}))


class Known:
    """Knows one access, and notes what it is asked for by name; None for all there is."""

    def __init__(self, *answers: Access) -> None:
        self.answers = list(answers)
        self.named: list[set[str] | None] = []

    async def of(
        self,
        viewer: Viewer,
        *,
        campaigns: Collection[str] | None = None,
        characters: Collection[str] | None = None,
    ) -> Access:
        """Return the next answer, the last one again and again."""
        whole = campaigns is None and characters is None
        self.named.append(None if whole else {*(campaigns or ()), *(characters or ())})
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class Silent:
    """Never answers."""

    async def of(
        self,
        viewer: Viewer,
        *,
        campaigns: Collection[str] | None = None,
        characters: Collection[str] | None = None,
    ) -> Access:
        """Raise as a peer that is away."""
        raise PeerUnavailable("campaign", "ConnectError")


def member(role: Role) -> Policy:
    """Return the policy for a member of the campaign."""
    return Policy(Known(Access(VIEWER.account, {CAMPAIGN: role})))


@pytest.mark.parametrize(
    ("role", "reach"), [(Role.SPECTATOR, Right.READ), (Role.PLAYER, Right.WRITE), (Role.GM, Right.RUN)]
)
@pytest.mark.parametrize("right", list(Right))
async def test_a_role_reaches_as_far_as_its_right(role: Role, reach: Right, right: Right) -> None:
    if right <= reach:
        seat = await member(role).seat(VIEWER, CAMPAIGN, right)
        assert (seat.place, seat.may(right)) == (CAMPAIGN, True)
    else:
        with pytest.raises(Forbidden) as refused:
            await member(role).seat(VIEWER, CAMPAIGN, right)
        assert refused.value.path == ["campaignId"]


@pytest.mark.parametrize(
    "campaign", [OTHER, "cmp_nonsense", CHARACTER], ids=["another", "no id", "an id of another kind"]
)
async def test_a_campaign_of_others_does_not_exist(campaign: str) -> None:
    with pytest.raises(NotFound):
        await member(Role.GM).seat(VIEWER, campaign)


async def test_at_home_one_may_do_everything_though_nobody_answers() -> None:
    seat = await Policy(Silent()).seat(VIEWER, None, Right.RUN)
    assert (seat.place, seat.campaign, seat.may(Right.RUN)) == (VIEWER.account, None, True)
    assert seat.demand(Right.RUN) is seat


async def test_nobody_has_no_home() -> None:
    with pytest.raises(NotFound):
        await member(Role.GM).seat(Viewer(), None)
    assert await member(Role.GM).seat_at(Viewer(), VIEWER.account) is None


async def test_a_place_is_found_by_what_is_kept_under() -> None:
    policy = member(Role.PLAYER)
    assert (await policy.seat_at(VIEWER, VIEWER.account)) is not None
    assert (await policy.seat_at(VIEWER, CAMPAIGN)) is not None
    assert (await policy.seat_at(VIEWER, OTHER)) is None
    assert (await policy.seat_at(VIEWER, "acc_other")) is None


async def test_what_needs_a_membership_fails_closed() -> None:
    policy = Policy(Silent())
    for asked in (
        policy.seat(VIEWER, CAMPAIGN),
        policy.seat_at(VIEWER, CAMPAIGN),
        policy.access(VIEWER, campaigns=[CAMPAIGN]),
    ):
        with pytest.raises(Unavailable) as refused:
            await asked
        assert refused.value.message == "The campaign service does not answer; try again."


async def test_one_sees_ones_own_while_nobody_knows_more() -> None:
    assert await Policy(Silent()).own_at_least(VIEWER, campaigns=[CAMPAIGN]) == Access(VIEWER.account)


async def test_what_is_named_is_asked_for_at_once_and_nothing_else() -> None:
    source = Known(Access(VIEWER.account, {CAMPAIGN: Role.GM}, {CHARACTER: CAMPAIGN}))
    policy = Policy(source)
    access = await policy.access(VIEWER, campaigns=[CAMPAIGN], characters=[CHARACTER, "strange"])
    assert access.runs(CAMPAIGN)
    await policy.seat(VIEWER, CAMPAIGN)
    await policy.own_at_least(VIEWER, campaigns=[CAMPAIGN])
    await policy.access(VIEWER)
    assert source.named == [{CAMPAIGN, CHARACTER}, {CAMPAIGN}, {CAMPAIGN}, None]


@pytest.mark.parametrize("named", [(), ("none", "cmp_" + 40 * "x", "acc_one")])
async def test_nobody_is_asked_about_nothing(named: tuple[str, ...]) -> None:
    source = Known(Access(VIEWER.account, {CAMPAIGN: Role.GM}))
    assert await Policy(source).access(VIEWER, campaigns=named, characters=named) == Access(VIEWER.account)
    assert source.named == []


def test_the_path_of_a_refusal_is_where_the_request_names_it() -> None:
    with pytest.raises(NotFound) as refused:
        demand(None, Right.READ, "input", "campaign")
    assert refused.value.path == ["input", "campaign"]


@pytest.mark.parametrize("role", list(Role))
async def test_what_is_kept_of_a_deleted_campaign_is_read_and_never_changed(role: Role) -> None:
    policy = Policy(Known(Access(VIEWER.account, past={CAMPAIGN: role})))
    seat = await policy.seat(VIEWER, CAMPAIGN)
    assert (seat.place, seat.past, seat.may(Right.RUN)) == (CAMPAIGN, True, role is Role.GM)
    assert await policy.seat_at(VIEWER, CAMPAIGN) == seat
    for right in (Right.WRITE, Right.RUN):
        with pytest.raises(NotFound):
            await policy.seat(VIEWER, CAMPAIGN, right)
        with pytest.raises(NotFound):
            seat.demand(right)
    assert seat.demand(Right.READ) is seat
