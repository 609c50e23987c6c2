"""Characters in the graph."""
