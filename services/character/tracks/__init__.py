"""Tracks of characters that move outside scenes, and rests: Luck, health, Fortune.

Read in this order: ``requests``, ``service``, ``dice`` (that fall at a rest), ``types``, ``graphql``.
"""
