"""Who may call whom, and how: what a process's signature is good for."""

from collections.abc import Mapping

ON_BEHALF: Mapping[str, frozenset[str]] = {
    "gateway": frozenset({"account", "dice", "character", "campaign", "map"}),
    "account": frozenset({"dice", "character", "campaign", "map"}),
}
"""Whose tokens open ``/graphql``, and of which services."""

INTERNALLY: Mapping[str, frozenset[str]] = {
    "gateway": frozenset({"account"}),
    "account": frozenset({"character", "campaign", "map"}),
    "dice": frozenset({"character", "campaign"}),
    "character": frozenset({"campaign", "dice"}),
    "campaign": frozenset({"account", "dice", "character", "map"}),
    "map": frozenset({"campaign", "character"}),
}
"""Whose tokens open the ``/internal`` paths, and of which services."""

SIGNING = tuple(INTERNALLY)
"""The processes that have keys; workers call nobody."""
