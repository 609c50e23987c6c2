"""The campaign service's part of the graph: ``types``, then ``queries``, ``mutations``, ``subscriptions``."""
