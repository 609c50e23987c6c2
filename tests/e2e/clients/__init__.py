"""Clients of the public API that know no game, as strangers would write them; they import nothing of the product."""
