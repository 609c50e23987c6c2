"""The character service's part of the graph: ``types``, then ``queries`` and ``mutations``; ``systems``
reflects what the game systems declare."""
