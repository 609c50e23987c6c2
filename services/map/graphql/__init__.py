"""The map service's part of the graph: ``types``, then ``queries``, ``mutations``, ``subscriptions``."""
