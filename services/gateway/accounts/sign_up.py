"""Signing up over HTTP: who may, and how many accounts are opened, at one place and in all.

Each account has a budget of its own, so accounts are what a stranger would multiply. Opening one takes 60
points from two buckets of ``limits.json``:

- its network's holds 1,800 and gains one a second: 30 accounts at once, six tables of five who sit down in
  the same minute, then one a minute, a further 60 an hour behind the same address. A convention that is in a
  greater hurry asks the operator for an invitation, which is bound by its own number of uses instead.
- that of all networks together holds 12,000 and gains 60 a second: 200 at once, then one a second. It holds
  whoever commands many networks; while it is empty, people with accounts notice nothing.

What is charged here bounds how many accounts there are. Many accounts at one place have no larger budget:
all of their requests are charged to the network's bucket too (``rest.visitor``, ``Meter``).

A repeated request (the same idempotency key) is told for nothing that it was carried out, also while the
buckets are empty or sign-up was closed meanwhile. It never gets the account's API key again: its sender is
unauthenticated, and an idempotency key proves nothing about them.
"""

from dataclasses import dataclass

from services.gateway.accounts.invitations import SignUpRefusal, SignUpRefused
from services.gateway.accounts.service import AccountService, SignedUp
from services.shared.auth import ANONYMOUS
from services.shared.idempotency import KeyLocks
from services.shared.limits.bucket import Bucket
from services.shared.limits.purses import LIMITS, Draw, Rate
from services.shared.problems import Problem
from services.shared.settings import SignUp

COST: int = LIMITS["signUpCost"]
NETWORK = Rate.of(LIMITS["signUp"])
ALL = Rate.of(LIMITS["signUpInAll"])


class TooManySignUps(Problem):
    """More accounts were opened lately than may be.

    Attributes:
        retry_after: Whole seconds until there is room for one more.
    """

    retry_after: int

    def __init__(self, retry_after: int) -> None:
        message = (
            "Too many accounts were opened here lately. "
            f"Try again in {retry_after} s, or ask the operator for an invitation."
        )
        super().__init__("RATE_LIMITED", message)
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Application:
    """What is given when an account is opened.

    Attributes:
        name: of the account.
        network: where they come from, an address or an IPv6 /64.
        idempotency_key: opens one account, however often it is sent; None for none.
        invitation: its code; None for none.
    """

    name: str
    network: str
    idempotency_key: str | None = None
    invitation: str | None = None


class SignUpDesk:
    """Opens accounts for those who may have one.

    Args:
        accounts: the accounts.
        bucket: the limits.
        mode: who may sign up.
    """

    def __init__(self, accounts: AccountService, bucket: Bucket, mode: SignUp) -> None:
        self._accounts = accounts
        self._bucket = bucket
        self._mode = mode
        self._keys = KeyLocks()

    async def open(self, wish: Application) -> SignedUp:
        """Open an account.

        Raises:
            InvalidInput: the name or the idempotency key cannot be used.
            IdempotencyConflict: the key was used for another name.
            AlreadySignedUp: the account was opened under the key before.
            SignedUpAndDeleted: it was, and is deleted by now.
            SignUpRefused: signing up is not open to them.
            TooManySignUps: not now.
        """
        async with self._keys.held(ANONYMOUS, wish.idempotency_key):
            await self._accounts.check_fresh(wish.name, wish.idempotency_key)
            return await self._open(wish)

    async def _open(self, wish: Application) -> SignedUp:
        if self._mode is SignUp.CLOSED:
            raise SignUpRefused(SignUpRefusal.CLOSED)
        if wish.invitation is None:
            if self._mode is SignUp.INVITATION:
                raise SignUpRefused(SignUpRefusal.NEEDED)
            charge = await self._bucket.charge(
                Draw(f"sign-up:{wish.network}", COST, NETWORK), Draw("sign-up", COST, ALL)
            )
            if not charge.allowed:
                raise TooManySignUps(max(1, charge.retry_after))
        return await self._accounts.sign_up(wish.name, wish.idempotency_key, wish.invitation)
