"""Games and packs in the graph."""
