"""What the resolvers of the account service are handed."""

from strawberry.types import Info

from services.gateway.service import AccountService
from services.shared.context import Context

AccountInfo = Info[Context[AccountService], None]
