"""Cost limits: what requests and the work they ask for are charged with, the same for every transport.

Read ``bucket`` (token buckets of accounts and networks, kept in Redis), then ``meter`` (what a point is
worth, and how a service charges for heavy work before it begins), and ``turns`` (who is next where there is
not room for all at once).
"""

from services.shared.limits.bucket import CAPACITY, REFILL_PER_SECOND, Bucket, Charge, Draw, of_network

__all__ = ["CAPACITY", "REFILL_PER_SECOND", "Bucket", "Charge", "Draw", "of_network"]
