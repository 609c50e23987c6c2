"""One package a game system. A package that defines `SYSTEM` is found by itself: there is no list to edit.

See `services.rules.engine.registry`.
"""
