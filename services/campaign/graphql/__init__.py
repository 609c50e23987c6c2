"""The campaign service's part of the graph: ``types``, then ``queries``, ``mutations``, ``subscriptions``.

``systems`` reflects what the game systems declare of their scenes; ``scene_types`` and ``scene_mutations``
are built on it.
"""
