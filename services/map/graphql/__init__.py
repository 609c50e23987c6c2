"""The map service's part of the graph.

Read in this order: ``wishes`` (what can be asked for), ``content`` and ``play_types`` (models and the
state of play, reflected), ``ground_types`` (questions), ``types`` (maps and jobs), ``batch_types``, then
``queries``, ``mutations`` and ``subscriptions``.
"""
