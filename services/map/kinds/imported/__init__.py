"""Grid maps that were not made here but brought along: `filing` (how they are kept), `kind`."""
