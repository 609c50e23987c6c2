"""The character service's part of the graph: ``types``, then ``queries`` and ``mutations`` with their parts
``drawing`` (characters by chance) and ``rewards``; ``systems`` reflects what the game systems declare."""
