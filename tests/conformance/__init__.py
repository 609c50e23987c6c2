"""Answers to case files, a package for each system: `infra/conformance` finds them by the system's slug.

`AREAS` of a package maps each area of the cases to a function from what is given to an answer. The function
lays out what the case says, makes the game's real moves or asks its real rules, and reads the answer off.
"""
